"""Checks what samples/cloth records and shows: check_cloth.py FRAMES PAGE EVERY SQUARES, or check_cloth.py FRAMES PAGE --pairs

Pairs of triangles of the sheet that share no vertex and intersect are counted by brute force; --pairs prints their number in all frames.
Otherwise no frame that is looked at may have one, and the page must have the positions of the frames, triangles that are as large as those
of the sheet, contacts where the ball and the sheet are, and draw them in Chromium without messages and requests.
"""

import base64
import io
import json
import os
import re
import sys

import numpy

CENTER, RADIUS = numpy.array([0, 0, 0.4]), 0.4  # of the ball


def read_frames(path):
    vertices, frames = numpy.fromfile(path, numpy.uint32, 2)
    return numpy.fromfile(path, numpy.float32, offset=8).reshape(frames, vertices, 3).astype(float)


def crossings(points, triangles):
    """Pairs of triangles without common vertices of which a side of one passes through the other."""
    corners = points[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = numpy.triu(((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(axis=2), 1)
    a, b = near.nonzero()
    apart = (triangles[a][:, :, None] != triangles[b][:, None, :]).all(axis=(1, 2))
    a, b = a[apart], b[apart]
    found = numpy.zeros(len(a), bool)
    volume = lambda p, q, r, s: numpy.einsum("ij,ij->i", numpy.cross(q - p, r - p), s - p)
    for sides, faces in ((corners[a], corners[b]), (corners[b], corners[a])):
        x, y, z = faces[:, 0], faces[:, 1], faces[:, 2]
        for k in range(3):
            p, q = sides[:, k], sides[:, (k + 1) % 3]
            around = numpy.array([volume(p, q, x, y), volume(p, q, y, z), volume(p, q, z, x)])
            found |= (volume(x, y, z, p) * volume(x, y, z, q) < 0) & ((around > 0).all(axis=0) | (around < 0).all(axis=0))
    return int(found.sum())


class Page:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert not re.search(r'(src|href)\s*=|https?://', text), "the page loads something"
        numbers, data = (re.search(r'<script id="%s" type="text/plain">\n<!-- .*? -->\n(.*?)</script>' % name, text, re.S).group(1)
                         for name in ("numbers", "data"))
        run, data = json.loads(numbers), base64.b64decode(data)
        self.low, self.size = numpy.array(run["low"]), numpy.array(run["size"])
        self.contacts, self.separation = run["contacts"], run["separation"]
        frames, vertices = len(self.contacts), run["vertices"]
        begin = 12 * run["triangles"]
        self.triangles = numpy.frombuffer(data, numpy.uint32, 3 * run["triangles"]).reshape(-1, 3)
        begin += 12 * run["bodyTriangles"]
        coded = numpy.frombuffer(data, numpy.uint16, offset=begin, count=(len(data) - begin) // 2)
        place = lambda values: self.low + self.size * values / 65535
        self.body, coded = place(coded[:3 * run["bodyVertices"]].reshape(-1, 3)), coded[3 * run["bodyVertices"]:]
        self.frames, coded = place(coded[:3 * vertices * frames].reshape(frames, -1, 3)), coded[3 * vertices * frames:]
        marks = sum(map(sum, self.contacts))
        assert 0 <= len(coded) - 4 * marks <= 1, "length of the data"
        self.marks = numpy.split(coded[:4 * marks].reshape(-1, 4), numpy.cumsum(list(map(sum, self.contacts)))[:-1])
        self.kinds = [marks[:, 3] for marks in self.marks]
        self.marks = [place(marks[:, :3]) for marks in self.marks]


def check_data(page, frames, squares):
    step = page.size.max() / 65535
    assert len(page.frames) == len(frames) and abs(page.frames - frames).max() <= 0.51 * step, "positions of the frames"
    # The cloth hardly stretches: other triangles would have longer sides.
    assert len(page.triangles) == 2 * squares**2 and len(frames[0]) == (squares + 1)**2, "size of the sheet"
    corners = frames[:, page.triangles]
    lengths = numpy.sort(numpy.linalg.norm(corners - numpy.roll(corners, 1, axis=2), axis=3), axis=2)
    assert abs(lengths / (2 / squares) - [1, 1, 2**0.5]).max() < 0.5, "triangles"
    assert numpy.array_equal(numpy.unique(page.triangles), numpy.arange(len(frames[0]))), "vertices of triangles"
    assert abs(numpy.linalg.norm(page.body - CENTER, axis=1) - RADIUS).max() < 1e-3, "the ball"
    own, others = numpy.sum(page.contacts, axis=0)
    assert own > 0 and others > 0, "contacts of both kinds"
    for number, (marks, kinds, count) in enumerate(zip(page.marks, page.kinds, page.contacts)):
        assert [(kinds == 0).sum(), (kinds == 1).sum()] == count, "kinds of frame %d" % number
        above = numpy.linalg.norm(marks[kinds == 1] - CENTER, axis=1) - RADIUS
        assert len(above) == 0 or -2e-3 < above.min() and above.max() < page.separation + 2e-3, "contacts with the ball"
        for mark in marks[kinds == 0]:
            assert numpy.linalg.norm(frames[number] - mark, axis=1).min() < 0.15, "contacts of the sheet"


def check_page(page, path, frames):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
    from browser import Browser
    from PIL import Image
    from selenium.webdriver.common.action_chains import ActionChains
    browser = Browser()

    def picture():
        browser.wait_for_frame()
        browser.wait_for_frame()
        image = Image.open(io.BytesIO(browser.driver.find_element("id", "canvas").screenshot_as_png))
        return numpy.asarray(image.convert("RGB")).astype(int)

    def click(name):
        browser.driver.find_element("id", name).click()

    try:
        browser.open_player(path, "player")
        # What lies over the canvas is in its pictures.
        browser.run("document.getElementById( 'frame' ).style.visibility = 'hidden'")
        rate = browser.run("return player.run.rate")
        busy = int(numpy.argmax([own > 0 and others for own, others in page.contacts]))
        for number in (0.0, busy + 0.0, busy - 0.25, len(frames) - 1.0):
            browser.run("player.play( false ); player.show( arguments[0] )", number / rate)
            seen = picture()
            assert abs(browser.run("return player.drawn") - number / rate) < 1e-9, "drawn"
            a, part = int(number), number - int(number)
            points = frames[a] + part * (frames[min(a + 1, len(frames) - 1)] - frames[a])
            there = numpy.array(browser.run("return player.positions()")).reshape(-1, 3)
            assert abs(there - points).max() < 2e-4, "vertices are elsewhere at frame %g" % number
            camera = numpy.array(browser.run("return player.camera")).reshape(4, 4).T
            at = numpy.c_[points, numpy.ones(len(points))] @ camera.T
            x = ((at[:, 0] / at[:, 3] + 1) / 2 * seen.shape[1]).astype(int)
            y = ((1 - at[:, 1] / at[:, 3]) / 2 * seen.shape[0]).astype(int)
            inside = (x >= 0) & (x < seen.shape[1]) & (y >= 0) & (y < seen.shape[0])
            assert inside.mean() > 0.95, "the sheet is in the picture"
            # The cloth is yellow or red. Sky, floor, shadows and the ball are gray or blue.
            colors = seen[y[inside], x[inside]]
            drawn = (colors[:, 0] > colors[:, 2] + 15).mean()
            assert drawn > 0.9, "%g of the sheet is drawn at frame %g" % (drawn, number)
        browser.run("player.show( arguments[0] )", busy / rate)
        with_cloth = picture()
        told = browser.run("return document.getElementById( 'frame' ).textContent")
        assert re.findall(r"(\d+) contacts", told) == [str(count) for count in page.contacts[busy]], told
        click("sheet")
        without = picture()
        assert (with_cloth[:, :, 0] > with_cloth[:, :, 2] + 15).sum() > 2000, "the cloth is drawn"
        assert not (without[:, :, 0] > without[:, :, 2] + 15).any(), "the cloth is hidden"
        x, y, _, w = camera @ [*CENTER, 1]
        ball = without[int((1 - y / w) / 2 * without.shape[0]), int((x / w + 1) / 2 * without.shape[1])]
        assert ball[2] - ball[0] > 12, "the ball is drawn: %s" % ball
        blue = lambda image: ((image[:, :, 2] > 190) & (image[:, :, 0] < 60)).sum()
        assert blue(without) == blue(with_cloth), "no contacts yet"
        click("marks")
        assert blue(picture()) > blue(without) + 20, "contacts are drawn"
        assert browser.run("return player.marksDrawn") == sum(page.contacts[busy]), "all contacts are drawn"
        before = browser.run("return player.eye.around")
        ActionChains(browser.driver, duration=0).drag_and_drop_by_offset(browser.driver.find_element("id", "canvas"), 120, 0).perform()
        assert abs(before - browser.run("return player.eye.around")) > 0.5, "the pointer turns the view"
        browser.run("const slider = document.getElementById( 'time' ); slider.value = 0; slider.dispatchEvent( new Event( 'input' ) )")
        browser.wait_for_frame()
        browser.wait_for_frame()
        assert browser.run("return player.drawn") == 0, "the slider sets the time"
        click("play")
        assert browser.run("return player.playing"), "the button plays"
        assert not browser.complaints(), browser.complaints()
        assert not browser.requests(), "requests"
    finally:
        browser.close()


def main(frames_path, path, *rest):
    page, frames = Page(path), read_frames(frames_path)
    if rest == ("--pairs",):
        print(sum(crossings(points, page.triangles) for points in frames))
        return 0
    every, squares = map(int, rest)
    try:
        for points in frames[::7]:
            assert crossings(points, page.triangles) == 0, "triangles intersect"
        check_data(page, frames[::every], squares)
        check_page(page, path, frames[::every])
    except AssertionError as error:
        print("check_cloth: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
