"""Search for JSON in an answer: the cost of hostile texts."""

from __future__ import annotations

import pytest

from pytest_planguard.document.answer import read

from ...support.cost import assert_growth


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["{a: }\n", '{"a" }\n', "{'a'}\n"])
def test_broken_objects_in_a_row_take_linear_time(piece: str) -> None:
    """Python's parser counts the lines before each error: a megabyte of these took two minutes."""
    assert_growth(lambda size: read(piece * (size // len(piece))), 20_000, 160_000, below=20)
