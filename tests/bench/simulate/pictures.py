"""Draws scenes of the bench simulator side by side: pictures.py PNG SCENE..."""

import os
import sys

import numpy as np
from PIL import Image

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import moving_pictures as drawing  # noqa: E402

# Of shapes by their numbers, in turns.
COLORS = [(0.75, 0.34, 0.18), (0.2, 0.42, 0.62), (0.82, 0.66, 0.25), (0.3, 0.55, 0.35), (0.55, 0.4, 0.6), (0.5, 0.5, 0.5)]

BACK = (0.7, -1, 0.75)  # where the camera is


def read(path):
    """Triangles of each shape, or the radius of a ball, and each body's shape and matrix."""
    shapes, bodies = [], []
    with open(path, encoding="utf-8") as file:
        lines = iter(file)
        for line in lines:
            words = line.split()
            if words[0] == "shape":
                triangles = [next(lines).split() for _ in range(int(words[1]))]
                shapes.append(np.array(triangles, float).reshape(-1, 3, 3))
            elif words[0] == "ball":
                shapes.append(float(words[1]))
            else:
                bodies.append((int(words[1]), np.array(words[2:], float).reshape(3, 4)))
    return shapes, bodies


def draw_ball(camera, center, radius, color):
    count = drawing.SIZE * drawing.FINER
    pixels = radius / camera.half_width * count / 2
    local = center - camera.center
    x = (local @ camera.right / camera.half_width + 1) * count / 2 - 0.5
    y = (1 - local @ camera.up / camera.half_width) * count / 2 - 0.5
    left, right = max(int(x - pixels), 0), min(int(x + pixels) + 1, count - 1)
    top, bottom = max(int(y - pixels), 0), min(int(y + pixels) + 1, count - 1)
    gx, gy = np.meshgrid((np.arange(left, right + 1) - x) / pixels, (y - np.arange(top, bottom + 1)) / pixels)
    height = np.sqrt(np.maximum(1 - gx * gx - gy * gy, 0))
    depth = local @ camera.back + radius * height
    block = np.s_[top:bottom + 1, left:right + 1]
    seen = (gx * gx + gy * gy <= 1) & (depth > camera.depth[block])
    camera.depth[block][seen] = depth[seen]
    light = drawing.unit((-0.35, 0.5, 0.9))
    shade = 0.75 + 0.25 * np.maximum(light[0] * gx + light[1] * gy + light[2] * height, 0)
    camera.image[block][seen] = 255 * np.minimum(np.asarray(color) ** 0.6 * shade[..., None], 1)[seen]


def draw(scene):
    shapes, bodies = read(scene)
    # Triangles by their colors: each call of the camera takes time for all pixels.
    balls, of_color = [], [[] for _ in COLORS]
    for i, (shape, matrix) in enumerate(bodies):
        color = (i if len(shapes) < len(COLORS) else shape) % len(COLORS)
        if isinstance(shapes[shape], float):
            balls.append((matrix[:, 3], shapes[shape] * np.linalg.norm(matrix[:, 0]), COLORS[color]))
        else:
            of_color[color].append(shapes[shape] @ matrix[:, :3].T + matrix[:, 3])
    points = np.concatenate([t.reshape(-1, 3) for triangles in of_color for t in triangles] + [np.array([b[0] for b in balls]).reshape(-1, 3)])
    probe = drawing.Camera(BACK, (0, 0, 0), 1)
    flat = np.stack([points @ probe.right, points @ probe.up])
    middle, width = (flat.min(axis=1) + flat.max(axis=1)) / 2, (flat.max(axis=1) - flat.min(axis=1)).max()
    camera = drawing.Camera(BACK, middle[0] * probe.right + middle[1] * probe.up, 0.54 * width)
    for color, triangles in zip(COLORS, of_color):
        if triangles:
            camera.draw(np.concatenate(triangles), color)
    for center, radius, color in balls:
        draw_ball(camera, center, radius, color)
    return camera.image


def main():
    drawing.SIZE = 400
    whole = np.concatenate([draw(scene) for scene in sys.argv[2:]], axis=1)
    image = Image.fromarray(np.clip(whole, 0, 255).astype(np.uint8))
    image = image.resize((image.width // drawing.FINER, image.height // drawing.FINER), Image.BOX)
    image.quantize(48, dither=Image.Dither.NONE).save(sys.argv[1], optimize=True)


main()
