"""What follows from the table of bench_world_claims.

    world_claims.py TABLE.md            prints a table: from which share of movers on two axes take less time than one
    world_claims.py TABLE.csv PLOT.svg  draws how many times as long one axis takes as two, over the share of boxes that move

Lines of the plot are geometric means over scenes, and vertical lines their range. Nothing is measured here.
"""

import csv
import math
import sys

KINDS = {1000: "ours", 10000: "first", 100000: "second"}


def read(path):
    with open(path) as file:
        if path.endswith(".csv"):
            return list(csv.DictReader(file))
        lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in file if line.startswith("| ")]
    return [dict(zip(lines[0], line)) for line in lines[2:]]


def crossing(rows, method):
    """The share from which on `interval` is faster, interpolated between logarithms."""
    points = sorted((float(row["moving"]), math.log(float(row[method]) / float(row["interval"]))) for row in rows)
    if points[-1][1] < 0:
        return "never"
    slower = [i for i, point in enumerate(points) if point[1] < 0]
    if not slower:
        return "always"
    (x, low), (end, high) = points[slower[-1]], points[slower[-1] + 1]
    return f"{math.exp(math.log(x) + math.log(end / x) * low / (low - high)):.2g} %"


def print_crossings(rows):
    methods = [method for method in rows[0] if method not in ("scene", "boxes", "moving", "interval")]
    print("\n| scene | boxes |" + "".join(f" {method} |" for method in methods) + "\n| --- | ---: |" + " ---: |" * len(methods))
    for scene, boxes in dict.fromkeys((row["scene"], row["boxes"]) for row in rows):
        cell = [row for row in rows if row["scene"] == scene and row["boxes"] == boxes]
        print(f"| {scene} | {boxes} |" + "".join(f" {crossing(cell, method)} |" for method in methods))


def draw(rows, path):
    import plots

    ratios = {}
    for row in rows:
        ratio = float(row["linked"]) / float(row["interval"])
        ratios.setdefault(int(row["boxes"]), {}).setdefault(float(row["moving"]), []).append(ratio)
    series = []
    for boxes, shares in ratios.items():
        points = [(share, math.exp(sum(map(math.log, of)) / len(of)), min(of), max(of)) for share, of in shares.items()]
        series.append((f"{boxes:,} boxes", KINDS.get(boxes, "third"), points))
    plots.draw_lines(path, "Sweep and prune along one axis against along two",
                     "Time of linked divided by that of interval: geometric mean and range of Brownian motion, free fall and gravity",
                     "boxes that move, %", "one axis / two axes", series)


if len(sys.argv) == 2:
    print_crossings(read(sys.argv[1]))
else:
    draw(read(sys.argv[1]), sys.argv[2])
