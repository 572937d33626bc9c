"""Which words reject the answer that they follow."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.after_acceptance import says_no
from pytest_planguard.retry.linking.link import Piece
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
    "None of these answers is valid. Try again.",
    "Neither of them is JSON",
    "All of them were rejected.",
    "Both candidates are wrong",
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
    "This answer has no errors, thanks",
    "The output was accepted without problems",
    "That works, nothing failed",
    "None of the printers is correct in the list; now a ticket for that",
)


OF_EDITS = (
    "Some previously produced diffs were not on the requested format, or the code part was not found in the code.",
    "# 1 SEARCH/REPLACE block failed to match!\n\n## This SEARCH block failed to exactly match lines in calc.py",
    "error: patch failed: calc.py:7",
    "Hunk #1 FAILED at 7.",
    "1 out of 2 hunks FAILED",
    "These edits failed:\nedit 1 does not apply",
    "Your changes do not apply: the file has changed meanwhile.",
    "Could not find the lines of this edit",
)
"""Rejections of an answer with edits of files."""
AFTER_EDITS = (
    "Now the patch for sub is not there, add it",
    "Thanks, all edits are in. Next: the tests failed",
    "Move the code that fails to another file",
    "The edits are applied",
    "These changes look good, nothing failed",
    "All changes were applied without errors. Now add tests",
    "1 block applied, 0 failed",
    "The last change was great, now handle errors in io.py",
    "Lines are logged; next the errors",
)
OF_TOOLS = (
    "Error: the goal already exists",
    "Tool execution failed: duplicate",
    '{"error": "duplicate goal"}',
    '{"ok": false, "message": "duplicate"}',
    '{"status": "rejected"}',
    "Error: no such file or directory",
    "Error executing save: duplicate",
    "Exception occurred",
    "Failed to save the goal",
    "error E0308: mismatched types",
    "Error",
)
AFTER_CALLS = (
    "Error: none",
    "Saved without error",
    '{"error": null, "ok": true}',
    '{"status": "saved"}',
    "3 saved, 0 failed",
    "Error rate: 3 %",
    "Failed orders: 3",
    "Exception report created",
    "Failed: 0, passed: 12",
    '{"error": "none", "status": "failed_orders"}',
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


@in_one_item
@pytest.mark.parametrize("text", OF_EDITS)
def test_words_that_reject_edits(text: str) -> None:
    """They name an edit, so they reject only an answer that has some."""
    assert says_no(Piece(text, 1, Role.USER), has_edits=True)


@in_one_item
@pytest.mark.parametrize("text", AFTER_EDITS)
def test_next_task_after_edits(text: str) -> None:
    """It may name edits and faults, too."""
    assert not says_no(Piece(text, 1, Role.USER), has_edits=True)


@in_one_item
@pytest.mark.parametrize("text", OF_TOOLS)
def test_results_of_a_failed_call(text: str) -> None:
    """They are a tool's words: a user who reports an error may mean anything."""
    assert said(text, Role.TOOL)
    assert not said(text)


@in_one_item
@pytest.mark.parametrize("text", AFTER_CALLS)
def test_results_of_a_call(text: str) -> None:
    """They may speak of errors that did not happen."""
    assert not said(text, Role.TOOL)


def test_marked_result_of_a_failed_call() -> None:
    """A protocol may mark the result of a failed call, in any words."""
    assert says_no(Piece("duplicado", 1, Role.TOOL, is_error=True))


def test_the_first_line_counts() -> None:
    """Blank lines before it do not; 400 characters of it are read, and 1,600 of the whole."""
    assert not said("Thanks.\nThat was not valid.")
    assert said(" " * 360 + "That is not valid.")
    assert not said(" " * 400 + "That is not valid.")
    assert said("\n" * 1_580 + "That is not valid.")
    assert not said("\n" * 1_600 + "That is not valid.")
