"""Both channels of feedback in words, and the names of calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.feedback.feedback import FAILED_BEFORE
from pytest_planguard.plan_search.context import (
    Artifact,
    DownstreamFailure,
    OwnFailure,
    StepContext,
    TapeKey,
    call_name,
    prefix_name,
    preview,
    step_of,
    word_downstream,
    word_own,
)
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.step import SearchConfig

from .pipelines import Scripted, finding

UNREACHABLE = finding("goal-reachable", "goal_state", 0, message="nothing gives 'served'")
DOWN = DownstreamFailure("g_plan", (UNREACHABLE,), (("g_strategy", "big bang"), ("g_plan", "{}")))
DOWN_TEXT = """\
## Previous Attempt Failed

A downstream step (g_plan) failed validation:

**Guard feedback**: goal_state[0]: nothing gives 'served' [goal-reachable]

The following path was attempted:
- g_strategy: big bang
- g_plan: {}

Generate a different output that avoids this failure mode."""
OWN = (OwnFailure(1, "a", (finding("enum", "kind"),)), OwnFailure(2, "b", (finding("missing", "name"),)))
OWN_TEXT = """\
Attempt 2 of 3 failed validation (automated check, not the user). 1 problem:
1. /name: no [missing]
Keep everything else as it is. Return the whole corrected JSON document only.

Your earlier answers to this step were rejected too:
- attempt 1: kind [enum]"""
FIRST_TEXT = """\
Attempt 1 of 3 failed validation (automated check, not the user). 1 problem:
1. /kind: no [enum]
Keep everything else as it is. Return the whole corrected JSON document only."""


def context(own: tuple[OwnFailure, ...] = (), down: tuple[DownstreamFailure, ...] = ()) -> StepContext:
    """A context of the strategy."""
    return StepContext(TapeKey("g_strategy", "", "", len(own)), (), own, down, 3)


def test_the_text_about_a_downstream_failure() -> None:
    """The wording of the plan-search design, with codes that a program can read."""
    assert word_downstream(DOWN) == DOWN_TEXT


def test_the_text_about_own_failures() -> None:
    """The latest in full, the earlier ones by place and code."""
    assert word_own(OWN, max_attempts=3) == OWN_TEXT
    assert word_own(()) == ""
    assert word_own(OWN, style="blind") == ""


def test_a_preview_has_200_characters() -> None:
    """As in the design: cut, with three dots."""
    assert preview("x" * 200) == "x" * 200
    assert preview("x" * 201) == "x" * 200 + "..."


def test_many_findings_are_counted() -> None:
    """Ten are worded."""
    failure = DownstreamFailure("g_plan", tuple(finding("x", n) for n in range(12)), ())
    assert word_downstream(failure).count("[x]") == 10
    assert "; and 2 more" in word_downstream(failure)


@pytest.mark.parametrize(
    ("own", "down", "text"),
    [
        ((), (), "Choose a strategy."),
        ((), (DOWN,), f"Choose a strategy.\n\n{DOWN_TEXT}"),
        (OWN[:1], (), f"Choose a strategy.\n\n{FIRST_TEXT}"),
        (OWN, (DOWN, DOWN), f"Choose a strategy.\n\n{DOWN_TEXT}\n\n{DOWN_TEXT}\n\n{OWN_TEXT}"),
    ],
)  # fmt: skip
def test_both_channels_in_the_request(
    own: tuple[OwnFailure, ...], down: tuple[DownstreamFailure, ...], text: str
) -> None:
    """Behind the last user turn; the messages that were given stay as they are."""
    messages = [{"role": "system", "content": "You plan."}, {"role": "user", "content": "Choose a strategy."}]
    assert context(own, down).messages(messages) == [messages[0], {"role": "user", "content": text}]
    assert messages[1]["content"] == "Choose a strategy."
    assert context(own, down).messages("Choose a strategy.") == [{"role": "user", "content": text}]


def test_the_amendment_of_an_own_failure_is_told_apart_from_one_downstream() -> None:
    """Both under the design's heading, with another first sentence."""
    (message,) = context(OWN[:1], (DOWN,)).messages("Choose a strategy.", style="amendment")
    _, below, own = message["content"].split(f"{FAILED_BEFORE}\n\n")
    assert f"{FAILED_BEFORE}\n\n{below}".strip() == DOWN_TEXT
    assert own == (
        "The answer was rejected by its validation: 1 problem:\n- /kind: no [enum]\n\n"
        "Generate a different output that avoids this failure mode."
    )


def test_own_feedback_never_reaches_the_step_before() -> None:
    """The strategy is told of the plan's failure under the other heading, and of no retry of the plan."""
    scripted = Scripted({"g_plan": ["x", "goal-reachable", "ok"]})
    search(scripted.steps, SearchConfig(escalates=False))
    for asked in scripted.contexts:
        (message,) = asked.messages("Task.")
        own, down = "failed validation (automated check" in message["content"], FAILED_BEFORE in message["content"]
        assert own <= (asked.step == "g_plan")
        assert down <= (asked.step == "g_strategy")
    again = next(asked for asked in scripted.contexts[4:] if asked.step == "g_strategy")
    assert "[goal-reachable]" in again.messages("Task.")[0]["content"]
    assert "[x]" not in again.messages("Task.")[0]["content"]


# The name of a call tells its step again, whatever the step is called.

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1) | st.sampled_from(
    ["g_plan", "plan after 3", "step, answer 2", "plan search 1: x"]
)


def step_context(step: str, index: int, before: int | None) -> StepContext:
    """A call of a step, to the first path or to one that ends in a node."""
    path = () if before is None else (Artifact("before", "{}", node=before),)
    return StepContext(TapeKey(step, "", "", index), path, (), (), 3)


@given(NAMES.filter(lambda name: " after " not in name), st.integers(0, 99), st.none() | st.integers(1, 99))
def test_the_step_is_read_back(step: str, index: int, before: int | None) -> None:
    """From the names of all its calls."""
    assert step_of(call_name(1, step_context(step, index, before))) == step


def test_the_names_of_a_pipeline() -> None:
    """As people read them."""
    assert prefix_name(1, step_context("g_strategy", 0, None)) == "plan search 1: g_strategy"
    assert call_name(2, step_context("g_plan", 1, 3)) == "plan search 2: g_plan after 3, answer 2"


@pytest.mark.parametrize("name", [None, "", "1", "plan search 1", "models 1", "my plan search 1: x, answer 1"])
def test_other_conversations_are_of_no_search(name: str | None) -> None:
    """Names that tests and apps give."""
    assert step_of(name) is None
