"""What the view draws, against the data in the page by other means: volumes by how far they reach in each direction, colours by
their order, bounds by the numbers that one reads, the camera by where it looks, and controls by the pixels that they change."""

import re

import numpy
from scipy.optimize import linprog
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from geometry import Eye, read_array, read_points

DIRECTIONS = numpy.random.default_rng(7).normal(size=(24, 3))
DIRECTIONS /= numpy.linalg.norm(DIRECTIONS, axis=1)[:, None]
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def read_number(text):
    """What stands at the beginning of a text, as the page writes numbers."""
    digits, exponent = re.match(r"≤? ?(−?[0-9,.]+)(?:×10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))?", text).groups()
    return float(digits.replace(",", "").translate(RAISED) + ("e" + exponent.translate(RAISED) if exponent else ""))


class Shapes:
    """How far each node's volume reaches, from its numbers, and by how much a drawn one may fall short."""

    def __init__(self, data):
        tree = data["tree"]
        self.types = [tree["types"][i] for i in read_array(tree["type"])]
        self.first = numpy.cumsum([0] + [kind["numbers"] for kind in self.types])
        self.numbers = read_array(tree["shapes"]).astype(float)
        self.directions = numpy.array(tree["directions"])

    def reach(self, node):
        kind = self.types[node]
        numbers = self.numbers[self.first[node]:self.first[node + 1]]
        if kind["name"] in ("obb", "aabb", "sphere", "rss"):
            axes = {"obb": 3, "aabb": 3, "sphere": 0, "rss": 2}[kind["name"]]
            vectors = numbers[:3 + 3 * axes].reshape(-1, 3)
            radius = numbers[3 + 3 * axes] if kind["name"] in ("sphere", "rss") else 0
            return DIRECTIONS @ vectors[0] + numpy.abs(DIRECTIONS @ vectors[1:].T).sum(axis=1) + radius, 0.2 * radius
        normals = self.directions[kind["directions"]]
        bounds = numbers.reshape(-1, 2)
        planes, limits = numpy.r_[normals, -normals], numpy.r_[bounds[:, 1], -bounds[:, 0]]
        far = [linprog(-way, A_ub=planes, b_ub=limits + 1e-9, bounds=(None, None)) for way in DIRECTIONS]
        return numpy.array([-result.fun for result in far]), 0

    def check(self, node, points, checks, what):
        reach, short = self.reach(node)
        drawn = (DIRECTIONS @ numpy.array(points).reshape(-1, 3).T).max(axis=1)
        size = numpy.ptp(numpy.r_[reach, drawn]) + 1e-6
        off = reach - drawn
        checks.check((off > -1e-5 * (1 + size)).all() and (off <= short + 1e-5 * (1 + size)).all(),
                     "%s: reaches %s short at most, %s too far" % (what, off.max(), -off.min()))


