"""Of several choices in one response (n > 1), the one that the app took is the answer."""

from __future__ import annotations

from dataclasses import replace

from pytest_planguard.retry.judging.step import with_taken_choices
from pytest_planguard.wire.exchange import Choice, Exchange, Finish, Item, ItemKind, Role

from .test_attempts import ASK, GOOD, NOTE, answered, call


def said(text: str) -> Item:
    """Return a text of the model."""
    return Item(ItemKind.TEXT, Role.ASSISTANT, text)


def choice(text: str, finish: Finish | None = Finish.STOP, refusal: str | None = None) -> Choice:
    """Return one choice of a response."""
    return Choice((said(text),), finish, refusal)


def taken(exchange: Exchange, *later: Exchange) -> Exchange:
    """Return the first exchange with the choice that the app took."""
    return with_taken_choices([exchange, *later], [NOTE], None)[0]


def test_responses_with_one_choice_stay_as_they_are() -> None:
    """There is nothing to choose."""
    exchanges = [answered("a"), answered("b")]
    assert with_taken_choices(exchanges, [NOTE], None) is exchanges


def test_a_later_request_shows_the_choice() -> None:
    """With its own finish and refusal, however good the others are."""
    cut = choice('{"text": ', Finish.LENGTH, "no more")
    first = answered(GOOD, finish=Finish.STOP, others=(choice("{}"), cut))
    again = replace(answered(GOOD), number=2, request=(ASK, said('{"text": '), ASK))
    found = taken(first, again)
    assert (found.answer_text, found.finish, found.refusal) == ('{"text": ', Finish.LENGTH, "no more")
    first_again = replace(again, request=(ASK, said(GOOD), ASK))
    assert taken(first, first_again).answer_text == GOOD
    assert taken(replace(first, others=(cut,)), replace(again, request=(ASK, said("other"), ASK))).answer_text == GOOD


def test_without_a_later_request_the_first_valid_choice_is_taken() -> None:
    """An app that is done takes a valid one if there is one."""
    refused = answered("", refusal="I cannot.", finish=Finish.REFUSAL, others=(choice("{}"), choice(GOOD)))
    found = taken(refused)
    assert (found.answer_text, found.finish, found.refusal) == (GOOD, Finish.STOP, None)
    assert taken(answered("{}", others=(choice(GOOD), choice('{"text": "y"}')))).answer_text == GOOD
    assert taken(answered(GOOD, others=(choice("{}"),))).answer_text == GOOD


def test_without_a_valid_choice_the_first_one_is_the_answer() -> None:
    """And so it is if no contract says which one is valid, or if the choices are steps."""
    bad = answered("{}", others=(choice("[]"),))
    assert taken(bad).answer_text == "{}"
    open_choice = answered("{}", others=(choice(GOOD),))
    assert with_taken_choices([open_choice], [], None)[0].answer_text == "{}"
    step = Choice((call("{}", "look"),), Finish.TOOL_CALLS, None)
    assert taken(answered("{}", others=(step,))).answer_text == "{}"
