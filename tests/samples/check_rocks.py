"""Checks the animation of samples/rocks: check_rocks.py FILE.glb [--shift METERS] [--page FILE.html]

No center of a rock is in a pillar or in the floor, also between keys as viewers show it, and no vertex is deep in one. Rocks fall,
meet pillars, do not share a place, and come to rest. --shift moves the pillars before. With --page, the page is opened in
Chromium and must place the rocks where this script does, and draw them there.
"""

import argparse
import io
import json
import os
import sys

import numpy

TYPES = {5122: numpy.int16, 5125: numpy.uint32, 5126: numpy.float32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
DEEPEST = 0.07  # of a vertex; rocks are about 0.5 wide
BETWEEN = 4  # pictures for each key


class Animation:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        assert data[:4] == b"glTF" and int.from_bytes(data[8:12], "little") == len(data), "header"
        length = int.from_bytes(data[12:16], "little")
        self.text = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]
        assert data[24 + length:28 + length] == b"BIN\0" and len(self.binary) == self.text["buffers"][0]["byteLength"], "binary chunk"
        (animation,) = self.text["animations"]
        samplers = animation["samplers"]
        assert len({s["input"] for s in samplers}) == 1, "objects share the times of keys"
        self.times = self.array(samplers[0]["input"])[:, 0]
        tracks = {"translation": {}, "rotation": {}}
        for channel in animation["channels"]:
            target = channel["target"]
            assert target["node"] not in tracks[target["path"]], "two channels of one target"
            tracks[target["path"]][target["node"]] = self.array(samplers[channel["sampler"]]["output"])
        self.count = len(tracks["translation"])
        assert sorted(tracks["rotation"]) == sorted(tracks["translation"]) == list(range(self.count)), "channels"
        self.places = numpy.stack([tracks["translation"][i] for i in range(self.count)], axis=1).astype(float)
        self.turns = numpy.stack([tracks["rotation"][i] for i in range(self.count)], axis=1) / 32767
        assert len(self.places) == len(self.turns) == len(self.times), "as many values as keys"
        lengths = numpy.linalg.norm(self.turns, axis=2)
        assert abs(lengths - 1).max() < 1e-4, "unit quaternions"
        assert (self.turns[1:] * self.turns[:-1]).sum(axis=2).min() >= -1e-4, "the shorter way from key to key"
        self.nodes = self.text["nodes"]
        self.pillars = [n for n in self.nodes[self.count:] if "mesh" in n]
        # The node above all others turns z upward.
        (root,) = self.text["scenes"][0]["nodes"]
        assert sorted(self.nodes[root]["children"]) == list(range(len(self.nodes) - 1)) and root == len(self.nodes) - 1, "scene"
        assert numpy.allclose(self.nodes[root]["rotation"], [-numpy.sqrt(0.5), 0, 0, numpy.sqrt(0.5)]), "z is upward"

    def array(self, number):
        accessor = self.text["accessors"][number]
        view = self.text["bufferViews"][accessor["bufferView"]]
        width = WIDTHS[accessor["type"]]
        values = numpy.frombuffer(self.binary, TYPES[accessor["componentType"]], accessor["count"] * width,
                                  view["byteOffset"] + accessor.get("byteOffset", 0)).reshape(-1, width)
        assert accessor.get("byteOffset", 0) + values.nbytes <= view["byteLength"], "accessor out of its view"
        assert numpy.isfinite(values.astype(float)).all(), "finite"
        return values

    def mesh(self, number):
        (primitive,) = self.text["meshes"][number]["primitives"]
        corners = self.array(primitive["attributes"]["POSITION"]).astype(float)
        return corners, self.array(primitive["indices"]).reshape(-1, 3)

    def at(self, when):
        """Positions and rotations, as glTF 2.0 says that they are interpolated; the latter linearly, which is as good for small angles."""
        key = min(int(numpy.searchsorted(self.times, when, "right")) - 1, len(self.times) - 2)
        part = (when - self.times[key]) / (self.times[key + 1] - self.times[key])
        turns = self.turns[key] + part * (self.turns[key + 1] - self.turns[key])
        return (self.places[key] + part * (self.places[key + 1] - self.places[key]),
                turns / numpy.linalg.norm(turns, axis=1)[:, None])


def rotate(turns, points):
    """Each row of points by each quaternion."""
    axis, angle = turns[:, None, :3], turns[:, None, 3:]
    return points + 2 * numpy.cross(axis, numpy.cross(axis, points) + angle * points)


def planes_of(corners, triangles):
    """Normals and offsets of the faces of a convex mesh, outward."""
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    normals = numpy.cross(b - a, c - a)
    normals /= numpy.linalg.norm(normals, axis=1)[:, None]
    offsets = (normals * a).sum(axis=1)
    assert (corners @ normals.T - offsets).max() < 1e-5, "the pillar is convex and faces outward"
    return normals, offsets


