"""Queries of meshes against brute force in numpy over all triangles, and closed forms."""

import ctypes
import unittest
from fractions import Fraction

import numpy as np
from common import (Case, box, bumpy_ball, cast_brute, corners_of, distance_of_triangles, gaps_of_triangles, moved, nearest_on_triangles,
                    random_pose, random_rotation)

import bvbuild
from bvbuild import Convex
from bvbuild import _native as native
from bvbuild._arrays import placement
from bvbuild._library import bv


class Rays(Case):

    def test_first_hits_are_those_of_brute_force(self):
        hits = 0
        for _ in range(6):
            file = self.made(*bumpy_ball(self.random))
            corners = corners_of(file)
            origins = self.random.uniform(-2, 2, (300, 3))
            directions = self.random.uniform(-1, 1, (300, 3)) - 0.4 * origins
            found = file.cast_rays(origins, directions)
            times, margins = cast_brute(origins, directions, corners)
            # Rays that pass within 1e-7 of an edge may or may not hit for the oracle.
            sure = ~((np.abs(margins) < 1e-7).any(1))
            self.assertGreater(sure.sum(), 290)
            first = times.min(1)
            np.testing.assert_array_equal(found.found[sure], np.isfinite(first[sure]))
            np.testing.assert_allclose(found.time[sure], first[sure], rtol=1e-9, atol=1e-9)
            hit = sure & found.found
            np.testing.assert_array_equal(found.triangle[hit], times.argmin(1)[hit])
            np.testing.assert_allclose(found.point[hit], (origins + found.time[:, None] * directions)[hit], atol=1e-9)
            np.testing.assert_allclose(found.distance[hit], np.linalg.norm(found.point - origins, axis=1)[hit], atol=1e-9)
            normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[found.triangle[hit]]
            np.testing.assert_allclose(found.normal[hit], normal / np.linalg.norm(normal, axis=1)[:, None], atol=1e-9)
            np.testing.assert_array_equal(found.back[hit], ((normal * directions[hit]).sum(1) > 0))
            np.testing.assert_allclose(np.einsum("nk,nkc->nc", found.weights[hit], corners[found.triangle[hit]]), found.point[hit], atol=1e-9)
            self.assertTrue((found.feature[hit] == bvbuild.Feature.FACE).all())
            self.assertTrue((found.tests > 0).all())
            hits += hit.sum()
        self.assertGreater(hits, 500)

    def test_options_and_layouts(self):
        file = self.made(*bumpy_ball(self.random))
        n = 200
        origins, directions = self.random.uniform(-2, 2, (n, 3)), self.random.uniform(-1, 1, (n, 3))
        plain = file.cast_rays(origins, directions)
        # Floats; a matrix of which columns are taken; reversed; a list; integers.
        single = file.cast_rays(origins.astype(np.float32), directions.astype(np.float32))
        np.testing.assert_allclose(single.time, plain.time, rtol=1e-4)
        wide = np.zeros((n, 8))
        wide[:, 1:4], wide[:, 5:8] = origins, directions
        np.testing.assert_array_equal(file.cast_rays(wide[:, 1:4], wide[:, 5:8]).time, plain.time)
        np.testing.assert_array_equal(file.cast_rays(origins[::-1], directions[::-1]).time, plain.time[::-1])
        np.testing.assert_array_equal(file.cast_rays(np.asfortranarray(origins), directions.tolist()).time, plain.time)
        np.testing.assert_array_equal(file.cast_rays(wide[:, 3:0:-1][:, ::-1], directions.astype(">f8")).time, plain.time)
        down = file.cast_rays(np.array([[0, 0, 5], [1, 9, 9]]), [0, 0, -1])
        self.assertEqual(down.found.tolist(), [True, False])
        # One ray, one origin for all, one direction for all.
        one = file.cast_rays(origins[3], directions[3])
        self.assertEqual(one.time.shape, ())
        self.assertEqual((float(one.time), one.point.shape), (plain.time[3], (3,)))
        eye = np.array([0, 0, 5.0])
        np.testing.assert_array_equal(file.cast_rays(eye, directions).time, file.cast_rays(np.tile(eye, (n, 1)), directions).time)
        # The time range, sides, any hit, memory used again.
        near = file.cast_rays(origins, directions, end=1.5)
        np.testing.assert_array_equal(near.found, plain.time <= 1.5)
        late = file.cast_rays(origins, directions, start=np.nextafter(np.where(plain.found, plain.time, 1), np.inf))
        self.assertTrue((late.time[late.found] > plain.time[late.found]).all())
        fronts, backs = file.cast_rays(origins, directions, backs=False), file.cast_rays(origins, directions, fronts=False)
        np.testing.assert_array_equal(np.minimum(fronts.time, backs.time), plain.time)
        self.assertFalse(fronts.back[fronts.found].any() or (~backs.back[backs.found]).any())
        np.testing.assert_array_equal(file.cast_rays(origins, directions, first=False).found, plain.found)
        again = file.cast_rays(origins, directions, out=near)
        self.assertTrue(np.shares_memory(again.records, near.records))
        np.testing.assert_array_equal(near.time, plain.time)

    def test_no_rays_and_points_give_empty_arrays(self):
        """All members have the types and the shapes of results of one row, except for the number of rows."""
        file, none, one = self.made(*box()), np.empty((0, 3)), np.ones((1, 3))
        calls = [lambda rows: file.cast_rays(rows, [0, 0, 1]), lambda rows: file.cast_rays([0, 0, 5], rows), lambda rows: file.cast_rays(rows, rows),
                 lambda rows: file.cast_rays(rows, rows, np.eye(4), end=np.ones(len(rows))), file.closest_point, file.contains,
                 lambda rows: file.contains(rows.astype(np.float32), limit=np.ones(len(rows)))]
        for call in calls:
            empty, full = call(none), call(one)
            self.assertEqual((len(empty), len(full)), (0, 1))
            members = [name for name in dir(full) if not name.startswith("_")]
            self.assertGreaterEqual(len(members), 10)
            for name in members:
                without, with_one = getattr(empty, name), getattr(full, name)
                self.assertEqual((name, without.dtype, (1, *without.shape[1:])), (name, with_one.dtype, with_one.shape))
                self.assertEqual(len(without), 0)
            self.assertIn("0 of 0 found", repr(empty))

    def test_poses_move_the_mesh(self):
        file = self.made(*bumpy_ball(self.random))
        origins, directions = self.random.uniform(-2, 2, (100, 3)), self.random.uniform(-1, 1, (100, 3))
        for _ in range(5):
            pose = random_pose(self.random)
            there = file.cast_rays(moved(origins, pose), directions @ pose[:3, :3].T, pose)
            here = file.cast_rays(origins, directions)
            np.testing.assert_allclose(there.time, here.time, rtol=1e-9)
            np.testing.assert_allclose(there.local, here.point, atol=1e-9)
            self.assertTrue(np.allclose(there.point[there.found], moved(here.point, pose)[here.found], atol=1e-9))


