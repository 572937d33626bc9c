"""The tables that `make nightly` runs in full and every change runs in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")
SLOW = settings(max_examples=settings.default.max_examples * 2 // 5)
"""For laws whose examples take 50 ms and more: 10, and 80 at night."""
NIGHT = 200
"""Examples of a law in the profile `nightly`: see tests/conftest.py."""


def drawn(several: Sequence[T], one_in: int, first: int = 0) -> Sequence[T]:
    """Return all cases at night, else every third for `one_in=3`.

    The cases take the same path through the code. A table passes its row number as `first`, so that each column keeps
    its share.
    """
    return several if at_night() else several[first % one_in :: one_in]


def at_night() -> bool:
    """Return whether `make nightly` runs the tests."""
    default = settings.default
    return default is not None and default.max_examples >= NIGHT
