"""Each word of a rejection by itself: statuses and flags of tools, names of an answer, its faults and their denials."""

from __future__ import annotations

import pytest

from pytest_planguard.wire.exchange import Role

from ...support.one_item import in_one_item
from .test_after_acceptance import said


@in_one_item
@pytest.mark.parametrize("status", ["error", "failed", "failure", "invalid", "rejected", "REJECTED"])
def test_each_status_of_a_failed_call(status: str) -> None:
    """As the member of that name; another status, or the same word elsewhere, is no failure."""
    assert said(f'{{"status": "{status}"}}', Role.TOOL)
    assert said(f'  {{"id": 1,\n"status": "{status}"}}', Role.TOOL)
    assert not said(f'{{"status": "no {status}"}}', Role.TOOL)
    assert not said(f'{{"state": "{status}"}}', Role.TOOL)
    assert not said(f'[{{"status": "{status}"}}]', Role.TOOL)


@in_one_item
@pytest.mark.parametrize("name", ["ok", "success", "valid"])
def test_each_flag_of_a_failed_call(name: str) -> None:
    """It is false; null, 0 and no flag say nothing."""
    assert said(f'{{"{name}": false}}', Role.TOOL)
    for value in ("true", "null", "0", '"false"'):
        assert not said(f'{{"{name}": {value}}}', Role.TOOL), value
    assert not said(f'{{"{name}y": false}}', Role.TOOL)


@in_one_item
@pytest.mark.parametrize(
    ("error", "failed"),
    [
        *(
            ('"it exists"', True),
            ('{"code": 3}', True),
            ("true", True),
            ("[1]", True),
            ("5", True),
            ('"0 left"', False),
        ),
        *(("null", False), ("false", False), ('""', False), ("0", False), ("[]", False), ('"none"', False)),
        *(('"None."', False), ('"no error"', False), ('"no errors"', False), ('"No"', False), ('"false"', False)),
        *(('"null"', False), ('"no errors found but one"', True), ('"nothing"', True), ('"nope"', True)),
    ],
)
def test_each_value_of_an_error(error: str, failed: bool) -> None:
    """A text that says that there is none is none."""
    assert said(f'{{"error": {error}}}', Role.TOOL) is failed


@in_one_item
@pytest.mark.parametrize(
    "word",
    [
        *("to", "in", "at", "on", "of", "for", "from", "by", "with", "while", "when", "during", "after", "because"),
        *("due", "code", "message", "messages", "detail", "details", "type", "status", "validation", "occurred"),
        *("raised", "thrown", "was", "has", "saving", "E0308", "KeyError", "RuntimeException"),
    ],
)
def test_each_word_that_follows_an_error_of_a_tool(word: str) -> None:
    """They tell what failed, or why."""
    assert said(f"Error {word} the goal", Role.TOOL)
    assert said(f"Exception {word}", Role.TOOL)


@pytest.mark.parametrize("word", ["rate", "top", "int", "codec", "wash", "typed", "ingot", "errors", "report"])
def test_other_words_make_an_error_the_name_of_a_thing(word: str) -> None:
    """They only begin or end like those that follow an error."""
    assert not said(f"Error {word} the goal", Role.TOOL)


@in_one_item
@pytest.mark.parametrize(
    "words",
    [
        *("the", "a", "tool", "function", "call", "command", "execution", "internal", "unexpected"),
        *("the tool call", "unexpected internal function"),
    ],
)
def test_each_word_before_an_error_of_a_tool(words: str) -> None:
    """At most three of them."""
    assert said(f"{words.capitalize()} error: it exists", Role.TOOL)
    assert said(f"{words} failed", Role.TOOL)
    assert not said(f"goal {words} error: it exists", Role.TOOL)
    assert not said(f"the tool call {words} failed", Role.TOOL)


NOUNS = (
    *("answer", "response", "reply", "replies", "output", "json", "yaml", "document", "result", "attempt", "argument"),
    *("text", "choice", "candidate", "answers"),
)
FAULTS = (
    *("not good", "cannot be read", "invalid", "incorrect", "wrong", "malformed", "unusable", "rejected", "error"),
    *("errors", "problem", "problems", "fail", "fails", "failed", "failure", "is no JSON", "was no valid yaml"),
    *("is no answer", "is no document", "is no object"),
)


@in_one_item
@pytest.mark.parametrize("noun", NOUNS)
def test_each_name_of_an_answer(noun: str) -> None:
    """With or without an article and an adjective; another thing may be wrong, too."""
    for front in ("", "Your ", "The last ", "This previous ", "My prior ", "those earlier ", "Both ", "All first "):
        assert said(f"{front}{noun} is wrong"), front
    assert not said(f"The {noun}x is wrong")
    assert not said(f"A big {noun} is wrong")


@in_one_item
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_an_answer(fault: str) -> None:
    """At most 40 characters behind it; none of them denied."""
    assert said(f"Your answer {fault}")
    assert said(f"Your answer {'x' * 38} {fault}")
    assert not said(f"Your answer {'x' * 60} {fault}")
    assert not said(f"Your answer x{fault}x")


@in_one_item
@pytest.mark.parametrize("word", ["no", "any", "nothing", "none", "never", "without", "0"])
def test_each_word_that_denies_a_fault(word: str) -> None:
    """Then all is well."""
    for fault in ("errors", "problem", "failed", "failure"):
        assert not said(f"Your answer has {word} {fault}"), fault
    assert said(f"Your answer has {word} invalid")
