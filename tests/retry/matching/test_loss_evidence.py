"""What becomes of a finding that no reader of errors finds: placed, unclear, or missing with a true reason."""

from __future__ import annotations

import json

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import DROPPED

from ...support.conversations import dialogue, grades
from ...support.one_item import in_one_item

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


def gradings(feedback: str, bad: str = BAD) -> list[tuple[str, str | None]]:
    """Return grade and reason of each finding: of `guests[1].age` and of `nights`."""
    talk = dialogue(feedback, bad=bad, good=GOOD, task="Book a room")
    (judged,) = judge(talk, [STAY]).conversations
    told = sorted(judged.attempts[0].fed_back, key=lambda c: str(c.finding.path))
    return [(fed_back.label, fed_back.reason) for fed_back in told]


@pytest.mark.parametrize(
    "spelling",
    ["nights", "Nights", "NIGHTS", "`nights`", "$.nights", "create.booking.nights", "{base}.nights", "data/nights"],
)
def test_a_place_is_known_in_any_spelling(spelling: str) -> None:
    """Words that nobody knows beside the exact place are partial with something of its own, and else unclear."""
    assert gradings(f"{spelling} :: quux frob 35")[1] == (
        "partial",
        "it names the place, but the other words were not understood",
    )
    assert gradings(f"{spelling} :: quux frob")[1] == (
        "unclear",
        "it names the place, in words that were not understood and repeat nothing from the finding",
    )


@pytest.mark.parametrize(
    "spelling", ["guests[1].age", "guests -> 1 -> age", "/guests/1/age", "guests.1.age", "('guests', 1, 'age')"]
)
def test_positions_are_read_in_any_spelling(spelling: str) -> None:
    """The item of the finding is placed, its neighbours are not."""
    assert gradings(f"{spelling} quux frob")[0][0] == "unclear"
    assert gradings(f"{spelling.replace('1', '2')} quux frob")[0][0] in DROPPED


def test_a_title_of_the_schema_names_its_field() -> None:
    """`invoice_no` has the title "Bill number"."""
    missing = '{"nights": 3, "guests": []}'
    assert gradings("Bill number: quux frob", missing)[0][0] == "partial"


def test_names_stand_beside_words_of_another_script() -> None:
    """No space parts a name from Chinese words."""
    assert gradings("nights必须小于或等于28")[1][0] == "weak"


def test_a_field_without_its_item_is_unread() -> None:
    """Three guests have an age, and the words say of none which."""
    assert gradings("age quux frob")[0] == (
        "unclear",
        "it names the field, but not which item",
    )


def test_the_bad_value_tells_the_item() -> None:
    """Only one guest is "old"."""
    assert gradings("the age quux frob 'old'")[0][0] == "partial"
    assert gradings("quux frob 'old'")[0] == (
        "unclear",
        "it quotes the value, but the other words were not understood",
    )


def test_a_rule_without_a_field_is_unread() -> None:
    """It may mean any field that breaks it."""
    assert gradings("must not exceed 28")[1] == ("unclear", "it names a rule (too large), but no field")


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
    assert gradings(feedback)[1] == ("missing", "the new words name no field, value or rule of this answer")


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("Please book the old hotel of the town.", "missing"),
        ("the quux frob 'old'", "unclear"),
        ("This is wrong: old, as I said", "weak"),
        ("old quux frob", "unclear"),
    ],
)
def test_a_word_is_the_bad_value_where_a_fault_is_found(feedback: str, expected: str) -> None:
    """A value that is a common word stands in tasks, too: it counts in quotes, beside a fault, in other languages."""
    assert gradings(feedback)[0][0] == expected


@pytest.mark.parametrize(
    ("feedback", "reason"),
    [
        ("Try again.", "the new words name no field, value or rule of this answer"),
        ("guests[1].age: quux frob", "the words are about other places (guests[1].age), not nights"),
        ("Path `rooms.0.floor` failed: must be <= 28", "the words are about other places (rooms.0.floor), not nights"),
        (
            "nights: must be at least 1",
            "it names the right place but a different problem (request 2, message 4: nights: must be at least 1)",
        ),
        ("nights: 35", "it names the place but not the problem"),
        ("nights: ok", "it names the place but not the problem"),
    ],
)
def test_a_loss_has_evidence_and_a_true_reason(feedback: str, reason: str) -> None:
    """Nothing shared, other places, another rule, an echo, praise."""
    grade, said = gradings(feedback)[1]
    assert grade in DROPPED
    assert said == reason


