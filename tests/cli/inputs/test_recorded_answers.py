"""Recorded answers as data: what each file gives, what it is called, and the cases that become of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract, UsageError
from pytest_planguard.cli.inputs.recorded_answers import (
    example_answers,
    labelled_cases,
    of_one_schema,
    recorded_answers,
)
from pytest_planguard.contract.strength.evidence import Demand, GoodAnswer

from ...support.cassettes import BAD, GOOD, RESPONSE_FORMAT, conversation, exchange, write


class Person(BaseModel):
    """An answer."""

    name: str
    age: int


PERSON = Contract(Person)
ADA = {"name": "Ada", "age": 36}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Answers in each kind of file, and one that has none."""
    write(tmp_path / "a.yaml", conversation(BAD, GOOD))
    (tmp_path / "b.json").write_text(GOOD, encoding="utf-8")
    (tmp_path / "c.jsonl").write_text(f"{GOOD}\n\nprose\n", encoding="utf-8")
    (tmp_path / "d.yaml").write_text("level: debug\n", encoding="utf-8")
    return tmp_path


def told(answers: list[GoodAnswer]) -> list[tuple[str, object]]:
    """Return the name and the data of each answer."""
    return [(answer.name, answer.data) for answer in answers]


def test_each_answer_is_named_by_its_place(folder: Path) -> None:
    """Of a conversation the last one; what is no document is its text."""
    assert told(recorded_answers([folder], PERSON)) == [
        ("a.yaml conversation 1", ADA),
        ("b.json", ADA),
        ("c.jsonl line 1", ADA),
        ("c.jsonl line 3", "prose"),
    ]
    (folder / "e.md").write_text("no data", encoding="utf-8")
    assert told(recorded_answers([folder / "e.md"], PERSON)) == [("e.md", "no data")]
    write(folder / "f.yaml", conversation("prose"))
    assert told(recorded_answers([folder / "f.yaml"], PERSON)) == [("f.yaml conversation 1", "prose")]


def test_an_answer_has_the_texts_that_it_may_be_copied_from(folder: Path) -> None:
    """Those of the first request, in a cassette: a retry's last message is feedback."""
    write(folder / "one.yaml", conversation(GOOD))
    once, twice = (recorded_answers([folder / name], PERSON) for name in ("one.yaml", "a.yaml"))
    for answers in (once, twice, example_answers([folder / "one.yaml"])):
        assert answers[0].context is not None
        assert answers[0].context.example_texts == ()
        assert answers[0].context.prompt_texts == (
            "Answer with a person as JSON.\nNothing else.",
            "Who wrote the first program?",
        )
    (answer,) = recorded_answers([folder / "b.json"], PERSON)
    assert answer.context is None


