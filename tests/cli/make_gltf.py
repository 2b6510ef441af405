#!/usr/bin/python3
"""Writes glTF files after the features of the specification, each with what a reader has to make of it.

    make_gltf.py FOLDER    writes the files, and in FOLDER expected.tsv, valid.txt and invalid.txt

A line of expected.tsv has the name of a file, the exit code of bvbuild, the number of triangles, the volume, the x of the center
of mass, and a part of the message; a field that does not apply is "-". valid.txt and invalid.txt name the files in which Khronos'
validator has to find no errors, and some. Volumes are closed forms, or sums over triangles that are placed here, by code that the library does not
share.
"""

import base64
import copy
import ctypes
import json
import math
import os
import random
import struct
import sys

FLOAT, BYTE, UBYTE, SHORT, USHORT, UINT = 5126, 5120, 5121, 5122, 5123, 5125
PACK = {FLOAT: "f", BYTE: "b", UBYTE: "B", SHORT: "h", USHORT: "H", UINT: "I"}
SIZE = {FLOAT: 4, BYTE: 1, UBYTE: 1, SHORT: 2, USHORT: 2, UINT: 4}
LARGEST = {BYTE: 127, UBYTE: 255, SHORT: 32767, USHORT: 65535}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

BOX = [(x, y, z) for z in (0, 3) for y in (0, 2) for x in (0, 1)]
SIDES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
CORNERS = [c for a, b, c_, d in SIDES for c in (a, b, c_, a, c_, d)]

cases = []


