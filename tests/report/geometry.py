"""Plain geometry with numpy and scipy: what meshes and volumes measure. Shares nothing with the programs that it judges: it reads
what bvinspect --export writes, and nothing else of them.

Sums run in the longest floating-point type there is, about a point in the middle, so that their own rounding does not count.
"""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError, cKDTree

LONG = np.longdouble

# Klosowski's directions, as formats/bvh/README.md lists them, and which of them each k-DOP has.
DIRECTIONS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [1, 1, 0], [1, 0, 1],
                       [0, 1, 1], [1, -1, 0], [1, 0, -1], [0, 1, -1]], float)
USED = {14: [0, 1, 2, 3, 4, 5, 6], 18: [0, 1, 2, 7, 8, 9, 10, 11, 12], 26: list(range(13))}


def load_obj(path):
    """@return a list of (name, vertices, triangles), the latter over the former"""
    objects = []
    first = count = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "o":
                first = count
                objects.append((rest, [], []))
            elif kind == "v":
                objects[-1][1].append([float(x) for x in rest.split()])
                count += 1
            elif kind == "f":
                objects[-1][2].append([int(x) - 1 - first for x in rest.split()])
    return [(name, np.array(v, float).reshape(-1, 3), np.array(f, int).reshape(-1, 3)) for name, v, f in objects]


def longest(array):
    return np.asarray(array, LONG)


def tripled(a, b, c):
    """a . (b x c), row by row."""
    return (a[:, 0] * (b[:, 1] * c[:, 2] - b[:, 2] * c[:, 1]) + a[:, 1] * (b[:, 2] * c[:, 0] - b[:, 0] * c[:, 2])
            + a[:, 2] * (b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]))


def areas(v, f):
    p = longest(v)[f]
    normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    return np.sqrt((normal ** 2).sum(1)) / 2


class Body:
    """Mass, centre and inertia of what consists of simplices, by their second moments about the middle of the mesh."""

    def __init__(self, masses, points, divisor, middle):
        """points: of each simplex, its corners that are not the middle; divisor: of the moments, 20 or 12"""
        total = points.sum(1)
        self.mass = masses.sum()
        moments = (np.einsum("t,tki,tkj->ij", masses, points, points) + np.einsum("t,ti,tj->ij", masses, total, total)) / divisor
        # The mean of a tetrahedron with one corner in the middle is a quarter of the sum, of a triangle a third.
        center = (masses[:, None] * total).sum(0) / (4 if divisor == 20 else 3) / self.mass
        about = moments - self.mass * np.outer(center, center)
        self.center = np.array(center + middle, float)
        self.inertia = np.array(np.trace(about) * np.eye(3) - about, float)
        self.mass = float(self.mass)


def middle_of(v):
    return (longest(v).min(0) + longest(v).max(0)) / 2


def solid(v, f):
    """@return the filled body, or None when its volume is 0 up to rounding"""
    middle = middle_of(v)
    p = (longest(v) - middle)[f]
    masses = tripled(p[:, 0], p[:, 1], p[:, 2]) / 6
    sizes = np.abs(p).max(1).prod(1).sum()
    return Body(masses, p, 20, middle) if abs(masses.sum()) > 1e-15 * sizes else None


def sheet(v, f):
    """@return the surface as a body whose mass is its area, or None without an area"""
    middle = middle_of(v)
    masses = areas(v, f)
    return Body(masses, (longest(v) - middle)[f], 12, middle) if masses.sum() > 0 else None


def volume_under(v, f):
    p = (longest(v) - longest(v)[0])[f]
    return float(tripled(p[:, 0], p[:, 1], p[:, 2]).sum() / 6)


