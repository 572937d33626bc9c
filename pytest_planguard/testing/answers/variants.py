"""Values beside one that was drawn, for lists whose items all differ: nothing drawn twice has to be thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .shapes import Number, Shape, Text, Values
from .texts_drawn import fits

MOST = 50
"""Values that are tried; lists are far shorter."""


def variants(shape: Shape, value: Any) -> Iterator[Any]:
    """Yield other values of a shape: "ab1" for "ab", 8 and 6 for 7, the other values of an enumeration."""
    if isinstance(shape, Values):
        yield from shape.values
    elif isinstance(shape, Text) and shape.format is None:
        yield from (text for number in range(1, MOST) if fits(shape, text := f"{value}{number}"))
    elif isinstance(shape, Number) and shape.whole:
        step = int(shape.multiple_of or 1) or 1
        near = (value + sign * step * number for number in range(1, MOST) for sign in (1, -1))
        yield from (one for one in near if _is_within(shape, one))


def _is_within(shape: Number, number: int) -> bool:
    low, high = shape.size.low, shape.size.high
    included = (low is None or number >= low.limit) and (high is None or number <= high.limit)
    return included and (shape.above is None or number > shape.above) and (shape.below is None or number < shape.below)
