"""A parse error is about this answer only where its line, column, offset or kind fits it."""

from __future__ import annotations

import json

import pytest
from pydantic_core import from_json

from pytest_planguard.document.formats.parser_stops import ParserStops
from pytest_planguard.retry.matching.whole_answer import names_stop
from pytest_planguard.retry.outcomes import DROPPED

from ...support.conversations import PLAN, grades
from ...support.one_item import in_one_item

ONE = '{"goal": "Ship", "tasks": [{"id": 1, "status": "Draft"}]]'
ANSWERS = {
    "bracket": ONE,
    "trailing comma": '{"goal": "Ship",\n "tasks": [{"id": 1, "status": "Draft"},]}',
    "bare key": '{"goal": "Ship", tasks: []}',
    "single quotes": "{'goal': 1}",
    "cut off": '{"goal": "Ship',
    "line break": '{"goal": "a\nb"}',
    "third line": '{\n"goal": "Ship",\n"tasks" []}',
}


def python(text: str) -> str:
    """Return the words of Python's parser."""
    with pytest.raises(ValueError, match="line") as error:
        json.loads(text)
    return f"Invalid JSON: {error.value}"


def rust(text: str) -> str:
    """Return the words of pydantic's parser."""
    with pytest.raises(ValueError, match="line") as error:
        from_json(text)
    return f"Invalid JSON: {error.value}"


def own(text: str) -> str:
    """Return our own words, with the line."""
    (finding,) = PLAN.check(text).errors
    return f"- (whole answer) (line {finding.span.line if finding.span else 1}): invalid JSON: {finding.message}"


@in_one_item
@pytest.mark.parametrize("word", [python, rust, own])
@pytest.mark.parametrize("answer", ANSWERS)
def test_the_words_of_every_parser_fit_its_own_answer(answer: str, word) -> None:
    """Parsers notice the same error up to two columns apart; none of them is taken for another's."""
    assert not set(DROPPED) & set(grades(word(ANSWERS[answer]), ANSWERS[answer]))


@in_one_item
@pytest.mark.parametrize("word", [python, rust])
@pytest.mark.parametrize("answer", ANSWERS)
def test_the_parse_error_of_another_answer_is_lost(answer: str, word) -> None:
    """Feedback on an earlier answer is noticed by its place."""
    others = [text for name, text in ANSWERS.items() if name != answer]
    assert [grades(word(other), ANSWERS[answer]) for other in others] == [["wrong"]] * len(others)


@pytest.mark.parametrize("around", ["Sorry, I need the plan again.\n{}", "{}\nReturn the plan as JSON, as before."])
def test_other_lines_do_not_hide_the_parse_error_of_another_answer(around: str) -> None:
    """A line that names no parse error says nothing for or against the one that does."""
    older, answer = list(ANSWERS.values())[:2]
    assert grades(around.format(python(older)), answer) == ["wrong"]


def test_the_reason_names_both_places() -> None:
    """A reader sees which line is meant and which would be right."""
    from pytest_planguard.retry.judging.judge import judge

    from ...support.conversations import dialogue

    (judged,) = judge(dialogue("Invalid JSON: trailing comma at line 7 column 3", bad=ONE), [PLAN]).conversations
    assert judged.attempts[0].fed_back[0].reason == (
        "it names a parse error at line 7 column 3, not line 1 column 57 "
        "(request 2, message 4: Invalid JSON: trailing comma at line 7 column 3)"
    )


@pytest.mark.parametrize("before", ['"', "Here: "])
def test_a_parser_of_the_whole_answer_may_stop_at_what_stands_around_the_document(before: str) -> None:
    """On one line with the document too: the app says all that its parser told, and no finding is missing."""
    wrapped = f"{before}{ANSWERS['bare key']}"
    assert "missing" not in grades(rust(wrapped), wrapped)
    assert "missing" not in grades(python(wrapped), wrapped)


@pytest.mark.parametrize("before", [1, 2])
def test_the_same_parser_places_an_error_exactly(before: int) -> None:
    """Parsers differ by two columns, one parser's words do not: column 377 of an older answer is not column 378."""
    older = '{"goal": "Ship", "tasks": [{"id": 1, "status": "Draft"}]]'
    answer = older.replace("Ship", "Ship" + "s" * before)
    assert grades(python(older), answer) == ["wrong"]
    assert grades(python(answer), answer) != ["wrong"]


STOP = ParserStops(places=frozenset({(1, 1), (0, 0)}), following=(f"Here is {'x' * 60}",))


@in_one_item
@pytest.mark.parametrize(
    "word", ["character", "token", "identifier", "symbol", "Zeichen", "car\u00e1cter", "caracter", "caract\u00e8re"]
)
def test_a_parser_quotes_the_character_at_which_it_stops(word: str) -> None:
    """After a word for it; without that word, a single character may be the expected one."""
    for quoted in ("'H'", '"H"', "`H`", "H", "(H", "('H' (code 72))", "'Here'", "'Her…'"):
        assert names_stop(f"Unexpected {word} {quoted}", STOP), quoted
    for other in ("'x'", "x", "Here", "H. x", "'Here it is'", "''", "'…'"):
        assert not names_stop(f"Unexpected {word} {other}", STOP), other
    assert not names_stop("Unexpected letter 'H'", STOP)
    assert not names_stop(f"Unexpected x{word} 'H'", STOP)


@in_one_item
@pytest.mark.parametrize(
    ("words", "named"),
    [
        *((f"unexpected {quoted}", True) for quoted in ("'He'", '"He"', "`He`", "“Here”", "'Here...'")),
        *((f"unexpected {quoted}", False) for quoted in ("'H'", "“H”", "'…'", "Here", "'ere'", "'Here {'")),
        (f"unexpected 'Here is {'x' * 52}'", True),
        (f"unexpected 'Here is {'x' * 53}'", False),
        ("line 1 column 1", True),
        ("line 3 column 1", False),
        ("line 1 column 1: 'x'", True),
        ("line 3 column 1: 'Here'", False),
        ("line 1: 'Here'", True),
        ("line 1: 'x'", False),
        ("char 0", True),
        ("char 3", False),
        ("nothing", False),
    ],
)
def test_words_name_the_stop_of_a_parser(words: str, named: bool) -> None:
    """By its column; without one, by the text there, of 2 to 60 characters."""
    assert names_stop(words, STOP) is named


def test_further_positions_count_as_well() -> None:
    """Such as the finding's own."""
    assert names_stop("line 7 column 9", STOP, [(7, 9)])
    assert not names_stop("line 7 column 9", STOP, [(7, 19)])
