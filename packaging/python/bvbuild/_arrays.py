"""Checks what callers pass, and describes arrays for the library. All errors of shapes, types and ranges are raised here."""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _native as c
from ._library import bv
from ._memory import frozen

#: What functions take as a vector, or as an array of vectors.
Vectors = Union[npt.NDArray[Any], Sequence[Any]]

#: What functions take as a pose: a 4x4 matrix, (3x3 rotation, translation), (quaternion x y z w, translation), (scipy's Rotation, translation).
#: None is the identity.
Pose = Optional[Union[npt.NDArray[Any], Sequence[Any]]]


def numbers(value: Any, name: str) -> npt.NDArray[Any]:
    """An array of float32 or float64; others are converted. Neither copies nor checks values if that is not needed."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name}: rows have different lengths") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be an array of real numbers, not of {array.dtype if array.dtype != object else type(value).__name__}")
    if array.dtype in (np.float32, np.float64) and array.dtype.isnative:
        return array
    with np.errstate(over="ignore"):
        return array.astype(np.float64)


def vectors(value: Any, name: str) -> npt.NDArray[Any]:
    """An array of shape (N, 3) or (3,), whose rows are contiguous."""
    array = numbers(value, name)
    if array.ndim not in (1, 2) or array.shape[-1] != 3:
        raise ValueError(f"{name} must have the shape (N, 3) or (3,), not {array.shape}")
    if array.strides[-1] != array.itemsize:
        array = np.ascontiguousarray(array)
    return array


def vector(value: Any, name: str) -> c.bv_vec3:
    """One vector of finite numbers up to BV_MAX_LENGTH."""
    array = numbers(value, name)
    if array.shape != (3,):
        raise ValueError(f"{name} must have the shape (3,), not {array.shape}")
    x, y, z = (float(v) for v in array)
    if not max(abs(x), abs(y), abs(z)) <= c.BV_MAX_LENGTH or math.isnan(x + y + z):
        raise ValueError(f"{name} must be finite and at most 2**200, not {[x, y, z]}")
    return c.bv_vec3(x, y, z)


def number(value: Any, name: str, least: float = -math.inf, most: float = math.inf) -> float:
    """A number in a range."""
    if isinstance(value, (bool, np.bool_, str, bytes)):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    try:
        out = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}") from None
    except OverflowError:
        out = math.inf
    if not least <= out <= most:
        raise ValueError(f"{name} must be from {least:g} to {most:g}, not {out:g}")
    return out


def count(value: Any, name: str, least: int = 0, most: int = 2**64 - 1) -> int:
    """An integer in a range."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be an integer, not bool")
    try:
        out = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None
    if not least <= out <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {out}")
    return out


def truth(value: Any, name: str) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)


def described(array: npt.NDArray[Any], rank: int, n: int) -> c.bv_array:
    """N vectors (rank 1) or numbers (rank 0) as the library takes them; one vector or number stands for all N."""
    kind = c.bv_number.bv_number_double if array.dtype == np.float64 else c.bv_number.bv_number_float
    many = array.ndim > rank and array.shape[0] != 1
    return c.bv_array(array.ctypes.data if n > 0 else None, array.strides[0] if many else 0, kind)


def common_length(arrays: Sequence[tuple[str, npt.NDArray[Any], int]]) -> tuple[int, bool]:
    """How many rows several arrays (name, array, rank) have together, and whether any has rows at all. One row goes with any number."""
    n, who, many = 1, "", False
    for name, array, rank in arrays:
        if array.ndim > rank:
            many = True
            if array.shape[0] != 1:
                if n != 1 and array.shape[0] != n:
                    raise ValueError(f"{who} and {name} have different lengths: {n} and {array.shape[0]}")
                n, who = array.shape[0], name
    return n, many


def structs(n: int, struct: Any) -> npt.NDArray[Any]:
    """An uninitialized array of C structs."""
    return np.empty(n, dtype=dtype_of(struct))


_dtypes: dict[Any, Any] = {}


def dtype_of(struct: Any) -> Any:
    """The dtype of a C struct."""
    if struct not in _dtypes:
        _dtypes[struct] = np.dtype(struct)
    return _dtypes[struct]


