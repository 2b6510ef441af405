"""Builds .bvh files, and reports on them: what the tools bvbuild and bvinspect do."""

from __future__ import annotations

import ctypes
import errno
import itertools
import json
import os
import re
import stat
from collections.abc import Callable
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from . import _memory
from . import _native as c
from ._arrays import count, truth, vectors
from ._callbacks import Calls
from ._errors import Error, error_of
from ._library import bv
from ._library import bvbuild as library
from ._memory import Memory

#: Called with the name of the stage and its progress from 0 to 1, or None if that is not known.
Progress = Callable[[str, Optional[float]], Any]


class GateFailed(Error):
    """A condition of the option `gate` does not hold, or there is a message with the option `strict`."""


class Message(NamedTuple):
    """Something that should be fixed."""

    kind: str  #: "skipped", "gate", "problem" or "lost object"
    text: str
    advice: Optional[str]

    def __str__(self) -> str:
        return f"{self.text} {self.advice}" if self.advice else self.text


class Arena:
    """Memory of the offline library, which is freed at the end of a with block, and its error message."""

    def __init__(self) -> None:
        self.bvb = library()
        self.error = c.bvb_error()

    def __enter__(self) -> Arena:
        self.pointer = self.bvb.bvb_arena_create()
        if not self.pointer:
            raise MemoryError
        return self

    def __exit__(self, *exception: Any) -> None:
        self.bvb.bvb_arena_destroy(self.pointer)

    def check(self, status: int, what: str) -> None:
        """Raises the exception of a status, with the library's message."""
        if status:
            message = self.error.message.decode("utf-8", "replace")
            raise error_of(status, message or what)


def _optional(text: Optional[bytes]) -> Optional[str]:
    return None if text is None else text.decode("utf-8", "replace")


def report_of(memory: Memory, build: Any = None) -> dict[str, Any]:
    """The JSON report as a dict."""
    with Arena() as arena:
        text = ctypes.c_char_p()
        arena.check(arena.bvb.bvb_report_json(memory.file, build, arena.pointer, ctypes.byref(text), ctypes.byref(arena.error)), "report")
        assert text.value is not None
        out: dict[str, Any] = json.loads(text.value)
        return out


def write_html(memory: Memory, build: Any, path: Any, force: bool) -> None:
    """The report as an HTML page."""
    _check_replaced(path, "a page of bvbuild", lambda head: head.startswith(b"<!DOCTYPE html>") and b'content="bvbuild ' in head, force)
    with Arena() as arena:
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        arena.check(arena.bvb.bvb_report_html(memory.file, build, arena.pointer, ctypes.byref(data), ctypes.byref(size),
                                              ctypes.byref(arena.error)), "html")
        _write(arena, path, data, size.value)


def write_file(memory: Memory, path: Any, force: bool) -> None:
    """The bytes of a file."""
    _check_replaced(path, "a .bvh file", lambda head: head.startswith(b"\x89BVH"), force)
    with Arena() as arena:
        _write(arena, path, memory.data.ctypes.data, memory.data.size)


def _write(arena: Arena, path: Any, data: Any, size: int) -> None:
    arena.check(arena.bvb.bvb_write_file(encoded_path(path), data, size, ctypes.byref(arena.error)), "write")


_HEAD_BYTES = 4095


