"""A contract proposed from examples: it runs, accepts them all, and is no tighter than they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import UsageError
from pytest_planguard.contract.strength.evidence import GoodAnswer
from pytest_planguard.contract.strength.proposal import contradictions, propose

from .recorded_examples import (
    SHARED,
    accepted,
    agreement,
    assessments,
    cassettes,
    kept_aside,
    run_module,
    tickets,
    with_schemas,
)

HAND = [
    {"title": "Printer on fire", "class": 1, "due": "2026-01-02", "steps": [{"id": "T1", "needs": []}], "n": None},
    {"title": "Door is stuck", "class": 2, "due": "2026-02-02", "steps": [{"id": "T1", "needs": []}], "n": 1},
    {
        "title": "Lamp",
        "class": 3,
        "due": "2026-03-02",
        "steps": [{"id": "T1"}, {"id": "T2", "needs": ["T1"]}],
        "n": 2.5,
    },
    {"title": "No heating", "class": 4, "due": "2026-04-02", "steps": [{"id": "T2", "needs": ["T2"]}], "model_x": "a"},
    {"title": "Roof leaks", "class": 5, "due": "2026-05-02", "steps": [{"id": "T9", "needs": ["T9"]}], "2 b": True},
]
"""Five answers as a person writes them: keys that are no Python names, null, absent keys, dates, references."""


def examples(*data: Any) -> list[GoodAnswer]:
    """Values as examples."""
    return [GoodAnswer(f"example {at}", value) for at, value in enumerate(data, 1)]


def test_answers_written_by_hand_are_accepted() -> None:
    """All five; and a wrong one is not."""
    source = propose(examples(*HAND)).module
    contract = run_module(source)
    assert [contract.check(answer).errors for answer in HAND] == [()] * 5
    assert {finding.code for finding in contract.check({**HAND[0], "due": "soon"}).errors} == {"format"}
    dangling = {**HAND[0], "steps": [{"id": "T1", "needs": ["T7"]}]}
    assert {finding.code for finding in contract.check(dangling).errors} == {"steps_needs_exist"}
    assert '    class_: int = Field(alias="class")  # 1 to 5, 5 numbers\n' in source
    assert "    due: date  # 2026-01-02 to 2026-05-02\n" in source
    assert "    n: float | None = None" in source


def test_the_module_as_text() -> None:
    """Readable Python with its evidence."""
    words = ["low", "high", "low", "high", "low", "high"]
    answers = examples(*({"priority": word, "steps": [f"do {at}", "look"]} for at, word in enumerate(words)))
    assert propose(answers).module == (
        '"""A contract proposed from 6 examples; each comment says what a line rests on. Edit it freely."""\n\n'
        "from typing import Literal\n\n"
        "from pydantic import BaseModel\n\n"
        "from pytest_planguard import Contract, count, distinct, max_length, min_length\n\n\n"
        "class Answer(BaseModel):\n"
        '    """From 6 objects."""\n\n'
        '    priority: Literal["high", "low"]  # 2 values in 6 texts\n'
        "    steps: list[str]  # 6 lists\n\n\n"
        "CONTRACT = Contract(\n    Answer,\n    constraints=[\n"
        '        # no item repeats in 6 lists\n        distinct("steps"),\n'
        '        # 2 items in 6 lists\n        count("steps", 1, 4),\n'
        '        # 4 characters, 12 texts\n        min_length("steps[*]", 2),\n'
        '        # at most 4 characters\n        max_length("steps[*]", 20),\n'
        '    ],\n    name="answer",\n)\n'
    )


def plans(*names: str) -> list[dict[str, Any]]:
    """Six plans of tasks, of which each waits for the first."""
    tasks = [{"id": name, "due": "2026-01-02", "needs": [] if name == names[0] else [names[0]]} for name in names]
    return [{"tasks": tasks}] * 6


@pytest.mark.parametrize("names", [("S1", "S2", "S3"), ("1", "2"), ("setup", "build", "ship")])
def test_ids_and_references_are_no_enumeration(names: tuple[str, ...]) -> None:
    """They are the same in many answers, and the next answer has one more."""
    source = propose(examples(*plans(*names))).module
    contract = run_module(source)
    longer = [{"id": name, "due": "2026-02-03", "needs": []} for name in (*names, f"{names[-1]}9")]
    longer[-1]["needs"] = longer[-2]["needs"] = [names[0]]
    assert contract.check({"tasks": longer}).ok, source
    assert not contract.check({"tasks": [*longer[:-1], {**longer[-1], "needs": ["nowhere"]}]}).ok


def test_dates_have_no_bounds_of_length() -> None:
    """`date` says it all."""
    source = propose(examples(*plans("S1", "S2"))).module
    assert "    due: date  # 2026-01-02 to 2026-01-02\n" in source
    assert '_length("tasks[*].due"' not in source


@pytest.mark.parametrize("other", [{}, {"more": 1}])
def test_a_comment_stands_behind_its_field_if_the_line_has_room(other: dict[str, int]) -> None:
    """The line with its comment has at most 120 characters, or the comment is above it."""
    places = set()
    for length in range(40, 98):
        key = "k" * length
        lines = propose(examples({key: 1, **other}, other or {key: 2})).module.splitlines()
        (at,) = (at for at, line in enumerate(lines) if line.startswith(f"    {key}: "))
        field, mark, comment = lines[at].partition("  # ")
        above = lines[at - 1].removeprefix("    # ")
        assert len(lines[at]) <= 120
        assert mark or len(f"{field}  # {above}") > 120
        places.add(bool(comment))
    assert places == {True, False}


KEYS = st.text(max_size=5) | st.sampled_from(["class", "json", "model_x", "date", "id", "_a", "2b", "é", "int", "copy"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.lists(st.dictionaries(KEYS, JSON, min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_examples_give_a_module_that_runs_and_accepts_them(answers: list[Any]) -> None:
    """Whatever the keys and the values are: never tighter than the evidence."""
    source = propose(examples(*answers)).module
    contract = run_module(source)
    for answer in answers:
        assert contract.check(answer).ok, (answer, contract.check(answer).errors, source)


@pytest.mark.parametrize(
    "key",
    [
        *("copy", "json", "dict", "schema", "construct", "validate", "fields", "parse_raw", "parse_obj", "parse_file"),
        *("from_orm", "update_forward_refs", "schema_json", "register", "model_dump"),
        *("date", "str", "int", "float", "bool", "list", "class"),
    ],
)
def test_a_key_may_be_called_as_what_models_have(key: str) -> None:
    """The field has another name then, and the key as its alias."""
    source = propose(examples({key: 1}, {key: 2})).module
    assert (
        f'    {key}_: int = Field(alias="{key}")' in source or f'    field_{key}: int = Field(alias="{key}")' in source
    )
    assert run_module(source).check({key: 1}).ok


@pytest.mark.parametrize("key", ["A", "Field", "Answer", "Any"])
def test_a_key_may_be_called_as_what_annotations_mean(key: str) -> None:
    """A field of that name would stand for its own default in the annotations of its model."""
    answers = [{key: None, "b": 1}, {key: {"x": None}}]
    contract = run_module(propose(examples(*answers)).module)
    assert all(contract.check(answer).ok for answer in answers)


def test_a_list_may_be_the_answer() -> None:
    """Its items become a model of their own."""
    contract = run_module(propose(examples([{"id": 1}], [{"id": 2}, {"id": 3}])).module)
    assert contract.check([{"id": 4}]).ok
    assert not contract.check([{}]).ok


def test_what_further_examples_contradict() -> None:
    """One line for each rule and place, with the first that breaks it."""
    contract = run_module(propose(examples({"title": "a b", "n": 1})).module)
    assert contradictions(contract, examples({"title": "c d", "n": 2})) == []
    assert contradictions(contract, examples({"title": "a"}, {"title": "b"}, {"title": 1, "n": 1})) == [
        "n: missing: required, missing (example 1; 2 examples)",
        "title: type: expected a string; got 1 (example 3; 1 example)",
    ]


def test_texts_have_no_shape_to_propose() -> None:
    """The message says what was got and what to give."""
    with pytest.raises(UsageError) as caught:
        propose(examples("a", 1))
    assert str(caught.value) == (
        "no shape to propose: got answers of different shapes; give answers that are objects, or lists, all alike"
    )


NEEDS = pytest.mark.skipif(not (SHARED / "recordings").is_dir(), reason="needs the cassettes in ../shared/data")


@NEEDS
def test_good_answers_kept_aside_are_accepted() -> None:
    """Of the local model's tickets and of the assessments: 95 % or more, learnt on every other one."""
    figures = [kept_aside(tickets()), kept_aside(assessments())]
    assert sum(number for _, number in figures) >= 28
    assert sum(others for others, _ in figures) >= 0.95 * sum(number for _, number in figures)


