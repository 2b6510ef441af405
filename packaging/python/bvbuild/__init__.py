"""Collision files of triangle meshes: build them, read them, query them.

    import bvbuild

    gear = bvbuild.build("gear.obj", decompose="1%")        # or vertices (N, 3) and triangles (M, 3)
    gear.save("gear.bvh")                                   # and later bvbuild.open("gear.bvh")
    hits = gear.cast_rays([[0, 0, 100]], [[0, 0, -1]])      # one call for any number of rays
    pairs = gear.collide(gear, ([0, 0, 0, 1], [30, 0, 0]))  # pairs of triangles; the pose of the second one
    d = gear.distance(bvbuild.Convex.sphere(2.0))           # d.lower <= distance <= d.upper

A pose is a 4x4 matrix, (3x3 rotation, translation) or (quaternion x y z w, translation). Lengths have the unit of the mesh. Numbers that are
computed by iteration are intervals that contain the true value. The library keeps no state: all functions may be called from any number
of threads at the same time, and calls of the library release Python's global lock.
"""

from ._arrays import Pose, Vectors
from ._build import GateFailed, Message, build_options
from ._convex import Convex, convex_distance
from ._errors import ArgumentError, DamagedFile, Error, InputError, InternalError, LimitError, OutOfMemory, OutputError, Unsupported
from ._file import Built, File, Parts, build
from ._file import open_file as open
from ._motion import Motion, time_of_impact
from ._native import BV_VERSION as __version__
from ._results import (
    Body, Bounds, Box, Capsule, ClosestPoints, Contact, ConvexCast, ConvexDistance, Cylinder, Depth, Distance, Feature, Hierarchy, Hull,
    Impact, Interval, Manifold, Mass, Mesh, MeshContact, MeshManifold, Nodes, OrientedBox, Origin, Part, Penetration, Primitive, Primitives,
    Prism, Proxy, RayHits, RoundedRectangle, Section, ShapeCast, Sides, Slabs, Sphere,
)

__all__ = [
    "ArgumentError", "Body", "Bounds", "Box", "Built", "Capsule", "ClosestPoints", "Contact", "Convex", "ConvexCast", "ConvexDistance",
    "Cylinder", "DamagedFile", "Depth", "Distance", "Error", "Feature", "File", "GateFailed", "Hierarchy", "Hull", "Impact", "InputError",
    "InternalError", "Interval", "LimitError", "Manifold", "Mass", "Mesh", "MeshContact", "MeshManifold", "Message", "Motion", "Nodes",
    "OrientedBox", "Origin", "OutOfMemory", "OutputError", "Part", "Parts", "Penetration", "Pose", "Primitive", "Primitives", "Prism",
    "Proxy", "RayHits", "RoundedRectangle", "Section", "ShapeCast", "Sides", "Slabs", "Sphere", "Unsupported", "Vectors", "__version__",
    "build", "build_options", "convex_distance", "open", "time_of_impact",
]
