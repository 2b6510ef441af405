#!/usr/bin/env python3
"""make_vrml.py FOLDER: writes VRML files after the nodes of ISO/IEC 14772-1, and expected.tsv: file, exit code, triangles, volume,
lower corner, upper corner, message. Volumes are in closed form; '-' where nothing is expected. Tests and the fuzzer read them."""

import gzip
import math
import os
import sys

os.chdir(sys.argv[1])
expected = []

POINTS = "0 0 0, 1 0 0, 1 2 0, 0 2 0\n0 0 3 1 0 3 1 2 3 0 2 3"
FACES = "3 2 1 0 -1, 4 5 6 7 -1\n0,1,5,4,-1 1 2 6 5 -1 2 3 7 6 -1 3 0 4 7"
BOX = "geometry IndexedFaceSet { coord Coordinate { point [ %s ] } coordIndex [ %s ] %s }"
SHAPE = "Shape { " + BOX % (POINTS, FACES, "") + " }"
# A circle of 32 corners: its area is 16 sin( 2 pi / 32 ) of the squared radius.
AREA = 16 * math.sin(2 * math.pi / 32)


def write(name, text):
    data = ("#VRML V2.0 utf8\n" + text).encode()
    with open(name, "wb") as out:
        out.write(gzip.compress(data) if name.endswith(".wrz") else data)


def good(name, triangles, volume, lower, upper, text, message="-"):
    write(name, text)
    expected.append((name, 0, triangles, volume, lower, upper, message))


def bad(name, code, message, text):
    write(name, text)
    expected.append((name, code, "-", "-", "-", "-", message))


def lost(what, count=1):
    plural = "s" if count > 1 else ""
    return f"geometry may be missing: the importer reported {count} warning{plural} (first: {what})"


def placed(name, lower, upper, text, volume=6, triangles=12):
    good(name, triangles, volume, lower, upper, text)


placed("plain.wrl", "0 0 0", "1 2 3", SHAPE)
placed("packed.wrz", "0 0 0", "1 2 3", SHAPE)
placed("long-name.vrml", "0 0 0", "1 2 3", SHAPE)
placed("carriage.wrl", "0 0 0", "1 2 3", SHAPE.replace("\n", "\r\n"))
placed("clockwise.wrl", "0 0 0", "1 2 3", "Shape { " + BOX % (POINTS, " ".join(reversed("3 2 1 0 -1 4 5 6 7 -1 0 1 5 4 -1 1 2 6 5 -1 2 3 7 6 -1 3 0 4 7".split())), "ccw FALSE") + " }")
placed("around.wrl", "0 0 0", "1 2 3", 'WorldInfo { info [ "a # b", "c \\" } d" ] title "x" } # a comment {\nNavigationInfo { type ["EXAMINE", "ANY"] }\n'
       "Background { skyColor 0.1 0.2 0.3 }\nDEF V Viewpoint { position 0 0 10 orientation 0 0 1 1.5 description \"v\" }\nDEF T TimeSensor { loop TRUE }\n"
       "DEF P PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 1 1 1 ] }\n" + SHAPE.replace("geometry", "appearance Appearance { material DEF red Material "
       "{ diffuseColor 1 0 0 } texture PixelTexture { image 1 1 3 0xFF00Ff } }\ngeometry") + "\nROUTE T.fraction_changed TO P.set_fraction\n")
placed("script.wrl", "0 0 0", "1 2 3", 'DEF S Script { url "javascript: function f() { }" eventIn SFBool go field SFNode n USE S field MFNode a [ Group { } ] mustEvaluate TRUE }\n' + SHAPE)
placed("translation.wrl", "10 0 0", "11 2 3", f"Transform {{ translation 10 0 0 children [ {SHAPE} ] }}")
placed("one-child.wrl", "10 0 0", "11 2 3", f"Transform {{ children {SHAPE} translation 10,0,0 }}")
placed("scale.wrl", "0 0 0", "2 6 12", f"Transform {{ scale 2 3 4 children [ {SHAPE} ] }}", 144)
placed("mirror.wrl", "-1 0 0", "0 2 3", f"Transform {{ scale -1 1 1 children [ {SHAPE} ] }}")
placed("rotation.wrl", "-2 0 0", "0 1 3", f"Transform {{ rotation 0 0 2 1.5707963267948966 children [ {SHAPE} ] }}")
placed("center.wrl", "-1 0 0", "1 1 3", f"Transform {{ center 0 1 0 rotation 0 0 1 1.5707963267948966 translation 0 -1 0 children [ {SHAPE} ] }}")
placed("orientation.wrl", "0 0 0", "1 4 3", f"Transform {{ scale 2 1 1 scaleOrientation 0 0 1 1.5707963267948966 children [ {SHAPE} ] }}", 12)
placed("nested.wrl", "20 0 0", "22 4 6", f"Transform {{ scale 2 2 2 children Group {{ children [ Transform {{ translation 10 0 0 children {SHAPE} }} ] }} }}", 48)
placed("hexadecimal.wrl", "0 0 0", "1 2 3", "Shape { " + BOX % (POINTS, FACES.replace("7", "0x7").replace("4", "0X0000004"), "") + " }")
placed("returns.wrl", "0 0 0", "1 2 3", "# a comment {\n" + SHAPE)
with open("returns.wrl", "rb") as file:
    text = file.read()
