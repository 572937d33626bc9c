"""Who decides whether "1" is an integer: the contract, else the model's own configuration."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from pytest_planguard.contract import Contract

from ...support.one_item import in_one_item


class Loose(BaseModel):
    """Pydantic's own default."""

    count: int


class Strict(BaseModel):
    """The model itself is strict."""

    model_config = ConfigDict(strict=True)
    count: int


@in_one_item
@pytest.mark.parametrize(
    ("schema", "strict", "taken"),
    [
        (Loose, False, True),
        (Loose, True, False),
        (Strict, False, False),
        (Strict, True, False),
        (dict[str, int], False, True),
        (dict[str, int], True, False),
    ],
)
@pytest.mark.parametrize("answer", ['{"count": "1"}', {"count": "1"}, {"count": "1", "\ud800": 2}])
def test_a_strict_contract_or_model_takes_no_text_for_a_number(
    schema: Any, strict: bool, taken: bool, answer: Any
) -> None:
    """For text, for values, and for data that pydantic's own JSON parser refuses."""
    found = Contract(schema, strict=strict).check(answer).findings
    assert all(finding.path != ("count",) for finding in found) is taken
