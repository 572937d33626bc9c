"""A large plan takes at most 80 times its size in memory, however short its tasks are."""

import copy
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.plans.judging.policy import PlanPolicy
from pytest_planguard.plans.plan import NOWHERE, Place
from pytest_planguard.plans.reading.outline import outline

from ...support.cost import peak_memory
from ...support.nightly import drawn

SIZE = 102_000
MOST = 80
"""Bytes for each byte of the text: 64 on Python 3.11. The longest that is read has 2,000,000 characters."""
PLANS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "one id": ("plan.md", "", lambda _: "- [ ] T001 a (depends on T002)\n"),
    "kiro": (".kiro/specs/a/tasks.md", "# Implementation Plan\n", lambda n: f"- [ ] {n}. a _Depends: {n - 1}_\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", drawn([*PLANS], 2))
def test_a_dense_list_of_tasks(name: str) -> None:
    """Each line is a task with an edge; blocks, drafts, tasks and places take some 60 times the text."""
    path, head, line = PLANS[name]
    PlanPolicy().judge({path: head + line(2)})  # what is loaded once
    text = head + "".join(map(line, range(2, 2 + SIZE // len(line(1_000)))))
    assert len(text) > 100_000
    assert peak_memory(lambda: PlanPolicy().judge({path: text})) < MOST * len(text)


TEXTS = st.lists(st.sampled_from(["- [ ] T001 a\n", "  b c\n", "# d\n", "\n", "1. e\n", "  f\n", "text\n"]), max_size=8)


@given(TEXTS.map("".join), st.integers(0, 12), st.none() | st.integers(0, 12))
def test_the_place_of_a_name_is_its_path_and_its_span(text: str, offset: int, length: int | None) -> None:
    """In blocks of one line, of several, and of none."""
    above = Place(("tasks", "T001"))
    for block in outline(text, text, 0):
        place = block.place_of("x", offset, length, above, "files")
        span = block.at(offset, None if length is None else offset + length)
        given_one = Place(("tasks", "T001", "files", "x"), span)
        assert place == given_one
        assert (place.path, place.span, place.line) == (given_one.path, span, span.line)
        assert hash(place) == hash(given_one)
        assert repr(place) == repr(given_one)
        assert copy.copy(place) == copy.deepcopy(place) == place


def test_places_differ_by_path_and_span() -> None:
    """The whole document is no task."""
    assert Place(("tasks",)) != NOWHERE
    assert Place(("tasks", "T001")) != ("tasks", "T001")
