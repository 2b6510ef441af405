#!/usr/bin/python3
"""Draws how narrow answers of searches are after parts of their tests, as bench_search measured: search_plot.py CSV SVG."""

import csv
import sys

import plots

KINDS = ("ours", "first", "second")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    series = []
    for row, kind in zip(rows, KINDS):
        # The answer of the roots, after no test, has no place on a logarithmic axis.
        widths = [(float(name.split("_")[1]), float(value)) for name, value in row.items() if name.startswith("width_")]
        series.append((row["placements"], kind, [(100 * share, *3 * [100 * width]) for share, width in widths if share > 0]))
    plots.draw_lines(sys.argv[2], "Width of answers of searches that are stopped",
                     "upper - lower, % of the smaller mesh's diagonal; medians of 400 pairs of meshes", "% of the tests of the whole search",
                     "width, %", series)


main()
