#!/usr/bin/python3
"""Draws what bench_particles counted for figure 4 of Stratbuecker 2003: particles_plot.py CSV SVG."""

import csv
import sys

import plots

# Of each line: what was counted, at which energy.
LINES = [("comparisons, two passes, 1", "comparisons two passes", "energy 1", "first"),
         ("comparisons, two passes, 0.01", "comparisons two passes", "energy 0.01", "second"),
         ("comparisons, one pass, 0.01", "comparisons one pass", "energy 0.01", "third"),
         ("tests, completed form, 0.01", "tests completed", "energy 0.01", "ours"),
         ("tests, two passes, 0.01", "tests two passes", "energy 0.01", "fourth"),
         ("tests, one pass, 0.01", "tests one pass", "energy 0.01", "also ours")]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["mesh"] == "figure 4"]
    series = []
    for name, what, entrant, kind in LINES:
        points = [(int(row["triangles"]), *3 * [float(row["value"])]) for row in rows if (row["what"], row["entrant"]) == (what, entrant)]
        series.append((name, kind, points))
    plots.draw_lines(sys.argv[2], "Comparisons per particle and step",
                     "Stratbuecker 2003, figure 4, counted again; energy: greatest way of a step, in radii", "particles", "per particle", series)


main()
