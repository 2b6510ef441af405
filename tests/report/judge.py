"""Judges a JSON report by what numpy and scipy make of the exported meshes, and by what the parser that Kaitai Struct makes from the
specification reads in the file.

Facts are computed once a file; a Judge compares a report with them, which is quick, so that reports with a wrong number can be tried.
"""

import copy
import os
import re

import numpy as np

import geometry as g

# What is compared exactly with what the independent parser reads, and by nothing else: counts of what is no longer there, and
# certified intervals, of which only those of the root, of primitives and of what is left uncovered are sampled.
PARSER_ONLY = [r"mesh\.removed\.", r"mesh\.largest_displacement$", r"hull\.(polygons|edges)$", r"recognised\.\w+\.from_surface\.",
               r"decomposition\.(tolerance|hulls\.\d+\.(concavity\.|neighbors$|triangles$))",
               r"proxy\.", r"hierarchy\.hausdorff\.tolerance\.", r"hierarchy\.levels\.\d+\.(cut|hausdorff)\.", r"file\.sections\.",
               r"hierarchy\.cost\.(triangle_test|opening|leaf|volume_test)"]

# Keys of measures that are tried elsewhere, by unit tests of their own.
ELSEWHERE = [r"findings\.", r"hierarchy\.(fit|overlap\.(flat|measured|worst))\b", r"hierarchy\.cost\.(measured|yardstick)",
             r"hierarchy\.levels\.\d+\.(fit|overlap\.(flat|measured|worst))\b", r"hierarchy\.(levels\.\d+\.)?overlap\.(mean|max|share)$",
             r"time\.", r"memory\."]


