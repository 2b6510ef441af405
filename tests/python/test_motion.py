"""Motions and times of impact against closed forms and the distance at many times."""

import math
import threading
import unittest

import numpy as np
from common import Case, box, bumpy_ball, corners_of, distance_of_triangles, gaps_of_triangles, moved, nearest_on_triangles, random_pose
from scipy.spatial.transform import Rotation, Slerp

from bvbuild import Convex, Motion, time_of_impact


def lifted(z):
    pose = np.eye(4)
    pose[2, 3] = z
    return pose


class Motions(Case):

    def test_poses_are_those_of_scipy(self):
        for _ in range(20):
            a, b, pivot = random_pose(self.random), random_pose(self.random), self.random.uniform(-1, 1, 3)
            motion = Motion.slerp(a, b, pivot)
            turn = Slerp([0, 1], Rotation.from_matrix([a[:3, :3], b[:3, :3]]))
            for t in (0, 0.3, 0.8, 1):
                rotation = turn(t).as_matrix()
                place = (1 - t) * moved(pivot, a) + t * moved(pivot, b)
                expected = np.eye(4)
                expected[:3, :3], expected[:3, 3] = rotation, place - rotation @ pivot
                np.testing.assert_allclose(motion.at(t), expected, atol=1e-9)
            for other in (Motion.nlerp(a, b), Motion.screw_between(a, b)):
                np.testing.assert_allclose(other.at(0), a, atol=1e-12)
                np.testing.assert_allclose(other.at(1), b, atol=1e-9)
        np.testing.assert_array_equal(Motion.still(a).at(0.5), Motion.still(a).at(0))
        screw = Motion.screw(np.eye(4), [1, 0, 0], [0, 0, 5], 3 * math.pi, 2)
        np.testing.assert_allclose(screw.at(1) @ [0, 0, 0, 1], [2, 0, 2, 1], atol=1e-9)
        same = Motion.slerp((Rotation.from_matrix(a[:3, :3]), a[:3, 3]), (Rotation.from_matrix(b[:3, :3]).as_quat(), b[:3, 3]), pivot)
        np.testing.assert_allclose(same.at(0.4), motion.at(0.4), atol=1e-9)

    def test_reach_and_speed_bound_points(self):
        a, b = random_pose(self.random), random_pose(self.random)
        motion = Motion.slerp(a, b)
        points = self.random.normal(size=(100, 3))
        points *= 0.5 / np.linalg.norm(points, axis=1)[:, None]
        reach, speed = motion.reach(0.2, 0.7, 0.5), motion.speed(0.2, 0.7, 0.5)
        start = moved(points, motion.at(0.2))
        for t in np.linspace(0.2, 0.7, 30):
            way = np.linalg.norm(moved(points, motion.at(t)) - start, axis=1).max()
            self.assertLessEqual(way, reach + 1e-12)
            self.assertLessEqual(way, speed * (t - 0.2) + 1e-9)

    def test_sequences_and_functions(self):
        up, down = Motion.slerp(lifted(0), lifted(2)), Motion.slerp(lifted(2), lifted(1))
        both = Motion.sequence([up, down], [0.5, 1])
        self.assertAlmostEqual(both.at(0.25)[2, 3], 1)
        self.assertAlmostEqual(both.at(0.75)[2, 3], 1.5)
        calls = []

        def sway(t):
            calls.append(t)
            return np.eye(3), [0, 0, 2 * math.sin(math.pi * t)]

        motion = Motion.function(sway, 2 * math.pi, 0)
        self.assertAlmostEqual(motion.at(0.5)[2, 3], 2)
        hit = time_of_impact(Convex.sphere(0.5), Motion.still(lifted(2.5)), Convex.sphere(0.5), motion)
        self.assertTrue(hit.found and hit.lower <= math.asin(0.75) / math.pi <= hit.upper + 1e-12)
        self.assertGreater(len(calls), 3)
        self.assertAlmostEqual(Motion.sequence([motion, up], [0.5, 1]).at(0.25)[2, 3], 2)

    def test_exceptions_of_functions_arrive(self):
        def broken(t):
            raise KeyError(t)

        def interrupted(t):
            raise KeyboardInterrupt

        ball = Convex.sphere(1)
        for function, expected in ((broken, KeyError), (interrupted, KeyboardInterrupt), (lambda t: "no pose", TypeError),
                                   (lambda t: np.full((4, 4), np.nan), ValueError)):
            motion = Motion.function(function, 1, 1)
            with self.assertRaises(expected):
                motion.at(0.5)
            with self.assertRaises(expected):
                time_of_impact(ball, Motion.still(lifted(5)), ball, motion)
            with self.assertRaises(expected):
                time_of_impact(ball, Motion.still(lifted(5)), ball, Motion.sequence([Motion.still(), motion], [0.1, 1]))


    def test_exceptions_belong_to_the_thread_of_the_query(self):
        """Two threads use one motion; its function fails in one of them."""
        main = threading.current_thread()

        def only_here(t):
            if threading.current_thread() is not main:
                raise KeyError(t)
            return np.eye(3), [0, 0, 5 * (1 - t)]

        motion, ball, wrong = Motion.function(only_here, 5, 0), Convex.sphere(1), []

        def work():
            for _ in range(50):
                try:
                    motion.at(0.5)
                    wrong.append("no exception")
                except KeyError:
                    pass

        thread = threading.Thread(target=work)
        thread.start()
        for _ in range(50):
            self.assertTrue(time_of_impact(ball, Motion.still(), ball, motion).found)
        thread.join()
        self.assertEqual(wrong, [])


