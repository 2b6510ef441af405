"""Convex shapes, and queries on pairs of them."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np

from . import _native as c
from . import _results as r
from ._arrays import Pose, Vectors, array_of, arrays_of, count, number, placement, reference, vector, vectors
from ._errors import Unsupported
from ._library import bv, check

_SCRATCH = c.BV_CONVEX_SCRATCH_AMPLE


class Convex:
    """A convex shape, rounded by `radius`. Make one with the methods below; lengths are not negative.

    Pairs of shapes take a pose: from coordinates of the other shape to those of this one (bvbuild.Pose; None is the identity). Results are in
    coordinates of this one. Every number is an interval that contains the true value.
    """

    def __init__(self, struct: c.bv_convex, description: str, keep: Any = None) -> None:
        self._struct = struct
        self._keep = keep  # what the struct refers to
        self._description = description

    def __repr__(self) -> str:
        return f"<bvbuild.Convex: {self._description}>"

    @property
    def radius(self) -> float:
        """All points within this distance of the shape belong to it; mesh units."""
        return float(self._struct.radius)

    def rounded(self, radius: float) -> Convex:
        """The same shape, with another radius in place of its own."""
        struct = c.bv_convex.from_buffer_copy(self._struct)
        struct.radius = _length(radius, "radius")
        return Convex(struct, f"{self._description}, radius {struct.radius:g}", self._keep)

    @staticmethod
    def sphere(radius: float, center: Vectors = (0, 0, 0)) -> Convex:
        """A ball."""
        return Convex(bv.bv_convex_sphere(vector(center, "center"), _length(radius, "radius")), f"sphere, radius {radius:g}")

    @staticmethod
    def box(half_extents: Vectors, center: Vectors = (0, 0, 0), axes: Optional[Vectors] = None) -> Convex:
        """A box.

        half_extents: (3,)
        axes: (3, 3), unit vectors of a right-handed frame in rows; None for those of the coordinates
        """
        half = _lengths(half_extents, "half_extents")
        if axes is None:
            return Convex(bv.bv_convex_box(vector(center, "center"), half), "box")
        return Convex(bv.bv_convex_obb(ctypes.byref(_obb(half, center, axes))), "oriented box")

    @staticmethod
    def ellipsoid(semi_axes: Vectors, center: Vectors = (0, 0, 0), axes: Optional[Vectors] = None) -> Convex:
        """An ellipsoid; axes as for box."""
        box = _obb(_lengths(semi_axes, "semi_axes"), center, np.eye(3) if axes is None else axes)
        return Convex(bv.bv_convex_ellipsoid(ctypes.byref(box)), "ellipsoid")

    @staticmethod
    def capsule(start: Vectors, end: Vectors, radius: float) -> Convex:
        """All points within a radius of a segment."""
        return Convex(bv.bv_convex_capsule(vector(start, "start"), vector(end, "end"), _length(radius, "radius")), f"capsule, radius {radius:g}")

    @staticmethod
    def cylinder(start: Vectors, end: Vectors, radius: float) -> Convex:
        """A cylinder with flat ends around two points, which are not equal."""
        return Convex(_apart(bv.bv_convex_cylinder, start, end, radius), f"cylinder, radius {radius:g}")

    @staticmethod
    def cone(base: Vectors, apex: Vectors, radius: float) -> Convex:
        """A cone from a disc around `base` to `apex`, which are not equal."""
        return Convex(_apart(bv.bv_convex_cone, base, apex, radius), f"cone, radius {radius:g}")

    @staticmethod
    def points(points: Vectors, radius: float = 0) -> Convex:
        """The convex hull of points.

        points: (N, 3) with N > 0, copied
        """
        array = np.atleast_2d(np.array(vectors(points, "points"), dtype=np.float64, order="C"))
        if not 0 < len(array) < 2**32:
            raise ValueError(f"points must have at least one row, not {len(array)}")
        if not (np.abs(array) <= c.BV_MAX_LENGTH).all():
            raise ValueError("points must be finite and at most 2**200")
        pointer = ctypes.cast(array.ctypes.data, ctypes.POINTER(c.bv_vec3))
        return Convex(bv.bv_convex_points(pointer, len(array), _length(radius, "radius")), f"hull of {len(array)} points", array)

    @staticmethod
    def half_space(normal: Vectors, offset: float) -> Convex:
        """All points x with normal @ x <= offset. Only for pairs of convex shapes, not for casts, meshes and motions.

        normal: (3,), of any length from 2**-100 to 2**100
        """
        n = vector(normal, "normal")
        if not 2.0**-100 <= max(abs(n.x), abs(n.y), abs(n.z)) <= 2.0**100:
            raise ValueError(f"normal must have a length from 2**-100 to 2**100, not {[n.x, n.y, n.z]}")
        return Convex(bv.bv_convex_half_space(n, number(offset, "offset", -c.BV_MAX_LENGTH, c.BV_MAX_LENGTH)), "half-space")

    @staticmethod
    def hull(file: Any) -> Convex:
        """The convex hull of a file's mesh."""
        memory = _memory_of(file)
        if bv.bv_file_get_hull(memory.file).vertices == 0:
            raise ValueError(f"{memory.name}: the file has no hull")
        return Convex(bv.bv_convex_hull(memory.file), f"hull of {memory.name}", memory)

    @staticmethod
    def part(file: Any, index: int) -> Convex:
        """A convex part of a file."""
        memory = _memory_of(file)
        parts = bv.bv_file_get_decomposition(memory.file).parts
        if parts == 0:
            raise ValueError(f"{memory.name}: the file has no parts")
        return Convex(bv.bv_convex_part(memory.file, count(index, "index", 0, parts - 1)), f"part {index} of {memory.name}", memory)

    @staticmethod
    def primitive(file: Any) -> Convex:
        """The box, sphere, capsule or cylinder that a file's mesh was recognized as."""
        memory = _memory_of(file)
        recognized = c.bv_recognized()
        has = bv.bv_file_get_recognized(memory.file, ctypes.byref(recognized))
        if not has or recognized.best >= c.bv_primitive_kind.bv_primitive_kinds:
            raise ValueError(f"{memory.name}: the mesh is no primitive within the tolerance, or the file has no primitives")
        return Convex(bv.bv_convex_primitive(memory.file), f"primitive of {memory.name}", memory)

    def overlaps(self, other: Convex, pose: Pose = None) -> bool:
        """Whether two shapes have a point in common; touching counts. Exact for polytopes; in doubt True."""
        result = c.bv_convex_overlap_result()
        check(bv.bv_convex_overlap(*_pair(self, other, pose), None, ctypes.byref(result)), "overlaps")
        return bool(result.overlaps)

    def distance(self, other: Convex, pose: Pose = None, *, tolerance: float = 1e-6) -> r.ConvexDistance:
        """The signed distance: negative if the shapes overlap.

        tolerance: relative width of the interval that ends the search
        """
        options, _scratch = _options(tolerance)
        result = c.bv_convex_result()
        check(bv.bv_convex_distance(*_pair(self, other, pose), ctypes.byref(options), ctypes.byref(result)), "distance")
        return r.ConvexDistance(result.lower, result.upper, arrays_of(result.point), array_of(result.normal), result.supports)

    def penetration(self, other: Convex, pose: Pose = None, *, tolerance: float = 1e-6) -> r.Penetration:
        """How deep two shapes overlap, and how to move the other one so that they do not."""
        d = self.distance(other, pose, tolerance=tolerance)
        if d.lower >= 0:
            return r.Penetration(0.0, 0.0, np.zeros(3))
        return r.Penetration(max(0.0, -d.upper), -d.lower, -d.lower * d.normal)

    def cast(self, other: Convex, motion: Vectors = (0, 0, 0), other_motion: Vectors = (0, 0, 0), pose: Pose = None, *,
             limit: float = 1, tolerance: float = 1e-6) -> r.ConvexCast:
        """The first contact of two shapes that move along lines.

        motion, other_motion: (3,), displacement of each per unit of time, in coordinates of this one
        limit: end of the time range, above 0; inf for no end
        tolerance: width of the interval of time that ends the search, relative to the range
        """
        options = c.bv_convex_cast_options(limit=_above_zero(limit, "limit"), tolerance=number(tolerance, "tolerance", 0, 1))
        result = c.bv_convex_cast_result()
        bounded(self, "this shape", "cast"), bounded(other, "other", "cast")
        check(bv.bv_convex_cast(*_pair(self, other, pose), vector(motion, "motion"), vector(other_motion, "other_motion"),
                                ctypes.byref(options), ctypes.byref(result)), "cast")
        return r.ConvexCast(result.found, result.certain, result.at_start, result.lower, result.upper, arrays_of(result.point),
                            array_of(result.normal))

    def contacts(self, other: Convex, pose: Pose = None, *, speculative: float = 0, tolerance: float = 1e-6) -> r.Manifold:
        """Up to four contact points.

        speculative: contacts are reported up to this separation
        """
        options = c.bv_manifold_options(speculative=_length(speculative, "speculative"))
        options.distance, _scratch = _options(tolerance)
        result = c.bv_manifold()
        check(bv.bv_convex_manifold(*_pair(self, other, pose), ctypes.byref(options), ctypes.byref(result)), "contacts")
        contacts = [r.Contact(array_of(k.position), arrays_of(k.point), k.separation, k.identity) for k in result.contact[:result.count]]
        return r.Manifold(result.lower, result.upper, array_of(result.normal), contacts)


