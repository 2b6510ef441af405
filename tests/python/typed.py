"""What users write, for mypy alone: the declared types fit."""

import pathlib

import numpy as np
import numpy.typing as npt

import bvbuild


def queries(path: pathlib.Path) -> float:
    with bvbuild.open(path) as file:
        hits: bvbuild.RayHits = file.cast_rays(np.zeros((3, 3)), [0, 0, 1], end=5.0)
        first: npt.NDArray[np.float64] = hits.point[hits.found]
        pairs: npt.NDArray[np.uint32] = file.collide(file, ([0, 0, 0, 1], [1, 0, 0]), limit=5)
        distance: bvbuild.Distance = file.distance(bvbuild.Convex.sphere(1.0), np.eye(4))
        corners: list[int] = [len(part.vertices) for part in file.parts]
        hull = file.hull
        volume: float = hull.volume if hull is not None else 0.0
        return distance.lower + len(first) + len(pairs) + sum(corners) + volume


def moving(file: bvbuild.File) -> bvbuild.Interval:
    motion = bvbuild.Motion.slerp(None, np.eye(4), pivot=[0, 0, 1])
    hit: bvbuild.Impact = bvbuild.time_of_impact(file, bvbuild.Motion.still(), bvbuild.Convex.box([1, 1, 1]), motion, tests=1000)
    return bvbuild.Interval(hit.lower, hit.upper)


def built(vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.int64]) -> list[bvbuild.Message]:
    mesh = bvbuild.build(vertices, triangles, decompose="1%", sections=["edges"], progress=lambda stage, done: print(stage, done))
    mesh.save("mesh.bvh")
    return mesh.warnings
