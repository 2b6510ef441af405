"""The view plays a clip: what it draws at samples, against an evaluator of animations that shares no code with the library, and what is
hidden meanwhile."""

import json
import os
import subprocess
import sys
import time

import numpy

from geometry import read_array, read_view

CLIPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clips")
SAMPLES = 9


def make_page(build, folder):
    """The path of a page with a clip, and the source."""
    subprocess.run([sys.executable, CLIPS + "/make_clips.py", folder], check=True)
    bvh = folder + "/tube-clip.bvh"
    subprocess.run([build + "/bvbuild", "-q", folder + "/tube.glb", "--clip", "Bend", "--samples", str(SAMPLES), "--clip-frames",
                    "--sections", "source", "-o", bvh], check=True)
    subprocess.run([build + "/bvinspect", "--html", bvh + ".html", bvh], check=True)
    return bvh + ".html", folder + "/tube.glb"


def drawn_triangles(browser, data):
    """Corners of the triangles as they are drawn, mesh units."""
    points = numpy.array(browser.run("return bvReport.drawnBody( 'mesh' )")).reshape(-1, 3) * data["scale"] + data["center"]
    return points[numpy.array(read_array(data["mesh"]["corners"])).reshape(-1, 3)]


def check_clip(browser, build, folder, checks):
    checks.where = "clip"
    sys.path.insert(0, CLIPS)
    from evaluate import Scene
    page, source = make_page(build, folder)
    data, _ = read_view(page)
    faces = read_array(data["mesh"]["sources"]["faces"])
    scene = Scene(source)
    scene.play("Bend")
    checks.equal(len(data["clip"]["frames"]), SAMPLES, "frames")

    def expected(sample):
        return numpy.array(scene.triangles(scene.start + (scene.end - scene.start) * sample / (SAMPLES - 1)))[faces]

    browser.open(page)
    checks.check(browser.get("ready"), "the view is not ready: %s" % browser.get("message"))
    checks.equal(browser.get("sample"), None, "the sample at first")
    checks.check(browser.get("shown.volumes") > 0, "no volumes are shown at first")
    step = json.loads(subprocess.run([build + "/bvinspect", "--json", page[:-5]], check=True, stdout=subprocess.PIPE).stdout)["clip"]["step"]
    most = 1.01 * (data["scale"] / 65535 + step / 2) + 1e-6
    for sample in (3, SAMPLES - 1, 0):
        browser.set("frame", sample)
        browser.wait_for_frame()
        checks.equal(browser.get("sample"), sample, "the sample")
        off = numpy.abs(drawn_triangles(browser, data) - expected(sample)).max()
        checks.check(off <= most, "sample %d is drawn %g off" % (sample, off))
        checks.equal(browser.get("shown.volumes"), 0, "volumes at another pose")
    browser.run("document.getElementById( 'view-rest' ).click()")
    browser.wait_for_frame()
    off = numpy.abs(drawn_triangles(browser, data) - expected(0)).max()
    checks.check(off <= most and browser.get("sample") is None, "the pose of the file is drawn %g off" % off)
    checks.check(browser.get("shown.volumes") > 0, "volumes do not come back")

    # It plays by a button only, and goes on by itself.
    browser.run("document.getElementById( 'view-play' ).click()")
    seen = set()
    for _ in range(20):
        time.sleep(0.05)
        seen.add(browser.get("sample"))
    checks.check(len(seen) > 4 and all(s is None or 0 <= s <= SAMPLES - 1 for s in seen), "it does not play: %s" % seen)
    browser.run("document.getElementById( 'view-play' ).click()")
    still = browser.get("sample")
    time.sleep(0.2)
    checks.equal(browser.get("sample"), still, "it goes on")

    # Links: into a sample, and into a node, of the pose of the file.
    worst = browser.run("return document.querySelector( '#clip [data-show^=\"frame:\"]' ).dataset.show")
    browser.run("document.querySelector( '#clip [data-show^=\"frame:\"]' ).click()")
    browser.wait_for_frame()
    checks.equal(browser.get("sample"), int(worst.split(":")[1]), "the linked sample")
    browser.open(page, "#view=node:1")
    checks.equal(browser.get("sample"), None, "the pose with a node")
    browser.open(page, "#view=frame:5")
    checks.equal(browser.get("sample"), 5, "the sample of the address")
    browser.open(page, "#view=frame:99")
    checks.equal(browser.get("sample"), None, "a sample that is not there")
    dots = browser.run("return document.querySelectorAll( '#clip svg circle' ).length")
    checks.check(dots > SAMPLES, "%d dots in the plot" % dots)
    checks.equal(browser.complaints(), [], "the console says")
