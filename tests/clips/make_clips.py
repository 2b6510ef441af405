#!/usr/bin/python3
"""Writes animated glTF files: skins, morph targets and nodes that move, with each kind of interpolation.

    make_clips.py FOLDER [MESH.obj ...]

Each mesh of the command line becomes a creature: it is skinned to a chain of bones along its longest axis, which bends
like a spine and breathes. invalid.tsv lists the files that must be rejected, each with the clip to read, the exit code and a part of
the message.
"""

import base64
import json
import math
import os
import struct
import sys

FLOAT, UBYTE, SHORT, USHORT, UINT = 5126, 5121, 5122, 5123, 5125
PACK = {FLOAT: "f", UBYTE: "B", SHORT: "h", USHORT: "H", UINT: "I"}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class File:
    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
                     "accessors": [], "bufferViews": []}
        self.bytes = b""

    def view(self, data):
        self.bytes += bytes(-len(self.bytes) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, rows, kind=FLOAT, normalized=False, bounds=False):
        rows = [r if isinstance(r, (tuple, list)) else (r,) for r in rows]
        width = len(rows[0])
        data = b"".join(struct.pack(f"<{width}{PACK[kind]}", *r) for r in rows)
        accessor = {"bufferView": self.view(data), "componentType": kind, "count": len(rows), "type": TYPES[width]}
        if normalized:
            accessor["normalized"] = True
        if bounds:
            stored = [struct.unpack(f"<{width}{PACK[kind]}", struct.pack(f"<{width}{PACK[kind]}", *r)) for r in rows]
            accessor["min"] = [min(r[k] for r in stored) for k in range(width)]
            accessor["max"] = [max(r[k] for r in stored) for k in range(width)]
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def mesh(self, points, triangles, targets=None, **attributes):
        p = {"attributes": {"POSITION": self.accessor(points, bounds=True), **attributes},
             "indices": self.accessor([c for t in triangles for c in t], UINT)}
        if targets:
            p["targets"] = [{"POSITION": self.accessor(t, bounds=True)} for t in targets]
        self.json["meshes"].append({"primitives": [p]})
        return len(self.json["meshes"]) - 1

    def node(self, root=True, **more):
        self.json["nodes"].append(more)
        if root:
            self.json["scenes"][0]["nodes"].append(len(self.json["nodes"]) - 1)
        return len(self.json["nodes"]) - 1

    def clip(self, name, *channels):
        """Each channel is: node, path, times, values, interpolation."""
        a = {"channels": [], "samplers": []}
        if name is not None:
            a["name"] = name
        for node, path, times, values, *how in channels:
            kind, normalized = (SHORT, True) if len(how) > 1 else (FLOAT, False)
            if normalized:
                values = [[round(32767 * x) for x in v] for v in values]
            sampler = {"input": self.accessor(times, bounds=True), "output": self.accessor(values, kind, normalized)}
            if how and how[0]:
                sampler["interpolation"] = how[0]
            a["samplers"].append(sampler)
            a["channels"].append({"sampler": len(a["samplers"]) - 1, "target": {"node": node, "path": path}})
        self.json.setdefault("animations", []).append(a)
        return a

    def skin(self, joints, inverse=None, **more):
        s = {"joints": joints, **more}
        if inverse:
            s["inverseBindMatrices"] = self.accessor(inverse)
        self.json.setdefault("skins", []).append(s)
        return len(self.json["skins"]) - 1

    def write(self, path):
        d = {k: v for k, v in self.json.items() if v != []}
        if path.endswith(".glb"):
            d["buffers"] = [{"byteLength": len(self.bytes)}]
            text = json.dumps(d).encode()
            text += b" " * (-len(text) % 4)
            data = self.bytes + bytes(-len(self.bytes) % 4)
            body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
            content = struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body
        else:
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
            d["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
            content = json.dumps(d).encode()
        with open(path, "wb") as f:
            f.write(content)


def about(axis, degrees):
    """A quaternion."""
    a = math.radians(degrees) / 2
    n = math.sqrt(sum(x * x for x in axis))
    return [math.sin(a) * x / n for x in axis] + [math.cos(a)]


def shift(x, y, z):
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]


def grid_of_rings(rings, sides, point):
    """A closed tube of rings, with a cap at each end."""
    points = [point(i / (rings - 1), 2 * math.pi * k / sides) for i in range(rings) for k in range(sides)]
    triangles = []
    for i in range(rings - 1):
        for k in range(sides):
            a, b = i * sides + k, i * sides + (k + 1) % sides
            triangles += [(a, b + sides, b), (a, a + sides, b + sides)]
    for ring, turn in ((0, 1), (rings - 1, -1)):
        points.append(tuple(sum(p[k] for p in points[ring * sides:(ring + 1) * sides]) / sides for k in range(3)))
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            triangles.append((len(points) - 1, a, b) if turn > 0 else (len(points) - 1, b, a))
    return points, triangles


