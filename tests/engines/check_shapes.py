"""Compares shapes that an engine printed with what bvinspect exported as OBJ: SHAPES EXPORTED.obj SCALE TOLERANCE.

A line of SHAPES is a kind, a name, and points x,y,z. EXPORTED times SCALE is in the engine's unit. Shapes may come in another order.
Concave shapes must have the exported triangles, up to rounding. Of convex shapes there must be one for each exported object, whose box
differs from that of the object by at most TOLERANCE times its diagonal: Godot 3.2 makes its own hulls.
"""

import sys

import numpy
import scipy.spatial


def read_shapes(path):
    with open(path) as file:
        return [(line.split()[0], [tuple(map(float, point.split(","))) for point in line.split()[2:]]) for line in file]


def read_objects(path, scale):
    """The corners of the triangles of each object."""
    objects, positions = [], []
    with open(path) as file:
        for line in file:
            words = line.split()
            if words and words[0] == "o":
                objects.append([])
            elif words and words[0] == "v":
                positions.append(tuple(scale * float(word) for word in words[1:4]))
            elif words and words[0] == "f":
                if not objects:
                    objects.append([])
                objects[-1] += [positions[int(word.split("/")[0]) - 1] for word in words[1:]]
    return objects


def box_of(points):
    return [min(p[k] for p in points) for k in range(3)] + [max(p[k] for p in points) for k in range(3)]


def compare_convex(shapes, objects, tolerance):
    left = [box_of(points) for points in objects]
    worst = 0.0
    for points in shapes:
        box = box_of(points)
        nearest = min(left, key=lambda other: max(abs(x - y) for x, y in zip(box, other)))
        diagonal = sum((nearest[k + 3] - nearest[k]) ** 2 for k in range(3)) ** 0.5
        worst = max(worst, max(abs(x - y) for x, y in zip(box, nearest)) / diagonal)
        left.remove(nearest)
    if worst > tolerance:
        sys.exit("a box differs by %.3f of its diagonal" % worst)
    return "%d shapes, boxes within %.3f of a diagonal" % (len(shapes), worst)


def compare_concave(points, corners):
    """Equal once each point is the number of the exported vertex that is nearest to it."""
    vertices = numpy.unique(numpy.array(corners), axis=0)
    distances, mine = scipy.spatial.cKDTree(vertices).query(numpy.array(points))
    theirs = scipy.spatial.cKDTree(vertices).query(numpy.array(corners))[1]
    if distances.max() > 1e-6 * numpy.abs(vertices).max():
        sys.exit("a point is %g off" % distances.max())

    def triangles(numbers, turned):
        # The winding counts, the corner that a triangle begins with does not.
        out = []
        for triangle in numbers.reshape(-1, 3).tolist():
            triangle = triangle[::-1] if turned else triangle
            k = triangle.index(min(triangle))
            out.append(tuple(triangle[k:] + triangle[:k]))
        return sorted(out)
    # The front of a triangle is clockwise in some engines.
    if triangles(theirs, False) not in (triangles(mine, False), triangles(mine, True)):
        sys.exit("the triangles differ: %d and %d" % (len(mine) // 3, len(theirs) // 3))
    return "%d triangles" % (len(mine) // 3)


shapes, objects = read_shapes(sys.argv[1]), read_objects(sys.argv[2], float(sys.argv[3]))
if len(shapes) != len(objects) or not objects:
    sys.exit("%d shapes for %d objects" % (len(shapes), len(objects)))
if all(kind == "convex" for kind, _ in shapes):
    print("equal:", compare_convex([points for _, points in shapes], objects, float(sys.argv[4])))
elif len(shapes) == 1:
    print("equal:", compare_concave(shapes[0][1], objects[0]))
else:
    sys.exit("convex and concave shapes")
