"""Meshes that are hard for convex decomposition: with holes, cracks and thin walls, nested, and convex ones of many triangles.

    python3 open_meshes.py FOLDER MAKE_SAMPLES

Writes 68 meshes to FOLDER as OFF, the same on every run. MAKE_SAMPLES is the program that writes the project's sample meshes.

A family is one shape in sizes n, 2 n, 4 n and 8 n (`triangles`), with open edges in proportion, and in the size 4 n with 1, 2, 4
and 8 times as many open edges (`edges`).
"""

import os
import random
import subprocess
import sys
import tempfile

import numpy as np

# Open edges per triangle in the series by triangles, and at both ends of the series by open edges.
SHARE = 1 / 16
SHARES = (1 / 32, 1 / 16, 1 / 8, 1 / 4)
SIZES = (1, 2, 4, 8)


class Mesh:
    def __init__(self, points, faces):
        self.points = np.asarray(points, dtype=float).reshape(-1, 3)
        self.faces = np.asarray(faces, dtype=int).reshape(-1, 3)

    def write(self, path):
        with open(path, "w") as file:
            file.write("OFF\n%d %d 0\n" % (len(self.points), len(self.faces)))
            file.writelines("%.9g %.9g %.9g\n" % tuple(point) for point in self.points.tolist())
            file.writelines("3 %d %d %d\n" % tuple(face) for face in self.faces.tolist())


def read_obj(path):
    points, faces = [], []
    for line in open(path):
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) - 1 for word in words[1:]]
            faces += [[corners[0], corners[i], corners[i + 1]] for i in range(1, len(corners) - 1)]
    return Mesh(points, faces)


def welded(points, faces):
    """Merges points that are equal after rounding, so that sines give the same mesh everywhere, and drops degenerate triangles."""
    points, index = np.unique(np.round(points, 7) + 0.0, axis=0, return_inverse=True)
    faces = index.reshape(-1)[faces]
    distinct = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return Mesh(points, faces[distinct])


def joined(meshes):
    first = np.cumsum([0] + [len(mesh.points) for mesh in meshes])
    return Mesh(np.concatenate([mesh.points for mesh in meshes]), np.concatenate([mesh.faces + at for mesh, at in zip(meshes, first)]))


def placed(mesh, scale, shift):
    return Mesh(mesh.points * scale + np.asarray(shift), mesh.faces)


def flipped(mesh):
    return Mesh(mesh.points, mesh.faces[:, ::-1])


def surface(rows, columns, point, ring=False):
    """Of a function of u and v in 0 to 1; v is periodic, and with `ring` u as well. point( u, v ) gives x, y and z."""
    u = np.repeat(np.arange(rows + 1) / rows, columns + 1)
    v = np.tile(np.arange(columns + 1) / columns, rows + 1)
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    a = (i * (columns + 1) + j).reshape(-1)
    b, c, d = a + 1, a + columns + 2, a + columns + 1
    if ring:
        u = u % 1.0
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return welded(np.stack(point(u, v % 1.0), 1), faces)


def turned(radius, height, v):
    return radius * np.cos(2 * np.pi * v), radius * np.sin(2 * np.pi * v), height


def sphere(n, stretch=(1, 1, 1), straight=0.0):
    """A sphere, an ellipsoid, or with `straight` a capsule."""
    rows = max(3, round((1 + (1 + n) ** 0.5) / 2))

    def point(u, v):
        x, y, z = turned(np.sin(np.pi * u), -np.cos(np.pi * u), v)
        return stretch[0] * x, stretch[1] * y, stretch[2] * z + straight * np.sign(np.round(z, 9))

    return surface(rows, 2 * rows, point)


def along(corners, sides, u):
    """Points on a polyline of corners (radius, height), `sides` equal shares of u each."""
    at = np.arange(len(corners)) / sides
    return np.interp(u, at, [corner[0] for corner in corners]), np.interp(u, at, [corner[1] for corner in corners])


def lathe(n, corners, per_side=None):
    """A polyline turned about the z axis."""
    sides = len(corners) - 1
    per_side = per_side or max(1, round((n / 2 / sides / 6) ** 0.5))
    return surface(sides * per_side, max(6, round(n / 2 / sides / per_side)), lambda u, v: turned(*along(corners, sides, u), v))