def _check_replaced(path: Any, kind: str, is_kind: Callable[[bytes], bool], force: bool) -> None:
    """An output replaces only such an output, by the rule of the command line: an existing file that is neither empty nor of its kind remains."""
    if truth(force, "force"):
        return
    name = encoded_path(path)
    try:
        state = os.stat(name)
    except OSError:
        return  # it is new, or the library says why it cannot be written
    if not stat.S_ISREG(state.st_mode) or state.st_size == 0:
        return
    try:
        with open(name, "rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        head = b""
    if not is_kind(head):
        raise FileExistsError(errno.EEXIST, f"exists and is not {kind}, so it is not replaced (force=True replaces it)", os.fsdecode(name))


def encoded_path(path: Any) -> bytes:
    """A path as the library takes it."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a str or os.PathLike, not {type(path).__name__}")
    out = os.fsencode(path)
    if b"\0" in out or not out:
        raise ValueError(f"path must not be empty or contain NUL: {path!r}")
    return out


def verify(memory: Memory) -> None:
    """Proves what the file states."""
    with Arena() as arena:
        result = c.bvb_verify_result()
        arena.check(arena.bvb.bvb_file_verify(memory.file, arena.pointer, ctypes.byref(result), ctypes.byref(arena.error)), "verify")


def build_options() -> dict[str, tuple[str, str]]:
    """What `build` takes as options: by name, the value and the explanation."""
    bvb = library()
    out = {}
    value, text = ctypes.c_char_p(), ctypes.c_char_p()
    index = 0
    while name := bvb.bvb_build_option_name(index, ctypes.byref(value), ctypes.byref(text)):
        out[name.decode().replace("-", "_")] = (_optional(value.value) or "", _optional(text.value) or "")
        index += 1
    return out


class Outcome(NamedTuple):
    """What a build returns to the class that shows it."""

    memory: Memory
    build: Any
    messages: list[Message]
    passes: bool


def run(source: Any, triangles: Any, name: Optional[str], format: Optional[str], progress: Optional[Progress], threads: int,
        options: dict[str, Any]) -> Outcome:
    """Builds a file: see bvbuild.build."""
    bvb = library()
    how, keep = _read_options(options)
    bvb.bvb_build_options_set_threads(ctypes.byref(how), count(threads, "threads", 0, 1024))
    calls = _watch(progress, how)
    source_input, keep_source = _input_of(source, triangles, name, format, bool(options.get("drop_non_finite")))
    with Arena() as arena:
        result = c.bvb_build_result()
        status = calls.run(bvb.bvb_build, ctypes.byref(source_input), ctypes.byref(how), arena.pointer, ctypes.byref(result),
                           ctypes.byref(arena.error))
        if status:
            message = _for_python(arena.error.message.decode("utf-8", "replace"))
            if "(--list-objects lists all)" in message:
                message = message.replace("--list-objects lists all", _object_names(source_input, how, arena))
            raise error_of(status, message or "build")
        label = os.fsdecode(source_input.name)
        messages = [Message(_optional(bvb.bvb_message_kind_name(m.kind)) or "", _optional(m.text) or "", _optional(m.advice))
                    for m in result.messages[:result.message_count]] if result.message_count else []
        memory = _memory.of_bytes(memoryview((ctypes.c_uint8 * result.bytes.size).from_address(result.bytes.data)), label)
        times = c.bvb_report_build.from_buffer_copy(result.build)
        return Outcome(memory, times, messages, bool(result.passes))


def _watch(progress: Optional[Progress], how: c.bvb_build_options) -> Calls:
    """Sets the callbacks of a build. Python handles signals in them, so that Ctrl-C ends the search for convex parts."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function, not {type(progress).__name__}")
    calls, name = Calls(), library().bvb_stage_name

    def stage(_context: Any, number: int, done: float) -> None:
        if progress is not None:
            progress(name(number).decode(), None if done < 0 else done)

    def decompose(context: Any, done: float) -> bool:
        stage(context, c.bvb_stage.bvb_stage_decompose, done)
        return True

    how.asset.progress = calls.callback(c.bvb_asset_progress, stage)
    how.asset.decompose.progress = calls.callback(c.bvb_decompose_progress, decompose)
    return calls


def _read_options(options: dict[str, Any]) -> tuple[c.bvb_build_options, Any]:
    pairs = [(key.replace("_", "-"), text) for key, value in options.items() for text in _texts(key, value)]
    named = (c.bvb_named_option * max(1, len(pairs)))()
    for i, (key, text) in enumerate(pairs):
        named[i].name = key.encode("utf-8", "surrogateescape")
        named[i].value = text
    out, error = c.bvb_build_options(), c.bvb_error()
    status = library().bvb_build_options_read(named, len(pairs), ctypes.byref(out), ctypes.byref(error))
    if status:
        message = _for_python(error.message.decode("utf-8", "replace"))
        if status == c.bv_status.bv_error_argument and message.startswith("unknown option"):
            raise TypeError(f"build: {message}")
        raise error_of(status, message)
    return out, named


def _for_python(message: str) -> str:
    """A message about options of the command line, with their names in Python."""
    names = build_options()
    unknown = re.match(r"unknown ([^']+) '", message)
    kind = unknown[1] if unknown else ""
    message = message.replace("--help=all lists all", _where_listed(kind))
    message = re.sub(r"(?<![\w-])--([a-z][a-z-]*)", lambda m: name if (name := m[1].replace("-", "_")) in names else m[0], message)
    if kind == "option":
        message = re.sub(r"'([a-z-]+)'", lambda m: m[0].replace("-", "_"), message)
    return message


def _where_listed(kind: str) -> str:
    """Where the names of a kind are, or the names."""
    bvb = library()
    tables = {"section": bvb.bvb_section_name, "builder": bvb.bvb_builder_name, "splitter": bvb.bvb_splitter_name,
              "method of --box": bvb.bvb_obb_method_name, "method of --node-box": bvb.bvb_node_box_name,
              "method of --node-box for --refit": bvb.bvb_node_box_name, "decomposer": bvb.bvb_decomposer_name,
              "volume": lambda index, _summary: bv.bv_volume_type_name(index)}
    if kind not in tables:
        return "bvbuild.build_options() lists all" if kind == "option" else "docs/cli.md lists all"
    names = itertools.takewhile(bool, (tables[kind](index, None) for index in itertools.count()))
    return f"one of {', '.join(name.decode() for name in names)}"


_OBJECTS_LISTED = 20


