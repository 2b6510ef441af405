"""What the view draws, against the data in the page by other means: volumes by how far they reach in each direction, colors by
the documented scale, bounds by the numbers that one reads, the camera by where it looks, and controls by the pixels that they change."""

import re

import numpy
from scipy.optimize import linprog
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import read_number
from geometry import Eye, read_array, seen_from
import scale
import told

DIRECTIONS = numpy.random.default_rng(7).normal(size=(24, 3))
DIRECTIONS /= numpy.linalg.norm(DIRECTIONS, axis=1)[:, None]
NEAR = 0.015  # in the view's units: round volumes are drawn a little within themselves


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

    def middle(self, node):
        kind, numbers = self.types[node], self.numbers[self.first[node]:self.first[node + 1]].astype(float)
        return numbers[:3] if "dop" not in kind["name"] else (numbers[0:6:2] + numbers[1:6:2]) / 2

    def holds(self, node, points, more):
        """Which points are in a node's volume, or nearer to it than `more`; not to be asked of flat boxes."""
        kind, numbers = self.types[node], self.numbers[self.first[node]:self.first[node + 1]]
        if "dop" in kind["name"]:
            along = points @ self.directions[kind["directions"]].T
            bounds = numbers.reshape(-1, 2)
            return ((along >= bounds[:, 0] - more) & (along <= bounds[:, 1] + more)).all(axis=1)
        rest = points - numbers[:3]
        axes = {"sphere": 0, "rss": 2}.get(kind["name"], 3)
        for axis in numbers[3:3 + 3 * axes].reshape(-1, 3):
            length = numpy.linalg.norm(axis)
            if length > 0:
                along = rest @ axis / length
                rest = rest - numpy.clip(along, -length, length)[:, None] * axis / length
        radius = numbers[3 + 3 * axes] if axes < 3 else 1e-9
        return numpy.linalg.norm(rest, axis=1) <= radius + more

    def first_entered(self, nodes, origin, direction):
        """The one of the nodes whose volume a ray enters first, by steps along it; None where that is in doubt."""
        far = numpy.linalg.norm(origin) + 2
        at = numpy.linspace(max(far - 4.5, 0), far, 700)
        points = origin + at[:, None] * direction
        inside = numpy.array([self.holds(node, points, 0) for node in nodes])
        around = numpy.array([self.holds(node, points, NEAR) for node in nodes])
        entered = numpy.where(inside.any(axis=1), at[inside.argmax(axis=1)], numpy.inf)
        nearly = numpy.where(around.any(axis=1), at[around.argmax(axis=1)], numpy.inf)
        first = int(entered.argmin())
        deep = numpy.count_nonzero(inside[first]) * (at[1] - at[0])
        others = numpy.delete(nearly, first)
        sure = deep > 4 * NEAR and entered[first] - nearly[first] < 5 * NEAR and (others > entered[first] + NEAR).all()
        return nodes[first] if sure else None

    def check(self, node, points, checks, what):
        reach, short = self.reach(node)
        drawn = (DIRECTIONS @ numpy.array(points).reshape(-1, 3).T).max(axis=1)
        size = numpy.ptp(numpy.r_[reach, drawn]) + 1e-6
        off = reach - drawn
        checks.check((off > -1e-5 * (1 + size)).all() and (off <= short + 1e-5 * (1 + size)).all(),
                     "%s: reaches %s short at most, %s too far" % (what, off.max(), -off.min()))


def check_volumes(browser, report, checks):
    """Of a level: each volume is its node's, and has the color of its error or of its level."""
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
    of_level = {}
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
            for place, found in zip(at, colors):
                if color == "error":
                    expected = scale.color_of(tree.errors[measure][place], report)
                    checks.check((found == expected).all(), "node %d: %s, not %s" % (tree.number[place], found, expected))
                else:
                    of_level.setdefault(int(tree.level[place]), set()).add(tuple(int(x) for x in found))
    checks.check(all(len(colors) == 1 for colors in of_level.values()) and
                 len(set().union(*of_level.values())) == len(of_level), "colors of levels: %s" % of_level)
    browser.set("color", "error" if tree.errors else "level")
    browser.set("measure", "solid")
    check_volume_picking(browser, report, shapes, checks)


