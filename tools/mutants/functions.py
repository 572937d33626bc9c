"""The functions of planguard that a process has loaded, and a change of one of them."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from types import CodeType, FunctionType
from typing import Any

Place = tuple[str, str, int]
"""File, name and first line of a function."""
_CACHE: Any = type(cache(lambda: None))


class LoadedFunctions:
    """Every function of planguard that is loaded, but for those that gc has frozen."""

    def __init__(self) -> None:
        self._of_place: dict[Place, list[FunctionType]] = defaultdict(list)
        self._cache_of: dict[int, Any] = {}
        for one in gc.get_objects():
            # Not `isinstance`: it asks a lazy module for its class, and the module loads, which takes a second.
            if type(one) is FunctionType and "pytest_planguard" in one.__code__.co_filename:
                self._of_place[_place(one.__code__)].append(one)
            elif type(one) is _CACHE:
                self._cache_of[id(one.__wrapped__)] = one

    def __contains__(self, place: Place) -> bool:
        """Return whether there is such a function."""
        return place in self._of_place

    def put(self, code: CodeType) -> None:
        """Give a function other code, and the functions that it has returned, as a decorator does, their part of it.

        What `functools.cache` remembers of them is forgotten.
        """
        for part in (code, *_inner(code)):
            for one in self._of_place.get(_place(part), ()):
                with suppress(ValueError):  # the change has removed a variable of the function around it
                    one.__code__ = part
                if id(one) in self._cache_of:
                    self._cache_of[id(one)].cache_clear()


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner(constant)
