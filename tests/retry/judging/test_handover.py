"""Who an app hands a task over to: a declared model, a tool, or somebody whom the answer names."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.conversations import Gathered, Try, hand_over, handover

from ...support.one_item import in_one_item
from .test_attempts import GOOD, NOTE, answered, call


@in_one_item
@pytest.mark.parametrize(
    ("answer", "model", "declared", "name"),
    [
        (("Over to ADA now.",), "small", ("ada",), "ada"),
        (("over to ada",), "small", ("ADA",), "ADA"),
        (("x",), "big", ("big",), "big"),
        (("x",), "Big", ("big",), None),
        (("x",), "bigger", ("big",), None),
        ((call("{}", "ask_human"),), "small", ("ask_human",), "ask_human"),
        ((call("{}", "ask_human"),), "small", ("human",), None),
        (("x", call("{}", "look"), call("{}", "ask_human")), "small", ("nobody", "ask_human"), "ask_human"),
        (("a and b",), "small", ("b", "a"), "b"),
        (("x",), "small", ("y",), None),
        (("x",), "small", (), None),
    ],
)
def test_a_handover_is_declared_by_name(
    answer: tuple[str, ...], model: str, declared: tuple[str, ...], name: str | None
) -> None:
    """Of a tool or a model exactly, in a text in any case; the first name of the declared ones that fits."""
    assert handover(answered(*answer, model=model), declared) == name


BAD_VERDICT, GOOD_VERDICT = NOTE.check("{}"), NOTE.check(GOOD)


def gathered(*numbers: int, ok: bool = False, handed_to: str | None = None) -> Gathered:
    """Return a conversation whose attempts are these exchanges."""
    verdict = GOOD_VERDICT if ok else BAD_VERDICT
    return Gathered(0, [Try(number, verdict=verdict) for number in numbers], handed_to=handed_to)


def handed(*found: Gathered, at: int, ok: bool | None = False) -> list[tuple[tuple[int, ...], str | None]]:
    """Return the attempts of each conversation and whom it was handed to, after an exchange that names Ada."""
    conversations = [*found]
    exchanges = [answered("Ask Ada." if number == at else "x") for number in range(at + 1)]
    verdict = None if ok is None else GOOD_VERDICT if ok else BAD_VERDICT
    reasons = hand_over(conversations, exchanges, ["Ada"], lambda *_: verdict)
    ended = any(one.handed_to == "Ada" for one in conversations)
    assert reasons == ({at: "the declared handover: Ada"} if ended else {})
    return [(one.numbers, one.handed_to) for one in conversations]


def test_a_handover_ends_the_latest_conversation_with_a_bad_answer() -> None:
    """Unless that one is over already."""
    assert handed(gathered(0), gathered(1), at=2) == [((0,), None), ((1,), "Ada")]
    assert handed(gathered(1), gathered(0), at=2) == [((1,), "Ada"), ((0,), None)]
    assert handed(gathered(0), gathered(1, ok=True), at=2) == [((0,), "Ada"), ((1,), None)]
    assert handed(gathered(0), gathered(1, handed_to="Eve"), at=2) == [((0,), "Ada"), ((1,), "Eve")]
    assert handed(gathered(0, ok=True), at=1) == [((0,), None)]
    assert handed(gathered(2), at=1) == [((2,), None)]


def test_an_answer_that_is_a_handover_is_no_attempt() -> None:
    """It ends its own conversation, or an earlier one if it is alone."""
    assert handed(gathered(0, 1, 2), at=2) == [((0, 1), "Ada")]
    assert handed(gathered(0), gathered(1, 2), at=2) == [((0,), None), ((1,), "Ada")]
    assert handed(gathered(0), gathered(1), at=1) == [((0,), "Ada")]
    assert handed(gathered(0), at=0) == [((0,), "Ada")]
    assert handed(gathered(0, ok=True), gathered(1), at=1) == [((0,), None), ((1,), "Ada")]


def test_a_valid_answer_is_no_handover() -> None:
    """Even if it names the declared person; one that no contract judges may be."""
    assert handed(gathered(0), gathered(1, ok=True), at=1, ok=True) == [((0,), None), ((1,), None)]
    assert handed(gathered(0, 1), at=1, ok=None) == [((0,), "Ada")]
    assert handed(gathered(0), at=1, ok=True) == [((0,), "Ada")]
