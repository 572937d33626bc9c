"""Carried: what became of each finding in the next request."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.linking.delta import Delta, Piece
from pytest_planguard.retry.matching.carried import carried, read, stale
from pytest_planguard.retry.matching.keyword_match import spoken_of
from pytest_planguard.retry.matching.new_text import clip
from pytest_planguard.retry.outcomes import Grade
from pytest_planguard.retry.reading.error_category import ErrorCategory
from pytest_planguard.wire.exchange import Role

from ...support.cost import assert_growth

STATUS = Finding(
    "enum",
    ("tasks", 0, "status"),
    'expected one of "Draft", "Approved"; got "pending"',
    FailureKind.ENUM,
    validator_code="literal_error",
    validator_message="Input should be 'Draft' or 'Approved'",
)
DISTINCT = Finding(
    "rule",
    ("steps",),
    "steps must all be different",
    FailureKind.RULE,
    validator_code="value_error",
    validator_message="Value error, steps must all be different",
)
ITEM = Finding("distinct", ("grid", 1, 2), 'repeats an earlier value; got "a"', FailureKind.CONTENT)
WRONG = Finding("enum", ("status",), 'expected one of "a", "b"; got "wrong"', FailureKind.ENUM, actual='"wrong"')
BROKEN = Finding("invalid_json", (), 'wrong closing bracket "]"', FailureKind.INVALID_JSON)
NO_OBJECT = Finding("type", (), "expected an object", FailureKind.TYPE, validator_code="model_type")
EMPTY = Finding("empty", (), "the answer is empty", FailureKind.EMPTY)
NO_CALL = Finding("no_tool_call", (), "expected a call of the tool plan", FailureKind.NO_TOOL_CALL)
MODEL_RULE = Finding("rule", (), "the end lies before the start", FailureKind.RULE, validator_code="value_error")


def delta(*texts: str) -> list[Delta]:
    """A delta of request 2 whose pieces are these texts."""
    return [Delta(2, tuple(Piece(text, n, Role.USER) for n, text in enumerate(texts, 4)), turn=True)]


def grade(finding: Finding, *texts: str, known_wordings: bool = True, data: object = None) -> Grade:
    """The grade of one finding."""
    reading = read(delta(*texts), known_wordings=known_wordings)
    return carried([finding], reading, attempt=1, data=data)[0].grade


@pytest.mark.parametrize(
    ("finding", "text", "expected"),
    [
        (STATUS, "tasks.0.status: Input should be 'Draft' or 'Approved'", Grade.VERBATIM),
        (STATUS, '/tasks/0/status (line 4): expected one of "Draft", "Approved"; got "pending"', Grade.VERBATIM),
        (STATUS, "Problem: for tasks[0].status I read: Input should be 'Draft' or 'Approved'", Grade.VERBATIM),
        (STATUS, "Input should be 'Draft' or 'Approved' at tasks[0].status", Grade.VERBATIM),
        (STATUS, "tasks[0].status\nInput should be 'Draft' or 'Approved'", Grade.VERBATIM),
        (STATUS, "tasks[0].status: must be one of the allowed values", Grade.LOCATED),
        (STATUS, "- tasks[0].status [literal_error]: no", Grade.LOCATED),
        (STATUS, "The status has to be one of Draft and Approved", Grade.WEAK),
        (STATUS, "The status is missing", Grade.LOST),
        (ITEM, "grid[1] has repeated values", Grade.WEAK),
        (ITEM, "grid[0] has repeated values", Grade.LOST),
        (WRONG, "status: Invalid.", Grade.LOCATED),
        (WRONG, "You said:\n\nstatus: wrong\n\nTry again.", Grade.LOST),
        (STATUS, "tasks[1].status: Input should be 'Draft' or 'Approved'", Grade.LOST),
        (STATUS, "tasks[0].status: Field required", Grade.LOST),
        (STATUS, "tasks[0].status.x: Input should be 'Draft' or 'Approved'", Grade.LOST),
        (STATUS, "title\nInput should be 'Draft' or 'Approved'", Grade.UNREAD),
        (STATUS, "- tasks[0].status: Field required\n- title: Input should be 'Draft' or 'Approved'", Grade.LOST),
        (STATUS, "Your answer was invalid, try again", Grade.LOST),
        (STATUS, "", Grade.LOST),
        (DISTINCT, "- steps: Value error, steps must all be different", Grade.VERBATIM),
        (DISTINCT, "- steps: steps must all be", Grade.PLACED),
        (DISTINCT, "- steps: Value error, the first step must be short", Grade.PLACED),
        (DISTINCT, "- title: Value error, steps must all be different", Grade.LOST),
        (BROKEN, '- (whole answer): Invalid JSON: wrong closing bracket "]"', Grade.VERBATIM),
        (BROKEN, "- (whole answer): Invalid JSON: EOF", Grade.LOCATED),
        (BROKEN, "I could not parse your JSON", Grade.WEAK),
        (BROKEN, "JSONDecodeError: Expecting value", Grade.LOCATED),
        (BROKEN, "Answer with the corrected JSON object only.", Grade.LOST),
        (BROKEN, "Your answer was invalid, try again", Grade.LOST),
        (BROKEN, "- tasks[0].status: Invalid JSON", Grade.LOST),
        (NO_OBJECT, "- (whole answer): Invalid JSON: trailing characters", Grade.WEAK),
        (EMPTY, "Your answer must not be empty", Grade.WEAK),
        (EMPTY, "Please return text or include your response in a tool call.", Grade.LOCATED),
        (NO_CALL, "Validation Error due to no tool invocation", Grade.LOCATED),
        (NO_CALL, "You should have used the tool", Grade.WEAK),
        (MODEL_RULE, "Bad: the end lies before the start, this must not be", Grade.VERBATIM),
        (MODEL_RULE, "I think the end lies before the start, or not?", Grade.WEAK),
        (MODEL_RULE, "Something else must be done", Grade.LOST),
    ],
)
def test_grades(finding: Finding, text: str, expected: Grade) -> None:
    """Place and rule must agree exactly; words alone are weak, and only where nothing else can be had."""
    assert grade(finding, text) is expected


def test_a_quoted_answer_says_nothing() -> None:
    """A copy of the answer, or of a part of it, names its places and values and no error."""
    quoted = 'You said {"status": "wrong"}. Try again.'
    assert grade(WRONG, quoted, data={"status": "wrong"}) is Grade.LOST
    assert grade(WRONG, quoted, data={"status": "wrong", "title": "x"}) is Grade.LOST


def test_framework_wordings_can_be_switched_off() -> None:
    """A framework's sentence is known by its code; without it its words speak of the finding."""
    text = "Please return text or include your response in a tool call."
    assert grade(EMPTY, text) is Grade.LOCATED
    assert grade(EMPTY, text, known_wordings=False) is not Grade.LOCATED


