"""Answers one a line, while the file is read: its field is found, its list capped, its counts those of each alone."""

import io
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from pytest_planguard import Contract
from pytest_planguard.cli.inputs import answers as answer_stream
from pytest_planguard.cli.inputs.answers import EVERYTHING, NOTHING, Listing, answer_field, judge_lines, lines_of

from ...support.cost import assert_growth


class Out(BaseModel):
    """Has fields of three kinds, so that one answer can break several rules of one phase."""

    title: str = Field(min_length=3)
    priority: int = Field(ge=1)
    content: str = "none"


OUT = Contract(Out)
GOOD = '{"title": "Printer", "priority": 1, "content": "x"}'
ANSWERS = st.one_of(
    st.builds(
        lambda **fields: json.dumps(fields),
        title=st.one_of(st.text(max_size=4), st.integers()),
        priority=st.one_of(st.integers(), st.text(max_size=2)),
    ),
    st.text(max_size=20),
    st.just(GOOD),
)


def line_of(answer: str) -> bytes:
    """A line with an answer in one of its fields."""
    return json.dumps({"id": 1, "output": answer}).encode() + b"\n"


@given(st.lists(ANSWERS, min_size=1, max_size=12))
def test_what_is_only_counted_is_counted_as_what_is_listed(answers: list[str]) -> None:
    """The figures are those of each answer judged by itself, however many of them are listed."""
    lines = [line_of(answer) for answer in answers]
    verdicts = [OUT.check(answer) for answer in answers]
    kinds = Counter(verdict.kind for verdict in verdicts if verdict.kind is not None)
    for listing in (NOTHING, Listing(most=2), EVERYTHING):
        judged = judge_lines(lines, OUT, "output", listing)
        assert (judged.answers, judged.good, judged.kinds) == (len(answers), sum(v.ok for v in verdicts), kinds)
        assert len(judged.listed) + judged.unlisted >= judged.bad


def test_the_list_ends_and_says_how_many_more() -> None:
    """Of ten bad answers three are listed, in their order; good ones only where they are asked for."""
    lines = [line_of(GOOD), *[line_of("{}")] * 10]
    judged = judge_lines(lines, OUT, None, Listing(most=3))
    assert ([a.line for a in judged.listed], judged.unlisted) == ([2, 3, 4], 7)
    assert [a.line for a in judge_lines(lines, OUT, None, EVERYTHING).listed][:2] == [1, 2]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (GOOD, None),
        (json.dumps({"id": 1, "output": GOOD}), "output"),
        (json.dumps({"id": 1, "answer": None, "completion": GOOD}), "completion"),
        (json.dumps({"id": 1, "text": "prose"}), "text"),
        (json.dumps({"title": "Pr", "content": "x"}), None),
        ('{"what": 1}', None),
        ("not json", None),
    ],
)
def test_the_field_is_found_by_the_content(line: str, field: str | None) -> None:
    """As `planguard diff` finds it; a field of the contract's own documents holds no answer, nor does null."""
    assert answer_field(line.encode(), OUT) == field


def test_the_first_object_decides() -> None:
    """Lines that are no objects do not; what lacks the field later on is named, and the rest of those is counted."""
    many = answer_stream.MAX_PROBLEMS + 5
    judged = judge_lines([b"prose\n", line_of(GOOD), *[b'{"id": 2}\n'] * many], OUT, None, NOTHING)
    assert (judged.answer_field, judged.answers, judged.good) == ("output", 2, 1)
    assert judged.problems[0] == "line 3: no field 'output'; it has: id. Name the field of the answer with --field."
    assert (len(judged.problems), judged.problem_count) == (answer_stream.MAX_PROBLEMS, many)


def test_a_null_leaves_the_decision_to_the_next_line() -> None:
    """The verdicts do not depend on the place of a failed request in the log."""
    failed, good = b'{"id": 1, "output": null, "error": "timeout"}\n', line_of(GOOD)
    for lines in ([failed, failed, good, good], [good, good, failed, failed]):
        judged = judge_lines(lines, OUT, None, NOTHING)
        assert (judged.answer_field, judged.answers, judged.good, judged.problem_count) == ("output", 2, 2, 2)


def test_a_line_that_is_too_long_is_one_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not held in memory whole, and the line after it keeps its number."""
    monkeypatch.setattr(answer_stream, "MAX_LINE", 100)
    file = io.BytesIO(b"x" * 1_000 + b"\n" + line_of(GOOD) + b"y" * 101)
    judged = judge_lines(lines_of(file), OUT, None, EVERYTHING)
    assert judged.problems == ["line 1: longer than 0 MB; split it.", "line 3: longer than 0 MB; split it."]
    assert [answer.line for answer in judged.listed] == [2]


def test_the_cost_of_lines_grows_with_their_number() -> None:
    """Nothing is gone through again for each line."""
    line = line_of("{}")
    assert_growth(lambda size: judge_lines([line] * size, OUT, None, NOTHING), 200, 1_600, below=16)
