"""Hostile answers take a bounded multiple of their size in memory."""

from __future__ import annotations

import tracemalloc

import pytest

from pytest_planguard.document.answer import read

from ..support.nightly import drawn

_MOST = 42
"""Bytes at a time for each byte of the answer; `python -m tools.fuzz.scaling` measures many more shapes."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    drawn(["```\n{}\n```\n", "```json\n", "\n", "```yaml\na: 1\n```\n", "{}\n", "[1] ", "- a\n", "a: b\n"], 2),
)
def test_many_small_pieces_take_a_bounded_multiple_of_the_answers_size(unit: str) -> None:
    """Documents, fences and lines are kept as numbers; places are made of those that a problem names."""
    text = unit * (60_000 // len(unit))
    read(text[:600])  # what is loaded and compiled once is no part of it
    tracemalloc.start()
    read(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < _MOST * len(text)
