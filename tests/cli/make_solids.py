"""Writes primitives that lie in all kinds of ways as OBJ files: python3 make_solids.py FOLDER. Prints a line each: NAME SHAPE."""

import math
import os
import sys

import numpy as np

folder = sys.argv[1]


def frame_of(axis, angle):
    """Rotation about an axis (Rodrigues)."""
    a = np.array(axis, dtype=float)
    a /= np.linalg.norm(a)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def write(name, shape, rows, frame, center):
    """Rings of points from pole to pole; the first and the last are one point each."""
    points = [frame @ np.array(p, dtype=float) + center for row in rows for p in row]
    first = [sum(len(row) for row in rows[:i]) for i in range(len(rows))]
    faces = []
    for i in range(len(rows) - 1):
        a, b = len(rows[i]), len(rows[i + 1])
        n = max(a, b)
        for k in range(n):
            low = [first[i] + k % a, first[i] + (k + 1) % a]
            high = [first[i + 1] + k % b, first[i + 1] + (k + 1) % b]
            face = [low[0], low[1], high[1], high[0]]
            face = [v for j, v in enumerate(face) if v != face[j - 1]]
            faces.append(face)
    with open(os.path.join(folder, name + ".obj"), "w") as file:
        file.writelines("v %.17g %.17g %.17g\n" % tuple(p) for p in points)
        file.writelines("f " + " ".join(str(v + 1) for v in face) + "\n" for face in faces)
    print(name, shape)


def ring(radius, z, sides=64):
    return [(radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides), z) for k in range(sides)]


def ball(radius, half):
    """A ball cut in two at the equator, its halves 2 * half apart."""
    angles = [math.pi * i / 32 for i in range(1, 32)]
    lower = [ring(radius * math.sin(a), -radius * math.cos(a) - half) for a in angles if a <= math.pi / 2]
    upper = [ring(radius * math.sin(a), -radius * math.cos(a) + half) for a in angles if a >= math.pi / 2]
    middle = lower + (upper[1:] if half == 0 else upper)
    return [[(0, 0, -radius - half)]] + middle + [[(0, 0, radius + half)]]


square = [(-1, -2), (1, -2), (1, 2), (-1, 2)]
box = [[(0, 0, -3)], [(x, y, -3) for x, y in square], [(x, y, 3) for x, y in square], [(0, 0, 3)]]
cylinder = [[(0, 0, -2)], ring(0.7, -2), ring(0.7, 2), [(0, 0, 2)]]
center = np.array([3.0, -1.0, 0.5])
quarter = math.pi / 2
ways = {
    "z": np.eye(3),
    "x": frame_of((0, 1, 0), quarter),
    "y": frame_of((1, 0, 0), -quarter),
    "down": frame_of((1, 0, 0), math.pi),
    "back": frame_of((1, 0, 0), quarter),
    "askew": frame_of((1, 2, -0.5), 0.8),
    "far": frame_of((-3, 1, 2), 2.9),
}
for way, frame in ways.items():
    write("box_" + way, "box", box, frame, center)
    write("cylinder_" + way, "cylinder", cylinder, frame, center)
    write("capsule_" + way, "capsule", ball(0.8, 1.5), frame, center)
write("ball", "sphere", ball(1.25, 0), ways["askew"], center)
