"""Reading untrusted JSON."""

from __future__ import annotations

import pytest

from pytest_planguard.document.limits import MAX_DEPTH
from pytest_planguard.wire.untrusted_json import (
    mapping,
    name_of,
    objects,
    parse_json,
    sequence,
    whole,
    words,
)


def test_wrong_types_read_as_empty() -> None:
    """A value of the wrong type reads as empty, never as an error."""
    assert (mapping([1]), sequence({"a": 1}), words(3), name_of(""), name_of(1)) == ({}, [], "", None, None)
    assert (whole(True), whole("1"), whole(0), objects([{"a": 1}, 2, [3]])) == (None, None, 0, [{"a": 1}])


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_is_bounded(opening: str) -> None:
    """Nesting up to the bound is read; deeper is refused, whether or not Python's own parser could read it."""
    closing = "]" if opening == "[" else "1}"

    def nested(depth: int) -> str:
        inner = "]" if opening == "[" else "}"
        return opening * depth + closing + inner * (depth - 1)

    assert parse_json(nested(MAX_DEPTH - 1))
    for depth in (MAX_DEPTH + 1, 900, 10_000):
        with pytest.raises(ValueError, match=r"^nested deeper than 200 levels$"):
            parse_json(nested(depth))