def flatten(value, path=""):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from flatten(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from flatten(item, f"{path}.{i}")
    else:
        yield path, value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def matches(patterns, path):
    return any(re.match(p, path) for p in patterns)


class Facts:
    """What is known of a file without its report."""

    def __init__(self, folder, parsed, nodes, options, samples, seed=1):
        self.parsed, self.nodes, self.options = parsed, nodes, options
        self.bytes = os.path.getsize(os.path.join(folder, "file.bvh"))
        random = np.random.default_rng(seed)
        self.mesh = self._one(folder, "mesh.obj")
        self.has_mass = any(section["name"] == "MASS" for section in parsed["file"]["sections"])
        self.hull = self._one(folder, "hull.obj")
        parts = os.path.join(folder, "parts.obj")
        self.parts = g.load_obj(parts) if os.path.exists(parts) else None
        self.levels = {}
        if self.mesh:
            v, f = self.mesh
            self.diagonal = float(np.linalg.norm(v.max(0) - v.min(0)))
            self.topology = g.Topology(v, f)
            self.solid = g.solid(v, f) if self.topology.closed else None
            self.sheet = g.sheet(v, f)
            self.convex = g.hull_of(v)
            self.outer = v[self.convex[0].vertices] if self.convex else v
            # A point of the mesh in ten thousand places, for what must cover it.
            self.on = self._points_on(v, f, 4000, random)
        if self.hull:
            self.hull_body = g.solid(*self.hull)
        if self.nodes:
            self._measure_nodes(folder)
        self.sampled = {}
        errors = parsed["hierarchy"]["hausdorff"]["solid"]["root"]["upper"]
        if self.mesh and self.nodes and errors is not None and samples:
            nearest = g.Nearest(*self.mesh, random)
            for name in ("surface", "solid"):
                self.sampled[name] = g.sampled_distance(self.nodes[0]["volume"], nearest, name == "surface", samples, random)
            # The surface belongs to the solid.
            self.sampled["solid"] = max(self.sampled.values())

    @staticmethod
    def _one(folder, name):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            return None
        objects = g.load_obj(path)
        return objects[0][1:] if objects else None

    @staticmethod
    def _points_on(v, f, count, random):
        weights = np.array(g.areas(v, f), float)
        chosen = v[f[random.choice(len(f), count, p=weights / weights.sum())]]
        w = random.dirichlet([1, 1, 1], count)
        return np.concatenate([v[np.unique(f)], (chosen * w[:, :, None]).sum(1)])

    def _measure_nodes(self, folder):
        """Sizes of all nodes, by their volumes as parsed; and of each level, what its export has."""
        self.sizes = np.array([g.sizes(node["volume"]) for node in self.nodes])
        self.level_of = np.array([node["level"] for node in self.nodes])
        self.leaf = np.array([not node["children"] for node in self.nodes])
        self.triangles = np.array([node["triangles"] for node in self.nodes])
        self.overlaps = self._overlaps() if self.options is not None else None
        self.export_problems = []
        for level in range(self.level_of.max() + 1):
            path = os.path.join(folder, f"level_{level}.obj")
            if os.path.exists(path):
                self._compare_level(level, g.load_obj(path))

    def _overlaps(self):
        """Of each pair of siblings with volumes, on which level and how much of the lesser one is in the other; None where that takes
        too long, or is not known in closed form."""
        pairs = [(a, b) for node in self.nodes for i, a in enumerate(node["children"]) for b in node["children"][:i]]
        found = []
        for a, b in pairs if len(pairs) <= 600 else []:
            # Volumes that may or may not count as flat.
            relative = self.sizes[[a, b], 0] / np.maximum(self.sizes[[a, b], 2], np.finfo(float).tiny) ** 3
            if relative.min() < 1e-9:
                if relative.min() > 1e-16:
                    return None
                continue
            common = g.common_volume(self.nodes[a]["volume"], self.nodes[b]["volume"])
            if common is None:
                return None
            found.append((self.level_of[a], common / self.sizes[[a, b], 0].min()))
        return np.array(found).reshape(-1, 2) if len(pairs) <= 600 else None

    def _compare_level(self, level, objects):
        """Each object of a level's export is a node of that level or a leaf above; boxes and k-DOPs have its volume and area."""
        expected = np.flatnonzero((self.level_of == level) | (self.leaf & (self.level_of < level)))
        complain = self.export_problems.append
        if not all(name.startswith("node_") for name, _, _ in objects):
            if len(expected) <= 1000:
                complain(f"level {level}: objects are no nodes")
            return
        found = {int(name.split("_")[1]): (v, f) for name, v, f in objects}
        if sorted(found) != list(expected):
            complain(f"level {level}: {len(found)} nodes are exported, not {len(expected)}")
            return
        volumes, surfaces = [], []
        for i in expected:
            v, f = found[i]
            volume, surface = g.volume_under(v, f), float(g.areas(v, f).sum())
            own = self.sizes[i]
            size = own[2]
            round_one = g.kind_of(self.nodes[i]["volume"]) in ("sphere", "rss")
            # Polyhedra with 512 triangles a ball stand off by 1.56 % of the radius: at most so much more volume.
            most = (1.05, 1.04) if round_one else (1, 1)
            if not own[0] - 1e-9 * size ** 3 <= volume <= most[0] * own[0] + 1e-9 * size ** 3:
                complain(f"level {level}: node {i} is exported with a volume of {volume} and not {own[0]}")
            if not own[1] - 1e-8 * size ** 2 <= surface <= most[1] * own[1] + 1e-8 * size ** 2:
                complain(f"level {level}: node {i} is exported with an area of {surface} and not {own[1]}")
            if self.level_of[i] == level and not round_one:
                volumes.append(volume)
                surfaces.append(surface)
        if len(volumes) == int((self.level_of == level).sum()):
            self.levels[level] = {"volume": (np.mean(volumes), max(volumes)), "area": (np.mean(surfaces), max(surfaces))}


class Judge:
    """Compares one report with facts. `wrong` lists what is not right, `seen` the keys that something was compared with."""

    def __init__(self, report, facts, parser=True):
        self.report, self.facts = report, facts
        self.wrong, self.seen = [], set()
        self.flat = dict(flatten(report))
        steps = [self.compare_with_parser] if parser else []
        steps += [self.judge_mesh, self.judge_moving_body, self.judge_bounds, self.judge_recognised] if facts.mesh else []
        for step in steps + [self.judge_hull, self.judge_parts, self.judge_hierarchy, self.judge_file]:
            try:
                step()
            except (KeyError, IndexError, TypeError, ValueError, np.linalg.LinAlgError) as problem:
                self.complain(step.__name__, f"makes no sense of the report: {problem!r}")

    def judge_file(self):
        self.equal("file.bytes", self.facts.bytes)
        self.close("file.bytes_per_triangle", self.facts.bytes / self.get("mesh.triangles"), 1e-12)
        self.equal("problems", sum(f["severity"] == "bad" for f in self.get("findings")))

    def get(self, path):
        value = self.report
        for key in path.split("."):
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    def has(self, path):
        try:
            return self.get(path) is not None
        except (KeyError, IndexError, TypeError):
            return False

    def complain(self, path, text):
        self.wrong.append(f"{path}: {text}")

    def mark(self, path):
        self.seen.update(p for p in self.flat if p == path or p.startswith(path + "."))

    def equal(self, path, expected):
        self.mark(path)
        if self.get(path) != expected:
            self.complain(path, f"{self.get(path)} and not {expected}")

    def close(self, path, expected, tolerance, scale=0.0):
        """Within `tolerance` of the value, or of `scale`, what is subtracted in it being of that size."""
        self.mark(path)
        value = self.get(path)
        if value is None or not np.allclose(value, expected, rtol=0, atol=tolerance * max(np.abs(expected).max(), scale)):
            self.complain(path, f"{value} and not {expected}")

    def between(self, path, low, high, what):
        self.mark(path)
        if not low <= self.get(path) <= high:
            self.complain(path, f"{self.get(path)}, but {what}: {low} to {high}")

    def compare_with_parser(self):
        parsed = dict(flatten(self.facts.parsed))
        near = r"(bounds|recognised)\.\w+\.volume|hierarchy\.root\.volume|decomposition\.volume|.*\.(volume|area|diameter)\.(mean|max)|.*\.relative\.\w+|hierarchy\..*\.mean\.upper"
        for path, value in parsed.items():
            if path not in self.flat:
                # {} and [] have no items.
                self.complain(path, "is not in the report")
                continue
            mine = self.flat[path]
            if mine != value and not (re.fullmatch(near, path) and None not in (mine, value)
                                      and abs(mine - value) <= 1e-9 * max(abs(mine), abs(value)) + 1e-12):
                self.complain(path, f"{mine} and not {value}, as in the file")
        self.seen.update(p for p in parsed if matches(PARSER_ONLY, p))

    def judge_body(self, path, body, size):
        """Inertia is about the centre: its rounding is that of the mass times the square of the size."""
        if body is None or not self.facts.has_mass:
            for key in ("center_of_mass", "inertia", "principal"):
                self.equal(f"{path}.{key}", None)
            return
        inertia = abs(body.mass) * size ** 2
        self.close(f"{path}.center_of_mass", body.center, 1e-9, size)
        self.close(f"{path}.inertia", body.inertia, 1e-9, inertia)
        moments = np.array(self.get(f"{path}.principal.moments"))
        axes = np.array(self.get(f"{path}.principal.axes"))
        expected = np.linalg.eigvalsh(body.inertia)
        self.close(f"{path}.principal.moments", expected[np.argsort(np.abs(expected), kind="stable")], 1e-9, inertia)
        self.mark(f"{path}.principal.axes")
        self.check_frame(f"{path}.principal.axes", axes)
        off = np.abs(body.inertia @ axes.T - axes.T * moments).max()
        if not off <= 1e-6 * inertia:
            self.complain(f"{path}.principal.axes", f"are no eigenvectors, by {off / inertia}")

    def check_frame(self, path, axes):
        axes = np.array(axes)
        if not (np.abs(axes @ axes.T - np.eye(3)).max() <= 1e-9 and np.linalg.det(axes) > 0):
            self.complain(path, "is no right-handed orthonormal frame")

    def judge_mesh(self):
        v, f = self.facts.mesh
        t = self.facts.topology
        for key, value in {"triangles": len(f), "vertices": len(v), "edges": t.edges, "components": t.components,
                           "closed": t.closed, "oriented": t.oriented, "manifold": t.manifold, "double_sided": t.double_sided,
                           "edges_of_kind.boundary": t.boundary, "edges_of_kind.flipped": t.flipped,
                           "edges_of_kind.non_manifold": t.non_manifold}.items():
            self.equal(f"mesh.{key}", value)
        kinds = {key: self.get(f"mesh.edges_of_kind.{key}") for key in ("flat", "convex", "concave")}
        for key, value in kinds.items():
            expected = getattr(t, key)
            self.between(f"mesh.edges_of_kind.{key}", expected - t.unsure, expected + t.unsure, "counted")
        if sum(kinds.values()) != t.flat + t.convex + t.concave:
            self.complain("mesh.edges_of_kind", f"{sum(kinds.values())} edges of two triangles")
        diagonal = self.facts.diagonal
        self.close("mesh.area", self.facts.sheet.mass if self.facts.sheet else 0.0, 1e-10)
        solid = self.facts.solid
        if solid and self.facts.has_mass:
            self.close("mesh.volume", solid.mass, 1e-9, self.facts.sheet.mass * diagonal * 1e-3)
        else:
            self.equal("mesh.volume", None)
        self.judge_body("mesh", solid, diagonal)
        self.judge_body("mesh.surface", self.facts.sheet, diagonal)

    def judge_moving_body(self):
        """The solid, else the hull, else, of a mass, the sheet, with what was given."""
        parameters = self.get("tool.parameters")
        given = [key for key in ("density", "mass") if key in parameters]
        if not given:
            for key in ("of", "given", "density", "mass", "center_of_mass", "inertia", "principal"):
                self.equal(f"body.{key}", None)
            return
        facts = self.facts
        of = "solid" if facts.solid else "hull" if facts.hull and facts.hull_body else "surface"
        body = copy.copy({"solid": facts.solid, "hull": facts.hull_body, "surface": facts.sheet}[of])
        value = float(parameters[given[0]])
        density = value if given == ["density"] else value / abs(body.mass)
        self.equal("body.of", of)
        self.equal("body.given", given[0])
        self.close("body.density", density, 1e-9)
        self.close("body.mass", density * abs(body.mass), 1e-9)
        body.inertia = body.inertia * density * np.sign(body.mass)
        body.mass = density * abs(body.mass)
        self.judge_body("body", body, facts.diagonal)

    def judge_volume(self, path, tight=True):
        """Encloses the mesh, touches it, and has its own volume. Rounding to binary32 counts by coordinates, not by size."""
        if not self.has(path):
            return
        volume = self.get(path)
        reach = np.abs(self.facts.outer).max() + self.facts.diagonal
        out = g.excess(volume, self.facts.outer).max()
        if not out <= 1e-12 * reach:
            self.complain(path, f"leaves out a vertex by {out}")
        if tight and not out >= -2e-6 * reach:
            self.complain(path, f"touches nothing, by {-out}")
        for key in ("axes",):
            if key in volume:
                self.check_frame(f"{path}.axes", volume["axes"])
        content = g.sizes(volume)[0]
        self.close(f"{path}.volume", content, 1e-9, 1e-9 * self.facts.diagonal ** 3)
        self.seen.update(p for p in self.flat if p.startswith(path + ".") and not p.endswith(".ratio"))

    def judge_bounds(self):
        points, reach = self.facts.outer, np.abs(self.facts.outer).max() + self.facts.diagonal
        slack = 1e-6 * reach
        for key in ("aabb", "sphere", "obb", "kdop", "capsule", "rss"):
            self.judge_volume(f"bounds.{key}")
        if not self.has("bounds.aabb"):
            return
        self.close("bounds.aabb.lower", points.min(0), 1e-6, reach)
        self.close("bounds.aabb.upper", points.max(0), 1e-6, reach)
        along = points @ g.DIRECTIONS.T
        self.equal("bounds.kdop.k", 26)
        self.close("bounds.kdop.lower", along.min(0), 1e-6, reach)
        self.close("bounds.kdop.upper", along.max(0), 1e-6, reach)

        # Of three the least are known, and they are it.
        for key in ("aabb", "sphere", "obb", "kdop", "capsule", "rss"):
            path = f"bounds.{key}"
            if self.has(f"{path}.ratio"):
                self.close(f"{path}.ratio", self.get(f"{path}.volume") / self.get(f"{path}.optimum"), 1e-9)
                self.between(f"{path}.ratio", 1 - 1e-9, 1 + 1e-4 if key in ("aabb", "sphere", "kdop") else np.inf, "of the least")

        # The least ball's centre is a mean of points on its surface.
        ball = self.get("bounds.sphere")
        away = np.linalg.norm(points - ball["center"], axis=1)
        touching = points[away >= ball["radius"] - 10 * slack]
        if len(touching):
            from scipy.optimize import nnls
            system = np.vstack([(touching - ball["center"]).T / reach, np.ones(len(touching))])
            residual = nnls(system, np.array([0, 0, 0, 1.0]))[1]
            if not residual <= 3e-3 * max(1e-3, ball["radius"] / reach) ** 0.5 + 3e-3:
                self.complain("bounds.sphere", f"is not the least: its centre is {residual} off the points that it touches")

        # Each side of the box touches something.
        box = self.get("bounds.obb")
        local = (points - box["center"]) @ np.array(box["axes"]).T
        for sign, extreme in ((1, local.max(0)), (-1, -local.min(0))):
            if not (np.abs(extreme - box["half_extents"]) <= 10 * slack).all():
                self.complain("bounds.obb", "a side touches nothing")

    def judge_recognised(self):
        r = self.report["recognised"]
        if r["tolerance"] is None:
            return
        names = ("box", "sphere", "capsule", "cylinder")
        points = self.facts.on
        least = {}
        for name in names:
            shape, path = r[name], f"recognised.{name}"
            if name == "cylinder":
                a, b = np.array(shape["ends"])
                axis = (b - a) / np.linalg.norm(b - a)
                along = (points - a) @ axis
                across = np.linalg.norm(points - a - along[:, None] * axis, axis=1) - shape["radius"]
                beyond = np.maximum(-along, along - np.linalg.norm(b - a))
                away = np.where((across > 0) & (beyond > 0), np.hypot(across, beyond), np.abs(np.maximum(across, beyond)))
                content = np.pi * shape["radius"] ** 2 * np.linalg.norm(b - a)
            else:
                away = np.abs(g.excess(shape, points))
                if name == "box":
                    self.check_frame(path + ".axes", shape["axes"])
                    local = np.abs((points - shape["center"]) @ np.array(shape["axes"]).T) - shape["half_extents"]
                    away = np.where((local > 0).any(1), np.linalg.norm(np.maximum(local, 0), axis=1), -local.max(1))
                content = g.sizes(shape)[0]
            self.close(path + ".volume", content, 1e-9)
            farthest = away.max()
            interval = shape["from_mesh"]
            if not farthest <= interval["upper"] * (1 + 1e-9) + 1e-12 * self.facts.diagonal:
                self.complain(path, f"a point of the mesh is {farthest} away, more than {interval['upper']}")
            if not farthest >= 0.8 * interval["lower"]:
                self.complain(path, f"no point of the mesh is farther than {farthest}, less than {interval['lower']}")
            for bound in ("lower", "upper"):
                self.equal(f"{path}.error.{bound}", max(shape["from_mesh"][bound], shape["from_surface"][bound]))
            self.mark(path)
            least[name] = shape["error"]["upper"]
        most = min(r["tolerance"], min(least.values()) + r["tolerance"] / 10)
        self.equal("recognised.best", next((name for name in names if least[name] <= most), None))
        self.mark("recognised.tolerance")

    def judge_hull(self):
        hull = self.facts.hull
        if not hull:
            return
        v, f = hull
        flat = self.facts.hull_body is None or (self.get("hull.faces") == 1)
        self.equal("hull.vertices", len(v))
        self.equal("hull.faces", 1 if flat else len(f))
        diagonal = float(np.linalg.norm(v.max(0) - v.min(0)))
        if flat:
            self.close("hull.volume", 0.0, 1e-12, diagonal ** 3)
            self.judge_body("hull", None, diagonal)
            return
        self.close("hull.volume", self.facts.hull_body.mass, 1e-10, 1e-6 * diagonal ** 3)
        self.judge_body("hull", self.facts.hull_body, diagonal)
        if self.facts.mesh and self.facts.convex:
            convex, _, size = self.facts.convex
            self.close("hull.volume", convex.volume * size ** 3, 1e-9, 1e-3 * diagonal ** 3)
        edges = {tuple(sorted((t[k], t[(k + 1) % 3]))) for t in f for k in range(3)}
        if len(v) - len(edges) + len(f) != 2:
            self.complain("hull", "is not closed")

    def judge_parts(self):
        d = self.report["decomposition"]
        if d["parts"] is None:
            return
        objects = self.facts.parts
        self.equal("decomposition.parts", len(objects))
        bodies = [g.solid(v, f) for _, v, f in objects]
        for i, ((_, v, f), body) in enumerate(zip(objects, bodies)):
            path = f"decomposition.hulls.{i}"
            size = float(np.linalg.norm(v.max(0) - v.min(0)))
            self.equal(f"{path}.vertices", len(v))
            self.equal(f"{path}.faces", len(f))
            self.close(f"{path}.volume", body.mass, 1e-7)
            self.close(f"{path}.center_of_mass", body.center, 1e-7, size)
        self.equal("decomposition.vertices", sum(len(v) for _, v, _ in objects))
        self.equal("decomposition.faces", sum(len(f) for _, _, f in objects))
        self.close("decomposition.volume", sum(b.mass for b in bodies), 1e-7)
        for bound in ("lower", "upper"):
            self.equal(f"decomposition.concavity.{bound}", max(h["concavity"][bound] for h in d["hulls"]))
        if self.facts.mesh:
            # No farther from a part than by the plane that it is most above.
            away = np.full(len(self.facts.on), np.inf)
            for _, v, f in objects:
                normal = np.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]])
                normal /= np.linalg.norm(normal, axis=1)[:, None]
                offset = (normal * v[f]. mean(1)).sum(1)
                away = np.minimum(away, (self.facts.on @ normal.T - offset).max(1))
            if not away.max() <= d["uncovered"] + 1e-6 * self.facts.diagonal:
                self.complain("decomposition.uncovered", f"a point of the mesh is {away.max()} away from all parts")
            self.mark("decomposition.uncovered")

    def judge_hierarchy(self):
        nodes, h = self.facts.nodes, self.report["hierarchy"]
        if not nodes:
            return
        facts = self.facts
        inner = [len(n["children"]) for n in nodes if n["children"]]
        types = [n["type"] for n in nodes]
        self.equal("hierarchy.nodes", len(nodes))
        self.equal("hierarchy.leaves", int(facts.leaf.sum()))
        self.equal("hierarchy.depth", int(facts.level_of.max()))
        self.equal("hierarchy.degrees", {str(k): inner.count(k) for k in set(inner)})
        self.equal("hierarchy.types", {t: types.count(t) for t in set(types)})
        root = {k: v for k, v in h["root"].items() if k != "volume"}
        if dict(flatten(root)) != dict(flatten(nodes[0]["volume"])):
            self.complain("hierarchy.root", "is another volume")
        if facts.mesh:
            out = g.excess(h["root"], facts.outer).max()
            if not out <= 1e-12 * (np.abs(facts.outer).max() + facts.diagonal):
                self.complain("hierarchy.root", f"leaves out a vertex by {out}")
        self.mark("hierarchy.root")
        self.close("hierarchy.root.volume", facts.sizes[0][0], 1e-9, 1e-9 * facts.sizes[0][2] ** 3)
        self.equal("hierarchy.levels", h["levels"]) if len(h["levels"]) != facts.level_of.max() + 1 else None
        for level in range(facts.level_of.max() + 1):
            self.judge_level(level)
        self.judge_cost(h)
        self.judge_errors(h)
        self.judge_measures(h)

    def judge_level(self, level):
        facts, path = self.facts, f"hierarchy.levels.{level}"
        on = facts.level_of == level
        self.equal(f"{path}.nodes", int(on.sum()))
        self.equal(f"{path}.leaves", int((on & facts.leaf).sum()))
        self.equal(f"{path}.triangles", int(facts.triangles[on].sum()))
        for i, key in enumerate(("volume", "area", "diameter")):
            values, scale = facts.sizes[on, i], 1e-9 * facts.sizes[on, 2].max() ** (3, 2, 1)[i]
            self.close(f"{path}.{key}.mean", values.mean(), 1e-9, scale)
            self.close(f"{path}.{key}.max", values.max(), 1e-9, scale)
        for key, (mean, most) in facts.levels.get(level, {}).items():
            scale = facts.sizes[on, 2].max() ** (3 if key == "volume" else 2)
            self.close(f"{path}.{key}.mean", mean, 1e-8, 1e-3 * scale)
            self.close(f"{path}.{key}.max", most, 1e-8, 1e-3 * scale)

    def judge_cost(self, h):
        """Each volume below an open node is tested, against the mean over all types there are; leaves by their triangles."""
        facts, cost = self.facts, h["cost"]
        chance = facts.sizes[:, 1] / facts.sizes[0, 1]
        test = {a: np.mean(list(row.values())) for a, row in cost["volume_test"].items()}
        tests = np.array([test[n["type"]] for n in facts.nodes])
        expected = tests[0]
        for i, node in enumerate(facts.nodes):
            if node["children"]:
                expected += chance[i] * (cost["opening"] + tests[node["children"]].sum())
            else:
                expected += chance[i] * (cost["leaf"] + cost["triangle_test"] * node["triangles"] ** 2)
        self.close("hierarchy.cost.expected", expected, 1e-9)

    def judge_errors(self, h):
        errors = h["hausdorff"]
        if errors["solid"]["root"]["upper"] is None:
            return
        diameter = self.facts.sizes[0][2]
        levels = h["levels"]
        counts = [level["nodes"] for level in levels]
        for name in ("surface", "solid"):
            for which in ("root", "max", "mean"):
                path = f"hierarchy.hausdorff.{name}.{which}"
                item = errors[name][which]
                for bound in ("lower", "upper"):
                    self.close(f"{path}.relative.{bound}", item[bound] / diameter, 1e-9)
                    mine = [level["hausdorff"][name]["max" if which != "mean" else "mean"][bound] for level in levels]
                    expected = mine[0] if which == "root" else max(mine) if which == "max" else np.average(mine, weights=counts)
                    self.close(f"{path}.{bound}", expected, 1e-9)
            root = errors[name]["root"]
            if name in self.facts.sampled:
                found = self.facts.sampled[name]
                rounding = 1e-7 * diameter
                if found > root["upper"] + rounding:
                    self.complain(f"hierarchy.hausdorff.{name}.root", f"a sample is {found} away, above {root['upper']}")
                if found < 0.95 * root["lower"] - rounding:
                    self.complain(f"hierarchy.hausdorff.{name}.root", f"no sample is farther than {found}, below {root['lower']}")

    def judge_measures(self, h):
        """Measures by areas and by how many triangles leaves have, where the report has them."""
        facts = self.facts
        chance = facts.sizes[:, 1] / facts.sizes[0, 1]
        degree = np.array([len(n["children"]) for n in facts.nodes])
        if self.has("hierarchy.sah"):
            inner, leaves = chance[~facts.leaf].sum(), (chance * facts.triangles)[facts.leaf].sum()
            for key, value in {"inner": inner, "leaves": leaves, "cost": inner + leaves, "children": (chance * degree).sum()}.items():
                self.close(f"hierarchy.sah.{key}", value, 1e-9)
        if self.has("hierarchy.occupancy"):
            held = facts.triangles[facts.leaf]
            self.close("hierarchy.occupancy.mean", held.mean(), 1e-12)
            self.equal("hierarchy.occupancy.min", int(held.min()))
            self.equal("hierarchy.occupancy.max", int(held.max()))
            histogram = {}
            for n in map(int, held):
                top = 1 << (n - 1).bit_length()
                key = str(n) if n <= 16 else f"{top // 2 + 1}-{top}"
                histogram[key] = histogram.get(key, 0) + 1
            self.equal("hierarchy.occupancy.histogram", histogram)
        if self.has("hierarchy.overlap"):
            siblings = [int(d * (d - 1) // 2) for d in degree]
            parents = np.flatnonzero(degree)
            self.equal("hierarchy.overlap.pairs", sum(siblings))
            self.judge_overlap("hierarchy.overlap", facts.overlaps)
            for level in range(facts.level_of.max() + 1):
                path = f"hierarchy.levels.{level}.overlap"
                self.equal(f"{path}.pairs", sum(siblings[p] for p in parents if facts.level_of[p] == level - 1))
                self.judge_overlap(path, None if facts.overlaps is None else facts.overlaps[facts.overlaps[:, 0] == level])

    def judge_overlap(self, path, pairs):
        """Whether a pair that nearly touches has something in common is for rounding to say, which counts by coordinates far away."""
        if pairs is None:
            return
        self.equal(f"{path}.measured", len(pairs))
        if len(pairs):
            self.close(f"{path}.mean", pairs[:, 1].mean(), 1e-5, 0.1)
            self.close(f"{path}.max", pairs[:, 1].max(), 1e-5, 0.1)
            self.between(f"{path}.share", (pairs[:, 1] > 1e-6).mean() - 1e-12, (pairs[:, 1] > -1).mean() if (pairs[:, 1] <= 1e-6).any() else 1, "counted")

    def uncovered(self):
        """@return numbers in the report that nothing here says anything of"""
        return [p for p, value in self.flat.items() if is_number(value) and p not in self.seen
                and not matches(ELSEWHERE, p)]
