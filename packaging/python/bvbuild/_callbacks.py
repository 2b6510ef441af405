"""Functions of Python that the library calls.

ctypes prints and drops what such a function raises, and the library goes on. Python handles signals, such as that of Ctrl-C, when it enters a
function, before a `try` of that function can catch what the handler raises. Therefore calls are counted twice: when they begin, by an object in C,
in which nothing can be raised, and when they have ended. If the counts differ, the result of the library is not returned.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import Any, Optional


class Calls:
    """The callbacks of one call of the library, which `run` makes. They live as long as this object."""

    def __init__(self) -> None:
        self._exception: Optional[BaseException] = None
        self._begun: list[Any] = []
        self._ended = 0
        self._kept: list[Any] = []

    def keep(self, thing: Any) -> None:
        """Keeps what the library refers to during the call."""
        self._kept.append(thing)

    def callback(self, kind: Any, function: Callable[..., Any]) -> Any:
        """A callback of a type of ctypes. After one call has failed, `function` is not called again, and the library receives False."""

        def call(*arguments: Any) -> Any:
            try:
                if self._count() == self._ended + 1:
                    result = function(*arguments)
                    self._ended += 1
                    return result
            except BaseException as exception:
                self._exception = exception
            return False

        # With maxsize=0 it stores nothing, and counts a miss before it enters the function.
        counted = functools.lru_cache(maxsize=0)(call)
        self._begun.append(counted)
        self._kept.append(kind(counted))
        return self._kept[-1]

    def run(self, function: Any, *arguments: Any) -> Any:
        """Calls a function of the library. If a call of a callback failed, raises what was raised, and otherwise returns the result."""
        if not self._begun:
            return function(*arguments)
        # Signals are handled in the main thread alone.
        main = threading.current_thread() is threading.main_thread()
        result = self._watched(function, arguments) if main else function(*arguments)
        if self._exception is not None:
            raise self._exception
        if self._count() != self._ended:
            raise (KeyboardInterrupt if main else RuntimeError)("a callback failed when it was entered; Python has printed why")
        return result

    def _count(self) -> int:
        return sum([counted.cache_info().misses for counted in self._begun])

    def _watched(self, function: Any, arguments: Any) -> Any:
        """Notes what ctypes would print. What others raise is passed on."""
        before = sys.unraisablehook

        def note(unraisable: Any) -> None:
            # Since Python 3.13 only the message names the function.
            message = unraisable.err_msg or ""
            if any(unraisable.object is counted or repr(counted) in message for counted in self._begun):
                self._exception = self._exception or unraisable.exc_value or unraisable.exc_type()
            else:
                before(unraisable)

        try:
            sys.unraisablehook = note
            return function(*arguments)
        finally:
            if sys.unraisablehook is note:
                sys.unraisablehook = before
