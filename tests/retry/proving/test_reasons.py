"""What people are told of an app's words: why they feed a finding back, or what else they are about."""

from __future__ import annotations

import json

import pytest

from pytest_planguard import Contract
from pytest_planguard.retry.proving.meaning import Meaning, saying

from ...support.one_item import in_one_item
from .laboratory import experiment

STAY = Contract(
    {
        "title": "Stay",
        "type": "object",
        "properties": {
            "guest": {"type": "string", "minLength": 3},
            "nights": {"type": "integer", "minimum": 1, "maximum": 28},
        },
        "required": ["guest", "nights"],
    }
)
BAD, GOOD = '{"guest": "An", "nights": 90}', '{"guest": "Anna", "nights": 9}'
WENT = '90 became 9, and request 2 no longer said "{}"'
OTHER_PROBLEM = "it names the right place but a different problem"
REASONS = {
    "nights must be at most 28": ("proven", ""),
    "quux frob we": ("reacts", ""),
    "Please try again.": ("missing", ""),
    "nights ist Pflicht": ("unclear", "the words fit another error at this place (missing): "),
    "guest must be at most 28": ("wrong", "the app reacts, but the words are about other places (guest), not nights: "),
    "Minimum is 3, please": ("wrong", "the app reacts, but the words name the limit of another field (3): "),
    "nights should be at least 28": (
        "wrong",
        f"the app reacts, but {OTHER_PROBLEM} (request 1, message 1: nights should be at least 28): ",
    ),
}


@pytest.mark.parametrize("words", REASONS)
def test_a_reason_says_what_the_words_are_about_and_what_went(words: str) -> None:
    """The change of the answer, and the words that only the finding has."""

    def say(answer: str) -> str | None:
        errors = STAY.check(answer).errors
        told = (words if error.path == ("nights",) else "guest: expected at least 3 characters" for error in errors)
        return "\n".join(["Hm:", *told]) if errors else None

    (proof,) = (one for one in experiment(STAY, [BAD, GOOD], say) if one.finding.path == ("nights",))
    result, about = REASONS[words]
    assert (proof.result.value, proof.reason, proof.said) == (result, f"{about}{WENT.format(words)}", words)


def test_a_reason_names_the_item_that_the_words_do_not() -> None:
    """The number stays, wherever the error is."""
    row = {"type": "object", "properties": {"quantity": {"type": "integer", "minimum": 1}}, "required": ["quantity"]}
    order = Contract({"type": "object", "properties": {"rows": {"type": "array", "items": row}}, "required": ["rows"]})

    def say(answer: str) -> str | None:
        errors = order.check(answer).errors
        rules = (error.message if error.code == "range" else "is not there" for error in errors)
        return "; ".join(f"rows[1].quantity {rule}" for rule in rules) or None

    good = [{"quantity": 5 + n} for n in range(4)]
    bad = [*good[:2], {"quantity": 0}, good[3]]
    (proof,) = experiment(order, [json.dumps({"rows": bad}), json.dumps({"rows": good})], say)
    done = "another error in its place (rows[3] became null), and request 2 no longer said "
    words = "the app reacts, but the words name a different item from rows[2].quantity"
    assert proof.result.value == "wrong"
    assert proof.reason == f'{words}: {done}"rows[1].quantity expected at least 1; got 0"'


def test_a_number_that_changes_for_another_reason_proves_nothing() -> None:
    """The same words, with another number once the error is gone, and with the same one if it is at another item."""
    guest = {"type": "object", "properties": {"age": {"type": "integer", "maximum": 120}}, "required": ["age"]}
    party = Contract({"type": "object", "properties": {"guests": {"type": "array", "items": guest}}})

    def say(answer: str) -> str | None:
        errors = party.check(answer).errors
        return f"Refused, code {100 + 7 * len(errors)}." if errors else None

    bad, good = ([{"age": age} for age in ages] for ages in ((410, 4, 5, "x"), (41, 4, 5, 6)))
    proof, *_ = experiment(party, [json.dumps({"guests": bad}), json.dumps({"guests": good})], say)
    assert (proof.result.value, proof.undecided) == ("unproven", True)
    assert proof.reason == "410 became 41, and only numbers changed in the next request"


CRATE = {
    "type": "object",
    "properties": {
        "content": {
            "type": "object",
            "properties": {"weight": {"type": "integer", "maximum": 28}, "label": {"type": "string"}},
        }
    },
}
SHIP = Contract({"type": "object", "properties": {"crates": {"type": "array", "items": CRATE}}})
HEAVY = json.dumps({"crates": [{"content": {"weight": weight, "label": "x"}} for weight in (3, 90)]})


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("weight: hm", Meaning.OWN),
        ("content weight: hm", Meaning.OWN),
        ("crates no. 2 content - quux 28", Meaning.OWN),
        ("- crates\n  - content\n    - hm", Meaning.NOTHING),
        ("crates hm content frob.", Meaning.NOTHING),
        ("«crates» 2 «content» quux", Meaning.NOTHING),
        ("  content: hm", Meaning.NOTHING),
        ("content: hm", Meaning.OTHER_PLACE),
        ("label hm, crates content", Meaning.OTHER_PLACE),
        ("crates: hm content frob: label", Meaning.OTHER_PLACE),
    ],
)
def test_two_steps_of_a_deep_place_are_no_other_place(words: str, found: Meaning) -> None:
    """One alone may be another; in an inner line of an outline one is enough, as long as no other name is there."""
    (finding,) = SHIP.check(HEAVY).errors
    assert saying(finding, words, HEAVY, SHIP, {"crates", "content", "weight", "label"}).meaning is found


