"""Files: what is in them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import Any, Iterator, Optional, Union, overload

import numpy as np

from . import _build, _memory
from . import _native as c
from . import _results as r
from ._arrays import Vectors, array_of, arrays_of, truth
from ._callbacks import Calls
from ._library import bv
from ._memory import Memory, frozen
from ._queries import Queries

_MASSES = {"solid": c.bv_mass_of.bv_mass_of_solid, "surface": c.bv_mass_of.bv_mass_of_surface,
           "hull": c.bv_mass_of.bv_mass_of_hull, "body": c.bv_mass_of.bv_mass_of_body}
_HULLS = ["point", "segment", "polygon", "polyhedron"]
_PRIMITIVES = ["box", "sphere", "capsule", "cylinder"]


def text_of(text: Any) -> str:
    return ctypes.string_at(text.data, text.length).decode("utf-8", "replace") if text.length else ""


def interval_of(interval: Any) -> r.Interval:
    return r.Interval(interval.lower, interval.upper)


def box_of(box: Any) -> r.Box:
    return r.Box(array_of(box.lower), array_of(box.upper))


def sphere_of(ball: Any) -> r.Sphere:
    return r.Sphere(array_of(ball.center), ball.radius)


def obb_of(box: Any) -> r.OrientedBox:
    return r.OrientedBox(array_of(box.center), arrays_of(box.axis), np.array(box.half_extents))


def rss_of(rss: Any) -> r.RoundedRectangle:
    return r.RoundedRectangle(array_of(rss.center), arrays_of(rss.axis), np.array(rss.half_extents), rss.radius)


def kdop_of(kdop: Any) -> r.Slabs:
    used = [i for i in range(c.BV_KDOP_DIRECTIONS) if bv.bv_kdop_uses(kdop.k, i)]
    return r.Slabs(arrays_of([bv.bv_kdop_direction(i) for i in used]), np.array(kdop.lower)[used], np.array(kdop.upper)[used])


_VOLUMES: dict[str, Callable[[Any], Any]] = {
    "obb": lambda v: obb_of(v.obb), "aabb": lambda v: box_of(v.aabb), "sphere": lambda v: sphere_of(v.sphere), "rss": lambda v: rss_of(v.rss),
    "kdop14": lambda v: kdop_of(v.kdop), "kdop18": lambda v: kdop_of(v.kdop), "kdop26": lambda v: kdop_of(v.kdop),
    "prism": lambda v: r.Prism(obb_of(v.prism.box)),
}


def mass_of(mass: Any) -> r.Mass:
    return r.Mass(mass.mass, array_of(mass.center_of_mass), np.array(mass.inertia))


def _corners(get: Any, n: int, *before: Any) -> r.Indices:
    """Triangles that the library returns one by one."""
    out = np.empty((n, 3), np.uint32)
    corner = (ctypes.c_uint32 * 3)()
    for i in range(n):
        get(*before, i, corner)
        out[i] = corner
    return frozen(out)


def _positions(get: Any, n: int, *before: Any) -> r.Floats:
    """Positions that the library returns one by one."""
    out = np.empty((n, 3))
    for i in range(n):
        v = get(*before, i)
        out[i] = v.x, v.y, v.z
    return frozen(out)


class Parts(Sequence[r.Part]):
    """The convex parts of a file. Together they cover the mesh."""

    def __init__(self, memory: Memory) -> None:
        info = bv.bv_file_get_decomposition(memory.file)
        self._memory = memory
        self._count = info.parts
        self.solid: bool = info.solid  #: the parts fill the inside of the mesh, too
        self.out_of_time: bool = info.out_of_time  #: a limit of time ended the search for better parts
        self.tolerance: float = info.tolerance  #: allowed stand-off, mesh units
        self.concavity = interval_of(info.concavity)  #: largest distance from a point of any part to the shape, mesh units
        self.uncovered: float = info.uncovered  #: no point of the mesh is farther from all parts, mesh units

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> r.Part: ...
    @overload
    def __getitem__(self, index: slice) -> list[r.Part]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[r.Part, list[r.Part]]:
        if isinstance(index, slice):
            return [self._part(i) for i in range(*index.indices(self._count))]
        i = index + self._count if index < 0 else index
        if not 0 <= i < self._count:
            raise IndexError(f"part {index} of {self._count}")
        return self._part(i)

    def __iter__(self) -> Iterator[r.Part]:
        return (self._part(i) for i in range(self._count))

    def __repr__(self) -> str:
        return f"<bvbuild.Parts: {self._count}, stand-off {self.concavity.lower:.6g} to {self.concavity.upper:.6g}>"

    def _part(self, i: int) -> r.Part:
        m = self._memory
        part = c.bv_part()
        neighbors = ctypes.POINTER(ctypes.c_uint32)()
        triangles = ctypes.POINTER(ctypes.c_uint32)()
        bv.bv_file_get_part(m.file, i, ctypes.byref(part))
        n = bv.bv_file_get_part_neighbors(m.file, i, ctypes.byref(neighbors))
        k = bv.bv_file_get_part_triangles(m.file, i, ctypes.byref(triangles))
        return r.Part(_positions(bv.bv_file_get_part_vertex, part.vertices, m.file, i),
                      _corners(bv.bv_file_get_part_triangle, part.faces, m.file, i), box_of(part.box), mass_of(part.mass),
                      interval_of(part.concavity), m.view(neighbors, n, np.uint32), m.view(triangles, k, np.uint32))


class File(Queries):
    """An open .bvh file: its content and queries on its mesh. See bvbuild.open.

    Lengths are in mesh units, coordinates those of the mesh that the file was made from. Arrays are read-only and remain valid after
    close(). Any number of threads may use a file at the same time.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory: Optional[Memory] = memory
        self._cache: dict[str, Any] = {}
        self.name = memory.name  #: the path, or "bytes"

    def _open(self) -> Memory:
        memory = self._memory
        if memory is None:
            raise ValueError(f"{self.name}: the file is closed")
        return memory

    def _once(self, key: str, make: Any) -> Any:
        memory = self._open()
        if key not in self._cache:
            self._cache[key] = make(memory)
        return self._cache[key]

    def close(self) -> None:
        """Releases the file. Shapes and arrays that refer to it keep its memory as long as they need it."""
        self._memory = None
        self._cache = {}

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._memory is None

    def __enter__(self) -> File:
        self._open()
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._memory is None:
            return f"<bvbuild.File {self.name!r}: closed>"
        return f"<bvbuild.File {self.name!r}: {bv.bv_file_get_mesh(self._memory.file).triangles} triangles>"

    def __reduce__(self) -> Any:
        """Files go to other processes as their bytes."""
        return open_file, (self.tobytes(),)

    def tobytes(self) -> bytes:
        """The bytes of the file."""
        return self._open().data.tobytes()

    def save(self, path: Union[str, os.PathLike[str]], *, force: bool = False) -> None:
        """Writes the file. An existing .bvh file is replaced at once, when all is written.

        force: replaces also a file that is not a .bvh file, for which FileExistsError is raised otherwise
        """
        _build.write_file(self._open(), path, force)

    @property
    def report(self) -> dict[str, Any]:
        """The report of `bvinspect --json`; formats/report/README.md has its keys."""
        return _build.report_of(self._open())

    def html(self, path: Union[str, os.PathLike[str]], *, force: bool = False) -> None:
        """Writes the report as an HTML page with plots, a picture and a 3D view.

        force: replaces also a file that is not such a page, for which FileExistsError is raised otherwise
        """
        _build.write_html(self._open(), None, path, force)

    def verify(self) -> None:
        """Proves that what the file states is right, as `bvinspect --verify` does: that volumes enclose what they stand for, that errors, masses
        and parts are those of the mesh. Raises DamagedFile if not."""
        _build.verify(self._open())

    @property
    def mesh(self) -> r.Mesh:
        """The mesh of record. Its arrays are empty if the file stores only counts."""
        return self._once("mesh", _read_mesh)

    @property
    def hull(self) -> Optional[r.Hull]:
        """The convex hull; None if the file has none."""
        return self._once("hull", _read_hull)

    @property
    def parts(self) -> Parts:
        """The convex parts; empty if the file has none."""
        return self._once("parts", Parts)

    @property
    def proxy(self) -> Optional[r.Proxy]:
        """The simplified mesh; None if the file has none."""
        return self._once("proxy", _read_proxy)

    @property
    def bounds(self) -> Optional[r.Bounds]:
        """Volumes that enclose the mesh; None if the file has none."""
        return self._once("bounds", _read_bounds)

    @property
    def primitives(self) -> Optional[r.Primitives]:
        """Box, sphere, capsule and cylinder fitted to the mesh, and which of them it is; None if the file has none."""
        return self._once("primitives", _read_primitives)

    @property
    def body(self) -> Optional[r.Body]:
        """The body that a simulation moves; None unless the file was built with a density or a mass."""
        return self._once("body", _read_body)

    @property
    def masses(self) -> dict[str, r.Mass]:
        """Mass properties by body: "solid" of closed meshes, "surface", "hull", and "body" if it has a density."""
        return dict(self._once("masses", _read_masses))

    @property
    def origin(self) -> r.Origin:
        """The program, the source and the options that made the file."""
        return self._once("origin", _read_origin)

    @property
    def sections(self) -> list[r.Section]:
        """The section table."""
        return list(self._once("sections", _read_sections))

    @property
    def hierarchy(self) -> r.Hierarchy:
        """Counts of the hierarchy, and its certified errors."""
        return self._once("hierarchy", _read_hierarchy)

    @property
    def nodes(self) -> r.Nodes:
        """The nodes of the hierarchy, with their volumes and certified errors. Takes some microseconds per node."""
        return self._once("nodes", _read_nodes)


