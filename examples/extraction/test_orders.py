"""The suite was there before its cases had expected values; one file and the argument `cases` added them."""

from __future__ import annotations

from typing import Any

import pytest

from .orders import ORDER, read_order


@pytest.mark.planguard(ORDER, cases="orders.jsonl", min_score=0.5)
def test_an_order_is_read(planguard_case: Any) -> None:
    """The last good answer is compared by itself. Half of its fields are enough, since the model is very small."""
    read_order(planguard_case.input)