@pytest.mark.parametrize("answer", ['{"nights": 3}', '{"guest": "", "nights": 3}'])
@pytest.mark.parametrize("words", ["It must not be empty.", "It can't be blank"])
def test_words_that_fit_the_own_rule_are_no_other_error_s(answer: str, words: str) -> None:
    """A missing text and one that is too short may both be called empty."""
    (finding,) = STAY.check(answer).errors
    assert saying(finding, words, answer, STAY, {"guest", "nights"}).meaning is Meaning.OWN


CODED = Contract({"properties": {"code": {"pattern": "^BK-[0-9]+$"}, "kind": {"enum": ["single", "suite"]}}})


@pytest.mark.parametrize(
    ("words", "field", "value", "found"),
    [
        ("frob 'cabin' quux", "kind", "cabin", Meaning.OWN),
        ("frob cabin quux", "kind", "cabin", Meaning.OWN),
        ("frob 11 quux", "code", "not a code!", Meaning.OWN),
        ("frob 12 quux", "code", "not a code!", Meaning.NOTHING),
        ("frob 5 quux", "kind", "cabin", Meaning.NOTHING),
        ("frob 10 quux", "code", "no code!!!", Meaning.OWN),
    ],
)
def test_words_that_hold_only_the_value_are_about_the_finding(
    words: str, field: str, value: str, found: Meaning
) -> None:
    """The value itself, or the length of a text if that has more than one digit."""
    answer = json.dumps({field: value})
    (finding,) = CODED.check(answer).errors
    assert saying(finding, words, answer, CODED, {"code", "kind"}).meaning is found


ENVELOPE = (
    *("comment", "content", "description", "detail", "details", "feedback", "hint", "message", "messages", "msg"),
    *("note", "notes", "reason", "review", "status", "text", "validation", "verdict"),
)
NIGHTS = '{"guest": "Anna", "nights": 90}'


def test_the_keys_around_feedback_say_nothing() -> None:
    """At any depth, unless the answer has a field of that name; other keys and texts are words."""
    (finding,) = STAY.check(NIGHTS).errors

    def said(value: object, *names: str) -> Meaning:
        return saying(finding, json.dumps(value), NIGHTS, STAY, {"guest", "nights", *names}).meaning

    again = "Please try again."
    assert said(dict.fromkeys(ENVELOPE, again)) is Meaning.STOCK
    assert said({"feedback": [{key: [again]} for key in ENVELOPE]}) is Meaning.STOCK
    assert said({"quux": again}) is Meaning.NOTHING
    assert said({"hint": again}, "hint") is Meaning.OTHER_PLACE
    assert said({"hint": "Frob the quux."}) is Meaning.NOTHING


ROOMS = Contract(
    {
        "properties": {
            "guest": {"minLength": 3},
            "nights": {"minimum": 1},
            "rooms": {"items": {"properties": {"kind": {"enum": ["single", "suite"]}}}},
        }
    }
)
KIND = '{"rooms": [{"kind": "single"}, {"kind": "cabin"}]}'
BESIDE = {
    KIND: {
        "own": (
            *("kind quux rooms", "rooms quux kind", "line 2 kind", "kind line 2", "kind line 1", "kind, quux: 2"),
            *("kind “cabin”", "kind «cabin» quux", "kind cabin quux"),
        ),
        "other fault": (
            *("kind quux", "quux rooms kind", "kindred kind", "kinds kind", "subkind kind"),
            *("kind line 21", "kind line 3", "kind cabins"),
        ),
    },
    '{"nights": 0}': {
        "own": ("nights", "nights 0 quux", "nights quux 0", "nights -0 quux"),
        "other fault": ("nights quux", "nights 10 quux", "nights x0 quux", "nights 0x quux"),
    },
    '{"guest": "Al"}': {
        "own": tuple(f"guest {one}Al{other} quux" for one, other in ("''", '""', "``", "“”", "‘’", "«»", "  ")),
        "other fault": ("guest quux", "guest Also quux"),
    },
}


@in_one_item
@pytest.mark.parametrize(
    ("answer", "found", "words"),
    [(answer, found, one) for answer, rows in BESIDE.items() for found, words in rows.items() for one in words],
)
def test_unreadable_words_beside_a_place_may_be_about_another_fault(answer: str, found: str, words: str) -> None:
    """Neither those between its names, nor its items with the word before them, nor any beside its value."""
    (finding,) = ROOMS.check(answer).errors
    others = [f"{name} hm" for name in ("guest", "nights", "rooms") if name not in finding.path]
    reading = saying(finding, words, answer, ROOMS, {"guest", "nights", "rooms", "kind"}, others=others)
    assert reading.meaning.value == found
