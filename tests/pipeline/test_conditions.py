"""The list of conditions to pause on, and what meets them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import UsageError
from pytest_planguard.pipeline.conditions import Condition, parse_conditions, pause_on

from ..support.paths import ROOT

WORDS = st.text(st.characters(blacklist_characters='":\\', blacklist_categories=["Cs"]), min_size=1).filter(
    lambda text: text == text.strip()
)


def test_the_list_of_the_proposal_is_read() -> None:
    """The list of the proposal is read."""
    text = "go_no_go_recommendation:Do Not Execute,RedlineGateTask:blocked"
    assert parse_conditions(text) == (
        Condition("go_no_go_recommendation", "Do Not Execute"),
        Condition("RedlineGateTask", "blocked"),
    )


@given(st.lists(st.tuples(WORDS.filter(lambda name: "," not in name), WORDS)), st.booleans())
def test_what_is_quoted_is_read_back(pairs: list[tuple[str, str]], whole: bool) -> None:
    """What is quoted is read back."""
    form = '"{}:{}"' if whole else '{}:"{}"'
    text = " , ".join(form.format(name, value) for name, value in pairs)
    assert parse_conditions(text) == tuple(Condition(name, value) for name, value in pairs)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("go", "wrong condition to pause on: got 'go'; write field:value or Task:state"),
        ("a:b,:c", "wrong condition to pause on: got ':c'; write field:value or Task:state"),
        ("a:", "wrong condition to pause on: got 'a:'; write field:value or Task:state"),
        ('a:"b', "wrong list of conditions: got 'a:\"b' with a quote that is not closed; close it"),
    ],
)
def test_a_wrong_list_is_named(text: str, message: str) -> None:
    """A wrong list is named."""
    with pytest.raises(UsageError) as caught:
        parse_conditions(text)
    assert str(caught.value) == message


def test_the_list_comes_from_either_variable() -> None:
    """The list comes from either variable."""
    assert pause_on({"PLANEXE_PAUSE_ON": "a:b"}) == (Condition("a", "b"),)
    assert pause_on({"PLANEXE_PAUSE_ON": "a:b", "PLANGUARD_PAUSE_ON": "c:d"}) == (Condition("c", "d"),)
    assert pause_on({}) == ()


@pytest.mark.parametrize(
    ("value", "met"),
    [
        ("Do Not Execute", True),
        ("Do not execute. The project has no permit.", True),
        (" do not execute ", True),
        ("Do Not Executed", False),
        ("Proceed; do not execute phase 2", False),
        (None, False),
    ],
)
def test_a_value_meets_a_condition_by_its_first_words(value: object, met: bool) -> None:
    """A value meets a condition by its first words."""
    condition = Condition("assessment.go", "Do Not Execute")
    assert (condition.matching_value({"assessment": {"go": value}}) is not None) is met


def test_values_that_are_no_text_are_compared_as_json() -> None:
    """Values that are no text are compared as json."""
    assert Condition("ok", "false").matching_value({"ok": False}) == "false"
    assert Condition("steps[*].risk", "5").matching_value({"steps": [{"risk": 1}, {"risk": 5}]}) == "5"


def test_real_recommendations_are_told_apart() -> None:
    """Of the real assessments each meets exactly one of the five words that the schema's authors had in mind."""
    folder = ROOT.parent / "shared" / "data" / "planexe"
    files = list(folder.rglob("*.json")) if folder.is_dir() else []
    answers = [data for file in files if isinstance(data := json.loads(file.read_text("utf-8")), dict)]
    values = [data for data in answers if "go_no_go_recommendation" in data]
    if not values:
        pytest.skip(f"{folder} has no assessments here: they are not part of the project")
    words = ("Go", "No Go", "Execute Immediately", "Proceed with Caution", "Do Not Execute")
    conditions = [Condition("go_no_go_recommendation", word) for word in words]
    assert {sum(c.matching_value(data) is not None for c in conditions) for data in values} <= {0, 1}


def test_a_task_may_have_any_name() -> None:
    """A name that is no path of a field meets no answer, and ended the pipeline when one was checked."""
    (condition,) = parse_conditions("Draft the [plan:blocked")
    assert condition.matching_value({"Draft the [plan": "blocked"}) is None
    assert condition.matches_task("Draft the [plan", "Blocked")