_ERRORS = ("surface_error", "solid_error")


def _read_nodes(m: Memory) -> r.Nodes:
    n = bv.bv_file_get_hierarchy(m.file).nodes
    columns: dict[str, Any] = {name: np.full(n, np.nan) if name in _ERRORS else np.zeros(n, np.uint32) for name in r.Nodes._fields[:-1]}
    volumes: list[Any] = [None] * n

    def visit(_context: Any, pointer: Any) -> bool:
        node = pointer[0]
        for name in ("level", "children", "first_child", "first_triangle", "triangles"):
            columns[name][node.index] = getattr(node, name)
        if node.has_errors:
            columns["surface_error"][node.index], columns["solid_error"][node.index] = node.surface_upper, node.solid_upper
        volumes[node.index] = _VOLUMES[bv.bv_volume_type_name(node.volume.type).decode()](node.volume)
        return True

    calls = Calls()
    calls.run(bv.bv_file_visit_nodes, m.file, calls.callback(c.bv_node_callback, visit), None)
    return r.Nodes(**{name: frozen(column) for name, column in columns.items()}, volumes=volumes)


class Built(File):
    """A file that bvbuild.build has made. It is in memory until it is saved."""

    def __init__(self, outcome: _build.Outcome) -> None:
        super().__init__(outcome.memory)
        self._build = outcome.build
        self.warnings = outcome.messages  #: what should be fixed: a list of bvbuild.Message
        self.passes = outcome.passes  #: all conditions of `gate` hold, and with `strict` there are no warnings

    def save(self, path: Union[str, os.PathLike[str]], *, force: bool = False) -> None:
        """As File.save. Raises GateFailed if the file does not pass."""
        memory = self._open()
        if not self.passes:
            raise _build.GateFailed(f"{self.name}: {'; '.join(str(w) for w in self.warnings)}")
        _build.write_file(memory, path, force)

    @property
    def report(self) -> dict[str, Any]:
        """The report, with times and memory of the build."""
        return _build.report_of(self._open(), ctypes.byref(self._build))

    def html(self, path: Union[str, os.PathLike[str]], *, force: bool = False) -> None:
        """As File.html, with times and memory of the build."""
        _build.write_html(self._open(), ctypes.byref(self._build), path, force)


