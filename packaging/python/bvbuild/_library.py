"""Finds and loads the shared libraries, and gives their functions the types that the headers declare.

They are looked for in this order: the folder $BVBUILD_LIBRARIES; the folder `lib` of this package, where wheels have them; the system's folders.
libbvbuild, which builds files, is loaded when it is first needed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import threading
from collections.abc import Iterator
from typing import Any

from . import _native as c
from ._errors import error_of

_SONAME = f"so.{c.BV_VERSION_MAJOR}"
_BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
_GIVEN = os.environ.get("BVBUILD_LIBRARIES")
# Absolute, because the second library can be loaded from another working folder.
_FOLDER = os.path.abspath(_GIVEN) if _GIVEN else _BUNDLED if os.path.isdir(_BUNDLED) else ""
_lock = threading.Lock()
_bvbuild: Any = None


def _open(name: str) -> Any:
    file = f"lib{name}.{_SONAME}"
    try:
        return ctypes.CDLL(os.path.join(_FOLDER, file) if _FOLDER else file)
    except OSError as error:
        raise ImportError(f"bvbuild: cannot load {file}: {error}") from None


def _declare(library: Any, functions: list[Any], version: str) -> Any:
    for name, result, parameters in functions:
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"bvbuild: {library._name} has no function {name}: it is not version {c.BV_VERSION}") from None
        function.restype = result
        function.argtypes = parameters
    found = getattr(library, version)().decode()
    if found != c.BV_VERSION:
        raise ImportError(f"bvbuild: {library._name} is version {found}, but this package is for {c.BV_VERSION}")
    return library


def _load_bundled() -> None:
    """Loads what libbvbuild needs, so that the linker finds it by name. A wheel lists it, what others need first."""
    if _FOLDER != _BUNDLED:
        return
    try:
        with open(os.path.join(_BUNDLED, "order"), encoding="ascii") as lines:
            names = lines.read().split()
    except FileNotFoundError:
        return
    for name in names:
        ctypes.CDLL(os.path.join(_BUNDLED, name))


_WAITING = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000"}
_LEAST_STACK = 2 << 20


def _stack_size(text: str) -> int:
    """Of OMP_STACKSIZE: bytes. Text that is none counts as too small."""
    match = re.fullmatch(r"\s*(\d+)\s*([bkmg]?)\s*", text, re.IGNORECASE)
    return int(match[1]) << {"b": 0, "k": 10, "": 10, "m": 20, "g": 30}[match[2].lower()] if match else 0


@contextlib.contextmanager
def _openmp_environment() -> Iterator[None]:
    """What OpenMP reads when it is loaded. Its threads wait asleep, as those of the tool bvbuild do, unless the user has said how they wait, and
    have enough stack. Has no effect if another package has loaded the same OpenMP before."""
    before = {name: os.environ.get(name) for name in (*_WAITING, "OMP_STACKSIZE", "GOMP_STACKSIZE")}
    if not any(name in os.environ for name in _WAITING):
        os.environ.update(_WAITING)
    for name in ("OMP_STACKSIZE", "GOMP_STACKSIZE"):
        if _stack_size(os.environ.get(name, "2m")) < _LEAST_STACK:
            del os.environ[name]
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def bvbuild() -> Any:
    """libbvbuild, loaded when it is first needed."""
    global _bvbuild
    with _lock:
        if _bvbuild is None:
            with _openmp_environment():
                _load_bundled()
                library = _open("bvbuild")
            _bvbuild = _declare(library, c.functions_of_bvbuild(), "bvb_version")
    return _bvbuild


bv: Any = _declare(_open("bv"), c.functions_of_bv(), "bv_version")


def check(status: int, what: str) -> None:
    """Raises the exception of a status other than bv_ok.

    what: what was tried, such as "distance".
    """
    if status != c.bv_status.bv_ok:
        raise error_of(status, f"{what}: {bv.bv_status_text(status).decode()}")