def check_volume_picking(browser, report, shapes, checks):
    """With the mesh hidden a click picks the volume of the level that its ray enters first."""
    if report.mesh:
        browser.set("mesh", "hidden")
    # A few large ones.
    sizes = numpy.bincount(report.tree.level)[:report.tree.whole_levels]
    level = int(numpy.where(numpy.maximum.accumulate(sizes) <= 24, sizes, 0).argmax())
    nodes = numpy.flatnonzero(report.tree.level == level)
    browser.set("volumes", "outlines")
    browser.set("level", level)
    browser.set("leaves", False)
    browser.wait_for_frame()
    browser.focus("canvas")
    browser.press(Keys.HOME)
    eye = Eye(browser.get("camera"), browser.canvas_size())
    clicked = set()
    sure = False
    middles = eye.project(numpy.array([shapes.middle(place) for place in nodes]))
    between = numpy.random.default_rng(9).uniform(0.2, 0.8, (100, 2)) * eye.size
    for pixel in numpy.concatenate([middles, between]):
        meant = shapes.first_entered(nodes, eye.position, eye.ray(pixel))
        sure = sure or meant is not None
        if meant is not None and meant not in clicked:
            meant = shapes.first_entered(nodes, eye.position, eye.ray(browser.click(*pixel)))
            if meant is not None:
                clicked.add(meant)
                picked = browser.get("picked") or {}
                checks.equal((picked.get("kind"), picked.get("number")), ("node", int(report.tree.number[meant])), "picked of the volumes")
        if len(clicked) == 2:
            break
    checks.check(clicked or not sure or report.json["mesh"]["triangles"] < 10, "no volume to click on")
    browser.press(Keys.ESCAPE)
    browser.set("leaves", True)
    browser.set("volumes", "translucent")
    if report.mesh:
        browser.set("mesh", "solid")


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


