"""Draws the pictures of docs/experiments/motion.md from the animations of samples/moving: moving_pictures.py FOLDER IMAGES

FOLDER has screw.glb, slit.glb and gears.glb. Each picture shows the start, the contact, and a section through the point of contact
with the normal as an arrow. Poses are read from the animations' keys, as a viewer reads them.
"""

import json
import struct
import sys

import numpy as np
from PIL import Image

SIZE = 300  # pixels of each panel
FINER = 2   # samples per pixel, each way

# Where the camera is, seen from the middle, with z upward; the half width of the section in mesh units; and the direction that the
# section is looked along: about the axis through the point of contact, or fixed.
VIEWS = {
    "screw": ((1, -1.6, 0.7), 3.2, "around z"),
    "slit": ((1, -1.9, -0.7), 0.5, (0, -1, 0)),
    "gears": ((0.1, -0.5, 1), 5, (0, 0, 1)),
}


def unit(v):
    return np.asarray(v, float) / np.linalg.norm(v)


def matrix_of(translation, rotation, scale):
    x, y, z, w = rotation
    m = np.eye(4)
    m[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                 [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                 [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    m[:3, :3] *= scale
    m[:3, 3] = translation
    return m


class Animation:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + length])
        self.bytes = data[28 + length:]

    def array(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        values = np.frombuffer(self.bytes, kind, accessor["count"] * width, view["byteOffset"])
        return values.reshape(-1, width) if width > 1 else values

    def triangles(self, node):
        """Of an object, in its own coordinates."""
        primitive = self.json["meshes"][self.json["nodes"][node]["mesh"]]["primitives"][0]
        position = self.array(primitive["attributes"]["POSITION"]).astype(float)
        return position[self.array(primitive["indices"]).reshape(-1, 3)]

    def color(self, node):
        primitive = self.json["meshes"][self.json["nodes"][node]["mesh"]]["primitives"][0]
        return self.json["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorFactor"]

    def pose(self, node, end):
        """At the first key, or at the last one."""
        values = {key: self.json["nodes"][node][key] for key in ("translation", "rotation")}
        values["scale"] = self.json["nodes"][node].get("scale", (1, 1, 1))
        animation = self.json["animations"][0]
        for channel in animation["channels"]:
            if channel["target"]["node"] == node:
                output = self.array(animation["samplers"][channel["sampler"]]["output"])
                values[channel["target"]["path"]] = output[-1 if end else 0]
        return matrix_of(values["translation"], values["rotation"], values["scale"][0])


class Camera:
    """Looks along -back, with parallel rays. Points in front of `cut` are not seen."""

    def __init__(self, back, center, half_width, cut=None):
        self.back = unit(back)
        right = np.cross((0, 0, 1), self.back)
        self.right = unit(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0, 0])
        self.up = np.cross(self.back, self.right)
        self.center, self.half_width, self.cut = np.asarray(center, float), half_width, cut
        count = SIZE * FINER
        self.image = np.full((count, count, 3), 255.0)
        self.depth = np.full((count, count), -np.inf)

    def draw(self, triangles, color, section=False, opacity=1.0):
        """With a section, faces seen from inside get one color, so that solids look filled where they are cut."""
        count = SIZE * FINER
        local = triangles - self.center
        x = (local @ self.right / self.half_width + 1) * count / 2 - 0.5
        y = (1 - local @ self.up / self.half_width) * count / 2 - 0.5
        z = local @ self.back
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        light = unit(0.9 * self.back + 0.5 * self.up - 0.35 * self.right)
        cut = np.inf if self.cut is None else (np.asarray(self.cut) - self.center) @ self.back
        nearest = np.full((count, count), -np.inf)
        paint = np.zeros((count, count, 3))
        for px, py, pz, normal in zip(x, y, z, normals):
            area = (px[1] - px[0]) * (py[2] - py[0]) - (px[2] - px[0]) * (py[1] - py[0])
            facing = normal @ self.back
            if abs(area) < 1e-9 or (facing <= 0 and not section):
                continue
            left, right = max(int(np.ceil(px.min())), 0), min(int(px.max()), count - 1)
            top, bottom = max(int(np.ceil(py.min())), 0), min(int(py.max()), count - 1)
            if left > right or top > bottom:
                continue
            gx, gy = np.meshgrid(np.arange(left, right + 1), np.arange(top, bottom + 1))
            b = ((gx - px[0]) * (py[2] - py[0]) - (px[2] - px[0]) * (gy - py[0])) / area
            c = ((px[1] - px[0]) * (gy - py[0]) - (gx - px[0]) * (py[1] - py[0])) / area
            height = pz[0] + b * (pz[1] - pz[0]) + c * (pz[2] - pz[0])
            block = np.s_[top:bottom + 1, left:right + 1]
            seen = (b >= 0) & (c >= 0) & (b + c <= 1) & (height <= cut) & (height > nearest[block]) & (height > self.depth[block])
            nearest[block][seen] = height[seen]
            shade = 0.62 if facing <= 0 else 0.75 + 0.25 * max(unit(normal) @ light, 0)
            paint[block][seen] = 255 * np.minimum(np.asarray(color[:3]) ** 0.6 * shade, 1)
        seen = nearest > -np.inf
        self.image[seen] += opacity * (paint[seen] - self.image[seen])
        if opacity == 1:
            self.depth[seen] = nearest[seen]


def panel(animation, name, which):
    end = which != "start"
    place = lambda node: animation.triangles(node) @ animation.pose(node, end)[:3, :3].T + animation.pose(node, end)[:3, 3]
    bodies = [place(1), place(2)]
    back, half_width, along = VIEWS[name]
    contact = np.asarray(animation.json["nodes"][3]["translation"])
    section = which == "section"
    if section:
        back = np.cross(contact * (1, 1, 0), (0, 0, 1)) if along == "around z" else along
        # A little behind the contact, which may be at the end of a body.
        camera = Camera(back, contact, half_width, contact - 0.01 * half_width * unit(back))
    else:
        # Both panels have the same view: it holds both objects at both times.
        corners = np.concatenate([(animation.triangles(n) @ animation.pose(n, e)[:3, :3].T + animation.pose(n, e)[:3, 3]).reshape(-1, 3)
                                  for n in (1, 2) for e in (False, True)])
        probe = Camera(back, (0, 0, 0), 1)
        flat = np.stack([corners @ probe.right, corners @ probe.up])
        middle, width = (flat.min(axis=1) + flat.max(axis=1)) / 2, (flat.max(axis=1) - flat.min(axis=1)).max()
        camera = Camera(back, middle[0] * probe.right + middle[1] * probe.up, 0.53 * width)
    order = sorted((0, 1), key=lambda i: -animation.color(i + 1)[3])
    for i in order:
        opacity = animation.color(i + 1)[3]
        camera.draw(bodies[i], animation.color(i + 1), section, 1 if section else opacity)
    if end:
        # The arrow is seen through everything.
        camera.depth[:] = -np.inf
        camera.cut = None
        matrix = animation.pose(3, True)
        size = np.linalg.norm(matrix[:3, 0])
        scale = (0.45 * half_width if section else 0.12 * camera.half_width) / size
        camera.draw(animation.triangles(3) * scale @ matrix[:3, :3].T + matrix[:3, 3], animation.color(3))
    return camera.image


def main(folder, images):
    for name in VIEWS:
        animation = Animation("%s/%s.glb" % (folder, name))
        whole = np.concatenate([panel(animation, name, which) for which in ("start", "contact", "section")], axis=1)
        picture = Image.fromarray(np.clip(whole, 0, 255).astype(np.uint8))
        picture = picture.resize((picture.width // FINER, picture.height // FINER), Image.BOX)
        picture.quantize(64, dither=Image.Dither.NONE).save("%s/moving-%s.png" % (images, name), optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
