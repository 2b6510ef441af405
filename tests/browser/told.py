"""What the panel says, against the JSON report and the mesh that bvinspect exports: facts of what is picked, the worst nodes and
parts, how many volumes are shown, what was left out, and what the legend's colors stand for."""

import re

import numpy
from selenium.webdriver.common.keys import Keys

from browser import read_number
from geometry import read_array
import scale

TEXTS = "return Array.from( document.querySelectorAll( arguments[0] ), e => e.textContent )"
LISTS = """
return Array.from( document.querySelectorAll( arguments[0] + " h3" ), h => [ h.textContent,
    h.nextElementSibling && h.nextElementSibling.tagName === "OL"
        ? Array.from( h.nextElementSibling.querySelectorAll( "button" ),
            b => [ b.dataset.show, b.firstChild.textContent, b.lastChild.textContent ] )
        : [] ] )
"""


def read_facts(browser):
    terms, texts = (browser.run(TEXTS, "#view-picked dl:first-of-type " + tag) for tag in ("dt", "dd"))
    return dict(zip(terms, texts))


def read_lists(browser, where):
    """By heading: what each row shows, its name and its value."""
    return dict(browser.run(LISTS, "#view-" + where))


def is_upper(text, value):
    """Whether this is what one reads of an upper bound: not below it, and hardly above."""
    return value <= read_number(text) <= value * 1.0011


def is_lower(text, value):
    return value * 0.9989 <= read_number(text) <= value


def is_about(text, value):
    return abs(read_number(text) - value) <= 5.01e-4 * abs(value)


def show(browser, what):
    """By the page's address, of which only a change is told."""
    browser.run("location.hash = '#view'; location.hash = '#view=' + arguments[0]", what)
    browser.wait_for_frame()


def check_triangle(browser, report, checks, index):
    """What is said of the picked triangle, the one of this index in the view: its corners are the file's to what is said."""
    facts = read_facts(browser)
    number = int(report.mesh.numbers[index])
    title = browser.run(TEXTS, "#view-picked-title")
    checks.equal(title, ["Triangle %d" % number], "the title of what is picked")
    within = read_number(facts["Accuracy"])
    step = report.data["scale"] / 65535
    checks.check(within <= 2 * (report.data["mesh"]["moved"] + step), "corners of triangle %d only to %g" % (number, within))
    for k, corner in enumerate(report.file_triangles[number]):
        text = facts["Corner %d" % (k + 1)]
        said = [read_number(x) for x in text.split(", ")]
        off = numpy.abs(numpy.subtract(said, corner)).max()
        checks.check(off <= within, "corner %d of triangle %d, %s, is off by %g, not %g" % (k + 1, number, text, off, within))
    a, b, c = report.mesh.triangles()[index] * report.data["scale"]
    area = numpy.linalg.norm(numpy.cross(b - a, c - a)) / 2
    checks.check(abs(read_number(facts["Area"][6:]) - area) <= 6e-4 * area + 1e-6 * report.data["scale"] ** 2,
                 "triangle %d has an area of %g, not %s" % (number, area, facts["Area"]))


def check_node(browser, report, checks, place):
    """What is said of the picked node, and its children."""
    tree, facts = report.tree, read_facts(browser)
    number = int(tree.number[place])
    data = report.data["tree"]
    kind = data["types"][read_array(data["type"])[place]]["name"]
    children = int(tree.children[place])
    checks.equal(browser.run(TEXTS, "#view-picked-title"), ["Node %d" % number], "the title of what is picked")
    checks.equal([facts["Volume"], facts["Children"], facts["Triangles"]],
                 ["%s, level %d" % (kind, tree.level[place]), "{:,}".format(children) if children else "none (leaf)",
                  "{:,}, from {}".format(tree.triangles[place], tree.first[place])], "what is said of node %d" % number)
    listed = read_lists(browser, "picked").get("Children", [])
    expected = numpy.flatnonzero(tree.parent == place)
    checks.equal([row[0] for row in listed], ["node:%d" % tree.number[child] for child in expected], "children of node %d" % number)