def test_every_answer_of_a_cassette_is_an_example(folder: Path) -> None:
    """Text alone is none; a call's arguments come before the text."""
    assert told(example_answers([folder])) == [
        ("a.yaml answer 1", {"name": "Ada"}),
        ("a.yaml answer 2", ADA),
        ("b.json", ADA),
        ("c.jsonl line 1", ADA),
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("empty", "no answers: got {}, {}; name files of answers, or cassettes"),
        ("null.jsonl", "{}:2: the field 'text' is null: there is no answer to judge."),
    ],
)
def test_what_has_no_answers_is_refused(name: str, message: str, tmp_path: Path) -> None:
    """With what was named, or the line."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "null.jsonl").write_text('\n{"text": null}\n', encoding="utf-8")
    paths = [tmp_path / name, tmp_path / "empty"]
    with pytest.raises(UsageError) as caught:
        recorded_answers(paths, PERSON, "text")
    assert str(caught.value) == message.format(*paths)


def test_examples_that_are_no_data_are_refused(tmp_path: Path) -> None:
    """All of the named files are in the message."""
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        path.write_text("1\nprose\n", encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        example_answers(paths)
    assert str(caught.value) == (
        f"no answers that are data: got {paths[0]}, {paths[1]}; name files of JSON or YAML answers"
    )


FORCED, OFTEN, OPTIONAL = Demand("forced", "1", True), Demand("often", "2", True), Demand("optional", "3", False)


@pytest.mark.parametrize(
    ("schemas", "chosen"),
    [
        ([], None),
        ([None, None, OPTIONAL], OPTIONAL),
        ([OPTIONAL, OPTIONAL, FORCED], FORCED),
        ([FORCED, OFTEN, OFTEN, OPTIONAL, OPTIONAL, OPTIONAL], OFTEN),
        ([FORCED, OFTEN], FORCED),
        ([None], None),
    ],
)
def test_one_schema_is_chosen(schemas: list[Demand | None], chosen: Demand | None) -> None:
    """A forced one before others, then the most frequent, then the first."""
    answers = [GoodAnswer(str(number), {}, schema=schema) for number, schema in enumerate(schemas)]
    own, others = of_one_schema(answers)
    assert own == [answer for answer in answers if answer.schema is chosen]
    assert others == [answer for answer in answers if answer.schema is not chosen]


def test_the_schema_of_an_example_is_named_by_its_title(tmp_path: Path) -> None:
    """Or "answer"; an answer without a schema demands nothing."""
    plain = {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}}
    calls = [*conversation(GOOD, response_format=RESPONSE_FORMAT), *conversation(GOOD, response_format=plain)]
    write(tmp_path / "a.yaml", [*calls, *conversation(GOOD)])
    demands = [answer.schema for answer in example_answers([tmp_path / "a.yaml"])]
    assert [None if one is None else (one.name, one.is_output) for one in demands] == [
        ("Person", True),
        ("answer", True),
        None,
    ]


def cases_of(path: Path, field: str | None = None) -> list[tuple[str, object, object]]:
    """Return name, input and expected value of each case."""
    read = [json.loads(line) for line in labelled_cases([path], PERSON, field).splitlines()]
    return [(case["name"], case["input"], case["expected"]) for case in read]


def test_cases_of_lines(tmp_path: Path) -> None:
    """Equal names get numbers; rejected answers, lines without an input and lines that are no objects are left out."""
    records: list[dict[str, object]] = [
        {"name": "x", "id": "i", "question": "q", "input": "in", "prompt": "p", "output": ADA},
        {"id": "x", "question": "q", "prompt": "p", "output": GOOD},
        {"id": 7, "input": None, "question": "é", "output": ADA},
        {"name": None, "question": "q", "output": ADA},
        {"id": "x", "input": "in", "output": ADA},
        {"id": "bad", "input": "in", "output": BAD},
        {"id": "none", "output": ADA},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(["", "[]", "prose", *map(json.dumps, records)]), encoding="utf-8")
    assert cases_of(path, "output") == [
        ("x", "in", ADA),
        ("x.2", "p", ADA),
        ("7", "é", ADA),
        ("line 7", "q", ADA),
        ("x.3", "in", ADA),
    ]
    assert cases_of(path) == cases_of(path, "output")
    assert '"é"' in labelled_cases([path], PERSON, None)


def test_cases_of_a_cassette(tmp_path: Path) -> None:
    """Each task with its last accepted answer, named by the file; a document tells no task."""
    other = {"role": "user", "content": "Who was the second?"}
    bob = '{"name": "Bob", "age": 1}'
    calls = [*conversation(BAD, GOOD), exchange([other], bob), *conversation(bob), exchange([other], BAD)]
    write(tmp_path / "a.yaml", calls)
    assert cases_of(tmp_path / "a.yaml") == [
        ("a", "Who wrote the first program?", {"name": "Bob", "age": 1}),
        ("a.2", "Who was the second?", {"name": "Bob", "age": 1}),
    ]
    (tmp_path / "b.json").write_text(GOOD, encoding="utf-8")
    assert cases_of(tmp_path / "b.json") == []
