"""Fed back: what became of each finding in the next request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import fed_back, read, stale
from pytest_planguard.retry.matching.whole_answer import UNKNOWN, spoken
from pytest_planguard.retry.outcomes import DROPPED, Firmness, Grade
from pytest_planguard.retry.reading.entry import ErrorEntry, NewText, clip
from pytest_planguard.wire.exchange import Role

from ...support.cost import assert_growth
from ...support.one_item import in_one_item

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
    return [Delta(2, tuple(Piece(text, n, Role.USER) for n, text in enumerate(texts, 4)))]


def grade(finding: Finding, *texts: str, known_wordings: bool = True, data: object = None) -> str:
    """The grade of one finding."""
    reading = read(delta(*texts), known_wordings=known_wordings)
    return fed_back([finding], reading, attempt=1, data=data)[0].label


@in_one_item
@pytest.mark.parametrize(
    ("finding", "text", "expected"),
    [
        (STATUS, "tasks.0.status: Input should be 'Draft' or 'Approved'", Firmness.VERBATIM),
        (STATUS, '/tasks/0/status (line 4): expected one of "Draft", "Approved"; got "pending"', Firmness.VERBATIM),
        (STATUS, "Problem: for tasks[0].status I read: Input should be 'Draft' or 'Approved'", Firmness.VERBATIM),
        (STATUS, "Input should be 'Draft' or 'Approved' at tasks[0].status", Firmness.VERBATIM),
        (STATUS, "tasks[0].status\nInput should be 'Draft' or 'Approved'", Firmness.VERBATIM),
        (STATUS, "tasks[0].status: must be one of the allowed values", Firmness.LOCATED),
        (STATUS, "- tasks[0].status [literal_error]: no", Firmness.LOCATED),
        (STATUS, "The status has to be one of Draft and Approved", Firmness.WEAK),
        (STATUS, "The status is missing", Grade.WRONG),
        (ITEM, "grid[1] has repeated values", Firmness.WEAK),
        (ITEM, "grid[0] has repeated values", Grade.WRONG),
        (WRONG, "status: Invalid.", Firmness.LOCATED),
        (WRONG, "You said:\n\nstatus: wrong\n\nTry again.", Grade.MISSING),
        (STATUS, "tasks[1].status: Input should be 'Draft' or 'Approved'", Grade.WRONG),
        (STATUS, "tasks[0].status: Field required", Grade.WRONG),
        (STATUS, "tasks[0].status.x: Input should be 'Draft' or 'Approved'", Grade.WRONG),
        (STATUS, "title\nInput should be 'Draft' or 'Approved'", Grade.UNCLEAR),
        (STATUS, "- tasks[0].status: Field required\n- title: Input should be 'Draft' or 'Approved'", Grade.WRONG),
        (STATUS, "Your answer was invalid, try again", Grade.MISSING),
        (STATUS, "", Grade.MISSING),
        (DISTINCT, "- steps: Value error, steps must all be different", Firmness.VERBATIM),
        (DISTINCT, "- steps: steps must all be", Grade.PARTIAL),
        (DISTINCT, "- steps: Value error, the first step must be short", Grade.PARTIAL),
        (DISTINCT, "- title: Value error, steps must all be different", Grade.WRONG),
        (BROKEN, '- (whole answer): Invalid JSON: wrong closing bracket "]"', Firmness.VERBATIM),
        (BROKEN, "- (whole answer): Invalid JSON: EOF", Firmness.LOCATED),
        (BROKEN, "I could not parse your JSON", Firmness.WEAK),
        (BROKEN, "JSONDecodeError: Expecting value", Firmness.LOCATED),
        (BROKEN, "Answer with the corrected JSON object only.", Grade.MISSING),
        (BROKEN, "Your answer was invalid, try again", Grade.MISSING),
        (BROKEN, "- tasks[0].status: Invalid JSON", Grade.WRONG),
        (NO_OBJECT, "- (whole answer): Invalid JSON: trailing characters", Firmness.WEAK),
        (EMPTY, "Your answer must not be empty", Firmness.WEAK),
        (EMPTY, "Please return text or include your response in a tool call.", Firmness.LOCATED),
        (NO_CALL, "Validation Error due to no tool invocation", Firmness.LOCATED),
        (NO_CALL, "You should have used the tool", Firmness.WEAK),
        (MODEL_RULE, "Bad: the end lies before the start, this must not be", Firmness.VERBATIM),
        (MODEL_RULE, "I think the end lies before the start, or not?", Firmness.WEAK),
        (MODEL_RULE, "Something else must be done", Grade.MISSING),
    ],
)
def test_grades(finding: Finding, text: str, expected: Grade) -> None:
    """Place and rule must agree exactly; words alone are weak, and only where nothing else can be had."""
    assert grade(finding, text) == expected


def test_a_quoted_answer_says_nothing() -> None:
    """A copy of the answer, or of a part of it, names its places and values and no error."""
    quoted = 'You said {"status": "wrong"}. Try again.'
    assert grade(WRONG, quoted, data={"status": "wrong"}) in DROPPED
    assert grade(WRONG, quoted, data={"status": "wrong", "title": "x"}) in DROPPED


def test_framework_wordings_can_be_switched_off() -> None:
    """A framework's sentence is known by its code; without it its words speak of the finding."""
    text = "Please return text or include your response in a tool call."
    assert grade(EMPTY, text) == Firmness.LOCATED
    assert grade(EMPTY, text, known_wordings=False) != Firmness.LOCATED