class Topology:
    """Edges, what they are, and how the triangles hang together."""

    def __init__(self, v, f):
        ends = np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]])
        opposite = np.concatenate([f[:, 2], f[:, 0], f[:, 1]])
        triangle = np.tile(np.arange(len(f)), 3)
        forwards = ends[:, 0] < ends[:, 1]
        sides = np.sort(ends, 1)
        unique, edge, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
        edge = edge.ravel()
        balance = np.bincount(edge, np.where(forwards, 1, -1), len(unique)).astype(int)
        self.edges = len(unique)
        self.closed = bool((balance == 0).all())
        flipped = (count == 2) & (balance != 0)
        self.oriented = not flipped.any()
        pairs = (count == 2) & (balance == 0)
        self.boundary = int((count == 1).sum())
        self.flipped = int(flipped.sum())
        self.non_manifold = int((count > 2).sum())
        joined = coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(len(v), len(v)))
        self.components = connected_components(joined, directed=False)[0]
        self._bend(v, f, pairs, edge, forwards, opposite, triangle)
        keys = np.sort(f, 1)
        shift = np.argmin(f, 1)
        turned = f[np.arange(len(f))[:, None], (shift[:, None] + np.arange(3)) % 3]
        winding = turned[:, 1] < turned[:, 2]
        _, group = np.unique(keys, axis=0, return_inverse=True)
        group = group.ravel()
        self.double_sided = int(np.minimum(np.bincount(group, winding), np.bincount(group, ~winding)).sum())
        self.manifold = self.oriented and self.non_manifold == 0 and self._one_fan(f, edge, len(v))

    def _bend(self, v, f, pairs, edge, forwards, opposite, triangle):
        """Convex, concave or flat, and how many could be either, for what double precision tells."""
        order = np.lexsort((~forwards, edge))
        order = order[pairs[edge[order]]]
        one, two = order[0::2], order[1::2]
        p = longest(v)
        corner = p[f]
        normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        length = np.sqrt((normal ** 2).sum(1))
        a, b = normal[triangle[one]], normal[triangle[two]]
        sizes = length[triangle[one]] * length[triangle[two]]
        across = np.cross(a, b)
        sine = np.sqrt((across ** 2).sum(1)) / sizes
        cosine = (a * b).sum(1) / sizes
        flat = (sine <= LONG(2) ** -12) & (cosine > 0)
        # The second triangle's far corner is below the first one's plane where the solid is convex.
        apex = p[opposite[two]] - p[opposite[one]]
        height = (apex * a).sum(1) / length[triangle[one]] / np.sqrt((apex ** 2).sum(1) + np.finfo(float).tiny)
        convex = ~flat & (height <= 0)
        unsure = (np.abs(sine * 2 ** 12 - 1) < 1e-6) | (~flat & (np.abs(height) < 1e-14))
        self.flat, self.convex, self.concave = int(flat.sum()), int(convex.sum()), int((~flat & ~convex).sum())
        self.unsure = int(unsure.sum())

    @staticmethod
    def _one_fan(f, edge, vertices):
        """Whether the triangles at each vertex hang together through edges at it: corners are joined across edges."""
        m = len(f)
        rows, columns = [], []
        first = {}
        # Side k runs from corner k to corner k + 1; edge[k * m + t] is that of side k of triangle t.
        for side in range(3):
            for t in range(m):
                e = edge[side * m + t]
                here = ((side * m + t), (side + 1) % 3 * m + t)
                if e in first:
                    for mine in here:
                        for other in first[e]:
                            if f[mine % m, mine // m] == f[other % m, other // m]:
                                rows.append(mine)
                                columns.append(other)
                else:
                    first[e] = here
        fans = connected_components(coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(3 * m, 3 * m)), directed=False)[0]
        return fans == len(np.unique(f)) and fans <= vertices


def hull_of(points):
    """@return scipy's hull, or None where the points are flat up to rounding"""
    try:
        middle = points.mean(0)
        size = np.abs(points - middle).max()
        return ConvexHull((points - middle) / size), middle, size
    except (QhullError, ValueError):
        return None


# Volumes as the report and the file have them: dictionaries.

def kind_of(volume):
    if "k" in volume:
        return "kdop"
    if "lower" in volume:
        return "aabb"
    if "ends" in volume:
        return "capsule"
    if "half_extents" in volume:
        return "rss" if "radius" in volume else "obb"
    return "sphere"