def convex_distance(a: Convex, b: Convex, pose: Pose = None, *, tolerance: float = 1e-6) -> r.ConvexDistance:
    """The signed distance of two convex shapes; pose is from coordinates of b to those of a. As a.distance( b, pose )."""
    return shape_of(a, "a").distance(b, pose, tolerance=tolerance)


def shape_of(shape: Any, name: str) -> Convex:
    if not isinstance(shape, Convex):
        raise TypeError(f"{name} must be a bvbuild.Convex, not {type(shape).__name__}")
    return shape


def bounded(shape: Any, name: str, what: str) -> Any:
    """A pointer to a shape that is not a half-space, for what takes no half-spaces."""
    struct = shape_of(shape, name)._struct
    if struct.kind == c.bv_convex_kind.bv_convex_of_half_space:
        raise Unsupported(f"{what}: {name} is a half-space, which only distance, overlaps, penetration and contacts of two convex shapes take")
    return ctypes.byref(struct)


def _pair(a: Convex, b: Any, pose: Any) -> tuple[Any, Any, Any]:
    return ctypes.byref(a._struct), ctypes.byref(shape_of(b, "other")._struct), reference(placement(pose))


def _options(tolerance: Any) -> tuple[c.bv_convex_options, Any]:
    """Options, and the memory that they refer to."""
    scratch = (ctypes.c_uint64 * (_SCRATCH // 8))()
    return c.bv_convex_options(tolerance=number(tolerance, "tolerance", 0, 1), scratch=ctypes.addressof(scratch), scratch_bytes=_SCRATCH), scratch


def _memory_of(file: Any) -> Any:
    from ._file import File
    if not isinstance(file, File):
        raise TypeError(f"file must be a bvbuild.File, not {type(file).__name__}")
    return file._open()


def _length(value: Any, name: str) -> float:
    return number(value, name, 0, c.BV_MAX_LENGTH)


def _lengths(value: Any, name: str) -> c.bv_vec3:
    v = vector(value, name)
    if min(v.x, v.y, v.z) < 0:
        raise ValueError(f"{name} must not be negative: {[v.x, v.y, v.z]}")
    return v


def _above_zero(value: Any, name: str) -> float:
    out = number(value, name, 0)
    if out == 0:
        raise ValueError(f"{name} must be above 0")
    return out


def _apart(make: Any, start: Any, end: Any, radius: Any) -> c.bv_convex:
    a, b = vector(start, "the first point"), vector(end, "the second point")
    if (a.x, a.y, a.z) == (b.x, b.y, b.z):
        raise ValueError("both points are equal")
    return make(a, b, _length(radius, "radius"))


def _obb(half: c.bv_vec3, center: Any, axes: Any) -> c.bv_obb:
    frame = vectors(axes, "axes")
    if frame.shape != (3, 3):
        raise ValueError(f"axes must have the shape (3, 3), not {frame.shape}")
    if not np.abs(frame @ frame.T - np.eye(3)).max() <= 1e-4 or not np.linalg.det(frame) > 0:
        raise ValueError("axes must be unit vectors of a right-handed frame, in rows")
    box = c.bv_obb(center=vector(center, "center"))
    for i in range(3):
        box.axis[i] = vector(frame[i], "axes")
    box.half_extents[:] = [half.x, half.y, half.z]
    return box


