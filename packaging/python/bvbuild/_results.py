"""What queries and files return."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _native as c
from ._arrays import column

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint32]


class Feature(IntEnum):
    """Which part of a triangle a point is on. Edge i runs from corner i to the next one."""

    CORNER_0 = c.bv_feature.bv_feature_corner_0
    CORNER_1 = c.bv_feature.bv_feature_corner_1
    CORNER_2 = c.bv_feature.bv_feature_corner_2
    EDGE_0 = c.bv_feature.bv_feature_edge_0
    EDGE_1 = c.bv_feature.bv_feature_edge_1
    EDGE_2 = c.bv_feature.bv_feature_edge_2
    FACE = c.bv_feature.bv_feature_face


class Interval(NamedTuple):
    """Two numbers that enclose the true value."""

    lower: float
    upper: float


class _Records:
    """Arrays that are views of an array of C structs, `records`. Of one ray or point they have no first axis."""

    __slots__ = ("records",)

    def __init__(self, records: npt.NDArray[Any], single: bool) -> None:
        self.records = records.reshape(()) if single else records

    def __len__(self) -> int:
        return len(self.records)

    def _column(self, *path: Any) -> Any:
        return column(self.records, *path)

    @property
    def found(self) -> npt.NDArray[np.bool_]:
        """(N,): whether there is a result. Without one the distance is infinite and all else is 0."""
        return self._column("found")

    @property
    def triangle(self) -> Indices:
        """(N,): the triangle of the mesh."""
        return self._column("at", "triangle")

    @property
    def feature(self) -> Indices:
        """(N,): the part of the triangle, a Feature."""
        return self._column("at", "feature")

    @property
    def weights(self) -> Floats:
        """(N, 3): barycentric coordinates in the triangle."""
        return self._column("at", "weight")

    @property
    def point(self) -> Floats:
        """(N, 3): the point on the mesh, in coordinates of the query."""
        return self._column("at", "point")

    @property
    def local(self) -> Floats:
        """(N, 3): the point on the mesh, in coordinates of the file."""
        return self._column("at", "local")

    @property
    def normal(self) -> Floats:
        """(N, 3): unit normal of the triangle's front, in coordinates of the query."""
        return self._column("at", "normal")

    @property
    def tests(self) -> Any:
        """(N,): tests of volumes and triangles that this took."""
        return self._column("volume_tests") + self._column("triangle_tests")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {int(np.count_nonzero(self.found))} of {self.records.size} found>"


class RayHits(_Records):
    """The first hits of N rays. `records` can be passed to the next cast_rays as `out`."""

    __slots__ = ("_speed",)

    def __init__(self, records: npt.NDArray[Any], single: bool, speed: Any) -> None:
        super().__init__(records, single)
        self._speed = speed

    @property
    def time(self) -> Floats:
        """(N,): the hit is at origin + time * direction; infinite without a hit."""
        return self._column("time")

    @property
    def distance(self) -> Any:
        """(N,): from the origin to the hit, mesh units; infinite without a hit."""
        direction = np.asarray(self._speed, dtype=np.float64)
        return self.time * np.sqrt((direction * direction).sum(axis=-1))

    @property
    def back(self) -> npt.NDArray[np.bool_]:
        """(N,): whether the back of the triangle is hit."""
        return self._column("back")


class ClosestPoints(_Records):
    """The points of a mesh that are closest to N points."""

    __slots__ = ()

    @property
    def distance(self) -> Floats:
        """(N,): the distance; infinite if it is not smaller than the limit."""
        return self._column("distance")

    @property
    def back(self) -> npt.NDArray[np.bool_]:
        """(N,): whether the point is behind the triangle."""
        return self._column("back")


class Sides(_Records):
    """On which side of a closed mesh N points are. `inside`, `outside` and `unknown` exclude each other."""

    __slots__ = ()

    @property
    def distance(self) -> Floats:
        """(N,): of the surface; infinite if it is not smaller than the limit."""
        return self._column("distance")

    @property
    def inside(self) -> Any:
        """(N,): the point is inside, with rounding errors taken into account."""
        return self._column("side") == c.bv_side.bv_side_inside

    @property
    def outside(self) -> Any:
        """(N,): the point is outside."""
        return self._column("side") == c.bv_side.bv_side_outside

    @property
    def unknown(self) -> Any:
        """(N,): the mesh bounds no solid there, the point is on the surface to rounding, or not within the limit."""
        return self._column("side") == c.bv_side.bv_side_unknown


class Distance(NamedTuple):
    """The distance of two surfaces. The true one is from `lower` to `upper`."""

    lower: float
    upper: float
    points: Optional[Floats]  #: (2, 3): nearest points on a and on b, in coordinates of a; None if none are known
    triangles: Optional[tuple[int, int]]  #: of a and of b; None if none are known. Of a shape 0
    done: bool  #: False if the budget ended the search
    tests: int  #: of volumes and triangles