def check_volumes(browser, report, checks):
    """Of a level: each volume is its node's, and the larger what colours go by, the darker, on a light page."""
    if not report.tree:
        return
    tree, shapes = report.tree, Shapes(report.data)
    browser.set("volumes", "translucent")
    browser.set("by-level", True)
    level = min(4, tree.whole_levels - 1)
    browser.set("level", level)
    browser.wait_for_frame()
    nodes = numpy.flatnonzero(tree.level == level)
    places = nodes[::max(1, len(nodes) // 12)]
    for place in places:
        drawn = browser.run("return bvReport.drawnVolume( arguments[0] )", int(tree.number[place]))
        checks.check(drawn is not None, "node %d is not drawn" % tree.number[place])
        if drawn:
            shapes.check(place, drawn["points"], checks, "node %d as drawn" % tree.number[place])
    for color in (["error"] if tree.errors else []) + ["level"]:
        for measure in ["solid", "surface"] if color == "error" else ["solid"]:
            browser.set("measure", measure)
            browser.set("color", color)
            browser.set("leaves", True)
            browser.wait_for_frame()
            numbers = browser.get("drawn.nodes")
            pick = [int(n) for n in numbers[::max(1, len(numbers) // 40)]]
            colors = numpy.array(browser.run("return arguments[0].map( n => bvReport.drawnVolume( n ).color )", pick))
            at = [int(numpy.flatnonzero(tree.number == n)[0]) for n in pick]
            values = (tree.errors[measure] if color == "error" else tree.level)[at]
            light = colors @ [0.2126, 0.7152, 0.0722]
            order = numpy.argsort(values, kind="stable")
            checks.check((numpy.diff(light[order]) <= 1).all(), "colours by %s of %s are not in their order" % (color, measure))
            top = values.max()
            least = values[values > 0].min() if (values > 0).any() else top
            if color == "error" and top > 2 * least and least > tree.errors[measure].max() / 1000:
                checks.check(light[values == top].max() < light[values == least].min() - 5, "the colours of errors are the same")
    browser.set("color", "error" if tree.errors else "level")
    browser.set("measure", "solid")


def check_bounds(browser, report, checks):
    """Every bound of the data as one reads it: never less, and the next number of four digits at most."""
    if not report.tree or not report.tree.errors:
        return
    for measure in ["solid", "surface"]:
        values = report.tree.errors[measure]
        shown = numpy.array([read_number(text) for text in browser.run(
            "return arguments[0].map( x => bvView.formatUpper( x ) )", [float(x) for x in values])])
        checks.check((shown >= values).all(), "%d bounds are rounded down" % (shown < values).sum())
        checks.check((shown <= values * (1 + 1.001e-3)).all(), "bounds are rounded up too far")
        lower = numpy.array([read_number(text) for text in browser.run(
            "return arguments[0].map( x => bvView.formatLower( x ) )", [float(x) for x in values])])
        checks.check((lower <= values).all() and (lower >= values * (1 - 1.001e-3)).all(), "lower bounds are not rounded down")
    # The root's is the JSON report's.
    root = report.json["hierarchy"].get("errors") or report.json.get("errors") or {}
    if root.get("solid", {}).get("upper") is not None:
        checks.equal(float(report.tree.errors["solid"][0]), root["solid"]["upper"], "the root's error")
    ticks = browser.run("return Array.from( document.querySelectorAll( '#view-legend-ticks span' ), s => s.textContent )")
    high = report.tree.errors["solid"].max()
    checks.check(high <= read_number(ticks[2]) <= 1.1 * high, "the legend ends at %s, not %g" % (ticks[2], high))


def check_nodes(browser, report, checks):
    """A link to a node: it is outlined, its triangles are marked, it and its siblings are drawn, and the camera looks at it."""
    tree = report.tree
    if not tree:
        return
    shapes = Shapes(report.data)
    for place in sorted({0, len(tree.number) // 2, len(tree.number) - 1}):
        number = int(tree.number[place])
        # Only a change of the address is told of.
        browser.run("location.hash = '#view'; location.hash = '#view=node:' + arguments[0]", number)
        browser.wait_for_frame()
        drawn = browser.get("drawn")
        what = "node %d as outlined" % number
        checks.check(drawn["outlined"] is not None, what + " is not")
        if not drawn["outlined"]:
            continue
        shapes.check(place, drawn["outlined"], checks, what)
        siblings = {int(n) for n in tree.number[tree.parent == tree.parent[place]]}
        checks.equal({int(n) for n in drawn["nodes"]}, siblings, "nodes drawn with node %d" % number)
        if report.mesh and not report.data["mesh"]["numbers"]:
            checks.equal(drawn["below"], [int(tree.first[place]), int(tree.triangles[place])], "triangles marked of node %d" % number)
        points = numpy.array(drawn["outlined"]).reshape(-1, 3)
        eye = Eye(browser.get("camera"), browser.canvas_size())
        seen = eye.project(points)
        checks.check(((seen >= 0) & (seen <= eye.size)).all(), what + ": not all in the picture")
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        checks.check(numpy.abs(browser.get("camera.target") - middle).max() < 1e-4, what + ": the camera looks elsewhere")
        extent = numpy.ptp(seen, axis=0).max() / eye.size.min()
        checks.check(numpy.ptp(points, axis=0).max() < 1e-3 or 0.1 < extent < 0.7, what + ": takes up %.2f of the picture" % extent)
        if tree.errors:
            for measure in ["surface", "solid"]:
                browser.set("measure", measure)
                panel = browser.run("return Array.from( document.querySelectorAll( '#view-picked dl:first-of-type dd' ), d => d.textContent )")
                rows = browser.run("return Array.from( document.querySelectorAll( '#view-picked [aria-current]' ), b => b.lastChild.textContent )")
                for text, value in [(panel[3][8:], tree.errors["solid"][place]), (panel[4][8:], tree.errors["surface"][place]),
                                    (rows[0], tree.errors[measure][place])]:
                    checks.check(value <= read_number(text) <= value * 1.0011, "node %d: %s stands for %g" % (number, text, value))
    worst = [read_number(text) for text in browser.run(
        "return Array.from( document.querySelectorAll( '#view-worst ol:first-of-type button' ), b => b.lastChild.textContent )")]
    if tree.errors:
        checks.equal(worst, sorted(worst, reverse=True), "the worst nodes")
    button = "#view-picked [data-show='node:0']"
    browser.run("const b = document.querySelector( arguments[0] ); b.focus(); b.click();", button)
    checks.equal(browser.run("return document.activeElement.dataset.show"), "node:0", "the focus after the root's button")
    browser.press(Keys.ESCAPE)
    browser.set("mesh", "solid")


def check_strange_links(browser, report, checks):
    """The names that every object has are no kinds of links."""
    for name in ["constructor", "tostring", "valueof", "hasownproperty"]:
        browser.open(report.page, "#view=" + name + ":x")
        checks.check(browser.get("ready") and browser.get("picked") is None, "not ready with #view=%s:x" % name)


def colored(picture, color, within=40):
    return int((numpy.abs(picture - color).max(axis=2) < within).sum())


def check_controls(browser, report, checks):
    """Each changes what it says: the camera by drag, wheel and Up, pixels by what is shown."""
    browser.press(Keys.ESCAPE)
    browser.set("hull", False)
    if report.tree:
        browser.set("volumes", "hidden")
    browser.run("document.getElementById( 'view-canvas' ).scrollIntoView( { block: 'center' } )")
    browser.focus("canvas")
    browser.press(Keys.HOME)
    distance = lambda: numpy.linalg.norm(numpy.subtract(browser.get("camera.position"), browser.get("camera.target")))
    before, far = browser.get("camera.position"), distance()
    ActionChains(browser.driver, duration=50).move_to_element(browser.canvas()).click_and_hold().move_by_offset(60, 20).release().perform()
    checks.check(numpy.linalg.norm(numpy.subtract(browser.get("camera.position"), before)) > 0.1 * far, "dragging does not turn")
    checks.check(abs(distance() - far) < 1e-6, "dragging changes the distance")
    browser.run("document.getElementById( 'view-canvas' ).dispatchEvent( new WheelEvent( 'wheel', "
                "{ deltaY: 100, bubbles: true, cancelable: true } ) )")
    checks.check(distance() > 1.1 * far, "the wheel does not zoom")
    browser.press(Keys.HOME)
    view = browser.get("camera.view")
    browser.set("up", "z")
    turned = browser.get("camera.view")
    checks.check(abs(view[2]) < 1 and numpy.abs(numpy.subtract(view, turned)).max() > 0.1, "Up changes nothing")
    checks.check(abs(turned[8]) < 1e-6 < abs(turned[9]), "z is not up")
    browser.set("up", "y")
    if report.mesh:
        solid = browser.picture()
        browser.set("mesh", "wireframe")
        wires = browser.picture()
        browser.set("mesh", "hidden")
        nothing = browser.picture()
        marked = [int((numpy.abs(picture - nothing).max(axis=2) > 12).sum()) for picture in (solid, wires)]
        checks.check(marked[1] > 50 and marked[1] != marked[0], "pixels of the mesh, solid and wireframe: %s" % marked)
    else:
        nothing = browser.picture()
    for kind, color in [("boundary", (194, 24, 91)), ("flipped", (123, 31, 162)), ("non_manifold", (216, 67, 21))]:
        if report.data["mesh"] and len(read_array(report.data["edges"][kind]["ends"])) > 0:
            browser.set(kind, True)
            lines = browser.picture()
            checks.check(colored(lines, color) > colored(nothing, color) + 20, "no pixels of %s edges" % kind)
            browser.set(kind, False)
    for control in ["primitive", "hull"]:
        if report.data[control]:
            browser.set(control, True)
            shown = browser.picture()
            checks.check((numpy.abs(shown - nothing).max(axis=2) > 12).mean() > 0.005, "the %s is not drawn" % control)
            browser.set(control, False)
            checks.check((numpy.abs(browser.picture() - nothing).max(axis=2) > 12).mean() < 0.001, "the %s stays" % control)
    if report.mesh:
        browser.set("mesh", "solid")
    if report.tree:
        browser.set("volumes", "translucent")


def check_solid_picking(browser, report, checks):
    """In the middle of solid volumes a click picks the volume that is in front of the mesh."""
    if not report.tree or not report.mesh:
        return
    browser.set("by-level", True)
    browser.set("level", 0)
    browser.set("volumes", "solid")
    browser.wait_for_frame()
    browser.focus("canvas")
    browser.press(Keys.HOME)
    browser.press(Keys.ENTER)
    picked = browser.get("picked") or {}
    checks.equal((picked.get("kind"), picked.get("number")), ("node", 0), "picked in front of the mesh")
    browser.press(Keys.ESCAPE)
    browser.set("volumes", "translucent")
