"""Draws the plot of docs/experiments/world_grids.md from its table: world_grids.py TABLE.csv PLOT.svg

Time of a moved box by the ratio of sizes, for the greatest number of boxes of the table, all of which move. Nothing is measured here.
"""

import csv
import sys

import plots

NAMES = {"uniform, us": ("uniform", "first"), "levels, us": ("levels", "second"), "hash-grids, us": ("hash-grids", "third"),
         "spatial-hash, us": ("spatial-hash", "fourth"), "tree, us": ("tree", "ours")}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    most = max(int(row["boxes"]) for row in rows)
    rows = [row for row in rows if int(row["boxes"]) == most and row["moving"] == "100"]
    series = [(*label, [(float(row["ratio"]), *[float(row[column])] * 3) for row in rows]) for column, label in NAMES.items()]
    plots.draw_lines(sys.argv[2], "Grids where sizes spread", f"{most:,} boxes, all of which move; processor time, medians",
                     "longest side / shortest side", "us of a moved box", series)


main()
