"""What a request shows of the findings of the answer before it, while a retry is replayed."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.retry_listing import RetryFeedback, evidence, is_rejected
from pytest_planguard.retry.linking.link import Delta, How, Link, Piece
from pytest_planguard.wire.exchange import Exchange, Role

from ...support.one_item import in_one_item
from .test_attempts import GOOD, NOTE, answered, call

ANSWER = answered('{"text": 1, "size": "x"}')
RECORDED = (
    "- text: Field required [missing]\n"
    "- size: Input should be a valid integer [int_type]\n"
    "- rows.0.id: too small [minimum]\n"
    "- (whole answer): Invalid JSON: EOF"
)
TEXT, SIZE, ROW, WHOLE = (
    "text: Field required [missing]",
    "size: Input should be a valid integer",
    "rows[0].id: too small [minimum]",
    "(whole answer): Invalid JSON: EOF",
)


def link(words: str) -> Link:
    """Return the link to a request with these new words."""
    return Link(2, 1, How.ANSWER, 2, Delta(2, (Piece(words, 3, Role.USER),)))


@in_one_item
@pytest.mark.parametrize(
    ("words", "fed_back", "missing", "unclear"),
    [
        (RECORDED, ("text", "size", "rows.0.id", "(whole answer)"), (), ()),
        ("text: Field required", ("text",), (SIZE, ROW, WHOLE), ()),
        ("text: hm", ("text",), (SIZE, ROW, WHOLE), ()),
        ("(whole answer): Invalid JSON", ("(whole answer)",), (TEXT, SIZE, ROW), ()),
        ("Invalid JSON", (WHOLE,), (TEXT, SIZE, ROW), ()),
        ("please add a size", (), (TEXT, ROW, WHOLE), (SIZE,)),
        ("Again.", (), (TEXT, SIZE, ROW, WHOLE), ()),
    ],
)
def test_the_recorded_retry_shows_what_was_wrong(
    words: str, fed_back: tuple[str, ...], missing: tuple[str, ...], unclear: tuple[str, ...]
) -> None:
    """Without a contract; a place that both name is enough, since the broken rule is unknown."""
    found = evidence(ANSWER, link(words), [], link(RECORDED))
    assert found == RetryFeedback(fed_back, missing, unclear)
    assert (found.judged, found.all_missing) == (True, words == "Again.")


def test_without_a_contract_and_errors_nothing_is_known() -> None:
    """Neither words without an error nor a missing recording show a finding."""
    nothing = RetryFeedback()
    assert evidence(ANSWER, link("Again."), []) == nothing
    assert evidence(ANSWER, link("Again."), [], link("Hello")) == nothing
    assert evidence(answered(GOOD), link("text: Field required"), [NOTE]) == nothing
    assert (nothing.judged, nothing.all_missing) == (False, False)


def test_a_long_error_of_the_recorded_retry_is_clipped() -> None:
    """To 120 characters; a number of its path is an item."""
    said = "size.0: Input should be " + "a very " * 30
    (line,) = evidence(ANSWER, link("Again."), [], link(f"- {said}[int_type]")).missing
    message = "Input should be " + "a very " * 14 + "a very"
    assert line == f"size[0]: {message[:120]}"


@pytest.mark.parametrize(
    ("words", "fed_back"), [("text: Field required", True), ("please add a text", True), ("Again.", False)]
)
def test_the_contract_shows_what_was_wrong(words: str, fed_back: bool) -> None:
    """Rather than the recorded retry."""
    told = ("text: required, missing",)
    found = evidence(answered("{}"), link(words), [NOTE], link(RECORDED))
    assert found == (RetryFeedback(fed_back=told) if fed_back else RetryFeedback(missing=told))


def test_an_unclear_finding_is_not_missing() -> None:
    """The app may have told of it."""
    found = RetryFeedback(missing=("a",), unclear=("b",))
    assert (found.judged, found.all_missing) == (True, False)
    assert RetryFeedback(unclear=("b",)).judged
    assert not RetryFeedback(("a",), ("b",)).all_missing


@pytest.mark.parametrize(
    ("exchange", "rejected"), [(answered("{}"), True), (answered(GOOD), False), (answered(call("{}", "look")), False)]
)
def test_an_answer_is_rejected_by_a_contract_that_judges_it(exchange: Exchange, rejected: bool) -> None:
    """A step has no answer, and without a contract nobody rejects one."""
    assert is_rejected(exchange, [NOTE]) is rejected
    assert not is_rejected(exchange, [])
