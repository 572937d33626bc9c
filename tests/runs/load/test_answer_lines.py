"""Files of answers: which field of a line is the answer, its key and its input, and what is said of a bad file."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.errors import RunError, UsageError
from pytest_planguard.runs.load.load import load_run, read_run
from pytest_planguard.runs.load.source import LoadOptions, case_key, declared_input, is_chat
from pytest_planguard.runs.model.run import CaseRow

from ...support.one_item import in_one_item

ANSWERS = ["output", "answer", "actual_output", "completion", "response", "content", "text"]
KEYS = ["case", "case_id", "id", "key", "test", "task_id", "name", "task"]
INPUTS = ["inputs", "input", "prompt", "question", "messages", "vars"]
CHAT = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]


def rows(folder: Path, *lines: object, **options: Any) -> tuple[CaseRow, ...]:
    """The cases of these lines."""
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return load_run(str(path), LoadOptions(**options)).rows


def test_the_first_known_field_of_a_line_is_the_answer(tmp_path: Path) -> None:
    """Any other of these fields is passed over, and so is one that is null; without any, the line is the answer."""
    lines = [dict.fromkeys(ANSWERS[start:], "later") | {ANSWERS[start]: "first"} for start in range(len(ANSWERS))]
    assert [row.answers for row in rows(tmp_path, *lines)] == [("first",)] * 7
    given = ({"output": None, "text": "b"}, {"other": 1}, [1], "x", {"output": {"a": 1}})
    assert [row.answers[0] for row in rows(tmp_path, *given)] == ["b", '{"other": 1}', "[1]", "x", '{"a": 1}']


def test_the_first_known_field_of_a_line_is_the_key() -> None:
    """Or the number of the line, if it has none."""
    lines = [dict.fromkeys(KEYS[start:], "later") | {KEYS[start]: "first"} for start in range(len(KEYS))]
    assert [case_key(line, 7) for line in lines] == ["first"] * 8
    assert [case_key(line, 7) for line in ({"id": None}, {}, [], {"id": 3}, {"id": "é"})] == ["7", "7", "7", "3", "é"]


def test_the_first_known_field_of_a_line_is_the_input() -> None:
    """Its digest does not depend on the other fields; a line without one declares no input."""
    digest = declared_input({"inputs": "first"})
    lines = [dict.fromkeys(INPUTS[start:], "later") | {INPUTS[start]: "first"} for start in range(len(INPUTS))]
    assert {declared_input(line) for line in lines} == {digest}
    assert declared_input({"output": "a"}) is declared_input({"input": None}) is declared_input([]) is None


def test_the_last_message_of_a_chat_is_its_answer(tmp_path: Path) -> None:
    """And no part of its input; another field with the answer comes first."""
    (row, other) = rows(tmp_path, {"messages": CHAT}, {"messages": CHAT, "output": "x"})
    assert [row.answers, other.answers] == [("hello",), ("x",)]
    again = [CHAT[0], {"role": "assistant", "content": "hey"}]
    assert declared_input({"messages": CHAT}) == declared_input({"messages": again})
    assert declared_input({"messages": CHAT}) != declared_input({"messages": CHAT[1:]})
    assert declared_input({"input": 1, "messages": CHAT}) == declared_input({"input": 1})


@in_one_item
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ({"messages": CHAT}, True),
        ({"messages": CHAT[:1]}, False),
        ({"messages": []}, False),
        ({"messages": "hi"}, False),
        ({"messages": ["hi"]}, False),
        ({"messages": [{"role": "assistant", "content": [1]}]}, False),
        ([CHAT], False),
        ({}, False),
    ],
)
def test_a_chat_ends_with_a_text_of_the_assistant(line: object, found: bool) -> None:
    """Any other list of messages is an input."""
    assert is_chat(line) is found


def test_a_row_has_its_line_its_input_and_its_model(tmp_path: Path) -> None:
    """A model that is no text is none."""
    first, second = rows(tmp_path, {"id": "a", "input": 1, "model": "m", "output": "x"}, {"id": "b", "model": 1})
    path = tmp_path / "a.jsonl"
    assert (first.key, first.test, first.model, first.inputs) == ("a", f"{path}:1", "m", declared_input({"input": 1}))
    assert (second.key, second.test, second.model, second.inputs) == ("b", f"{path}:2", None, None)


def test_fields_that_a_user_names(tmp_path: Path) -> None:
    """They are looked for on each line; if no line has the answer's field, the message says so with the first line."""
    lines = [{"id": "a", "out": {"text": "x"}, "meta": {"no": 1}}, {"id": "b", "out": {"text": "y"}, "meta": {"no": 2}}]
    found = rows(tmp_path, *lines, answer_field="out.text", case_field="meta.no")
    assert [(row.key, row.answers) for row in found] == [("1", ("x",)), ("2", ("y",))]
    with pytest.raises(
        UsageError, match=rf"^--field 'lost': {tmp_path / 'a.jsonl'}: line 1: .*; the line is left out$"
    ):
        rows(tmp_path, *lines, answer_field="lost")


def test_a_line_that_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    """Blank lines count for the numbers of the others."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"output": 1}\n\n{"out\n', encoding="utf-8")
    raw = read_run(str(path))
    assert [(problem.place, problem.reason) for problem in raw.problems] == [
        (f"{path}: line 3", "it is not JSON; the line is left out")
    ]
    assert [case.row.key for case in raw.cases] == ["1"]


def test_lines_of_a_file_in_a_folder_have_its_name_in_their_keys(tmp_path: Path) -> None:
    """So that two files may have a case of one name."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text('{"id": "a", "output": 1}\n', encoding="utf-8")
    assert [row.key for row in load_run(str(tmp_path)).rows] == ["one/a", "two/a"]


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    """200 MB are read at most."""
    for name in ("a.jsonl", "a.json"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(200 * 1024 * 1024 + 1)
        with pytest.raises(RunError, match=rf"^{tmp_path / name}: larger than 200 MB; split it\.$"):
            load_run(str(tmp_path / name))
