"""A contract proposed from examples: it runs, accepts them all, and is no tighter than they are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import CheckContext, UsageError
from pytest_planguard.contract.strength.evidence import GoodAnswer
from pytest_planguard.contract.strength.proposal import contradictions, propose

from ...support.one_item import in_one_item
from .recorded_examples import run_module

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


@in_one_item
@pytest.mark.parametrize(
    ("data", "got"),
    [
        (["a", 1], "answers of different shapes"),
        ([{}, []], "answers of different shapes"),
        ([{"a": 1}, None], "answers of different shapes"),
        ([{f"k{n}": 1 for n in range(4)}, {f"j{n}": 1 for n in range(4)}], "answers of different shapes"),
        (["low", "high"] * 3, "texts"),
        (["a"], "str"),
        ([1, 2.5], "float"),
        ([True], "bool"),
        ([None], "None"),
        ([], "Any"),
    ],
)
def test_texts_have_no_shape_to_propose(data: list[Any], got: str) -> None:
    """The message says what was got and what to give."""
    with pytest.raises(UsageError) as caught:
        propose(examples(*data))
    assert str(caught.value) == (f"no shape to propose: got {got}; give answers that are objects, or lists, all alike")


PYDANTIC = "from pydantic import BaseModel\n\n"
OURS = "from pytest_planguard import Contract"
TASKS = [{"id": "a", "after": ["a"]}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}]


@in_one_item
@pytest.mark.parametrize(
    ("data", "imports"),
    [
        ([{"a": 1}], PYDANTIC + OURS),
        ([[1]], OURS),
        ([{"a": []}], f"from typing import Any\n\n{PYDANTIC}{OURS}"),
        ([{"a": "x"}, {"a": "y"}] * 3, f"from typing import Literal\n\n{PYDANTIC}{OURS}"),
        ([{"a": "x", "b": {}}, {"a": "y", "b": {}}] * 3, f"from typing import Any, Literal\n\n{PYDANTIC}{OURS}"),
        ([{"a": "2026-01-01"}] * 3, f"from datetime import date\n\n{PYDANTIC}{OURS}"),
        (
            [{"a": "2026-01-01", "b": {}}] * 3,
            f"from datetime import date\nfrom typing import Any\n\n{PYDANTIC}{OURS}",
        ),
        ([{"model_a b": 1}], f"from pydantic import BaseModel, ConfigDict, Field\n\n{OURS}"),
        ([{"s": TASKS}], f"from typing import Any\n\n{PYDANTIC}{OURS}, count, custom, distinct, max_length"),
    ],
)
def test_the_imports_of_the_module(data: list[Any], imports: str) -> None:
    """What the module needs, in the order in which a formatter leaves them."""
    module = propose(examples(*data)).module
    assert module.partition("\n\n")[2].partition("\n\n\n")[0] == imports


def test_a_reference_has_its_function_above_the_contract() -> None:
    """And no constraint rests on fewer than three values: one list says little about lists."""
    module = propose(examples({"s": TASKS})).module
    assert module.endswith(
        "    s: list[Part]  # 1 list\n\n\n"
        "def s_after_exist(answer: Any) -> list[str]:\n"
        '    """Each value of s[*].after[*] occurs at s[*].id."""\n'
        '    known = [item0.get("id") for item0 in answer.get("s") or []]\n'
        '    values = [item1 for item0 in answer.get("s") or [] for item1 in item0.get("after") or []]\n'
        '    return [f"{value!r} names nothing" for value in values if value is not None and value not in known]\n\n\n'
        "CONTRACT = Contract(\n    Answer,\n    constraints=[\n"
        '        # no value repeats in an answer\n        distinct("s[*].id"),\n'
        '        # each value occurs at s[*].id\n        custom("", s_after_exist),\n'
        '        # at most 1 character\n        max_length("s[*].id", 20),\n'
        '        # 1 item in 3 lists\n        count("s[*].after", 1, 2),\n'
        '        # at most 1 character\n        max_length("s[*].after[*]", 20),\n'
        '    ],\n    name="answer",\n)\n'
    )


@pytest.mark.parametrize("lengths", [(5, 6, 6), (4, 5, 5)])
def test_the_next_list_may_have_half_as_many_items(lengths: tuple[int, ...]) -> None:
    """Of the shortest one, and twice as many as the longest has."""
    module = propose(examples(*({"a": list(range(length))} for length in lengths))).module
    assert f'count("a", 2, {2 * lengths[-1]}),' in module


@pytest.mark.parametrize(
    ("context", "python"), [(None, []), (CheckContext(("Write it.",)), ['        not_copied("t"),'])]
)
def test_copies_are_only_looked_for_where_the_prompt_is_known(context: CheckContext | None, python: list[str]) -> None:
    """Without one, nothing says what the texts are no copies of."""
    texts = [f"The number {number} is not in the prompt" for number in range(3)]
    answers = [GoodAnswer(text, {"t": text}, context) for text in texts]
    assert [line for line in propose(answers).module.splitlines() if "not_copied(" in line] == python


def test_the_test_of_the_proposal_holds_the_shortest_example() -> None:
    """As JSON in lines, and it names the module."""
    test = propose(examples({"a": "long text"}, {"a": "\u00e9"}), "my_contract").test
    assert test == (
        '"""A first test: an example answer meets the contract. Break the answer to see the test fail."""\n\n'
        "import json\n\nimport pytest\nfrom my_contract import CONTRACT\n\n"
        "ANSWER = json.loads(\n    '{\\n'\n    ' \"a\": \"\\\\u00e9\"\\n'\n    '}'\n)\n\n\n"
        "@pytest.mark.planguard(CONTRACT)\ndef test_an_example_keeps_the_contract(planguard):\n"
        "    planguard.check(ANSWER)\n"
    )
    assert "from answer_contract import CONTRACT\n" in propose(examples({"a": 1})).test


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