@in_one_item
@pytest.mark.parametrize("bound", ["at most 28", "28 or less", "no more than 28", "<= 28"])
@pytest.mark.parametrize("other", ["at most 90", "90 or less", "no more than 90", "<= 90"])
def test_another_bound_is_another_rule(bound: str, other: str) -> None:
    """The direction agrees and the bound does not."""
    assert gradings(f"nights must be {bound}")[1][0] in ("located", "weak")
    assert gradings(f"nights must be {other}")[1][0] in DROPPED


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("please add the goal", ["weak", "wrong", "wrong"]),
        ("I don't see any goal", ["weak", "wrong", "wrong"]),
        ("`tasks[0].status`: we don't know 'pending'", ["wrong", "located", "wrong"]),
        ("tasks[1].id should be numeric", ["wrong", "wrong", "located"]),
        (
            "| Feld | Fehler |\n|---|---|\n| goal | str |\n| `tasks[0].status` | Literal |",
            ["partial", "unclear", "wrong"],
        ),
    ],
)
def test_words_that_fit_the_rule_of_the_place(feedback: str, expected: list[str]) -> None:
    """Absence, a value turned down, a type by its common name; bare type names stay placed."""
    assert grades(feedback) == expected


@pytest.mark.parametrize(
    "feedback",
    [
        "we stop at 28 for nights",
        "bring nights down to 28",
        "nights quux 28 frob",
        "nights: quux (28)",
        "nights, 28 kuu",
    ],
)
def test_its_own_bound_at_its_place_carries_a_limit(feedback: str) -> None:
    """The opposite limit has another bound, so no word beside it need be understood."""
    assert gradings(feedback)[1][0] == "weak"


@pytest.mark.parametrize("feedback", ["nights quux 1 frob", "nights, /28 quux frob"])
def test_another_number_or_a_position_is_no_bound(feedback: str) -> None:
    """Then the place is all that is known."""
    assert gradings(feedback)[1][0] == "unclear"


def test_a_bound_means_nothing_where_the_sentence_names_another_rule() -> None:
    """The number may belong to that: "item 28 of nights is not an integer"."""
    assert gradings("quux 28 of nights is not an instance of int")[1][0] != "weak"


@pytest.mark.parametrize(
    "feedback",
    [
        '[{"message": "property \'age\' must be an integer", "path": "{base}.guests.2.age"}]',
        "property 'age' must be an integer (at {base}.guests.2.age)",
        '[{"message": "property \'age\' must be old", "path": "guests.0.age"}, {"message": "x", "path": "nights"}]',
    ],
)
def test_a_path_behind_a_name_tells_the_item(feedback: str) -> None:
    """The name alone could be of any guest; the path on its line, or in its JSON object, says whose it is."""
    assert gradings(feedback)[0][0] in DROPPED
    assert gradings(feedback.replace("guests.2", "guests.1").replace("guests.0", "guests.1"))[0][0] not in DROPPED


def test_a_value_quoted_behind_another_item_is_that_items() -> None:
    """The sentence with the value names no place, and the path in front of it names a neighbour."""
    words = '{"guests[2].age": ["Quux frob. \'old\' is not acceptable."]}'
    assert [gradings(words)[0][0], gradings(words.replace("2", "1"))[0][0]] == ["wrong", "partial"]


def test_a_clause_behind_another_place_is_about_that_one() -> None:
    """What is said right behind `guests` is said of them, and not of the nights."""
    assert gradings("guests muss mindestens 9 Einträge haben, und kuu frob nights")[1][0] == "unclear"


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("what is vip doing here?", "weak"),
        ("quux vip", "weak"),
        ("nobody asked for vip", "weak"),
        ("| `vip` | 'Vip' is not a known property. |", "weak"),
        ("quux vip: 5 frobs", "partial"),
        ("vip puuttuu", "partial"),
        ("the vip field is required", "wrong"),
    ],
)
def test_words_about_an_undeclared_field_are_about_its_being_there(feedback: str, expected: str) -> None:
    """No rule of the schema is about it, so only words with a number or another rule are about something else."""
    closed = Contract({**SCHEMA, "additionalProperties": False})
    bad = '{"nights": 3, "invoice_no": "A1", "vip": true}'
    talk = dialogue(feedback, bad=bad, good=GOOD, task="Book a room")
    assert [c.label for c in judge(talk, [closed]).conversations[0].attempts[0].fed_back] == [expected]


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("nights should be less than 29", "weak"),  # at most 28, in other words
        ("nights should be less than 30", "wrong"),
        ("nights: must be 1 <= x <= 28", "located"),
        ("35 is greater than 28\nwhile setting 'nights' in answer", "weak"),
        ("40 is greater than 28\nwhile setting 'invoice_no' in answer", "wrong"),
        ("nights is fine up to 28 days", "weak"),
        ("nights: Forbidden value", "located"),
    ],
)
def test_a_limit_in_other_words(feedback: str, expected: str) -> None:
    """Its own limit feeds back the finding in any form; another limit, or the same at another place, does not."""
    assert gradings(feedback)[1][0] == expected


def test_a_bracket_only_adds_to_a_rule() -> None:
    """The type is what is said, and the range in brackets belongs to the same schema."""
    assert gradings("guests[1].age should be an integer (should be >= 1 and <= 5)")[0][0] == "located"
    assert gradings("guests[1].age should be >= 1 and <= 5")[0][0] not in ("located", "weak")


