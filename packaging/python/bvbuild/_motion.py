"""Motions, and when two moving objects first touch. Time runs from 0 to 1."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import numpy as np

from . import _native as c
from . import _results as r
from ._arrays import Pose, Vectors, array_of, arrays_of, count, matrix_of, number, numbers, placement, vector
from ._callbacks import Calls
from ._convex import Convex, bounded
from ._library import bv, check
from ._queries import Queries, memory_of


class Motion:
    """How an object moves from time 0 to time 1. Make one with the methods below. Poses take coordinates of the object to the world."""

    def __init__(self, struct: c.bv_motion, description: str, keep: Any = None) -> None:
        self._struct = struct
        self._keep = keep  # what the struct refers to
        self._description = description

    def __repr__(self) -> str:
        return f"<bvbuild.Motion: {self._description}>"

    @staticmethod
    def still(pose: Pose = None) -> Motion:
        """An object that stays where it is."""
        return _made(bv.bv_motion_still, "still", _pose(pose, "pose"))

    @staticmethod
    def slerp(start: Pose, end: Pose, pivot: Vectors = (0, 0, 0)) -> Motion:
        """Turns at constant speed, the shorter way around, about a pivot that moves along a line.

        pivot: (3,), in coordinates of the object, such as its center of mass
        """
        return _made(bv.bv_motion_slerp, "slerp", _pose(start, "start"), _pose(end, "end"), vector(pivot, "pivot"))

    @staticmethod
    def nlerp(start: Pose, end: Pose, pivot: Vectors = (0, 0, 0)) -> Motion:
        """As slerp, with quaternions that are interpolated linearly and normalized: faster in the middle."""
        return _made(bv.bv_motion_nlerp, "nlerp", _pose(start, "start"), _pose(end, "end"), vector(pivot, "pivot"))

    @staticmethod
    def screw(start: Pose, point: Vectors, axis: Vectors, angle: float, shift: float = 0) -> Motion:
        """Turns about an axis in the world, and shifts along it, both at constant speed.

        point, axis: (3,), any point of the axis and its direction, of any length except 0
        angle: radians, any number of turns; counterclockwise as seen from where the axis points
        shift: along the axis, units of the world
        """
        return _made(bv.bv_motion_screw, "screw", _pose(start, "start"), vector(point, "point"), vector(axis, "axis"),
                     number(angle, "angle", -c.BV_MAX_ANGLE, c.BV_MAX_ANGLE), number(shift, "shift", -c.BV_MAX_LENGTH, c.BV_MAX_LENGTH))

    @staticmethod
    def screw_between(start: Pose, end: Pose) -> Motion:
        """The screw between two poses, which is the same for all points of an object."""
        return _made(bv.bv_motion_screw_between, "screw", _pose(start, "start"), _pose(end, "end"))

    @staticmethod
    def sequence(parts: Sequence[Motion], ends: Sequence[float]) -> Motion:
        """One motion after another.

        ends: when each of them ends; above 0, ascending, the last one 1
        """
        for i, part in enumerate(parts):
            if not isinstance(part, Motion):
                raise TypeError(f"parts[{i}] must be a bvbuild.Motion, not {type(part).__name__}")
        times = np.ascontiguousarray(numbers(ends, "ends"), dtype=np.float64)
        if len(parts) == 0 or times.shape != (len(parts),):
            raise ValueError(f"ends must have one number per part: {len(parts)} parts, ends of the shape {times.shape}")
        structs = (c.bv_motion * len(parts))(*(part._struct for part in parts))
        pointer = times.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        struct = bv.bv_motion_sequence(structs, pointer, len(parts))
        if not bv.bv_motion_is_valid(ctypes.byref(struct)):
            raise ValueError("ends must be above 0 and ascend, the last one must be 1, and parts must be no sequences and have one scale")
        return Motion(struct, f"sequence of {len(parts)}", (structs, times, list(parts)))

    @staticmethod
    def function(pose_at: Callable[[float], Any], speed: float, spin: float, pivot: Vectors = (0, 0, 0)) -> Motion:
        """What a function returns: it takes a time and returns a pose without scale.

        speed: upper bound of the speed of the pivot in the world, at all times
        spin: upper bound of the angular speed, radians per unit of time. If the function exceeds one of them, results are not certain
        pivot: (3,), in coordinates of the object
        """
        if not callable(pose_at):
            raise TypeError(f"pose_at must be a function, not {type(pose_at).__name__}")
        struct = bv.bv_motion_callback(_unbound, None, vector(pivot, "pivot"), number(speed, "speed", 0, c.BV_MAX_LENGTH),
                                       number(spin, "spin", 0, c.BV_MAX_ANGLE))
        return Motion(struct, "function", _Function(pose_at))

    def at(self, time: float) -> r.Floats:
        """The pose at a time from 0 to 1, as a 4x4 matrix."""
        out = c.bv_transform()
        _call(bv.bv_motion_at, "at", self, number(time, "time", 0, 1), ctypes.byref(out))
        return matrix_of(out)

    def reach(self, start: float, end: float, radius: float, center: Vectors = (0, 0, 0), *, reference: Optional[float] = None) -> float:
        """How far points of a ball are at most, at any time from `start` to `end`, from where they are at the time `reference` (default: start).

        radius, center: the ball, in coordinates of the object
        """
        at = start if reference is None else reference
        ball = c.bv_sphere(vector(center, "center"), number(radius, "radius", 0, c.BV_MAX_LENGTH))
        out = ctypes.c_double()
        _call(bv.bv_motion_reach, "reach", self, number(start, "start", 0, 1), number(end, "end", 0, 1),
              number(at, "reference", 0, 1), ctypes.byref(ball), ctypes.byref(out))
        return out.value

    def speed(self, start: float, end: float, radius: float, center: Vectors = (0, 0, 0)) -> float:
        """An upper bound of the speed of points of a ball between two times."""
        ball = c.bv_sphere(vector(center, "center"), number(radius, "radius", 0, c.BV_MAX_LENGTH))
        out = ctypes.c_double()
        _call(bv.bv_motion_speed, "speed", self, number(start, "start", 0, 1), number(end, "end", 0, 1),
              ctypes.byref(ball), ctypes.byref(out))
        return out.value


def time_of_impact(a: Union[Queries, Convex], motion_a: Motion, b: Union[Queries, Convex], motion_b: Motion, *, start: float = 0, end: float = 1,
                   tolerance: float = 1e-6, separation: float = 0, tests: Optional[int] = None) -> r.Impact:
    """When two moving objects first touch: files, whose surfaces count, or convex shapes.

    motion_a, motion_b: from coordinates of each object to those of the world
    start, end: the time range, within 0 to 1
    tolerance: width of the interval of time that ends the search
    separation: objects no farther apart than this touch; units of the world
    tests: with a mesh, gives up soon after so many tests; then they are free until `lower`
    """
    for name, motion in (("motion_a", motion_a), ("motion_b", motion_b)):
        if not isinstance(motion, Motion):
            raise TypeError(f"{name} must be a bvbuild.Motion, not {type(motion).__name__}")
    for name, thing in (("a", a), ("b", b)):
        if isinstance(thing, Convex):
            bounded(thing, name, "time_of_impact")
    if not isinstance(a, Convex) and isinstance(b, Convex):
        return _exchanged(time_of_impact(b, motion_b, a, motion_a, start=start, end=end, tolerance=tolerance, separation=separation, tests=tests))
    if isinstance(a, Convex) and isinstance(b, Convex) and tests is not None:
        raise ValueError("tests is for meshes")
    scratch = np.empty(c.BV_SWEEP_SCRATCH_AMPLE // 8, np.uint64)
    options = c.bv_sweep_options(limit=number(end, "end", 0, 1), tolerance=number(tolerance, "tolerance", 0, 1),
                                 separation=number(separation, "separation", 0, c.BV_MAX_LENGTH),
                                 most_tests=0 if tests is None else count(tests, "tests", 1), scratch=scratch.ctypes.data,
                                 scratch_bytes=scratch.nbytes)
    setattr(options, "from", number(start, "start", 0, 1))
    if not start < end:
        raise ValueError(f"start must be less than end: {start} and {end}")
    first, sweep = _subject(a, "a"), _sweep_of(a, b)
    second = _subject(b, "b")
    result = c.bv_sweep_result()
    _call(sweep, "time_of_impact", first[0], motion_a, second[0], motion_b, ctypes.byref(options), ctypes.byref(result))
    return r.Impact(result.found, result.certain, result.complete, result.at_start, result.lower, result.upper,
                    (result.triangle[0], result.triangle[1]), arrays_of(result.point), array_of(result.normal),
                    result.volume_tests + result.triangle_tests, result.steps)


class _Function:
    """A function of Python. Each query has a callback of its own for it, so that any number of threads may use one motion."""

    def __init__(self, pose_at: Callable[[float], Any]) -> None:
        self._pose_at = pose_at

    def bound(self, calls: Calls) -> Any:
        def call(_context: Any, time: float, out: Any) -> None:
            transform = placement(self._pose_at(time), "the pose that the function returned")
            out[0] = bv.bv_pose_identity() if transform is None else transform.pose

        return calls.callback(c.bv_pose_callback, call)


# In place of a function outside of queries, which never call it.
_unbound = c.bv_pose_callback(lambda _context, _time, _out: None)


def _call(function: Any, what: str, *arguments: Any) -> None:
    """Calls a function of the library, to which motions are passed as pointers."""
    calls = Calls()
    check(calls.run(function, *(ctypes.byref(_bound(a, calls)) if isinstance(a, Motion) else a for a in arguments)), what)


def _bound(motion: Motion, calls: Calls) -> c.bv_motion:
    """A motion whose functions are callbacks of one call."""
    if motion._keep is None:
        return motion._struct
    out = c.bv_motion.from_buffer_copy(motion._struct)
    if isinstance(motion._keep, _Function):
        out.callback = motion._keep.bound(calls)
        return out
    parts = motion._keep[2]
    structs = (c.bv_motion * len(parts))(*(_bound(part, calls) for part in parts))
    calls.keep(structs)
    out.parts = structs
    return out


def _pose(value: Any, name: str) -> Any:
    transform = placement(value, name)
    return ctypes.byref(bv.bv_transform_identity() if transform is None else transform)


def _made(make: Any, description: str, *arguments: Any) -> Motion:
    struct = c.bv_motion()
    if make(*arguments, ctypes.byref(struct)):
        raise ValueError(f"{description}: both poses must have the same scale and reflection, and an axis must not have the length 0")
    return Motion(struct, description)


def _subject(thing: Any, name: str) -> tuple[Any, Any]:
    """What the library takes, and what must live as long."""
    if isinstance(thing, Convex):
        return ctypes.byref(thing._struct), thing
    if not isinstance(thing, Queries):
        raise TypeError(f"{name} must be a bvbuild.File or a bvbuild.Convex, not {type(thing).__name__}")
    memory = memory_of(thing, name).need_hierarchy()
    return memory.file, memory


def _sweep_of(a: Any, b: Any) -> Any:
    if isinstance(a, Convex):
        return bv.bv_sweep_convexes if isinstance(b, Convex) else bv.bv_sweep_convex_mesh
    return bv.bv_sweep_meshes


def _exchanged(i: r.Impact) -> r.Impact:
    return i._replace(triangles=(i.triangles[1], i.triangles[0]), points=i.points[::-1].copy(), normal=0.0 - i.normal)


