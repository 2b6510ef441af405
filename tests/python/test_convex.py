"""Pairs of convex shapes against Minkowski differences by scipy's hulls, and closed forms."""

import unittest

import numpy as np
from common import Case, box, bumpy_ball, moved, nearest_on_triangles, random_pose
from scipy.spatial import ConvexHull

import bvbuild
from bvbuild import Convex


def signed_distance(a, b):
    """Of the hulls of two sets of points: the distance of the origin from the hull of all differences, or minus the least offset of its facets."""
    differences = (a[:, None] - b[None]).reshape(-1, 3)
    hull = ConvexHull(differences)
    offsets = hull.equations[:, 3]
    if (offsets <= 0).all():
        return offsets.max()
    return np.sqrt(nearest_on_triangles(np.zeros((1, 3)), differences[hull.simplices]).min())


class Pairs(Case):

    def test_distances_of_hulls(self):
        apart = 0
        for _ in range(60):
            a = self.random.uniform(-1, 1, (20, 3)) * self.random.uniform(0.3, 1.5, 3)
            b = self.random.uniform(-1, 1, (12, 3))
            pose = random_pose(self.random, 2)
            expected = signed_distance(a, moved(b, pose))
            first, second = Convex.points(a), Convex.points(b)
            d = first.distance(second, pose)
            self.assertTrue(d.lower - 1e-9 <= expected <= d.upper + 1e-9, (d, expected))
            self.assertLess(d.upper - d.lower, 1e-4)
            self.assertEqual(first.overlaps(second, pose), expected <= 0)
            self.assertAlmostEqual(np.linalg.norm(d.normal), 1, delta=1e-12)
            p = first.penetration(second, pose)
            self.assertTrue(p.lower - 1e-9 <= max(0, -expected) <= p.upper + 1e-9)
            if expected > 0:
                apart += 1
                self.assertAlmostEqual(np.linalg.norm(d.points[1] - d.points[0]), expected, delta=1e-6)
            else:
                free = pose.copy()
                free[:3, 3] += p.way * 1.001
                self.assertGreaterEqual(signed_distance(a, moved(b, free)), -1e-9)
            rounded = first.rounded(0.2).distance(second.rounded(0.1), pose)
            self.assertTrue(rounded.lower - 1e-6 <= expected - 0.3 <= rounded.upper + 1e-6)
        self.assertTrue(10 < apart < 50)

    def test_closed_forms(self):
        ball, crate = Convex.sphere(0.5), Convex.box([1, 1, 1])
        d = bvbuild.convex_distance(ball, crate, ([0, 0, 0, 1], [0, 1.25, 0]))
        self.assertTrue(d.lower <= -0.25 <= d.upper)
        capsule = Convex.capsule([0, 0, -1], [0, 0, 1], 0.25)
        self.assertAlmostEqual(capsule.distance(Convex.sphere(0.1, [2, 0, 0])).upper, 2 - 0.35, delta=1e-9)
        wheel = Convex.cylinder([0, 0, 0], [0, 0, 1], 2)
        self.assertAlmostEqual(wheel.distance(Convex.sphere(0.5, [0, 0, 3])).lower, 1.5, delta=1e-5)
        cone = Convex.cone([0, 0, 0], [0, 0, 1], 1)
        self.assertAlmostEqual(cone.distance(Convex.sphere(0.5, [0, 0, 3])).lower, 1.5, delta=1e-5)
        egg = Convex.ellipsoid([3, 1, 1])
        self.assertAlmostEqual(egg.distance(Convex.sphere(1, [5, 0, 0])).upper, 1, delta=1e-5)
        turned = Convex.ellipsoid([3, 1, 1], axes=[[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
        self.assertAlmostEqual(turned.distance(Convex.sphere(1, [0, 5, 0])).upper, 1, delta=1e-5)
        turned = Convex.box([3, 1, 1], axes=[[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
        self.assertAlmostEqual(turned.distance(Convex.sphere(1, [0, 5, 0])).upper, 1, delta=1e-9)
        floor = Convex.half_space([0, 0, 2], 0)
        self.assertAlmostEqual(floor.distance(Convex.sphere(1, [0, 0, 3])).upper, 2, delta=1e-9)
        self.assertEqual(ball.radius, 0.5)

    def test_casts_of_boxes(self):
        crate = Convex.box([1, 1, 1])
        hit = crate.cast(crate, [1, 0, 0], [-3, 0, 0], ([0, 0, 0, 1], [4, 0.5, 0]))
        self.assertTrue(hit.found and hit.certain and hit.lower <= 0.5 <= hit.upper <= 0.5 + 1e-5)
        np.testing.assert_allclose(hit.normal, [1, 0, 0], atol=1e-9)
        self.assertFalse(crate.cast(crate, other_motion=[-3, 0, 0], pose=(np.eye(3), [4, 2.5, 0])).found)
        self.assertTrue(crate.cast(crate, other_motion=[-1e-3, 0, 0], pose=(np.eye(3), [4, 0, 0]), limit=np.inf).found)
        self.assertTrue(crate.cast(crate).at_start)

    def test_a_tolerance_ends_casts_and_distances_early(self):
        ball, egg, at = Convex.sphere(1), Convex.ellipsoid([1, 2, 3]), ([0, 0, 0, 1], [4, 0.5, 0.2])
        fine = ball.cast(egg, [3, 0, 0], pose=at, tolerance=1e-9)
        loose = ball.cast(egg, [3, 0, 0], pose=at, tolerance=0.1)
        self.assertTrue(fine.found and fine.upper - fine.lower < 1e-8)
        self.assertTrue(loose.lower <= fine.lower and fine.upper <= loose.upper and 1e-3 < loose.upper - loose.lower <= 0.1 + 1e-12)
        fine, loose = ball.distance(egg, at, tolerance=1e-9), ball.distance(egg, at, tolerance=0.1)
        self.assertTrue(loose.lower <= fine.lower and fine.upper <= loose.upper and loose.supports < fine.supports)

    def test_contacts_of_boxes(self):
        crate = Convex.box([1, 1, 1])
        m = crate.contacts(crate, ([0, 0, 0, 1], [0.5, 1.99, 0]))
        self.assertEqual(sorted(k.position.round(6).tolist() for k in m.contacts),
                         [[-0.5, 0.995, -1], [-0.5, 0.995, 1], [1, 0.995, -1], [1, 0.995, 1]])
        self.assertTrue(all(abs(k.separation + 0.01) < 1e-9 for k in m.contacts))
        self.assertEqual(len({k.identity for k in m.contacts}), 4)
        self.assertEqual(crate.contacts(crate, (np.eye(3), [0, 2.01, 0])).contacts, [])
        self.assertEqual(len(crate.contacts(crate, (np.eye(3), [0, 2.01, 0]), speculative=0.1).contacts), 4)

    def test_shapes_of_files(self):
        vertices, triangles = bumpy_ball(self.random)
        file = self.made(vertices, triangles, "--decompose", "5%")
        hull = Convex.hull(file)
        away = Convex.sphere(0.1, [3, 0.2, 0.1])
        corners = file.hull.vertices[file.hull.triangles]
        expected = np.sqrt(nearest_on_triangles(np.array([[3, 0.2, 0.1]]), corners).min()) - 0.1
        self.assertAlmostEqual(hull.distance(away).upper, expected, delta=1e-6)
        part = file.parts[-1]
        d = Convex.part(file, len(file.parts) - 1).distance(away)
        self.assertAlmostEqual(d.upper, np.sqrt(nearest_on_triangles(np.array([[3, 0.2, 0.1]]), part.vertices[part.triangles]).min()) - 0.1,
                               delta=1e-6)
        file.close()  # shapes keep what they refer to
        self.assertAlmostEqual(hull.distance(away).upper, expected, delta=1e-6)
        crate = self.made(*box())
        self.assertAlmostEqual(Convex.primitive(crate).distance(Convex.sphere(1, [0, 0, 4])).upper, 2, delta=1e-5)
        with self.assertRaisesRegex(ValueError, "has no parts"):
            Convex.part(crate, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