class Points(Case):

    def test_closest_points_are_those_of_brute_force(self):
        for _ in range(4):
            file = self.made(*bumpy_ball(self.random))
            points = self.random.uniform(-2, 2, (300, 3))
            found = file.closest_point(points)
            expected = np.sqrt(nearest_on_triangles(points, corners_of(file)).min(1))
            np.testing.assert_allclose(found.distance, expected, atol=1e-12)
            np.testing.assert_allclose(np.linalg.norm(found.point - points, axis=1), expected, atol=1e-12)
            np.testing.assert_allclose(np.sqrt(nearest_on_triangles(found.point, corners_of(file)).min(1)), 0, atol=1e-12)
            limited = file.closest_point(points, limit=0.5)
            np.testing.assert_array_equal(limited.found, expected < 0.5)
            self.assertTrue(np.isinf(limited.distance[~limited.found]).all())
            limits = self.random.uniform(0.1, 1, 300)
            np.testing.assert_array_equal(file.closest_point(points, limit=limits).found, expected < limits)
            self.assertEqual(file.closest_point(points[0]).distance, found.distance[0])

    def test_points_are_inside_where_rays_cross_an_odd_number_of_triangles(self):
        file = self.made(*bumpy_ball(self.random))
        points = self.random.uniform(-1.2, 1.2, (500, 3))
        direction = np.array([[0.3, 0.2, 0.9]])
        times, _ = cast_brute(points, np.repeat(direction, 500, 0), corners_of(file))
        inside = np.isfinite(times).sum(1) % 2 == 1
        sides = file.contains(points)
        np.testing.assert_array_equal(sides.inside, inside)
        np.testing.assert_array_equal(sides.outside, ~inside)
        self.assertFalse(sides.unknown.any())
        self.assertTrue(50 < inside.sum() < 450)
        np.testing.assert_array_equal(sides.distance, file.closest_point(points).distance)
        vertices, triangles = box()
        opened = self.made(vertices, triangles[:-1])
        self.assertTrue(opened.contains([[0, 0, 0], [3, 0, 0]]).unknown.all())
        limited = file.contains(points, limit=0.05)
        np.testing.assert_array_equal(limited.unknown, sides.distance >= 0.05)


