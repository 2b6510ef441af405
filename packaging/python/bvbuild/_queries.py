"""Queries on the mesh of a file. All are those of libbv: its headers have what they guarantee."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _native as c
from . import _results as r
from ._arrays import (Pose, Vectors, address, array_of, arrays_of, common_length, count, described, dtype_of, matrix_of, number, numbers,
                      placement, reference, structs, truth, vector, vectors)
from ._convex import Convex, bounded
from ._library import bv, check
from ._memory import Memory

_add_pair = ctypes.cast(bv.bv_pair_list_add, c.bv_pair_callback)
_add_triangle = ctypes.cast(bv.bv_triangle_list_add, c.bv_triangle_callback)


class Queries:
    """Queries on the mesh of a file.

    A pose takes coordinates of the other object to those of this mesh, if there is another object, and results are in coordinates of this
    mesh. Queries of points, rays and shapes may have a pose of the mesh: from coordinates of the file to those of the points, rays or
    shapes, in which results then are. See bvbuild.Pose; None is the identity.

    Queries compare surfaces, not solids: a mesh inside of another one does not meet it. Intersection tests are conservative.
    """

    def _open(self) -> Memory:
        raise NotImplementedError

    def collide(self, other: Queries, pose: Pose = None, *, limit: Optional[int] = None) -> r.Indices:
        """The pairs of triangles of two meshes that intersect or touch.

        pose: from coordinates of `other` to those of this mesh
        limit: the most pairs to find; None for all
        Returns (K, 2) uint32: triangles of this mesh and of the other one.
        """
        a, b, at = self._open().need_hierarchy(), memory_of(other, "other").need_hierarchy(), placement(pose)
        most = 0 if limit is None else count(limit, "limit", 1)
        room = min(most, 1024) if most else 1024
        while True:
            pairs = np.empty((room, 2), np.uint32)
            found = c.bv_pair_list(most, pairs.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32 * 2)), room, 0)
            options = c.bv_collide_options(callback=_add_pair, context=ctypes.addressof(found))
            result = c.bv_collide_result()
            check(bv.bv_mesh_collide(a.file, b.file, reference(at), ctypes.byref(options), ctypes.byref(result)), "collide")
            if found.count <= room:
                return pairs[:found.count].copy()
            room = found.count

    def collides(self, other: Union[Queries, Convex], pose: Pose = None) -> bool:
        """Whether two meshes, or a mesh and a convex shape, intersect or touch.

        pose: from coordinates of `other` to those of this mesh
        """
        if isinstance(other, Convex):
            return len(self.overlap(other, _inverse(pose), limit=1)) > 0
        return len(self.collide(other, pose, limit=1)) > 0

    def distance(self, other: Union[Queries, Convex], pose: Pose = None, *, limit: Optional[float] = None, relative: float = 0,
                 absolute: float = 0, tests: Optional[int] = None) -> r.Distance:
        """The distance of the surfaces of two meshes, or of a mesh and a convex shape, as an interval that contains the true one.

        pose: from coordinates of `other` to those of this mesh
        limit: distances that are not smaller are not of interest: then `lower` is at least about the limit
        relative, absolute: of two meshes, allowed width of the interval, as a fraction of the distance and in mesh units
        tests: of two meshes, ends the search after so many tests of volumes and triangles; the interval is then wider, but holds
        """
        most = 0.0 if limit is None else _positive(limit, "limit")
        if isinstance(other, Convex):
            if relative or absolute or tests is not None:
                raise ValueError("relative, absolute and tests are for the distance of two meshes")
            return self._distance_to_shape(other, pose, most)
        a, b, at = self._open().need_hierarchy(), memory_of(other, "other").need_hierarchy(), placement(pose)
        options = c.bv_search_options(limit=most, relative=number(relative, "relative", 0), absolute=number(absolute, "absolute", 0))
        memory = np.empty(c.BV_SEARCH_AMPLE // 8, np.uint64)
        search = ctypes.POINTER(c.bv_search)()
        budget = c.bv_budget(tests=0 if tests is None else count(tests, "tests", 1))
        answer = c.bv_search_answer()
        check(bv.bv_search_begin(a.file, b.file, reference(at), ctypes.byref(options), memory.ctypes.data, memory.nbytes,
                                 ctypes.byref(search)), "distance")
        check(bv.bv_search_run(search, ctypes.byref(budget), ctypes.byref(answer)), "distance")
        return r.Distance(answer.lower, answer.upper, arrays_of(answer.point) if answer.found else None,
                          (answer.triangle[0], answer.triangle[1]) if answer.found else None, answer.done,
                          answer.volume_tests + answer.triangle_tests)

    def _distance_to_shape(self, shape: Convex, pose: Pose, limit: float) -> r.Distance:
        """In coordinates of the shape, which points are taken back from."""
        a, at = self._open().need_hierarchy(), placement(pose)
        back = None if at is None else bv.bv_transform_inverse(ctypes.byref(at))
        scale = 1.0 if at is None else at.scale
        options = c.bv_mesh_convex_options(limit=limit / scale)
        result = c.bv_mesh_convex_result()
        check(bv.bv_mesh_distance_convex(a.file, reference(back), bounded(shape, "other", "distance"), ctypes.byref(options), ctypes.byref(result)),
              "distance")
        points = None
        if result.found:
            point = result.point if at is None else bv.bv_transform_point(ctypes.byref(at), result.point)
            points = np.stack([array_of(result.at.local), array_of(point)])
        lower, upper = result.lower * scale, result.upper * scale
        if scale != 1:  # the products are rounded
            lower, upper = max(0.0, math.nextafter(lower, 0)), math.nextafter(upper, math.inf)
        return r.Distance(lower, upper, points, (result.at.triangle, 0) if result.found else None, True,
                          result.volume_tests + result.triangle_tests)

    def closest_point(self, points: Vectors, pose: Pose = None, *, limit: Any = None) -> r.ClosestPoints:
        """The points of the mesh that are closest to given points.

        points: (N, 3) or (3,), float32 or float64 of any strides without a copy
        pose: of the mesh, from coordinates of the file to those of the points
        limit: only distances smaller than this, a number or (N,); None or inf for no limit
        """
        memory, at = self._open().need_hierarchy(), placement(pose)
        batch, keep, n, single = _points(points, limit)
        records = structs(n, c.bv_closest_result)
        invalid = ctypes.c_size_t()
        status = bv.bv_mesh_closest_points(memory.file, reference(at), ctypes.byref(batch), None, address(records, c.bv_closest_result),
                                           ctypes.byref(invalid))
        _check_rows(status, invalid.value, keep, "closest_point")
        return r.ClosestPoints(records, single)

    def contains(self, points: Vectors, pose: Pose = None, *, limit: Any = None) -> r.Sides:
        """On which side of a closed mesh points are. Parameters are those of closest_point; beyond the limit the side is unknown."""
        memory, at = self._open().need_hierarchy(), placement(pose)
        batch, keep, n, single = _points(points, limit)
        records = structs(n, c.bv_contains_result)
        invalid = ctypes.c_size_t()
        status = bv.bv_mesh_contains_points(memory.file, reference(at), ctypes.byref(batch), None, address(records, c.bv_contains_result),
                                            ctypes.byref(invalid))
        _check_rows(status, invalid.value, keep, "contains")
        return r.Sides(records, single)

    def cast_rays(self, origins: Vectors, directions: Vectors, pose: Pose = None, *, start: Any = None, end: Any = None,
                  first: bool = True, fronts: bool = True, backs: bool = True, out: Optional[r.RayHits] = None) -> r.RayHits:
        """The first hits of rays, all in one call.

        origins, directions: (N, 3) or (3,), float32 or float64 of any strides without a copy. One row goes with any number of others.
            Directions have any length except 0
        pose: of the mesh, from coordinates of the file to those of the rays
        start, end: hits are at origin + time * direction with start <= time <= end; numbers or (N,). None for 0 and no end
        first: False ends each ray at any hit, which is faster: is something in the way?
        fronts, backs: False ignores the triangles' fronts or backs
        out: a result of a former call with as many rays, whose memory is used again
        """
        memory, at = self._open().need_hierarchy(), placement(pose)
        arrays = [("origins", vectors(origins, "origins"), 1), ("directions", vectors(directions, "directions"), 1)]
        arrays += [(name, _row_of_numbers(value, name), 0) for name, value in (("start", start), ("end", end)) if value is not None]
        n, many = common_length(arrays)
        rays = c.bv_rays(count=n)
        for (name, array, rank), member in zip(arrays, ["origin", "direction", *[_MEMBERS[name] for name, _, _ in arrays[2:]]]):
            setattr(rays, member, described(array, rank, n))
        if arrays[-1][0] == "end" and not (arrays[-1][1] > 0).all():
            raise ValueError("end must be above 0")
        options = c.bv_ray_options(any=not truth(first, "first"), no_fronts=not truth(fronts, "fronts"), no_backs=not truth(backs, "backs"))
        records = structs(n, c.bv_ray_result) if out is None else _reused(out, n)
        invalid = ctypes.c_size_t()
        status = bv.bv_mesh_cast_rays(memory.file, reference(at), ctypes.byref(rays), ctypes.byref(options), address(records, c.bv_ray_result),
                                      ctypes.byref(invalid))
        _check_rows(status, invalid.value, arrays, "cast_rays")
        return r.RayHits(records, not many, arrays[1][1].copy())

    def overlap(self, shape: Convex, pose: Pose = None, *, limit: Optional[int] = None) -> r.Indices:
        """The triangles that intersect a solid convex shape.

        pose: of the mesh, from coordinates of the file to those of the shape
        limit: the most triangles to find; None for all
        Returns (K,) uint32.
        """
        memory, at = self._open().need_hierarchy(), placement(pose)
        most = 0 if limit is None else count(limit, "limit", 1)
        room = min(most, 1024) if most else 1024
        while True:
            triangles = np.empty(room, np.uint32)
            found = c.bv_triangle_list(most, triangles.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)), room, 0)
            options = c.bv_overlap_options(callback=_add_triangle, context=ctypes.addressof(found))
            result = c.bv_overlap_result()
            check(bv.bv_mesh_overlap_convex(memory.file, reference(at), bounded(shape, "shape", "overlap"), ctypes.byref(options),
                                            ctypes.byref(result)), "overlap")
            if found.count <= room:
                return triangles[:found.count].copy()
            room = found.count

    def cast(self, shape: Convex, motion: Vectors, pose: Pose = None, *, limit: float = 1, tolerance: float = 0) -> r.ShapeCast:
        """The first contact with a convex shape that moves along a line. For other motions see bvbuild.time_of_impact.

        motion: (3,), displacement of the shape per unit of time
        pose: of the mesh, from coordinates of the file to those of the shape
        limit: end of the time range, above 0; inf for no end
        tolerance: the shape is at most this far from the mesh at a hit, mesh units
        """
        memory, at = self._open().need_hierarchy(), placement(pose)
        options = c.bv_cast_options(limit=_positive(limit, "limit"), tolerance=number(tolerance, "tolerance", 0, c.BV_MAX_LENGTH))
        result = c.bv_cast_result()
        check(bv.bv_mesh_cast_convex(memory.file, reference(at), bounded(shape, "shape", "cast"), vector(motion, "motion"),
                                     ctypes.byref(options), ctypes.byref(result)), "cast")
        return r.ShapeCast(result.found, result.at_start, result.time, result.at.triangle, r.Feature(result.at.feature),
                           array_of(result.at.point), array_of(result.normal), result.volume_tests + result.triangle_tests)

    def contacts(self, body: Union[Queries, Convex], pose: Pose = None, *, speculative: float = 0, tolerance: float = 0, depth: float = 0,
                 sides: str = "front") -> list[r.MeshManifold]:
        """Contact points with a convex shape or another mesh, without those of inner edges: at most four for each normal, the deepest first.

        pose: of the mesh, from coordinates of the file to those of the body, in which results are
        speculative: contacts are reported up to this separation
        tolerance: steps and gaps of the surface of at most this size have no contacts of their own; 0 for a default
        depth: of meshes, how deep vertices of one may be inside of the other; 0 for a default
        sides: "front" pushes bodies out of the fronts of triangles, "front_only" ignores triangles whose back faces the body, "both" pushes to
            the side where the body is
        """
        memory, at = self._open().need_hierarchy(), placement(pose)
        near = {"speculative": number(speculative, "speculative", 0, c.BV_MAX_LENGTH), "tolerance": number(tolerance, "tolerance", 0, c.BV_MAX_LENGTH),
                "sides": _sides(sides)}
        deep = number(depth, "depth", 0, c.BV_MAX_LENGTH)
        if isinstance(body, Convex):
            if deep > 0:
                raise ValueError("depth is for contacts of two meshes")
            of_shape, result = c.bv_mesh_contacts_options(**near), c.bv_mesh_contacts_result()
            shape = bounded(body, "body", "contacts")
            return _gather(lambda room: (bv.bv_mesh_contacts_convex(memory.file, reference(at), shape, ctypes.byref(of_shape), room,
                                                                    ctypes.byref(result)), result))
        other = memory_of(body, "body").need_hierarchy()
        of_mesh, found = c.bv_mesh_contacts_mesh_options(depth=deep, **near), c.bv_mesh_contacts_mesh_result()
        return _gather(lambda room: (bv.bv_mesh_contacts_mesh(memory.file, reference(at), other.file, ctypes.byref(of_mesh), room,
                                                              ctypes.byref(found)), found))

    def depth(self, other: Queries, pose: Pose = None, *, factor: float = 1.5, absolute: float = 0, direction: Vectors = (0, 0, 0),
              tests: Optional[int] = None) -> r.Depth:
        """How deep two meshes overlap: the length of the shortest translation that separates them, as an interval that contains it.

        pose: from coordinates of `other` to those of this mesh
        factor, absolute: the search ends when upper <= factor * lower + absolute
        direction: (3,), tried before others, such as that of the previous frame
        tests: ends the search after so many tests; the interval is then wider, but holds
        """
        a, b, at = self._open().need_hierarchy(), memory_of(other, "other").need_hierarchy(), placement(pose)
        options = c.bv_mesh_depth_options(factor=number(factor, "factor", 1), absolute=number(absolute, "absolute", 0, c.BV_MAX_LENGTH),
                                          direction=vector(direction, "direction"), most_tests=0 if tests is None else count(tests, "tests", 1))
        scratch = np.empty(c.BV_MESH_DEPTH_SCRATCH_AMPLE // 8, np.uint64)
        result = c.bv_mesh_depth_result()
        check(bv.bv_mesh_depth(a.file, b.file, reference(at), ctypes.byref(options), scratch.ctypes.data, scratch.nbytes,
                               ctypes.byref(result)), "depth")
        return r.Depth(result.lower, result.upper, array_of(result.way), matrix_of(result.apart), result.reached,
                       result.volume_tests + result.triangle_tests)


_SIDES: dict[Any, int] = {"front": c.bv_mesh_sides.bv_mesh_front, "front_only": c.bv_mesh_sides.bv_mesh_front_only, "both": c.bv_mesh_sides.bv_mesh_both}


def _sides(value: Any) -> int:
    if value not in _SIDES:
        raise ValueError(f"sides must be one of {', '.join(map(repr, _SIDES))}, not {value!r}")
    return _SIDES[value]


_MEMBERS = {"start": "from", "end": "to"}
_MOST_SCRATCH = 1 << 30


def _gather(query: Any, capacity: int = 32, scratch_bytes: int = 1 << 17) -> list[r.MeshManifold]:
    """The manifolds of a query, which is repeated with more memory as long as that is not enough."""
    while True:
        manifolds = (c.bv_mesh_manifold * capacity)()
        scratch = np.empty(scratch_bytes // 8, np.uint64)
        room = c.bv_mesh_contacts_room(manifolds, capacity, scratch.ctypes.data, scratch.nbytes)
        status, found = query(ctypes.byref(room))
        if status == c.bv_status.bv_error_memory and scratch_bytes < _MOST_SCRATCH:
            scratch_bytes *= 4
            continue
        check(status, "contacts")
        if found.dropped == 0:
            return [_manifold_of(m) for m in manifolds[:found.count]]
        capacity = found.count + found.dropped


def _manifold_of(m: Any) -> r.MeshManifold:
    contacts = [r.MeshContact(array_of(k.at.position), arrays_of(k.at.point), k.at.separation, array_of(k.normal), k.triangle, r.Feature(k.feature),
                              k.triangle_b, k.at.identity) for k in m.contact[:m.count]]
    return r.MeshManifold(array_of(m.normal), contacts)


def memory_of(other: Any, name: str) -> Memory:
    if not isinstance(other, Queries):
        raise TypeError(f"{name} must be a bvbuild.File, not {type(other).__name__}")
    return other._open()


def _inverse(pose: Pose) -> Any:
    at = placement(pose)
    return None if at is None else matrix_of(bv.bv_transform_inverse(ctypes.byref(at)))


def _positive(value: Any, name: str) -> float:
    out = number(value, name, 0)
    if out == 0:
        raise ValueError(f"{name} must be above 0")
    return out


def _row_of_numbers(value: Any, name: str) -> npt.NDArray[Any]:
    array = numbers(value, name)
    if array.ndim > 1:
        raise ValueError(f"{name} must be a number or have the shape (N,), not {array.shape}")
    return array


def _points(points: Any, limit: Any) -> tuple[c.bv_points, Any, int, bool]:
    """Points for the library, and the arrays that these refer to."""
    arrays = [("points", vectors(points, "points"), 1)]
    if limit is not None:
        arrays.append(("limit", _row_of_numbers(limit, "limit"), 0))
        if not (arrays[1][1] > 0).all():
            raise ValueError("limit must be above 0")
    n, many = common_length(arrays)
    batch = c.bv_points(n, described(arrays[0][1], 1, n))
    if limit is not None:
        batch.limit = described(arrays[1][1], 0, n)
    return batch, arrays, n, not many


def _check_rows(status: int, invalid: int, arrays: Any, what: str) -> None:
    """Says which row of which array is out of range."""
    if status == c.bv_status.bv_error_argument:
        for name, array, rank in arrays:
            many = array.ndim > rank
            row = array[invalid if many and array.shape[0] != 1 else 0] if many and array.shape[0] > 0 else array
            label = f"{name}[{invalid}]" if many else name
            if rank == 1 and not (np.abs(row) <= c.BV_MAX_LENGTH).all():
                raise ValueError(f"{label} must be finite and at most 2**200, not {row.tolist()}")
            if name == "directions" and not np.abs(row).sum() >= 1 / c.BV_MAX_LENGTH:
                raise ValueError(f"{label} must not have the length 0")
            if rank == 0 and not (row >= 0 and (name != "start" or math.isfinite(row))):
                raise ValueError(f"{label} is out of range: {float(row)}")
    check(status, what)


def _reused(out: Any, n: int) -> npt.NDArray[Any]:
    if not isinstance(out, r.RayHits):
        raise TypeError(f"out must be a bvbuild.RayHits, not {type(out).__name__}")
    records = np.atleast_1d(out.records)
    if records.dtype != dtype_of(c.bv_ray_result) or records.shape != (n,) or not records.flags.c_contiguous or not records.flags.writeable:
        raise ValueError(f"out must be the result of {n} rays, not of {records.size}")
    return records