def build(source: _build.Source, triangles: Optional[Vectors] = None, *, name: Optional[str] = None, format: Optional[str] = None,
          progress: Optional[_build.Progress] = None, threads: int = 0, **options: Any) -> Built:
    """Builds a .bvh file from a mesh, as the tool bvbuild does, in memory.

    source: vertices (N, 3), or the path of a mesh file, or the bytes of one
    triangles: with vertices (M, 3) integers, counter-clockwise as seen from outside
    name: what messages and the report call arrays and bytes; default "mesh"
    format: of bytes: the file extension, such as "obj"
    progress: called with the name of the stage and its progress from 0 to 1, or None if that is not known. What it raises is raised when
        the build has returned, which then ends its search for convex parts
    threads: 0 for all processors; the result does not depend on it
    options: those of the command line, with _ for -: decompose="1%", density=1000, units="mm", sections=["edges", "-hull"]. True is an
        option without a value, False and None are no option; `object` and `gate` take lists. See bvbuild.build_options()

    Returns a file with `.save(path)`, `.report`, `.html(path)` and `.warnings`, which can be queried at once.
    Raises ValueError for arrays, TypeError for unknown options, ArgumentError for values of options, InputError for a mesh that cannot be
    read or built, Unsupported for its format, OutOfMemory, LimitError.
    """
    return Built(_build.run(source, triangles, name, format, progress, threads, options))


