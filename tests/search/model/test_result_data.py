"""A result as JSON and back."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.errors import UsageError
from pytest_planguard.search.agenda.search import search
from pytest_planguard.search.model.budget import StepBudget
from pytest_planguard.search.model.config import SearchConfig
from pytest_planguard.search.model.result import SearchResult
from pytest_planguard.search.model.result_data import read_result, result_data

from ..pipelines import Adversary, Scripted

BUDGETS = st.lists(st.builds(StepBudget, st.integers(1, 3), st.integers(0, 3)), min_size=1, max_size=4)


def through_json(result: SearchResult) -> SearchResult:
    """Written as text and read again."""
    return read_result(json.loads(json.dumps(result_data(result))))


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32), budgets=BUDGETS)
def test_a_result_comes_back_as_it_was(seed: int, budgets: list[StepBudget]) -> None:
    """Path, tree, findings and reason."""
    adversary = Adversary(seed, budgets)
    result = search(adversary.steps, SearchConfig(blame=adversary.table))
    assert through_json(result) == result


def test_an_error_comes_back() -> None:
    """With the step's name."""
    result = search(Scripted({"g_plan": ["raise"]}).steps)
    assert through_json(result) == result
    assert result_data(result)["error"] == {
        "step": "g_plan",
        "part": "ask",
        "message": "RuntimeError: no connection",
    }


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "a search result has version 1: got None; write it again with this version"),
        ({"version": 2}, "a search result has version 1: got 2; write it again with this version"),
        ({"version": 1}, "no search result: got data without a valid 'steps'; write it again"),
    ],
)
def test_data_that_is_no_result(data: dict[str, Any], message: str) -> None:
    """The message says what is missing."""
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        read_result(data)


@pytest.mark.parametrize(
    ("node", "field", "value", "wrong"),
    [
        (1, "parent", 2, "parent of node 2"),
        (0, "number", 7, "node 1"),
        (2, "level", 9, "node 3"),
        (0, "parent", 0, "parent of node 1"),
    ],
)
def test_a_tree_that_is_none(node: int, field: str, value: int, wrong: str) -> None:
    """Numbers that do not lead to the first step, or around in a circle, are refused before anybody follows them."""
    data = result_data(search(Scripted({}).steps))
    data["nodes"][node][field] = value
    with pytest.raises(UsageError, match=f"^no search result: got data without a valid {wrong}; write it again$"):
        read_result(data)
