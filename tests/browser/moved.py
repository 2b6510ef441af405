"""Where the camera looks and how it gets there: to what links lead to, by pointers, keys and fingers, and with the window's shape.

The camera looks at the middle of a thing's box, and the ball around that which holds the thing is so large a part of the picture."""

import time

import numpy
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys

from geometry import Eye, read_array, read_points
from told import show

# Of half the angle of view: a triangle is seen with what is around it, a node with some of it.
SHARES = {"part": (0.8, 1.01), "edges": (0.8, 1.01), "triangle": (0.05, 0.3), "node": (0.3, 0.6), "level": (0.7, 1.01),
          "proxy": (0.7, 1.01)}


def points_of(browser, report, what):
    """Of what a link leads to, in the view's coordinates, out of the data and not by the page's scripts."""
    kind, name = what.split(":")
    data = report.data
    if kind == "part":
        parts = data["parts"]
        first = numpy.cumsum(numpy.r_[0, read_array(parts["vertices"]).astype(int)])
        return read_points(parts["positions"])[first[int(name)]:first[int(name) + 1]]
    if kind == "edges":
        return read_points(data["edges"][name]["ends"])
    if kind == "triangle":
        return report.mesh.triangles()[numpy.searchsorted(report.mesh.numbers, int(name))]
    if kind == "node":
        # Against the file's numbers these are held by check_nodes.
        return numpy.array(browser.get("drawn.outlined")).reshape(-1, 3)
    sets = [read_points(data[key]["positions"]) for key in ["mesh", "hull", "parts", "proxy"] if data[key]]
    return max(sets, key=lambda points: numpy.ptp(points, axis=0).max())


def check_looks_at(browser, report, checks, points, kind, what):
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    radius = numpy.linalg.norm(points - middle, axis=1).max()
    camera = browser.get("camera")
    eye = Eye(camera, browser.canvas_size())
    off = numpy.abs(numpy.subtract(camera["target"], middle)).max()
    # All there is may be the mesh, the hull or the parts, which are about as large.
    checks.check(off < (1e-2 if kind in ("level", "proxy") else 1e-4), "%s: the camera looks %g past it" % (what, off))
    distance = numpy.linalg.norm(eye.position - middle)
    half = numpy.arctan(min(1 / eye.projection[1, 1], 1 / eye.projection[0, 0]))
    share = numpy.arcsin(min(radius / distance, 1)) / half
    low, high = SHARES[kind]
    checks.check(radius < 1e-3 or low < share < high, "%s takes up %.2f of the picture" % (what, share))
    seen = eye.project(points)
    checks.check(((seen >= -1) & (seen <= eye.size + 1)).all(), what + ": not all in the picture")


def check_links(browser, report, checks):
    """Of each kind one link on the page, and all of the findings: they are the JSON report's, and lead to what they say."""
    links = browser.run("return Array.from( document.querySelectorAll( 'a[data-show]' ), a => a.dataset.show )")
    findings = browser.run("return Array.from( document.querySelectorAll( '#findings a[data-show]' ), a => a.dataset.show )")
    checks.equal(sorted(findings), sorted(finding["show"] for finding in report.json["findings"] if finding["show"]), "links of the findings")
    kinds = {what.split(":")[0]: what for what in reversed(links)}
    for what in sorted({*kinds.values(), *findings}):
        browser.run("location.hash = '#view'")
        browser.press(Keys.ESCAPE)
        browser.run("document.querySelector( 'a[data-show=\"' + arguments[0] + '\"]' ).click()", what)
        kind, name = what.split(":")
        picked = browser.get("picked") or {}
        if kind == "level":
            checks.equal(browser.get("level"), int(name), what)
        elif kind == "proxy":
            checks.equal(browser.get("shown.proxy"), report.data["proxy"]["triangles"], what)
        else:
            checks.equal((picked.get("kind"), str(picked.get("number"))), (kind, name), what)
        if kind == "edges":
            checks.equal(browser.get("shown." + name), min(report.json["mesh"]["edges_of_kind"][name], 20000), what)
        check_looks_at(browser, report, checks, points_of(browser, report, what), kind, what)
        checks.equal(browser.run("return location.hash"), "#view=" + what, "the address")