def _read_mesh(m: Memory) -> r.Mesh:
    info = bv.bv_file_get_mesh(m.file)
    n, k = (info.vertices, info.triangles) if info.has_triangles else (0, 0)
    vertices = np.empty((n, 3))
    triangles = np.empty((k, 3), np.uint32)
    bv.bv_file_get_vertices(m.file, 0, n, vertices.ctypes.data_as(ctypes.POINTER(c.bv_vec3)))
    bv.bv_file_get_triangles(m.file, 0, k, triangles.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32 * 3)))
    return r.Mesh(frozen(vertices), frozen(triangles), info.closed, info.manifold, info.oriented, info.components, info.area)


def _read_hull(m: Memory) -> Optional[r.Hull]:
    info = bv.bv_file_get_hull(m.file)
    if info.vertices == 0:
        return None
    kind = _HULLS[info.kind]
    faces = info.faces if kind == "polyhedron" else 0
    of_mesh = np.array([bv.bv_file_get_hull_vertex(m.file, i) for i in range(info.vertices)], np.uint32) if info.of_mesh else None
    return r.Hull(_positions(bv.bv_file_get_hull_position, info.vertices, m.file), _corners(bv.bv_file_get_hull_triangle, faces, m.file),
                  kind, info.volume, of_mesh)


def _read_proxy(m: Memory) -> Optional[r.Proxy]:
    proxy = c.bv_proxy()
    if not bv.bv_file_get_proxy(m.file, ctypes.byref(proxy)):
        return None
    return r.Proxy(_positions(bv.bv_file_get_proxy_vertex, proxy.vertices, m.file),
                   _corners(bv.bv_file_get_proxy_triangle, proxy.triangles, m.file), proxy.tolerance, interval_of(proxy.from_proxy),
                   interval_of(proxy.from_mesh))


def _read_bounds(m: Memory) -> Optional[r.Bounds]:
    b = c.bv_file_bounds()
    if not bv.bv_file_get_bounds(m.file, ctypes.byref(b)):
        return None
    return r.Bounds(box_of(b.aabb), sphere_of(b.sphere), obb_of(b.obb), kdop_of(b.kdop), r.Capsule(arrays_of(b.capsule.ends), b.capsule.radius),
                    rss_of(b.rss))


