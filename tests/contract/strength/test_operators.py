"""Each operator, on small answers: what it makes of them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import CheckContext
from pytest_planguard.contract.strength.evidence import GoodAnswer, evidence_of
from pytest_planguard.contract.strength.operators import LOREM, OPERATORS, View, repeats

from ...support.one_item import in_one_item

PROMPT = CheckContext(prompt_texts=("Write a ticket about the broken printer.",))
TICKETS: list[Any] = [
    {"title": f"Printer {at} is on fire again", "go": "Go at once", "due": f"2026-01-0{at}", "score": at, "mood": mood}
    | {"steps": [{"id": f"T{n}", "needs": ["T1"], "text": f"Do the thing number {n}"} for n in range(1, at + 2)]}
    for at, mood in enumerate(["glad", "sad", "glad", "sad", "glad", "sad"], 1)
]


def made(operator: str, place: str, answers: list[Any] = TICKETS, prompt: CheckContext = PROMPT) -> list[Any]:
    """The changed values that an operator makes at a place of the answers."""
    good = [GoodAnswer(str(at), answer, prompt) for at, answer in enumerate(answers)]
    evidence = evidence_of(good)
    return [
        edits[0].value
        for site in evidence[place].sites
        for edits in OPERATORS[operator](View(site, evidence[place], evidence, good[site.answer]))
    ]


@in_one_item
@pytest.mark.parametrize(
    ("operator", "place", "value"),
    [
        ("empty", "title", ""),
        ("null", "score", None),
        ("stub", "title", "-"),
        ("enum", "mood", "glad_or_other"),
        ("lorem", "title", LOREM),
        ("negate", "go", "No-Go at once"),
        ("stale", "due", "1926-01-01"),
        ("dangling", "steps[*].needs[*]", "no-such-id"),
        ("beyond", "score", -700),
        ("negative", "score", -1),
        ("copied", "steps[*].text", None),
        ("swapped", "title", "Go at once"),
    ],
)
def test_what_an_operator_puts_in_the_place_of_a_value(operator: str, place: str, value: Any) -> None:
    """The first mutant; None where there is none to make, for no sentence of the prompt has such a length."""
    first = next(iter(made(operator, place)), None)
    assert first == value


def test_operators_on_lists() -> None:
    """The number of items stays for repeats, and leaves the range of good answers for the others."""
    lists = [{"steps": ["a", "b", "c"]}, {"steps": ["d", "e"]}]
    assert made("duplicate", "steps", lists) == [["a", "b", "a"], ["d", "d"]]
    assert made("repeated", "steps", lists) == [["a", "a", "a"]]
    assert made("too_few", "steps", lists) == [["a"], ["d"]]
    flooded = made("flood", "steps", lists)[0]
    assert len(flooded) == 9
    assert len(set(flooded)) == 9
    assert made("flood", "steps", [{"steps": [4, 5]}]) == [[4, 5, 4, 5, 4, 5]]
    objects = made("flood", "steps", [{"steps": [{"id": "T1", "n": 1}]}])
    assert objects == [[{"id": "T1 0", "n": 1}, {"id": "T1 1", "n": 1}, {"id": "T1 2", "n": 1}]]


def test_what_a_good_answer_has_too_is_no_fault() -> None:
    """A key that one lacks, null where one has null, an empty list where one is empty."""
    answers = [{"a": [1], "b": "text", "c": None}, {"a": [], "c": "text"}]
    assert made("empty", "a", answers) == []
    assert made("drop", "b", answers) == made("null", "b", answers) == []
    assert made("drop", "c", answers) == made("null", "c", answers) == []
    assert made("null", "a", answers) == [None, None]


def test_a_parallel_list_loses_an_item() -> None:
    """Two lists of one object that are always equally long, and not always as long as each other answer's."""
    answers = [{"ids": [1, 2], "why": ["a", "b"]}, {"ids": [3], "why": ["c"]}]
    assert made("unequal", "ids", answers) == [[1], []]
    assert made("unequal", "ids", [answers[0], answers[0]]) == []


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        *[
            ("Go on", "No-Go on"),
            ("No-Go yet", "Go yet"),
            ("no go", "Go"),
            ("Yes, do", "No, do"),
            ("No, not", "Yes, not"),
        ],
        *[("Approved by all", "Rejected by all"), ("Rejected", "Approved"), ("Approve it", "Reject it")],
        *[("Reject it", "Approve it"), ("Pass", "Fail"), ("Fail", "Pass"), ("True story", "False story")],
        ("False", "True"),
    ],
)
def test_a_conclusion_is_turned_round(text: str, opposite: str) -> None:
    """At the start of a text, where all texts have one; the rest stays."""
    assert made("negate", "x", [{"x": text}]) == [opposite]
    assert made("negate", "x", [{"x": text}, {"x": "Maybe"}]) == []


def test_a_sentence_of_the_prompt_is_copied_where_its_length_fits() -> None:
    """As long as good texts are, so that only its words give it away."""
    answers = [{"text": "x " * 10}, {"text": "y " * 40}]
    assert made("copied", "text", answers) == ["Write a ticket about the broken printer"] * 2
    assert made("glued", "text", answers)[0].startswith("Write a ticket about the broken printer. x x")
    two = CheckContext(prompt_texts=("Write a ticket about the broken printer. Say how long it has been broken.",))
    assert made("copied", "text", answers, two) == ["Write a ticket about the broken printer"] * 2


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(VALUES, min_size=1, max_size=3))
def test_every_mutant_differs_and_leaves_the_answer_alone(answers: list[Any]) -> None:
    """For any JSON: no operator raises, no mutant equals its answer, and the answer stays as it was."""
    from pytest_planguard.contract.strength.operators import Mutant

    good = [GoodAnswer(str(at), answer, PROMPT) for at, answer in enumerate(answers)]
    before = copy.deepcopy(answers)
    evidence = evidence_of(good)
    for name, operator in OPERATORS.items():
        for place in evidence.values():
            for site in place.sites:
                for edits in operator(View(site, place, evidence, good[site.answer])):
                    data = answers[site.answer]
                    assert json.dumps(Mutant(name, site.answer, edits).of(data)) != json.dumps(data)
    assert answers == before


@pytest.mark.parametrize(
    ("kinds", "times", "repeat"), [(1, 9, False), (2, 3, True), (8, 3, True), (9, 3, False), (3, 2, False)]
)
def test_few_values_that_occur_often_are_an_enumeration(kinds: int, times: int, repeat: bool) -> None:
    """Two to eight, each three times on average."""
    words = ["low", "high", "open", "shut", "new", "old", "red", "green", "blue"][:kinds]
    assert repeats(words * times) is repeat
