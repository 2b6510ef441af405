"""Opens HTML reports in headless Chromium and judges what they show and do, against the JSON report and against computations
of its own on the data in the page.

    python3 test_report.py BUILD            samples: closed with parts, open, without a tree, one triangle, mixed volumes, hostile names,
                                            primitives of each kind, and more triangles and nodes than the view has room for
    python3 test_report.py BUILD --quick    the four of them that have least in common
    python3 test_report.py BUILD MESH...    these meshes

Prints how long each page took to open; exits with 1 when a check fails.
"""

import base64
import functools
import json
import os
import subprocess
import sys
import tempfile

import numpy
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import Browser
import clips
import drawn
import moved
import opened
import places
import scale
import told
from geometry import Eye, Mesh, Tree, first_hit, read_array, read_obj, read_points, read_view, seen_from

EDGES = ["boundary", "flipped", "non_manifold"]


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.where = ""

    def check(self, good, what):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print("test_report: FAILED: %s: %s" % (self.where, what), flush=True)

    def equal(self, found, expected, what):
        self.check(found == expected, "%s: %s, not %s" % (what, found, expected))


class Report:
    """A .bvh file's page, its JSON report and the data in the page."""

    def __init__(self, build, bvh):
        self.page = bvh + ".html"
        subprocess.run([build + "/bvinspect", "--html", self.page, bvh], check=True)
        self.json = json.loads(subprocess.run([build + "/bvinspect", "--json", bvh], check=True,
                                              stdout=subprocess.PIPE).stdout)
        self.data, self.geometry = read_view(self.page)
        self.mesh = Mesh(self.data) if self.data["mesh"] else None
        self.tree = Tree(self.data) if self.data["tree"] else None
        self.place_of = {int(n): place for place, n in enumerate(self.tree.number)} if self.tree else {}
        self.tool, self.bvh = build + "/bvinspect", bvh

    def export(self, what):
        path = self.bvh + "." + what + ".obj"
        subprocess.run([self.tool, "-q", self.bvh, "--export", what + "," + path], check=True)
        return read_obj(path)

    @functools.cached_property
    def file_triangles(self):
        """Corners of the file's triangles, mesh units."""
        (points, corners), = self.export("mesh")
        return points[corners]

    @functools.cached_property
    def file_parts(self):
        """Corners of the file's parts, mesh units."""
        return [points for points, _ in self.export("parts")]


def eye_of(browser):
    return Eye(browser.get("camera"), browser.canvas_size())


def different(a, b):
    """The share of pixels that differ visibly."""
    return float(numpy.mean(numpy.abs(a - b).max(axis=2) > 12))


def check_opening(browser, report, checks):
    seconds = browser.open(report.page)
    print("%-28s %5.2f s, %9d bytes, %8d triangles" % (checks.where, seconds, os.path.getsize(report.page),
                                                        report.json["mesh"]["triangles"]), flush=True)
    checks.check(browser.get("ready"), "the view is not ready: %s" % browser.get("message"))


def check_quiet(browser, checks):
    checks.equal(browser.complaints(), [], "the console says")
    checks.equal(browser.requests(), [], "it asks for")