class Impacts(Case):

    def test_falling_boxes(self):
        crate = Convex.box([0.5, 0.5, 0.5])
        hit = time_of_impact(crate, Motion.still(), crate, Motion.slerp(lifted(4), lifted(0)))
        self.assertTrue(hit.found and hit.certain and hit.complete and hit.lower <= 0.75 <= hit.upper + 1e-9 and hit.upper - hit.lower < 1e-5)
        file = self.made(*box([0.5, 0.5, 0.5]))
        above, below = (np.eye(3), [0.2, 0.3, 4]), (np.eye(3), [0.2, 0.3, 0])
        for a, b in ((file, file), (crate, file), (file, crate)):
            mesh = time_of_impact(a, Motion.still(), b, Motion.slerp(above, below))
            self.assertTrue(mesh.found and mesh.lower <= 0.75 <= mesh.upper + 1e-9 and mesh.upper - mesh.lower < 1e-5, mesh)
            np.testing.assert_allclose(mesh.normal, [0, 0, 1], atol=1e-6)
            self.assertAlmostEqual(mesh.points[0][2], 0.5, delta=1e-5)
        near = time_of_impact(file, Motion.still(), file, Motion.slerp(lifted(4), lifted(0)), separation=0.4)
        self.assertTrue(near.lower <= 0.65 <= near.upper + 1e-9)
        # Of a and b in this order: the points are on the upper face of a and on the lower one of b, which is 0.4 higher.
        falls = Motion.slerp(above, below)
        for a, b in ((file, file), (crate, file), (file, crate), (crate, crate)):
            hit = time_of_impact(a, Motion.still(), b, falls, separation=0.4)
            np.testing.assert_allclose(hit.points[:, 2], [0.5, 0.9], atol=1e-5)
            np.testing.assert_allclose(hit.normal, [0, 0, 1], atol=1e-6)
            for thing, triangle, point, pose in zip((a, b), hit.triangles, hit.points, (np.eye(4), falls.at(hit.lower))):
                if thing is file:
                    corners = moved(corners_of(file)[triangle], pose)[None]
                    self.assertAlmostEqual(nearest_on_triangles(point[None], corners)[0, 0], 0, delta=1e-12)
                else:
                    self.assertEqual(triangle, 0)
        self.assertFalse(time_of_impact(file, Motion.still(), file, Motion.slerp(lifted(4), lifted(0)), end=0.7).found)
        stopped = time_of_impact(file, Motion.still(), file, Motion.slerp(lifted(4), lifted(0)), tests=1)
        self.assertTrue(stopped.complete or stopped.lower <= 0.75)

    def test_both_kinds_of_tests_are_counted(self):
        """Of one triangle: its volume or a pair of these, which only pairs of meshes need, and one triangle or pair."""
        one = self.made([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        falls = Motion.slerp((np.eye(3), [0.2, 0.2, 1]), (np.eye(3), [0.2, 0.2, -1]))
        self.assertEqual(time_of_impact(one, Motion.still(), one, falls).tests, 2)
        self.assertEqual(time_of_impact(one, Motion.still(), Convex.sphere(0.1), falls).tests, 1)
        self.assertEqual(time_of_impact(Convex.sphere(0.1), Motion.still(), one, falls).tests, 1)

    def test_turning_meshes_do_not_touch_before(self):
        found = 0
        for _ in range(6):
            file = self.made(*bumpy_ball(self.random, rings=5))
            corners = corners_of(file)
            start, end = random_pose(self.random), random_pose(self.random)
            start[:3, 3], end[:3, 3] = [3, 0.2, 0], [0.5, 0, 0.3]
            motion = Motion.slerp(start, end)
            hit = time_of_impact(file, Motion.still(), file, motion, tolerance=1e-5)
            for t in np.linspace(0, hit.lower, 12):
                gaps = gaps_of_triangles(corners, moved(corners.reshape(-1, 3), motion.at(t)).reshape(-1, 3, 3))
                self.assertGreater(gaps.min(), -1e-9)
            if hit.found and hit.certain and not hit.at_start:
                found += 1
                gaps = gaps_of_triangles(corners, moved(corners.reshape(-1, 3), motion.at(min(1, hit.upper))).reshape(-1, 3, 3))
                close = distance_of_triangles(corners, moved(corners.reshape(-1, 3), motion.at(hit.lower)).reshape(-1, 3, 3)).min()
                self.assertLess(close, 1e-3)
                self.assertLess(gaps.min(), 1e-9)
        self.assertGreater(found, 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
