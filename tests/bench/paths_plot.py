#!/usr/bin/python3
"""Draws the tests of each step along the paths of bench_paths, by expansion rule: paths_plot.py CSV SVG."""

import csv
import sys

import plots

RULES = (("larger", "ours"), ("both", "second"), ("hybrid", "first"))
WIDTH, LEFT, RIGHT, TOP, PANEL, GAP = 820, 70, 20, 92, 120, 46


def panel(rows, name, top):
    """One path. Steps with a contact are marked below the curves."""
    tests = [float(row[rule]) for row in rows for rule, _ in RULES]
    # A step without any pair of boxes has no place on a logarithmic axis.
    scale = plots.Scale([max(value, 1) for value in tests], top + PANEL, top)
    across = (WIDTH - LEFT - RIGHT) / (len(rows) - 1)
    parts = [plots.text(LEFT, top - 8, name)]
    for value in (1, 10, 100, 1e3, 1e4, 1e5):
        if scale.lower <= value <= scale.upper:
            y = scale.at(value)
            parts += [f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>', plots.text(LEFT - 8, y + 4, plots.number(value), "small", "end")]
    for step in range(0, len(rows), 100):
        parts.append(plots.text(LEFT + across * step, top + PANEL + 20, str(step), "small", "middle"))
    for rule, kind in reversed(RULES):
        points = " ".join(f"{LEFT + across * i:.1f},{scale.at(max(float(row[rule]), 1)):.1f}" for i, row in enumerate(rows))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{plots.COLOURS[kind]}" stroke-width="1.2"/>')
    met = "".join(f"M{LEFT + across * i:.1f} {top + PANEL + 2}v6" for i, row in enumerate(rows) if int(row["pairs"]) > 0)
    parts.append(f'<path d="{met}" stroke="{plots.COLOURS["third"]}" stroke-width="1.4"/>')
    parts.append(f'<path class="axis" d="M{LEFT} {top}V{top + PANEL}H{WIDTH - RIGHT}"/>')
    return parts


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = list(dict.fromkeys(row["path"] for row in rows))
    parts = []
    for i, (rule, kind) in enumerate(RULES):
        parts += plots.legend([(rule, kind)], WIDTH - 270 + 90 * i, 70)
    for i, name in enumerate(names):
        parts += panel([row for row in rows if row["path"] == name], name, TOP + i * (PANEL + GAP) + 6)
    height = TOP + len(names) * (PANEL + GAP) + 10
    parts.append(plots.text(WIDTH / 2, height - 6, "step; steps with a contact are marked below the axis", "small", "middle"))
    plots.write(sys.argv[2], WIDTH, height, "Tests of each step along the paths, by expansion rule",
                "All pairs of triangles; k-means, improvement rate 0.75, as figures D.41 to D.44 of Eckstein 1998", parts)


main()