class ShapeCast(NamedTuple):
    """The first contact of a mesh with a shape that moves along a line."""

    found: bool
    at_start: bool  #: they meet before the shape moves
    time: float  #: not later than the contact; infinite if not found
    triangle: int  #: of the mesh
    feature: Feature
    point: Floats  #: (3,): on the mesh, nearest to the shape at that time
    normal: Floats  #: (3,): unit vector from the mesh to the shape
    tests: int


class Depth(NamedTuple):
    """How deep two meshes overlap: the length of the shortest translation that separates them is from `lower` to `upper`."""

    lower: float
    upper: float
    way: Floats  #: (3,): a translation of b that separates them, of the length `upper`, in coordinates of a
    apart: Floats  #: (4, 4): the pose of b after it
    reached: bool  #: upper <= factor * lower + absolute
    tests: int


class ConvexDistance(NamedTuple):
    """The signed distance of two convex shapes. The true one is from `lower` to `upper`; negative if they overlap."""

    lower: float
    upper: float
    points: Floats  #: (2, 3): nearest or deepest points on a and on b, in coordinates of a
    normal: Floats  #: (3,): unit vector from a to b; moving b by -lower along it separates shapes that overlap
    supports: int  #: support points evaluated


class Penetration(NamedTuple):
    """How deep two convex shapes overlap. The true depth is from `lower` to `upper`; both are 0 if they are apart."""

    lower: float
    upper: float
    way: Floats  #: (3,): a translation of b that separates them, in coordinates of a


class ConvexCast(NamedTuple):
    """The first contact of two convex shapes that move along lines. The true time is from `lower` to `upper`."""

    found: bool  #: they meet in the range. In doubt True
    certain: bool  #: `found` is proven
    at_start: bool
    lower: float  #: they do not meet before this time; the end of the range if not found
    upper: float  #: they meet until then; infinite if that is not proven, and if not found
    points: Floats  #: (2, 3): nearest points at `lower`, in coordinates of a
    normal: Floats  #: (3,): unit vector from a to b


class Contact(NamedTuple):
    """One contact point, in coordinates of a."""

    position: Floats  #: (3,): half way between the surfaces
    points: Floats  #: (2, 3): on a and on b
    separation: float  #: along the normal; negative where they overlap
    identity: int  #: remains while the same features touch


class Manifold(NamedTuple):
    """Contact points of two convex shapes. The true signed distance is from `lower` to `upper`."""

    lower: float
    upper: float
    normal: Floats  #: (3,): unit vector from a to b
    contacts: list[Contact]  #: at most four


class MeshContact(NamedTuple):
    """One contact point of a mesh and a body."""

    position: Floats  #: (3,): half way between the surfaces
    points: Floats  #: (2, 3): on the mesh and on the body
    separation: float  #: along the normal; negative where they overlap
    normal: Floats  #: (3,): unit vector from the mesh to the body
    triangle: int  #: of the mesh
    feature: Feature  #: of that triangle
    body_triangle: int  #: of a body that is a mesh; otherwise 0
    identity: int  #: remains while the same features touch


class MeshManifold(NamedTuple):
    """Contact points with nearly the same normal."""

    normal: Floats  #: (3,): of the contact with the least separation
    contacts: list[MeshContact]  #: one to four


class Impact(NamedTuple):
    """When two moving objects first touch. The true time is from `lower` to `upper`."""

    found: bool  #: they touch in the range. In doubt True
    certain: bool  #: `found` is proven
    complete: bool  #: False if the budget ended the search: then they are free until `lower`
    at_start: bool
    lower: float  #: they do not touch before this time; the end of the range if not found
    upper: float  #: they touch until then; infinite if that is not proven, and if not found
    triangles: tuple[int, int]  #: of a and of b; 0 of a convex shape
    points: Floats  #: (2, 3): nearest points at `lower`, in the world
    normal: Floats  #: (3,): unit vector from a to b; 0 if they overlap
    tests: int
    steps: int


class Box(NamedTuple):
    """An axis-aligned box."""

    lower: Floats  #: (3,)
    upper: Floats  #: (3,)


class Sphere(NamedTuple):
    """A ball."""

    center: Floats  #: (3,)
    radius: float


class OrientedBox(NamedTuple):
    """An oriented box: center + axes.T @ t for |t| <= half_extents."""

    center: Floats  #: (3,)
    axes: Floats  #: (3, 3): unit vectors in rows
    half_extents: Floats  #: (3,)


class Capsule(NamedTuple):
    """All points within `radius` of a segment."""

    ends: Floats  #: (2, 3)
    radius: float


class Cylinder(NamedTuple):
    """A cylinder with flat ends."""

    ends: Floats  #: (2, 3): centers of the discs
    radius: float


class RoundedRectangle(NamedTuple):
    """All points within `radius` of a rectangle."""

    center: Floats  #: (3,)
    axes: Floats  #: (3, 3): unit vectors in rows; the third is normal to the rectangle
    half_extents: Floats  #: (2,)
    radius: float


class Slabs(NamedTuple):
    """A k-DOP: lower <= directions @ x <= upper. That of a whole mesh has 13 directions."""

    directions: Floats  #: (K, 3), not of unit length
    lower: Floats  #: (K,)
    upper: Floats  #: (K,)


