"""What files say, against the meshes that they were made from, closed forms, and the command line's report."""

import gc
import json
import pathlib
import pickle
import threading
import unittest

import numpy as np
from common import Case, box, bumpy_ball, cast_brute, nearest_on_triangles, run
from scipy.spatial import ConvexHull

import bvbuild


class Content(Case):

    def test_mesh(self):
        vertices, triangles = bumpy_ball(self.random)
        file = self.made(vertices, triangles)
        mesh = file.mesh
        self.assertEqual((mesh.vertices.dtype, mesh.triangles.dtype), (np.float64, np.uint32))
        # The same triangles in another order: each is a set of positions.
        sorted_corners = lambda v, t: np.sort(np.array([np.roll(c, -np.lexsort(c.T)[0], 0).ravel() for c in v[t]]).view("f8"), axis=0)
        np.testing.assert_array_equal(sorted_corners(mesh.vertices, mesh.triangles), sorted_corners(vertices, triangles))
        self.assertTrue(mesh.closed and mesh.manifold and mesh.oriented and mesh.components == 1)
        u, v = (vertices[triangles[:, k]] - vertices[triangles[:, 0]] for k in (1, 2))
        self.assertAlmostEqual(mesh.area, np.linalg.norm(np.cross(u, v), axis=1).sum() / 2, delta=1e-9)
        for array in (mesh.vertices, mesh.triangles, file.hull.vertices):
            with self.assertRaises(ValueError):
                array[0] = 0
        self.assertIs(file.mesh, mesh)

    def test_hull_bounds_and_mass(self):
        vertices, triangles = bumpy_ball(self.random)
        file = self.made(vertices, triangles, "--density", "2")
        hull = ConvexHull(vertices)
        self.assertEqual(file.hull.kind, "polyhedron")
        self.assertAlmostEqual(file.hull.volume, hull.volume, delta=1e-9)
        self.assertEqual(len(file.hull.vertices), len(hull.vertices))
        np.testing.assert_array_equal(file.hull.vertices, file.mesh.vertices[file.hull.of_mesh])
        flat = self.made([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2]]).hull
        self.assertEqual((flat.kind, flat.triangles.shape), ("polygon", (0, 3)))
        b = file.bounds
        np.testing.assert_array_equal(b.box.lower, vertices.min(0))
        np.testing.assert_array_equal(b.box.upper, vertices.max(0))
        self.assertLessEqual(np.linalg.norm(vertices - b.sphere.center, axis=1).max(), b.sphere.radius)
        self.assertTrue((np.abs((vertices - b.oriented_box.center) @ b.oriented_box.axes.T) <= b.oriented_box.half_extents + 1e-12).all())
        along = vertices @ b.slabs.directions.T
        self.assertTrue((along >= b.slabs.lower).all() and (along <= b.slabs.upper).all())
        a, e = b.capsule.ends
        t = np.clip((vertices - a) @ (e - a) / max((e - a) @ (e - a), 1e-300), 0, 1)[:, None]
        self.assertLessEqual(np.linalg.norm(vertices - a - t * (e - a), axis=1).max(), b.capsule.radius + 1e-12)
        local = (vertices - b.rounded_rectangle.center) @ b.rounded_rectangle.axes.T
        local[:, :2] -= np.clip(local[:, :2], -b.rounded_rectangle.half_extents, b.rounded_rectangle.half_extents)
        self.assertLessEqual(np.linalg.norm(local, axis=1).max(), b.rounded_rectangle.radius + 1e-12)
        p = vertices[triangles]
        volumes = np.einsum("nc,nc->n", p[:, 0], np.cross(p[:, 1], p[:, 2])) / 6
        self.assertAlmostEqual(file.masses["solid"].mass, volumes.sum(), delta=1e-9)
        np.testing.assert_allclose(file.masses["solid"].center, (volumes[:, None] * p.sum(1) / 4).sum(0) / volumes.sum(), atol=1e-9)
        self.assertAlmostEqual(file.body.mass.mass, 2 * volumes.sum(), delta=1e-9)
        self.assertEqual((file.body.of, file.body.density, file.body.from_mass), ("solid", 2, False))
        self.assertEqual(sorted(file.masses), ["body", "hull", "solid", "surface"])
        crate = self.made(*box([1, 2, 3]))
        np.testing.assert_allclose(crate.masses["solid"].inertia, np.diag([48 * 13 / 3, 48 * 10 / 3, 48 * 5 / 3]), rtol=1e-12)
        self.assertIsNone(crate.body)

    def test_primitives(self):
        found = self.made(*box([1, 2, 3], [5, 6, 7])).primitives
        self.assertEqual(found.best.kind, "box")
        np.testing.assert_allclose(found.best.shape.center, [5, 6, 7], atol=1e-6)
        self.assertEqual(sorted(found.best.shape.half_extents.round(5).tolist()), [1, 2, 3])
        self.assertTrue(found.best.error.lower <= found.best.error.upper <= found.tolerance)
        self.assertEqual([found[i].kind for i in range(4)], ["box", "sphere", "capsule", "cylinder"])
        self.assertEqual(found.best, found.box)

    def test_parts_cover_the_mesh(self):
        vertices, triangles = box()
        both = np.concatenate([vertices * [3, 1, 1], vertices * [1, 3, 1] + [0, 2, 0]])
        file = self.made(both, np.concatenate([triangles, triangles + 8]), "--decompose", "2%", "--sections", "part-triangles")
        parts = file.parts
        self.assertGreater(len(parts), 1)
        self.assertEqual(len(list(parts)), len(parts))
        self.assertTrue(0 <= parts.concavity.lower <= parts.concavity.upper)
        inside = np.zeros(len(file.mesh.vertices), bool)
        for i, part in enumerate(parts):
            hull = ConvexHull(part.vertices)
            self.assertEqual(len(hull.vertices), len(part.vertices))
            self.assertAlmostEqual(part.mass.mass, hull.volume, delta=1e-6)
            self.assertEqual(part.triangles.shape, (2 * len(part.vertices) - 4, 3))
            inside |= (file.mesh.vertices @ hull.equations[:, :3].T + hull.equations[:, 3] <= parts.uncovered + 1e-6).all(1)
            np.testing.assert_array_equal(part.box.lower, part.vertices.min(0))
            self.assertTrue(all(i in parts[int(k)].neighbors for k in part.neighbors))
            self.assertTrue(len(part.covers) > 0 and part.covers.max() < len(file.mesh.triangles))
        self.assertTrue(inside.all())
        np.testing.assert_array_equal(parts[-1].vertices, parts[len(parts) - 1].vertices)
        self.assertEqual(len(parts[1:]), len(parts) - 1)
        for index in (len(parts), -len(parts) - 1):
            with self.assertRaises(IndexError):
                parts[index]
        self.assertEqual(len(self.made(*box()).parts), 0)

    def test_proxy(self):
        vertices, triangles = bumpy_ball(self.random, bumps=0.02)
        file = self.made(vertices, triangles, "--simplify", "5%")
        proxy = file.proxy
        self.assertLess(len(proxy.triangles), len(triangles))
        self.assertTrue(proxy.from_mesh.upper <= proxy.tolerance)
        far = np.sqrt(nearest_on_triangles(vertices, proxy.vertices[proxy.triangles]).min(1)).max()
        self.assertLessEqual(far, proxy.from_mesh.upper + 1e-9)
        times, _ = cast_brute(vertices, np.repeat([[0.3, 0.2, 0.9]], len(vertices), 0), proxy.vertices[proxy.triangles])
        self.assertTrue((np.isfinite(times).sum(1) % 2 == 1).mean() > 0.95)  # those on the proxy mesh itself are in doubt
        self.assertIsNone(self.made(vertices, triangles).proxy)

    def test_nodes_enclose_their_triangles(self):
        mesh = bumpy_ball(self.random, rings=8)
        for volume in ("obb", "aabb", "sphere", "rss", "kdop14", "kdop18", "kdop26", "prism"):
            file = self.made(*mesh, "--volume", volume)
            nodes, corners = file.nodes, file.mesh.vertices[file.mesh.triangles]
            self.assertEqual((len(nodes.level), nodes.level.max(), (nodes.children == 0).sum()), (file.hierarchy.nodes, file.hierarchy.depth, file.hierarchy.leaves))
            for i, shape in enumerate(nodes.volumes):
                points = corners[nodes.first_triangle[i]:nodes.first_triangle[i] + nodes.triangles[i]].reshape(-1, 3)
                self.assertLessEqual(outside(shape, points), 1e-9, (volume, i))
                own = np.arange(nodes.first_child[i], nodes.first_child[i] + nodes.children[i])
                if len(own) > 0:
                    self.assertEqual(nodes.triangles[own].sum(), nodes.triangles[i])
                    self.assertEqual(set(nodes.level[own]), {nodes.level[i] + 1})
            self.assertTrue((nodes.surface_error >= 0).all() and np.isfinite(nodes.solid_error).all())
            # Points of balls are no farther from the triangles than is certified.
            if volume == "sphere":
                for i in self.random.integers(0, len(nodes.level), 20):
                    way = self.random.normal(size=(200, 3))
                    points = nodes.volumes[i].center + nodes.volumes[i].radius * way / np.linalg.norm(way, axis=1)[:, None]
                    own = corners[nodes.first_triangle[i]:nodes.first_triangle[i] + nodes.triangles[i]]
                    self.assertLessEqual(np.sqrt(nearest_on_triangles(points, own).min(1)).max(), nodes.surface_error[i] + 1e-9)

    def test_what_the_report_says(self):
        file = self.made(*bumpy_ball(self.random), "--leaf-triangles", "2")
        report = json.loads(run("bvinspect", "--json", self.path("mesh.bvh")))
        self.assertEqual((file.hierarchy.nodes, file.hierarchy.leaves, file.hierarchy.depth),
                         tuple(report["hierarchy"][key] for key in ("nodes", "leaves", "depth")))
        self.assertEqual(file.origin.tool, "bvbuild " + report["tool"]["version"])
        self.assertEqual(file.origin.parameters, report["tool"]["parameters"])
        self.assertEqual(file.origin.source_hash.hex(), report["source"]["hash"])
        self.assertEqual((file.origin.source_name, file.origin.source_format, file.origin.parameters["leaf-triangles"]), ("mesh.obj", "obj", "2"))
        self.assertEqual([section._asdict() for section in file.sections], report["file"]["sections"])
        self.assertTrue(file.hierarchy.surface_error.lower <= file.hierarchy.surface_error.upper)

    def test_files_without_sections(self):
        file = self.made(*box(), "--sections", "none")
        self.assertEqual((file.mesh.vertices.shape, file.mesh.triangles.shape, file.mesh.closed), ((0, 3), (0, 3), True))
        self.assertEqual((file.hull, file.bounds, file.primitives, file.proxy, len(file.parts), file.masses, file.hierarchy.nodes),
                         (None, None, None, None, 0, {}, 0))
        with self.assertRaisesRegex(bvbuild.Unsupported, "has no hierarchy"):
            file.cast_rays([0, 0, 5], [0, 0, -1])


