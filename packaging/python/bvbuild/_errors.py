"""Exceptions, and how they are made from the status of a C function."""

from __future__ import annotations

from . import _native as c


class Error(Exception):
    """The base of all exceptions that this package raises for what the library reports."""


class ArgumentError(Error, ValueError):
    """An argument is out of range."""


class InputError(Error):
    """An input is missing, unreadable or not a valid mesh."""


class Unsupported(Error):
    """A format, version, feature or combination of shapes that the library does not support."""


class OutputError(Error):
    """An output could not be written."""


class OutOfMemory(Error, MemoryError):
    """A memory allocation failed."""


class LimitError(Error):
    """A limit of the library was exceeded."""


class DamagedFile(Error):
    """A .bvh file is not valid, or its checksums do not match."""


class InternalError(Error):
    """A bug in the library."""


_BY_STATUS = {
    c.bv_status.bv_error_argument: ArgumentError,
    c.bv_status.bv_error_input: InputError,
    c.bv_status.bv_error_unsupported: Unsupported,
    c.bv_status.bv_error_output: OutputError,
    c.bv_status.bv_error_memory: OutOfMemory,
    c.bv_status.bv_error_limit: LimitError,
    c.bv_status.bv_error_damaged: DamagedFile,
}


def error_of(status: int, message: str) -> Error:
    """The exception for a status other than bv_ok."""
    return _BY_STATUS.get(status, InternalError)(message)
