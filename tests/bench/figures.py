"""Draws the plot of docs/benchmarks.md from its table: figures.py PAGE OUT.svg

Each bar is one row of the table between the markers of `bench` whose ratio says how many times as fast the project is as a
peer. The thin line is the range over meshes. Nothing is measured here.
"""

import math
import re
import sys

WANTED = [  # the beginning of a row's first two cells, and the bar's label
    ("build of `fast`, original meshes", "Embree", "build, fast / Embree"),
    ("build of `balanced`", "FCL", "build, balanced / FCL"),
    ("all pairs", "FCL", "all pairs / FCL"),
    ("all pairs", "Bullet", "all pairs / GImpact"),
    ("all pairs", "ODE", "all pairs / OPCODE"),
    ("first hit", "FCL", "first hit / FCL"),
    ("first hit", "Bullet", "first hit / GImpact"),
    ("first hit", "ODE", "first hit / OPCODE"),
    ("distances of meshes", "the faster", "distance, meshes / FCL"),
    ("distances of points", "the faster", "distance, points / FCL"),
]


def main(page, out):
    with open(page) as file:
        text = file.read().split("<!-- begin bench -->")[1].split("<!-- end bench -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")]
    bars = []
    for what, peer, label in WANTED:
        row = next(row for row in rows if row[0].startswith(what) and row[1].startswith(peer))
        ends = re.findall(r"(\d+\.\d+) \(", row[3])
        bars.append((label, float(row[2]), float(ends[0]), float(ends[1])))
    left, width, step = 190, 430, 22
    limit = math.log(max(bar[3] for bar in bars))

    def x(value):
        return left + width * max(math.log(value), 0) / limit

    height = step * len(bars) + 46
    svg = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 %d" font-family="sans-serif" font-size="12">' % height,
           '<rect width="680" height="%d" fill="#fff"/>' % height]
    for tick in (1, 2, 4, 8, 16, 32, 64):
        svg.append('<path d="M%.1f 8V%d" stroke="#ddd"/>' % (x(tick), height - 38))
        svg.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%d</text>' % (x(tick), height - 24, tick))
    for index, (label, ratio, least, most) in enumerate(bars):
        y = 10 + step * index
        svg.append('<text x="%d" y="%d" text-anchor="end">%s</text>' % (left - 8, y + 13, label))
        svg.append('<rect x="%d" y="%d" width="%.1f" height="14" fill="#3b7dd8"><title>%.2f</title></rect>' % (left, y + 2, x(ratio) - left, ratio))
        svg.append('<path d="M%.1f %dH%.1f" stroke="#222" stroke-width="1.5"/>' % (x(least), y + 9, x(most)))
    svg.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555">times as fast as the peer (line: range over meshes)</text>' % (left + width / 2, height - 7))
    svg.append("</svg>")
    with open(out, "w") as file:
        file.write("\n".join(svg) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