def torus(n):
    rows = round((n / 4) ** 0.5)
    return surface(rows, 2 * rows, lambda u, v: turned(1 + 0.35 * np.cos(2 * np.pi * u), 0.35 * np.sin(2 * np.pi * u), v), True)


def gear(n, teeth=12):
    """With a bore; each tooth has eight columns."""
    corners = ((1, -0.2), (1, 0.2), (0.4, 0.2), (0.4, -0.2), (1, -0.2))
    columns = teeth * 8 * max(1, round((n / 2 / 4 / 96 / 2) ** 0.5))
    per_side = max(1, round(n / 2 / 4 / columns))

    def point(u, v):
        radius, height = along(corners, 4, u)
        tooth = np.interp(v * teeth % 1.0, (0, 0.25, 0.375, 0.75, 0.875, 1), (1, 1, 0.8, 0.8, 1, 1))
        return turned(radius * np.where(radius > 0.99, tooth, 1.0), height, v)

    return surface(4 * per_side, columns, point, True)


def knot(n):
    """A tube about a trefoil."""
    columns = max(8, round((n / 2 / 12) ** 0.5))

    def point(u, v):
        t = 2 * np.pi * u
        center = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)], 1) / 3
        along_it = np.stack([np.cos(t) + 4 * np.cos(2 * t), -np.sin(t) + 4 * np.sin(2 * t), -3 * np.cos(3 * t)], 1)
        right = np.cross(along_it, [0, 0, 1])
        right /= np.linalg.norm(right, axis=1, keepdims=True)
        up = np.cross(right, along_it)
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        angle = 2 * np.pi * v[:, None]
        return tuple((center + 0.13 * (np.sin(angle) * right + np.cos(angle) * up)).T)

    return surface(round(n / 2 / columns), columns, point, True)


def cells(filled, times, size):
    """The boundary of filled cells, each divided into times^3 for more triangles."""
    filled = np.pad(np.kron(filled, np.ones((times,) * 3)) > 0, 1)
    quads = []
    for axis in range(3):
        one, other = np.eye(3, dtype=int)[(axis + 1) % 3], np.eye(3, dtype=int)[(axis + 2) % 3]
        for side in (0, 1):
            low = np.argwhere(filled & ~np.roll(filled, 1 - 2 * side, axis))
            low[:, axis] += side
            corners = [low, low + one, low + one + other, low + other]
            quads.append(np.stack(corners if side else corners[::-1], 1))
    quads = np.concatenate(quads)
    at = np.arange(4 * len(quads)).reshape(-1, 4)
    return welded((quads.reshape(-1, 3) - 1) * np.asarray(size) / times, np.concatenate([at[:, [0, 1, 2]], at[:, [0, 2, 3]]]))


def plate(n, thickness=0.02):
    """A thin plate with windows."""
    filled = np.ones((9, 9, 1))
    filled[1::2, 1::2] = 0
    times = max(1, round((n / 4 / 65) ** 0.5))
    return cells(np.kron(filled, np.ones((times, times, 1))), 1, (0.2 / times, 0.2 / times, thickness))


def frame(n, count=3):
    """A box with square tunnels along all axes."""
    size = 2 * count + 1
    odd = np.arange(size) % 2
    filled = (odd[:, None, None] + odd[None, :, None] + odd[None, None, :]) < 2
    return cells(filled, max(1, round((n / len(cells(filled, 1, (1, 1, 1)).faces)) ** 0.5)), (2 / size,) * 3)


def open_box(per_side, height=1.0):
    """Five sides without thickness."""
    whole = cells(np.ones((1, 1, 1)), per_side, (1, 1, height))
    top = np.all(whole.points[whole.faces][:, :, 2] > height - 1e-9, axis=1)
    return Mesh(whole.points, whole.faces[~top])


