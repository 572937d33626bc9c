"""Errors printed as data in a request."""

import warnings
from typing import Literal

import pytest

from pytest_planguard.retry.reading.structures import values


@pytest.mark.parametrize("action", ["error", "always"])
def test_a_stray_escape_is_read_whatever_the_warning_filters(action: Literal["error", "always"]) -> None:
    r"""Python warns of `\d` in a text, more loudly from 3.12 on: no noise in a run, and no other judgement."""
    text = r"Errors: [{'loc': ('title',), 'msg': 'does not match \d+'}]"
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter(action)
        assert [value for value, _, _ in values(text)] == [[{"loc": ("title",), "msg": r"does not match \d+"}]]
    assert seen == []