class Bounds(NamedTuple):
    """Volumes that enclose all vertices."""

    box: Box
    sphere: Sphere
    oriented_box: OrientedBox
    slabs: Slabs
    capsule: Capsule
    rounded_rectangle: RoundedRectangle


class Primitive(NamedTuple):
    """A primitive fitted to a mesh. It need not enclose it."""

    kind: str  #: "box", "sphere", "capsule" or "cylinder"
    shape: Any  #: an OrientedBox, Sphere, Capsule or Cylinder
    from_surface: Interval  #: largest distance from the primitive's surface to the mesh, mesh units
    from_mesh: Interval  #: largest distance from the mesh to the primitive's surface
    error: Interval  #: the Hausdorff distance: the larger one


class Primitives(NamedTuple):
    """The primitives of a file by kind, and which of them fits."""

    box: Primitive
    sphere: Primitive
    capsule: Primitive
    cylinder: Primitive
    tolerance: float  #: largest accepted error, mesh units
    best: Optional[Primitive]  #: None if none is within the tolerance


class Mass(NamedTuple):
    """Mass properties at density 1, unless stated otherwise."""

    mass: float  #: volume in mesh units^3; of a surface area in mesh units^2
    center: Floats  #: (3,): center of mass
    inertia: Floats  #: (3, 3): about the center of mass, along the axes of the mesh


class Body(NamedTuple):
    """The body that a simulation moves: of files built with a density or a mass."""

    mass: Mass  #: with its density
    of: str  #: "solid", "surface" or "hull"
    density: float
    from_mass: bool  #: the mass was given, and the density follows from it


class Mesh(NamedTuple):
    """The mesh of record: cleaned, with exactly the positions that the file stores."""

    vertices: Floats  #: (N, 3) float64, read-only, mesh units
    triangles: Indices  #: (M, 3) uint32, read-only, counter-clockwise as seen from outside
    closed: bool
    manifold: bool
    oriented: bool
    components: int
    area: float


class Hull(NamedTuple):
    """The convex hull of all vertices."""

    vertices: Floats  #: (N, 3), read-only
    triangles: Indices  #: (M, 3), read-only; empty unless it is a polyhedron
    kind: str  #: "point", "segment", "polygon" or "polyhedron"
    volume: float
    of_mesh: Optional[Indices]  #: (N,): the vertices of the mesh; None if the file has only positions


class Part(NamedTuple):
    """A convex part: a polyhedron that encloses a piece of the mesh."""

    vertices: Floats  #: (N, 3), read-only
    triangles: Indices  #: (M, 3), read-only
    box: Box
    mass: Mass
    concavity: Interval  #: largest distance from a point of the part to the shape, mesh units
    neighbors: Indices  #: parts that have a common point with it: a view of the file
    covers: Indices  #: triangles of the mesh that it covers: a view of the file; empty without the section


class Proxy(NamedTuple):
    """A simplified mesh. It encloses the mesh if that is closed and faces outward."""

    vertices: Floats  #: (N, 3), read-only
    triangles: Indices  #: (M, 3), read-only
    tolerance: float  #: allowed distance of the two meshes, mesh units
    from_proxy: Interval  #: largest distance from the proxy mesh to the mesh
    from_mesh: Interval  #: largest distance from the mesh to the proxy mesh


class Origin(NamedTuple):
    """Where a file comes from."""

    tool: str  #: program and version
    source_name: str
    source_format: str
    parameters: dict[str, str]  #: options that shape the content, then files beside the source
    source_hash: bytes  #: XXH3-128 of the source's bytes


class Section(NamedTuple):
    """An entry of the section table."""

    name: str
    version: int
    required: bool
    known: bool
    bytes: int


class Prism(NamedTuple):
    """A prism over an isosceles triangle: a part of its box, whose base is at the lower end of the second axis."""

    box: OrientedBox


class Nodes(NamedTuple):
    """The nodes of a hierarchy by number: 0 is the root, siblings have consecutive numbers."""

    level: Indices  #: (N,): 0 for the root
    children: Indices  #: (N,): number of children; 0 for a leaf
    first_child: Indices  #: (N,): number of the first child; 0 for a leaf
    first_triangle: Indices  #: (N,): of the subtree, whose triangles are consecutive
    triangles: Indices  #: (N,): number of triangles of the subtree
    surface_error: Floats  #: (N,): upper bound of the distance from the volume's surface to the triangles, mesh units; NaN without errors
    solid_error: Floats  #: (N,): the same of all points of the volume
    volumes: list[Any]  #: N of OrientedBox, Box, Sphere, RoundedRectangle, Slabs, Prism: each encloses its triangles


class Hierarchy(NamedTuple):
    """Counts of the hierarchy, and its certified errors."""

    nodes: int
    leaves: int
    depth: int
    of_type: dict[str, int]  #: nodes by the type of their volume
    surface_error: Optional[Interval]  #: of the root, mesh units; None if the file has no errors
    solid_error: Optional[Interval]
