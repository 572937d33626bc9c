"""What words say of a finding that they come and go with."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from pytest_planguard import Contract
from pytest_planguard.retry.matching.own_evidence import spells_bound
from pytest_planguard.retry.proving.meaning import Meaning, saying

from ...support.one_item import in_one_item
from . import laboratory
from .laboratory import results

STAY = Contract(
    {
        "title": "Stay",
        "type": "object",
        "properties": {
            "guest": {"type": "string", "minLength": 3},
            "nights": {"type": "integer", "minimum": 1, "maximum": 28},
            "code": {"type": "string", "pattern": "^BK-[0-9]+$"},
            "rooms": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"kind": {"enum": ["single", "suite"]}},
                    "required": ["kind"],
                },
            },
        },
        "required": ["guest", "nights"],
    }
)
ROOMS = [{"kind": "single"}, {"kind": "cabin"}]
NIGHTS = json.dumps({"guest": "Anna", "nights": 90, "rooms": ROOMS[:1]})
NO_KIND = json.dumps({"guest": "Anna", "nights": 4, "rooms": [{}]})
KIND = json.dumps({"guest": "Anna", "nights": 4, "rooms": ROOMS})
PROSE = "I am sorry, there is no room left."


def told(words: str, text: str = NIGHTS, **more: Any) -> Meaning:
    """Return what words say of the only finding of an answer."""
    (finding,) = STAY.check(text).errors
    return saying(finding, words, text, STAY, {"guest", "nights", "rooms", "kind"}, **more).meaning


@in_one_item
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("nights must be at most 28", Meaning.OWN),
        ("Not more than 28, please.", Meaning.OWN),
        ("We got 90.", Meaning.OWN),
        ("`nights`: hm, hm.", Meaning.OWN),
        ("guest must be at most 28", Meaning.OTHER_PLACE),
        ("`nights` не может быть меньше 1", Meaning.OTHER_PROBLEM),
        ("nights should be at least 28", Meaning.OTHER_PROBLEM),
        ("Minimum is 3, please", Meaning.OTHER_BOUND),
        ("nights chybí", Meaning.OTHER_PROBLEM),
        ("nights: turn it into text", Meaning.OTHER_PROBLEM),
        ("nights ist Pflicht", Meaning.OTHER_FAULT),
        ("Det blev fel, försök igen.", Meaning.STOCK),
        ("Something else is wrong with the third answer, please try again", Meaning.NOTHING),
        ("Could you stay a little less?", Meaning.NOTHING),
    ],
)
def test_what_words_say_of_a_number_that_is_too_high(words: str, found: Meaning) -> None:
    """Its place, its bound or its value; another place, bound or fault; or nothing."""
    assert told(words) is found


def test_a_bound_of_a_missing_field_is_about_another_fault() -> None:
    """Unless the words also say that it is missing."""
    none = json.dumps({"guest": "Anna", "rooms": ROOMS[:1]})
    assert told("nights: hm, 28", none) is Meaning.OTHER_FAULT
    assert told("kind: hm, single, suite", NO_KIND) is Meaning.OTHER_FAULT
    assert told("nights: hm, hm", none) is Meaning.OWN
    assert told("nights is missing: 1 to 28", none) is Meaning.OWN


def test_words_about_a_form_name_it() -> None:
    """Unreadable words that name only the place may be about any fault."""
    bad = json.dumps({"guest": "Anna", "nights": 4, "code": "seven"})
    assert told("code: frob quux", bad, others=["nights: expected an integer"]) is Meaning.OTHER_FAULT
    assert told("code: quux formato", bad) is Meaning.OWN


def test_a_place_that_is_spelled_out_is_never_another_one() -> None:
    """Whatever a reader makes of the signs around it."""
    assert told("ONE_OF(rooms.1.kind, 4)", KIND) is Meaning.OWN
    assert told("ONE_OF(rooms.0.kind, 4)", KIND) is not Meaning.OWN
    assert told("rooms → 2.º → kind: hm", KIND) is not Meaning.OTHER_PLACE
    assert told("MAXIMUM(nights, 28)") is Meaning.OWN
    assert told("MAXIMUM(guest, 28)") is Meaning.OTHER_PLACE


def test_a_place_may_stand_within_a_name_that_the_schema_does_not_know() -> None:
    """As in the words of a tool that checks more than the answer. A name of the schema makes it another place."""
    assert told("spec.nights: may be no more than 28") is Meaning.OWN
    assert told("guest.nights: may be no more than 28") is Meaning.OTHER_PLACE


def test_a_name_between_signs_is_a_place() -> None:
    """Whatever rule stands beside it, if no step of the own place is there."""
    assert told("corrupted(path: [guest], text: 'hm, 28 or less')") is Meaning.OTHER_PLACE
    assert told("corrupted(path: [nights], text: 'hm, 28 or less')") is Meaning.OWN
    assert told("corrupted(path: [nights], of: [guest])") is Meaning.OWN


def test_the_steps_of_a_place_between_other_words_are_no_other_place() -> None:
    """In whatever order they are told, unless a name of another place is among them."""
    assert told("- rooms\n  - no. 2\n    - kind\n      - hm", KIND) is Meaning.OWN
    assert told("- guest\n  - no. 2\n    - hm", KIND) is not Meaning.OWN


@pytest.mark.parametrize(("head", "found"), [("seconds", Meaning.OWN), ("aim", Meaning.OTHER_PLACE)])
def test_the_inner_lines_of_an_outline_have_the_last_step_alone(head: str, found: Meaning) -> None:
    """The outer steps are above them; what is said below another name is about that one."""
    target = {
        "type": "object",
        "properties": {"aim": {"type": "string"}, "seconds": {"type": "array", "items": {"minimum": 1}}},
    }
    night = Contract({"type": "object", "properties": {"targets": {"type": "array", "items": target}}})
    text = json.dumps({"targets": [{"aim": "M 31", "seconds": [5, -20]}]})
    (finding,) = night.check(text).errors
    entry = f"    - {head}\n      - no. 2\n        - -20 is too low, start from 1"
    words = "no. 2\n-20 is too low, start from 1"
    names = {"targets", "aim", "seconds"}
    assert saying(finding, words, text, night, names, above=f"    - {head}", entry=entry).meaning is found


def test_one_step_outside_of_an_outline_is_the_field_of_that_name() -> None:
    """The answer has a kind of its own, and each room has one."""
    room = {"type": "object", "properties": {"kind": {"enum": ["single", "suite"]}}}
    hotel = Contract(
        {"type": "object", "properties": {"kind": {"type": "string"}, "rooms": {"type": "array", "items": room}}}
    )
    text = json.dumps({"kind": "hotel", "rooms": [{"kind": "cabin"}]})
    (finding,) = hotel.check(text).errors
    assert saying(finding, "kind: hm", text, hotel, {"kind", "rooms"}).meaning is Meaning.OTHER_PLACE


@pytest.mark.parametrize("words", ["Please look at nights and", "nights is wrong"])
def test_words_that_only_say_that_something_is_wrong_ask_for_no_further_run(words: str) -> None:
    """Of a place beside others "and" is left, which says nothing of its rule."""
    (finding,) = STAY.check(NIGHTS).errors
    assert not saying(finding, words, NIGHTS, STAY, {"guest", "nights", "rooms", "kind"}).more


@pytest.mark.parametrize(("shift", "result"), [(1, "proven"), (2, "wrong")])
def test_an_item_in_a_heading_has_to_be_the_right_one(shift: int, result: str) -> None:
    """The heading stays if an error is planted in the same item, and goes if the error moves to another one."""
    room = {
        "type": "object",
        "properties": {"kind": {"enum": ["single", "suite"]}, "floor": {"type": "integer"}},
        "required": ["kind", "floor"],
    }
    house = Contract({"type": "object", "properties": {"rooms": {"type": "array", "items": room}}})
    good: list[dict[str, object]] = [{"kind": "single", "floor": n} for n in range(3)]
    bad = [good[0], {**good[1], "kind": "cabin"}, good[2]]

    def say(answer: str) -> str | None:
        errors = house.check(answer).errors
        places = [(int(error.path[1]) + shift, error) for error in errors]
        lines = (
            f"- rooms\n  - no. {(n - 1) % 3 + 1}\n    - {e.path[2]}\n      - {e.code}: {e.actual}" for n, e in places
        )
        return "\n".join(lines) or None

    sound = json.dumps({"rooms": good})
    assert set(results(house, json.dumps({"rooms": bad}), sound, say).values()) == {result}


@pytest.mark.parametrize(
    "form", ["rows[{}].quantity", "/rows/{}/quantity", "rows -> {} -> quantity", "rows.{}.quantity"]
)
@pytest.mark.parametrize("said", [0, 1, 3, 4, 9])
def test_a_place_is_never_the_limit_or_the_value(form: str, said: int) -> None:
    """The words name one item, whichever is wrong: 0 is the value, too, 1 the limit, and there are no rows 4 and 9."""
    row = {"type": "object", "properties": {"quantity": {"type": "integer", "minimum": 1}}, "required": ["quantity"]}
    order = Contract({"type": "object", "properties": {"rows": {"type": "array", "items": row}}, "required": ["rows"]})
    good = [{"quantity": 5 + n} for n in range(4)]

    def say(answer: str) -> str | None:
        errors = order.check(answer).errors
        rules = (e.message if e.code == "range" else "is not there" for e in errors)
        return "; ".join(f"{form.format(said)} {rule}" for rule in rules) or None

    bad = [*good[:2], {"quantity": 0}, good[3]]
    (result,) = results(order, json.dumps({"rows": bad}), json.dumps({"rows": good}), say).values()
    assert result == ("reacts" if said == 3 else "wrong")  # the third row, counted from 1


def test_a_label_in_front_of_a_stock_phrase_is_none_of_it() -> None:
    """If it is said without the finding, too."""
    assert told("review: please try again", still="review: guest is missing") is Meaning.STOCK
    assert told("review: please try again") is Meaning.NOTHING


@pytest.mark.parametrize("key", ["reason", "error", "feedback"])
def test_what_feedback_is_sent_in_says_nothing(key: str) -> None:
    """A phrase in an object is a phrase; a key of the answer is none of these."""
    assert told(json.dumps({key: "Not quite.\nPlease try again."})) is Meaning.STOCK
    assert told(json.dumps({"nights": "Please try again."})) is Meaning.OWN


def test_another_name_where_a_label_stands_is_another_place() -> None:
    """Whatever the words say behind it, and whatever is in front; unless the own name is there, too."""
    assert told("[blocking] › guest: says 90, and we cannot go over 28") is Meaning.OTHER_PLACE
    assert told("[blocking] › nights: says 90, and we cannot go over 28") is Meaning.OWN
    assert told("the nights of this guest: 90, and we cannot go over 28") is Meaning.OWN


def test_what_is_said_elsewhere_too_says_nothing() -> None:
    """The beginning of an entry, where feedback was cut off. Words that name the place are no copy."""
    assert told("Item", kept="Item guest is too short") is Meaning.STOCK
    assert told("Item", kept="guest is too short") is Meaning.NOTHING
    assert told("nights", kept="nights and days are wrong") is Meaning.OWN


def test_of_the_whole_answer_its_name_is_enough() -> None:
    """It is the place of the finding. Stock phrases that do not name it say nothing here, either."""
    assert told("Wrong: the answer", PROSE) is not Meaning.STOCK
    assert told("Please try again.", PROSE) is Meaning.STOCK


def test_the_name_of_a_field_says_nothing_of_its_type() -> None:
    """A field that is called text is told to be longer."""
    note = Contract({"type": "object", "properties": {"tekst": {"type": "string", "minLength": 9}}})
    (finding,) = note.check('{"tekst": "short"}').errors
    assert saying(finding, "tekst gkrt dfgb", '{"tekst": "short"}', note, {"tekst"}).meaning is Meaning.OWN
    assert saying(finding, "tekst: tekst dfgb", '{"tekst": "short"}', note, {"tekst"}).meaning is Meaning.OWN
    assert saying(finding, "tekst: lista dfgb", '{"tekst": "short"}', note, {"tekst"}).meaning is Meaning.OTHER_FAULT


def test_an_entry_is_read_whole() -> None:
    """Its message may stay, since another error has the same."""
    assert told("--> nights", entry="error: absent\n  --> nights") in (Meaning.OTHER_FAULT, Meaning.OTHER_PROBLEM)
    assert told("why: too much", entry="- at: nights\n  why: too much") is Meaning.OWN


@pytest.mark.parametrize("name", ["data", "result", "orders"])
def test_a_field_whose_name_is_a_stock_word_is_named(name: str) -> None:
    """Words such as data are part of stock phrases in some language."""
    contract = Contract({"type": "object", "properties": {name: {"type": "integer"}}})
    text = json.dumps({name: "x"})
    (finding,) = contract.check(text).errors
    assert saying(finding, f"{name} is not right", text, contract, {name}).meaning is Meaning.OWN
    assert saying(finding, "That is not right.", text, contract, {name}).meaning is Meaning.STOCK


class Report(BaseModel):
    """One field whose rule is known by its words."""

    priority: Literal["low", "high"]
    title: str = Field(min_length=3)


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ({"priority": "priority: must be low or high", "title": "title: too short for us"}, "missing"),
        ({"priority": "prio, bitte!", "title": "title, bitte!"}, "reacts"),
        ({"priority": "Urgency unknown here.", "title": "A name for it."}, "reacts"),
    ],
)
def test_the_beginning_of_a_word_is_missing_where_all_that_is_said_is_cut(said: dict[str, str], result: str) -> None:
    """After seventeen characters: "Not valid: priori", and "Not valid: title:" of the other field."""

    def say(answer: str) -> str | None:
        wrong = [str(error.path[0]) for error in Contract(Report).check(answer).errors]
        return f"Not valid: {said[wrong[0]]}"[:17] if wrong else None

    bad, good = '{"priority": "hi", "title": "Fire"}', '{"priority": "low", "title": "Fire"}'
    assert results(Contract(Report), bad, good, say) == {"priority": result}


@pytest.mark.parametrize(
    ("words", "others", "found"),
    [
        ("nights não passou", ["guest não serve"], Meaning.OTHER_FAULT),
        ("nights não passou 90", ["guest não serve"], Meaning.OWN),
        ("I have circled nights.", ["I have circled guest.", "I have circled rooms."], Meaning.OWN),
        ("nights não passou", ["guest não passou", "rooms não serve"], Meaning.OTHER_FAULT),
        ("nights: 90? We want a number.", [], Meaning.OTHER_FAULT),
        ("90? Number!", [], Meaning.OTHER_FAULT),
    ],
)
def test_who_tells_faults_apart_tells_the_bound(words: str, others: list[str], found: Meaning) -> None:
    """Of a place alone nobody knows whether its rule is meant, unless the same is said of every fault."""
    assert told(words, others=others) is found


def test_a_bound_may_be_spelled_out() -> None:
    """In the number words of many languages, but not by words that are numbers in another language alone."""
    bag = Contract({"type": "object", "properties": {"nuts": {"type": "array", "minItems": 10}}})
    (finding,) = bag.check('{"nuts": []}').errors
    words = "nuts: we need ten of them"
    assert saying(finding, words, '{"nuts": []}', bag, {"nuts"}, others=["nuts: eat them"]).meaning is Meaning.OWN
    assert not spells_bound(finding, "nuts: get on with it")
    (finding,) = Contract({"type": "array", "minItems": 11}).check("[]").errors
    assert spells_bound(finding, "eleven at least")
    assert not spells_bound(finding, "do it at once")


@pytest.mark.parametrize(
    ("others", "found"),
    [
        (["nights não passou", "nights hm"], Meaning.OTHER_FAULT),
        (["nights hm", "nights ja"], Meaning.OWN),
    ],
)
def test_words_of_a_rule_without_a_bound_belong_to_no_other_fault(others: list[str], found: Meaning) -> None:
    """A type has no bound to name: the words are the finding's unless another fault gets the same ones."""
    text = json.dumps({"guest": "Anna", "nights": "x", "rooms": []})
    assert told("nights não passou", text, others=others) is found