def check_worst(browser, report, checks, measure):
    """Those of the largest errors among the volumes that are drawn, and the parts that stand off most, each with its error."""
    tree, parts = report.tree, report.data["parts"]
    expected = {}
    numbers = browser.get("drawn.nodes") if tree else []
    if numbers and tree.errors:
        places = sorted((report.place_of[n] for n in numbers), key=lambda place: (-tree.errors[measure][place], place))
        expected["Largest errors among the volumes shown"] = [
            ("node:%d" % tree.number[place], "node %d, level %d%s" % (
                tree.number[place], tree.level[place], "" if tree.children[place] else ", leaf"), tree.errors[measure][place])
            for place in places[:5]]
    if parts:
        hulls = report.json["decomposition"]["hulls"]
        order = sorted(range(len(hulls)), key=lambda i: (-hulls[i]["concavity"]["upper"], i))
        expected["Parts with the largest stand-off"] = [("part:%d" % i, "part %d" % i, hulls[i]["concavity"]["upper"]) for i in order[:5]]
    found = read_lists(browser, "worst")
    checks.equal({title: [row[:2] for row in rows] for title, rows in found.items()},
                 {title: [list(row[:2]) for row in rows] for title, rows in expected.items()}, "the worst by %s" % measure)
    for title, rows in expected.items():
        for row, (what, _, value) in zip(found.get(title, []), rows):
            checks.check(is_upper(row[2], value), "%s: %s stands for %g" % (what, row[2], value))


def check_lists(browser, report, checks):
    """The worst of a level, of a cut, of either error, and of nothing."""
    browser.press(Keys.ESCAPE)
    if report.tree:
        browser.set("volumes", "translucent")
        browser.set("leaves", True)
        browser.set("by-level", True)
        for level in sorted({0, min(3, report.tree.whole_levels - 1)}):
            browser.set("level", level)
            for measure in ["surface", "solid"] if report.tree.errors else ["solid"]:
                browser.set("measure", measure)
                browser.wait_for_frame()
                check_worst(browser, report, checks, measure)
        if report.tree.errors:
            browser.set("by-cut", True)
            browser.set("cut", 600)
            browser.wait_for_frame()
            check_worst(browser, report, checks, "solid")
            said = browser.run("return document.getElementById( 'view-cut-text' ).textContent")
            error = browser.get("cutError")
            checks.check(is_upper(said, error), "a cut at %g is said to be at %s" % (error, said))
            status = browser.run("return document.getElementById( 'view-status' ).textContent")
            found = re.search(r"([0-9,]+) volumes? with no error above (\S+)", status)
            checks.check(found and found[1] == "{:,}".format(browser.get("shown.volumes")) and is_upper(found[2], error),
                         "the cut at %g is called: %s" % (error, status))
            browser.set("by-level", True)
        browser.set("volumes", "hidden")
        browser.wait_for_frame()
    check_worst(browser, report, checks, "solid")
    if report.tree:
        browser.set("volumes", "translucent")


def check_status(browser, report, checks):
    """The line above the panel, of volumes by level."""
    if not report.tree:
        return
    levels = report.json["hierarchy"]["levels"]
    browser.set("by-level", True)
    for level in sorted({0, min(4, report.tree.whole_levels - 1), report.tree.whole_levels - 1}):
        browser.set("level", level)
        for leaves in [False, True]:
            browser.set("leaves", leaves)
            above = sum(row["leaves"] for row in levels[:level]) if leaves else 0
            expected = ([report.data["mesh"]["triangles"]] if report.mesh else []) + [levels[level]["nodes"], level] + ([above] if above else [])
            status = browser.run("return document.getElementById( 'view-status' ).textContent")
            checks.equal([int(n.replace(",", "")) for n in re.findall("[0-9,]+", status)], expected, "numbers in: " + status)
        checks.equal(browser.run(TEXTS, "#view-level-text"), ["%d of %d" % (level, len(levels) - 1)], "what is said of the slider")