with open("returns.wrl", "wb") as out:
    out.write(text.replace(b"\n", b"\r"))
good("use.wrl", 24, 12, "0 0 0", "11 2 3", f"Group {{ children [ DEF s {SHAPE} Transform {{ translation 10 0 0 children USE s }} ] }}")
good("coordinates.wrl", 24, 12, "0 0 0", "11 2 3", SHAPE.replace("coord Coordinate", "coord DEF c Coordinate") + "Transform { translation 10 0 0 children Shape { "
     "geometry IndexedFaceSet { coord USE c coordIndex [ " + FACES + " ] } } }")
placed("redefined.wrl", "10 0 0", "11 2 3", f"DEF a Group {{ }} DEF a Transform {{ translation 10 0 0 }} Switch {{ choice USE a }} Transform {{ translation 10 0 0 children {SHAPE} }}")
placed("switch.wrl", "10 0 0", "11 2 3", f"Switch {{ whichChoice 1 choice [ {SHAPE} Transform {{ translation 10 0 0 children {SHAPE} }} {SHAPE} ] }} Switch {{ choice {SHAPE} }}")
placed("lod.wrl", "0 0 0", "1 2 3", f"LOD {{ range [ 10 20 ] level [ {SHAPE} Shape {{ geometry Box {{ }} }} Group {{ }} ] }}")
placed("groups.wrl", "0 0 0", "1 2 3", f'Anchor {{ url "x.wrl" children Billboard {{ children Collision {{ collide FALSE children {SHAPE} }} }} }}')
good("box.wrl", 12, 24, "-1 -1.5 -2", "1 1.5 2", "Shape { geometry Box { size 2 3 4 } }")
good("default-box.wrl", 12, 8, "-1 -1 -1", "1 1 1", "Shape { geometry Box { } }")
good("cylinder.wrl", 124, AREA * 4 * 5, "-2 -2.5 -2", "2 2.5 2", "Shape { geometry Cylinder { radius 2 height 5 } }")
good("cone.wrl", 62, AREA * 4 * 6 / 3, "-2 -3 -2", "2 3 2", "Shape { geometry Cone { bottomRadius 2 height 6 } }")
rings = [(math.sin(math.pi * i / 16), math.cos(math.pi * i / 16)) for i in range(17)]
good("sphere.wrl", 960, sum(AREA * 8 * (c - e) * (a * a + a * b + b * b) / 3 for (a, c), (b, e) in zip(rings, rings[1:])), "-2 -2 -2", "2 2 2",
     "Shape { geometry Sphere { radius 2 } }")
good("tube.wrl", 64, "-", "-1 -1 -1", "1 1 1", "Shape { geometry Cylinder { top FALSE bottom FALSE } }")
good("grid.wrl", 12, "-", "0 -1 0", "6 5 6", "Shape { geometry ElevationGrid { xDimension 4 zDimension 3 xSpacing 2 zSpacing 3 height [ 0 1 2 3 4 5 0 1 2 3 -1 1 ] } }")
good("lines.wrl", 12, 6, "0 0 0", "1 2 3", SHAPE + "Shape { geometry IndexedLineSet { coord Coordinate { point [ 0 0 0 1 1 1 ] } coordIndex [ 0 1 -1 ] } }"
     "Shape { geometry PointSet { coord Coordinate { point [ 0 0 0 ] } } } Shape { geometry NULL }")