class Meshes(Case):

    def test_pairs_are_those_whose_axes_do_not_separate(self):
        total = 0
        for i in range(6):
            file = self.made(*bumpy_ball(self.random, rings=7))
            pose = random_pose(self.random)
            corners = corners_of(file)
            other = moved(corners.reshape(-1, 3), pose).reshape(-1, 3, 3)
            gaps = gaps_of_triangles(corners, other)
            pairs = file.collide(file, pose)
            found = np.zeros(gaps.shape, bool)
            found[pairs[:, 0], pairs[:, 1]] = True
            self.assertEqual(found.sum(), len(pairs))
            self.assertTrue(found[gaps < -1e-9].all())
            self.assertFalse(found[gaps > 1e-9].any())
            self.assertEqual(file.collides(file, pose), len(pairs) > 0)
            for limit in (1, 7):
                some = file.collide(file, pose, limit=limit)
                self.assertEqual(len(some), min(limit, len(pairs)))
                self.assertTrue(found[some[:, 0], some[:, 1]].all())
            total += len(pairs)
        self.assertGreater(total, 300)
        self.assertEqual(file.collide(file, ([0, 0, 0, 1], [9, 0, 0])).shape, (0, 2))

    def test_more_pairs_than_fit_at_first(self):
        file = self.made(*bumpy_ball(self.random))
        pairs = file.collide(file)  # each triangle with itself and its neighbors
        self.assertGreater(len(pairs), 2048)
        self.assertEqual(len(np.unique(pairs, axis=0)), len(pairs))
        self.assertTrue(set(range(len(file.mesh.triangles))) <= set(pairs[pairs[:, 0] == pairs[:, 1], 0].tolist()))

    def test_distances_contain_those_of_brute_force(self):
        for i in range(6):
            file = self.made(*bumpy_ball(self.random, rings=6))
            pose = random_pose(self.random)
            pose[:3, 3] *= 3 / np.linalg.norm(pose[:3, 3])
            corners = corners_of(file)
            other = moved(corners.reshape(-1, 3), pose).reshape(-1, 3, 3)
            expected = distance_of_triangles(corners, other)
            d = file.distance(file, pose)
            self.assertTrue(d.done and d.lower <= d.upper <= d.lower * (1 + 1e-9))
            self.assertAlmostEqual(d.upper, expected.min(), delta=1e-12)
            self.assertAlmostEqual(np.linalg.norm(d.points[1] - d.points[0]), d.upper, delta=1e-12)
            self.assertAlmostEqual(expected[d.triangles], expected.min(), delta=1e-12)
            rough = file.distance(file, pose, tests=10)
            self.assertTrue(rough.lower <= expected.min() * (1 + 1e-12) and expected.min() <= rough.upper * (1 + 1e-12))
            self.assertFalse(rough.done)
            loose = file.distance(file, pose, relative=0.2)
            self.assertTrue(loose.lower <= expected.min() * (1 + 1e-12) <= loose.upper * (1 + 1e-9) and loose.upper <= 1.2 * loose.lower + 1e-9)
            wide = file.distance(file, pose, absolute=0.3)
            self.assertTrue(wide.lower <= expected.min() * (1 + 1e-12) <= wide.upper * (1 + 1e-9) and wide.upper <= wide.lower + 0.3 + 1e-9)
            for early in (loose, wide):
                self.assertTrue(early.upper - early.lower > 1e-3 and early.tests < d.tests, (early, d))
            far = file.distance(file, pose, limit=0.9 * expected.min())
            self.assertGreaterEqual(far.lower, 0.89 * expected.min())
            self.assertIsNone(far.points)
        self.assertEqual(file.distance(file).upper, 0)

    def test_depth_of_boxes(self):
        file = self.made(*box())
        for x in (0.25, 1.0, 1.75):
            d = file.depth(file, ([0, 0, 0, 1], [x, 0.1, 0.05]), factor=1.1)
            self.assertTrue(d.reached and d.lower <= 2 - x + 1e-9 and 2 - x <= d.upper + 1e-9)
            self.assertAlmostEqual(np.linalg.norm(d.way), d.upper, delta=1e-9)
            self.assertFalse(file.collides(file, d.apart))
        self.assertEqual(file.depth(file, ([0, 0, 0, 1], [2.5, 0, 0])).upper, 0)


