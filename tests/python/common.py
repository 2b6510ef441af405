"""What the tests of the Python package share: meshes, files made by the command line, and slow oracles in numpy that share no code with it."""

import os
import subprocess
import tempfile
import unittest

import numpy as np

import bvbuild

BUILD = os.environ["BUILD"]


class Case(unittest.TestCase):
    """A test with a folder of its own and a fixed seed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.random = np.random.default_rng(47)

    def path(self, name):
        return os.path.join(self.folder, name)

    def made(self, vertices, triangles, *options):
        """A file that the command line has made of a mesh."""
        write_obj(self.path("mesh.obj"), vertices, triangles)
        run("bvbuild", "-q", self.path("mesh.obj"), "-o", self.path("mesh.bvh"), *options)
        file = bvbuild.open(self.path("mesh.bvh"))
        self.addCleanup(file.close)
        return file


def run(tool, *arguments, **more):
    """A tool of the command line."""
    return subprocess.run([os.path.join(BUILD, tool), *arguments], check=True, capture_output=True, **more).stdout


def write_obj(path, vertices, triangles):
    with open(path, "w", encoding="ascii") as file:
        for v in np.asarray(vertices).tolist():
            file.write(f"v {v[0]!r} {v[1]!r} {v[2]!r}\n")
        for t in np.asarray(triangles).tolist():
            file.write(f"f {t[0] + 1} {t[1] + 1} {t[2] + 1}\n")


def box(half=(1, 1, 1), center=(0, 0, 0)):
    """A closed box that faces outward."""
    vertices = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float) * half + center
    triangles = np.array([[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2],
                          [1, 3, 7], [1, 7, 5]])
    return vertices, triangles


def bumpy_ball(random, rings=12, bumps=0.2):
    """A closed ball with random radii."""
    n = 2 * rings
    angles = np.pi * np.arange(1, rings) / rings
    turns = 2 * np.pi * np.arange(n) / n
    ring = np.stack([np.sin(angles)[:, None] * np.cos(turns), np.sin(angles)[:, None] * np.sin(turns),
                     np.cos(angles)[:, None] * np.ones(n)], axis=-1).reshape(-1, 3)
    vertices = np.concatenate([[[0, 0, 1]], ring, [[0, 0, -1]]])
    vertices *= 1 + bumps * random.uniform(-1, 1, (len(vertices), 1))
    at = lambda i, j: 1 + i * n + j % n
    last = len(vertices) - 1
    triangles = [[0, at(0, j), at(0, j + 1)] for j in range(n)] + [[last, at(rings - 2, j + 1), at(rings - 2, j)] for j in range(n)]
    for i in range(rings - 2):
        for j in range(n):
            triangles += [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    return vertices.astype(np.float32).astype(float), np.array(triangles)


def random_rotation(random):
    q, upper = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diag(upper))
    return q if np.linalg.det(q) > 0 else -q


def random_pose(random, reach=1.0):
    pose = np.eye(4)
    pose[:3, :3] = random_rotation(random)
    pose[:3, 3] = random.uniform(-reach, reach, 3)
    return pose


def moved(points, pose):
    return points @ pose[:3, :3].T + pose[:3, 3]


def corners_of(file):
    return file.mesh.vertices[file.mesh.triangles]


def nearest_on_triangles(points, corners):
    """Squared distances (N, M) of points (N, 3) from triangles (M, 3, 3): the nearest of face, edges and corners, all of them computed."""
    best = np.full((len(points), len(corners)), np.inf)
    for k in range(3):
        a, b = corners[:, k], corners[:, (k + 1) % 3]
        best = np.minimum(best, _square_from_segments(points, a, b - a))
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(u, v)
    square = (normal * normal).sum(-1)
    d = points[:, None] - a
    s = (np.cross(d, v) * normal).sum(-1) / square
    t = (np.cross(u, d) * normal).sum(-1) / square
    inside = (s >= 0) & (t >= 0) & (s + t <= 1)
    height = (d * normal).sum(-1)
    return np.where(inside, np.minimum(best, height * height / square), best)


def _square_from_segments(points, a, u):
    d = points[:, None] - a
    t = np.clip((d * u).sum(-1) / (u * u).sum(-1), 0, 1)[..., None]
    rest = d - t * u
    return (rest * rest).sum(-1)


def square_of_segments(p, u, q, v):
    """Squared distances (N, M) of segments p + s u and q + t v, 0 <= s, t <= 1: of inner points, or from ends of one to the other."""
    best = np.full((len(p), len(q)), np.inf)
    for end in (p, p + u):
        best = np.minimum(best, _square_from_segments(end, q, v))
    for end in (q, q + v):
        best = np.minimum(best, _square_from_segments(end, p, u).T)
    w = p[:, None] - q
    a, b, c = (u * u).sum(-1)[:, None], u @ v.T, (v * v).sum(-1)[None]
    d, e = (w * u[:, None]).sum(-1), (w * v).sum(-1)
    det = a * c - b * b
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = (b * e - c * d) / det, (a * e - b * d) / det
    inside = (det > 1e-12 * a * c) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    rest = w + np.where(inside, s, 0)[..., None] * u[:, None] - np.where(inside, t, 0)[..., None] * v
    return np.where(inside, np.minimum(best, (rest * rest).sum(-1)), best)


def distance_of_triangles(a, b):
    """Distances (N, M) of triangles (N, 3, 3) and (M, 3, 3) that do not cross: of corners from triangles and of edges from edges."""
    best = np.full((len(a), len(b)), np.inf)
    for k in range(3):
        best = np.minimum(best, nearest_on_triangles(a[:, k], b))
        best = np.minimum(best, nearest_on_triangles(b[:, k], a).T)
        for m in range(3):
            best = np.minimum(best, square_of_segments(a[:, k], a[:, (k + 1) % 3] - a[:, k], b[:, m], b[:, (m + 1) % 3] - b[:, m]))
    return np.sqrt(best)


def gaps_of_triangles(a, b):
    """The widest gap (N, M) between triangles along their separating axes; not above 0 if they cross."""
    edges = lambda t: [t[:, (k + 1) % 3] - t[:, k] for k in range(3)]
    normal = lambda t: np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    one = np.ones((len(a), len(b), 1))
    axes = [normal(a)[:, None] * one, normal(b)[None] * one]
    axes += [np.cross(u[:, None], v[None]) for u in edges(a) for v in edges(b)]
    gap = np.full((len(a), len(b)), -np.inf)
    for axis in axes:
        length = np.linalg.norm(axis, axis=-1)
        unit = axis / np.where(length > 1e-9, length, np.inf)[..., None]
        p = np.einsum("nkc,nmc->nmk", a, unit)
        q = np.einsum("mkc,nmc->nmk", b, unit)
        between = np.maximum(p.min(-1) - q.max(-1), q.min(-1) - p.max(-1))
        gap = np.maximum(gap, np.where(length > 1e-9, between, -np.inf))
    return gap


def cast_brute(origins, directions, corners):
    """Times (N, M) at which rays cross triangles (Moller, Trumbore 1997), and how far inside of them; infinite without a hit."""
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = np.cross(directions[:, None], v)
    det = (u * p).sum(-1)
    d = origins[:, None] - a
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (d * p).sum(-1) / det
        q = np.cross(d, u)
        t = (directions[:, None] * q).sum(-1) / det
        time = (v * q).sum(-1) / det
    margin = np.minimum(np.minimum(s, t), 1 - s - t)
    hit = (margin >= 0) & (time >= 0)
    return np.where(hit, time, np.inf), np.where(np.isfinite(margin), margin, -np.inf)
