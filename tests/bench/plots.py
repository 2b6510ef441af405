"""Plots of what bench.py measured, as SVG files that are readable on light and on dark pages."""


def draw_all(samples, folder):
    del samples, folder
