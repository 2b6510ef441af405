"""Checks what samples/scene writes: check_scene.py PREFIX [--undecided | --browser]

PREFIX.glb: header, chunks, accessors in their views, unit quaternions, one key per frame. PREFIX.html holds the same bytes, and what is
known of each frame: states of pairs, contacts, costs. The example is compared with geometry: the cart stops where its wall is, what stands
on the turntable turns with it, and each undecided pair has an interval. With --browser, the page is opened in Chromium, and must
have each object where this script has it, in the color of its state.
"""

import base64
import io
import json
import os
import re
import sys

import numpy

TYPES = {5122: numpy.int16, 5125: numpy.uint32, 5126: numpy.float32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
LAST_STEP = 78  # tests by which the last step of a sweep can exceed a budget, see bv_budget
HOLD = 6  # frames in which an object keeps the color of a contact


class Animation:
    def __init__(self, data):
        assert data[:8] == b"glTF\2\0\0\0" and int.from_bytes(data[8:12], "little") == len(data), "header"
        length = int.from_bytes(data[12:16], "little")
        assert data[16:20] == b"JSON" and length % 4 == 0, "JSON chunk"
        self.text = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]
        assert data[24 + length:28 + length] == b"BIN\0", "binary chunk"
        assert int.from_bytes(data[20 + length:24 + length], "little") == len(self.binary), "length of the binary chunk"
        assert [b["byteLength"] for b in self.text["buffers"]] == [len(self.binary)], "buffer"
        self.nodes = self.text["nodes"][:-1]
        self.names = [node["name"] for node in self.nodes]
        (animation,) = self.text["animations"]
        tracks = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            target = channel["target"]["node"], channel["target"]["path"]
            assert target not in tracks, "two channels of one target"
            tracks[target] = self.array(sampler["output"])
            self.times = self.array(sampler["input"])[:, 0]
        assert len(tracks) == 2 * len(self.nodes), "channels"
        self.places = numpy.stack([tracks[i, "translation"] for i in range(len(self.nodes))], axis=1).astype(float)
        self.turns = numpy.stack([tracks[i, "rotation"] for i in range(len(self.nodes))], axis=1) / 32767
        assert len(self.places) == len(self.turns) == len(self.times), "as many values as keys"
        assert abs(numpy.linalg.norm(self.turns, axis=2) - 1).max() < 1e-4, "unit quaternions"
        assert (self.turns[1:] * self.turns[:-1]).sum(axis=2).min() > 0.9, "the shorter way from key to key"
        for mesh in self.text["meshes"]:
            (primitive,) = mesh["primitives"]
            corners = self.array(primitive["attributes"]["POSITION"])
            indices = self.array(primitive["indices"])
            assert len(indices) % 3 == 0 and indices.max() < len(corners), "index out of range"

    def array(self, number):
        accessor = self.text["accessors"][number]
        view = self.text["bufferViews"][accessor["bufferView"]]
        width = WIDTHS[accessor["type"]]
        values = numpy.frombuffer(self.binary, TYPES[accessor["componentType"]], accessor["count"] * width,
                                  view["byteOffset"] + accessor.get("byteOffset", 0)).reshape(-1, width)
        assert accessor.get("byteOffset", 0) + values.nbytes <= view["byteLength"], "accessor out of its view"
        assert numpy.isfinite(values.astype(float)).all(), "finite"
        return values

    def number(self, name):
        return self.names.index(name)


class Run:
    def __init__(self, page):
        part = {name: re.search(r'<script id="%s" type="text/plain">\n<!-- .*? -->\n(.*?)</script>' % name, page, re.S).group(1)
                for name in ("run", "glb")}
        self.animation = base64.b64decode(part["glb"])
        run = json.loads(part["run"])
        self.objects, self.rate, self.budget = run["objects"], run["rate"], run["budget"]
        self.frames = run["frames"]
        for frame in self.frames:
            frame["pairs"] = numpy.array(frame["pairs"]).reshape(-1, 5)
            frame["contacts"] = numpy.array(frame["contacts"]).reshape(-1, 9)

    def states(self, number):
        """The worst state of each object; 3 for objects without pairs."""
        out = [3] * len(self.objects)
        for a, b, state in self.frames[number]["pairs"][:, :3].astype(int):
            for i in (a, b):
                out[i] = state if out[i] == 3 else max(out[i], state)
        return out


