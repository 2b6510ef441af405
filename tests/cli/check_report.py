"""check_report.py README.md schema.json REPORT...

Does the schema describe reports? It and the README list the same keys, with the same ones null at times; all reports obey it; and it
can refuse: each report is tried without each of its keys, and with a value of a wrong type in the place of each.
"""

import copy
import sys

import jsonschema

from report_keys import branches, described, descriptions, is_container, may_be_null, read, readme_keys, resolve, schema_keys

failed = []


def expect(holds, *words):
    if not holds:
        failed.append(" ".join(str(word) for word in words))


def compare_with_readme(schema, keys, listed):
    for key in listed:
        expect(key in keys, "README.md lists a key that schema.json has not:", key)
    for key, node in keys.items():
        if not is_container(schema, node):
            expect(key in listed, "schema.json has a key that README.md does not list:", key)

    # make schema writes them.
    found = descriptions(schema, listed)
    for node in described(schema):
        expect(node["description"] in found.get(id(node), [node["description"]]), "the README says something else than", node["description"])

    # In these all keys are null together, which the README says once.
    together = ("hull.", "hierarchy.", "bounds.")
    for key in set(keys) & set(listed):
        if not is_container(schema, keys[key]) and not key.startswith(together):
            above = [key[:at] for at in range(len(key)) if key[at] == "."]
            nulls = [path for path in (*above, key) if path in keys and may_be_null(schema, keys[path])]
            expect(bool(nulls) if listed[key][1] else key not in nulls, "may it be null or not?", key)


def property_of(schema, node, key):
    """What a schema says of one key of an object; null for a key that it does not know."""
    node = resolve(schema, node)
    found = node.get("properties", {}).get(key)
    for branch in branches(node):
        found = found or property_of(schema, branch, key)
    return found


def sites(schema, node, value, path=""):
    """All places in a report, each with its path, the object or array that it is in, and whether it must be there."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in list(items):
        known = isinstance(value, dict) and property_of(schema, node, key)
        expect(known or isinstance(value, list) or is_map(schema, node), "schema.json does not know", f"{path}.{key}")
        below = (path + "." + key if path else key) if known else path + ("[]" if isinstance(value, list) else "{}")
        yield below, value, key, bool(known)
        if isinstance(child, (dict, list)):
            part = known or element_of(schema, node)
            yield from sites(schema, part, child, path if below.endswith("{}") else below)


def is_map(schema, node):
    """Whether keys are data."""
    node = resolve(schema, node)
    return isinstance(node.get("additionalProperties"), dict) or any(is_map(schema, branch) for branch in branches(node))


def element_of(schema, node):
    node = resolve(schema, node)
    found = node.get("items") or node.get("additionalProperties")
    for branch in branches(node):
        found = found or element_of(schema, branch)
    return found if isinstance(found, dict) else {}


def wrong_values(value):
    """Of another type than the value, and than what may be in its place."""
    if isinstance(value, (dict, list)):
        return ["not this", 17, True]
    scalars = [True, "17"] if isinstance(value, (int, float)) else [True, 17]
    scalars = ["true", 17] if isinstance(value, bool) else [] if value is None else scalars
    return scalars + [[[]], {"not": ["this"]}]


def shorten(value):
    """Of long lists two: one of many parts, levels and sections is refused like any other."""
    if isinstance(value, dict):
        return {key: shorten(child) for key, child in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict) and "offset" not in value[0]:
        return [shorten(child) for child in value[:2]]
    return [shorten(child) for child in value] if isinstance(value, list) else value


def must_refuse(schema, report, seen):
    """Everything at the top is judged by itself: that is much faster."""
    resolver = jsonschema.RefResolver.from_schema(schema)
    whole = jsonschema.Draft202012Validator(schema)
    report = shorten(report)
    for top in report:
        if top not in seen:
            rest = {key: report[key] for key in report if key != top}
            expect(not whole.is_valid(rest), "a report is taken without", top)
        seen.add(top)
        part = copy.deepcopy(report[top])
        expect(top in schema["properties"], "schema.json does not know", top)
        node = schema["properties"].get(top, {})
        judge = jsonschema.Draft202012Validator(node, resolver=resolver)
        if not isinstance(part, (dict, list)):
            for wrong in wrong_values(part):
                expect(not whole.is_valid({**report, top: wrong}), "a report is taken with", wrong, "as", top)
            continue
        for path, owner, key, required in list(sites(schema, node, part, top)):
            if path in seen:
                continue
            seen.add(path)
            value = owner[key]
            for wrong in wrong_values(value):
                owner[key] = wrong
                expect(not judge.is_valid(part), "a report is taken with", wrong, "as", path)
            owner[key] = value
            if required:
                del owner[key]
                expect(not judge.is_valid(part), "a report is taken without", path)
                owner[key] = value


def main(readme, schema_path, *reports):
    schema = read(schema_path)
    jsonschema.Draft202012Validator.check_schema(schema)
    keys = schema_keys(schema)
    compare_with_readme(schema, keys, readme_keys(read(readme)))
    whole = jsonschema.Draft202012Validator(schema)
    seen = set()
    for path in reports:
        report = read(path)
        for error in whole.iter_errors(report):
            expect(False, path + ":", ".".join(map(str, error.absolute_path)), error.message[:200])
        must_refuse(schema, report, seen)
    for key in keys:
        expect(key in seen, "no report has", key)
    for line in failed:
        print(line)
    print(len(reports), "reports,", len(keys), "keys,", len(seen), "places tried")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