def swept(a, b, r):
    """Steiner's formula for a rectangle with half sides a and b; the area is its derivative."""
    return (8 * a * b * r + 2 * np.pi * r * r * (a + b) + 4 / 3 * np.pi * r ** 3, 8 * a * b + 4 * np.pi * r * (a + b) + 4 * np.pi * r * r,
            2 * np.hypot(a, b) + 2 * r)


def brick(half):
    a, b, c = half
    return 8 * a * b * c, 8 * (a * b + b * c + c * a), 2 * np.sqrt(a * a + b * b + c * c)


def kdop_planes(volume):
    used = [i for i in USED[int(volume["k"])]]
    lower, upper = np.array(volume["lower"])[used], np.array(volume["upper"])[used]
    return np.concatenate([DIRECTIONS[used], -DIRECTIONS[used]]), np.concatenate([upper, -lower])


def kdop_corners(volume):
    """All points in which three planes meet that no other cuts off: solved for every three."""
    normals, offsets = kdop_planes(volume)
    lower, upper = np.array(volume["lower"][:3]), np.array(volume["upper"][:3])
    middle = (lower + upper) / 2
    size = max((upper - lower).max(), np.finfo(float).tiny)
    offsets = (offsets - normals @ middle) / size
    n = len(normals)
    i, j, k = np.array([(a, b, c) for a in range(n) for b in range(a + 1, n) for c in range(b + 1, n)]).T
    bc, ca, ab = np.cross(normals[j], normals[k]), np.cross(normals[k], normals[i]), np.cross(normals[i], normals[j])
    determinant = (normals[i] * bc).sum(1)
    keep = np.abs(determinant) > 0.5
    points = ((offsets[i, None] * bc + offsets[j, None] * ca + offsets[k, None] * ab)[keep] / determinant[keep, None])
    points = points[(points @ normals.T <= offsets + 1e-9).all(1)]
    return np.unique(np.round(points, 12), axis=0) * size + middle


def polygon_area(points):
    """Of the hull of points of a plane in space."""
    middle = points.mean(0)
    _, values, axes = np.linalg.svd(points - middle)
    if len(values) < 2 or values[1] <= 1e-9 * max(values[0], np.finfo(float).tiny):
        return 0.0
    try:
        return ConvexHull((points - middle) @ axes[:2].T).volume
    except QhullError:
        return 0.0


def kdop_sizes(volume):
    points = kdop_corners(volume)
    if len(points) < 2:
        return 0.0, 0.0, 0.0
    diameter = np.sqrt(((points[:, None] - points[None]) ** 2).sum(2).max())
    normals, offsets = kdop_planes(volume)
    middle = points.mean(0)
    size = np.abs(points - middle).max()
    total = content = 0.0
    for normal, offset in zip(normals, offsets):
        length = np.linalg.norm(normal)
        on = points[np.abs(points @ normal - offset) <= 1e-9 * size]
        if len(on) >= 3:
            area = polygon_area(on)
            total += area
            content += area * (offset - normal @ middle) / length / 3
    return content, total, diameter


def sizes(volume):
    """@return volume, surface area and diameter; the area of a flat one is that of both sides"""
    kind = kind_of(volume)
    if kind == "obb":
        return brick(volume["half_extents"])
    if kind == "aabb":
        return brick((np.array(volume["upper"]) - np.array(volume["lower"])) / 2)
    if kind == "sphere":
        return swept(0, 0, volume["radius"])
    if kind == "rss":
        return swept(*volume["half_extents"], volume["radius"])
    if kind == "capsule":
        return swept(np.linalg.norm(np.subtract(*volume["ends"])) / 2, 0, volume["radius"])
    return kdop_sizes(volume)


