"""The name of a call tells its step again, whatever the step is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.search.context.step_context import Artifact, StepContext, TapeKey
from pytest_planguard.search.judging.call_names import call_name, prefix_name, step_of

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1) | st.sampled_from(
    ["g_plan", "plan after 3", "step, answer 2", "plan search 1: x"]
)


def context(step: str, index: int, before: int | None) -> StepContext:
    """A call of a step, to the first path or to one that ends in a node."""
    path = () if before is None else (Artifact("before", "{}", node=before),)
    return StepContext(TapeKey(step, "", "", index), path, (), (), 3)


@given(NAMES.filter(lambda name: " after " not in name), st.integers(0, 99), st.none() | st.integers(1, 99))
def test_the_step_is_read_back(step: str, index: int, before: int | None) -> None:
    """From the names of all its calls."""
    assert step_of(call_name(1, context(step, index, before))) == step


def test_the_names_of_a_pipeline() -> None:
    """As people read them."""
    assert prefix_name(1, context("g_strategy", 0, None)) == "plan search 1: g_strategy"
    assert call_name(2, context("g_plan", 1, 3)) == "plan search 2: g_plan after 3, answer 2"


@pytest.mark.parametrize("name", [None, "", "1", "plan search 1", "models 1", "my plan search 1: x, answer 1"])
def test_other_conversations_are_of_no_search(name: str | None) -> None:
    """Names that tests and apps give."""
    assert step_of(name) is None
