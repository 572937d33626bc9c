"""Answers one a line: which text of a line is judged, and what a line without an answer is called."""

from pathlib import Path

import pytest

from pytest_planguard import Contract
from pytest_planguard.cli.check.judge_file import Judge
from pytest_planguard.cli.inputs.answers import EVERYTHING, JudgedLines, judge_lines
from pytest_planguard.cli.inputs.sources import Source
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.request_contracts import AutoContracts

ANY = Contract(dict[str, int], name="counts")


def lines(content: bytes, field: str | None = None) -> JudgedLines:
    """What comes of the lines of a file."""
    return judge_lines(content.splitlines(keepends=True), ANY, field, EVERYTHING)


def judged(content: bytes, field: str | None = None) -> list[tuple[int | None, bool]]:
    """Number and verdict of each line's answer."""
    return [(a.line, a.verdict.ok) for a in lines(content, field).listed]


def test_each_line_is_an_answer() -> None:
    """Lines count from 1, blank lines too; a blank line is no answer."""
    assert judged(b'{"a": 1}\n\n{"a": "x"}\r\nnot json\n') == [(1, True), (3, False), (4, False)]


def test_a_line_that_is_a_json_string_is_the_text_it_spells() -> None:
    """An answer with line breaks fits on a line only as a JSON string."""
    assert judged(rb'"{\n \"a\": 1\n}"') == [(1, True)]


NAMED = "Name the field of the answer with --field."


@pytest.mark.parametrize(
    ("line", "ok"),
    [
        (rb'{"text": "{\"a\": 1}"}', True),
        (rb'{"text": "{\"a\": null}"}', False),
        (b'{"text": {"a": 1}}', True),
    ],
)
def test_a_field_holds_the_answer(line: bytes, ok: bool) -> None:
    """A text is read as the model's answer, anything else is the value itself."""
    assert judged(line, "text") == [(1, ok)]


def test_a_field_may_stand_deeper() -> None:
    """Dots reach into objects."""
    assert judged(rb'{"reply": {"text": "{\"a\": 1}"}}', "reply.text") == [(1, True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"nothing", "line 1: no JSON object, so there is no field 'text'. Name the answer's field with --field."),
        (b'{"b": 1, "c": 2}', "line 1: no field 'text'; it has: b, c. Name the field of the answer with --field."),
        (
            b"[1]",
            f"line 1: no field 'text': its parent is not an object, but a list. {NAMED}",
        ),
        (b'{"text": null}', "line 1: the field 'text' is null: there is no answer to judge."),
        (b"[" * 100_000, "line 1: no JSON object, so there is no field 'text'. Name the answer's field with --field."),
    ],
)
def test_a_line_without_the_field_is_named(line: bytes, said: str) -> None:
    """A line that has no answer is neither good nor bad: it is said, and the other lines are judged."""
    found = lines(line + b'\n{"text": {"a": 1}}', "text")
    assert (found.problems, found.problem_count) == ([said], 1)
    assert [(a.line, a.verdict.ok) for a in found.listed] == [(2, True)]


def test_a_file_without_lines_has_no_answers() -> None:
    """An empty file is said to have no answers."""
    assert lines(b"\n \n").problems == ["no answers: every line is blank. Write one answer a line."]


def test_a_whole_file_is_one_answer(tmp_path: Path) -> None:
    """A document is judged as it stands, line breaks and all."""
    (tmp_path / "a.json").write_text('{\n  "a": 1\n}\n')
    judge = Judge((ANY,), JudgeOptions(), AutoContracts("embedded"))
    (answer,) = judge.file(Source(tmp_path / "a.json", named=True)).answers
    assert answer.verdict.ok