def terrain(n, skirt=0.3):
    """A height field with a skirt and no bottom."""
    columns = round((n / 2 + 4) ** 0.5) - 2
    high = cells(np.ones((columns, columns, 1)), 1, (2 / columns, 2 / columns, 1))
    points = high.points.copy()
    x, y = points[:, 0], points[:, 1]
    hills = 0.15 * np.sin(5 * x) * np.cos(4 * y + 1) + 0.07 * np.sin(11 * x + 2 * y) + 0.02 * np.cos(31 * x - 17 * y)
    bottom = points[:, 2] < 0.5
    points[:, 2] = np.where(bottom, -skirt, np.round(hills, 7))
    return Mesh(points, high.faces[~np.all(bottom[high.faces], axis=1)])


def in_grid(mesh_of, count, gap):
    side = int(np.ceil(count ** (1 / 3) - 1e-9))
    return joined([placed(mesh_of(i), 1, gap * np.array([i % side, i // side % side, i // side // side])) for i in range(count)])


def shells(count, each, outermost=False):
    """Nests of five spheres; every other one is inside out, `outermost` says whether the largest is."""
    ball = sphere(each)
    nested = [placed(flipped(ball) if (i % 2 == 0) == outermost else ball, 1 - 0.15 * i, (0.02 * i, 0, 0)) for i in range(5)]
    return in_grid(lambda i: joined(nested[: min(5, count - 5 * i)]), -(-count // 5), 2.2)


def without(mesh, count, seed=1):
    """Without some triangles."""
    gone = random.Random(seed).sample(range(len(mesh.faces)), max(0, int(count)))
    return Mesh(mesh.points, np.delete(mesh.faces, gone, axis=0))


def directions(count, seed):
    draw = random.Random(seed)
    return np.array([[draw.uniform(-1, 1) for _ in range(3)] for _ in range(count)]).reshape(-1, 3)


def apart(mesh, labels, offset, seed=1):
    """Unwelded between triangles with different labels; the copies of a vertex move by up to `offset` along each axis."""
    keys = np.stack([np.repeat(labels, 3), mesh.faces.reshape(-1)], 1)
    pairs, index = np.unique(keys, axis=0, return_inverse=True)
    shared = np.bincount(pairs[:, 1], minlength=len(mesh.points))[pairs[:, 1]] > 1
    moved = mesh.points[pairs[:, 1]] + offset * shared[:, None] * directions(len(pairs), seed)
    return Mesh(moved, index.reshape(-1, 3))


def open_edges(mesh):
    edges = np.sort(np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]]), axis=1)
    return int(np.sum(np.unique(edges, axis=0, return_counts=True)[1] == 1))


def cracked(mesh, wanted, offset, seed=1):
    """Unwelded along the borders of patches, so many that `wanted` edges are open: triangles go with the nearest of some of them."""
    middle = mesh.points[mesh.faces].mean(axis=1)
    edges = np.sort(np.stack([mesh.faces, np.roll(mesh.faces, -1, axis=1)], 2).reshape(-1, 2), axis=1)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    same = np.all(edges[order[1:]] == edges[order[:-1]], axis=1)
    one, other = order[1:][same] // 3, order[:-1][same] // 3
    labels, nearest = np.zeros(len(middle), int), np.full(len(middle), np.inf)
    for label, center in enumerate(random.Random(seed).sample(range(len(middle)), len(middle))):
        squared = np.sum((middle - middle[center]) ** 2, axis=1)
        labels[squared < nearest] = label
        nearest = np.minimum(nearest, squared)
        if 2 * np.sum(labels[one] != labels[other]) >= wanted:
            break
    return apart(mesh, labels, offset * float(np.max(np.ptp(mesh.points, axis=0))), seed)


def with_junctions(mesh, count, offset, seed=1):
    """Splits an edge of some triangles, but not of their neighbors; the new vertex moves by up to `offset`."""
    split = random.Random(seed).sample(range(len(mesh.faces)), int(count))
    a, b, c = mesh.faces[split].T
    middles = (mesh.points[a] + mesh.points[b]) / 2 + offset * directions(len(split), seed + 1)
    m = len(mesh.points) + np.arange(len(split))
    rest = np.delete(mesh.faces, split, axis=0)
    return Mesh(np.concatenate([mesh.points, middles]), np.concatenate([rest, np.stack([a, m, c], 1), np.stack([m, b, c], 1)]))


# Each makes a mesh of about n triangles and about `edges` open edges; the number is n of the smallest.
FAMILIES = {
    "removed": (2000, lambda n, edges: without(torus(n), edges / 3)),
    "cracked": (2000, lambda n, edges: cracked(gear(n), edges, 1e-4)),
    "junctions": (1000, lambda n, edges: with_junctions(knot(n), edges / 3, 1e-3)),
    "shells": (5000, lambda n, edges: without(shells(n // 120, 120), edges / 3)),
    "walls": (1500, lambda n, edges: without(plate(n), edges / 3)),
    "skirts": (3000, lambda n, edges: skirted(n, edges)),
}


def skirted(n, edges):
    mesh = terrain(n)
    return without(mesh, (edges - open_edges(mesh)) / 3)


def singles(sample):
    pot = ((0, -0.5), (0.6, -0.4), (0.7, 0.5))
    return {
        "capsule-3": lambda: without(sphere(1024, (0.4, 0.4, 0.4), 0.6), 1),
        "cylinder-6": lambda: without(lathe(1024, ((0, -1), (0.5, -1), (0.5, 1), (0, 1))), 2),
        "torus-90": lambda: without(torus(20000), 30),
        "gear-30": lambda: without(sample("gear"), 10),
        "rock-15": lambda: without(sample("rock"), 5),
        "crate-9": lambda: without(sample("crate"), 3),
        "cup-cracked": lambda: cracked(sample("cup"), 1000, 1e-6),
        "knot-junctions": lambda: with_junctions(sample("knot"), 200, 0),
        "frame-300": lambda: without(frame(4000), 100),
        "frame-15000": lambda: without(frame(60000, 4), 5000),
        "soup": lambda: cracked(sphere(3000), np.inf, 1e-5),
        "shells-50": lambda: without(shells(50, 64, True), 50),
        "shells-5000": lambda: without(shells(5000, 24, True), 5000),
        "tube": lambda: lathe(2000, ((0.3, -1), (0.3, 1))),
        "bucket": lambda: lathe(3000, ((0, -0.5), (0.4, -0.5), (0.5, 0.5))),
        "pot": lambda: joined([lathe(2000, pot), flipped(placed(lathe(2000, pot), 0.97, (0, 0, 0.02)))]),
        "boxes-64": lambda: in_grid(lambda i: open_box(2), 64, 1.3),
        "boxes-1200": lambda: in_grid(lambda i: open_box(3 + i % 3), 1200, 1.3),
    }


def convex():
    cylinder = ((0, -0.5), (0.5, -0.5), (0.5, 0.5), (0, 0.5))
    return {
        "sphere-64": lambda: sphere(64),
        "sphere-2000": lambda: sphere(2000),
        "sphere-20000": lambda: sphere(20000),
        "ellipsoid-5000": lambda: sphere(5000, (1, 0.7, 0.4)),
        "cylinder-500": lambda: lathe(500, cylinder, 1),
        "cylinder-20000": lambda: lathe(20000, cylinder),
        "sphere-2000-9": lambda: without(sphere(2000), 3),
        "ellipsoid-20000-30": lambda: without(sphere(20000, (1, 0.6, 0.5)), 10),
    }


def corpus(make_samples):
    """Yields name, the family's series that the mesh is in, and a function that makes the mesh."""

    def sample(name):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([make_samples, folder], check=True, stdout=subprocess.DEVNULL)
            return read_obj(os.path.join(folder, name + ".obj"))

    for family, (smallest, make) in FAMILIES.items():
        middle = SIZES[2] * smallest
        for n in SIZES:
            series = ["%s triangles" % family] + (["%s edges" % family] if n == SIZES[2] else [])
            yield "%s-%dn" % (family, n), series, lambda n=n * smallest: make(n, n * SHARE)
        for share in SHARES:
            if share != SHARE:
                yield "%s-open-%d" % (family, share * 32), ["%s edges" % family], lambda share=share: make(middle, middle * share)
    for name, make in singles(sample).items():
        yield name, [], make
    for name, make in convex().items():
        yield "convex-" + name, [], make


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, series, make in corpus(sys.argv[2]):
        make().write(os.path.join(sys.argv[1], name + ".off"))


if __name__ == "__main__":
    main()
