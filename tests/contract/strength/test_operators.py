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
from pytest_planguard.contract.strength.operators import DROP, LOREM, OPERATORS, View, repeats

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


ANY = ["x", "-", "", [1], [], 5, True, None, {"a": 1}]
FLAT: list[tuple[str, list[Any], list[Any]]] = [
    *(("empty", [value], [new]) for value, new in (("x", ""), ("-", ""), ([1], []))),
    *(("empty", [value], []) for value in ("", [], 5, True, None, {"a": 1})),
    *(("null", [value], [None]) for value in ANY if value is not None),
    ("null", [None], []),
    ("stub", ["x"], ["-"]),
    ("stub", [""], ["-"]),
    *(("stub", [value], []) for value in ANY if value not in ("x", "")),
    ("stub", ["x", "-"], []),
    ("drop", ["x"], [DROP]),
    ("drop", [None, "x"], []),
    ("enum", ["low", "high"] * 2, []),
    ("enum", ["low"] * 6, []),
    ("lorem", ["low", "high"] * 3, []),
    ("lorem", ["text"], [LOREM]),
    ("lorem", [5], []),
    ("ramble", ["ab", "abcdef"], ["ab " * 10, "abcdef " * 4]),
    ("ramble", ["", " ", "abc"], ["abc " * 4]),
    ("ramble", [5], []),
    ("stuffed", ["abcd"], ['{"x": "abcd"}']),
    ("stuffed", ["abcde"], []),
    ("stuffed", [5], []),
    (
        "glued",
        ["", "own"],
        ["Write a ticket about the broken printer. ", "Write a ticket about the broken printer. own"],
    ),
    ("glued", ["low", "high"] * 3, []),
    ("glued", [5], []),
    ("copied", ["x" * 39], ["Write a ticket about the broken printer"]),
    ("copied", ["x" * 38, "x" * 38], []),
    ("copied", ["x" * 40], []),
    ("duplicate", [[1]], []),
    ("duplicate", [[1, 1]], []),
    ("duplicate", ["ab"], []),
    ("repeated", [[1, 2]], []),
    ("repeated", [[1, 1, 1]], []),
    ("repeated", [[1, 2, 3]], [[1, 1, 1]]),
    ("too_few", [[1, 2], [1]], []),
    ("too_few", [[1, 2, 3], [1, 2]], [[1], [1]]),
    ("too_few", [[1, 2, 3, 4]], [[1, 2, 3]]),
    ("flood", [[]], []),
    ("flood", [[1], [2, 3]], [[1] * 6, [2, 3] * 3]),
    ("stale", ["2026-01-01", "soon"], ["1926-01-01"]),
    ("negate", [5], []),
    ("beyond", [1, -1], [-200, -200]),
    ("beyond", [2.5], [-350.0]),
    ("beyond", [True], []),
    ("beyond", [1, "a"], [-200]),
    ("negative", [1, -1], []),
    ("negative", [0, 2], [-2]),
    ("negative", [2.5, "a"], [-2.5]),
    ("negative", [True], []),
]


@in_one_item
@pytest.mark.parametrize(("operator", "values", "changed"), FLAT)
def test_what_an_operator_makes_of_each_value(operator: str, values: list[Any], changed: list[Any]) -> None:
    """One answer for each of them; what does not fit the operator is left as it is."""
    assert made(operator, "x", [{"x": value} for value in values]) == changed


@pytest.mark.parametrize("operator", OPERATORS)
def test_no_operator_changes_an_answer_as_a_whole(operator: str) -> None:
    """Each changes a part: whatever is wrong with the whole, every schema rejects."""
    for answer in ("Go at once, all of you", [1, 2, 3], 5):
        assert made(operator, "", [answer]) == []


@in_one_item
@pytest.mark.parametrize(
    ("place", "answers", "changed"),
    [
        ("a", [{"a": "x", "b": "y", "c": "z"}], ["y"]),
        ("b", [{"a": "x", "b": "y", "c": "z"}], ["z"]),
        ("c", [{"a": "x", "b": "y", "c": "z"}], []),
        ("a", [{"a": "x", "b": "x"}], []),
        ("a", [{"a": "x", "b": 1, "c": "z"}], ["z"]),
        ("a", [{"a": "x"}, {"a": "y", "b": "z"}], ["z"]),
        ("s[*].a", [{"s": [{"a": "x", "b": "y"}, {"a": "u", "b": "v"}], "b": "w"}], ["y", "v"]),
        ("s[*]", [{"s": ["a", "b"]}], []),
    ],
)
def test_a_text_is_swapped_with_the_next_one_of_its_object(place: str, answers: list[Any], changed: list[Any]) -> None:
    """That is another text; the last one has no partner, nor has an item of a list."""
    assert made("swapped", place, answers) == changed


@pytest.mark.parametrize(("ids", "changed"), [([1, 2, 3], 987_654), (["a", "b", "c"], "no-such-id")])
def test_a_dangling_reference_is_of_the_type_of_the_ids(ids: list[Any], changed: Any) -> None:
    """A number for a number."""
    answers = [{"tasks": [{"id": one, "after": ids[0]} for one in ids]}]
    assert made("dangling", "tasks[*].after", answers) == [changed] * 3
    assert made("dangling", "tasks[*].id", answers) == []


def test_sentences_come_from_examples_first() -> None:
    """Of four words at least, and out of the quotes of JSON; an object as such is no sentence."""
    prompt = CheckContext(("{x} is one two three", "Say it now"), ('{"title": "Call the brigade now!", "n": 1}',))
    assert made("glued", "x", [{"x": "own"}], prompt) == ["Call the brigade now. own"]
    assert made("glued", "x", [{"x": "own"}], CheckContext(prompt.prompt_texts)) == []
    assert made("glued", "x", [{"x": "own"}], CheckContext(("One two three; and four more words",))) == [
        "and four more words. own"
    ]


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
