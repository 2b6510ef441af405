#!/usr/bin/env python3
"""make_3mf.py FOLDER: writes 3MF files after the features of the specification, all of boxes of 1 x 2 x 3, and
expected.tsv: file, exit code, triangles, lower corner, upper corner, message. Tests and the fuzzer read them."""

import os
import sys
import zipfile

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
EXTENSIONS = "http://schemas.microsoft.com/3dmanufacturing/"
RELATIONS = (
    '<?xml version="1.0"?>\n<!-- where the model is -->\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/other" Id="r0" Type="http://example.com/other"/>'
    '<Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
    "</Relationships>"
)
CORNERS = [(x, y, z) for z in (0, 3) for (x, y) in ((0, 0), (1, 0), (1, 2), (0, 2))]
QUADS = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
TRIANGLES = [(a, b, c) for (a, b, c, _) in QUADS] + [(a, c, d) for (a, _, c, d) in QUADS]


def box(number, attributes="", of_triangles=""):
    vertices = "".join('<vertex x="%g" y="%g" z="%g"/>' % corner for corner in CORNERS)
    triangles = "".join('<triangle v1="%d" v2="%d" v3="%d" %s/>' % (*t, of_triangles) for t in TRIANGLES)
    return (
        f'<object id="{number}" type="model" {attributes}><mesh><vertices>{vertices}</vertices>\n'
        f"<triangles>{triangles}</triangles></mesh></object>"
    )


def group(number, *components):
    inner = "".join(f"<component {c}/>" for c in components)
    return f'<object id="{number}"><components>{inner}</components></object>'


def model(resources, build='<item objectid="1"/>', attributes=""):
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<model unit="millimeter" xml:lang="en-US" xmlns="{CORE}" xmlns:p="{EXTENSIONS}production/2015/06" {attributes}>\n'
        f"<resources>\n{resources}\n</resources>\n<build>\n{build}\n</build>\n</model>\n"
    )