def check_legend(browser, report, checks):
    """The documented scale, in percent of the diagonal; the levels; nothing where nothing has such colors."""
    def check(title):
        said = browser.run(TEXTS, "#view-legend-title")[0]
        diagonal = scale.diagonal_of(report)
        checks.check(title in said and "% of the diagonal" in said and is_about(said[said.index("(") + 1:], diagonal),
                     "the legend of %s of a diagonal of %g says: %s" % (title, diagonal, said))
        checks.equal(browser.run(TEXTS, "#view-legend-ticks span"), ["", *("%g" % limit for limit in scale.LIMITS), ""],
                     "limits in the legend")
        bar = browser.run("return getComputedStyle( document.getElementById( 'view-legend-bar' ) ).backgroundImage")
        bands = re.findall(r"rgb\((\d+), (\d+), (\d+)\)", bar)
        checks.equal(bands[::2], [tuple(map(str, color)) for color in scale.COLORS], "colors in the legend")
        checks.equal(bands[::2], bands[1::2], "where colors begin and end")

    if report.tree:
        browser.set("volumes", "translucent")
        browser.set("color", "level")
        last = len(report.json["hierarchy"]["levels"]) - 1
        checks.equal(browser.run(TEXTS, "#view-legend-ticks span"), ["0", str(last)] if last else ["0"], "the legend of levels")
        for measure in ["surface", "solid"] if report.tree.errors else []:
            browser.set("color", "error")
            browser.set("measure", measure)
            check("error")
        browser.set("volumes", "hidden")
    if report.data["parts"]:
        browser.set("parts", "error")
        check("stand-off")
        browser.set("parts", "hidden")
    checks.equal(browser.run("return document.getElementById( 'view-legend' ).getClientRects().length"), 0,
                 "boxes of the legend when nothing has its colors")
    if report.tree:
        browser.set("volumes", "translucent")


def check_parts(browser, report, checks):
    """What is said of each part is what the JSON report says of it."""
    for number, hull in enumerate(report.json["decomposition"]["hulls"] or []):
        show(browser, "part:%d" % number)
        facts = read_facts(browser)
        what = "part %d: %s" % (number, facts)
        checks.equal([facts["Vertices"], facts["Faces"]], ["{:,}".format(hull["vertices"]), "{:,}".format(hull["faces"])], what)
        checks.check(is_about(facts["Volume"], hull["volume"]), what + ": its volume is %g" % hull["volume"])
        lower, upper = facts["Stand-off"].split(" to ")
        checks.check(is_lower(lower, hull["concavity"]["lower"]) and is_upper(upper, hull["concavity"]["upper"]),
                     what + ": it stands off by %(lower)g to %(upper)g" % hull["concavity"])
    browser.press(Keys.ESCAPE)
    browser.set("parts", "hidden")
    if report.mesh:
        browser.set("mesh", "solid")


def check_edges(browser, report, checks):
    """How many of a kind there are, beside the control and when they are picked."""
    for kind in ["boundary", "flipped", "non_manifold"]:
        count = report.json["mesh"]["edges_of_kind"][kind]
        if not report.mesh or not count:
            continue
        shown = min(count, 20000)
        said = browser.run(TEXTS, "#view-%s-count" % kind)[0]
        checks.equal(said, "(%s{:,})".format(count) % ("{:,} of ".format(shown) if shown < count else ""), kind + " edges beside the control")
        show(browser, "edges:" + kind)
        checks.equal(list(read_facts(browser).values()), ["{:,}".format(count), "{:,}".format(shown)], "%s edges in the panel" % kind)
        browser.set(kind, False)
    browser.press(Keys.ESCAPE)


