"""What the page opens on, the proxy mesh, outlines of bodies, and commands that are copied."""

import numpy
from selenium.webdriver.common.by import By

from geometry import read_array

SHOWN = ["triangles", "volumes", "parts", "proxy"]


def be_neutral(browser, report):
    """The mesh with the volumes of the hierarchy, as most tests expect."""
    for control, there, value in [("mesh", report.mesh, "solid"), ("volumes", report.tree, "translucent"),
                                  ("parts", report.data["parts"], "hidden"), ("proxy", report.data["proxy"], "hidden")]:
        if there:
            browser.set(control, value)


def check_opened(browser, report, checks):
    """Parts if there are any, else the proxy mesh, else the hierarchy and the mesh."""
    shown = browser.get("shown")
    parts, proxy = report.json["decomposition"]["parts"] or 0, report.json["proxy"]["triangles"] or 0
    requested = {"triangles": 0, "volumes": 0, "parts": parts, "proxy": 0 if parts else proxy}
    if parts or proxy:
        checks.equal({key: shown[key] for key in SHOWN}, requested, "what the page opens on")
    else:
        checks.check(shown["triangles"] == (len(report.mesh.corners) if report.mesh else 0) and
                     (shown["volumes"] > 0) == (report.tree is not None), "the page opens on %s" % shown)
    picture = browser.picture()
    checks.check((numpy.abs(picture - picture[2, 2]).max(axis=2) > 12).mean() > 0.002, "nothing is drawn at first")
    be_neutral(browser, report)


def check_proxy(browser, report, checks):
    """The triangles of the file's proxy mesh, drawn where they are; the link in its section draws them alone."""
    has = report.json["proxy"]["triangles"]
    checks.equal(report.data["proxy"] is not None and report.data["proxy"]["triangles_in_file"], has or False, "triangles of the proxy mesh")
    if not has:
        return
    checks.equal(browser.run("return bvReport.drawnBody( 'proxy' )"), None, "the proxy mesh when it is hidden")
    before = browser.picture()
    for style in ["solid", "transparent", "wireframe"]:
        browser.set("proxy", style)
        checks.check((numpy.abs(browser.picture() - before).max(axis=2) > 12).mean() > 0.005, "the proxy mesh is not drawn: " + style)
    drawn = numpy.array(browser.run("return bvReport.drawnBody( 'proxy' )")).reshape(-1, 3)
    browser.set("proxy", "hidden")
    (points, corners), = report.export("proxy")
    step = 1.01 / 65535
    expected = (points - report.data["center"]) / report.data["scale"]
    checks.check(drawn.shape == expected.shape and numpy.abs(drawn - expected).max() <= step, "the proxy mesh is drawn elsewhere")
    checks.equal(read_array(report.data["proxy"]["corners"]).reshape(-1, 3).tolist(), corners.tolist(), "corners of the proxy mesh")
    browser.run("document.querySelector( 'a[data-show=\"proxy:all\"]' ).click()")
    shown = browser.get("shown")
    checks.equal([shown[key] for key in SHOWN], [0, 0, 0, has], "shown by the link to the proxy mesh")
    browser.press("\ue00c")
    checks.equal(browser.get("shown.proxy"), 0, "triangles of the proxy mesh after Escape")


def edges_of(points, corners):
    """Sides of triangles that do not lie inside of a plane face, as pairs of points. In exact enough numbers: the file's."""
    size = numpy.ptp(points, axis=0).max()
    sides = {}
    for number, triangle in enumerate(corners):
        for k in range(3):
            sides.setdefault(frozenset((triangle[k], triangle[(k + 1) % 3])), []).append((number, triangle[(k + 2) % 3]))
    found = set()
    doubtful = set()
    for ends, sharing in sides.items():
        off = numpy.inf
        if len(sharing) == 2:
            off = 0
            for (number, _), (_, third) in [sharing, sharing[::-1]]:
                a, b, c = points[corners[number]]
                normal = numpy.cross(b - a, c - a)
                length = numpy.linalg.norm(normal)
                off = max(off, abs(normal @ (points[third] - a)) / length if length > 0 else numpy.inf)
        (found if off > 3e-6 * size else doubtful if off > 1e-7 * size else set()).add(ends)
    return found, doubtful


def check_outlines(browser, report, checks):
    """Every edge of the hull and of the parts is drawn, and nothing else, against the geometry that bvinspect exports."""
    for name, control, value in [("hull", "hull", True), ("parts", "parts", "each")]:
        if not report.data[name]:
            continue
        checks.equal(browser.run("return bvReport.drawnOutline( arguments[0] )", name), None, "the outline of the %s when hidden" % name)
        browser.set(control, value)
        lines = numpy.array(browser.run("return bvReport.drawnOutline( arguments[0] )", name)).reshape(-1, 2, 3)
        browser.set(control, False if value is True else "hidden")
        steps = lambda points: tuple(numpy.rint((points + 1) * 32767.5).astype(int))
        drawn = {frozenset(steps(end) for end in line) for line in lines}
        expected, allowed = set(), set()
        for points, corners in report.export(name):
            where = [steps(p) for p in (points - report.data["center"]) / report.data["scale"]]
            sure, doubtful = edges_of(points, corners)
            expected |= {frozenset(where[i] for i in ends) for ends in sure}
            allowed |= {frozenset(where[i] for i in ends) for ends in doubtful}
        checks.check(expected <= drawn, "%d of %d edges of the %s are not drawn" % (len(expected - drawn), len(expected), name))
        checks.check(drawn <= expected | allowed, "%d lines of the %s are no edges" % (len(drawn - expected - allowed), name))


COPIED = "const done = arguments[0]; navigator.clipboard.readText().then( done, error => done( String( error ) ) );"


def check_copied(browser, checks):
    """A click on the button beside a command copies it; the page is not wider than a telephone."""
    browser.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    for command in browser.driver.find_elements(By.CSS_SELECTOR, ".command"):
        button = command.find_element(By.TAG_NAME, "button")
        checks.check(button.is_displayed(), "a button that copies is hidden")
        browser.run("arguments[0].focus(); arguments[0].click()", button)
        text = command.find_element(By.TAG_NAME, "code").get_attribute("textContent")
        checks.equal(browser.driver.execute_async_script(COPIED), text, "copied")
        checks.equal(button.get_attribute("textContent"), "Copied", "what the button says")
    size = browser.driver.get_window_size()
    browser.driver.set_window_size(400, 800)
    wide = browser.run("return [ document.documentElement.scrollWidth, window.innerWidth ]")
    checks.check(wide[0] <= wide[1], "the page is %d pixels wide in a window of %d" % tuple(wide))
    browser.driver.set_window_size(size["width"], size["height"])
