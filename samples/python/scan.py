"""Builds a knot, and draws what its file answers: hull, convex parts, 102,400 rays, and the distance of two knots.

    python3 scan.py [PICTURE.png]
"""

import sys
import time

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import bvbuild

INK, PALE = "#24303c", "#b9c4cf"


def knot(turns=160, sides=20, radius=0.42):
    """A tube along a trefoil: vertices (N, 3) and triangles (M, 3)."""
    t = 2 * np.pi * np.arange(turns) / turns
    curve = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -1.3 * np.sin(3 * t)], axis=1)
    along = np.roll(curve, -1, 0) - np.roll(curve, 1, 0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    across = np.cross(along, curve + [0, 0, 9])
    across /= np.linalg.norm(across, axis=1)[:, None]
    up = np.cross(along, across)
    a = 2 * np.pi * np.arange(sides) / sides
    ring = np.cos(a)[:, None, None] * across + np.sin(a)[:, None, None] * up
    vertices = (curve + radius * ring).transpose(1, 0, 2).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(turns), np.arange(sides), indexing="ij")
    at = lambda i, j: (i % turns * sides + j % sides).ravel()
    p, q, r, s = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    return vertices, np.concatenate([np.stack([p, r, q], 1), np.stack([p, s, r], 1)])


def draw(axes, vertices, triangles, color, alpha=1.0, **style):
    """Triangles, lit from above."""
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None] + 1e-30
    light = 0.62 + 0.38 * (normals @ [0.2, -0.4, 0.9])
    colors = np.clip(np.multiply.outer(light, matplotlib.colors.to_rgb(color)), 0, 1)
    colors = np.column_stack([colors, np.full(len(colors), alpha)])
    edges = colors if alpha == 1 else "none"  # of the same color, so that no gaps are seen between triangles
    axes.add_collection3d(Poly3DCollection(corners, facecolors=colors, edgecolors=edges, linewidths=0.3, **style))


def stage(figure, place, title, points, zoom=1.45):
    """Empty axes with room for some points."""
    axes = figure.add_subplot(place, projection="3d", computed_zorder=False)
    lower, upper = points.min(0), points.max(0)
    middle, half = (lower + upper) / 2, (upper - lower).max() / 2
    axes.set(xlim=middle[0] + [-half, half], ylim=middle[1] + [-half, half], zlim=middle[2] + [-half, half])
    axes.set_box_aspect((1, 1, 1), zoom=zoom)
    axes.view_init(elev=42, azim=-90)
    axes.set_axis_off()
    axes.set_title(title, color=INK, fontsize=11, y=1.02)
    return axes


def main(picture="scan.png"):
    # Build: arrays in, a queryable file out. It could be saved: mesh.save( "knot.bvh" ).
    mesh = bvbuild.build(*knot(), name="knot", decompose="4%", max_parts=40)
    vertices, triangles = mesh.mesh.vertices, mesh.mesh.triangles
    print(f"{len(triangles)} triangles; hull of {len(mesh.hull.triangles)}; {len(mesh.parts)} parts, "
          f"at most {mesh.parts.concavity.upper:.3f} off the knot")
    for warning in mesh.warnings:
        print(f"warning: {warning}")

    # A range image: one origin, many directions, one call.
    side, eye = 320, np.array([0.0, -7.5, 6.5])
    forward = -eye / np.linalg.norm(eye)
    right = np.array([1.0, 0, 0])
    u, v = np.meshgrid(np.linspace(-0.42, 0.42, side), np.linspace(0.42, -0.42, side))
    directions = (forward + u[..., None] * right + v[..., None] * np.cross(right, forward)).reshape(-1, 3)
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    begin = time.perf_counter()
    hits = mesh.cast_rays(eye, directions)
    seconds = time.perf_counter() - begin
    print(f"{hits.found.sum()} of {len(directions)} rays hit")
    print(f"{seconds * 1e3:.0f} ms", file=sys.stderr)

    # Two knots: the second one is turned and moved. The true distance is between both numbers.
    turn, move = [0.5, 0.5, 0.5, 0.5], [5.7, -0.4, -0.3]
    d = mesh.distance(mesh, (turn, move))
    rough = mesh.distance(mesh, (turn, move), tests=150)
    print(f"two knots are {rough.lower:.3f} to {rough.upper:.3f} apart after {rough.tests} tests, "
          f"{d.lower:.6f} to {d.upper:.6f} after {d.tests}")

    figure = plt.figure(figsize=(11, 10), facecolor="white")
    axes = stage(figure, 221, "The mesh, its hull, and some of the rays", vertices)
    draw(axes, vertices, triangles, "#e08a3c")
    draw(axes, mesh.hull.vertices, mesh.hull.triangles, "#7aa5cc", alpha=0.1, zorder=2)
    some = np.flatnonzero(hits.found)[:: max(1, int(hits.found.sum()) // 60)]
    start = hits.point[some] - 2.2 * directions[some]
    for a, b in zip(start, hits.point[some]):
        axes.plot(*np.stack([a, b], 1), color="#c23b4a", linewidth=0.6, alpha=0.8, zorder=3)
    axes.scatter(*hits.point[some].T, color="#c23b4a", s=5, zorder=4, depthshade=False)

    axes = figure.add_subplot(222)
    ranges = np.where(hits.found, hits.distance, np.nan).reshape(side, side)
    image = axes.imshow(ranges, cmap="viridis_r")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title(f"Range image of {side * side:,} rays, one call", color=INK, fontsize=11)
    for spine in axes.spines.values():
        spine.set_color(PALE)
    bar = figure.colorbar(image, ax=axes, fraction=0.046, pad=0.03)
    bar.outline.set_edgecolor(PALE)
    bar.set_label("distance", color=INK)

    moved = [part.vertices + 0.35 * part.mass.center for part in mesh.parts]
    axes = stage(figure, 223, f"{len(mesh.parts)} convex parts, pulled apart", np.concatenate(moved))
    colors = plt.get_cmap("tab20")(np.arange(len(moved)) % 20)
    order = np.argsort([(p.mean(0) * [0.4, -0.7, 0.6]).sum() for p in moved])  # those behind first
    for i in order:
        draw(axes, moved[i], mesh.parts[int(i)].triangles, colors[i], zorder=1)

    rotation = bvbuild.Motion.still((turn, move)).at(0)
    other = vertices @ rotation[:3, :3].T + rotation[:3, 3]
    axes = stage(figure, 224, f"Distance: {rough.lower:.2f} to {rough.upper:.2f} after {rough.tests} tests, {d.upper:.4f} after {d.tests}", np.concatenate([vertices, other]), zoom=1.3)
    draw(axes, vertices, triangles, "#e08a3c")
    draw(axes, other, triangles, "#5b8fb9")
    axes.plot(*d.points.T, color="#c23b4a", linewidth=2.5, marker="o", markersize=5, zorder=9)

    figure.subplots_adjust(left=0.02, right=0.93, top=0.96, bottom=0.02, wspace=0.06, hspace=0.1)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
