"""Apps parse the whole answer: where a strict parser of it stops is this answer's place, whatever document is in it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_planguard.contract.contract import Contract
from pytest_planguard.document.formats.parser_stops import parser_stops
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import CheckStatus
from pytest_planguard.retry.reading.error_category import unreadable

from ...support.conversations import PLAN, Plan, dialogue
from ...support.one_item import in_one_item
from .broken_answers import PARSERS, TRIMMED, WORDED, broken_answers, place, python

EMBEDDED = Contract(Plan)
STAY = '{"goal": "Ship", "tasks": ['


def status(feedback: str, answer: str, contract: Contract = PLAN) -> CheckStatus:
    """Return what is said of a retry with this feedback on an answer."""
    return judge(dialogue(feedback, bad=answer), [contract]).conversations[0].check("feedback").status


@given(
    broken_answers(),
    st.sampled_from(sorted(PARSERS)),
    st.sampled_from(sorted(TRIMMED)),
    st.sampled_from(sorted(WORDED)),
    st.sampled_from([PLAN, EMBEDDED]),
)
def test_what_a_parser_says_of_the_whole_answer_is_never_lost(
    answer: str, parser: str, trimmed: str, worded: str, contract: Contract
) -> None:
    """Real words of real parsers, in any frame."""
    error = PARSERS[parser](TRIMMED[trimmed](answer))
    assume(error)
    assert status(WORDED[worded](error), answer, contract) is not CheckStatus.FAIL


@given(broken_answers(), broken_answers(), st.sampled_from(sorted(PARSERS)), st.sampled_from(sorted(WORDED)))
def test_what_a_parser_says_of_another_answer_is_not_carried(answer: str, other: str, parser: str, worded: str) -> None:
    """Feedback on an earlier answer, whose place is none of this one's."""
    errors = [f for f in PLAN.check(answer).errors if unreadable(f)]
    error = PARSERS[parser](other)
    assume(errors and error)
    own = {place(f.validator_message) for f in errors if "column" in (f.validator_message or "")}
    own |= {(f.span.line, f.span.column) for f in errors if f.span}
    assume(place(error) not in parser_stops(answer).places | own)
    assert status(WORDED[worded](error), answer) is CheckStatus.FAIL


@in_one_item
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (f'"{STAY}', "trailing characters at line 1 column 4"),
        ('"Plan" {"goal": "Ship"', "trailing characters at line 1 column 8"),
        ('{"goal": "Ship"}, {\n "tasks" [] }', "trailing characters at line 1 column 17"),
        ('"""\n\ndef plan():\n    return text[::-1]\n', "trailing characters at line 1 column 3"),
        (f"Sure! {STAY}", 'Unexpected token \'S\', "Sure! {"goa"... is not valid JSON'),
        (f"Sure! {STAY}", "Unexpected token S in JSON at position 0"),
        (f"{STAY}]}} Regards", "invalid character 'R' after top-level value"),
        (f"{STAY}]}} Regards", "Extra data: line 1 column 31 - line 1 column 38 (char 30 - 37)"),
        (f"{STAY}]}} Regards", "JSON is malformed: trailing characters (byte 30)"),
        (f"{STAY}]}} Regards", "unexpected token at 'Regards'"),
        (f"{STAY}", "Input data was truncated"),
        (f"{STAY}", "Parse error at offset 27: Invalid value."),
        (
            f"Sure, here: {STAY}",
            "Unrecognized token 'Sure': was expecting (JSON String, Number or token 'null')\n at [line: 1, column: 5]",
        ),
        ('{"goal": "Größe 😀", "tasks" []}', "expected `:` at line 1 column 34"),
        ('{"goal": "Größe 😀", "tasks" []}', "Expected ':' after property name in JSON at position 29"),
        ('{"goal": "Größe 😀", "tasks" []}', "unexpected character, expected ':': line 1 column 29 (char 28)"),
    ],
)
def test_parsers_of_any_language_name_the_same_places(answer: str, error: str) -> None:
    """By line and column, by an offset in characters, bytes or units of UTF-16, or by the text that stands there."""
    assert python(answer)
    assert status(error, answer) is CheckStatus.PASS


@pytest.mark.parametrize(
    "error",
    [
        "trailing characters at line 1 column 9",
        "Extra data: line 2 column 1 (char 70)",
        "Unexpected token } in JSON at position 61",
        "- tasks[3].status: trailing characters at line 1 column 4",
    ],
)
def test_a_place_where_no_parser_stops_is_another_answers(error: str) -> None:
    """Three columns on, on another line, at a field: missing."""
    assert status(error, f'"{STAY}') is CheckStatus.FAIL


def test_an_app_that_takes_json_alone_says_where_yaml_is_none() -> None:
    """The contract reads YAML and misses a field; the app did not get so far."""
    assert PLAN.check("goal: none").format == "yaml"
    assert status("Expecting value: line 1 column 1 (char 0)", "goal: none") is CheckStatus.NOT_JUDGED
    assert status("Expecting value: line 4 column 1 (char 80)", "goal: none") is CheckStatus.FAIL
