"""Packs the add-on: VERSION FOLDER LICENSE OUT.zip. The version in the add-on must be that of the project."""

import ast
import os
import sys
import zipfile

version, folder, license, out = sys.argv[1:]
with open(os.path.join(folder, "__init__.py")) as file:
    assigned = [node for node in ast.parse(file.read()).body if isinstance(node, ast.Assign) and node.targets[0].id == "bl_info"]
stated = ".".join(map(str, ast.literal_eval(assigned[0].value)["version"]))
if stated != version:
    sys.exit("%s/__init__.py: version %s, but the project has %s" % (folder, stated, version))
name = os.path.basename(folder)
files = [(os.path.join(folder, file), name + "/" + file) for file in sorted(os.listdir(folder)) if file.endswith(".py")]
with zipfile.ZipFile(out + ".new", "w", zipfile.ZIP_DEFLATED) as archive:
    for path, inside in files + [(license, name + "/LICENSE")]:
        with open(path, "rb") as file:
            # The same time for all, so that the zip depends on the content only.
            archive.writestr(zipfile.ZipInfo(inside), file.read(), zipfile.ZIP_DEFLATED)
os.replace(out + ".new", out)