def check_motion(scene, shift):
    normals, offsets = planes_of(*scene.mesh(scene.pillars[0]["mesh"]))
    feet = numpy.array([p["translation"] for p in scene.pillars]) + [shift, 0, 0]
    assert all(numpy.allclose(p["rotation"], [0, 0, 0, 1]) for p in scene.pillars), "pillars stand upright"
    kinds = numpy.array([n["mesh"] for n in scene.nodes[:scene.count]])
    meshes = {kind: scene.mesh(kind)[0] for kind in set(kinds)}
    assert len(meshes) == 4, "four kinds of rocks"

    def depth(points):
        """How deep points are in the pillar that is nearest, negative outside."""
        nearest = ((points[:, None, :2] - feet[None, :, :2]) ** 2).sum(axis=2).argmin(axis=1)
        return -((points - feet[nearest]) @ normals.T - offsets).max(axis=1)

    deepest = lowest = -numpy.inf
    met = numpy.zeros(scene.count, bool)
    for number, when in enumerate(numpy.linspace(0, scene.times[-1], BETWEEN * (len(scene.times) - 1) + 1)):
        places, turns = scene.at(when)
        in_pillar = depth(places)
        assert in_pillar.max() < 0, "the center of rock %d is in a pillar at %g" % (in_pillar.argmax(), when)
        assert places[:, 2].min() > 0.1, "a rock is in the floor at %g" % when
        met |= in_pillar > -0.35
        for kind, corners in meshes.items() if number % BETWEEN == 0 else []:
            points = (rotate(turns[kinds == kind], corners) + places[kinds == kind][:, None]).reshape(-1, 3)
            deepest = max(deepest, depth(points).max())
            lowest = max(lowest, -points[:, 2].min())
    assert max(deepest, lowest) < DEEPEST, "%g in a pillar, %g in the floor" % (deepest, lowest)
    assert met.mean() > 0.3, "rocks meet pillars: %g" % met.mean()
    fallen = scene.places[0, :, 2] - scene.places[-1, :, 2]
    assert fallen.min() > 1, "rocks fall"
    last = scene.places[-1, :2000]
    apart = numpy.linalg.norm(last[:, None] - last[None], axis=2) + numpy.eye(len(last))
    assert apart.min() > 0.25, "two rocks are %g apart" % apart.min()
    speed = numpy.linalg.norm(scene.places[-1] - scene.places[-2], axis=1) / (scene.times[-1] - scene.times[-2])
    assert numpy.median(speed) < 0.5, "most rocks are at rest: %g" % numpy.median(speed)


def read_picture(browser):
    from PIL import Image
    browser.wait_for_frame()
    browser.wait_for_frame()
    picture = Image.open(io.BytesIO(browser.driver.find_element("id", "canvas").screenshot_as_png))
    return numpy.asarray(picture.convert("RGB")).astype(int)


def check_page(scene, path):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
    from browser import Browser
    browser = Browser()
    try:
        browser.open_player(path, "rocks")
        pictures = []
        for when in (0, 0.73, float(scene.times[-1])):
            browser.run("rocks.play( false ); rocks.show( arguments[0] );", when)
            picture = read_picture(browser)
            assert browser.run("return rocks.drawn") == when, "drawn"
            centers = numpy.array(browser.run("return rocks.centers()"))[:scene.count]
            assert abs(centers - scene.at(when)[0]).max() < 1e-4, "rocks are elsewhere at %g" % when
            camera = numpy.array(browser.run("return rocks.camera")).reshape(4, 4).T
            seen = numpy.c_[centers, numpy.ones(len(centers))] @ camera.T
            x = ((seen[:, 0] / seen[:, 3] + 1) / 2 * picture.shape[1]).astype(int)
            y = ((1 - seen[:, 1] / seen[:, 3]) / 2 * picture.shape[0]).astype(int)
            inside = (x >= 0) & (x < picture.shape[1]) & (y >= 0) & (y < picture.shape[0])
            assert inside.mean() > 0.95, "rocks are in the picture"
            # A rock, or what is before it, has neither the color of the sky nor that of the floor.
            colors = picture[y[inside], x[inside]]
            for empty in (picture[2, 2], picture[-3, picture.shape[1] // 2]):
                same = (abs(colors - empty).max(axis=1) <= 2).mean()
                assert same < 0.02, "%g of the rocks are not drawn at %g" % (same, when)
            pictures.append(picture)
        changed = (abs(pictures[0] - pictures[2]).max(axis=2) > 20).mean()
        assert changed > 0.005, "the picture changes: %g" % changed
        browser.driver.find_element("id", "play").click()
        assert browser.run("return rocks.playing"), "the button plays"
        assert not browser.complaints(), browser.complaints()
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--shift", type=float, default=0)
    parser.add_argument("--page")
    options = parser.parse_args()
    scene = Animation(options.file)
    try:
        if options.page:
            check_page(scene, options.page)
        else:
            check_motion(scene, options.shift)
    except AssertionError as error:
        print("check_rocks: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