def outside(shape, points):
    """How far the farthest point is outside of a volume."""
    if isinstance(shape, bvbuild.Sphere):
        return np.linalg.norm(points - shape.center, axis=1).max() - shape.radius
    if isinstance(shape, bvbuild.Box):
        return np.maximum(shape.lower - points, points - shape.upper).max()
    if isinstance(shape, bvbuild.Slabs):
        along = points @ shape.directions.T
        return np.maximum(shape.lower - along, along - shape.upper).max()
    if isinstance(shape, bvbuild.RoundedRectangle):
        local = (points - shape.center) @ shape.axes.T
        local[:, :2] -= np.clip(local[:, :2], -shape.half_extents, shape.half_extents)
        return np.linalg.norm(local, axis=1).max() - shape.radius
    if isinstance(shape, bvbuild.Prism):
        s, t, _ = ((points - shape.box.center) @ shape.box.axes.T).T
        h = shape.box.half_extents
        slope = h[0] * (h[1] - t) / (2 * h[1]) if h[1] > 0 else h[0]
        return max(outside(shape.box, points), (np.abs(s) - slope).max())
    return (np.abs((points - shape.center) @ shape.axes.T) - shape.half_extents).max()


class Opening(Case):

    def test_paths_and_bytes(self):
        file = self.made(*box())
        path = self.path("mesh.bvh")
        with open(path, "rb") as stream:
            data = stream.read()
        self.assertEqual(file.tobytes(), data)
        for source in (path, pathlib.Path(path), data, bytearray(data), memoryview(data)):
            for mapped in (True, False):
                with bvbuild.open(source, mapped=mapped) as opened:
                    np.testing.assert_array_equal(opened.mesh.vertices, file.mesh.vertices)
        mutable = bytearray(data)
        opened = bvbuild.open(mutable)
        mutable[:] = bytes(len(mutable))
        self.assertEqual(opened.tobytes(), data)
        odd = bvbuild.open(memoryview(b"x" + data)[1:])
        self.assertEqual(len(odd.mesh.triangles), 12)

    def test_files_go_to_other_processes(self):
        file = self.made(*bumpy_ball(self.random))
        copy = pickle.loads(pickle.dumps(file))
        self.assertEqual(copy.tobytes(), file.tobytes())
        self.assertEqual(len(copy.collide(file)), len(file.collide(file)))

    def test_closed_files(self):
        file = self.made(*bumpy_ball(self.random), "--decompose", "5%")
        mesh, part, parts = file.mesh, file.parts[0], file.parts
        neighbors = part.neighbors.tolist()
        with file as same:
            self.assertIs(same, file)
        file.close()
        self.assertTrue(file.closed)
        gc.collect()
        self.assertEqual(part.neighbors.tolist(), neighbors)  # still there
        self.assertEqual(parts[0].neighbors.tolist(), neighbors)
        self.assertEqual(len(mesh.vertices), mesh.vertices.shape[0])
        for use in (lambda: file.mesh, lambda: file.parts, lambda: file.cast_rays([0, 0, 1], [0, 0, 1]), lambda: file.collide(file),
                    lambda: file.tobytes(), lambda: bvbuild.Convex.hull(file), lambda: file.__enter__(), lambda: file.origin):
            with self.assertRaisesRegex(ValueError, "the file is closed"):
                use()
        self.assertIn("closed", repr(file))

    def test_what_is_no_file(self):
        self.made(*box())
        with open(self.path("mesh.bvh"), "rb") as stream:
            data = stream.read()
        with self.assertRaises(FileNotFoundError):
            bvbuild.open(self.path("nothing.bvh"))
        with self.assertRaises(IsADirectoryError):
            bvbuild.open(self.folder)
        empty = self.path("empty.bvh")
        pathlib.Path(empty).touch()
        for source in (empty, self.path("mesh.obj"), b"", b"x", b"BVH", data[:-1], data + b"\0" * 8):
            with self.assertRaises(bvbuild.DamagedFile):
                bvbuild.open(source)
        self.assertTrue(issubclass(bvbuild.DamagedFile, bvbuild.Error))
        for at in self.random.integers(0, len(data), 300):
            changed = bytearray(data)
            changed[at] ^= int(self.random.integers(1, 256))
            with self.assertRaises((bvbuild.DamagedFile, bvbuild.Unsupported)):
                bvbuild.open(bytes(changed))
        for wrong in (None, 3, ["a.bvh"], object()):
            with self.assertRaises(TypeError):
                bvbuild.open(wrong)

    def test_threads_share_a_file(self):
        file = self.made(*bumpy_ball(self.random))
        origins, directions = self.random.uniform(-2, 2, (2000, 3)), self.random.uniform(-1, 1, (2000, 3))
        expected = file.cast_rays(origins, directions).time
        wrong = []

        def work():
            for _ in range(10):
                try:
                    if not (file.cast_rays(origins, directions).time == expected).all():
                        wrong.append("other hits")
                except ValueError:
                    return  # closed

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        threads[0].join()
        file.close()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
