"""Prints every byte of a .bvh file with the name of its field, by the tables of formats/bvh/README.md: each line has an
offset, the bytes, and what they are. Knows what the example there has: a tree without inner nodes, and no sections but those
it needs. Zeros of one field are counted.

    python3 dump_bvh.py FILE.bvh
"""

import struct
import sys

data = open(sys.argv[1], "rb").read()
at = 0
TYPES = ("obb", "aabb", "sphere", "rss", "kdop14", "kdop18", "kdop26", "prism")
OLD_TYPES = TYPES[:-1]  # of version 1 of the hierarchy
KINDS = ("convex", "concave", "flat", "boundary", "flipped", "non-manifold")


def line(size, text):
    global at
    end = at + size
    if end > len(data):
        sys.exit("the file ends within: " + text)
    if size > 16 and not any(data[at:end]):
        print(f"{at:04x}  {'00 * %d' % size:47}  {text}".rstrip())
        at = end
    while at < end:
        part = data[at : min(at + 16, end)]
        print(f"{at:04x}  {part.hex(' '):47}  {text}".rstrip())
        at += len(part)
        text = ""


def number(form, name, show=str):
    """One number, or several of a kind in one line."""
    values = struct.unpack_from("<" + form, data, at)
    line(struct.calcsize("<" + form), name + ": " + ", ".join(show(v) for v in values))
    return values[0]


def shortest(x):
    return repr(x)[:-2] if repr(x).endswith(".0") else repr(x)


def floats(form, name):
    return number(form, name, lambda x: "%.9g" % x if form.endswith("f") else shortest(x))


def zeros(size, name):
    if any(data[at : at + size]):
        sys.exit("not zero: " + name)
    if size > 0:
        line(size, name)


def text(size, name):
    """Sixteen bytes a line, with the characters beside them. Line feeds are shown as |."""
    print(f"      {name}:")
    for first in range(0, size, 16):
        part = data[at : at + min(16, size - first)]
        line(len(part), "  " + part.decode("ascii").replace("\n", "|"))


def origin(size):
    line(16, "source hash")
    sizes = [number("I", name + " bytes") for name in ("tool", "name", "format", "parameter")]
    for name, length in zip(("tool", "name", "format", "parameters, | for a line feed"), sizes):
        text(length, name)


def mesh(size):
    global quantised, vertices, triangles
    vertices = number("I", "vertices")
    triangles = number("I", "triangles")
    for name in ("edges", "components", "double-sided"):
        number("I", name)
    for kind in KINDS:
        number("I", "edges of kind " + kind)
    for name in ("closed", "manifold", "oriented"):
        number("B", name)
    quantised = number("B", "quantised")
    zeros(8, "reserved")
    for name in ("degenerate", "duplicates", "not finite"):
        number("Q", "removed " + name)
    number("Q", "unused vertices")
    number("Q", "merged vertices")
    floats("d", "largest displacement")
    floats("d", "area")
    for axis in "xyz":
        floats("d", "grid origin " + axis)
    floats("d", "grid step")
    if size > 144:
        for axis in "xyz":
            floats("d", "offset " + axis)


def positions(size):
    for i in range(vertices):
        floats("3f", f"vertex {i}")


def clusters(size):
    count = number("I", "clusters")
    references = number("I", "references")
    width = number("B", "width")
    zeros(7, "reserved")
    for i in range(count):
        number("I", f"cluster {i}: first new")
        number("I", f"cluster {i}: first reference")
    for i in range(references):
        number({2: "H", 4: "I"}[width], f"reference {i}")
    for i in range(triangles):
        number("3B", f"triangle {i}: codes")


def nodes(size):
    end = at + size
    number("I", "nodes")
    number("I", "leaves")
    number("I", "depth")
    for name in OLD_TYPES:
        number("I", "of type " + name)
    words = number("I", "words")
    number("I", "root triangles")
    root = number("I", "root type")
    if words or TYPES[root] not in ("obb", "aabb", "prism"):
        sys.exit("only a box or a prism without children is known")
    prisms = number("I", "of type prism")
    if TYPES[root] == "aabb":
        floats("3f", "root: lower")
        floats("3f", "root: upper")
    else:
        floats("3f", "root: centre")
        floats("3f", "root: half extents")
        floats("4f", "root: rotation")
    zeros(104 - (24 if TYPES[root] == "aabb" else 40), "root: rest")
    for axis in "xyz":
        floats("d", "grid origin " + axis)
    floats("d", "grid step")
    for row in OLD_TYPES:
        for k in range(0, len(OLD_TYPES), 2):
            pair = OLD_TYPES[k : k + 2]
            floats(f"{len(pair)}d", f"costs of {row} with " + ", ".join(pair))
    floats("d", "triangle cost")
    floats("d", "opening cost")
    floats("d", "leaf cost")
    if prisms:
        for name in TYPES:
            floats("d", f"costs of prism with {name}")
    zeros(end - at, "slack")


SECTIONS = {"ORGN": origin, "MESH": mesh, "POSN": positions, "TRIS": clusters, "NODE": nodes}

print("      header")
line(8, "magic")
line(8, "hash")
number("I", "byte order", hex)
number("H", "major version")
number("H", "minor version")
number("Q", "file size")
count = number("I", "sections")
zeros(28, "reserved")
table = []
for i in range(count):
    print(f"      entry {i} of the section table")
    name = data[at : at + 4].decode("ascii")
    line(4, "name: " + name)
    number("H", "version")
    number("H", "flags")
    offset = number("Q", "offset", hex)
    table.append((name, offset, number("Q", "size")))
    line(8, "hash")
for name, offset, size in table:
    zeros(offset - at, "up to a multiple of 64")
    print("      " + name)
    SECTIONS[name](size)
    if at != offset + size:
        sys.exit("the section has another size: " + name)
if at != len(data):
    sys.exit("there is more behind the last section")