class File:
    """A document that grows, with one buffer."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "meshes": []}
        self.bytes = b""

    def view(self, data, stride=None, align=4):
        self.bytes += bytes(-len(self.bytes) % align)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)}
        if stride:
            view["byteStride"] = stride
        self.bytes += data
        self.json.setdefault("bufferViews", []).append(view)
        return len(self.json["bufferViews"]) - 1

    def accessor(self, rows, kind, normalized=False, bounds=False, stride=None, offset=0, attribute=True, **more):
        """Rows of numbers as they are stored."""
        width = len(rows[0])
        row = SIZE[kind] * width
        step = stride or (row + -row % 4 if attribute else row)
        data = b"".join(struct.pack(f"<{width}{PACK[kind]}", *r) + bytes(step - row) for r in rows)
        view = self.view(bytes(offset) + data, stride=step if step != row or stride else None)
        accessor = {"bufferView": view, "componentType": kind, "count": len(rows), "type": TYPES[width], **more}
        if offset:
            accessor["byteOffset"] = offset
        if normalized:
            accessor["normalized"] = True
        if bounds:
            stored = [struct.unpack(f"<{width}{PACK[kind]}", struct.pack(f"<{width}{PACK[kind]}", *r)) for r in rows]
            accessor["min"] = [min(r[k] for r in stored) for k in range(width)]
            accessor["max"] = [max(r[k] for r in stored) for k in range(width)]
        self.json.setdefault("accessors", []).append(accessor)
        return len(self.json["accessors"]) - 1

    def positions(self, rows=None, kind=FLOAT, **more):
        return self.accessor(rows or BOX, kind, bounds=True, **more)

    def indices(self, numbers=None, kind=USHORT, **more):
        return self.accessor([(n,) for n in numbers or CORNERS], kind, attribute=False, **more)

    def primitive(self, positions, indices=None, **more):
        primitive = {"attributes": {"POSITION": positions}, **more}
        if indices is not None:
            primitive["indices"] = indices
        return primitive

    def mesh(self, *primitives, **more):
        self.json["meshes"].append({"primitives": list(primitives), **more})
        return len(self.json["meshes"]) - 1

    def use(self, *names, required=True):
        for list_name in ["extensionsUsed"] + ["extensionsRequired"] * required:
            self.json.setdefault(list_name, []).extend(names)

    def finish(self, uri=None):
        document = copy.deepcopy(self.json)
        if self.bytes and "buffers" not in document:
            document["buffers"] = [{"byteLength": len(self.bytes)}]
            if uri != "":
                document["buffers"][0]["uri"] = uri or data_uri(self.bytes)
        return {k: v for k, v in document.items() if v != []}


def data_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def box(**more):
    """The box of volume 6, ready to be changed."""
    f = File()
    f.mesh(f.primitive(f.positions(), f.indices()), **more)
    return f


def glb(document, binary=b"", version=2, magic=b"glTF", pad=True, length=None, chunks=()):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4) if pad else b" " * ((5 - len(text)) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text
    if binary:
        binary += bytes(-len(binary) % 4)
        body += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    for kind, data in chunks:
        body += struct.pack("<I4s", len(data), kind) + data
    return struct.pack("<4sII", magic, version, 12 + len(body) if length is None else length) + body


def case(name, content, code=0, triangles=None, volume=None, x=None, says=None, valid=None, files=None):
    """content: a File, a document, or the bytes of a file."""
    if isinstance(content, File):
        content = content.finish()
    if isinstance(content, dict):
        content = json.dumps(content).encode()
    assert os.path.splitext(name)[0] not in [os.path.splitext(c["name"])[0] for c in cases], name
    cases.append({"name": name, "content": content, "code": code, "triangles": triangles, "volume": volume, "x": x, "says": says,
                  "valid": code == 0 if valid is None else valid, "files": files or {}})


# What is placed here, to compare with.

def turn(q, v):
    x, y, z, w = q
    n = x * x + y * y + z * z + w * w
    m = [[1 - 2 * (y * y + z * z) / n, 2 * (x * y - z * w) / n, 2 * (x * z + y * w) / n],
         [2 * (x * y + z * w) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - x * w) / n],
         [2 * (x * z - y * w) / n, 2 * (y * z + x * w) / n, 1 - 2 * (x * x + y * y) / n]]
    return [sum(m[i][k] * v[k] for k in range(3)) for i in range(3)]


def place(node, v):
    if "matrix" in node:
        m = node["matrix"]
        return [sum(m[4 * k + i] * v[k] for k in range(3)) + m[12 + i] for i in range(3)]
    s = node.get("scale", (1, 1, 1))
    t = node.get("translation", (0, 0, 0))
    r = turn(node.get("rotation", (0, 0, 0, 1)), [s[k] * v[k] for k in range(3)])
    return [r[k] + t[k] for k in range(3)]


def measure(points, corners):
    """Volume and center of mass of a closed surface, whatever its orientation."""
    volume = 0
    center = [0, 0, 0]
    for i in range(0, len(corners), 3):
        a, b, c = (points[k] for k in corners[i:i + 3])
        part = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
        volume += part
        center = [center[k] + part * (a[k] + b[k] + c[k]) / 4 for k in range(3)]
    return abs(volume), center[0] / volume


# Components and layouts.

def stored(kind, normalized):
    """The box in a component type, and the node that makes it 1 x 2 x 3 at its place."""
    if kind == FLOAT:
        return BOX, {}
    low = -LARGEST[kind] if kind in (BYTE, SHORT) else 0
    rows = [tuple(low if v == 0 else LARGEST[kind] for v in p) for p in BOX]
    unit = 1 if normalized else LARGEST[kind]
    span = unit * (2 if low else 1)
    scale = [1 / span, 2 / span, 3 / span]
    shift = [scale[k] * unit if low else 0 for k in range(3)]
    return rows, {"scale": scale, "translation": shift}


def component_types():
    for kind, name in ((BYTE, "byte"), (UBYTE, "ubyte"), (SHORT, "short"), (USHORT, "ushort"), (FLOAT, "float")):
        for normalized in (False, True)[:1 + (kind != FLOAT)]:
            for layout in ("tight", "stride", "sparse"):
                f = File()
                rows, node = stored(kind, normalized)
                f.json["nodes"][0].update(node)
                step = {"stride": 20}.get(layout)
                first = rows if layout != "sparse" else [rows[0]] * 7 + [rows[7]]
                p = f.positions(first, kind, normalized=normalized, stride=step, offset=8 if step else 0)
                if layout == "sparse":
                    places = list(range(1, 7))
                    data = b"".join(struct.pack(f"<3{PACK[kind]}", *rows[i]) for i in places)
                    f.json["accessors"][p]["sparse"] = {
                        "count": 6, "indices": {"bufferView": f.view(struct.pack("<6H", *places)), "componentType": USHORT},
                        "values": {"bufferView": f.view(data)}}
                f.mesh(f.primitive(p, f.indices()))
                if kind != FLOAT:
                    f.use("KHR_mesh_quantization")
                case(f"position-{name}{'-normalized' * normalized}-{layout}.gltf", f, triangles=12, volume=6, x=0.5)
    for kind, name in ((UBYTE, "ubyte"), (USHORT, "ushort"), (UINT, "uint")):
        f = File()
        f.mesh(f.primitive(f.positions(), f.indices(kind=kind)))
        case(f"indices-{name}.gltf", f, triangles=12, volume=6)


def layouts():
    f = File()
    f.mesh(f.primitive(f.positions([BOX[c] for c in CORNERS])))
    case("no-indices.gltf", f, triangles=12, volume=6)

    # Zeros but for sparse elements.
    f = File()
    data = b"".join(struct.pack("<3f", *p) for p in BOX[1:])
    f.json["accessors"] = [{"componentType": FLOAT, "type": "VEC3", "count": 8, "min": [0, 0, 0], "max": [1, 2, 3], "sparse": {
        "count": 7, "indices": {"bufferView": f.view(bytes(range(1, 8))), "componentType": UBYTE},
        "values": {"bufferView": f.view(data)}}}]
    f.mesh(f.primitive(0, f.indices()))
    case("sparse-without-view.gltf", f, triangles=12, volume=6)

    # Normals and positions in turns, in one view; and two views of the same bytes.
    f = File()
    data = b"".join(struct.pack("<6f", *p, 0, 1, 0) for p in BOX)
    f.json["accessors"] = [
        {"bufferView": f.view(data, stride=24), "componentType": FLOAT, "type": "VEC3", "count": 8, "min": [0, 0, 0],
         "max": [1, 2, 3]},
        {"bufferView": 0, "byteOffset": 12, "componentType": FLOAT, "type": "VEC3", "count": 8}]
    f.json["bufferViews"].append({"buffer": 0, "byteOffset": 0, "byteLength": len(data), "byteStride": 24})
    f.json["accessors"].append({**f.json["accessors"][0], "bufferView": 1})
    i = f.indices()
    f.mesh({"attributes": {"POSITION": 0, "NORMAL": 1}, "indices": i})
    f.mesh(f.primitive(2, i))
    f.json["nodes"] = [{"children": [1, 2]}, {"mesh": 0}, {"mesh": 1, "translation": [10, 0, 0]}]
    case("interleaved-and-shared.gltf", f, triangles=24, volume=12, x=5.5)

    # One accessor for the vertices of two primitives, much larger than what each uses.
    f = File()
    p = f.positions([(9, 9, 9)] * 500 + BOX + [(9, 9, 9)] * 500 + [(x + 4, y, z) for x, y, z in BOX])
    f.mesh(f.primitive(p, f.indices([c + 500 for c in CORNERS])), f.primitive(p, f.indices([c + 1008 for c in CORNERS])))
    case("one-accessor-for-all.gltf", f, triangles=24, volume=12, x=2.5)

    # Strips: each side of the box one, as a Z; its winding changes from triangle to triangle. Fans from corner 0 and its opposite.
    f = File()
    p = f.positions()
    f.mesh(*[f.primitive(p, f.indices([a, b, d, c]), mode=5) for a, b, c, d in SIDES])
    case("strips.gltf", f, triangles=12, volume=6)
    f = File()
    p = f.positions()
    f.mesh(f.primitive(p, f.indices([0, 1, 5, 4, 6, 2, 3, 1]), mode=6), f.primitive(p, f.indices([7, 3, 2, 6, 4, 5, 1, 3]), mode=6))
    case("fans.gltf", f, triangles=12, volume=6)
    f = File()
    f.mesh(f.primitive(f.positions([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 2, 0)]), mode=5))
    case("strip-without-indices.gltf", f, triangles=3)

    f = box()
    p = f.json["meshes"][0]["primitives"]
    for mode in range(4):
        p.append({"attributes": {"POSITION": 0}, "mode": mode})
    case("points-and-lines.gltf", f, triangles=12, volume=6, says="skipped 8 points, 19 lines")
    f = File()
    f.mesh(f.primitive(f.positions(), mode=0))
    case("only-points.gltf", f, code=2, says="no faces (8 points, 0 lines)", valid=True)

    f = box()
    f.json["meshes"][0]["primitives"].append({"attributes": {"NORMAL": f.accessor([(0, 1, 0)] * 8, FLOAT)}})
    case("no-position-beside-a-good-one.gltf", f, triangles=12, volume=6,
         says="geometry may be missing: the importer reported 1 warning (first: meshes[0].primitives[1] has no POSITION)")


# Nodes.

def nodes():
    f = box()
    f.json["nodes"][0] = {"mesh": 0, "matrix": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1]}
    case("matrix.gltf", f, triangles=12, volume=12, x=11)
    half = math.sqrt(0.5)
    f = box()
    f.json["nodes"] = [{"rotation": [0, 0, half, half], "children": [1]}, {"translation": [5, 0, 0], "children": [2]},
                       {"scale": [1, 3, 1], "mesh": 0}]
    case("trs-chain.gltf", f, triangles=12, volume=18, x=-3)
    f = box()
    f.json["nodes"] = [{"scale": [-1, 1, 1], "mesh": 0}]
    case("mirrored.gltf", f, triangles=12, volume=6, x=-0.5)
    f = box()
    f.json["nodes"] = [{"scale": [-1, 1, 1], "children": [1]}, {"matrix": [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "mesh": 0}]
    case("mirrored-twice.gltf", f, triangles=12, volume=6, x=-0.5)

    f = box()
    del f.json["scenes"], f.json["scene"]
    f.json["nodes"] = [{"mesh": 0}, {"children": [2]}, {"mesh": 0, "translation": [4, 0, 0]}]
    case("no-scenes.gltf", f, triangles=24, volume=12, x=2.5)
    f = box()
    del f.json["scene"]
    f.json["scenes"] = [{"nodes": [1]}, {"nodes": [0]}]
    f.json["nodes"] = [{"mesh": 0}, {"mesh": 0, "translation": [4, 0, 0]}]
    case("no-scene-takes-the-first.gltf", f, triangles=12, volume=6, x=4.5)
    f = box()
    f.json["scene"] = 1
    f.json["scenes"] = [{"nodes": [0]}, {"nodes": [1]}]
    f.json["nodes"] = [{"mesh": 0}, {"mesh": 0, "translation": [4, 0, 0]}]
    case("scene-is-the-second.gltf", f, triangles=12, volume=6, x=4.5)

    for depth in (3000, 100000):
        f = box()
        f.json["nodes"] = [{"children": [i + 1]} for i in range(depth)] + [{"mesh": 0, "translation": [1, 0, 0]}]
        # The validator recurses.
        case(f"deep-{depth}.gltf", f, triangles=12, volume=6, x=1.5, valid=None if depth < 10000 else "unknown")

    def broken(name, text, **changes):
        f = box()
        f.json.update(changes)
        case(name, f, code=2, says=text)
    broken("node-twice.gltf", "nodes[1]: nodes[2] is a child, and also one of nodes[0]",
           nodes=[{"children": [1, 2]}, {"children": [2]}, {"mesh": 0}])
    broken("node-twice-in-scene.gltf", "scenes[0]: nodes[0] is in it twice", scenes=[{"nodes": [0, 0]}])
    broken("child-in-scene.gltf", "scenes[0]: nodes[1] is not a root", scenes=[{"nodes": [0, 1]}],
           nodes=[{"children": [1]}, {"mesh": 0}])
    broken("cycle.gltf", "nodes[1]: is in a cycle, or below one", nodes=[{"mesh": 0}, {"children": [2]}, {"children": [1]}])
    broken("own-child.gltf", "nodes[1]: is in a cycle, or below one", nodes=[{"mesh": 0}, {"children": [1]}])
    broken("not-affine.gltf", "nodes[0]: matrix is not affine",
           nodes=[{"mesh": 0, "matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}])
    broken("matrix-and-scale.gltf", "nodes[0]: has a matrix and also",
           nodes=[{"mesh": 0, "scale": [1, 1, 2], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}])
    broken("rotation-is-zero.gltf", "nodes[0]: rotation is not a unit quaternion", nodes=[{"mesh": 0, "rotation": [0, 0, 0, 0]}])
    broken("mesh-out-of-range.gltf", "nodes[0]: mesh refers to number 1, but there are only 1", nodes=[{"mesh": 1}])
    broken("scene-out-of-range.gltf", "scene refers to number 1, but there are only 1", scene=1)
    broken("not-an-index.gltf", "nodes[0]: mesh is not an index", nodes=[{"mesh": 0.5}])
    text = json.dumps(box().finish()).replace('{"mesh": 0}', '{"mesh": 0, "translation": [1e999, 0, 0]}')
    case("infinite-translation.gltf", text.encode(), code=2, says="nodes[0]: translation[0] is not a finite number")
    text = json.dumps(box().finish()).replace('{"mesh": 0}', '{"mesh": 0, "translation": [NaN, 0, 0]}')
    case("nan-translation.gltf", text.encode(), code=2, says="not valid JSON")

    # Trees of random placements.
    numbers = random.Random(7)
    for n in range(8):
        f = box()
        f.json["nodes"] = []
        volume = moment = 0
        chains = []
        for i in range(12):
            node = {"translation": [numbers.uniform(-20, 20) for _ in range(3)],
                    "scale": [numbers.choice((-1, 1)) * numbers.uniform(0.5, 2) for _ in range(3)]}
            q = [numbers.gauss(0, 1) for _ in range(4)]
            node["rotation"] = [v / math.sqrt(sum(w * w for w in q)) for v in q]
            if i % 3 == 2:
                m = [numbers.uniform(-1, 1) + 2 * (k % 5 == 0) for k in range(16)]
                m[3] = m[7] = m[11] = 0
                m[15] = 1
                node = {"matrix": m}
            parent = numbers.randrange(i) if i else None
            if parent is not None:
                f.json["nodes"][parent].setdefault("children", []).append(i)
            chains.append((chains[parent] if i else []) + [node])
            f.json["nodes"].append(node)
            if i % 2:
                node["mesh"] = 0
                points = BOX
                for outer in reversed(chains[i]):
                    points = [place(outer, v) for v in points]
                v, x = measure(points, CORNERS)
                volume += v
                moment += v * x
        case(f"random-{n}.gltf", f, triangles=72, volume=volume, x=moment / volume, valid=False)


# What moves vertices.

def moves():
    def morph(name, mesh_weights, node_weights, volume, x=None, sparse=False, kind=FLOAT, code=0, says=None, valid=None):
        f = File()
        p = f.positions()
        if sparse:
            data = struct.pack("<12f", *[0, 0, 1] * 4)
            f.json["accessors"].append({"componentType": FLOAT, "type": "VEC3", "count": 8, "min": [0, 0, 0], "max": [0, 0, 1],
                                        "sparse": {"count": 4, "values": {"bufferView": f.view(data)},
                                                   "indices": {"bufferView": f.view(bytes([4, 5, 6, 7])), "componentType": UBYTE}}})
            up = len(f.json["accessors"]) - 1
        elif kind == BYTE:
            f.use("KHR_mesh_quantization")
            up = f.positions([(0, 0, 127 if z else 0) for _, _, z in BOX], BYTE, normalized=True)
        else:
            up = f.positions([(0, 0, 1 if z else 0) for _, _, z in BOX])
        right = f.positions([(2, 0, 0)] * 8)
        f.mesh(f.primitive(p, f.indices(), targets=[{"POSITION": up}, {"POSITION": right}, {}]))
        if mesh_weights:
            f.json["meshes"][0]["weights"] = mesh_weights
        if node_weights:
            f.json["nodes"][0]["weights"] = node_weights
        case(name, f, code=code, triangles=12, volume=volume, x=x, says=says, valid=valid)
    morph("morph-without-weights.gltf", None, None, 6, valid=False)
    morph("morph-mesh.gltf", [1, 0, 0], None, 8, 0.5, valid=False)
    morph("morph-node.gltf", None, [1, 0.5, 0], 8, 1.5, valid=False)
    morph("morph-node-overrides.gltf", [1, 1, 1], [0.5, 0, 0], 7, 0.5, valid=False)
    morph("morph-sparse.gltf", [1, 0, 0], None, 8, sparse=True, valid=False)
    morph("morph-byte.gltf", [1, 0, 0], None, 8, kind=BYTE, valid=False)
    morph("morph-weights-too-few.gltf", [1, 0], None, 8, code=2, says="meshes[0]: has 2 weights for 3 targets")

    f = File()
    f.mesh(f.primitive(f.positions(), f.indices(), targets=[{"POSITION": f.positions([(0, 0, z / 3) for _, _, z in BOX])}]), weights=[1])
    case("morph-valid.gltf", f, triangles=12, volume=8)
    f = File()
    f.mesh(f.primitive(f.positions(), f.indices(), targets=[{"POSITION": f.positions(BOX[:7])}]), weights=[1])
    case("morph-of-fewer-vertices.gltf", f, code=2, says="meshes[0].primitives[0].targets[0]: moves 7 vertices of 8")

    def skin(name, inverse=True, weights=FLOAT, joints=UBYTE, two_sets=False, volume=8, x=0.5, code=0, says=None, sum_of=1,
             joint=None, valid=None, scale=1):
        """The upper half follows a joint that is moved up by 1; inverse bind matrices move by (0, 0, -5), joints by as much."""
        f = File()
        largest = 1 if weights == FLOAT else LARGEST[weights]
        w = [(largest * sum_of if two_sets == (z > 0) else 0, 0, 0, 0) for _, _, z in BOX] if two_sets else \
            [(largest * sum_of, 0, 0, 0)] * 8
        j = [(joint or (1 if z else 0), 0, 0, 0) for _, _, z in BOX]
        attributes = {"POSITION": f.positions(), "JOINTS_0": f.accessor(j, joints),
                      "WEIGHTS_0": f.accessor(w, weights, normalized=weights != FLOAT)}
        if two_sets:
            attributes["JOINTS_1"] = f.accessor([(0, 0, 0, 0)] * 8, joints)
            attributes["WEIGHTS_1"] = f.accessor([(largest - a, 0, 0, 0) for a, *_ in w], weights, normalized=weights != FLOAT)
        f.mesh({"attributes": attributes, "indices": f.indices()})
        low = 5 if inverse else 0
        f.json["nodes"] = [{"mesh": 0, "skin": 0}, {"translation": [0, 0, low], "scale": [scale, 1, 1], "children": [2]},
                           {"translation": [0, 0, 1]}]
        f.json["scenes"] = [{"nodes": [0, 1]}]
        f.json["skins"] = [{"joints": [1, 2]}]
        if inverse:
            m = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -5, 1]
            f.json["skins"][0]["inverseBindMatrices"] = f.accessor([m, m], FLOAT, attribute=False)
        case(name, f, code=code, triangles=12, volume=volume, x=x, says=says, valid=valid)
        return f
    skin("skin.gltf")
    skin("skin-mirrored.gltf", scale=-1, x=-0.5)
    skin("skin-without-inverse.gltf", inverse=False)
    for kind, name in ((UBYTE, "ubyte"), (USHORT, "ushort")):
        skin(f"skin-{name}.gltf", weights=kind, joints=kind)
    skin("skin-two-sets.gltf", two_sets=True, valid=False)
    skin("skin-joint-out-of-range.gltf", joint=2, code=2, says="vertex 0 has the joint 2 of 2")
    skin("skin-without-weights.gltf", sum_of=0, code=2, says="vertex 0 has no weights")
    f = skin("skin-node-is-ignored.gltf")
    f.json["nodes"][0]["translation"] = [100, 0, 0]
    case("skin-node-moved.gltf", f, triangles=12, volume=8, x=0.5)

    def instances(name, required, skinned=False, code=0, says=None, node=None, **attributes):
        f = box()
        f.json["nodes"][0].update(node or {})
        ids = {key: f.accessor(rows, kind, normalized=kind != FLOAT, attribute=False) for key, (rows, kind) in attributes.items()}
        f.json["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": ids}}
        f.use("EXT_mesh_gpu_instancing", required=required)
        n = len(next(iter(attributes.values()))[0])
        volume = moment = 0
        for i in range(n if code == 0 else 0):
            inner = {k: [v / (LARGEST.get(attributes[key][1], 1)) for v in attributes[key][0][i]]
                     for k, key in (("translation", "TRANSLATION"), ("rotation", "ROTATION"), ("scale", "SCALE")) if key in attributes}
            v, x = measure([place(node or {}, place(inner, p)) for p in BOX], CORNERS)
            volume += v
            moment += v * x
        # The validator does not know the extension.
        case(name, f, code=code, triangles=12 * n, volume=volume or None, x=moment / volume if volume else None, says=says,
             valid="unknown" if code else True)
    moved = ([(0, 0, 0), (10, 0, 0), (20, 5, 0)], FLOAT)
    turned = ([(0, 0, 0, 1), (0, 0, math.sqrt(0.5), math.sqrt(0.5)), (1, 0, 0, 0)], FLOAT)
    grown = ([(1, 1, 1), (2, 1, 1), (-1, 2, 2)], FLOAT)
    instances("instances.gltf", True, TRANSLATION=moved, ROTATION=turned, SCALE=grown)
    instances("instances-used-only.gltf", False, TRANSLATION=moved)
    instances("instances-placed.gltf", True, TRANSLATION=moved, SCALE=grown, node={"scale": [-2, 1, 1], "translation": [3, 0, 0]})
    instances("instances-short.gltf", True, TRANSLATION=moved, ROTATION=([(0, 0, 0, 32767), (0, 0, 32767, 0), (0, 32767, 0, 0)], SHORT))
    instances("instances-differ.gltf", True, code=2, says="SCALE is of 2 instances, another attribute of 3", TRANSLATION=moved,
              SCALE=(grown[0][:2], FLOAT))
    f = box()
    f.json["accessors"].append({"componentType": FLOAT, "type": "VEC3", "count": 2 ** 22})
    f.json["nodes"] = [{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2}}}} for _ in range(8)]
    f.json["scenes"] = [{"nodes": list(range(8))}]
    f.use("EXT_mesh_gpu_instancing")
    case("instances-of-10-gigabytes.gltf", f, code=5, says="the scene needs more than 8192 MiB (raise the limit with --import-memory)")
    f.json["nodes"] = [{**f.json["nodes"][0], "name": "n" * 10000}]
    f.json["scenes"] = [{"nodes": [0]}]
    case("names-of-40-gigabytes.gltf", f, code=5, says="the scene needs more than 8192 MiB (raise the limit with --import-memory)")


# Compression.

# The box as draco_encoder 1.5.5 writes it, with positions of 14 bits: edgebreaker, and sequential (-cl 0).
DRACO = {
    "edgebreaker":
        "RFJBQ08CAgEBAAAACAwACwAAA19LFQEBEAH/AAABAAkDAAACAQEBAA8DARgBCCsBIAQAilOCVFVXVQAgVQUAAIBUNVUVAJCqsqoC"
         "AEAAAAAA/z8AAAAAAAAAAAAAAAAAAAAAQEAO",
    "sequential":
        "RFJBQ08CAgEAAAAMCAEAAQIAAgMEBQYEBgcAAwUABQQBBwYBBgIABAcABwEDAgYDBgUBAQAJAwAAAgABAQAPAwEILwE4AwBQhQAA"
         "VlUAQFUFAAAAAIBVBQBSVQAgAFBVAQAAAABYVQGAVBUAAAAAAAAAAP8/AAAAAAAAAAAAAAAAAAAAAEBADg==",
}


def draco():
    for method, text in DRACO.items():
        for required in (True, False):
            f = box()
            data = base64.b64decode(text)
            f.json["meshes"][0]["primitives"][0]["extensions"] = {
                "KHR_draco_mesh_compression": {"bufferView": f.view(data), "attributes": {"POSITION": 0}}}
            f.use("KHR_draco_mesh_compression", required=required)
            if required:
                for accessor in f.json["accessors"]:
                    del accessor["bufferView"]
            case(f"draco-{method}{'-required' * required}.gltf", f, triangles=12, volume=6, x=0.5, valid="unknown")
        f.json["extensionsRequired"] = ["KHR_draco_mesh_compression"]
        good = f.json["bufferViews"][-1]
        f.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"] = {"POSITION": 5}
        case(f"draco-{method}-other-id.gltf", f, code=2, says="the compressed POSITION are missing or are not VEC3", valid="unknown")
        for name, byte, value, code, says in (("magic", 0, 0, 2, "is not a mesh of Draco 2.2"), ("version", 5, 1, 2, "is not a mesh of Draco 2.2"),
                                              ("metadata", 10, 128, 3, "metadata is not supported")):
            changed = bytearray(f.bytes)
            changed[good["byteOffset"] + byte] = value
            document = f.finish()
            document["buffers"][0]["uri"] = data_uri(changed)
            case(f"draco-{method}-{name}.gltf", document, code=code, says=says, valid="unknown")
        document = f.finish()
        document["bufferViews"][-1]["byteLength"] = 60
        case(f"draco-{method}-cut.gltf", document, code=2, says="the compressed data is damaged", valid="unknown")

        # 2^31 - 1 faces and points.
        head = base64.b64decode(text)[:11] + bytes(method == "edgebreaker") + b"\xff\xff\xff\xff\x07" * 2
        f.json["bufferViews"][-1]["byteOffset"] = len(f.bytes)
        f.json["bufferViews"][-1]["byteLength"] = len(head)
        f.bytes += head
        case(f"draco-{method}-huge.gltf", f, code=5, says="the scene needs more than 8192 MiB", valid="unknown")


def meshopt():
    try:
        library = ctypes.CDLL("libmeshoptimizer.so.2d")
    except OSError:
        return
    for name in ("VertexBuffer", "IndexBuffer", "IndexSequence"):
        getattr(library, f"meshopt_encode{name}").restype = ctypes.c_size_t

    def encode(name, data, count, *size):
        out = ctypes.create_string_buffer(4096)
        arguments = [ctypes.c_size_t(v) for v in (count, *size)]
        length = getattr(library, f"meshopt_encode{name}")(out, ctypes.c_size_t(len(out)), data, *arguments)
        return out.raw[:length]

    def compressed(name, vertices, stride, kind, mode="TRIANGLES", filter_name=None, normalized=False, node=None, code=0, says=None,
                   change=lambda d: None, required=True, index=USHORT):
        numbers = struct.pack(f"<{len(CORNERS)}I", *CORNERS)
        packed = [encode("VertexBuffer", vertices, 8, stride),
                  encode("IndexBuffer" if mode == "TRIANGLES" else "IndexSequence", numbers, len(CORNERS))]
        offsets = [0, len(packed[0]) + -len(packed[0]) % 4]
        buffer = packed[0] + bytes(offsets[1] - len(packed[0])) + packed[1]
        f = File()
        f.mesh(f.primitive(0, 1))
        f.json["nodes"][0].update(node or {})
        f.use("EXT_meshopt_compression", required=required)
        if kind != FLOAT:
            f.use("KHR_mesh_quantization")
        f.json["accessors"] = [{"bufferView": 0, "componentType": kind, "type": "VEC3", "count": 8, "min": [0, 0, 0], "max": [1, 2, 3],
                                "normalized": normalized},
                               {"bufferView": 1, "componentType": index, "type": "SCALAR", "count": len(CORNERS)}]
        plain = [8 * stride, len(CORNERS) * SIZE[index]]
        f.json["bufferViews"] = [{"buffer": 1, "byteOffset": [0, plain[0]][i], "byteLength": plain[i], "extensions": {
            "EXT_meshopt_compression": {"buffer": 0, "byteOffset": offsets[i], "byteLength": len(packed[i]), "mode": ["ATTRIBUTES", mode][i],
                                        "byteStride": [stride, SIZE[index]][i], "count": [8, len(CORNERS)][i]}}} for i in range(2)]
        f.json["bufferViews"][0]["byteStride"] = stride
        if filter_name:
            f.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["filter"] = filter_name
        f.json["buffers"] = [{"byteLength": len(buffer), "uri": data_uri(buffer)},
                             {"byteLength": sum(plain), "extensions": {"EXT_meshopt_compression": {"fallback": True}}}]
        if not required:
            whole = vertices + struct.pack(f"<{len(CORNERS)}{PACK[index]}", *CORNERS)
            f.json["buffers"][1] = {"byteLength": len(whole), "uri": data_uri(whole)}
        document = f.finish()
        change(document)
        case(name, document, code=code, triangles=12, volume=6, x=0.5, says=says, valid="unknown")

    floats = b"".join(struct.pack("<3f", *p) for p in BOX)
    compressed("meshopt-triangles.gltf", floats, 12, FLOAT)
    compressed("meshopt-indices.gltf", floats, 12, FLOAT, mode="INDICES")
    compressed("meshopt-uint.gltf", floats, 12, FLOAT, index=UINT)
    compressed("meshopt-exponential.gltf", b"".join(struct.pack("<3i", *p) for p in BOX), 12, FLOAT, filter_name="EXPONENTIAL")
    compressed("meshopt-not-required.gltf", floats, 12, FLOAT, required=False)
    rows, node = stored(SHORT, True)
    compressed("meshopt-short.gltf", b"".join(struct.pack("<3hxx", *p) for p in rows), 8, SHORT, normalized=True, node=node)

    def member(view, key, value):
        return lambda d: d["bufferViews"][view]["extensions"]["EXT_meshopt_compression"].__setitem__(key, value)
    for name, change, says in (
            ("count", member(0, "count", 7), "count and byteStride make 84 bytes, the view has 96"),
            ("stride", member(0, "byteStride", 10), "do not go together"), ("mode", member(0, "mode", "CUBES"), "mode is missing or none"),
            ("filter", member(0, "filter", "QUATERNION"), "do not go together"),
            ("filter-of-indices", member(1, "filter", "EXPONENTIAL"), "do not go together"),
            ("short", member(0, "byteLength", 9), "the compressed data is damaged"),
            ("range", member(0, "byteLength", 4000), "4000 bytes from byte 0 are not in the buffer")):
        compressed(f"meshopt-broken-{name}.gltf", floats, 12, FLOAT, change=change, code=2, says=says)


# Files and containers.

def files():
    f = box()
    for name, uri, file in (("blank", "my%20data.bin", "my data.bin"), ("umlaut", "%C3%A9.bin", "\u00e9.bin"),
                            ("raw-umlaut", "\u00f6.bin", "\u00f6.bin"), ("folder", "./sub/../sub//data.bin", "sub/data.bin")):
        case(f"uri-{name}.gltf", f.finish(uri), triangles=12, volume=6, files={file: f.bytes})
    for name, uri, code, text in (
            ("missing", "nothing.bin", 2, "buffers[0]: nothing.bin: No such file or directory"),
            ("absolute", "/tmp/x.bin", 3, "buffers[0]: the URI /tmp/x.bin is not a relative path"),
            ("http", "http://localhost/x.bin", 3, "buffers[0]: the URI http://localhost/x.bin is not a relative path"),
            ("file", "file:///x.bin", 3, "is not a relative path"), ("query", "x.bin?a=1", 3, "is not a relative path"),
            ("percent", "a%2.bin", 2, "the URI a%2.bin cannot be decoded"), ("latin", "%E9.bin", 2, "cannot be decoded"),
            ("nul", "a%00.bin", 2, "cannot be decoded"), ("folder-itself", ".", 2, "the URI names no file"),
            ("directory", "sub", 2, "sub: is a directory")):
        case(f"uri-{name}-refused.gltf", f.finish(uri), code=code, says=text)
    case("buffer-too-short.gltf", f.finish("short.bin"), code=2, files={"short.bin": f.bytes[:-1]},
         says="buffers[0]: byteLength is 168, but there are only 167 bytes")
    good = data_uri(f.bytes)
    for name, uri, text in (("cut", good[:-1], "broken base64"), ("character", good[:60] + "*" + good[61:], "broken base64"),
                            ("inner-padding", good[:60] + "=" + good[61:], "broken base64"),
                            ("plain", "data:application/octet-stream,AAAA", "the data URI is not in base64")):
        case(f"data-{name}.gltf", f.finish(uri), code=2, says=text)
    case("data-without-type.gltf", f.finish(good.replace("application/octet-stream", "")), triangles=12, volume=6, valid=False)
    case("data-gltf-buffer.gltf", f.finish(good.replace("octet-stream", "gltf-buffer")), triangles=12, volume=6)

    # A buffer that no triangle depends on need not be there.
    f = box()
    d = f.finish()
    d["buffers"].append({"byteLength": 4, "uri": "animation.bin"})
    case("unused-buffer-missing.gltf", d, triangles=12, volume=6, valid=False)

    f = box()
    d = f.finish("")
    case("container.glb", glb(d, f.bytes), triangles=12, volume=6)
    case("container-with-more.glb", glb(d, f.bytes, chunks=[(b"MORE", b"1234")]), triangles=12, volume=6)
    case("container-in-a-gltf.gltf", glb(d, f.bytes), triangles=12, volume=6)
    case("unpadded.glb", glb(d, f.bytes, pad=False), triangles=12, volume=6, valid=False,
         says="the importer reported 1 warning (first: a chunk of binary glTF is not padded to 4 bytes)")
    # The padding is there, but the length does not count it; and there is nothing behind.
    text = json.dumps(d).encode()
    text += b" " * ((5 - len(text)) % 4)
    rest = bytes(3) + struct.pack("<I4s", len(f.bytes), b"BIN\0") + f.bytes
    case("padding-does-not-count.glb", struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest,
         triangles=12, volume=6, valid=False, says="the importer reported 1 warning (first: a chunk of binary glTF is not padded")
    text = json.dumps(f.finish()).encode()
    text += b" " * ((5 - len(text)) % 4)
    case("unpadded-end.glb", struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text), len(text), b"JSON") + text, triangles=12, volume=6,
         valid=False, says="the importer reported 1 warning (first: a chunk of binary glTF is not padded")
    case("container-without-bin.glb", glb(d), code=2, says="buffers[0]: uri is missing, and there is no BIN chunk")
    case("container-with-data-only.glb", glb(f.finish()), triangles=12, volume=6)
    case("two-bins.glb", glb(d, f.bytes, chunks=[(b"BIN\0", b"1234")]), code=2, says="there is a second chunk of type BIN")
    case("two-documents.glb", glb(d, f.bytes, chunks=[(b"JSON", b"{}  ")]), code=2, says="there is a second chunk of JSON")
    case("bin-comes-late.glb", glb(d, chunks=[(b"MORE", b"1234"), (b"BIN\0", f.bytes)]), code=2,
         says="the chunk of type BIN is not the second one")
    case("magic.glb", glb(d, f.bytes, magic=b"glTE"), code=2, says="neither JSON nor binary glTF")
    case("container-version-1.glb", glb(d, f.bytes, version=1), code=3, says="binary glTF of version 1 is not supported")
    whole = glb(d, f.bytes)
    case("length-too-large.glb", glb(d, f.bytes, length=len(whole) + 4), code=2, says="byte 8: the header says")
    case("length-too-small.glb", glb(d, f.bytes, length=len(whole) - 4), code=2, says="byte 8: the header says")
    case("chunk-too-long.glb", whole[:12] + struct.pack("<I", len(whole)) + whole[16:], code=2,
         says="byte 12: chunk 0 is longer than the file")
    case("cut-header.glb", whole[:16], code=2, says="the header of binary glTF is cut off")
    case("first-chunk-is-not-json.glb", whole.replace(b"JSON", b"JSOM"), code=2, says="the first chunk is not JSON")

    case("not-json.gltf", b'{"asset":', code=2, says="not valid JSON")
    case("text-behind.gltf", json.dumps(f.finish()).encode() + b"}", code=2, says="JSON goes on after its end")
    case("too-deep.gltf", b'{"asset":{"version":"2.0"},"extras":' + b"[" * 2000 + b"]" * 2000 + b"}", code=2,
         says="nested too deeply", valid=True)
    case("array.gltf", b"[]", code=2, says="neither JSON nor binary glTF")
    case("mark.gltf", b"\xef\xbb\xbf" + json.dumps(f.finish()).encode(), triangles=12, volume=6, valid=False)


def versions():
    for name, asset, code, text in (
            ("2.1", {"version": "2.1"}, 0, None), ("2.1-for-2.0", {"version": "2.1", "minVersion": "2.0"}, 0, None),
            ("min-2.1", {"version": "2.1", "minVersion": "2.1"}, 3, "asset: a reader of glTF 2.1 is required, this one reads 2.0"),
            ("1.0", {"version": "1.0"}, 3, "asset: glTF 1.0 is not supported, only 2.0"),
            ("3.0", {"version": "3.0"}, 3, "asset: glTF 3.0 is not supported, only 2.0"),
            ("1.0-number", {"version": 1.0}, 3, "glTF 1.0 is not supported, only 2.0"), ("number", {"version": 2.0}, 2, "asset: version is not a string"), ("word", {"version": "two"}, 2, "is not two numbers"),
            ("missing", {}, 2, "asset: version is missing")):
        f = box()
        f.json["asset"] = asset
        case(f"version-{name}.gltf", f, code=code, triangles=12, volume=6, says=text)
    f = box()
    del f.json["asset"]
    case("no-asset.gltf", f, code=2, says="asset is missing")
    case("no-asset-of-1.0.gltf", {"meshes": {"m": {}}, "nodes": {"n": {"meshes": ["m"]}}}, code=3, says="glTF 1.0 is not supported")
    f = box()
    f.use("XYZ_cubes")
    case("required-unknown.gltf", f, code=3, says="requires the extension XYZ_cubes, which is not supported")
    f = box()
    f.use("XYZ_cubes", required=False)
    case("used-unknown.gltf", f, triangles=12, volume=6)
    f = box()
    f.use("KHR_texture_transform", "KHR_materials_unlit", "KHR_lights_punctual")
    case("required-of-looks.gltf", f, triangles=12, volume=6)


def ranges():
    def broken(name, text, change, code=2, valid=None):
        f = box()
        d = f.finish()
        change(d)
        case(name, d, code=code, says=text, valid=valid)
    f = File()
    f.mesh(f.primitive(f.positions(), f.indices(CORNERS[:35] + [8])))
    case("index-out-of-range.gltf", f, code=2, says="meshes[0].primitives[0]: index 35 refers to vertex 8 of 8")
    for kind, name in ((UBYTE, "ubyte"), (USHORT, "ushort"), (UINT, "uint")):
        f = File()
        f.mesh(f.primitive(f.positions(), f.indices(CORNERS[:7] + [256 ** SIZE[kind] - 1] + CORNERS[8:], kind)))
        case(f"restart-{name}.gltf", f, code=2, says=f"meshes[0].primitives[0]: index 7 is {256 ** SIZE[kind] - 1}, which restarts")
    f = File()
    f.mesh(f.primitive(f.positions([(i % 7, i % 5, i % 3) for i in range(256)]), f.indices([0, 1, 255], UBYTE)))
    case("restart-of-a-vertex-there-is.gltf", f, code=2, says="meshes[0].primitives[0]: index 2 is 255, which restarts")

    def set_member(kind, index, key, value):
        return lambda d: d[kind][index].__setitem__(key, value)
    broken("offset-unaligned.gltf", "accessors[1]: byteOffset is not aligned to 2 bytes", set_member("accessors", 1, "byteOffset", 1))
    broken("view-offset-unaligned.gltf", "accessors[1]: byteOffset is not aligned to 2 bytes",
           set_member("bufferViews", 1, "byteOffset", 95))
    broken("attribute-unaligned.gltf", "POSITION of 6 bytes each is not aligned to 4 bytes",
           lambda d: (d["accessors"][0].update(componentType=SHORT), d.update(extensionsUsed=["KHR_mesh_quantization"],
                                                                             extensionsRequired=["KHR_mesh_quantization"])))
    broken("accessor-beyond-view.gltf", "accessors[0]: 9 elements are not in bufferViews[0], which has 96 bytes",
           set_member("accessors", 0, "count", 9))
    broken("accessor-of-2-to-31.gltf", "accessors[0]: 2147483648 elements are not in bufferViews[0]",
           set_member("accessors", 0, "count", 2 ** 31))
    broken("count-is-0.gltf", "accessors[0]: count is 0", set_member("accessors", 0, "count", 0))
    broken("count-is-a-fraction.gltf", "accessors[0]: count is not a whole number", set_member("accessors", 0, "count", 7.5))
    broken("count-is-negative.gltf", "accessors[0]: count is not a whole number", set_member("accessors", 0, "count", -1))
    broken("view-beyond-buffer.gltf", "bufferViews[0]: 169 bytes from byte 0 are not in the buffer of 168 bytes",
           set_member("bufferViews", 0, "byteLength", 169))
    broken("view-offset-is-huge.gltf", "are not in the buffer of 168 bytes", set_member("bufferViews", 0, "byteOffset", 2 ** 53 - 1))
    broken("no-byte-length.gltf", "bufferViews[0]: byteLength is missing", lambda d: d["bufferViews"][0].pop("byteLength"))
    broken("stride-is-small.gltf", "elements have 12 bytes, bufferViews[0] has a stride of 8",
           set_member("bufferViews", 0, "byteStride", 8))
    broken("stride-is-odd.gltf", "bufferViews[0]: byteStride is 14, not a multiple of 4", set_member("bufferViews", 0, "byteStride", 14))
    broken("stride-of-indices.gltf", "the buffer view of indices has a byteStride", lambda d: (d["accessors"][1].update(count=18), d["bufferViews"][1].update(byteStride=4)))
    broken("component-type.gltf", "accessors[0]: componentType 5124 is invalid",
           set_member("accessors", 0, "componentType", 5124))
    broken("normalized-float.gltf", "POSITION cannot have the component type normalized FLOAT",
           set_member("accessors", 0, "normalized", True))
    broken("signed-indices.gltf", "indices cannot have the component type SHORT", set_member("accessors", 1, "componentType", SHORT))
    broken("type-of-positions.gltf", "POSITION must have the type VEC3", set_member("accessors", 0, "type", "VEC4"))
    broken("not-quantized.gltf", "POSITION cannot have the component type SHORT without KHR_mesh_quantization",
           set_member("accessors", 0, "componentType", SHORT))
    broken("mode.gltf", "meshes[0].primitives[0]: mode is 7, the most is 6", lambda d: d["meshes"][0]["primitives"][0].update(mode=7))
    broken("35-corners.gltf", "meshes[0].primitives[0]: 35 corners do not make whole triangles",
           set_member("accessors", 1, "count", 35), valid=True)
    broken("no-primitives.gltf", "meshes[0]: has no primitives", lambda d: d["meshes"][0].update(primitives=[]))
    broken("member-twice.gltf", "accessors[0]: count is there twice", lambda d: None, valid="unknown")
    cases[-1]["content"] = cases[-1]["content"].replace(b'"count": 8', b'"count": 8, "count": 8')

    def sparse(name, text, places, count=None, code=2):
        f = box()
        n = len(places)
        f.json["accessors"][0]["sparse"] = {
            "count": n if count is None else count,
            "indices": {"bufferView": f.view(struct.pack(f"<{n}H", *places)), "componentType": USHORT},
            "values": {"bufferView": f.view(struct.pack("<3f", 0, 0, 0) * n)}}
        case(name, f, code=code, says=text)
    sparse("sparse-not-ascending.gltf", "accessors[0].sparse: indices[1] is 0, out of range or not above", [0, 0])
    sparse("sparse-out-of-range.gltf", "accessors[0].sparse: indices[1] is 8, out of range", [0, 8])
    sparse("sparse-more-than-there-are.gltf", "accessors[0].sparse: count is 9, the most is 8", [0], 9)
    f = File()
    f.json["accessors"] = [{"componentType": FLOAT, "type": "VEC3", "count": 2 ** 31, "min": [0, 0, 0], "max": [0, 0, 0]}]
    f.mesh(f.primitive(0, f.indices([0, 1, 2])))
    case("zeros-of-2-to-31.gltf", f, code=5, says="accessors[0]: more than 4194304 elements without a buffer view", valid=None)

    # Names: of the node, else of the mesh.
    f = box(name="stone")
    f.json["nodes"] = [{"mesh": 0, "name": "rock"}, {"mesh": 0, "translation": [9, 0, 0]}]
    f.json["scenes"] = [{"nodes": [0, 1]}]
    case("names.gltf", f, triangles=24, volume=12)


def main():
    folder = sys.argv[1]
    for build in (component_types, layouts, nodes, moves, draco, meshopt, files, versions, ranges):
        build()
    os.makedirs(os.path.join(folder, "sub"), exist_ok=True)
    with open(os.path.join(folder, "expected.tsv"), "w", encoding="utf-8") as expected, \
         open(os.path.join(folder, "invalid.txt"), "w", encoding="utf-8") as invalid, \
         open(os.path.join(folder, "valid.txt"), "w", encoding="utf-8") as valid:
        for c in cases:
            fields = [c[key] if c[key] is not None else "-" for key in ("name", "code", "triangles", "volume", "x", "says")]
            print(*fields, sep="\t", file=expected)
            if c["valid"] is True:
                print(c["name"], file=valid)
            elif c["code"] == 2 and c["valid"] is False:
                print(c["name"], file=invalid)
            for name, data in [(c["name"], c["content"]), *c["files"].items()]:
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)


main()