def test_evidence_names_request_and_message() -> None:
    """A reader finds the place: which message of which request, and its words, clipped."""
    reading = read(delta("Hello", "- tasks[0].status: one of Draft, Approved " + "x" * 400))
    fate = carried([STATUS], reading, attempt=1)[0]
    assert fate.evidence is not None
    assert fate.evidence.startswith("request 2, message 5: - tasks[0].status: one of Draft, Approved xxx")
    assert len(fate.evidence) < 240
    assert clip("a\n b") == "a b"


def test_reasons_say_what_stands_there_instead() -> None:
    """The nearest miss is named: another problem at the place, or the problem at another place."""
    reasons = [
        carried([STATUS], read(delta(text)), attempt=1)[0].reason
        for text in ("tasks[0].status: Field required", "tasks[1].status: must be one of a, b", "Hm.")
    ]
    assert reasons == [
        "its place is named with another problem (request 2, message 4: tasks[0].status: Field required)",
        "its problem is named at another place (request 2, message 4: tasks[1].status: must be one of a, b)",
        "the new words name no field, no value and no rule of this answer",
    ]
    assert carried([STATUS], read([]), attempt=1)[0].reason == "the next request says nothing new"


def test_old_errors_are_stale_only_where_they_no_longer_hold() -> None:
    """Feedback about an earlier attempt is named beside what is lost."""
    reading = read(delta("- steps: Value error, steps must all be different\n- tasks[0].status: one of Draft"))
    assert stale(reading, [STATUS], [DISTINCT]) == [
        "request 2, message 4: - steps: Value error, steps must all be different"
    ]
    assert stale(reading, [STATUS, DISTINCT], [DISTINCT]) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("- steps[2]: repeats an earlier step", Grade.LOCATED),
        ("- steps: must all be different", Grade.LOCATED),
        ("- steps: Input should be a valid list", Grade.UNREAD),
        ("- steps[1]: repeats an earlier step", Grade.LOST),
        ("- tags: must all be different", Grade.LOST),
    ],
)
def test_equal_items_may_be_told_of_their_list(said: str, expected: Grade) -> None:
    """Duplicates are a fault of the list: naming it with that rule carries the finding at the second item."""
    twin = Finding("distinct", ("steps", 2), 'repeats an earlier value; got "a"', FailureKind.CONTENT)
    assert grade(twin, said) is expected


@pytest.mark.parametrize(("actual", "expected"), [("[]", Grade.LOCATED), ('["a"]', Grade.LOST)])
def test_what_is_empty_is_too_short(actual: str, expected: Grade) -> None:
    """Some validators call an empty list empty instead of naming its minimum; a list of one item is not."""
    short = Finding(
        "length",
        ("steps",),
        "expected at least 2 items",
        FailureKind.CONTENT,
        actual=actual,
        validator_code="too_short",
    )
    assert grade(short, "- steps: should be non-empty") is expected


def test_sentences_beside_many_errors_cost_linear_time() -> None:
    """Whether a sentence speaks of another place is one look, however many errors the text names."""

    def look(count: int) -> None:
        spans = [(n * 10, n * 10 + 9) for n in range(count)]
        assert spoken_of(STATUS, "no words\n " * count, ErrorCategory.ENUM, spans) is None

    assert_growth(look, 500, 4_000, below=32)  # linear work gives 8, quadratic work 64