def check_data(report, checks):
    """The page's size, and its data against the JSON report: counts, and how far the grid is from the bounding box."""
    data = report.data
    size = os.path.getsize(report.page)
    checks.check(size < 20e6 and size - report.geometry < 1.5e6, "%d bytes, %d of geometry" % (size, report.geometry))
    if report.mesh:
        checks.equal(data["mesh"]["triangles_in_file"], report.json["mesh"]["triangles"], "triangles in the file")
        checks.equal(len(report.mesh.corners), data["mesh"]["triangles"], "triangles of the view")
        if not data["mesh"]["numbers"] and report.json["bounds"]["aabb"]:
            points = report.mesh.points * data["scale"] + data["center"]
            box = report.json["bounds"]["aabb"]
            off = numpy.abs(numpy.array([points.min(axis=0) - box["lower"], points.max(axis=0) - box["upper"]])).max()
            checks.check(off <= 1.001 * data["scale"] / 65535, "the mesh is off its box by %g of %g" % (off, data["scale"]))
    for kind in EDGES:
        edges = data["edges"][kind]
        checks.equal(edges["in_file"], report.json["mesh"]["edges_of_kind"][kind], kind + " edges in the file")
        if data["mesh"]:
            checks.equal(len(read_array(edges["ends"])) // 6, min(edges["in_file"], 20000), kind + " edges")
    checks.equal(data["parts"] is not None and data["parts"]["count"], report.json["decomposition"]["parts"] or False, "parts")
    checks.equal(data["hull"] is not None and data["hull"]["faces"], report.json["hull"]["faces"] or False, "faces of the hull")
    if report.tree:
        checks.equal(report.tree.in_file, report.json["hierarchy"]["nodes"], "nodes in the file")


def check_drawing(browser, report, checks):
    """The mesh alone covers the pixels that its triangles' middles are at, and is drawn in many shades."""
    if report.tree:
        browser.set("volumes", "hidden")
    if not report.mesh:
        return
    picture = browser.picture()
    background = picture[2, 2]
    drawn = numpy.abs(picture - background).max(axis=2) > 6
    ratio = picture.shape[1] / browser.canvas_size()[0]
    at = (eye_of(browser).project(report.mesh.triangles().mean(axis=1)) * ratio).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < picture.shape[1]) & (at[:, 1] < picture.shape[0])
    covered = drawn[at[inside, 1], at[inside, 0]].mean()
    checks.check(inside.mean() > 0.99, "only %.3f of the mesh is in the picture" % inside.mean())
    checks.check(covered > 0.98, "only %.3f of the triangles are drawn where they are" % covered)
    checks.check(0.003 < drawn.mean() < 0.9, "%.4f of the canvas is drawn on" % drawn.mean())
    shades = len(numpy.unique(picture.reshape(-1, 3), axis=0))
    checks.check(shades >= (4 if report.json["mesh"]["triangles"] < 20 else 8), "%d colours" % shades)
    if report.tree:
        browser.set("volumes", "translucent")
        checks.check(different(browser.picture(), picture) > 0.002, "volumes change nothing")


