"""Which words reject the answer that they follow."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.after_acceptance import says_no
from pytest_planguard.retry.linking.delta import Piece
from pytest_planguard.wire.exchange import Role

from ...support.one_item import in_one_item

REJECTIONS = (
    "That was not valid.",
    "That is not JSON",
    "This isn't what I asked for",
    "It isn’t JSON",
    "It is no JSON",
    "That’s no valid JSON",
    "Your answer was no YAML",
    "It cannot be parsed",
    "Your answer has errors",
    "Your last response was invalid",
    "The previous output is incorrect",
    "My earlier reply was wrong",
    "the json is malformed",
    "YAML: unusable",
    "The document was rejected",
    "Result: problems",
    "The first attempt failed",
    "Arguments fail the check",
    "The text is a failure",
    "Sorry, your answer is wrong",
    "No! That is incorrect",
    "Error: the response was rejected",
    "Oops, that failed",
    "Invalid JSON.",
    "Invalid answer format",
    "Not a valid response",
    "Not valid YAML",
    "malformed arguments",
    "Wrong. Try again",
    "Not valid, please fix the title",
    "Incorrect: correct the title",
    "Rejected! Answer in JSON",
    "wrong, return JSON",
    "Wrong: again",
    "Validation failed",
    "Parsing error at line 3",
    "Schema failure",
    "JSON error",
    "Format error",
    "JSONDecodeError: Expecting value",
    "ValidationError: 2 errors",
    "Could not parse the answer",
    "couldn't read this",
    "Could n’t load it",
    "Cannot decode",
    "can't validate",
    "Unable to parse",
    "Failed to decode your JSON",
    "Try again.",
    "Please do it again",
    "Fix it, please",
    "Please correct the errors",
    "repair your answer",
    "Fix the format",
    '"Try again!"',
    "\n\n  That was not valid.",
    "\U0001f6d1 Invalid JSON",
)
ACCEPTED = (
    "",
    "Thanks!",
    "saved",
    "Now a ticket: the login says invalid password",
    "Write one more. The last was not valid for this case",
    "The login fails",
    "errors: none",
    "Answer in JSON",
    "Your answer is fine. Nothing is wrong",
    "Your answer about the printer that burns in the hall of the house was not funny",
    "Try again later",
    "This needs no JSON",
    "There is no JSON",
    "It took place in a notable town",
    "Please fix the printer",
    "Validate the ticket",
    "invalid",
    "not valid",
)


def said(text: str, role: Role = Role.USER) -> bool:
    """Return whether new words of a role reject an answer."""
    return says_no(Piece(text, 1, role))


@in_one_item
@pytest.mark.parametrize("text", REJECTIONS)
def test_words_that_reject_an_answer(text: str) -> None:
    """They begin the new words, and name what they reject, or nothing but the fault."""
    assert said(text)
    assert said(text, Role.TOOL)
    assert not said(text, Role.ASSISTANT)


@in_one_item
@pytest.mark.parametrize("text", ACCEPTED)
def test_words_that_do_not(text: str) -> None:
    """They speak of something else, or only later."""
    assert not said(text)


def test_the_first_line_counts() -> None:
    """Blank lines before it do not; 400 characters of it are read, and 1,600 of the whole."""
    assert not said("Thanks.\nThat was not valid.")
    assert said(" " * 360 + "That is not valid.")
    assert not said(" " * 400 + "That is not valid.")
    assert said("\n" * 1_580 + "That is not valid.")
    assert not said("\n" * 1_600 + "That is not valid.")
