"""Findings that an app cannot have, since it reads the answer otherwise than the schema of its request."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.finding import Severity
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.outcomes import Firmness, Grade
from pytest_planguard.retry.results import Convergence
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item

TICKET = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 3},
        "priority": {"enum": ["low", "high"]},
        "hours": {"type": "integer"},
        "urgent": {"type": "boolean"},
        "due": {"type": "string", "format": "date"},
    },
    "required": ["title", "priority"],
    "additionalProperties": False,
}
GOOD = {"title": "Printer", "priority": "high"}
ENUM = "- priority: Input should be 'low' or 'high'"
MISSING = "- title: Field required\n- priority: Field required"
GENERIC = "That was not right. Please try again."
IGNORED = {
    "a member without a field": {"mood": "bad"},
    "a number as text": {"hours": "5"},
    "a truth value as text": {"urgent": "yes"},
    "a format": {"due": "soon"},
}
"""What a correct app may not mind, though the schema of its request does."""


def conversation(*turns: Any, partial: bool = True, must_feed_back: Any = "app", schema: Any = None) -> Convergence:
    """Judge answers (values, or texts as they are) with the feedback between them."""
    items, exchanges = [Item(ItemKind.TEXT, Role.USER, "Write a ticket")], []
    for at, turn in enumerate(turns):
        text = turn if isinstance(turn, str) else json.dumps(turn)
        if at % 2:
            items = [*items, Item(ItemKind.TEXT, Role.USER, text)]
            continue
        answer = Item(ItemKind.TEXT, Role.ASSISTANT, text)
        exchanges.append(Exchange(at // 2 + 1, "test", request=tuple(items), answer=(answer,)))
        items = [*items, answer]
    options = JudgeOptions(partial=partial, must_feed_back=must_feed_back)
    return judge(exchanges, [Contract(schema or TICKET)], options=options).conversations[0]


def fed_back(found: Convergence) -> str:
    """Return the status of the check."""
    return found.check("feedback").status.value


# Sorts of rules that an app does not have


@pytest.mark.parametrize("member", IGNORED.values(), ids=IGNORED)
def test_what_the_app_never_names_is_not_held_against_it(member: dict[str, Any]) -> None:
    """Where it names all else of the answer; by a named contract it stays missing, since that is the app's own."""
    bad = {**GOOD, "priority": "hi", **member}
    found = conversation(bad, ENUM, GOOD)
    assert (fed_back(found), found.ok) == ("pass", True)
    assert Grade.NOT_JUDGED in {c.label for c in found.attempts[0].fed_back}
    assert fed_back(conversation(bad, ENUM, GOOD, partial=False)) == "fail"
    assert fed_back(conversation(bad, ENUM, GOOD, must_feed_back="contract")) == "fail"


@in_one_item
@pytest.mark.parametrize("member", IGNORED.values(), ids=IGNORED)
@pytest.mark.parametrize("feedback", ["", GENERIC, "- title: too short", "- subject: Field required"])
def test_without_the_rest_it_stays_lost(member: dict[str, Any], feedback: str) -> None:
    """Words that name nothing of the answer excuse nothing."""
    said = [feedback] if feedback else ["Write a ticket"]
    assert fed_back(conversation({**GOOD, "priority": "hi", **member}, *said, GOOD)) == "fail"


@pytest.mark.parametrize("member", IGNORED.values(), ids=IGNORED)
def test_alone_it_stays_lost(member: dict[str, Any]) -> None:
    """An app that asks again because of it has the rule."""
    assert fed_back(conversation({**GOOD, **member}, GENERIC, GOOD)) == "fail"


def test_an_app_that_names_one_of_a_sort_has_the_rule() -> None:
    """Two members without a field, and one of them named; or one named in an earlier retry."""
    bad = {**GOOD, "priority": "hi", "mood": "bad", "color": "red"}
    assert fed_back(conversation(bad, f"{ENUM}\n- mood: Extra inputs are not permitted", GOOD)) == "fail"
    first = {**GOOD, "mood": "bad"}
    then = {**GOOD, "priority": "hi", "color": "red"}
    assert fed_back(conversation(first, "- mood: Extra inputs are not permitted", then, ENUM, GOOD)) == "fail"


def test_a_required_field_is_never_excused() -> None:
    """Each validator refuses what is missing, a wrong choice and a text that is too short."""
    assert fed_back(conversation({"mood": "bad"}, "- title: Field required", GOOD)) == "fail"
    assert fed_back(conversation({"title": "", "priority": "hi"}, ENUM, GOOD)) == "fail"
    assert fed_back(conversation({**GOOD, "title": 5, "priority": "hi"}, ENUM, GOOD)) == "fail"


def test_in_a_later_answer_it_only_warns() -> None:
    """The app takes an answer with a member that it does not know: the conversation converged."""
    found = conversation({"priority": "hi", "mood": "bad", "title": "Printer"}, ENUM, {**GOOD, "color": "red"})
    assert (found.outcome.value, found.ok) == ("converged", True)
    (left,) = found.attempts[1].verdict.findings
    assert (left.code, left.severity) == ("extra", Severity.WARN)


@pytest.mark.parametrize("member", IGNORED.values(), ids=IGNORED)
def test_the_last_answer_warns_where_an_app_may_take_it(member: dict[str, Any]) -> None:
    """With nothing worse in it, and by the schema of its request alone."""
    found = conversation({**GOOD, **member})
    assert (found.outcome.value, found.ok, found.check("valid").status.value) == ("converged", True, "warn")
    assert found.check("valid").message == (
        "the last answer breaks the schema of its request only in ways that many apps ignore or convert: 1 finding"
    )
    assert not conversation({**GOOD, **member}, partial=False).ok
    assert not conversation({**GOOD, "priority": "hi", **member}).ok


