"""Moves a mesh, compares reports of a mesh and of the moved one, and makes small far meshes. See test_far.sh.

    far_meshes.py move IN OUT X Y Z     coordinates of an OBJ or OFF file, on a grid of 2^-12 of its size, plus these
    far_meshes.py same NEAR FAR X Y Z   two JSON reports: the same numbers, but for places, which are moved
    far_meshes.py poses OUT X Y Z       poses of a mesh against itself at 0; and OUT.far, the same ones at that place
"""
import json
import math
import random
import sys


def vertex_lines(path):
    """@return the lines of a file, and which of them are vertices"""
    lines = open(path, encoding="utf-8").read().split("\n")
    if path.endswith(".obj"):
        return lines, [i for i, line in enumerate(lines) if line.startswith("v ")]
    used = [i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    head = lines[used[0]].split()
    count, first = (int(lines[used[1]].split()[0]), 2) if len(head) == 1 else (int(head[1]), 1)
    return lines, used[first:first + count]


def move(source, target, *shift):
    lines, where = vertex_lines(source)
    first = 1 if source.endswith(".obj") else 0
    points = [[float(x) for x in lines[i].split()[first:first + 3]] for i in where]
    size = max(max(p[k] for p in points) - min(p[k] for p in points) for k in range(3))
    step = 2.0 ** math.floor(math.log2(size / 4096))
    for i, p in zip(where, points):
        # Sums are exact as long as they have 53 bits: up to 2^40 sizes.
        moved = [round(x / step) * step + float(s) for x, s in zip(p, shift)]
        lines[i] = " ".join(["v"][:first] + [repr(x) for x in moved])
    open(target, "w", encoding="utf-8").write("\n".join(lines))


DIRECTIONS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1),
              (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1)]
PLACES = {"center", "center_of_mass", "ends", "lower", "upper", "offset"}
OTHER = {"source", "file", "build", "tool"}


def same(near, far, *shift):
    shift = [float(x) for x in shift]
    places = 0
    wrong = []

    def place(path, a, b, by):
        nonlocal places
        places += 1
        if abs(a + by - b) > 1e-15 * max(abs(by), abs(b), 1):
            wrong.append(f"{path}: {a!r} moved by {by!r} is not {b!r}")

    def walk(path, a, b, key):
        if isinstance(a, dict) and isinstance(b, dict):
            for name in sorted(set(a) | set(b)):
                if path or name not in OTHER:
                    walk(f"{path}.{name}", a.get(name), b.get(name), name)
        elif isinstance(a, list) and isinstance(b, list) and key in PLACES and a and isinstance(a[0], list):
            for i, rows in enumerate(zip(a, b)):
                walk(f"{path}[{i}]", *rows, "center")
        elif isinstance(a, list) and isinstance(b, list) and key in PLACES and len(a) in (3, 13):
            for d, x, y in zip(DIRECTIONS, a, b):
                place(path, x, y, sum(s * t for s, t in zip(d, shift)))
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            for i, items in enumerate(zip(a, b)):
                walk(f"{path}[{i}]", *items, "")
        elif a != b:
            wrong.append(f"{path}: {a!r} is not {b!r}")

    with open(near, encoding="utf-8") as a, open(far, encoding="utf-8") as b:
        walk("", json.load(a), json.load(b), "")
    if wrong or places < 30:
        sys.exit("\n".join(wrong[:20]) or f"only {places} places")


def poses(target, *shift):
    shift = [float(x) for x in shift]
    draw = random.Random(7)
    turns = [((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, -1, 0), (1, 0, 0), (0, 0, 1)), ((0, 0, 1), (0, 1, 0), (-1, 0, 0))]
    with open(target, "w", encoding="utf-8") as near, open(target + ".far", "w", encoding="utf-8") as far:
        head = "tx,ty,tz," + ",".join(f"r{i}{k}" for i in range(3) for k in range(3)) + "\n"
        near.write(head)
        far.write(head)
        for i in range(30):
            turn = turns[i % 3]
            way = [draw.randrange(-512, 513) / 512 for _ in range(3)]
            # x -> R (x - s) + t + s: quarter turns and such numbers are exact.
            there = [t + s - sum(r * x for r, x in zip(row, shift)) for t, s, row in zip(way, shift, turn)]
            rows = ",".join(str(x) for row in turn for x in row)
            near.write(",".join(repr(x) for x in way) + "," + rows + "\n")
            far.write(",".join(repr(x) for x in there) + "," + rows + "\n")


if __name__ == "__main__":
    {"move": move, "same": same, "poses": poses}[sys.argv[1]](*sys.argv[2:])