def check_frames(run):
    for number, frame in enumerate(run.frames):
        where = "frame %d" % number
        assert 0 <= frame["cost"] <= run.budget + LAST_STEP, where + ": cost"
        pairs = {(int(a), int(b)): int(state) for a, b, state in frame["pairs"][:, :3]}
        assert len(pairs) == len(frame["pairs"]) and all(a < b < len(run.objects) for a, b in pairs), where + ": pairs"
        touching = {(int(a), int(b)) for a, b in frame["contacts"][:, :2]}
        assert touching == {pair for pair, state in pairs.items() if state == 2}, where + ": contacts"
        assert not frame["done"] or 1 not in pairs.values() and frame["held"] == 0, where + ": undecided although it is done"
        assert 0 <= frame["held"] <= len(run.objects), where + ": groups held back"
        for lower, upper in frame["pairs"][frame["pairs"][:, 2] == 1][:, 3:]:
            assert 0 <= lower <= upper, where + ": gap"
        lengths = numpy.linalg.norm(frame["contacts"][:, 6:], axis=1)
        assert (abs(lengths - 1) < 1e-3).all() if len(lengths) else True, where + ": normal"


def turn(q, p):
    return p + 2 * numpy.cross(q[:3], numpy.cross(q[:3], p) + q[3] * p)


def check_example(scene, run):
    place = {name: scene.places[:, i] for i, name in enumerate(scene.names)}
    # Carts are cubes with the side 1: at the walls, centers are 1 apart.
    assert abs(place["left cart"][:, 0].min() + 4) < 1e-5, "the cart stops at the left wall"
    assert abs(place["right cart"][:, 0].max() - 4) < 1e-5, "the cart stops at the right wall"
    gap = place["right cart"][:, 0] - place["left cart"][:, 0]
    assert gap.min() > 1, "carts do not overlap"
    assert abs(place["left load"] - place["left cart"] - [0, 0, 0.95]).max() < 1e-5, "the load is on its cart"
    table = scene.turns[:, scene.number("turntable")]
    post = numpy.array([turn(q, numpy.array([1.4, 0, 0.55])) for q in table])
    assert abs(place["post"] - post).max() < 2e-4, "the post turns with the table"
    for name in ("left wall", "top wall"):
        assert (place[name] == place[name][0]).all(), "walls rest"
    assert scene.nodes[scene.number("top wall")]["scale"] == [-1, 1, 1], "the mirrored wall"
    # 50 degrees per second until the first contact.
    angle = 2 * numpy.arctan2(table[:, 2], table[:, 3])
    assert abs(angle[30] - numpy.radians(25)) < 1e-3, "the speed of the turntable"
    touching = {tuple(run.objects[int(i)] for i in row[:2]) for frame in run.frames for row in frame["contacts"]}
    for pair in (("left load", "right load"), ("pendulum", "frame"), ("post", "pusher"), ("first of the chain", "second of the chain"),
                 ("second of the chain", "third of the chain"), ("left cart", "left wall"), ("third of the chain", "top wall")):
        assert pair in touching, "%s and %s touch" % pair


def state_of_color(color):
    r, g, b = color / max(1, color.max())
    return 2 if r > 1.9 * g else 1 if r > 0.95 and b < 0.5 else 0 if g > 1.2 * r else 3


def show(browser, when):
    browser.run("player.play( false ); player.show( arguments[0] );", when)
    browser.wait_for_frame()
    browser.wait_for_frame()
    assert abs(browser.run("return player.drawn") - when) < 1e-9, "drawn"


