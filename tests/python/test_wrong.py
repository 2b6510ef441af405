"""Wrong shapes, types and numbers are exceptions of Python, and nothing that is passed ends the process."""

import itertools
import math
import unittest

import numpy as np
from common import Case, box, bumpy_ball

import bvbuild
from bvbuild import Convex, Motion, time_of_impact

HUGE = 2.0**201


class Wrong(Case):

    def check(self, kind, pattern, call):
        with self.assertRaisesRegex(kind, pattern):
            call()

    def test_arrays(self):
        file = self.made(*box())
        down = [0, 0, -1]
        for wrong, kind, pattern in [
                ([1, 2], ValueError, r"origins must have the shape \(N, 3\) or \(3,\), not \(2,\)"),
                (np.zeros((4, 2)), ValueError, r"not \(4, 2\)"), (np.zeros((2, 2, 3)), ValueError, r"not \(2, 2, 3\)"),
                (5.0, ValueError, r"not \(\)"), ("abc", TypeError, "array of real numbers"), (None, TypeError, "array of real numbers"),
                ([None] * 3, TypeError, "array of real numbers, not of list"), (np.zeros(3, complex), TypeError, "not of complex128"),
                (np.zeros(3, bool), TypeError, "not of bool"), ([[0, 0, 0], [1]], (ValueError, TypeError), "origins"),
                ([0, math.nan, 0], ValueError, "origins must be finite"), ([0, math.inf, 0], ValueError, "origins must be finite"),
                ([0, HUGE, 0], ValueError, r"origins must be finite and at most 2\*\*200"), ([10**400, 0, 0], (ValueError, TypeError), "origins")]:
            self.check(kind, pattern, lambda: file.cast_rays(wrong, down))
        many = np.zeros((10, 3))
        many[7, 1] = np.nan
        self.check(ValueError, r"origins\[7\] must be finite", lambda: file.cast_rays(many, down))
        self.check(ValueError, r"points\[7\] must be finite", lambda: file.closest_point(many))
        self.check(ValueError, r"points\[7\] must be finite", lambda: file.contains(many.astype(np.float32)))
        self.check(ValueError, "directions must not have the length 0", lambda: file.cast_rays(down, [0, 0, 0]))
        self.check(ValueError, r"directions\[0\] must not have the length 0", lambda: file.cast_rays(np.zeros((2, 3)), np.zeros((2, 3))))
        self.check(ValueError, "origins and directions have different lengths: 2 and 3", lambda: file.cast_rays(np.ones((2, 3)), np.ones((3, 3))))
        self.check(ValueError, "different lengths", lambda: file.cast_rays(np.ones((2, 3)), np.ones((0, 3))))
        self.check(ValueError, "different lengths", lambda: file.cast_rays(np.ones((5, 3)), down, end=np.ones(4)))
        self.check(ValueError, "end must be above 0", lambda: file.cast_rays(down, down, end=0))
        self.check(ValueError, "start is out of range: -1", lambda: file.cast_rays([0, 0, 5], down, start=-1))
        self.check(ValueError, r"start\[1\] is out of range: inf", lambda: file.cast_rays([0, 0, 5], down, start=[0, math.inf]))
        self.check(ValueError, "limit must be above 0", lambda: file.closest_point(down, limit=[math.nan]))
        self.check(ValueError, r"shape \(N,\)", lambda: file.closest_point(down, limit=np.ones((2, 2))))
        self.check(TypeError, "first must be True or False", lambda: file.cast_rays(down, down, first=1))
        self.check(TypeError, "out must be a bvbuild.RayHits", lambda: file.cast_rays(down, down, out=np.zeros(3)))
        self.check(ValueError, "result of 4 rays, not of 1", lambda: file.cast_rays(np.ones((4, 3)), down, out=file.cast_rays(down, down)))

    def test_poses(self):
        file = self.made(*box())
        shear = np.eye(4)
        shear[0, 1] = 0.1
        last = np.eye(4)
        last[3, 0] = 1
        for wrong, kind, pattern in [
                (shear, ValueError, "rotation, uniform scale and translation"), (last, ValueError, "last row 0 0 0 1"),
                (np.zeros((4, 4)), ValueError, "uniform scale"), (np.diag([1, 1, 2, 1.0]), ValueError, "uniform scale"),
                (np.full((4, 4), np.nan), ValueError, "pose must be finite"), (np.eye(3), ValueError, r"not of the shape \(3, 3\)"),
                ("pose", TypeError, "real numbers"), (3, ValueError, "4x4"), ((np.eye(3),), ValueError, "4x4"),
                (([0, 0, 0, 2], [0, 0, 0]), ValueError, r"quaternion x, y, z, w of length 1, not \[0.0, 0.0, 0.0, 2.0\]"),
                (([0, 0, 0, math.nan], [0, 0, 0]), ValueError, "quaternion"), (([0, 0, 0, 1], [0, 0]), ValueError, r"pose\[1\]"),
                (([0, 0, 1], [0, 0, 0]), ValueError, "3x3 rotation or a quaternion"), (([0, 0, 0, 1], [0, 0, math.inf]), ValueError, "finite"),
                ((np.eye(4), [0, 0, 0]), ValueError, "3x3"), ((np.eye(3) * HUGE, [0, 0, 0]), ValueError, "uniform scale")]:
            for call in (lambda: file.collide(file, wrong), lambda: file.distance(file, wrong), lambda: file.closest_point([0, 0, 0], wrong),
                         lambda: Convex.sphere(1).distance(Convex.sphere(1), wrong), lambda: file.depth(file, wrong)):
                self.check(kind, pattern, call)
        self.check(ValueError, "start must be finite", lambda: Motion.slerp(np.full((4, 4), np.inf), None))
        self.check(ValueError, "same scale", lambda: Motion.slerp(np.eye(4), np.diag([2, 2, 2, 1])))
        self.check(ValueError, "axis", lambda: Motion.screw(None, [0, 0, 0], [0, 0, 0], 1))

    def test_objects_of_other_kinds(self):
        file, ball = self.made(*box()), Convex.sphere(1)
        self.check(TypeError, "other must be a bvbuild.File, not Convex", lambda: file.collide(ball))
        self.check(TypeError, "other must be a bvbuild.File, not str", lambda: file.distance("b"))
        self.check(TypeError, "shape must be a bvbuild.Convex, not File", lambda: file.overlap(file))
        self.check(TypeError, "other must be a bvbuild.Convex", lambda: ball.distance(file))
        self.check(TypeError, "motion_b must be a bvbuild.Motion", lambda: time_of_impact(ball, Motion.still(), ball, None))
        self.check(TypeError, "a must be a bvbuild.File or a bvbuild.Convex", lambda: time_of_impact(3, Motion.still(), file, Motion.still()))
        self.check(TypeError, "file must be a bvbuild.File", lambda: Convex.hull(ball))
        self.check(TypeError, "pose_at must be a function", lambda: Motion.function(3, 1, 1))
        self.check(TypeError, r"parts\[0\] must be", lambda: Motion.sequence([3], [1]))

    def test_half_spaces(self):
        file, ball, floor, still = self.made(*box()), Convex.sphere(1), Convex.half_space([0, 0, 1], 0), Motion.still()
        for name, call in [("shape", lambda: file.overlap(floor)), ("shape", lambda: file.collides(floor)), ("other", lambda: file.distance(floor)),
                           ("shape", lambda: file.cast(floor, [1, 0, 0])), ("body", lambda: file.contacts(floor)), ("other", lambda: ball.cast(floor)),
                           ("this shape", lambda: floor.cast(ball)), ("b", lambda: time_of_impact(file, still, floor, still)),
                           ("a", lambda: time_of_impact(floor, still, file, still)), ("b", lambda: time_of_impact(ball, still, floor, still))]:
            self.check(bvbuild.Unsupported, f"^[a-z_]+: {name} is a half-space, which only distance, overlaps,", call)

    def test_numbers(self):
        file, ball = self.made(*box()), Convex.sphere(1)
        self.check(ValueError, "radius must be from 0", lambda: Convex.sphere(-1))
        self.check(ValueError, "radius must be from 0", lambda: Convex.sphere(math.nan))
        self.check(TypeError, "radius must be a number, not str", lambda: Convex.sphere("1"))
        self.check(TypeError, "radius must be a number, not bool", lambda: Convex.sphere(True))
        self.check(ValueError, "half_extents must not be negative", lambda: Convex.box([1, -1, 1]))
        self.check(ValueError, "right-handed frame", lambda: Convex.box([1, 1, 1], axes=-np.eye(3)))
        self.check(ValueError, "both points are equal", lambda: Convex.cylinder([1, 1, 1], [1, 1, 1], 1))
        self.check(ValueError, "at least one row", lambda: Convex.points(np.empty((0, 3))))
        self.check(ValueError, "points must be finite", lambda: Convex.points([[0, 0, math.nan]]))
        self.check(ValueError, "normal must have a length", lambda: Convex.half_space([0, 0, 0], 1))
        self.check(ValueError, "limit must be from 1", lambda: file.collide(file, limit=0))
        self.check(TypeError, "limit must be an integer", lambda: file.collide(file, limit=1.5))
        self.check(ValueError, "limit must be from 1", lambda: file.collide(file, limit=10**30))
        self.check(ValueError, "tests must be from 1", lambda: file.distance(file, tests=-1))
        self.check(ValueError, "relative", lambda: file.distance(file, relative=-0.1))
        self.check(ValueError, "of two meshes", lambda: file.distance(ball, tests=5))
        self.check(ValueError, "of two meshes", lambda: file.distance(ball, relative=0.1))
        self.check(ValueError, "depth is for contacts of two meshes", lambda: file.contacts(ball, depth=0.1))
        self.check(ValueError, "tests is for meshes", lambda: time_of_impact(ball, Motion.still(), ball, Motion.still(), tests=5))
        self.check(ValueError, "factor must be from 1", lambda: file.depth(file, factor=0.5))
        self.check(ValueError, "tolerance", lambda: ball.distance(ball, tolerance=math.inf))
        self.check(ValueError, "time must be from 0 to 1", lambda: Motion.still().at(1.5))
        self.check(ValueError, "start must be less than end", lambda: time_of_impact(ball, Motion.still(), ball, Motion.still(), start=0.5, end=0.5))
        self.check(ValueError, "ends must", lambda: Motion.sequence([Motion.still(), Motion.still()], [0.7, 0.5]))
        self.check(ValueError, "ends must have one number per part", lambda: Motion.sequence([], []))
        self.check(ValueError, "index must be from 0 to", lambda: Convex.part(self.made(*bumpy_ball(self.random), "--decompose", "9%"), 4000))

    def test_any_argument_raises_or_returns(self):
        """All pairs of odd values in all queries: an answer, or an exception of Python."""
        file = self.made(*bumpy_ball(self.random, rings=4), "--decompose", "20%")
        odd = [None, True, 0, -1, 1e308, HUGE, math.nan, math.inf, 10**400, "x", b"x", [], [[]], {}, object(), file, Convex.sphere(1), Motion.still(),
               np.zeros(3), np.full((2, 3), np.nan), np.full((3, 3), 1e308), np.zeros((0, 3)), np.zeros((3, 0)), np.eye(4), np.eye(4) * 1e-300,
               (np.eye(3), [1, 2, 3]), ([0, 0, 0, 1], [0, 0, 1e60]), np.zeros(3, "U5"), np.array([1, "a", None], object), 5e-324, np.float16(1),
               np.ma.masked_array([1.0, 2, 3], [0, 1, 0]), np.zeros((2, 3), np.longdouble), np.lib.stride_tricks.as_strided(np.zeros(3), (4, 3), (0, 8)),
               range(3), iter([1, 2, 3]), slice(3), np.datetime64("2020-01-01"), np.zeros(3, [("x", float)])]
        ball, still = Convex.sphere(1), Motion.still()
        queries = [file.collide, file.collides, file.distance, file.depth, file.closest_point, file.contains, file.contacts, file.cast_rays, file.overlap, file.cast,
                   ball.distance, ball.overlaps, ball.penetration, ball.cast, ball.contacts, ball.rounded, Convex.box, Convex.points, Convex.capsule,
                   Convex.cylinder, Convex.cone, Convex.ellipsoid, Convex.half_space, Convex.part, Convex.hull, Convex.primitive, Motion.slerp,
                   Motion.screw, Motion.sequence, Motion.screw_between, still.at, still.reach, still.speed, bvbuild.open,
                   lambda a, b: time_of_impact(a, still, b, still), lambda a, b: time_of_impact(file, a, ball, b),
                   lambda a, b: file.cast_rays(np.zeros((2, 3)), [0, 0, 1], start=a, end=b), lambda a, b: file.closest_point(np.zeros((2, 3)), a, limit=b),
                   lambda a, b: file.distance(file, a, tests=b), lambda a, b: file.distance(file, relative=a, absolute=b),
                   lambda a, b: file.distance(ball, a, limit=b), lambda a, b: file.cast(ball, a, limit=b), lambda a, b: file.cast_rays(a, b, fronts=b),
                   lambda a, b: ball.cast(ball, a, b), lambda a, b: ball.contacts(ball, a, speculative=b), lambda a, b: Convex.box([1, 1, 1], a, b)]
        counts = {"answers": 0, "errors": 0}
        for query in queries:
            for arguments in itertools.chain(((a,) for a in odd), itertools.product(odd, odd)):
                try:
                    with np.errstate(all="ignore"):
                        query(*arguments)
                    counts["answers"] += 1
                except (ValueError, TypeError, OverflowError, bvbuild.Error, FileNotFoundError):
                    counts["errors"] += 1
        self.assertGreater(counts["answers"], 300)
        self.assertGreater(counts["errors"], 10000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
