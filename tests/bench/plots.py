"""Plots of what bench.py measured, as SVG files that are readable on light and on dark pages."""

import math
import statistics
from html import escape

# Okabe and Ito (2008), told apart with any eyesight, in tones that stand out from white and from black.
COLOURS = {"ours": "#0072b2", "also ours": "#56b4e9", "first": "#d55e00", "second": "#009e73", "third": "#cc79a7", "fourth": "#e69f00"}
MARKS = {"ours": "circle", "also ours": "circle", "first": "square", "second": "triangle", "third": "diamond", "fourth": "cross"}

STYLE = """
svg { font: 13px system-ui, sans-serif; }
.page { fill: #ffffff; } .text { fill: #222222; } .small { fill: #555555; font-size: 11px; } .title { font-size: 16px; font-weight: 600; }
.axis { stroke: #777777; fill: none; } .grid { stroke: #dddddd; fill: none; }
@media (prefers-color-scheme: dark) {
  .page { fill: #16181c; } .text { fill: #e8e8e8; } .small { fill: #b0b0b0; } .axis { stroke: #999999; } .grid { stroke: #33373d; }
}
"""


def text(x, y, words, style="text", anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def mark(kind, x, y, colour):
    shape = MARKS[kind]
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'
    corners = {"square": [(-4, -4), (4, -4), (4, 4), (-4, 4)], "triangle": [(0, -5.5), (5, 4), (-5, 4)],
               "diamond": [(0, -6), (6, 0), (0, 6), (-6, 0)]}.get(shape)
    if corners:
        points = " ".join(f"{x + u:.1f},{y + v:.1f}" for u, v in corners)
        return f'<polygon points="{points}" fill="{colour}"/>'
    return f'<path d="M{x - 4.5:.1f} {y - 4.5:.1f}l9 9m0 -9l-9 9" stroke="{colour}" stroke-width="2.5"/>'


def number(value):
    """Of an axis: 10k, 1M, 0.1."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def ticks(lower, upper):
    """Round numbers, as many as there is room for."""
    decades = math.log10(upper / lower)
    steps = (1, 1.5, 2, 3, 4, 5, 7) if decades < 0.9 else (1, 2, 5) if decades < 3 else (1,)
    return [step * 10.0**power for power in range(math.floor(math.log10(lower)), math.ceil(math.log10(upper)) + 1)
            for step in steps if lower * 0.999 <= step * 10.0**power <= upper * 1.001]


class Scale:
    """Logarithmic, from values to places."""

    def __init__(self, values, start, end):
        self.lower, self.upper = min(values) / 1.25, max(values) * 1.25
        self.start, self.end = start, end

    def at(self, value):
        return self.start + (self.end - self.start) * math.log(value / self.lower) / math.log(self.upper / self.lower)


def legend(names, x, y):
    """One line for each, in the order of the names."""
    parts = []
    for i, (name, kind) in enumerate(names):
        parts += [mark(kind, x, y + 20 * i - 4, COLOURS[kind]), text(x + 12, y + 20 * i, name)]
    return parts


def write(path, width, height, title, subtitle, parts):
    with open(path, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
                   f'aria-label="{escape(title)}">\n<style>{STYLE}</style>\n<rect class="page" width="{width}" height="{height}"/>\n')
        file.write("\n".join([text(20, 28, title, "text title"), text(20, 47, subtitle, "small"), *parts]) + "\n</svg>\n")


def draw_lines(path, title, subtitle, across, up, series):
    """Lines on logarithmic axes. @param series of (name, kind, [(x, y, y's lower quartile, y's upper one)])"""
    series = [(name, kind, sorted(points)) for name, kind, points in series if points]
    if not series:
        return
    width, height, left, right, top, bottom = 820, 450, 70, 240, 92, 55
    every = [point for _, _, points in series for point in points]
    x_scale = Scale([point[0] for point in every], left, width - right)
    y_scale = Scale([value for point in every for value in point[1:]], height - bottom, top)
    parts = []
    for value in ticks(x_scale.lower, x_scale.upper):
        x = x_scale.at(value)
        parts += [f'<path class="grid" d="M{x:.1f} {top}V{height - bottom}"/>', text(x, height - bottom + 18, number(value), "small", "middle")]
    for value in ticks(y_scale.lower, y_scale.upper):
        y = y_scale.at(value)
        parts += [f'<path class="grid" d="M{left} {y:.1f}H{width - right}"/>', text(left - 8, y + 4, number(value), "small", "end")]
    parts += [f'<path class="axis" d="M{left} {top}V{height - bottom}H{width - right}"/>',
              text((left + width - right) / 2, height - 14, across, "text", "middle"),
              text(20, top - 14, up)]
    for name, kind, points in series:
        colour = COLOURS[kind]
        places = [(x_scale.at(x), y_scale.at(y), y_scale.at(low), y_scale.at(high)) for x, y, low, high in points]
        parts += [f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{colour}" stroke-width="1.5" opacity="0.6"/>' for x, _, low, high in places]
        parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in places)}" fill="none" stroke="{colour}" '
                     f'stroke-width="{2.5 if "ours" in kind else 1.5}"/>')
        parts += [mark(kind, x, y, colour) for x, y, _, _ in places]
    # In the order in which lines end at the right.
    series.sort(key=lambda item: -item[2][-1][1])
    parts += legend([(name, kind) for name, kind, _ in series], width - right + 24, top + 10)
    write(path, width, height, title, subtitle, parts)


def draw_dots(path, title, subtitle, unit, groups, names):
    """A line for each group, on it a mark for each entrant, along a logarithmic axis.
    @param groups of (name, {entrant: value}); @param names of entrants: (name, kind)"""
    groups = [(name, values) for name, values in groups if values]
    if not groups:
        return
    names = {entrant: label for entrant, label in names.items() if any(entrant in values for _, values in groups)}
    row, left, right, top, width = 26, 250, 170, 78, 820
    height = top + row * len(groups) + 50
    scale = Scale([value for _, values in groups for value in values.values()], left, width - right)
    parts = []
    for value in ticks(scale.lower, scale.upper):
        x = scale.at(value)
        parts += [f'<path class="grid" d="M{x:.1f} {top - 10}V{height - 44}"/>', text(x, height - 28, number(value), "small", "middle")]
    parts.append(text((left + width - right) / 2, height - 10, unit, "text", "middle"))
    for i, (name, values) in enumerate(groups):
        y = top + row * i + row / 2 - 4
        least, most = scale.at(min(values.values())), scale.at(max(values.values()))
        parts += [text(left - 14, y + 4, name, "text", "end"), f'<path class="axis" opacity="0.6" d="M{least:.1f} {y:.1f}H{most:.1f}"/>']
        parts += [mark(names[entrant][1], scale.at(values[entrant]), y, COLOURS[names[entrant][1]]) for entrant in reversed(names)
                  if entrant in values]
    parts.append(f'<path class="axis" d="M{left} {top - 10}V{height - 44}H{width - right}"/>')
    parts += legend(names.values(), width - right + 24, top + 4)
    write(path, width, height, title, subtitle, parts)


def points_of(samples, part, entrant, what, factor):
    """By triangles: the median and the quartiles a triangle, times a factor."""
    points = []
    for mesh in samples.meshes(part, entrant, what):
        values = sorted(samples.of(part, mesh, entrant, what).values())
        low, high = (values[0], values[-1]) if len(values) < 4 else statistics.quantiles(values, n=4)[::2]
        points.append((mesh[1], *(factor * value / mesh[1] for value in (statistics.median(values), low, high))))
    return points


BUILDERS = {"fast:2": ("fast, 2 threads (ours)", "ours"), "balanced:1": ("balanced, 1 thread (ours)", "also ours"),
            "embree-medium:2": ("Embree, medium, 2 threads", "first"), "fcl-aabb:1": ("FCL AABB, 1 thread", "third"),
            "fcl-obbrss:1": ("FCL OBBRSS, 1 thread", "second"), "copy:2": ("copying the mesh, 2 threads", "fourth")}
QUERIERS = {"balanced:1": ("balanced (ours)", "ours"), "best:1": ("best (ours)", "also ours"), "fcl-obbrss:1": ("FCL OBBRSS", "second"),
            "bullet-gimpact:1": ("Bullet GImpact", "third"), "ode-opcode:1": ("ODE OPCODE", "fourth")}


def name_of(mesh):
    """Of a pose file's meshes and an offset, for people."""
    words = mesh.split()
    pair = words[0] + (", itself" if words[0] == words[1] else f", {words[1]}")
    if len(words) < 3:
        return pair
    offset = float(words[2])
    return f"{pair}, {100 * abs(offset):g} % {'apart' if offset > 0 else 'deep'}"


def draw_pairs(samples, path, what, title, subtitle, unit, value_of):
    groups = {}
    for entrant in QUERIERS:
        for mesh in samples.meshes("queries", entrant, what):
            groups.setdefault(mesh[0], {})[entrant] = value_of(samples.middle("queries", mesh, entrant, what), mesh[1])
    draw_dots(path, title, subtitle, unit, [(name_of(mesh), groups[mesh]) for mesh in groups], QUERIERS)


def draw_all(samples, folder):
    draw_lines(f"{folder}/build.svg", "Building a hierarchy", "Medians and quartiles by the clock; a bumpy ball", "triangles",
               "ns per triangle", [(*BUILDERS[entrant], points_of(samples, "growth", entrant, "clock", 1e9)) for entrant in BUILDERS])
    draw_lines(f"{folder}/growth.svg", "From OBJ to .bvh, the whole process", "Medians and quartiles; a bumpy torus, preset fast, 2 threads",
               "triangles", "ns per triangle",
               [("bvbuild, by the clock", "ours", points_of(samples, "growth-files", "bvbuild fast:2", "clock", 1e9)),
                ("bvbuild, of processors", "also ours", points_of(samples, "growth-files", "bvbuild fast:2", "processor", 1e9)),
                ("Assimp's import alone", "first", points_of(samples, "growth-peer", "assimp:1", "clock", 1e9))])
    draw_lines(f"{folder}/peak.svg", "Memory at the peak, from OBJ to .bvh", "The whole process, code and libraries included; preset fast",
               "triangles", "bytes per triangle",
               [("bvbuild", "ours", points_of(samples, "growth-files", "bvbuild fast:2", "peak", 1))])
    draw_lines(f"{folder}/size.svg", "Bytes per triangle, mesh and tree",
               "Ours: the .bvh file, which is used as it is. Embree: all that a scene keeps. FCL: nodes and mesh", "triangles",
               "bytes per triangle",
               [(*BUILDERS[entrant], points_of(samples, "growth", entrant, "memory", 1)) for entrant in BUILDERS]
               + [("fast, .bvh file (ours)", "ours", points_of(samples, "growth-files", "bvbuild fast:2", "file", 1))])
    for what, title in (("all", "All pairs of triangles near contact"), ("first", "The first pair of triangles near contact")):
        draw_pairs(samples, f"{folder}/queries-{what}.svg", what, title, "Medians, 1 thread", "µs per query",
                   lambda seconds, _: 1e6 * seconds)
    draw_pairs(samples, f"{folder}/memory.svg", "memory", "Bytes per triangle of what is queried",
               "Ours: the whole .bvh file, used as it is in memory. Peers: nodes, and the mesh that they refer to", "bytes per triangle",
               lambda size, triangles: size / triangles)
