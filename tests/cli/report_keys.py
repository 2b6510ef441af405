"""Which keys has a report? As formats/report/README.md lists them, and as schema.json describes them.

Both lists are of paths such as hierarchy.levels[].volume.mean. In the README an item that begins with a dot takes the place of the
last part of the item before it, braces are alternatives, and "keys as in `X` except for `a` and `b`" stands for the keys that are
listed under X.
"""

import json
import re


def braces(text):
    """a.{b,c}.d becomes a.b.d and a.c.d."""
    found = re.search(r"\{([^{}]*)\}", text)
    if not found:
        return [text]
    return [
        item
        for part in found.group(1).split(",")
        for item in braces(text[: found.start()] + part + text[found.end() :])
    ]


def items_of(cell):
    """The paths that a table's first column names."""
    paths = []
    for item in re.findall(r"`([^`]*)`", cell):
        if item.startswith("."):
            stems = {path.rsplit(".", 1)[0]: None for path in last}
            last = [stem + part for stem in stems for part in braces(item)]
        else:
            last = braces(item)
        paths += last
    return paths


def place(section, path):
    """Sections are headed by the key that their paths begin below, where they don't begin with it."""
    return path if not section or re.match(re.escape(section) + r"\b", path) and path != section else section + "." + path


def copy_keys(keys, path, meaning):
    """What "keys as in" stands for."""
    phrase = re.search(r"keys as in ((?:`[^`]*`(?:, | or )?)+)(?: except for ((?:`[^`]*`(?: and )?)+))?", meaning)
    if not phrase:
        return
    left_out = re.findall(r"`([^`]*)`", phrase.group(2) or "")
    for source in items_of(phrase.group(1)):
        last = path.rsplit(".", 1)[1] if source == "mesh" else ""
        start = source + "." + last if last else source
        for key in [key for key in keys if key.startswith(start + ".") or (last and key == start)]:
            rest = key[len(start) :]
            if rest.lstrip(".").split(".")[0] not in left_out:
                keys.setdefault(path + rest, keys[key])


def readme_keys(text):
    """Paths, each with what its row says of it: (meaning, when it is null)."""
    keys = {}
    copies = []
    section = ""
    listed = False
    for line in text.split("## Keys", 1)[1].split("\n## ", 1)[0].splitlines():
        heading = re.match(r"#+ `([^`]*)`", line)
        if heading:
            section = "" if " and " in line else heading.group(1)
        if line.startswith("| key |"):
            listed = True
        elif not line.startswith("|"):
            listed = False
        elif listed and not line.startswith("| ---"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            cells += [""] * (3 - len(cells))
            for item in items_of(cells[0]):
                path = place(section, item)
                keys[path] = (cells[1], cells[2].strip("| "))
                copies.append((path, cells[1]))
    for path, meaning in copies:
        copy_keys(keys, path, meaning)
    return keys


def resolve(schema, node):
    """What a node refers to, and what it says itself."""
    if "$ref" not in node:
        return node
    found = schema
    for part in node["$ref"].lstrip("#/").split("/"):
        found = found[part]
    rest = {key: node[key] for key in node if key not in ("$ref", "description")}
    return {"allOf": [found, rest]} if rest else resolve(schema, found)


def branches(node):
    return node.get("anyOf", []) + node.get("allOf", [])


def schema_keys(schema, node=None, path=""):
    """Paths, each with its part of the schema."""
    node = resolve(schema, node or schema)
    keys = {}
    for branch in branches(node):
        keys.update(schema_keys(schema, branch, path))
    if isinstance(node.get("additionalProperties"), dict):
        keys.update(schema_keys(schema, node["additionalProperties"], path))
    for key, child in node.get("properties", {}).items():
        below = path + "." + key if path else key
        keys.setdefault(below, child)
        keys.update(schema_keys(schema, child, below))
    if "items" in node:
        keys.update(schema_keys(schema, node["items"], path + "[]"))
    return keys


def described(node):
    """All nodes of the schema with a description, in the order of the file."""
    if isinstance(node, dict):
        if isinstance(node.get("description"), str):
            yield node
        for child in node.values():
            yield from described(child)
    elif isinstance(node, list):
        for child in node:
            yield from described(child)


def descriptions(schema, listed):
    """Nodes of the schema by id, each with the descriptions that the README has for it: that of its keys, or of the keys below it.

    A row for many nodes, such as "keys as in ...", comes after one that is for a node alone.
    """
    rows = {}
    for path, node in schema_keys(schema).items():
        below = [key for key in listed if key.startswith(path + ".")]
        for key in [path] if path in listed else below[:1]:
            rows.setdefault(id(node), []).append(listed[key])
    uses = {}
    for found in rows.values():
        for row in set(found):
            uses[row] = uses.get(row, 0) + 1
    return {node: [sentence(*row) for row in sorted(set(found), key=lambda row: (uses[row], row))] for node, found in rows.items()}


def sentence(meaning, null):
    text = meaning.rstrip(".") + "." + (" Null: " + null.rstrip(".") + "." if null else "")
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("\\|", "|")
    return text[:1].upper() + text[1:]


def is_container(schema, node):
    node = resolve(schema, node)
    return (
        "properties" in node
        or any(is_container(schema, branch) for branch in branches(node))
        or "items" in node
        and is_container(schema, node["items"])
    )


def may_be_null(schema, node):
    node = resolve(schema, node)
    kind = node.get("type", [])
    return "null" in ([kind] if isinstance(kind, str) else kind) or any(
        may_be_null(schema, branch) for branch in branches(node)
    )


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else file.read()