def check_levels(browser, report, checks):
    if not report.tree:
        return
    levels = report.json["hierarchy"]["levels"]
    browser.set("by-level", True)
    for level in sorted({0, 1, 2, len(levels) // 2, len(levels) - 1} & set(range(report.tree.whole_levels))):
        browser.set("level", level)
        checks.equal(browser.get("level"), level, "the slider's level")
        browser.set("leaves", False)
        checks.equal(browser.get("shown.volumes"), levels[level]["nodes"], "volumes of level %d" % level)
        browser.set("leaves", True)
        checks.equal(browser.get("shown.volumes"), levels[level]["nodes"] + sum(above["leaves"] for above in levels[:level]),
                     "volumes of level %d and leaves above" % level)


def check_cuts(browser, report, checks):
    tree = report.tree
    if not tree or not tree.errors:
        return
    browser.set("by-cut", True)
    sizes = set()
    for measure in ["solid", "surface"]:
        browser.set("measure", measure)
        for place in [0, 350, 700, 1000]:
            browser.set("cut", place)
            nodes = tree.nodes_of_cut(measure, browser.get("cutError"))
            sizes.add(len(nodes))
            checks.equal(browser.get("shown.volumes"), len(nodes), "volumes of the cut %s at %d" % (measure, place))
            checks.equal(int(tree.triangles[nodes].sum()), report.json["mesh"]["triangles"], "triangles of the cut")
    checks.check(len(sizes) > 1 or report.tree.in_file == 1, "the slider changes nothing: %s" % sizes)
    browser.set("measure", "solid")
    browser.set("by-level", True)


def clicks_on(browser, triangles, count):
    """Clicks on so many of the triangles that are seen: the indices of those that can be meant, beyond doubt."""
    eye = eye_of(browser)
    done = set()
    for pixel, seen in seen_from(eye, triangles):
        if seen[0] not in done:
            hits, sure = first_hit(triangles, eye.position, eye.ray(browser.click(*pixel)))
            if sure > 0:
                done.add(seen[0])
                yield hits
        if len(done) == count:
            return


def nodes_in_panel(browser):
    return [int(show.split(":")[1]) for show in browser.run(
        "return Array.from( document.querySelectorAll( '#view-picked [data-show]' ), button => button.dataset.show )")]


def check_picking(browser, report, checks):
    if not report.mesh:
        return
    browser.set("parts", "hidden")
    if report.tree:
        browser.set("volumes", "hidden")
    clicked = 0
    for hits in clicks_on(browser, report.mesh.triangles(), 4):
        clicked += 1
        picked = browser.get("picked") or {}
        numbers = [int(report.mesh.numbers[hit]) for hit in hits]
        good = picked.get("kind") == "triangle" and picked["number"] in numbers if hits else not picked
        checks.check(good, "picked %s, not one of %s" % (picked, numbers))
        if not hits or not good:
            continue
        number = picked["number"]
        index = hits[numbers.index(number)]
        panel = browser.run("return document.getElementById( 'view-picked' ).innerText")
        if report.tree:
            checks.equal(nodes_in_panel(browser), report.tree.nodes_over(number), "nodes over triangle %d" % number)
        told.check_triangle(browser, report, checks, index)
        if report.mesh.sources:
            face, *names = report.mesh.source(index)
            checks.check("{:,}".format(face) in panel, "face %d is not in the panel" % face)
            checks.check(all(" ".join(name.split()) in " ".join(panel.split()) for name in names),
                         "%s are not in the panel: %s" % (names, panel))
    checks.check(clicked > 0, "no triangle to click on")
    if report.tree and browser.get("picked"):
        buttons = browser.driver.find_elements(By.CSS_SELECTOR, "#view-picked [data-show]")
        expected = buttons[-1].get_attribute("data-show").split(":")
        browser.run("arguments[0].click()", buttons[-1])
        picked = browser.get("picked")
        checks.equal([picked["kind"], str(picked["number"])], expected, "picked by its name in the chain")
    browser.press(Keys.ESCAPE)
    checks.equal(browser.get("picked"), None, "picked after Esc")
    if report.tree:
        browser.set("volumes", "translucent")


def check_keyboard(browser, report, checks):
    browser.focus("canvas")
    browser.press(Keys.HOME)
    before = browser.get("camera")
    browser.press(Keys.ARROW_LEFT)
    turned = browser.get("camera")
    distance = lambda camera: numpy.linalg.norm(numpy.subtract(camera["position"], camera["target"]))
    checks.check(numpy.linalg.norm(numpy.subtract(turned["position"], before["position"])) > 0.1 * distance(before) and
                 abs(distance(turned) - distance(before)) < 1e-6 and turned["target"] == before["target"], "an arrow does not turn")
    browser.press("+")
    checks.check(abs(distance(browser.get("camera")) * 1.2 - distance(turned)) < 1e-6, "+ does not go nearer")
    browser.press(Keys.HOME)
    checks.check(abs(distance(browser.get("camera")) - distance(before)) < 1e-6, "Home does not show all")
    if report.mesh:
        browser.set("volumes", "hidden")
        eye = eye_of(browser)
        hits, sure = first_hit(report.mesh.triangles(), eye.position, eye.ray(eye.size / 2))
        browser.press(Keys.ENTER)
        picked = browser.get("picked")
        if sure > 0:
            numbers = [int(report.mesh.numbers[hit]) for hit in hits]
            checks.check(picked["number"] in numbers if picked else not numbers, "Enter picks %s, not one of %s" % (picked, numbers))
        browser.press(Keys.ESCAPE)
        browser.set("volumes", "translucent")
    if report.tree and len(report.json["hierarchy"]["levels"]) > 1:
        browser.set("level", 0)
        browser.focus("level")
        browser.press(Keys.ARROW_RIGHT)
        checks.equal(browser.get("level"), 1, "the level after an arrow key")


def check_explode(browser, report, checks):
    parts = report.data["parts"]
    if not parts and not report.data["hull"]:
        return
    shown = ("parts", "each") if parts else ("hull", True)
    browser.set(*shown)
    browser.set("mesh", "hidden")
    together = browser.picture()
    browser.set("explode", 60)
    apart = browser.picture()
    # A single part stays where it is.
    if not parts or parts["count"] > 1:
        checks.check(different(together, apart) > 0.01, "nothing moves: %.4f" % different(together, apart))
    checks.equal(browser.get("explode"), 0.6, "how far it is exploded")
    if parts:
        checks.equal(browser.get("shown.parts"), parts["count"], "parts shown")
        browser.set("parts", "error")
        checks.check(parts["count"] == 1 or different(browser.picture(), apart) > 0.01, "parts have the same colours by stand-off")
    browser.set("explode", 0)
    browser.set("mesh", "solid")
    browser.set("parts", "hidden")
    browser.set("hull", False)


def check_part_picking(browser, report, checks):
    """A click on parts alone, against a ray cast on the parts in the data."""
    parts = report.data["parts"]
    if not parts:
        return
    browser.set("parts", "each")
    browser.set("mesh", "hidden")
    browser.press(Keys.HOME)
    vertices = numpy.cumsum(read_array(parts["vertices"]).astype(int))
    faces = read_array(parts["faces"]).astype(int)
    owner = numpy.repeat(numpy.arange(parts["count"]), faces)
    corners = read_array(parts["corners"]).reshape(-1, 3).astype(int) + numpy.r_[0, vertices[:-1]][owner][:, None]
    triangles = read_points(parts["positions"])[corners]
    clicked = 0
    for hits in clicks_on(browser, triangles, 3):
        picked = browser.get("picked") or {}
        owners = sorted({int(owner[hit]) for hit in hits})
        checks.check(picked.get("kind") == "part" and picked["number"] in owners if hits else not picked,
                     "picked %s, not one of the parts %s" % (picked, owners))
        clicked += 1
    checks.check(clicked > 0, "no part to click on")
    browser.set("parts", "hidden")
    browser.set("mesh", "solid")
    browser.press(Keys.ESCAPE)


def check_first_triangles(browser, report, checks):
    """Of some nodes, whose triangles begin where another's end: by the page's address."""
    if not report.mesh or not report.tree:
        return
    for number in sorted({int(report.tree.first[node]) for node in range(1, len(report.tree.first), len(report.tree.first) // 3 + 1)}):
        if number in report.mesh.numbers:
            browser.run("location.hash = '#view=triangle:' + arguments[0]", number)
            browser.wait_for_frame()
            picked = browser.get("picked") or {}
            checks.equal((picked.get("kind"), picked.get("number")), ("triangle", number), "picked by the address")
            checks.equal(nodes_in_panel(browser), report.tree.nodes_over(number), "nodes over triangle %d" % number)
    browser.press(Keys.ESCAPE)


def check_address(browser, report, checks):
    number = int(report.tree.number[-1])
    browser.open(report.page, "#view=node:%d" % number)
    picked = browser.get("picked") or {}
    checks.equal((picked.get("kind"), picked.get("number")), ("node", number), "picked by the address")


def check_dark(browser, report, checks):
    """The background changes, the colors of errors do not."""
    browser.set("level", min(4, report.tree.whole_levels - 1))

    def colors():
        browser.wait_for_frame()
        return browser.run("return bvReport.drawn.nodes.map( n => bvReport.drawnVolume( n ).color )")

    light, in_light = browser.picture(), colors()
    browser.make_dark(True)
    dark, in_dark = browser.picture(), colors()
    checks.check(len(in_light) > 0 and in_light == in_dark, "colors of errors are others in the dark")
    checks.check(light[2, 2].mean() > 200 and dark[2, 2].mean() < 60, "backgrounds %s and %s" % (light[2, 2], dark[2, 2]))
    told.check_legend(browser, report, checks)
    browser.make_dark(False)


LOSE = """
window.lost = document.getElementById( "view-canvas" ).getContext( "webgl2" ).getExtension( "WEBGL_lose_context" );
window.lost.loseContext();
"""


def check_lost_context(browser, checks):
    """The picture stands in until the context is back, and then the view draws what it drew."""
    shown = "return [ '#picture', '#view-message', '#view-live' ].map( s => document.querySelector( s ).getClientRects().length > 0 )"
    before = browser.picture()
    browser.run(LOSE)
    browser.wait_for_frame()
    checks.equal(browser.run(shown), [True, True, False], "picture, line and view without a context")
    checks.check("lost" in (browser.get("message") or ""), "nothing is said of the lost context")
    browser.run("window.lost.restoreContext()")
    browser.wait_for_frame()
    checks.equal(browser.run(shown), [False, False, True], "picture, line and view with the context back")
    checks.check(different(browser.picture(), before) < 0.001, "another picture with the context back")


def check_print(browser, checks):
    browser.command("Emulation.setEmulatedMedia", media="print")
    shown = browser.run("return [ '#picture', '#view-live' ].map( s => document.querySelector( s ).getClientRects().length > 0 )")
    browser.command("Emulation.setEmulatedMedia", media="")
    checks.equal(shown, [True, False], "picture and view on paper")
    data = base64.b64decode(browser.command("Page.printToPDF")["data"])
    checks.check(data.startswith(b"%PDF") and len(data) > 20000, "no PDF: %d bytes" % len(data))


def check_without_webgl(reports, checks):
    browser = Browser(webgl=False)
    try:
        for checks.where, report in reports.items():
            browser.open(report.page)
            checks.check(not browser.get("ready") and "WebGL" in (browser.get("message") or ""), "nothing is said of WebGL")
            shown = browser.run("return [ '#picture', '#view-message', '#view-live' ].map( "
                                "s => document.querySelector( s ).getClientRects().length > 0 )")
            checks.equal(shown, [True, True, False], "picture, line and view without WebGL")
            opened.check_copied(browser, checks)
            check_quiet(browser, checks)
    finally:
        browser.close()


def check_without_scripts(browser, report, checks):
    """Boxes of elements, requested without running anything in the page."""
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    browser.driver.get("about:blank")
    browser.driver.get("file://" + report.page)
    root = browser.command("DOM.getDocument", depth=0)["root"]["nodeId"]

    def height(selector):
        node = browser.command("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        try:
            return browser.command("DOM.getBoxModel", nodeId=node)["model"]["height"]
        except Exception:
            return 0

    checks.check(height("#picture img") > 100, "no picture without scripts")
    checks.check(height("main table") > 20, "no tables without scripts")
    checks.equal(height("#view-live"), 0, "height of the view without scripts")
    browser.command("Emulation.setScriptExecutionDisabled", value=False)


def check_report(browser, report, checks):
    check_data(report, checks)
    check_opening(browser, report, checks)
    opened.check_opened(browser, report, checks)
    told.check_note(browser, report, checks)
    check_drawing(browser, report, checks)
    check_levels(browser, report, checks)
    check_cuts(browser, report, checks)
    drawn.check_volumes(browser, report, checks)
    drawn.check_bounds(browser, report, checks)
    told.check_status(browser, report, checks)
    told.check_lists(browser, report, checks)
    told.check_legend(browser, report, checks)
    check_picking(browser, report, checks)
    check_keyboard(browser, report, checks)
    drawn.check_controls(browser, report, checks)
    drawn.check_solid_picking(browser, report, checks)

    # Volumes that one sees through take a browser without a graphics card long, and are not needed for the rest.
    if report.tree:
        browser.set("volumes", "hidden")
    check_explode(browser, report, checks)
    check_part_picking(browser, report, checks)
    check_first_triangles(browser, report, checks)
    drawn.check_sides(browser, report, checks)
    drawn.check_primitive(browser, report, checks)
    drawn.check_parts(browser, report, checks)
    drawn.check_bodies(browser, report, checks)
    opened.check_proxy(browser, report, checks)
    opened.check_outlines(browser, report, checks)
    scale.check_rule(browser, report, checks)
    places.check_places(browser, report, checks)
    told.check_parts(browser, report, checks)
    told.check_edges(browser, report, checks)
    told.check_left_out(browser, report, checks)
    moved.check_exploded_link(browser, report, checks)
    moved.check_addresses(browser, report, checks)
    drawn.check_nodes(browser, report, checks)
    moved.check_links(browser, report, checks)
    check_quiet(browser, checks)


HOSTILE = "</script><img src=x onerror=alert(1)>&\"'"


QUICK = ["parts", "proxy", "triangle", "no tree", "hostile"]


def make_samples(build, folder, quick):
    """What is tried by default: name to .bvh file."""
    subprocess.run([build + "/make_samples", folder], check=True, stdout=subprocess.DEVNULL)
    with open(folder + "/triangle.obj", "w") as mesh:
        mesh.write("v 1000000.5 0 0\nv 1000001.5 0 0\nv 1000000.5 1 0.25\nf 1 2 3\n")
    write_cylinder(folder + "/cylinder.obj")
    hostile = folder + "/a<b>&\"'.obj"
    with open(hostile, "w") as mesh:
        mesh.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
        for number, faces in enumerate(["f 1 3 2\nf 1 2 4\n", "f 2 3 4\n", "f 1 4 3\n"]):
            mesh.write("o %d%s\ng %d%s\nusemtl %d%s\n%s" % (number, HOSTILE, number, HOSTILE, number, HOSTILE, faces))
    fast = ["--preset", "fast"]
    certified = [*fast, "--hausdorff", "0.1"]
    like = ["--recognise", "0.1%"]
    samples = {
        "parts": [folder + "/stair.obj", *certified, "--decompose=8%", "--max-parts", "8", "--sections", "source", *like],
        "proxy": [folder + "/gear.obj", *certified, "--simplify", "4%", "--units", "cm"],
        "open": [folder + "/broken.obj", *certified, *like],
        "mixed": [folder + "/cup.obj", *certified, "--volume", "mixed"],
        "k-DOPs": [folder + "/cup.obj", *certified, "--volume", "kdop18"],
        "balls": [folder + "/broken.obj", *certified, "--volume", "sphere"],
        "triangle": [folder + "/triangle.obj", *certified],
        "no tree": [folder + "/knot.obj", *fast, "--sections", "-tree", *like],
        "hull alone": [folder + "/cylinder.obj", *fast, "--sections", "none,hull,primitives", "--recognise", "1%"],
        "no errors": [folder + "/terrain.obj", *fast],
        "hostile": [hostile, *certified, "--sections", "source"],
    }
    return {name: build_file(build, options, folder + "/" + name + ".bvh") for name, options in samples.items()
            if not quick or name in QUICK}


def write_cylinder(path):
    """Of radius 1 and height 3, in a direction of its own, far from the origin."""
    axis = numpy.array([2, 3, 6]) / 7
    across, other = numpy.array([3, -6, 2]) / 7, numpy.array([6, 2, -3]) / 7
    angles = 2 * numpy.pi * numpy.arange(48) / 48
    ring = numpy.cos(angles)[:, None] * across + numpy.sin(angles)[:, None] * other
    points = numpy.concatenate([ring - 1.5 * axis, ring + 1.5 * axis, [-1.5 * axis, 1.5 * axis]]) + [10, -20, 5]
    faces = []
    for i in range(48):
        k = (i + 1) % 48
        faces += [(i, k, 48 + k), (i, 48 + k, 48 + i), (96, k, i), (97, 48 + i, 48 + k)]
    with open(path, "w") as mesh:
        mesh.writelines("v %.9f %.9f %.9f\n" % tuple(p) for p in points)
        mesh.writelines("f %d %d %d\n" % tuple(i + 1 for i in face) for face in faces)


def check_large(browser, build, folder, checks):
    """More triangles and nodes than the view has room for: what was left out, and where links to that lead."""
    checks.where = "large"
    subprocess.run([build + "/bench/make_meshes", "210000", folder, "ply"], check=True, stdout=subprocess.DEVNULL)
    report = Report(build, build_file(build, [folder + "/mesh.ply", "--preset", "fast"], folder + "/large.bvh"))
    checks.check(report.data["mesh"]["numbers"] and report.tree.in_file > len(report.tree.number), "nothing was left out")
    check_data(report, checks)
    check_opening(browser, report, checks)
    opened.be_neutral(browser, report)
    told.check_note(browser, report, checks)
    told.check_left_out(browser, report, checks)
    told.check_status(browser, report, checks)
    for index in [0, len(report.mesh.numbers) - 1]:
        told.show(browser, "triangle:%d" % report.mesh.numbers[index])
        told.check_triangle(browser, report, checks, index)
    check_quiet(browser, checks)


def build_file(build, options, bvh):
    subprocess.run([build + "/bvbuild", "-q", *options, "-o", bvh], check=True)
    return bvh


def build_meshes(build, meshes, folder):
    """Those that are not large in a few parts."""
    parts = ["--decompose=4%", "--max-parts", "24", "--time-budget", "5"]
    return {os.path.basename(mesh): build_file(build, [mesh, *(parts if os.path.getsize(mesh) < 2e6 else [])], "%s/%d.bvh" % (folder, i))
            for i, mesh in enumerate(meshes)}


def main():
    build = os.path.abspath(sys.argv[1])
    quick = sys.argv[2:] == ["--quick"]
    meshes = [] if quick else sys.argv[2:]
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        files = build_meshes(build, meshes, folder) if meshes else make_samples(build, folder, quick)
        reports = {name: Report(build, bvh) for name, bvh in files.items()}
        browser = Browser()
        try:
            for checks.where, report in reports.items():
                check_report(browser, report, checks)
            checks.where = next(iter(reports))
            report = reports[checks.where]
            checks.check(meshes or report.data["parts"]["count"] > 1, "a single part says nothing about exploding")
            browser.open(report.page)
            opened.be_neutral(browser, report)
            opened.check_copied(browser, checks)
            check_dark(browser, report, checks)
            moved.check_pointer(browser, report, checks)
            moved.check_zoom(browser, report, checks)
            moved.check_flight(browser, report, checks)
            moved.check_window(browser, report, checks)
            check_lost_context(browser, checks)
            check_print(browser, checks)
            check_address(browser, report, checks)
            drawn.check_strange_links(browser, report, checks)
            if not meshes and not quick:
                check_large(browser, build, folder, checks)
                checks.where = next(iter(reports))
            clips.check_clip(browser, build, folder, checks)
            checks.where = next(iter(reports))
            check_without_scripts(browser, report, checks)
        finally:
            browser.close()
        check_without_webgl(dict(list(reports.items())[:1 if quick else 2]), checks)
    print("test_report: %d checks passed%s" % (checks.passed, ", %d failed" % checks.failed if checks.failed else ""))
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