def address(array: npt.NDArray[Any], kind: Any) -> Any:
    """A pointer to the first element, or None if there is none."""
    return ctypes.byref(kind.from_address(array.ctypes.data)) if array.size else None


def column(records: npt.NDArray[Any], *path: Any) -> npt.NDArray[Any]:
    """A view of a member of an array of structs. Vectors and arrays become a last axis."""
    dtype: Any = records.dtype
    offset = 0
    for name in path:
        if isinstance(name, int):
            dtype, _ = dtype.subdtype
            offset += name * dtype.itemsize
        else:
            dtype, at = dtype.fields[name][:2]
            offset += at
    shape: tuple[int, ...] = ()
    if dtype.subdtype:
        dtype, shape = dtype.subdtype
    if dtype.names == ("x", "y", "z"):
        dtype, shape = np.dtype(np.float64), shape + (3,)
    if records.size == 0:
        return frozen(np.empty(records.shape + shape, dtype))
    strides = [dtype.itemsize]
    for size in shape[:0:-1]:
        strides.insert(0, strides[0] * size)
    out: npt.NDArray[Any] = np.ndarray(records.shape + shape, dtype, records, offset, records.strides + tuple(strides[:len(shape)]))
    return frozen(out)


def array_of(v: Any) -> npt.NDArray[np.float64]:
    """A bv_vec3 as an array of shape (3,)."""
    return np.array([v.x, v.y, v.z])


def arrays_of(vs: Any) -> npt.NDArray[np.float64]:
    """Several bv_vec3 as an array of shape (N, 3)."""
    return np.array([[v.x, v.y, v.z] for v in vs])


def matrix_of(transform: c.bv_transform) -> npt.NDArray[np.float64]:
    """A transform as a 4x4 matrix."""
    out = (ctypes.c_double * 16)()
    bv.bv_transform_to_matrix(ctypes.byref(transform), out)
    return np.array(out).reshape(4, 4).T.copy()


def placement(value: Any, name: str = "pose") -> Optional[c.bv_transform]:
    """A pose as a transform: see Pose."""
    if value is None:
        return None
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return _placement_of_pair(value[0], value[1], name)
    matrix = numbers(value, name)
    if matrix.shape != (4, 4):
        raise ValueError(f"{name} must be a 4x4 matrix, (rotation, translation) or (quaternion, translation), not of the shape {matrix.shape}")
    return _placement_of_matrix(matrix, name)


def _placement_of_matrix(matrix: npt.NDArray[Any], name: str) -> c.bv_transform:
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} must be finite")
    out = c.bv_transform()
    columns = np.ascontiguousarray(matrix.T, dtype=np.float64)
    if bv.bv_transform_from_matrix(columns.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), ctypes.byref(out)):
        raise ValueError(f"{name} must be a rotation, uniform scale and translation, with the last row 0 0 0 1")
    return in_range(out, name)


def _placement_of_pair(rotation: Any, translation: Any, name: str) -> c.bv_transform:
    if hasattr(rotation, "as_quat"):  # scipy.spatial.transform.Rotation
        rotation = rotation.as_quat()
    turn = numbers(rotation, f"{name}[0]")
    if turn.shape == (4,):
        quaternion = c.bv_quaternion(*(float(v) for v in turn))
        out = c.bv_transform()
        if bv.bv_transform_from_quaternion(quaternion, vector(translation, f"{name}[1]"), ctypes.byref(out)):
            raise ValueError(f"{name}[0] must be a quaternion x, y, z, w of length 1, not {[float(v) for v in turn]}")
        return in_range(out, name)
    if turn.shape != (3, 3):
        raise ValueError(f"{name}[0] must be a 3x3 rotation or a quaternion x, y, z, w, not of the shape {turn.shape}")
    move = vector(translation, f"{name}[1]")
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    matrix[:3, 3] = move.x, move.y, move.z
    return _placement_of_matrix(matrix, name)


def in_range(transform: c.bv_transform, name: str) -> c.bv_transform:
    t = transform.pose.translation
    if max(abs(t.x), abs(t.y), abs(t.z)) > c.BV_MAX_LENGTH:
        raise ValueError(f"{name}: the translation must be at most 2**200")
    return transform


def reference(struct: Any) -> Any:
    """A pointer to a struct for a call; None stays None."""
    return None if struct is None else ctypes.byref(struct)