SIZED = {**TICKET, "properties": {**TICKET["properties"], "size": {"type": "number"}}}  # type: ignore[dict-item]


@in_one_item
@pytest.mark.parametrize(
    ("field", "values", "taken"),
    [
        ("hours", ("5", "-5", "5.0", "1e3"), True),
        ("hours", ("5.5", "five", "", "inf", 5.5, True, None, [5]), False),
        ("size", ("5.5", "5", "1e-3"), True),
        ("size", ("x", "", "1,5", True, None, ["5"]), False),
        ("urgent", ("true", "false", "yes", "no", "on", "off", "1", "0", "TRUE", 1, 0), True),
        ("urgent", ("maybe", "", "2", 2, 1.5, None), False),
        ("due", ("soon", ""), True),
        ("due", (5, None), False),
    ],
)
def test_values_that_apps_convert(field: str, values: tuple[Any, ...], taken: bool) -> None:
    """A text that is a number of the type, a word or a number for a truth value, and any text for a format."""
    for value in values:
        assert conversation({**GOOD, field: value}, schema=SIZED).ok is taken, value


def test_the_last_answer_fails_where_the_app_named_such_a_finding() -> None:
    """It knows the rule, and took the answer or gave up."""
    bad = {**GOOD, "mood": "bad"}
    assert not conversation(bad, "- mood: Extra inputs are not permitted", {**GOOD, "color": "red"}).ok


# A value of another type


@pytest.mark.parametrize(("feedback", "status"), [(ENUM, "not judged"), (GENERIC, "fail"), ("- answer: wrong", "pass")])
def test_a_value_is_taken_as_it_is(feedback: str, status: str) -> None:
    """The schema of the tool says that the answer is a text, and the app looks into the object that came."""
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    bad, good = {"answer": {**GOOD, "priority": "hi"}}, {"answer": GOOD}
    found = conversation(bad, feedback, good, schema=schema)
    assert fed_back(found) == status
    assert found.outcome.value == ("converged" if feedback == ENUM else "no_progress")


@pytest.mark.parametrize(("feedback", "status"), [(ENUM, "not judged"), ("- title: too short", "fail")])
def test_a_whole_answer_is_taken_as_it_is(feedback: str, status: str) -> None:
    """The schema says that it is a list, and the app looks into the object that came."""
    found = conversation({"priority": "hi"}, feedback, [], schema={"type": "array"})
    assert fed_back(found) == status


def test_a_name_that_the_root_has_too_excuses_no_type() -> None:
    """`title` of the ticket is too short, and the type of `owner`, which has a title of its own, is dropped."""
    owner = {"type": "object", "properties": {"title": {"type": "string", "minLength": 3}, "owner": {"type": "string"}}}
    bad = {"title": "", "owner": {"title": "Dr"}}
    feedback = "- title: String should have at least 3 characters"
    assert fed_back(conversation(bad, feedback, {"title": "Fire", "owner": "Ada"}, schema=owner)) == "fail"


# The whole answer

PROSE = f"Sorry!\n```json\n{json.dumps({**GOOD, 'priority': 'hi'})}\n```"


@pytest.mark.parametrize("partial", [True, False])
@pytest.mark.parametrize(
    ("feedback", "status"),
    [
        ("Invalid JSON: Expecting value: line 1 column 1 (char 0)", "not judged"),
        ("Invalid JSON: expected value at line 1 column 1", "not judged"),
        ("Invalid JSON: expected `,` at line 3 column 40", "fail"),
        ("Your answer is no valid JSON.", "fail"),
        (ENUM, "pass"),
    ],
)
def test_an_app_that_parses_the_whole_answer_sees_no_further(feedback: str, status: str, *, partial: bool) -> None:
    """It names the place where its parser stopped; words without that place may be anybody's."""
    assert fed_back(conversation(PROSE, feedback, GOOD, partial=partial)) == status


# One finding about the whole answer


def echo() -> dict[str, Any]:
    """Return the schema as a model sends it back."""
    return {"title": "Ticket", **TICKET}


REPORTED = "- priority: Field required"
WRAPPED = {"ticket": GOOD}


@in_one_item
@pytest.mark.parametrize("partial", [True, False])
@pytest.mark.parametrize(
    ("answer", "feedback", "status"),
    [
        (echo(), REPORTED, "pass"),
        (echo(), GENERIC, "fail"),
        (echo(), "- title: Field required", "fail"),
        (WRAPPED, MISSING, "pass"),
        (WRAPPED, REPORTED, "fail"),
        (WRAPPED, GENERIC, "fail"),
        (json.dumps(json.dumps(GOOD)), "- (whole answer): Input should be a valid dictionary, got str", "pass"),
    ],
)
def test_an_app_takes_the_schema_for_data(answer: Any, feedback: str, status: str, *, partial: bool) -> None:
    """Then its validator says that fields are missing; where one of them is dropped, that is a loss."""
    assert fed_back(conversation(answer, feedback, GOOD, partial=partial)) == status


def test_a_schema_inside_an_error_leaves_the_errors_around_it() -> None:
    """The input that pydantic quotes may be the schema that was sent back."""
    errors = [{"type": "missing", "loc": ["priority"], "msg": "Field required", "input": echo()}]
    found = conversation(echo(), f"1 validation error:\n```json\n{json.dumps(errors, indent=2)}\n```", GOOD)
    assert [c.label for c in found.attempts[0].fed_back] == [Firmness.LOCATED]