@pytest.mark.parametrize(("bound", "found"), [(2, Meaning.OWN), (5, Meaning.OTHER_FAULT)])
def test_the_number_of_an_item_is_no_bound(bound: int, found: Meaning) -> None:
    """The second item, of which two are wanted."""
    least = Contract({"properties": {"legs": {"items": {"properties": {"miles": {"type": "integer", "minimum": 2}}}}}})
    text = '{"legs": [{"miles": 3}, {"miles": 0}]}'
    (finding,) = least.check(text).errors
    words = f"«miles» у «legs №2» має містити {bound}"
    assert saying(finding, words, text, least, {"legs", "miles"}, others=["«legs» гаразд не дуже"]).meaning is found


def test_words_that_a_schema_in_the_prompt_has_too_belong_to_the_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outline around `priority` and `steps` in the schema says nothing about pydantic's messages in the retry."""

    class Ticket(BaseModel):
        title: str = Field(min_length=3)
        priority: Literal["low", "medium", "high"]
        steps: list[str] = Field(min_length=2)

    def say(answer: str) -> str | None:
        try:
            Ticket.model_validate_json(answer)
        except ValueError as error:
            return f"Recall the function correctly, fix the errors, exceptions found\n{error}"
        return None

    schema = json.dumps(Ticket.model_json_schema(), indent=2)
    monkeypatch.setattr(laboratory, "TASK", f"Match the following json_schema:\n{schema}")
    bad, good = ({"title": "Printer", "priority": p, "steps": s} for p, s in (("urgent", ["a"]), ("high", ["a", "b"])))
    found = laboratory.results(Contract(Ticket), json.dumps(bad), json.dumps(good), say)
    assert found == {"priority": "proven", "steps": "proven"}