class Shapes(Case):

    def test_a_ball_overlaps_the_triangles_within_its_radius(self):
        file = self.made(*bumpy_ball(self.random))
        for _ in range(20):
            center, radius = self.random.uniform(-1, 1, 3), self.random.uniform(0.1, 0.8)
            square = nearest_on_triangles(center[None], corners_of(file))[0]
            found = file.overlap(Convex.sphere(radius, center))
            self.assertEqual(sorted(found.tolist()), np.flatnonzero(square <= radius * radius).tolist())
            pose = random_pose(self.random)
            there = file.overlap(Convex.sphere(radius, moved(center, pose)), pose)
            self.assertEqual(sorted(there.tolist()), sorted(found.tolist()))
            self.assertEqual(len(file.overlap(Convex.sphere(radius, center), limit=2)), min(2, len(found)))
            self.assertEqual(file.collides(Convex.sphere(radius), (np.eye(3), center)), len(found) > 0)

    def test_the_distance_of_a_ball_is_that_of_its_center_less_its_radius(self):
        file = self.made(*bumpy_ball(self.random))
        for _ in range(20):
            center = self.random.uniform(-3, 3, 3)
            expected = np.sqrt(nearest_on_triangles(center[None], corners_of(file)).min())
            pose = random_pose(self.random)
            pose[:3, 3] = center
            d = file.distance(Convex.sphere(0.05), pose)
            self.assertTrue(d.lower - 1e-12 <= max(0, expected - 0.05) <= d.upper + 1e-12)
            if d.lower > 0:
                self.assertAlmostEqual(np.linalg.norm(d.points[1] - d.points[0]), d.upper, delta=1e-9)
                self.assertAlmostEqual(np.linalg.norm(d.points[1] - center), 0.05, delta=1e-6)
            scaled = pose.copy()
            scaled[:3, :3] *= 2
            twice = file.distance(Convex.sphere(0.025), scaled)
            self.assertTrue(twice.lower - 1e-12 <= max(0, expected - 0.05) <= twice.upper + 1e-12)

    def test_scaled_distances_are_rounded_outward(self):
        """The interval in mesh units contains that of the library, in units of the shape, times the scale: in rational arithmetic."""
        file, ball, rounded = self.made(*bumpy_ball(self.random, rings=4)), Convex.sphere(0.05), 0
        for scale in self.random.uniform(0.1, 10, 100):
            pose = np.diag([scale, scale, scale, 1])
            pose[:3, 3] = self.random.uniform(2, 3, 3)
            at, result = placement(pose), native.bv_mesh_convex_result()
            back = bv.bv_transform_inverse(ctypes.byref(at))
            bv.bv_mesh_distance_convex(file._open().file, ctypes.byref(back), ctypes.byref(ball._struct), None, ctypes.byref(result))
            lower, upper = (Fraction(x) * Fraction(at.scale) for x in (result.lower, result.upper))
            d = file.distance(ball, pose)
            self.assertTrue(Fraction(d.lower) <= lower and upper <= Fraction(d.upper), (scale, d))
            self.assertTrue(lower - Fraction(d.lower) < 1e-14 and Fraction(d.upper) - upper < 1e-14)
            rounded += Fraction(float(lower)) > lower
        self.assertGreater(rounded, 20)

    def test_contacts_of_a_box_on_a_floor(self):
        n = 12
        x, y = np.meshgrid(np.linspace(-3, 3, n), np.linspace(-3, 3, n), indexing="ij")
        vertices = np.stack([x, y, np.zeros_like(x)], -1).reshape(-1, 3)
        i, j = (k.ravel() for k in np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij"))
        a, b = i * n + j, (i + 1) * n + j
        floor = self.made(vertices, np.concatenate([np.stack([a, b, b + 1], 1), np.stack([a, b + 1, a + 1], 1)]))
        crate = self.made(*box([0.5, 0.5, 0.5]))
        for body in (Convex.box([0.5, 0.5, 0.5]), crate):
            for depth in (0.01, -0.01):
                manifolds = floor.contacts(body, (np.eye(3), [0.1, 0.2, depth - 0.5]), speculative=0.02)
                self.assertEqual(len(manifolds), 1)
                np.testing.assert_allclose(manifolds[0].normal, [0, 0, 1], atol=1e-9)
                contacts = manifolds[0].contacts
                self.assertEqual(sorted(np.round(k.points[1], 6).tolist() for k in contacts),
                                 [[-0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [0.5, -0.5, -0.5], [0.5, 0.5, -0.5]])
                for k in contacts:
                    self.assertAlmostEqual(k.separation, -depth, delta=1e-6)
                    self.assertAlmostEqual(k.points[0][2], depth - 0.5, delta=1e-6)
            self.assertEqual(floor.contacts(body, (np.eye(3), [0, 0, -0.6])), [])
        with self.assertRaisesRegex(ValueError, "sides must be one of 'front'"):
            floor.contacts(crate, sides="left")
        # More manifolds, triangles and pairs than there is room for at first.
        ball = self.made(*bumpy_ball(self.random, rings=16, bumps=0.5))
        many = ball.contacts(Convex.sphere(0.4), speculative=0.5, sides="both")
        self.assertGreater(len(many), 32)
        deepest = lambda m: min(k.separation for k in m.contacts)
        self.assertEqual(deepest(many[0]), min(map(deepest, many)))
        self.assertTrue(all(k.separation <= 0.5 and 1 <= len(m.contacts) <= 4 for m in many for k in m.contacts))

    def test_a_falling_ball_stops_on_a_box(self):
        file = self.made(*box())
        hit = file.cast(Convex.sphere(0.5, (0, 0, 5)), [0, 0, -8])
        self.assertTrue(hit.found and not hit.at_start)
        self.assertAlmostEqual(hit.time, 3.5 / 8, delta=1e-9)
        np.testing.assert_allclose(hit.normal, [0, 0, 1], atol=1e-9)
        self.assertFalse(file.cast(Convex.sphere(0.5, (0, 0, 5)), [0, 0, -8], limit=0.4).found)
        self.assertTrue(file.cast(Convex.sphere(0.5, (0, 0, 5)), [0, 0, -1e-3], limit=np.inf).found)

    def test_a_tolerance_ends_casts_near_the_mesh(self):
        file, ball = self.made(*bumpy_ball(self.random, rings=6)), Convex.sphere(0.3, [0.1, 0, 4])
        exact, near = file.cast(ball, [0, 0, -4]), file.cast(ball, [0, 0, -4], tolerance=0.1)
        gaps = [np.sqrt(nearest_on_triangles(np.array([[0.1, 0, 4 - 4 * hit.time]]), corners_of(file)).min()) - 0.3 for hit in (exact, near)]
        self.assertAlmostEqual(gaps[0], 0, delta=1e-9)
        self.assertTrue(1e-3 < gaps[1] <= 0.1 and near.time < exact.time, gaps)

    def test_both_kinds_of_tests_are_counted(self):
        """Of one triangle: its volume or a pair of these, which not all queries need, and one triangle or pair."""
        one = self.made([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        ball, above = Convex.sphere(0.1), (np.eye(3), [0.2, 0.2, 1])
        self.assertEqual(one.cast_rays([[0.2, 0.2, 1]], [0, 0, -1]).tests.tolist(), [2])
        self.assertEqual(one.closest_point([[0.2, 0.2, 1]]).tests.tolist(), [1])
        self.assertEqual(one.distance(one, above).tests, 2)
        self.assertEqual(one.distance(ball, above).tests, 1)
        self.assertEqual(one.cast(Convex.sphere(0.1, [0.2, 0.2, 1]), [0, 0, -2]).tests, 1)
        # A budget counts both: the search ends with the step that exceeds it.
        crate, tilted = self.made(*box()), (random_rotation(self.random), [1, 0.1, 0.2])
        for budget in (100, 300, 500):
            self.assertTrue(budget <= crate.depth(crate, tilted, factor=1, tests=budget).tests <= budget + 100, crate.depth(crate, tilted, factor=1, tests=budget))


if __name__ == "__main__":
    unittest.main(verbosity=2)