def sphere(rings=13, sides=24):
    def point(s, a):
        polar = math.pi * (0.04 + 0.92 * s)
        return (math.sin(polar) * math.cos(a), -math.cos(polar), math.sin(polar) * math.sin(a))
    return grid_of_rings(rings, sides, point)


def box(x, y, z):
    points = [(a * x, b * y, c * z) for a in (-1, 1) for b in (0, 1) for c in (-1, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return points, [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]


def influences(points, joints, axis, low, high):
    """Weights of the two joints next to each point along an axis."""
    rows = []
    for p in points:
        s = min(max((p[axis] - low) / (high - low), 0), 1) * (joints - 1)
        i = min(int(s), joints - 2)
        rows.append(((i, i + 1, 0, 0), (1 - (s - i), s - i, 0, 0)))
    return [r[0] for r in rows], [r[1] for r in rows]


def tube(folder):
    f = File()
    points, triangles = grid_of_rings(25, 12, lambda s, a: (0.3 * math.cos(a), 4 * s, 0.3 * math.sin(a)))
    joints, weights = influences(points, 3, 1, 0, 4)
    m = f.mesh(points, triangles, JOINTS_0=f.accessor(joints, UBYTE), WEIGHTS_0=f.accessor(weights))
    f.node(mesh=m, skin=0)
    a = f.node(children=[2])
    b = f.node(root=False, translation=[0, 2, 0], children=[3])
    c = f.node(root=False, translation=[0, 2, 0])
    f.skin([a, b, c], [shift(0, 0, 0), shift(0, -2, 0), shift(0, -4, 0)])
    f.clip("Bend", (b, "rotation", [0, 0.5, 1], [about((0, 0, 1), d) for d in (0, 80, -20)]),
           (c, "rotation", [0, 0.3, 1], [about((1, 0, 0.2), d) for d in (0, -60, 40)]))
    f.clip("Wave", (a, "rotation", [0, 1, 2], [about((1, 0, 1), d) for d in (-30, 30, -30)]),
           (b, "rotation", [0.25, 1.25, 2], [about((1, 0, 1), d) for d in (40, -40, 40)]))
    f.write(folder + "/tube.glb")


def blob(folder):
    f = File()
    points, triangles = sphere()
    tall = [(-0.4 * x, 0.8 * y, -0.4 * z) for x, y, z in points]
    bumps = [tuple(0.5 * math.sin(5 * y) * c for c in (x, y, z)) for x, y, z in points]
    f.node(mesh=f.mesh(points, triangles, [tall, bumps]), rotation=about((1, 2, 3), 20))
    f.clip("Breathe", (0, "weights", [0, 0.4, 1], [0, 0, 1, 0.2, 0, 1]),
           (0, "rotation", [0, 1], [about((1, 2, 3), 20), about((1, -2, 3), 140)]))
    spline = []
    for key in range(3):
        spline += [[0.5, -1], [key / 2, 1 - key % 2], [0.5, 2]]
    f.clip("Spline", (0, "weights", [0, 0.7, 1.5], [x for v in spline for x in v], "CUBICSPLINE"))
    f.write(folder + "/blob.gltf")


def arm(folder):
    """Half a turn between two keys, of nodes in a chain."""
    f = File()
    m = f.mesh(*box(0.2, 2, 0.1))
    f.node(mesh=m, children=[1], rotation=about((0, 0, 1), 0))
    f.node(root=False, mesh=m, translation=[0, 2, 0], children=[2])
    f.node(root=False, mesh=m, translation=[0, 2, 0], scale=[0.5, 1, 0.5])
    f.clip("Turn", (0, "rotation", [0, 1], [about((0, 0, 1), 0), about((0, 0, 1), 180)]),
           (1, "rotation", [0, 1], [about((1, 0, 0), 10), about((1, 0, 0), 189)]),
           (2, "translation", [0, 0.5, 1], [(0, 2, 0), (0.5, 2.5, 0), (0, 2, 0)]))
    f.write(folder + "/arm.gltf")


def steps(folder):
    f = File()
    m = f.mesh(*box(1, 1, 1))
    f.node(mesh=m)
    f.node(mesh=m, translation=[5, 0, 0])
    f.clip("Jump", (0, "translation", [0, 0.3, 0.8], [(0, 0, 0), (0, 7, 0), (0, 0, 3)], "STEP"),
           (1, "rotation", [0, 0.5, 1], [about((0, 1, 0), d) for d in (0, 45, 90)], "STEP"),
           (1, "scale", [0.25, 0.75], [(1, 1, 1), (2, 0.5, 1)]))
    f.write(folder + "/steps.glb")


def splines(folder):
    f = File()
    m = f.mesh(*box(0.5, 2, 0.3))
    f.node(mesh=m, children=[1])
    f.node(root=False, mesh=m, translation=[0, 2, 0])
    keys = [about((1, 2, 0), d) for d in (0, 70, 200)]
    rotation = [r for q in keys for r in ([1, -0.5, 0.3, 0.2], q, [-0.6, 0.8, 1, 0.1])]
    move = [r for p in ((0, 0, 0), (2, 1, 0), (0, 0, 3)) for r in ([3, 0, -4], p, [0, 5, 1])]
    size = [r for p in ((1, 1, 1), (1.5, 0.7, 1), (1, 1, 1)) for r in ([0, 0.2, 0], p, [1, 0, 0.5])]
    f.clip("Spline", (0, "rotation", [0, 0.6, 1.3], rotation, "CUBICSPLINE"),
           (0, "translation", [0.1, 0.5, 1], move, "CUBICSPLINE"),
           (1, "scale", [0, 0.5, 1.3], size, "CUBICSPLINE"))
    f.write(folder + "/splines.gltf")


def worm(folder):
    """A skin with joints that grow and shrink, 8 influences, 16-bit rotations and joints below a node with a matrix."""
    f = File()
    points, triangles = grid_of_rings(31, 10, lambda s, a: (6 * s, 0.4 * math.cos(a), 0.4 * math.sin(a)))
    joints, weights = influences(points, 4, 0, 0, 6)
    more = [((0, 3, 0, 0), (0.2, 0.1, 0, 0)) for _ in points]
    m = f.mesh(points, triangles, JOINTS_0=f.accessor(joints, USHORT), WEIGHTS_0=f.accessor(weights),
               JOINTS_1=f.accessor([r[0] for r in more], UBYTE), WEIGHTS_1=f.accessor([r[1] for r in more]))
    f.node(mesh=m, skin=0, translation=[100, 0, 0])
    top = f.node(children=[2], matrix=[0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1])
    chain = [f.node(root=False, translation=[2 if i else 0, 0, 0], children=[3 + i] if i < 3 else None) for i in range(4)]
    f.json["nodes"][chain[3]].pop("children")
    f.skin(chain, [shift(-2 * i, 0, 0) for i in range(4)], skeleton=top)
    f.clip("Crawl", *[(n, "rotation", [0, 0.4, 0.8, 1.2], [about((0, 1, 0.3), s * (30 + 5 * n)) for s in (1, -1, 1, -1)], "LINEAR", 16)
                      for n in chain],
           *[(n, "scale", [0, 0.6, 1.2], [(1, 1, 1), (1.2, 0.6 + 0.1 * n, 1.5), (1, 1, 1)]) for n in chain])
    f.write(folder + "/worm.glb")


def popup(folder):
    """Grows from nothing: the first pose has no triangle with an area."""
    f = File()
    f.node(mesh=f.mesh(*sphere(9, 12)))
    f.clip("Grow", (0, "scale", [0, 1], [(0, 0, 0), (1, 1, 1)]))
    f.write(folder + "/popup.glb")


def flipbook(folder):
    """Two objects that are never there at the same time."""
    f = File()
    for _ in range(2):
        f.node(mesh=f.mesh(*box(1, 1, 1)))
    f.clip("Flip", (0, "scale", [0, 0.5, 1], [(1, 1, 1), (0, 0, 0), (0, 0, 0)], "STEP"),
           (1, "scale", [0, 0.5, 1], [(0, 0, 0), (1, 1, 1), (1, 1, 1)], "STEP"))
    f.write(folder + "/flipbook.glb")


def seam(folder):
    """Two boxes that share a side in the first pose only, and a quad of two primitives that share an edge always."""
    f = File()
    f.node(mesh=f.mesh(*box(1, 1, 1)))
    f.node(mesh=f.mesh(*box(1, 1, 1)), translation=[2, 0, 0])
    a = f.node(mesh=f.mesh([(0, 0, 5), (1, 0, 5), (0, 1, 5)], [(0, 1, 2)]))
    b = f.node(mesh=f.mesh([(1, 0, 5), (1, 1, 5), (0, 1, 5)], [(0, 1, 2)]))
    f.clip("Part", (1, "translation", [0, 1], [(2, 0, 0), (4, 0, 0)]),
           (a, "rotation", [0, 1], [about((0, 1, 0), 0), about((0, 1, 0), 50)]),
           (b, "rotation", [0, 1], [about((0, 1, 0), 0), about((0, 1, 0), 50)]))
    f.write(folder + "/seam.gltf")


def shuffle(folder):
    """Boxes in a row change places: no hierarchy is good for the start and for the end."""
    f = File()
    m = f.mesh(*box(0.4, 0.5, 0.4))
    for i in range(32):
        f.node(mesh=m, translation=[i, 0, 0])
    f.clip("Shuffle", *[(i, "translation", [0, 1, 3], [(i, 0, 0)] + 2 * [(int(f"{i:05b}"[::-1], 2), 0, 0)]) for i in range(32)])
    f.write(folder + "/shuffle.glb")


def still(folder):
    f = File()
    f.node(mesh=f.mesh(*box(1, 1, 1)))
    f.node()
    f.clip(None, (1, "translation", [0, 1], [(0, 0, 0), (1, 0, 0)]))
    f.clip("Pose", (0, "translation", [0.5], [(0, 1, 0)]))
    f.write(folder + "/still.glb")


def far(folder):
    """Far from the origin, and shapes with collision names."""
    f = File()
    f.node(mesh=f.mesh(*box(1, 1, 1)), translation=[100000, 0, 0], name="Door")
    f.node(mesh=f.mesh(*box(1, 1, 1)), translation=[100003, 0, 0], name="Wall")
    f.node(mesh=f.mesh(*box(1, 1, 1)), translation=[100003, 0, 0], name="UCX_Wall_01")
    f.clip("Open", (0, "rotation", [0, 2], [about((0, 1, 0), 0), about((0, 1, 0), 100)]))
    f.write(folder + "/far.gltf")


def read_obj(path):
    points, triangles = [], []
    for line in open(path):
        word = line.split()
        if word[:1] == ["v"]:
            points.append(tuple(float(x) for x in word[1:4]))
        elif word[:1] == ["f"]:
            face = [int(w.split("/")[0]) for w in word[1:]]
            face = [i - 1 if i > 0 else len(points) + i for i in face]
            triangles += [(face[0], face[i], face[i + 1]) for i in range(1, len(face) - 1)]
    return points, triangles


def creature(folder, path):
    points, triangles = read_obj(path)
    low = [min(p[k] for p in points) for k in range(3)]
    high = [max(p[k] for p in points) for k in range(3)]
    axis = max(range(3), key=lambda k: high[k] - low[k])
    side = [1 if k == (axis + 1) % 3 else 0 for k in range(3)]
    up = [1 if k == (axis + 2) % 3 else 0 for k in range(3)]
    count = 6
    f = File()
    joints, weights = influences(points, count, axis, low[axis], high[axis])
    breath = [[0.05 * (p[k] - (low[k] + high[k]) / 2) if k != axis else 0 for k in range(3)] for p in points]
    m = f.mesh(points, triangles, [breath], JOINTS_0=f.accessor(joints, UBYTE), WEIGHTS_0=f.accessor(weights))
    f.node(mesh=m, skin=0, name=os.path.basename(path))
    start = [(low[k] + high[k]) / 2 if k != axis else low[axis] for k in range(3)]
    step = [(high[axis] - low[axis]) / (count - 1) if k == axis else 0 for k in range(3)]
    chain = [f.node(root=i == 0, translation=step if i else start) for i in range(count)]
    for i in range(count - 1):
        f.json["nodes"][chain[i]]["children"] = [chain[i + 1]]
    f.skin(chain, [shift(*[-start[k] - i * step[k] for k in range(3)]) for i in range(count)])
    times = [i / 8 for i in range(9)]
    channels = []
    for i, n in enumerate(chain):
        q = []
        for t in times:
            a = 14 * math.sin(2 * math.pi * (t - i / count))
            b = 9 * math.cos(2 * math.pi * (t + i / count))
            x = [u * a + v * b for u, v in zip(side, up)]
            q.append(about(x, math.sqrt(a * a + b * b)) if any(x) else [0, 0, 0, 1])
        channels.append((n, "rotation", times, q))
    channels.append((0, "weights", [0, 0.5, 1], [0, 1, 0]))
    f.clip("Walk", *channels)
    f.write(folder + "/" + os.path.splitext(os.path.basename(path))[0] + ".glb")


def invalid(folder):
    lines = []

    def case(name, clip, code, says, change=None, nan=False):
        f = File()
        n = f.node(mesh=f.mesh(*box(1, 1, 1)))
        other = f.node()
        times = [0, float("nan")] if nan else [0, 1]
        a = f.clip("Move", (n, "translation", times, [(0, 0, 0), (1, 0, 0)]),
                   (other, "rotation", [0, 1], [about((1, 0, 0), 0), about((1, 0, 0), 90)]))
        if nan:
            for x in f.json["accessors"]:
                x.pop("min", None)
                x.pop("max", None)
        if change:
            change(f, a)
        f.write(f"{folder}/invalid-{name}.gltf")
        lines.append(f"invalid-{name}.gltf\t{clip}\t{code}\t{says}\n")

    def sampler(**more):
        return lambda f, a: a["samplers"][0].update(more)

    def values(rows, path=0, **more):
        def change(f, a):
            a["samplers"][path]["output"] = f.accessor(rows)
            a["samplers"][path].update(more)
        return change

    def keys(times, rows=None):
        def change(f, a):
            a["samplers"][0]["input"] = f.accessor(times)
            if rows:
                a["samplers"][0]["output"] = f.accessor(rows)
        return change

    def target(**more):
        return lambda f, a: a["channels"][0]["target"].update(more)

    def weights(f, a):
        f.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": f.accessor([(0, 0, 1)] * 8)}]
        a["samplers"][0]["output"] = f.accessor([0, 1, 2, 3])
        a["channels"][0]["target"]["path"] = "weights"

    def pointer(f, a):
        a["channels"][0]["target"] = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/translation"}}}

    def cycle(f, a):
        f.json["nodes"][0]["children"] = [1]
        f.json["nodes"][1]["children"] = [0]

    def matrix(f, a):
        f.json["nodes"][0]["matrix"] = shift(1, 2, 3)

    case("unknown", "Moves", 2, "did you mean 'Move'")
    case("number", "1", 2, "no clip is named '1'")
    case("none", "Move", 2, "has no animations", lambda f, a: f.json.pop("animations"))
    case("not-a-number", "Move", 2, "time 1 is not finite", nan=True)
    case("descending", "Move", 2, "times must ascend", keys([1, 0]))
    case("equal-times", "Move", 2, "times must ascend", keys([1, 1]))
    case("negative-time", "Move", 2, "times must ascend", keys([-1, 1]))
    case("few-values", "Move", 2, "2 keys and 1 values", values([(0, 0, 0)]))
    case("many-values", "Move", 2, "2 keys and 3 values", values([(0, 0, 0)] * 3))
    case("infinite-value", "Move", 2, "value 1 is not finite", values([(0, 0, 0), (float("inf"), 0, 0)]))
    case("spline-counts", "Move", 2, "2 keys and 2 values", sampler(interpolation="CUBICSPLINE"))
    case("one-key-spline", "Move", 2, "too few", lambda f, a: (keys([0], [(0, 0, 0)] * 3)(f, a), sampler(interpolation="CUBICSPLINE")(f, a)))
    case("interpolation", "Move", 2, "interpolation 'SMOOTH' is invalid", sampler(interpolation="SMOOTH"))
    case("zero-rotation", "Move", 2, "not a unit quaternion", values([(0, 0, 0, 0)] * 2, 1))
    case("through-zero", "Move", 2, "passes zero",
         values([(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, -1), (0, 0, 0, 0)], 1, interpolation="CUBICSPLINE"))
    case("node-range", "Move", 2, "node", target(node=7))
    case("path", "Move", 2, "path 'color' is invalid", target(path="color"))
    case("pointer", "Move", 3, "KHR_animation_pointer is not supported", pointer)
    case("weights", "Move", 2, "2 weights for 1 targets", weights)
    case("no-sampler", "Move", 2, "sampler", lambda f, a: a["channels"][0].update(sampler=9))
    case("no-output", "Move", 2, "has no output", lambda f, a: a["samplers"][0].pop("output"))
    case("twice", "Move", 2, "same property", lambda f, a: a["channels"].append(dict(a["channels"][0])))
    case("matrix", "Move", 2, "has a matrix", matrix)
    case("no-channels", "Move", 2, "animates no node", lambda f, a: a.update(channels=[]))
    case("cycle", "Move", 2, "", cycle)
    with open(folder + "/invalid.tsv", "w") as f:
        f.writelines(lines)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for make in (tube, blob, arm, steps, splines, worm, popup, flipbook, seam, shuffle, still, far, invalid):
        make(folder)
    for path in sys.argv[2:]:
        creature(folder, path)


main()
