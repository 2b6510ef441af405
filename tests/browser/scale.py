"""Sizes and colors in the view, against the documentation and the camera: the scale of errors, the scale bar, the axes."""

import os
import re

import numpy

from browser import read_number
from geometry import Eye


def read_scale():
    """The table of formats/README.md: limits in percent of the diagonal, and one color more."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "formats", "README.md")
    with open(path, encoding="utf-8") as page:
        rows = re.findall(r"(?m)^\| (?:up to ([0-9.]+)|more) \| (\d+), (\d+), (\d+) \|", page.read())
    return [float(row[0]) for row in rows if row[0]], [tuple(int(x) for x in row[1:]) for row in rows]


LIMITS, COLORS = read_scale()


def diagonal_of(report):
    box = report.json["bounds"]["aabb"]
    return float(numpy.linalg.norm(numpy.subtract(box["upper"], box["lower"])))


def color_of(error, report):
    return COLORS[int(numpy.searchsorted(LIMITS, 100 * error / diagonal_of(report)))]


AXES = """
const axes = document.querySelector( ".view-axes" );
return Array.from( axes.querySelectorAll( "line" ), ( line, i ) => [ line.getAttribute( "x2" ), line.getAttribute( "y2" ),
    axes.querySelectorAll( "text" )[i].textContent ] )
"""


def check_rule(browser, report, checks):
    """The bar is as long as what it says, where the camera looks; the axes point where theirs do."""
    for keys in ["", "++", "---"]:
        browser.focus("canvas")
        for key in keys:
            browser.press(key)
        browser.wait_for_frame()
        rule, camera = browser.get("rule"), browser.get("camera")
        eye = Eye(camera, browser.canvas_size())
        right = numpy.array(camera["view"]).reshape(4, 4)[:3, 0]
        half = rule["length"] / report.data["scale"] / 2 * right
        ends = eye.project(numpy.array([camera["target"] - half, camera["target"] + half]))
        pixels = numpy.linalg.norm(ends[1] - ends[0])
        wide = browser.run("return document.getElementById( 'view-rule-bar' ).getBoundingClientRect().width")
        checks.check(abs(pixels - rule["pixels"]) < 0.6 and abs(wide - pixels) < 1.5,
                     "a bar of %g is %g and %g pixels wide, not %g" % (rule["length"], wide, rule["pixels"], pixels))
        unit = "m" if "units" in report.json["tool"]["parameters"] else "mesh units"
        text = browser.run("return document.getElementById( 'view-rule-text' ).textContent")
        checks.check(read_number(text) == float("%.3g" % rule["length"]) and text.endswith(" " + unit), "the bar of %g says %s" % (rule["length"], text))
        view = numpy.array(camera["view"]).reshape(4, 4)[:3, :2] * [1, -1]
        found = browser.run(AXES)
        drawn = numpy.array([[float(x), float(y)] for x, y, _ in found])
        checks.check(numpy.abs(drawn - 26 * view).max() < 0.02, "axes drawn at %s, not %s" % (drawn, 26 * view))
        checks.equal([name for _, _, name in found], ["x", "y", "z"], "letters of the axes")