def write(name, parts, relations=RELATIONS, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(name, "w", method) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        if relations:
            archive.writestr("_rels/.rels", relations)
        for part, text in parts.items():
            archive.writestr(part, text)


def root(*arguments, **others):
    return {"3D/3dmodel.model": model(*arguments, **others)}


MOVED = "1 0 0 0 1 0 0 0 1 10 0 0"
OBJECT = 'p:path="/3D/Objects/object_1.model" objectid="1"'
REQUIRED = {"attributes": 'requiredextensions="p"'}
M = "/3D/3dmodel.model"

os.chdir(sys.argv[1])
expected = []


def good(name, triangles, lower, upper, parts, message="-", **others):
    write(name, parts, **others)
    expected.append((name, 0, triangles, lower, upper, message))


def bad(name, code, message, parts, **others):
    write(name, parts, **others)
    expected.append((name, code, "-", "-", "-", message))


good("plain.3mf", 12, "0 0 0", "1 2 3", root(box(1)))
good("stored.3mf", 12, "0 0 0", "1 2 3", root(box(1)), method=zipfile.ZIP_STORED)
good("comments.3mf", 12, "0 0 0", "1 2 3", root(box(1).replace("<mesh>", "<!-- < --><mesh ><?x <mesh>?>").replace("/>", "\n/>")))
good("names.3mf", 12, "0 0 0", "1 2 3", {"\\3d\\3DMODEL.Model": model(box(1))})
good("unused.3mf", 12, "0 0 0", "1 2 3", root(box(1) + box(2)))
good("items.3mf", 24, "0 0 0", "11 2 3", root(box(1), f'<item objectid="1"/><item objectid="1" transform=" {MOVED}\n"/>'))
good("parts.3mf", 24, "0 0 0", "11 2 3", {
    "3D/3dmodel.model": model(group(2, OBJECT, f'{OBJECT} transform="{MOVED}"'), '<item objectid="2" p:UUID="x"/>', **REQUIRED),
    "3D/Objects/object_1.model": model(box(1, 'name="a &amp; &#x62;"'), "<item objectid='1'/>"),
})
good("prefix.3mf", 12, "0 0 0", "1 2 3", {
    "3D/3dmodel.model": model("", '<item objectid="1" p:path="/3D/o.model"/>', **REQUIRED).replace(" p:", " prod:").replace("xmlns:p", "xmlns:prod").replace('"p"', '"prod"'),
    "3D/o.model": model(box(1)),
})
good("nested.3mf", 12, "6 0 7", "10 2 13", root(
    box(1) + group(2, 'objectid="1" transform="0 1 0 -1 0 0 0 0 1 5 0 0"') + group(3, 'objectid="2" transform="2 0 0 0 2 0 0 0 2 0 0 0"'),
    '<item objectid="3" transform="1 0 0 0 1 0 0 0 1 0 0 7"/>'))
good("mirror.3mf", 12, "-1 0 0", "0 2 3", root(box(1), '<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>'))
good("materials.3mf", 12, "0 0 0", "1 2 3", root(
    '<basematerials id="5"><base name="red" displaycolor="#F00"/><base name="blue" displaycolor="#00F"/></basematerials>'
    + box(1, 'pid="5" pindex="1"')))
good("lattice.3mf", 12, "0 0 0", "1 2 3", root(
    box(1).replace("</mesh>", "<b:beamlattice/></mesh>"), attributes=f'xmlns:b="{EXTENSIONS}beamlattice/2017/02"'),
    f"geometry may be missing: the importer reported 1 warning (first: {M} line 5: a beam lattice is not read)")
good("foreign.3mf", 12, "0 0 0", "1 2 3", root(
    box(1).replace("<vertices>", '<x:vertices><vertex x="9" y="9" z="9"/></x:vertices><vertices>'), attributes='xmlns:x="http://example.com/"'))
good("empty.3mf", 12, "0 0 0", "1 2 3", root(box(1) + '<object id="2"/>'),
     f"geometry may be missing: the importer reported 1 warning (first: {M} line 5: object 2 has neither a mesh nor components)")

good("utf-16.3mf", 12, "0 0 0", "1 2 3", {"3D/3dmodel.model": model(box(1)).replace("UTF-8", "UTF-16").encode("utf-16")})
good("filled.3mf", 12, "0 0 0", "1 2 3", {"3D/3dmodel.model": model(box(1)) + 9 * "\0"})
good("long.3mf", 12, "0 0 0", "1 2 3", root(box(1), attributes=f'long="{1000000 * "-"}"'))

bad("missing.3mf", 2, "the part /3D/o.model is missing", root("", '<item objectid="1" p:path="/3D/o.model"/>', **REQUIRED))
bad("circle.3mf", 2, f"{M}:4: object 2 of {M} contains itself", root(group(2, 'objectid="3"') + group(3, 'objectid="2"'), '<item objectid="2"/>'))
bad("self.3mf", 2, f"{M}:4: object 2 of {M} contains itself", root(group(2, 'objectid="2"'), '<item objectid="2"/>'))
bad("no-object.3mf", 2, f"{M}:8: object 7 of {M} does not exist", root(box(1), '<item objectid="7"/>'))
bad("twice.3mf", 2, f"{M} has two objects 1", root(box(1) + box(1)))
bad("range.3mf", 2, f"{M}:5: triangle refers to vertex 8 of 8", root(box(1).replace('v1="3"', 'v1="8"', 1)))
bad("number.3mf", 2, f"{M}:4: vertex: x is not a number", root(box(1).replace('x="0"', 'x="0,5"', 1)))
bad("index.3mf", 2, f"{M}:5: triangle: v1 is not a whole number", root(box(1).replace('v1="3"', 'v1="-3"', 1)))
bad("no-index.3mf", 2, f"{M}:5: triangle: v2 is missing", root(box(1).replace('v2="2"', "", 1)))
bad("transform.3mf", 2, f"{M}:7: item: transform is not 12 numbers", root(box(1).replace("\n", ""), f'<item objectid="1" transform="{MOVED} 1"/>'))
bad("tags.3mf", 2, f"{M}:5: an element ends that has not begun", root(box(1).replace("</mesh>", "</mush>")))
bad("open.3mf", 2, f"{M}:11: the document ends within an element", {"3D/3dmodel.model": model(box(1)).replace("</model>", "")})
bad("attribute.3mf", 2, f"{M}:4: not well-formed (invalid token)", root(box(1).replace("<vertices>", "<vertices x=1>")))
bad("doctype.3mf", 3, f"{M}:1: document types are not supported", {"3D/3dmodel.model": '<!DOCTYPE x [<!ENTITY a "b">]>' + model(box(1))})
bad("encoding.3mf", 3, f"{M}:1: the encoding is not supported", {"3D/3dmodel.model": model(box(1)).replace("UTF-8", "x-none")})
bad("entity.3mf", 2, f"{M}:4: undefined entity", root(box(1, 'name="&a;"')))
bad("elements.3mf", 5, f"{M}:4: more than 256 elements in each other", root(254 * "<x>" + box(1) + 254 * "</x>"))
bad("slices.3mf", 3, f"{M}:2: the required extension {EXTENSIONS}slice/2015/07 is not supported",
    root(box(1), attributes=f'xmlns:s="{EXTENSIONS}slice/2015/07" requiredextensions="p s"'))
bad("prefixes.3mf", 3, f"{M}:2: the required extension q is not supported", root(box(1), attributes='requiredextensions="q"'))
bad("other.3mf", 3, f"{M}:2: the namespace of the model is not {CORE}", {"3D/3dmodel.model": model(box(1)).replace(CORE, "x")})
bad("nothing.3mf", 2, "no faces", root(box(1), ""))
bad("no-relations.3mf", 2, "not a 3MF file: _rels/.rels is missing", root(box(1)), relations=None)
bad("no-model.3mf", 2, "not a 3MF file: it has no 3D model", root(box(1)), relations="<Relationships/>")
bad("bzip2.3mf", 3, "_rels/.rels is compressed by a method other than deflate", root(box(1)), method=zipfile.ZIP_BZIP2)
bad("many.3mf", 5, "more than 1048576 components", root(
    group(1) + "".join(group(i + 1, *[f'objectid="{i}"'] * 100) for i in range(1, 6)), '<item objectid="6"/>'))
bad("deep.3mf", 5, "more than 128 components in each other", root(
    box(1) + "".join(group(i + 1, f'objectid="{i}"') for i in range(1, 200)), '<item objectid="200"/>'))

with open("plain.3mf", "rb") as file:
    data = file.read()
at = data.index(b"3D/3dmodel.model") + 24


def broken(name, message, changed):
    with open(name, "wb") as out:
        out.write(changed)
    expected.append((name, 2, "-", "-", "-", message))


broken("short.3mf", "not a ZIP archive, or damaged or cut short", data[:-30])
broken("junk.3mf", "not a ZIP archive, or damaged or cut short", b"solid nothing that is an archive\n")
directory = data.index(b"PK\x01\x02")
entry = data.index(b"3D/3dmodel.model", directory) - 46
broken("moved.3mf", "3D/3dmodel.model is not where the ZIP archive says", data[:entry + 42] + b"\1" + data[entry + 43 :])
broken("bomb.3mf", "3D/3dmodel.model is damaged in the ZIP archive", data[:entry + 24] + b"\0\0\0\1" + data[entry + 28 :])
broken("list.3mf", "the list of the ZIP archive is damaged", data[:entry] + b"?" + data[entry + 1 :])
double = data.replace(b"[Content_Types].xml", b"3D/3DModel.model\0\0\0")
broken("double.3mf", "3D/3dmodel.model is in the ZIP archive twice", double)
broken("checksum.3mf", "3D/3dmodel.model is damaged in the ZIP archive", data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :])
with open("comment.3mf", "wb") as out:
    out.write(data[:-2] + b"\x05\x00hello")
expected.append(("comment.3mf", 0, 12, "0 0 0", "1 2 3", "-"))

with open("expected.tsv", "w") as out:
    for row in expected:
        out.write("\t".join(str(field) for field in row) + "\n")
