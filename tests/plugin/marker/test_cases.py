"""The marker's `cases=` and `models=`: tags as marks, and what is said where there are none."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plugin.marker.cases import (
    _marks,
    case_of,
    labelled_case,
    model_of,
    one_case_each,
    one_item_each,
    parameter_of,
    read_models,
)


@pytest.fixture
def markers(pytestconfig: pytest.Config) -> Iterator[list[str]]:
    """The registered marks of this session, which are the same afterwards."""
    lines: list[str] = pytestconfig.getini("markers")
    before = [*lines]
    yield lines
    lines[:] = before


def test_a_tag_is_a_mark_unless_the_name_is_taken(pytestconfig: pytest.Config, markers: list[str]) -> None:
    """For each case that has it. A name of pytest's or a plugin's, or of the ini file, has a meaning already."""
    known = len(markers)
    tags = ("billing", "skip", "slow", "parametrize", "planguard", "needs-network", "billing")
    assert [mark.name for mark in _marks(pytestconfig, tags)] == ["billing", "billing"]
    assert [mark.name for mark in _marks(pytestconfig, ("billing", "refund"))] == ["billing", "refund"]
    assert markers[known:] == ["billing: a tag of labelled cases", "refund: a tag of labelled cases"]


def metafunc(**named: object) -> Any:
    """A test function with this marker, before it is parametrized."""
    mark = pytest.mark.planguard(**named).mark
    return SimpleNamespace(definition=SimpleNamespace(iter_markers=lambda _: [mark]), fixturenames=[])


@pytest.mark.parametrize("named", [{}, {"cases": ""}, {"cases": 3}, {"cases": None}, {"models": []}, {"models": "a"}])
def test_a_wrong_argument_makes_no_case(named: dict[str, object]) -> None:
    """It is refused with the other arguments of the marker."""
    function = metafunc(**named)
    one_item_each(function)
    one_case_each(function)
    assert function.fixturenames == []


def test_each_model_makes_a_case() -> None:
    """The id of the case is the model's name, and the test need not ask for it."""
    function, made = metafunc(models=("a", "b c")), []
    function.parametrize = lambda *args, **named: made.append((args, named))
    one_case_each(function)
    one_case_each(function)
    assert function.fixturenames == ["planguard_model"]
    assert made == [(("planguard_model", ["a", "b c"]), {"indirect": True, "ids": ["a", "b c"]})] * 2


def test_the_fixtures_say_what_they_need(request: pytest.FixtureRequest) -> None:
    """A test without a marker that names cases or models."""
    with pytest.raises(pytest.fail.Exception) as failed:
        case_of(request)
    assert str(failed.value) == (
        f"{request.node.nodeid}: the fixture planguard_case needs cases: "
        '@pytest.mark.planguard(CONTRACT, cases="cases.jsonl")'
    )
    with pytest.raises(pytest.UsageError) as error:
        parameter_of(request)
    assert str(error.value) == (
        f"{request.node.nodeid}: the fixture planguard_model needs models: "
        "@pytest.mark.planguard(CONTRACT, models=[...])"
    )
    assert (labelled_case(request.node), model_of(request.node)) == (None, None)


def test_a_long_list_of_models_is_cut_in_the_message() -> None:
    """At 200 characters."""
    with pytest.raises(UsageError) as error:
        read_models("models", ["x" * 300, ""])
    assert str(error.value) == f"models=['{'x' * 198}: each model must be a non-empty text"
