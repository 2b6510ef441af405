"""Links to places: what covers them is hidden, the camera sees them, their lines are thick, and Escape brings all back."""

import numpy
from selenium.webdriver.common.keys import Keys

from geometry import Eye, first_hit, read_array, read_points
from told import show

VALUES = """
return [ "mesh", "volumes", "parts", "proxy", "hull", "primitive" ].map( name =>
{
    const control = document.getElementById( "view-" + name );
    return control.type === "checkbox" ? control.checked : control.value;
} )
"""
COVER = {"mesh": "wireframe", "volumes": "solid", "parts": "each", "proxy": "solid"}


def cover_all(browser, report):
    """All that can be before a place is shown."""
    for name, value in COVER.items():
        if {"mesh": report.mesh, "volumes": report.tree}.get(name, report.data.get(name)):
            browser.set(name, value)
    if report.data["hull"]:
        browser.set("hull", True)
    if report.data["primitive"]:
        browser.set("primitive", True)


def is_seen(browser, report, points, own):
    """Which share of the points no other triangle of the mesh covers; 1 if one sees through the mesh."""
    if not report.mesh or browser.run("return document.getElementById( 'view-mesh' ).value") in ("transparent", "hidden"):
        return 1
    eye = Eye(browser.get("camera"), browser.canvas_size())
    triangles = report.mesh.triangles()
    seen = 0
    for point in points:
        way = point - eye.position
        length = numpy.linalg.norm(way)
        hits, _ = first_hit(triangles, eye.position, way / length)
        depth = numpy.inf
        for hit in hits[:1]:
            a, b, c = triangles[hit]
            normal = numpy.cross(b - a, c - a)
            depth = normal @ (a - eye.position) / (normal @ (way / length))
        seen += depth > length - 4e-3 or (own is not None and own in hits)
    return seen / len(points)


def colored(picture, background):
    return int((numpy.abs(picture - background).max(axis=2) > 40).sum())


def check_places(browser, report, checks):
    cover_all(browser, report)
    before = browser.run(VALUES)
    if report.mesh:
        for index in sorted({0, len(report.mesh.corners) // 3, len(report.mesh.corners) - 1}):
            number = int(report.mesh.numbers[index])
            show(browser, "triangle:%d" % number)
            what = "triangle %d" % number
            shown = browser.get("shown")
            checks.equal([shown[key] for key in ("volumes", "parts", "proxy", "hull", "primitive")], [0, 0, 0, False, False], "before " + what)
            middle = report.mesh.triangles()[index].mean(axis=0)
            checks.check(is_seen(browser, report, [middle], index) == 1, what + " is covered")
            browser.press(Keys.ESCAPE)
            checks.equal(browser.run(VALUES), before, "what is shown after Escape from " + what)
    for kind in ["boundary", "flipped", "non_manifold"]:
        ends = read_points(report.data["edges"][kind]["ends"]).reshape(-1, 2, 3)
        if len(ends) == 0:
            continue
        show(browser, "edges:" + kind)
        shown = browser.get("shown")
        checks.equal([shown[key] for key in ("volumes", "parts", "proxy", "hull", "primitive")], [0, 0, 0, False, False], "before %s edges" % kind)
        middles = ends.mean(axis=1)[::max(1, len(ends) // 24)]
        share = is_seen(browser, report, middles, None)
        checks.check(share >= 0.3, "%.2f of the %s edges are seen" % (share, kind))
        # Lines of 5 pixels, and of 2 when the kind is only switched on.
        browser.set("mesh", "hidden")
        thick = browser.picture()
        browser.press(Keys.ESCAPE)
        browser.set("mesh", "hidden")
        for name in ["volumes", "parts", "proxy"]:
            if browser.run("return document.getElementById( 'view-' + arguments[0] ).offsetParent !== null", name):
                browser.set(name, "hidden")
        browser.set("hull", False)
        browser.set("primitive", False)
        thin = browser.picture()
        browser.set(kind, False)
        nothing = browser.picture()
        checks.check(colored(thick, nothing) > 1.5 * colored(thin, nothing) or colored(thin, nothing) < 40,
                     "%s edges cover %d pixels as a place, %d otherwise" % (kind, colored(thick, nothing), colored(thin, nothing)))
        cover_all(browser, report)
    for number in sorted({0, (report.data["parts"] or {"count": 1})["count"] - 1}) if report.data["parts"] else []:
        show(browser, "part:%d" % number)
        shown = browser.get("shown")
        checks.equal([shown[key] for key in ("triangles", "volumes", "proxy", "hull", "primitive")], [0, 0, 0, False, False], "before part %d" % number)
        browser.press(Keys.ESCAPE)
        checks.equal(browser.run(VALUES), before, "what is shown after Escape from part %d" % number)
    if report.tree:
        show(browser, "node:%d" % report.tree.number[-1])
        shown = browser.get("shown")
        checks.equal([shown[key] for key in ("parts", "proxy", "hull", "primitive")], [0, 0, False, False], "before a node")
        below = read_array(report.data["tree"]["first"])[-1]
        if report.mesh and not report.data["mesh"]["numbers"]:
            triangles = report.mesh.triangles()[int(below):int(below + report.tree.triangles[-1])]
            normals = numpy.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]).sum(axis=0)
            camera = browser.get("camera")
            way = numpy.subtract(camera["position"], camera["target"])
            size = numpy.linalg.norm(normals) * numpy.linalg.norm(way)
            checks.check(normals @ way > 0.3 * size or size < 1e-12, "the camera is behind the triangles of a node")
        browser.press(Keys.ESCAPE)
    if report.data["hull"]:
        browser.set("hull", False)
    if report.data["primitive"]:
        browser.set("primitive", False)
    for name, value in [("mesh", "solid"), ("volumes", "hidden"), ("parts", "hidden"), ("proxy", "hidden")]:
        if {"mesh": report.mesh, "volumes": report.tree}.get(name, report.data.get(name)):
            browser.set(name, value)