def check_nodes(browser, report, checks):
    """A link to a node: it is outlined, its triangles are marked, it and its siblings are drawn, and the camera looks at it."""
    tree = report.tree
    if not tree:
        return
    shapes = Shapes(report.data)
    opened = numpy.flatnonzero(numpy.isin(numpy.arange(len(tree.number)), tree.parent))
    for place in sorted({0, len(tree.number) // 2, len(tree.number) - 1, int(opened[-1]) if len(opened) > 0 else 0}):
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
        told.check_node(browser, report, checks, place)
        if tree.errors:
            for measure in ["surface", "solid"]:
                browser.set("measure", measure)
                panel = browser.run("return Array.from( document.querySelectorAll( '#view-picked dl:first-of-type dd' ), d => d.textContent )")
                rows = browser.run("return Array.from( document.querySelectorAll( '#view-picked [aria-current]' ), b => b.lastChild.textContent )")
                for text, value in [(panel[3][8:], tree.errors["solid"][place]), (panel[4][8:], tree.errors["surface"][place]),
                                    (rows[0], tree.errors[measure][place])]:
                    checks.check(value <= read_number(text) <= value * 1.0011, "node %d: %s stands for %g" % (number, text, value))
    button = "#view-picked [data-show='node:0']"
    browser.run("const b = document.querySelector( arguments[0] ); b.focus(); b.click();", button)
    checks.equal(browser.run("return document.activeElement.dataset.show"), "node:0", "the focus after the root's button")
    browser.press(Keys.ESCAPE)
    browser.set("mesh", "solid")


def support(kind, shape, direction):
    """The point of a primitive of the JSON report that is farthest in a direction."""
    if kind == "box":
        axes = numpy.array(shape["axes"]) * numpy.array(shape["half_extents"])[:, None]
        return shape["center"] + numpy.sign(axes @ direction) @ axes
    if kind == "sphere":
        return shape["center"] + shape["radius"] * direction
    ends = numpy.array(shape["ends"])
    end = ends[(ends @ direction).argmax()]
    if kind == "capsule":
        return end + shape["radius"] * direction
    axis = (ends[1] - ends[0]) / numpy.linalg.norm(ends[1] - ends[0])
    across = direction - (direction @ axis) * axis
    return end + shape["radius"] * across / numpy.linalg.norm(across)


def check_primitive(browser, report, checks):
    """The one that the mesh was recognised as, or the nearest, is drawn as the JSON report has it: its points, and its pixels."""
    recognised = report.json["recognised"]
    if recognised["tolerance"] is None:
        checks.equal(report.data["primitive"], None, "the primitive")
        return
    kinds = ["box", "sphere", "capsule", "cylinder"]
    kind = recognised["best"] or min(kinds, key=lambda name: recognised[name]["error"]["upper"])
    shape = recognised[kind]
    label = browser.run("return document.getElementById( 'view-primitive-name' ).textContent")
    found = re.fullmatch("(Recognized as|Nearest primitive): ([a-z]+), within (.*)", label)
    checks.check(found is not None and found[1] == ("Recognized as" if recognised["best"] else "Nearest primitive") and found[2] == kind and
                 shape["error"]["upper"] <= read_number(found[3]) <= 1.0011 * shape["error"]["upper"], "of the %s it says: %s" % (kind, label))
    if report.mesh:
        browser.set("mesh", "hidden")
    browser.focus("canvas")
    browser.press(Keys.HOME)
    browser.press("-", "-", "-", "-", "-")
    browser.set("primitive", False)
    checks.equal(browser.run("return bvReport.drawnBody( 'primitive' )"), None, "the primitive before it is shown")
    without = browser.picture()
    browser.set("primitive", True)
    drawn = browser.run("return bvReport.drawnBody( 'primitive' )")
    picture = browser.picture()
    browser.set("primitive", False)
    checks.check(drawn is not None, "the %s is not drawn" % kind)
    if drawn:
        points = numpy.array(drawn).reshape(-1, 3) * report.data["scale"] + report.data["center"]
        short = 0.01 * shape.get("radius", 0)
        size = numpy.ptp(points, axis=0).max()
        off = [way @ support(kind, shape, way) - (points @ way).max() for way in DIRECTIONS]
        checks.check(min(off) > -1e-5 * size and max(off) < short + 1e-5 * size,
                     "the %s reaches %g short at most, %g too far" % (kind, max(off), -min(off)))
    ways = numpy.random.default_rng(8).normal(size=(3000, 3))
    ways /= numpy.linalg.norm(ways, axis=1)[:, None]
    points = (numpy.array([support(kind, shape, way) for way in ways]) - report.data["center"]) / report.data["scale"]
    eye = Eye(browser.get("camera"), browser.canvas_size())
    seen = eye.project(points) * (picture.shape[1] / eye.size[0])
    changed = numpy.argwhere(numpy.abs(picture - without).max(axis=2) > 12)[:, ::-1]
    checks.check(len(changed) > 100, "%d pixels of the %s" % (len(changed), kind))
    if len(changed) > 0:
        border = numpy.array(picture.shape[1::-1]) - 1
        expected = numpy.clip([seen.min(axis=0), seen.max(axis=0)], 0, border)
        off = numpy.abs(expected - [changed.min(axis=0), changed.max(axis=0)]).max()
        checks.check(off < 5, "pixels of the %s are off by %.1f" % (kind, off))
    if report.mesh:
        browser.set("mesh", "solid")


def check_parts(browser, report, checks):
    """Parts are drawn where the file has them, each in a colour of its own or by its stand-off; exploded they move away from the
    middle of all, the farther the farther they were."""
    parts = report.data["parts"]
    if not parts:
        return
    numbers = range(parts["count"])
    drawn = lambda what: [numpy.array(browser.run("return bvReport.drawnPart( arguments[0] ).%s" % what, i), float) for i in numbers]
    checks.equal(browser.run("return bvReport.drawnPart( 0 )"), None, "a part before it is shown")
    browser.set("parts", "each")
    at_rest = [points.reshape(-1, 3) for points in drawn("points")]
    step = 1 / 65535
    for i, (found, expected) in enumerate(zip(at_rest, report.file_parts)):
        expected = (expected - report.data["center"]) / report.data["scale"]
        checks.check(found.shape == expected.shape and numpy.abs(found - expected).max() <= 1.01 * step, "part %d is drawn elsewhere" % i)
    colors = {tuple(color) for color in drawn("color")}
    checks.equal(len(colors), parts["count"], "colours of the parts")
    browser.set("parts", "error")
    upper = numpy.array([hull["concavity"]["upper"] for hull in report.json["decomposition"]["hulls"]])
    for i, found in enumerate(drawn("color")):
        expected = scale.color_of(upper[i], report)
        checks.check((found == expected).all(), "part %d by stand-off: %s, not %s" % (i, found, expected))
    browser.set("explode", 60)
    moved = [points.reshape(-1, 3) for points in drawn("points")]
    browser.set("explode", 0)
    middles = numpy.array([(points.min(axis=0) + points.max(axis=0)) / 2 for points in at_rest])
    ways = middles - middles.mean(axis=0)
    for i, (before, after) in enumerate(zip(at_rest, moved)):
        shift = (after - before).mean(axis=0)
        checks.check(numpy.abs(after - before - shift).max() < 1e-5, "part %d changes its shape" % i)
        checks.check(numpy.abs(shift - 0.72 * ways[i]).max() < 1e-4, "part %d moves by %s, not %s" % (i, shift, 0.72 * ways[i]))
    browser.set("parts", "hidden")


def check_bodies(browser, report, checks):
    """The hull encloses what it should, and edges are sides of triangles that are as many as they should be."""
    hull = report.data["hull"]
    if hull:
        checks.equal(browser.run("return bvReport.drawnBody( 'hull' )") is not None, browser.get("shown.hull"), "whether the hull is drawn")
        browser.set("hull", True)
        points = numpy.array(browser.run("return bvReport.drawnBody( 'hull' )")).reshape(-1, 3, 3)
        volume = numpy.einsum("ij,ij->i", points[:, 0], numpy.cross(points[:, 1], points[:, 2])).sum() / 6
        scale = report.data["scale"] ** 3
        checks.check(abs(volume * scale - report.json["hull"]["volume"]) <= 2e-3 * report.json["hull"]["volume"] + 5e-5 * scale,
                     "the hull is drawn with a volume of %g, not %g" % (volume * scale, report.json["hull"]["volume"]))
        browser.set("hull", False)
        checks.equal(browser.run("return bvReport.drawnBody( 'hull' )"), None, "the hull when it is hidden")
    for kind in ["boundary", "flipped", "non_manifold"]:
        in_file = report.json["mesh"]
        if not report.mesh or len(report.mesh.corners) < in_file["triangles"] or in_file["edges_of_kind"][kind] > 20000:
            continue
        sides = report.mesh.sides()
        pairs, counts = numpy.unique(numpy.sort(sides, axis=1), axis=0, return_counts=True)
        forwards = {tuple(pair): n for pair, n in zip(*numpy.unique(sides, axis=0, return_counts=True))}
        which = {"boundary": counts == 1, "non_manifold": counts > 2, "flipped": counts == 2}[kind]
        expected = [pair for pair in pairs[which] if kind != "flipped" or forwards.get(tuple(pair)) != 1]
        browser.set(kind, True)
        found = browser.run("return bvReport.drawnBody( arguments[0] )", kind)
        browser.set(kind, False)
        checks.check(found is not None, kind + " edges are not drawn")
        edge = lambda ends: sorted(tuple(numpy.rint((point + 1) * 32767.5).astype(int)) for point in ends)
        ends = numpy.array(found or []).reshape(-1, 2, 3)
        checks.check(sorted(map(edge, ends)) == sorted(edge(report.mesh.points[list(pair)]) for pair in expected),
                     "%s edges are drawn elsewhere" % kind)


def check_sides(browser, report, checks):
    """Triangles are orange where one sees them from behind, as seen in the pixels at some of their middles."""
    if not report.mesh:
        return
    browser.focus("canvas")
    browser.press(Keys.HOME)
    picture = browser.picture()
    eye = Eye(browser.get("camera"), browser.canvas_size())
    triangles = report.mesh.triangles()
    right = []
    for pixel, hits in seen_from(eye, triangles):
        a, b, c = triangles[hits[0]]
        front = numpy.cross(b - a, c - a) @ (eye.position - a) > 0
        x, y = (pixel * picture.shape[1] / eye.size[0]).astype(int)
        red, _, blue = picture[y, x]
        if len(hits) == 1:
            right.append((red > blue + 15) != front)
        if len(right) == 12:
            break
    # Of a mesh whose triangles are all there twice no pixel shows a single one.
    checks.check(sum(right) >= 0.8 * len(right), "%d of %d triangles have the colour of the side that one sees" % (sum(right), len(right)))


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
            ends = numpy.array(browser.run("return bvReport.drawnBody( arguments[0] )", kind)).reshape(-1, 2, 3)
            # Three short edges among a hundred thousand are hardly a pixel. The object is two units large, and fills half of the picture or more.
            long = numpy.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum() * lines.shape[0] / 4
            checks.check(colored(lines, color) > colored(nothing, color) + 20 or long < 100, "no pixels of %s edges, %g long" % (kind, long))
            browser.set(kind, False)
    if report.data["hull"]:
        browser.set("hull", True)
        shown = browser.picture()
        checks.check((numpy.abs(shown - nothing).max(axis=2) > 12).mean() > 0.005, "the hull is not drawn")
        browser.set("hull", False)
        checks.check((numpy.abs(browser.picture() - nothing).max(axis=2) > 12).mean() < 0.001, "the hull stays")
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