def colors_at(browser, places):
    """Colors of the picture where places of the scene are seen."""
    from PIL import Image
    picture = numpy.asarray(Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")).astype(int)
    box = browser.run("const b = document.getElementById( 'canvas' ).getBoundingClientRect(); return [ b.left, b.top, b.width, b.height ]")
    camera = numpy.array(browser.run("return player.camera")).reshape(4, 4).T
    at = numpy.c_[places, numpy.ones(len(places))] @ camera.T
    x = box[0] + (at[:, 0] / at[:, 3] + 1) / 2 * box[2]
    y = box[1] + (1 - at[:, 1] / at[:, 3]) / 2 * box[3]
    return picture[y.astype(int), x.astype(int)]


def check_page(scene, run, path):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
    from browser import Browser
    browser = Browser()
    try:
        browser.open_player(path, "player")
        browser.run("document.getElementById( 'lines' ).click()")
        loads = [scene.number("left load"), scene.number("right load")]
        contact = next(i for i, frame in enumerate(run.frames) if loads in frame["contacts"][:, :2].astype(int).tolist())
        chain = [scene.number("second of the chain"), scene.number("third of the chain")]
        undecided = next(i for i, frame in enumerate(run.frames) if [*chain, 1] in frame["pairs"][:, :3].astype(int).tolist())
        walls = [scene.number("left wall"), scene.number("right wall")]
        # Which objects are seen at their centers in which state: red for some frames, and not any more.
        for number, objects, state in ((contact, loads, 2), (contact + HOLD - 1, loads, 2), (contact + 2 * HOLD, loads, None),
                                       (undecided, chain, 1), (undecided - 2, chain, 0), (contact, walls, 3)):
            show(browser, (number + 1) / run.rate)
            assert abs(numpy.array(browser.run("return player.places()"))[:, :3] - scene.places[number + 1]).max() < 1e-4, "objects are elsewhere"
            states = run.states(number)
            assert browser.run("return [ ...Array( %d ).keys() ].map( player.stateOf )" % len(states)) == states, "states"
            assert browser.run("return player.contactsDrawn") >= len(run.frames[number]["contacts"]), "contacts are drawn"
            found = [state_of_color(color) for color in colors_at(browser, scene.places[number + 1][objects])]
            assert 2 not in found if state is None else found == 2 * [state], "frame %d: colors of %s: %s" % (number, objects, found)
        show(browser, 100.25 / run.rate)
        turns = numpy.array(browser.run("return player.places()"))[:, 3:]
        between = scene.turns[100] + 0.25 * (scene.turns[101] - scene.turns[100])
        assert abs(turns - between / numpy.linalg.norm(between, axis=1)[:, None]).max() < 1e-5, "objects turn between keys"
        legend = browser.run("return document.getElementById( 'legend' ).innerText")
        assert all(word in legend for word in ("apart", "undecided", "touching")), "legend"
        browser.driver.find_element("id", "play").click()
        assert browser.run("return player.playing"), "the button plays"
        assert not browser.complaints(), browser.complaints()
    finally:
        browser.close()


def main(prefix, *options):
    with open(prefix + ".glb", "rb") as file:
        data = file.read()
    with open(prefix + ".html", encoding="utf-8") as file:
        page = file.read()
    try:
        assert not re.search(r'(src|href)\s*=|https?://', page), "the page loads something"
        scene, run = Animation(data), Run(page)
        assert run.animation == data, "the page has the animation"
        assert run.objects == scene.names and len(scene.times) == len(run.frames) + 1, "as many keys as frames"
        assert abs(scene.times - numpy.arange(len(scene.times)) / run.rate).max() < 1e-5, "times of keys"
        check_frames(run)
        if "--browser" in options:
            check_page(scene, run, prefix + ".html")
        elif "--undecided" in options:
            assert any((frame["pairs"][:, 2] == 1).any() for frame in run.frames), "no pair is undecided"
            assert any(frame["held"] for frame in run.frames), "no group is held back"
            assert numpy.ptp(scene.places[-120:, scene.number("pusher"), 1]) > 0.1, "what is free takes its turn"
        else:
            check_example(scene, run)
    except AssertionError as error:
        print("check_scene: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