def _read_primitive(m: Memory, kind: int) -> r.Primitive:
    p = c.bv_primitive()
    bv.bv_file_get_primitive(m.file, kind, ctypes.byref(p))
    name = _PRIMITIVES[kind]
    shapes: dict[str, Any] = {"box": lambda: obb_of(p.box), "sphere": lambda: sphere_of(p.sphere),
             "capsule": lambda: r.Capsule(arrays_of(p.capsule.ends), p.capsule.radius),
             "cylinder": lambda: r.Cylinder(arrays_of(p.cylinder.ends), p.cylinder.radius)}
    return r.Primitive(name, shapes[name](), interval_of(p.from_surface), interval_of(p.from_mesh), interval_of(p.error))


def _read_primitives(m: Memory) -> Optional[r.Primitives]:
    recognized = c.bv_recognized()
    if not bv.bv_file_get_recognized(m.file, ctypes.byref(recognized)):
        return None
    all_kinds = [_read_primitive(m, kind) for kind in range(len(_PRIMITIVES))]
    best = all_kinds[recognized.best] if recognized.best < len(all_kinds) else None
    box, sphere, capsule, cylinder = all_kinds
    return r.Primitives(box, sphere, capsule, cylinder, recognized.tolerance, best)


def _read_body(m: Memory) -> Optional[r.Body]:
    body = c.bv_body()
    if not bv.bv_file_get_body(m.file, ctypes.byref(body)):
        return None
    return r.Body(mass_of(body.mass), next(name for name, value in _MASSES.items() if value == body.of), body.density, body.from_mass)


def _read_masses(m: Memory) -> dict[str, r.Mass]:
    out = {}
    for name, of in _MASSES.items():
        mass = c.bv_mass()
        if bv.bv_file_get_mass(m.file, of, ctypes.byref(mass)):
            out[name] = mass_of(mass)
    return out


def _read_origin(m: Memory) -> r.Origin:
    origin = bv.bv_file_get_origin(m.file)
    lines = (line.partition("=") for line in text_of(origin.parameters).splitlines())
    return r.Origin(text_of(origin.tool), text_of(origin.source_name), text_of(origin.source_format),
                    {name: value for name, _, value in lines}, bytes(origin.source_hash))


def _read_sections(m: Memory) -> list[r.Section]:
    sections = (bv.bv_file_get_section(m.file, i) for i in range(bv.bv_file_get_info(m.file).section_count))
    return [r.Section(s.name.decode("ascii", "replace"), s.version, s.required, s.known, s.bytes) for s in sections]


def _read_hierarchy(m: Memory) -> r.Hierarchy:
    info = bv.bv_file_get_hierarchy(m.file)
    errors = c.bv_file_errors()
    has_errors = bv.bv_file_get_errors(m.file, ctypes.byref(errors))
    types = {bv.bv_volume_type_name(i).decode(): n for i, n in enumerate(info.of_type) if n > 0}
    return r.Hierarchy(info.nodes, info.leaves, info.depth, types, interval_of(errors.surface) if has_errors else None,
                       interval_of(errors.solid) if has_errors else None)


def open_file(source: Union[str, bytes, os.PathLike[str], bytearray, memoryview], *, mapped: bool = True) -> File:
    """Opens a .bvh file and checks all of it.

    source: a path (str or os.PathLike), or the bytes of a file. Bytes that can change are copied.
    mapped: maps the file into memory, so that opening copies nothing. A mapped file must not be shortened or overwritten in place while it
        is open; bvbuild replaces files, which is safe. False reads it.

    Raises OSError if the file cannot be read, DamagedFile if it is not a valid .bvh file, Unsupported if it needs a newer library.
    """
    truth(mapped, "mapped")
    if isinstance(source, (bytes, bytearray, memoryview)):
        return File(_memory.of_bytes(source, "bytes"))
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"bvbuild.open needs a path or bytes, not {type(source).__name__}")
    return File(_memory.of_path(source, mapped))
