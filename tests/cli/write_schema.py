"""write_schema.py README.md schema.json: writes what the README says of each key into the descriptions of the schema.

Descriptions of parts that are no key of their own, such as points and matrices, stay. check_report.py compares the two.
"""

import json
import re
import sys

from report_keys import described, descriptions, read, readme_keys

readme, path = sys.argv[1:]
schema = read(path)
found = descriptions(schema, readme_keys(read(readme)))
texts = iter([found.get(id(node), [node["description"]])[0] for node in described(schema)])
with open(path, encoding="utf-8") as file:
    whole = file.read()
whole = re.sub(r'"description": "(?:[^"\\]|\\.)*"', lambda _: '"description": ' + json.dumps(next(texts), ensure_ascii=False), whole)
with open(path, "w", encoding="utf-8") as file:
    file.write(whole)