@pytest.mark.slow
@NEEDS
def test_fifty_recordings_give_modules_that_accept_their_answers() -> None:
    """And the types agree with the schemas of the requests, which were hidden."""
    counted = [(accepted(run_module(propose(answers).module), answers), len(answers)) for answers in cassettes(50)]
    assert len(counted) == 50
    assert all(good == number for good, number in counted)
    pairs = [agreement(schema, answers) for schema, answers in with_schemas(10)]
    assert len(pairs) == 10
    assert sum(agreed for agreed, _ in pairs) >= 0.9 * sum(known for _, known in pairs)


def test_the_test_of_the_proposal_holds_the_shortest_example() -> None:
    """As JSON in lines, and it names the module."""
    test = propose(examples({"a": "long text"}, {"a": "b"}), "my_contract").test
    assert "from my_contract import CONTRACT\n" in test
    assert json.loads(eval(f"({test.split('json.loads(')[1].split(chr(10) + ')' + chr(10))[0]})")) == {"a": "b"}


def test_objects_under_one_key_get_a_class_each() -> None:
    """And a key that some examples lack says so."""
    kept: dict[str, Any] = {"z": 1}
    data = {"part": {"a": 1}, "x": {"part": {"b": 1}}, "y": {"part": {"c": 1}}}
    module = propose(examples({**data, **kept}, data)).module
    assert [line for line in module.splitlines() if "part: " in line or "z: " in line] == [
        "    part: Part2  # 2 objects",
        "    part: Part3  # 2 objects",
        "    part: Part  # 2 objects",
        "    z: int | None = None  # 1 to 1, 1 number; not in every example",
    ]


@pytest.mark.parametrize(("longest", "most"), [(4, 20), (10, 20), (11, 30), (22, 50), (25, 50), (26, 60)])
def test_a_bound_of_length_is_twice_the_longest_text_rounded_up(longest: int, most: int) -> None:
    """To tens, from 20 on."""
    texts = ["ab " * (longest // 3) + "x" * (longest % 3), "cd"]
    module = propose(examples(*({"title": f"{text}"} for text in (*texts, "ef")))).module
    assert f'max_length("title", {most}),' in module
