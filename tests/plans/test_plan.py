"""What a plan is made of: equal whatever its place, and what it is where only what it must have is said."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from pytest_planguard.document.positions import Span
from pytest_planguard.plans.graph_algorithms import Reach
from pytest_planguard.plans.plan import (
    NOWHERE,
    Defect,
    Edge,
    Link,
    Place,
    Plan,
    Ref,
    Requirement,
    Section,
    Task,
    Traits,
)
from pytest_planguard.plans.rules.rule import Hit

HERE, THERE = Place(("a",), Span(1, 1)), Place(("b",), Span(2, 1))
PLACED: list[tuple[Any, ...]] = [
    (Ref, "a.py"),
    (Edge, "T1", "1"),
    (Section, "Setup"),
    (Task, "T1", "T1", "Write"),
    (Requirement, "FR-1", "FR"),
    (Link, "a", "b", "first"),
    (Defect, "task-form", "is a heading"),
]


@pytest.mark.parametrize("made", PLACED, ids=lambda made: str(made[0].__name__))
def test_elements_that_say_the_same_are_equal_wherever_they_stand(made: tuple[Any, ...]) -> None:
    """Two plans are compared by what they say, in a set as well."""
    kind, *values = made
    one, other = kind(*values, place=HERE), kind(*values, place=THERE)
    assert one == other
    assert len({one, other}) == 1
    assert one != kind("other", *values[1:], place=HERE)


def test_plans_are_compared_without_what_only_judging_needs() -> None:
    """Their traits, headings, and how their format is known."""
    plain = Plan("kiro-tasks", "Login")
    same = Plan(
        "kiro-tasks",
        "Login",
        spoken_of=("1.1",),
        unsure=("tasks",),
        status_place=HERE,
        headings=(Ref("Login"),),
        traits=Traits("step"),
        known_by="text",
        find=dict.fromkeys,
    )
    assert plain == same
    assert plain != Plan("kiro-tasks", "Login", goal=Ref("Log in"))


MINIMAL: list[tuple[Any, dict[str, Any]]] = [
    (Section("Setup"), {"key": "", "number": None, "level": 2, "place": NOWHERE}),
    (Requirement("1", "AC"), {"place": NOWHERE, "scope": "", "text": None, "scenarios": None}),
    (Link("a", "b", "first"), {"place": NOWHERE, "relation": "tasks"}),
    (
        Defect("a", "b"),
        {"place": NOWHERE, "expected": None, "actual": None, "hint": None, "boxes": (), "is_habit": False},
    ),
    (
        Hit(HERE, "a"),
        {
            **dict.fromkeys(("expected", "actual", "hint", "severity", "near")),
            "related": (),
            "lines": (),
            "sure": True,
        },
    ),
    (
        Traits(),
        {
            "noun": "task",
            "id_pattern": None,
            "id_example": None,
            "scenario": "acceptance scenario",
            **dict.fromkeys(("ids_optional", "needs_goal", "ordered", "tokens"), False),
            **dict.fromkeys(("validated", "normative", "one_active"), False),
            **dict.fromkeys(("statuses", "needs_requirements", "required"), ()),
            "needs_tasks": True,
            "severities": {},
            "off": frozenset(),
        },
    ),
]


@pytest.mark.parametrize(("value", "usual"), MINIMAL, ids=lambda value: type(value).__name__)
def test_a_value_of_which_only_the_least_is_said(value: Any, usual: dict[str, Any]) -> None:
    """Every other field says that nothing is known, or what most formats do."""
    assert is_dataclass(value)
    assert {one.name: getattr(value, one.name) for one in fields(value) if one.name in usual} == usual


def test_reach_looks_at_as_many_steps_as_the_graph_has_and_some() -> None:
    """A thousand, and forty for each node and each edge."""
    assert Reach([]).left == 1_000
    assert Reach([(), (0,), (0, 1)]).left == 1_000 + 40 * (3 + 3)
    spent = Reach([(1,), ()], steps_per_node=-500)
    assert spent.spent
    assert spent.from_any([0], {1}) is None
