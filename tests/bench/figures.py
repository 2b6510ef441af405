"""Draws the plots of docs/benchmarks.md from its tables: figures.py PAGE BENCH.svg RAYS.svg

Each bar is one ratio that says how many times as fast the project is as a peer: a row of the table between the markers of `bench`,
or a cell of the first table between those of `rays`. The thin line is the range over meshes. Nothing is measured here.
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

WANTED_RAYS = [  # a row's first cell, a column, and the bar's label
    ("first hit, incoherent", "Embree robust", "first hit / Embree robust"),
    ("any hit, incoherent", "Embree robust", "any hit / Embree robust"),
    ("first hit, incoherent", "Bullet", "first hit / Bullet"),
    ("first hit, incoherent", "CGAL", "first hit / CGAL"),
    ("closest point, near", "Embree", "closest point / Embree"),
    ("closest point, near", "CGAL", "closest point / CGAL"),
    ("ball, all", "Embree", "ball, all / Embree"),
    ("ball, all", "Bullet", "ball, all / Bullet"),
    ("aligned box, all", "CGAL", "aligned box, all / CGAL"),
    ("cast of a ball, far", "Bullet", "cast of a ball / Bullet"),
    ("cast of a box, far", "Bullet", "cast of a box / Bullet"),
]


def rows_of(page, name):
    """The cells of all rows between the markers."""
    text = page.split("<!-- begin %s -->" % name)[1].split("<!-- end %s -->" % name)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")]


def bars_of_bench(page):
    rows = rows_of(page, "bench")
    bars = []
    for what, peer, label in WANTED:
        row = next(row for row in rows if row[0].startswith(what) and row[1].startswith(peer))
        ends = re.findall(r"(\d+\.\d+) \(", row[3])
        bars.append((label, float(row[2]), float(ends[0]), float(ends[1])))
    return bars


def bars_of_rays(page):
    rows = rows_of(page, "rays")
    bars = []
    for what, peer, label in WANTED_RAYS:
        row = next(row for row in rows if row[0] == what)
        bars.append((label, *map(float, re.findall(r"\d+\.\d+", row[rows[0].index(peer)]))))
    return bars


def draw(bars, out):
    """Bars begin at 1. The axis begins there too, unless there are ratios below 1/2."""
    left, width, step = 190, 430, 22
    least = min(bar[2] for bar in bars)
    first = 1 if least > 0.5 else 2.0 ** math.floor(math.log2(least))
    limit = math.log(max(bar[3] for bar in bars) / first)

    def x(value):
        return left + width * max(math.log(value / first), 0) / limit

    height = step * len(bars) + 46
    svg = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 %d" font-family="sans-serif" font-size="12">' % height,
           '<rect width="680" height="%d" fill="#fff"/>' % height]
    for tick in (tick for tick in (0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64) if tick >= first):
        svg.append('<path d="M%.1f 8V%d" stroke="#ddd"/>' % (x(tick), height - 38))
        svg.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%g</text>' % (x(tick), height - 24, tick))
    for index, (label, ratio, least, most) in enumerate(bars):
        y = 10 + step * index
        svg.append('<text x="%d" y="%d" text-anchor="end">%s</text>' % (left - 8, y + 13, label))
        start, end = sorted((x(1), x(ratio)))
        svg.append('<rect x="%g" y="%d" width="%.1f" height="14" fill="#3b7dd8"><title>%.2f</title></rect>' % (round(start, 1), y + 2, end - start, ratio))
        svg.append('<path d="M%.1f %dH%.1f" stroke="#222" stroke-width="1.5"/>' % (x(least), y + 9, x(most)))
    svg.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555">times as fast as the peer (line: range over meshes)</text>' % (left + width / 2, height - 7))
    svg.append("</svg>")
    with open(out, "w") as file:
        file.write("\n".join(svg) + "\n")


def main(path, bench, rays):
    with open(path) as file:
        page = file.read()
    draw(bars_of_bench(page), bench)
    draw(bars_of_rays(page), rays)


if __name__ == "__main__":
    main(*sys.argv[1:])