def _object_names(source: c.bvb_build_input, how: c.bvb_build_options, arena: Arena) -> str:
    """The names of the objects that a mesh file has, for a message."""
    imported, error, limits = c.bvb_import(), c.bvb_error(), ctypes.byref(getattr(how, "import"))
    if source.scene:
        scene = source.scene[0]
    elif source.data:
        status = arena.bvb.bvb_import_bytes(source.data, source.size, source.format, source.name, limits, arena.pointer, ctypes.byref(imported),
                                            ctypes.byref(error))
        scene = c.bvb_scene() if status else imported.scene
    else:
        status = arena.bvb.bvb_import_file(source.name, limits, arena.pointer, ctypes.byref(imported), ctypes.byref(error))
        scene = c.bvb_scene() if status else imported.scene
    names = list(dict.fromkeys(repr(_optional(scene.objects[i]) or "") for i in range(scene.object_count)))
    if not names:
        return "it has no objects with names"
    more = len(names) - _OBJECTS_LISTED
    return f"its objects are {', '.join(names[:_OBJECTS_LISTED])}{f' and {more} more' if more > 0 else ''}"


_REPEATED = ("object", "gate")


def _texts(key: str, value: Any) -> list[Optional[bytes]]:
    """The values of an option as text: none for False and None, one without a value for True."""
    if value is None or value is False:
        return []
    if value is True:
        return [None]
    if isinstance(value, (list, tuple)):
        if key in _REPEATED:
            return [text for item in value for text in _texts(key, item)]
        return [b",".join(_text(key, item) for item in value)]
    return [_text(key, value)]


def _text(key: str, value: Any) -> bytes:
    if isinstance(value, str):
        text = value
    elif isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{key} must be a str, a number, True or False, or a list of these, not {type(value).__name__}")
    else:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    if "\0" in text:
        raise ValueError(f"{key} must not contain NUL")
    return text.encode("utf-8", "surrogateescape")


def _input_of(source: Any, triangles: Any, name: Optional[str], format: Optional[str], drops: bool) -> tuple[c.bvb_build_input, Any]:
    """The input of a build, and what it refers to."""
    if triangles is None and isinstance(source, (str, os.PathLike)):
        if name is not None or format is not None:
            raise TypeError("name and format are for bytes and arrays; a file has its own")
        path = encoded_path(source)
        return c.bvb_build_input(name=path), path
    label = encoded_path(name) if name is not None else b"mesh"
    if triangles is None and isinstance(source, (bytes, bytearray, memoryview)):
        if not isinstance(format, str):
            raise TypeError("bytes of a mesh file need a format, such as format='obj'")
        data = bytes(source)
        buffer = ctypes.create_string_buffer(data, len(data) + 1)
        return c.bvb_build_input(name=label, data=ctypes.addressof(buffer), size=len(data), format=_text("format", format)), buffer
    if triangles is None:
        raise TypeError(f"build needs vertices and triangles, a path, or bytes and their format, not only {type(source).__name__}")
    if format is not None:
        raise TypeError("format is for bytes of a mesh file")
    scene, keep = _scene_of(source, triangles, drops)
    return c.bvb_build_input(name=label, scene=ctypes.pointer(scene)), (scene, keep)


def _scene_of(vertices: Any, triangles: Any, drops: bool) -> tuple[c.bvb_scene, Any]:
    positions = np.ascontiguousarray(vectors(vertices, "vertices"), dtype=np.float64)
    corners = np.asarray(triangles)
    if corners.dtype.kind not in "iu" and corners.size > 0:
        raise TypeError(f"triangles must be an array of integers, not of {corners.dtype}")
    if positions.ndim != 2:
        raise ValueError(f"vertices must have the shape (N, 3), not {positions.shape}")
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise ValueError(f"triangles must have the shape (M, 3), not {corners.shape}")
    if max(len(positions), len(corners)) >= 2**32 - 1:
        raise ValueError("meshes have less than 2**32 - 1 vertices and triangles")
    wrong = np.flatnonzero(((corners < 0) | (corners >= len(positions))).any(axis=1))
    if len(wrong) > 0:
        raise ValueError(f"triangles[{wrong[0]}] is {corners[wrong[0]].tolist()}, but there are {len(positions)} vertices")
    wrong = np.flatnonzero(~np.isfinite(positions).all(axis=1))
    if len(wrong) > 0 and not drops:
        raise ValueError(f"vertices[{wrong[0]}] must be finite, not {positions[wrong[0]].tolist()} (drop_non_finite=True drops its triangles)")
    corners = np.ascontiguousarray(corners, dtype=np.uint32)
    scene = c.bvb_scene()
    scene.mesh.positions = ctypes.cast(positions.ctypes.data, ctypes.POINTER(c.bv_vec3))
    scene.mesh.triangles = ctypes.cast(corners.ctypes.data, ctypes.POINTER(c.bvb_triangle))
    scene.mesh.vertex_count, scene.mesh.triangle_count = len(positions), len(corners)
    return scene, (positions, corners)


Source = Union[str, "os.PathLike[str]", bytes, Any]