good("short.wrl", 12, 6, "0 0 0", "1 2 3", "Shape { " + BOX % (POINTS, FACES + " -1 -1 0 1 -1 2", "") + " }", lost("line 2: face has 2 corners instead of 3 or more", 2))
good("extrusion.wrl", 12, 6, "0 0 0", "1 2 3", SHAPE + "\nShape { geometry Extrusion { spine [ 0 0 0 0 1 0 ] } }", lost("line 5: geometry of type Extrusion is not read"))
good("inline.wrl", 12, 6, "0 0 0", "1 2 3", SHAPE + '\nInline { url [ "wheel.wrl" ] }', lost("line 5: the included file wheel.wrl is not read"))
good("prototype.wrl", 12, 6, "0 0 0", "1 2 3", 'PROTO Wheel [ field SFFloat size 1 exposedField MFNode parts [ ] ] { Shape { geometry Sphere { radius IS size } } }\n'
     'EXTERNPROTO Door [ field SFFloat width ] [ "urn:x" "door.wrl" ]\nEXTERNPROTO Gate [ ] "gate.wrl"\n' + SHAPE + "\nWheel { size 3 parts [ Group { } ] }\nDoor { }",
     lost("line 8: a node of type Wheel is not read", 2))
good("filled.wrl", 12, 6, "0 0 0", "1 2 3", SHAPE + "\n\0\0")

bad("old.wrl", 3, "VRML 1.0 is not supported (convert it to VRML 2.0, such as by ivcat or vrml1tovrml2)", "")
with open("old.wrl", "wb") as out:
    out.write(b"#VRML V1.0 ascii\nSeparator { Cube { } }\n")
bad("header.wrl", 2, "not a VRML file: the first line is not '#VRML V2.0 utf8'", "")
with open("header.wrl", "wb") as out:
    out.write(b"# VRML V2.0 utf8\n" + SHAPE.encode())
bad("nothing.wrl", 2, "no faces", "Group { }")
bad("only-lines.wrl", 2, "no faces (0 points, 1 lines)", "Shape { geometry IndexedLineSet { coord Coordinate { point [ 0 0 0 1 1 1 ] } coordIndex [ 0 1 -1 ] } }")
bad("only-text.wrl", 2, "no faces (line 2: geometry of type Text is not read)", 'Shape { geometry Text { string "a" } }')
bad("range.wrl", 2, "2: coordIndex has 8, outside 0 to 7", "Shape { " + BOX % (POINTS, "0 1 8 -1", "") + " }")
bad("negative.wrl", 2, "2: coordIndex has -2, outside 0 to 7", "Shape { " + BOX % (POINTS, "0 1 -2 -1", "") + " }")
bad("fraction.wrl", 2, "2: coordIndex has 1.5, outside 0 to 7", "Shape { " + BOX % (POINTS, "0 1.5 2 -1", "") + " }")
bad("thirds.wrl", 2, "2: point has 4 numbers, not a multiple of 3", "Shape { " + BOX % ("0 0 0 1", "0 0 0 -1", "") + " }")
bad("number.wrl", 2, "3: '1e' is not a number", SHAPE.replace("0 0 3 1", "0 0 3 1e"))
bad("words.wrl", 2, "2: 'x' instead of '{'", "Shape { geometry Box x }")
bad("open.wrl", 2, "4: the file ends within a node", SHAPE[:-1])
bad("closed.wrl", 2, "5: '}' instead of a name", SHAPE + "\n}")
bad("string.wrl", 2, "2: a string does not end", 'WorldInfo { title "x }\n' + SHAPE)
bad("use-before.wrl", 2, "2: 'a' is used before DEF", "Group { children USE a }")
bad("circle.wrl", 2, "2: a node contains itself", "DEF a Group { children [ USE a ] }")
bad("size.wrl", 2, "2: size has 2 numbers instead of 3", "Shape { geometry Box { size 1 2 } }")
bad("flat.wrl", 2, "2: radius is not above 0", "Shape { geometry Sphere { radius 0 } }")
bad("mixed.wrl", 2, "2: a field has nodes and numbers", "Group { children [ Group { } 1 ] }")
bad("heights.wrl", 2, "2: height has 3 numbers instead of 2 * 2", "Shape { geometry ElevationGrid { xDimension 2 zDimension 2 height [ 1 2 3 ] } }")
bad("binary.wrl", 2, "5: binary data, not VRML text", SHAPE + "\n\0\0x")
bad("deep.wrl", 5, "2: more than 1024 nodes in each other", "Group { children " * 2000)
bad("many.wrl", 5, "2: more than 1048576 nodes are placed", "DEF g0 Group { } " + "".join(
    f"DEF g{i + 1} Group {{ children [ " + f"USE g{i} " * 100 + "] } " for i in range(5)))

with open("expected.tsv", "w") as out:
    for row in expected:
        out.write("\t".join(str(field) for field in row) + "\n")