@pytest.mark.parametrize("said", ["Cannot find a valid 'age'. Path: '/guests/{}'", "no number for age in guests[{}]"])
def test_an_item_named_behind_the_field_is_that_of_the_words(said: str) -> None:
    """A path to the item, on the same line, tells which one the name in front of it means."""
    assert gradings(said.format(1))[0][0] not in DROPPED
    assert gradings(said.format(2))[0][0] in DROPPED


TABLE = "| Path | Got | Problem |\n|---|---|---|\n| guests[{}].age | old | no integer |\n| nights | 35 | above {} |"


def test_columns_of_a_table_tell_the_place_and_the_fault() -> None:
    """Each row is about the place in it, and a row about another item feeds back nothing."""
    assert [grade for grade, _ in gradings(TABLE.format(1, 28))] == ["located", "weak"]
    assert gradings(TABLE.format(2, 28))[0][0] in DROPPED


def test_a_text_inside_a_json_object_is_read() -> None:
    """Tool results wrap a text of several lines, with its line breaks escaped."""
    words = "2 errors\nguests[1].age: not an integer\nnights: at most 28"
    assert all(grade != "missing" for grade, _ in gradings(json.dumps({"ok": False, "log": [words]})))


def spoken(feedback: str, rule: dict[str, object], value: object) -> str:
    """Return what becomes of the finding of a field `comment` with this rule and value."""
    contract = Contract({"type": "object", "required": ["comment"], "properties": {"comment": rule}})
    bad = json.dumps({} if value is None else {"comment": value})
    (judged,) = judge(dialogue(feedback, bad=bad, good="{}", task="Book"), [contract]).conversations
    (graded,) = judged.attempts[0].fed_back
    return graded.label


ROOM = {"enum": ["single", "double"]}


@pytest.mark.parametrize(
    ("feedback", "rule", "value"),
    [
        ("nit: comment quux frob", {"maxLength": 3}, "Hello"),
        ("field: Answer.comment, reason: quux frob", {"maxLength": 3}, "Hello"),
        ("Give us a longer comment than 'Hey'.", {"minLength": 5}, "Hey"),
        ("comment is malformed.", {"pattern": "^B"}, "A"),
        ("comment could not be parsed (a few)", {"type": "integer"}, "a few"),
        ("- comment: ∅", {}, None),
        ("comment=attic ?? (single|double)", ROOM, "attic"),
        ("attic? That's not on the menu: single or double.", ROOM, "attic"),
        ("Everything is fine except comment: quux frob", {"maxLength": 3}, "Hello"),
    ],
)
def test_a_field_that_is_named_is_not_lost_without_evidence(
    feedback: str, rule: dict[str, object], value: object
) -> None:
    """A label, a limit that quotes the value, words for any fault, signs for words, and exceptions prove no loss."""
    assert spoken(feedback, rule, value) != "missing"


@pytest.mark.parametrize(
    ("feedback", "rule", "value"),
    [
        ("comment is fine", {"maxLength": 3}, "Hello"),
        ("comment: Hello", {"maxLength": 3}, "Hello"),
        ("comment must be at least 9 characters long", {"maxLength": 3}, "Hello"),
        ("comment is required", {"maxLength": 3}, "Hello"),
    ],
)
def test_evidence_still_proves_a_loss(feedback: str, rule: dict[str, object], value: object) -> None:
    """Praise, the value alone and another rule at its place."""
    assert spoken(feedback, rule, value) in DROPPED


@pytest.mark.parametrize(
    "feedback", ["please add reference and room", "reference, room: is required", "- `reference`, `room`: missing"]
)
def test_names_that_are_listed_share_their_words(feedback: str) -> None:
    """Both are missing, and nothing is said of a third."""
    names = ("reference", "room", "nights")
    contract = Contract({"type": "object", "required": [*names]})
    bad, good = "{}", json.dumps(dict.fromkeys(names, "x"))
    (judged,) = judge(dialogue(feedback, bad=bad, good=good, task="Book"), [contract]).conversations
    told = {graded.finding.path: graded.label for graded in judged.attempts[0].fed_back}
    assert "missing" not in (told["reference",], told["room",])
    assert told["nights",] in DROPPED


@pytest.mark.parametrize("words", ["quux frob", "must be an integer"])
def test_a_field_in_a_path_that_nobody_can_read_is_unread(words: str) -> None:
    """A message behind a dot, whatever it says; with another position it is missing."""
    why = "it names the field, but not which item"
    assert gradings(f"1.age.Value {words}: ['guests']")[0] == ("unclear", why)
    assert gradings(f"2.age.Value {words}: ['guests']")[0][0] in DROPPED


def test_a_sentence_that_ends_with_its_path_is_one_with_what_is_in_front() -> None:
    """The words and the path are two sentences of one line; those of the line above are another error's."""
    words = "Type 'scalar' has size of '{}', above 28. Path: '/{}'"
    assert gradings(words.format(35, "nights"))[1][0] == "weak"
    assert gradings(f"{words.format(35, 'invoice_no')}\n{words.format(9, 'guests')}")[1][0] in DROPPED