def excess(volume, points):
    """How far points are outside; inside below 0. Of k-DOPs the largest by any plane."""
    kind = kind_of(volume)
    p = np.asarray(points, float)
    if kind == "sphere":
        return np.linalg.norm(p - volume["center"], axis=1) - volume["radius"]
    if kind == "aabb":
        return np.maximum(np.array(volume["lower"]) - p, p - np.array(volume["upper"])).max(1)
    if kind == "kdop":
        normals, offsets = kdop_planes(volume)
        return ((p @ normals.T - offsets) / np.linalg.norm(normals, axis=1)).max(1)
    if kind == "capsule":
        a, b = np.array(volume["ends"])
        along = b - a
        square = along @ along
        t = np.clip((p - a) @ along / square, 0, 1) if square > 0 else np.zeros(len(p))
        return np.linalg.norm(p - a - t[:, None] * along, axis=1) - volume["radius"]
    local = (p - volume["center"]) @ np.array(volume["axes"]).T
    if kind == "obb":
        return (np.abs(local) - volume["half_extents"]).max(1)
    half = np.array([*volume["half_extents"], 0.0])
    return np.linalg.norm(local - np.clip(local, -half, half), axis=1) - volume["radius"]


def planes_of(volume):
    """@return normals and offsets of a box or a k-DOP, or None"""
    kind = kind_of(volume)
    if kind == "kdop":
        return kdop_planes(volume)
    if kind == "aabb":
        return np.concatenate([np.eye(3), -np.eye(3)]), np.concatenate([volume["upper"], -np.array(volume["lower"])])
    if kind == "obb":
        axes, half = np.array(volume["axes"]), np.array(volume["half_extents"])
        along = axes @ volume["center"]
        return np.concatenate([axes, -axes]), np.concatenate([along + half, half - along])
    return None


def common_volume(one, two):
    """@return the volume of what two balls, or two of boxes and k-DOPs, have in common; None for others"""
    if kind_of(one) == kind_of(two) == "sphere":
        return common_of_balls(one["radius"], two["radius"], np.linalg.norm(np.subtract(one["center"], two["center"])))
    a, b = planes_of(one), planes_of(two)
    if a is None or b is None:
        return None
    normals, offsets = np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]])
    length = np.linalg.norm(normals, axis=1)
    middle = kdop_corners(one).mean(0) if kind_of(one) == "kdop" else middle_of_box(one)
    normals, offsets = normals / length[:, None], (offsets - normals @ middle) / length
    size = np.abs(offsets[: len(a[1])]).max()
    # The largest ball in both (Chebyshev's centre), by linear programming.
    found = linprog([0, 0, 0, -1], np.column_stack([normals, np.ones(len(normals))]), offsets / size, bounds=[(None, None)] * 3 + [(0, None)])
    if not found.success or found.x[3] <= 1e-9:
        return 0.0
    corners = HalfspaceIntersection(np.column_stack([normals, -offsets / size]), found.x[:3]).intersections
    return ConvexHull(corners, qhull_options="QJ").volume * size ** 3


def middle_of_box(volume):
    return np.array(volume["center"]) if "center" in volume else (np.array(volume["lower"]) + volume["upper"]) / 2


def common_of_balls(r, s, d):
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return 4 / 3 * np.pi * min(r, s) ** 3
    return np.pi * (r + s - d) ** 2 * (d * d + 2 * d * (r + s) - 3 * (r - s) ** 2) / (12 * d)


# Distances to triangles.

TINY = np.finfo(float).tiny


class Nearest:
    """Distances to all triangles: bounds by many points on them, and exact ones."""

    def __init__(self, v, f, random):
        weights = np.array(areas(v, f), float)
        chosen = random.choice(len(f), min(200000, 4 * len(f) + 20000), p=weights / weights.sum())
        w = random.dirichlet([1, 1, 1], len(chosen))
        self.tree = cKDTree(np.concatenate([v[np.unique(f)], (v[f[chosen]] * w[:, :, None]).sum(1)]))
        self.middle = (v.min(0) + v.max(0)) / 2
        corners = v[f] - self.middle
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=1), TINY)[:, None]
        self.normal, self.offset = normal, (normal * corners[:, 0]).sum(1)
        self.sides = []
        for k in range(3):
            start, along = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
            inward = np.cross(normal, along)
            self.sides.append((start, (start ** 2).sum(1), along, (start * along).sum(1), np.maximum((along ** 2).sum(1), TINY), inward,
                               (inward * start).sum(1)))

    def bounds(self, points):
        return self.tree.query(points)[0]

    def exact(self, point):
        """By dot products with everything, which lose half of the digits: off by 1e-8 of the mesh's size or so."""
        p = point - self.middle
        least = np.full(len(self.normal), np.inf)
        inside = np.ones(len(self.normal), bool)
        for start, square, along, first, length, inward, height in self.sides:
            ahead = along @ p - first
            t = np.clip(ahead / length, 0, 1)
            least = np.minimum(least, p @ p - 2 * (start @ p) + square - t * (2 * ahead - t * length))
            inside &= inward @ p >= height
        least = np.where(inside, np.minimum(least, (self.normal @ p - self.offset) ** 2), least)
        return np.sqrt(max(least.min(), 0))

    def farthest(self, points, best=-1.0, at=None):
        """@return the largest distance of a point, and the point, or what was best before"""
        upper = self.bounds(points)
        for i in np.argsort(-upper):
            if upper[i] <= best:
                break
            d = self.exact(points[i])
            if d > best:
                best, at = d, points[i]
        return best, at


