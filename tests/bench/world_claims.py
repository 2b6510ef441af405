"""Draws the plot of docs/experiments/world_claims.md from the table beside it: world_claims.py TABLE.csv PLOT.svg

For each number of boxes, a line of how many times as long sweep and prune along one axis takes as along two, over the share of boxes
that move. The vertical lines are the range over scenes. Nothing is measured here.
"""

import csv
import math
import sys

import plots

KINDS = {1000: "ours", 10000: "first", 100000: "second"}


def main():
    table, plot = sys.argv[1:]
    ratios = {}
    with open(table) as file:
        for row in csv.DictReader(file):
            ratio = float(row["linked"]) / float(row["interval"])
            ratios.setdefault(int(row["boxes"]), {}).setdefault(float(row["moving"]), []).append(ratio)
    series = []
    for boxes, shares in ratios.items():
        points = [(share, math.exp(sum(map(math.log, all_of)) / len(all_of)), min(all_of), max(all_of)) for share, all_of in shares.items()]
        series.append((f"{boxes:,} boxes", KINDS[boxes], points))
    plots.draw_lines(plot, "Sweep and prune along one axis against along two",
                     "Time of linked divided by that of interval: geometric mean and range of Brownian motion, free fall and gravity",
                     "boxes that move, %", "one axis / two axes", series)


main()
