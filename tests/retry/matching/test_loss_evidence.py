"""What becomes of a finding that no reader of errors finds: placed, unread, or lost with a true reason."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge

from ...support.conversations import dialogue, grades

SCHEMA = {
    "type": "object",
    "required": ["nights", "invoice_no"],
    "properties": {
        "nights": {"type": "integer", "maximum": 28},
        "invoice_no": {"type": "string", "title": "Bill number"},
        "guests": {"type": "array", "items": {"type": "object", "properties": {"age": {"type": "integer"}}}},
    },
}
STAY = Contract(SCHEMA)
BAD = '{"nights": 35, "invoice_no": "A1", "guests": [{"age": 4}, {"age": "old"}, {"age": 7}]}'
GOOD = '{"nights": 3, "invoice_no": "A1", "guests": [{"age": 4}, {"age": 5}, {"age": 7}]}'


def fates(feedback: str, bad: str = BAD) -> list[tuple[str, str | None]]:
    """Return grade and reason of each finding: of `guests[1].age` and of `nights`."""
    talk = dialogue(feedback, bad=bad, good=GOOD, task="Book a room")
    (judged,) = judge(talk, [STAY]).conversations
    told = sorted(judged.attempts[0].carried, key=lambda c: str(c.finding.path))
    return [(carried.grade.value, carried.reason) for carried in told]


@pytest.mark.parametrize(
    "spelling",
    ["nights", "Nights", "NIGHTS", "`nights`", "$.nights", "create.booking.nights", "{base}.nights", "data/nights"],
)
def test_a_place_is_known_in_any_spelling(spelling: str) -> None:
    """Words that nobody knows beside the exact place: placed, with the words as evidence."""
    assert fates(f"{spelling} :: quux frob")[1] == (
        "placed",
        "its place is named, and the words beside it were not understood",
    )


@pytest.mark.parametrize(
    "spelling", ["guests[1].age", "guests -> 1 -> age", "/guests/1/age", "guests.1.age", "('guests', 1, 'age')"]
)
def test_positions_are_read_in_any_spelling(spelling: str) -> None:
    """The item of the finding is placed, its neighbours are not."""
    assert fates(f"{spelling} quux frob")[0][0] == "placed"
    assert fates(f"{spelling.replace('1', '2')} quux frob")[0][0] == "lost"


def test_a_title_of_the_schema_names_its_field() -> None:
    """`invoice_no` has the title "Bill number"."""
    missing = '{"nights": 3, "guests": []}'
    assert fates("Bill number: quux frob", missing)[0][0] == "placed"


def test_names_stand_beside_words_of_another_script() -> None:
    """No space parts a name from Chinese words."""
    assert fates("nights必须小于或等于28")[1][0] == "weak"


def test_a_field_without_its_item_is_unread() -> None:
    """Three guests have an age, and the words say of none which."""
    assert fates("age quux frob")[0] == (
        "unread",
        "its field is named, and nobody can tell of which item the words speak",
    )


def test_the_bad_value_tells_the_item() -> None:
    """Only one guest is "old"."""
    assert fates("the age quux frob 'old'")[0][0] == "placed"
    assert fates("quux frob 'old'")[0] == ("unread", "its value is quoted, and the words beside it were not understood")


def test_a_rule_without_a_field_is_unread() -> None:
    """It may mean any field that breaks it."""
    assert fates("must not exceed 28")[1] == ("unread", "a rule is named (too large), and no field")


@pytest.mark.parametrize(
    "feedback",
    [
        "Your answer could not be parsed: it was cut off at the token limit.",
        "The output should be formatted as a JSON instance that conforms to the JSON schema below",
        "The object is a well-formatted instance of the schema.",
    ],
)
def test_words_about_the_whole_answer_mean_no_field(feedback: str) -> None:
    """What is wrong with the text as a whole, and how it is to be written, is no rule of a field."""
    assert fates(feedback)[1] == ("lost", "the new words name no field, no value and no rule of this answer")


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("Please book the old hotel of the town.", "lost"),
        ("the quux frob 'old'", "unread"),
        ("This is wrong: old, as I said", "weak"),
        ("old quux frob", "unread"),
    ],
)
def test_a_word_is_the_bad_value_where_a_fault_is_found(feedback: str, expected: str) -> None:
    """A value that is a common word stands in tasks, too: it counts in quotes, beside a fault, in other languages."""
    assert fates(feedback)[0][0] == expected


@pytest.mark.parametrize(
    ("feedback", "reason"),
    [
        ("Try again.", "the new words name no field, no value and no rule of this answer"),
        ("guests[1].age: quux frob", "the words are about other places (guests[1].age), not nights"),
        (
            "nights: must be at least 1",
            "its place is named with another problem (request 2, message 4: nights: must be at least 1)",
        ),
        ("nights: 35", "its place is named, and nothing that is wrong with it"),
        ("nights: ok", "its place is named, and nothing that is wrong with it"),
    ],
)
def test_a_loss_has_evidence_and_a_true_reason(feedback: str, reason: str) -> None:
    """Nothing shared, other places, another rule, an echo, praise."""
    assert fates(feedback)[1] == ("lost", reason)


@pytest.mark.parametrize("bound", ["at most 28", "28 or less", "no more than 28", "<= 28"])
@pytest.mark.parametrize("other", ["at most 90", "90 or less", "no more than 90", "<= 90"])
def test_another_bound_is_another_rule(bound: str, other: str) -> None:
    """The direction agrees and the bound does not."""
    assert fates(f"nights must be {bound}")[1][0] in ("located", "weak")
    assert fates(f"nights must be {other}")[1][0] == "lost"


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("please add the goal", ["weak", "lost", "lost"]),
        ("I don't see any goal", ["weak", "lost", "lost"]),
        ("`tasks[0].status`: we don't know 'pending'", ["lost", "weak", "lost"]),
        ("tasks[1].id should be numeric", ["lost", "lost", "weak"]),
        ("| Feld | Fehler |\n|---|---|\n| goal | str |\n| `tasks[0].status` | Literal |", ["placed", "placed", "lost"]),
    ],
)
def test_words_that_fit_the_rule_of_the_place(feedback: str, expected: list[str]) -> None:
    """Absence, a value turned down, a type by its common name; bare type names stay placed."""
    assert grades(feedback) == expected