def volume_points(volume, count, random):
    """Corners and other points of a volume's hull, from which all of it can be reached."""
    kind = kind_of(volume)
    if kind == "kdop":
        corners = kdop_corners(volume)
    elif kind == "aabb":
        lower, upper = np.array(volume["lower"]), np.array(volume["upper"])
        corners = np.array([np.where([i & 1, i & 2, i & 4], upper, lower) for i in range(8)])
    elif kind == "sphere":
        directions = random.normal(size=(64, 3))
        corners = volume["center"] + volume["radius"] * directions / np.linalg.norm(directions, axis=1)[:, None]
    else:
        half = np.array([*volume["half_extents"], 0.0][:3]) + volume.get("radius", 0.0)
        signs = np.array([[1 if i & 1 else -1, 1 if i & 2 else -1, 1 if i & 4 else -1] for i in range(8)])
        corners = volume["center"] + (signs * half) @ np.array(volume["axes"])
    # Few corners with much weight reach edges and faces, many the inside.
    weights = random.dirichlet(np.full(len(corners), 0.15), count)
    return np.concatenate([corners, weights @ corners])


def into(volume, points, center, surface):
    """Moves points to the volume along the line to its centre: those outside, or all onto its surface. Flat volumes are surface."""
    low, high = np.zeros(len(points)), np.ones(len(points))
    if surface:
        reach = np.linalg.norm(points - center, axis=1)
        high = np.where(reach > 0, 4 * max(reach.max(), np.finfo(float).tiny) / np.maximum(reach, np.finfo(float).tiny), 1)
    tolerance = 1e-12 * (np.abs(points).max() + 1e-300)
    for _ in range(45):
        t = (low + high) / 2
        inside = excess(volume, center + t[:, None] * (points - center)) <= tolerance
        low, high = np.where(inside, t, low), np.where(inside, high, t)
    if not surface:
        low = np.where(excess(volume, points) <= tolerance, 1.0, low)
    return center + low[:, None] * (points - center)


def sampled_distance(volume, nearest, surface, count, random):
    """@return the largest distance to the triangles found in the volume, or on its surface: many samples, then uphill from the best"""
    points = volume_points(volume, count, random)
    center = np.array(volume["center"]) if "center" in volume else points[: max(4, len(points) - count)].mean(0)
    size = np.linalg.norm(points.max(0) - points.min(0))
    points = into(volume, points, center, surface)
    upper = nearest.bounds(points)
    # The farthest, and others as far as possible from those before.
    order = np.argsort(-upper)[:200]
    starts = [points[order[0]]]
    while len(starts) < 5:
        apart = np.min([np.linalg.norm(points[order] - s, axis=1) for s in starts], axis=0)
        starts.append(points[order[np.argmax(apart)]])
    best, at = nearest.farthest(points)
    for start in starts:
        here, there = nearest.farthest(start[None])
        step = 0.05 * size
        for _ in range(10):
            moved = into(volume, there + step * random.normal(size=(24, 3)), center, surface)
            further, to = nearest.farthest(moved, here, there)
            if further == here:
                step /= 2.5
            here, there = further, to
        if here > best:
            best, at = here, there
    return best
