"""The bytes of an open file. Whatever refers to them holds this object, so that they are never freed while they are in use."""

from __future__ import annotations

import ctypes
import mmap
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native as c
from ._errors import DamagedFile, Unsupported, error_of
from ._library import bv


class Memory:
    """A checked file in memory: `file` is the pointer that queries take."""

    def __init__(self, data: npt.NDArray[np.uint8], name: str) -> None:
        reason = ctypes.c_char_p()
        self.file = ctypes.POINTER(c.bv_file)()
        self.data = data
        self.name = name
        status = bv.bv_file_open_explained(data.ctypes.data, data.size, ctypes.byref(self.file), ctypes.byref(reason))
        if status:
            text = reason.value.decode() if reason.value else bv.bv_status_text(status).decode()
            raise error_of(status, f"{name}: {text}")
        self.has_hierarchy = bv.bv_file_get_hierarchy(self.file).nodes > 0

    def view(self, pointer: Any, count: int, dtype: Any) -> npt.NDArray[Any]:
        """A read-only view of numbers in the file."""
        if not pointer or count == 0:
            return frozen(np.empty(0, dtype))
        offset = ctypes.addressof(pointer.contents) - self.data.ctypes.data
        return frozen(np.frombuffer(self.data, dtype, count, offset))

    def need_hierarchy(self) -> Memory:
        if not self.has_hierarchy:
            raise Unsupported(f"{self.name}: the file has no hierarchy, which queries need")
        return self


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, read-only."""
    array.flags.writeable = False
    return array


def of_bytes(data: Any, name: str) -> Memory:
    """Bytes are used where they are; what can change, or lies at an odd address, is copied."""
    given = np.frombuffer(data, np.uint8)
    if not isinstance(data, bytes) or given.ctypes.data % 8:
        copy = np.empty(given.size // 8 + 1, np.uint64).view(np.uint8)[:given.size]
        copy[:] = given
        given = copy
    return Memory(given, name)


def of_path(path: Any, mapped: bool) -> Memory:
    name = os.fsdecode(path)
    with open(path, "rb") as stream:
        if mapped:
            try:
                return Memory(np.frombuffer(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), np.uint8), name)
            except (ValueError, OSError):
                pass  # empty, or no file that can be mapped
        data = stream.read()
    if not data:
        raise DamagedFile(f"{name}: the file is empty")
    return of_bytes(data, name)