def check_note(browser, report, checks):
    """What the view does not have of the file: nothing, or how many triangles and nodes, and how far vertices have moved."""
    note = browser.run("const note = document.getElementById( 'view-note' ); return note.hidden ? '' : note.textContent")
    thinned = re.search(r"simplified from ([0-9,]+) to ([0-9,]+) triangles?; vertices moved by at most (\S+?)(?: m)?\.(?: |$)", note)
    triangles = report.json["mesh"]["triangles"]
    if report.mesh and len(report.mesh.corners) < triangles:
        checks.check(thinned is not None, "nothing is said of thinning: " + note)
        if thinned:
            said = [int(n.replace(",", "")) for n in thinned.groups()[:2]]
            checks.equal(said, [triangles, len(report.mesh.corners)], "triangles in: " + note)
            view = report.mesh.triangles() * report.data["scale"] + report.data["center"]
            moved = numpy.linalg.norm(view - report.file_triangles[report.mesh.numbers], axis=2).max()
            step = 2 * report.data["scale"] / 65535
            said = read_number(thinned[3])
            checks.check(moved - step <= said <= 1.01 * (moved + step), "vertices moved by %g: %s" % (moved, note))
    else:
        checks.check(not thinned, "nothing was thinned: " + note)
    fewer = re.search(r"This view has ([0-9,]+) of ([0-9,]+) nodes: levels 0 to ([0-9]+),.*?(?:down to level ([0-9]+))?\.", note)
    nodes = report.json["hierarchy"]["nodes"] or 0
    if report.tree and len(report.tree.number) < nodes:
        levels = report.json["hierarchy"]["levels"]
        there = numpy.bincount(report.tree.level)
        whole = next((i for i, row in enumerate(levels) if i >= len(there) or there[i] < row["nodes"]), len(levels))
        checks.check(fewer is not None, "nothing is said of nodes: " + note)
        if fewer:
            checks.equal([int(n.replace(",", "")) for n in fewer.groups()[:3]], [len(report.tree.number), nodes, report.tree.whole_levels - 1],
                         "nodes in: " + note)
            checks.check(report.tree.whole_levels <= whole, "only %d levels are whole: %s" % (whole, note))
            checks.equal(fewer[4], str(len(there) - 1) if len(there) < len(levels) else None, "the last level in: " + note)
    else:
        checks.check(not fewer, "no node was left out: " + note)


def check_left_out(browser, report, checks):
    """A link to a triangle that thinning left out shows the last node that holds it; one to a node that is not there says so."""
    if not report.tree or not report.mesh:
        return
    lost = numpy.setdiff1d(numpy.arange(report.json["mesh"]["triangles"]), report.mesh.numbers)
    for number in [int(n) for n in lost[::len(lost) // 3 + 1]]:
        show(browser, "triangle:%d" % number)
        picked = browser.get("picked") or {}
        checks.equal((picked.get("kind"), picked.get("number")), ("node", report.tree.nodes_over(number)[-1]), "shown for triangle %d" % number)
        place = report.place_of[picked["number"]]
        first, end = numpy.searchsorted(report.mesh.numbers, [report.tree.first[place], report.tree.first[place] + report.tree.triangles[place]])
        checks.equal(browser.get("drawn.below"), [int(first), int(end - first)] if end > first else None,
                     "triangles marked of node %d" % picked["number"])
    left = numpy.setdiff1d(numpy.arange(report.json["hierarchy"]["nodes"]), report.tree.number)
    if len(left) > 0:
        browser.press(Keys.ESCAPE)
        show(browser, "node:%d" % left[0])
        said = browser.run("return document.getElementById( 'view-status' ).textContent")
        checks.check("not have node %d, which was omitted" % left[0] in said, "of node %d, which was omitted: %s" % (left[0], said))
    browser.press(Keys.ESCAPE)
