"""The data of the view as the tests read it, by themselves: from the page's text, with numpy, without the page's scripts."""

import base64
import json
import re

import numpy

TYPES = {"u8": "<u1", "u16": "<u2", "u32": "<u4", "f32": "<f4", "f64": "<f8"}
NOTHING = 0xffffffff
CLOSE = 1e-3  # barycentric: nearer to a side a ray may meet one triangle or the other


def read_array(value):
    (name, text), = value.items()
    return numpy.frombuffer(base64.b64decode(text, validate=True), TYPES[name])


def read_points(value):
    """In the view's coordinates."""
    return read_array(value).reshape(-1, 3) / 32767.5 - 1


def read_obj(path):
    """Objects of a Wavefront file, each as its points and its triangles."""
    found = []
    count = 0
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            kind, *rest = line.split(" ")
            if kind == "o":
                found.append(([], []))
                count += len(found[-2][0]) if len(found) > 1 else 0
            elif kind == "v":
                found[-1][0].append([float(x) for x in rest])
            elif kind == "f":
                found[-1][1].append([int(x) - 1 - count for x in rest])
    return [(numpy.array(points), numpy.array(corners)) for points, corners in found]


def read_view(path):
    """The JSON in a page, and how long it is."""
    with open(path, encoding="utf-8", newline="") as page:
        text = page.read()
    found = re.search(r'<script type="application/json" id="view-data">(.*?)</script>', text, re.S).group(1)
    return json.loads(found), len(found)


class Mesh:
    def __init__(self, data):
        mesh = data["mesh"]
        self.points = read_points(mesh["positions"])
        self.corners = read_array(mesh["corners"]).reshape(-1, 3).astype(int)
        self.numbers = read_array(mesh["numbers"]) if mesh["numbers"] else numpy.arange(len(self.corners))
        self.sources = mesh["sources"]

    def triangles(self):
        return self.points[self.corners]

    def sides(self):
        """Pairs of vertices, the way the triangles go."""
        return numpy.concatenate([self.corners[:, [0, 1]], self.corners[:, [1, 2]], self.corners[:, [2, 0]]])

    def source(self, index):
        """Face, object, group and material."""
        faces = read_array(self.sources["faces"])
        segment = read_array(self.sources["segment"])
        return int(faces[index]), *self.sources["segments"][segment[index]]


class Tree:
    def __init__(self, data):
        tree = data["tree"]
        self.in_file = tree["nodes_in_file"]
        self.whole_levels = tree["whole_levels"]
        for name in ["number", "parent", "first_child", "children", "first", "triangles", "level"]:
            setattr(self, name, read_array(tree[name]).astype(numpy.int64))
        self.errors = {name: read_array(tree[name]) for name in ["solid", "surface"]} if tree["solid"] else None

    def nodes_of_cut(self, measure, most):
        """Nodes that end every way down: good enough or without children, and no node above them is."""
        errors = self.errors[measure]
        ends = (errors <= most) | (self.first_child == NOTHING)
        found = []
        for node in range(len(ends)):
            above = self.parent[node]
            while above != NOTHING and not ends[above]:
                above = self.parent[above]
            if above == NOTHING and ends[node]:
                found.append(node)
        return found

    def nodes_over(self, triangle):
        """Numbers of the nodes whose triangles this is one of, by level."""
        over = numpy.flatnonzero((self.first <= triangle) & (triangle < self.first + self.triangles))
        return [int(self.number[node]) for node in sorted(over, key=lambda node: self.level[node])]


class Eye:
    """A camera, from bvReport.camera and the size of the canvas."""

    def __init__(self, camera, size):
        self.view = numpy.array(camera["view"]).reshape(4, 4).T
        self.projection = numpy.array(camera["projection"]).reshape(4, 4).T
        self.position = numpy.array(camera["position"])
        self.size = numpy.array(size, float)

    def project(self, points):
        """Pixels from the upper left corner."""
        clip = numpy.c_[points, numpy.ones(len(points))] @ (self.projection @ self.view).T
        return (clip[:, :2] / clip[:, 3:] * [1, -1] + 1) / 2 * self.size

    def ray(self, pixel):
        """The direction of what is seen at a pixel."""
        x, y = (numpy.asarray(pixel) / self.size * 2 - 1) * [1, -1]
        far = numpy.linalg.inv(self.projection @ self.view) @ [x, y, 1, 1]
        direction = far[:3] / far[3] - self.position
        return direction / numpy.linalg.norm(direction)


def first_hit(triangles, origin, direction):
    """The triangles that a ray meets first, several where they lie on each other, and how surely: 0 where it passes by a side."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = numpy.cross(b - a, c - a)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        distance = numpy.einsum("ij,ij->i", a - origin, normal) / (normal @ direction)
        point = origin + distance[:, None] * direction
        area = numpy.einsum("ij,ij->i", normal, normal)
        weights = numpy.stack([numpy.einsum("ij,ij->i", numpy.cross(v - u, point - u), normal) / area
                               for u, v in ((b, c), (c, a), (a, b))], axis=1)
    least = weights.min(axis=1)
    met = numpy.flatnonzero((least >= -CLOSE) & (distance > 0) & numpy.isfinite(distance))
    if len(met) == 0:
        return [], 1.0
    near = met[distance[met] - distance[met].min() < 1e-4]
    sure = float(least[near].min())
    return [int(triangle) for triangle in near], sure if sure >= CLOSE else 0.0


def seen_from(eye, triangles):
    """Pixels at the middles of triangles that are in the picture, large ones and small ones, each with what is seen there."""
    corners = eye.project(triangles.reshape(-1, 3)).reshape(-1, 3, 2)
    sides = corners[:, 1:] - corners[:, :1]
    size = numpy.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    for triangle in numpy.argsort(-size, kind="stable")[::max(1, len(size) // 200)]:
        pixel = corners[triangle].mean(axis=0)
        if (pixel > 4).all() and (pixel < eye.size - 4).all():
            hits, sure = first_hit(triangles, eye.position, eye.ray(pixel))
            if hits and sure > 0.02:
                yield pixel, hits