def check_addresses(browser, report, checks):
    """A triangle has no link on the page, but an address."""
    if report.mesh:
        for index in sorted({0, len(report.mesh.numbers) // 2, len(report.mesh.numbers) - 1}):
            what = "triangle:%d" % report.mesh.numbers[index]
            show(browser, what)
            check_looks_at(browser, report, checks, points_of(browser, report, what), "triangle", what)


def check_exploded_link(browser, report, checks):
    """A part that has moved is looked at where it is."""
    if not report.data["parts"]:
        return
    browser.set("explode", 50)
    number = report.data["parts"]["count"] - 1
    show(browser, "part:%d" % number)
    drawn = numpy.array(browser.run("return bvReport.drawnPart( arguments[0] ).points", number)).reshape(-1, 3)
    check_looks_at(browser, report, checks, drawn, "part", "part %d, exploded" % number)
    outlined = browser.get("drawn.outlined")
    checks.check(outlined and numpy.abs(numpy.array(outlined).reshape(-1, 3) - drawn).max() < 1e-6, "the exploded part is outlined elsewhere")
    browser.set("explode", 0)
    browser.set("parts", "hidden")
    if report.mesh:
        browser.set("mesh", "solid")
    browser.press(Keys.ESCAPE)


def check_flight(browser, report, checks):
    """With motion the camera is not there at once, and in the end where it is without."""
    what = "node:%d" % report.tree.number[-1]
    show(browser, what)
    there = browser.get("camera")
    browser.press(Keys.ESCAPE)
    browser.focus("canvas")
    browser.press(Keys.HOME)
    browser.command("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
    started = browser.run("location.hash = '#view'; location.hash = '#view=' + arguments[0]; return bvReport.camera", what)
    checks.check(numpy.abs(numpy.subtract(started["position"], there["position"])).max() > 1e-3, "nowhere to fly from")
    until = time.time() + 20
    off = 1
    while off > 1e-6 and time.time() < until:
        time.sleep(0.05)
        off = numpy.abs(numpy.subtract(browser.get("camera.view"), there["view"])).max()
    checks.check(off <= 1e-6, "the camera flies %g past node %d" % (off, report.tree.number[-1]))
    browser.command("Emulation.setEmulatedMedia", media="", features=[])
    browser.press(Keys.ESCAPE)


def drag(browser, right, down, button=0, key=None):
    actions = ActionBuilder(browser.driver, duration=20)
    if key:
        actions.key_action.key_down(key)
        actions.pointer_action.pause()
    actions.pointer_action.move_to(browser.canvas()).pointer_down(button).move_by(right, down).pointer_up(button)
    if key:
        for _ in range(4):
            actions.key_action.pause()
        actions.key_action.key_up(key)
    actions.perform()


def check_pointer(browser, report, checks):
    """What is dragged goes with the pointer, and with an arrow key the way it points: all of it when moved, the near side when turned."""
    browser.run("document.getElementById( 'view-canvas' ).scrollIntoView( { block: 'center' } )")
    browser.press(Keys.ESCAPE)

    def moves(act, near):
        browser.focus("canvas")
        browser.press(Keys.HOME)
        camera = browser.get("camera")
        target, position = numpy.array(camera["target"]), numpy.array(camera["position"])
        point = (target + near * (position - target))[None]
        before = Eye(camera, browser.canvas_size()).project(point)[0]
        act()
        return Eye(browser.get("camera"), browser.canvas_size()).project(point)[0] - before

    way = numpy.array([70, 30])
    for name, options in [("right button", {"button": 2}), ("shift", {"key": Keys.SHIFT})]:
        found = moves(lambda: drag(browser, *way, **options), 0)
        checks.check(numpy.abs(found - way).max() < 3, "%s drags by %s, not %s" % (name, found, way))
    found = moves(lambda: drag(browser, *way), 0.2)
    checks.check((found > 5).all(), "dragging turns the near side by %s for %s" % (found, way))
    height = browser.canvas_size()[1]
    for key, along in [(Keys.ARROW_LEFT, (-1, 0)), (Keys.ARROW_RIGHT, (1, 0)), (Keys.ARROW_UP, (0, -1)), (Keys.ARROW_DOWN, (0, 1))]:
        found = moves(lambda: browser.press(key), 0.2)
        checks.check(found @ along > 5 and abs(found @ along[::-1]) < abs(found @ along),
                     "an arrow %s turns the near side by %s" % (along, found))
        found = moves(lambda: ActionChains(browser.driver).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform(), 0)
        checks.check(numpy.abs(found - numpy.array(along) * height / 16).max() < 1, "an arrow %s with shift moves by %s" % (along, found))
    picked = browser.get("picked")
    checks.equal(picked, None, "picked by dragging")


def distance(browser):
    camera = browser.get("camera")
    return numpy.linalg.norm(numpy.subtract(camera["position"], camera["target"]))


def check_zoom(browser, report, checks):
    """Fingers that part come nearer; the wheel is the page's until the view has the focus."""
    browser.focus("canvas")
    browser.press(Keys.HOME)
    far = distance(browser)
    x, y = browser.run("const b = document.getElementById( 'view-canvas' ).getBoundingClientRect(); "
                       "return [ b.left + b.width / 2, b.top + b.height / 2 ];")
    fingers = lambda spread: [{"x": x - spread, "y": y, "id": 0}, {"x": x + spread, "y": y, "id": 1}]
    browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(40))
    for spread in [50, 60, 70, 80]:
        browser.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers(spread))
        browser.wait_for_frame()
    browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    near = distance(browser)
    checks.check(abs(near / far - 0.5) < 0.05, "fingers twice as far apart come %.2f times nearer" % (far / near))
    checks.equal(browser.get("picked"), None, "picked by two fingers")
    wheel = ("document.activeElement.blur(); const e = new WheelEvent( 'wheel', { deltaY: 100, bubbles: true, cancelable: true } ); "
             "document.getElementById( 'view-canvas' ).dispatchEvent( e ); return e.defaultPrevented")
    checks.equal(browser.run(wheel), False, "the wheel is taken from a page that is scrolled")
    checks.equal(distance(browser), near, "distance after the page's wheel")
    browser.run("document.getElementById( 'view-fit' ).click()")
    checks.check(abs(distance(browser) - far) < 1e-6, "Show all does not show all")


def check_window(browser, report, checks):
    """In a narrow window as in a wide one: nothing is stretched, all is in the picture, and a click picks what is under it."""
    size = browser.driver.get_window_size()
    for width, height in [(420, 900), (size["width"], size["height"])]:
        browser.driver.set_window_size(width, height)
        for _ in range(3):
            browser.wait_for_frame()
        browser.focus("canvas")
        browser.press(Keys.HOME)
        eye = Eye(browser.get("camera"), browser.canvas_size())
        aspect = eye.projection[1, 1] / eye.projection[0, 0]
        checks.check(abs(aspect - eye.size[0] / eye.size[1]) < 0.01, "%s of %d pixels is drawn as %.2f" % (eye.size, width, aspect))
        pixels = browser.run("const c = document.getElementById( 'view-canvas' ); return [ c.width, c.height ]")
        ratio = browser.run("return Math.min( devicePixelRatio, 2 )")
        checks.check(numpy.abs(numpy.array(pixels) - eye.size * ratio).max() <= 2, "%s pixels for %s" % (pixels, eye.size))
        check_looks_at(browser, report, checks, points_of(browser, report, "level:0"), "level", "all in %d pixels" % width)