def test_evidence_names_request_and_message() -> None:
    """A reader finds the place: which message of which request, and its words, clipped."""
    reading = read(delta("Hello", "- tasks[0].status: one of Draft, Approved " + "x" * 400))
    graded = fed_back([STATUS], reading, attempt=1)[0]
    assert graded.evidence is not None
    assert graded.evidence.startswith("request 2, message 5: - tasks[0].status: one of Draft, Approved xxx")
    assert len(graded.evidence) < 240
    assert clip("a\n b") == "a b"


def test_reasons_say_what_stands_there_instead() -> None:
    """The nearest miss is named: another problem at the place, or the problem at another place."""
    reasons = [
        fed_back([STATUS], read(delta(text)), attempt=1)[0].reason
        for text in ("tasks[0].status: Field required", "tasks[1].status: must be one of a, b", "Hm.")
    ]
    assert reasons == [
        "it names the right place but a different problem (request 2, message 4: tasks[0].status: Field required)",
        "it names the right problem at a different place (request 2, message 4: tasks[1].status: must be one of a, b)",
        "the new words name no field, value or rule of this answer",
    ]
    assert fed_back([STATUS], read([]), attempt=1)[0].reason == "the next request has no new words"


def test_old_errors_are_stale_only_where_they_no_longer_hold() -> None:
    """Feedback about an earlier attempt is named beside what is missing."""
    reading = read(delta("- steps: Value error, steps must all be different\n- tasks[0].status: one of Draft"))
    assert stale(reading, [STATUS], [DISTINCT]) == [
        "request 2, message 4: - steps: Value error, steps must all be different"
    ]
    assert stale(reading, [STATUS, DISTINCT], [DISTINCT]) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("- steps[2]: repeats an earlier step", Firmness.LOCATED),
        ("- steps: must all be different", Firmness.LOCATED),
        ("- steps: Input should be a valid list", Grade.UNCLEAR),
        ("- steps[1]: repeats an earlier step", Grade.WRONG),
        ("- tags: must all be different", Grade.WRONG),
    ],
)
def test_equal_items_may_be_told_of_their_list(said: str, expected: Grade) -> None:
    """Duplicates are a fault of the list: naming it with that rule feeds back the finding at the second item."""
    twin = Finding("distinct", ("steps", 2), 'repeats an earlier value; got "a"', FailureKind.CONTENT)
    assert grade(twin, said) == expected


@pytest.mark.parametrize(("actual", "expected"), [("[]", Firmness.LOCATED), ('["a"]', Grade.WRONG)])
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
    assert grade(short, "- steps: should be non-empty") == expected


@in_one_item
@pytest.mark.parametrize(
    ("text", "root", "item"),
    [
        ("steps[1]\n  title: Field required", "wrong", "located"),
        ("- steps:\n  - 1:\n    - title: Field required", "wrong", "located"),
        ("- steps:\n    - title: Field required", "wrong", "wrong"),
        ("- steps:\n  - 7:\n    - title: Field required", "located", "wrong"),
        ("- other:\n    - title: Field required", "located", "wrong"),
        ("title: Field required\nsteps[1].title: Field required", "located", "located"),
    ],
)
def test_an_outline_shows_where_a_name_belongs(text: str, root: str, item: str) -> None:
    """Below a place that the answer has; any other line above is a heading."""
    data = {"name": "x", "steps": [{"id": 1}, {"id": 2}]}
    missing = Finding("missing", ("title",), "required, missing", FailureKind.MISSING)
    assert grade(missing, text, data=data) == root
    assert grade(replace(missing, path=("steps", 1, "title")), text, data=data) == item


def test_sentences_beside_many_errors_cost_linear_time() -> None:
    """Whether a sentence speaks of another place is one look, however many errors the text names."""

    def look(count: int) -> None:
        entries = tuple(ErrorEntry(("a", "b"), None, "no words", n * 10, n * 10 + 9) for n in range(count))
        assert not [*spoken(replace(STATUS, path=()), [NewText("", "no words\n " * count, entries)], UNKNOWN)]

    assert_growth(look, 500, 4_000, below=32)  # linear work gives 8, quadratic work 64
