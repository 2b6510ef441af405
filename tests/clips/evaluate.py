"""Evaluates animations of glTF files by the text of the specification: positions of all triangles at any time.

    scene = Scene("walk.glb")
    scene.play("Walk")
    triangles = scene.triangles(0.25)   # three points each, faces in the order of the file

Shares no code with the library. Rotations are turned as quaternions, not as matrices, and skins move points, not matrices.
"""

import base64
import json
import math
import os
import struct

KINDS = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", None), 5126: ("f", None)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def multiply(a, b):
    """The product of quaternions."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def unit(q):
    n = math.sqrt(math.fsum(x * x for x in q))
    return tuple(x / n for x in q)


def turn(q, v):
    x, y, z, _ = multiply(multiply(q, (*v, 0)), (-q[0], -q[1], -q[2], q[3]))
    return (x, y, z)


def slerp(a, b, s):
    d = math.fsum(x * y for x, y in zip(a, b))
    if d < 0:
        b = tuple(-x for x in b)
    half = math.asin(min(1, math.sqrt(math.fsum((x - y) ** 2 for x, y in zip(a, b))) / 2))
    angle = 2 * half
    if angle < 1e-9:
        return unit([x + s * (y - x) for x, y in zip(a, b)])
    return tuple((math.sin((1 - s) * angle) * x + math.sin(s * angle) * y) / math.sin(angle) for x, y in zip(a, b))


class Scene:
    def __init__(self, path):
        data = open(path, "rb").read()
        self.binary = None
        if data[:4] == b"glTF":
            n = struct.unpack_from("<I", data, 12)[0]
            self.json = json.loads(data[20:20 + n])
            self.binary = data[28 + n:]
        else:
            self.json = json.loads(data)
        self.folder = os.path.dirname(path)
        self.buffers = {}
        self.known = {}
        self.channels = {}
        self.nodes = self.json.get("nodes", [])

    def buffer(self, index):
        if index not in self.buffers:
            uri = self.json["buffers"][index].get("uri")
            if uri is None:
                content = self.binary
            elif uri.startswith("data:"):
                content = base64.b64decode(uri.split(",", 1)[1])
            else:
                content = open(os.path.join(self.folder, uri), "rb").read()
            self.buffers[index] = content
        return self.buffers[index]

    def view(self, index, offset, count, form, stride=None):
        view = self.json["bufferViews"][index]
        size = struct.calcsize("<" + form)
        step = view.get("byteStride") or stride or size
        start = view.get("byteOffset", 0) + offset
        data = self.buffer(view["buffer"])
        return [struct.unpack_from("<" + form, data, start + i * step) for i in range(count)]

    def accessor(self, index):
        if index in self.known:
            return self.known[index]
        a = self.json["accessors"][index]
        letter, most = KINDS[a["componentType"]]
        form = str(WIDTHS[a["type"]]) + letter
        rows = self.view(a["bufferView"], a.get("byteOffset", 0), a["count"], form) if "bufferView" in a else [(0,) * WIDTHS[a["type"]]] * a["count"]
        if "sparse" in a:
            s = a["sparse"]
            places = self.view(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["count"], KINDS[s["indices"]["componentType"]][0])
            values = self.view(s["values"]["bufferView"], s["values"].get("byteOffset", 0), s["count"], form)
            for (i,), v in zip(places, values):
                rows[i] = v
        if a.get("normalized"):
            rows = [tuple(max(x / most, -1) for x in r) for r in rows]
        self.known[index] = rows
        return rows

    def play(self, name):
        animations = self.json["animations"]
        found = [a for a in animations if a.get("name", "") == name] or [animations[int(name)]]
        self.channels = {}
        times = []
        for c in found[0]["channels"]:
            target = c["target"]
            s = found[0]["samplers"][c["sampler"]]
            keys = [r[0] for r in self.accessor(s["input"])]
            values = self.accessor(s["output"])
            if target["path"] == "weights":
                n = len(values) // len(keys)
                n = n // 3 if s.get("interpolation") == "CUBICSPLINE" else n
                flat = [v[0] for v in values]
                values = [tuple(flat[i:i + n]) for i in range(0, len(flat), n)]
            times += keys
            self.channels[target["node"], target["path"]] = (keys, values, s.get("interpolation", "LINEAR"))
        self.start, self.end = min(times), max(times)

    def value(self, node, path, t):
        if (node, path) not in self.channels:
            return None
        keys, values, how = self.channels[node, path]
        cubic = how == "CUBICSPLINE"
        value = (lambda i: values[3 * i + 1]) if cubic else (lambda i: values[i])
        rotation = path == "rotation"
        if t <= keys[0] or t >= keys[-1]:
            v = value(0 if t < keys[-1] and t <= keys[0] and len(keys) > 1 or t < keys[0] else len(keys) - 1)
            return unit(v) if rotation else v
        i = max(k for k in range(len(keys)) if keys[k] <= t)
        if how == "STEP":
            v = value(i)
            return unit(v) if rotation else v
        gap = keys[i + 1] - keys[i]
        s = (t - keys[i]) / gap
        if cubic:
            p0, m0, p1, m1 = value(i), values[3 * i + 2], value(i + 1), values[3 * i + 3]
            v = tuple((2 * s ** 3 - 3 * s ** 2 + 1) * a + gap * (s ** 3 - 2 * s ** 2 + s) * b + (-2 * s ** 3 + 3 * s ** 2) * c +
                      gap * (s ** 3 - s ** 2) * d for a, b, c, d in zip(p0, m0, p1, m1))
            return unit(v) if rotation else v
        if rotation:
            return slerp(unit(value(i)), unit(value(i + 1)), s)
        return tuple(a + s * (b - a) for a, b in zip(value(i), value(i + 1)))

    def move(self, node, points, t):
        """From a node's coordinates to the parent's."""
        n = self.nodes[node]
        if "matrix" in n:
            m = n["matrix"]
            return [tuple(m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k] for k in range(3)) for x, y, z in points]
        move = self.value(node, "translation", t) or n.get("translation", (0, 0, 0))
        q = self.value(node, "rotation", t) or unit(n.get("rotation", (0, 0, 0, 1)))
        size = self.value(node, "scale", t) or n.get("scale", (1, 1, 1))
        # The images of the axes, turned as vectors.
        x, y, z = turn(q, (1, 0, 0)), turn(q, (0, 1, 0)), turn(q, (0, 0, 1))
        return [tuple(size[0] * p[0] * x[k] + size[1] * p[1] * y[k] + size[2] * p[2] * z[k] + move[k] for k in range(3))
                for p in points]

    def parents(self):
        out = {}
        for i, n in enumerate(self.nodes):
            for c in n.get("children", []):
                out[c] = i
        return out

    def to_world(self, node, points, t):
        parents = self.parents()
        while node is not None:
            points = self.move(node, points, t)
            node = parents.get(node)
        return points

    def skin(self, points, primitive, skin, t):
        s = self.json["skins"][skin]
        inverse = self.accessor(s["inverseBindMatrices"]) if "inverseBindMatrices" in s else None
        sums = [[0, 0, 0] for _ in points]
        totals = [0] * len(points)
        n = 0
        users = {}
        while f"JOINTS_{n}" in primitive["attributes"]:
            joints = self.accessor(primitive["attributes"][f"JOINTS_{n}"])
            weights = self.accessor(primitive["attributes"][f"WEIGHTS_{n}"])
            for v, (j, w) in enumerate(zip(joints, weights)):
                for k in range(4):
                    if w[k] > 0:
                        users.setdefault(j[k], []).append((v, w[k]))
            n += 1
        for joint, those in users.items():
            m = inverse[joint] if inverse else (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
            local = []
            for v, _ in those:
                x, y, z = points[v]
                local.append(tuple(m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k] for k in range(3)))
            for (v, w), p in zip(those, self.to_world(s["joints"][joint], local, t)):
                totals[v] += w
                for k in range(3):
                    sums[v][k] += w * p[k]
        return [tuple(x / total for x in p) for p, total in zip(sums, totals)]

    def triangles(self, t):
        out = []

        def visit(node):
            n = self.nodes[node]
            if "mesh" in n:
                mesh = self.json["meshes"][n["mesh"]]
                for p in mesh["primitives"]:
                    points = self.accessor(p["attributes"]["POSITION"])
                    weights = self.value(node, "weights", t) or n.get("weights") or mesh.get("weights")
                    if weights and "targets" in p:
                        moves = [self.accessor(x["POSITION"]) for x in p["targets"]]
                        points = [tuple(a[k] + sum(w * m[i][k] for w, m in zip(weights, moves)) for k in range(3))
                                  for i, a in enumerate(points)]
                    points = self.skin(points, p, n["skin"], t) if "skin" in n else self.to_world(node, points, t)
                    corners = [r[0] for r in self.accessor(p["indices"])] if "indices" in p else range(len(points))
                    out.extend([points[c] for c in corners[i:i + 3]] for i in range(0, len(corners), 3))
            for c in n.get("children", []):
                visit(c)

        scenes = self.json.get("scenes")
        roots = scenes[self.json.get("scene", 0)]["nodes"] if scenes else [i for i in range(len(self.nodes)) if i not in self.parents()]
        for r in roots:
            visit(r)
        return out
