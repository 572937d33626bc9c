"""A prompt that is sent again with words put into it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.retry.linking.repeated_prompts import InstructionIndex, PromptIndex, asks_for_repair, inserted
from pytest_planguard.retry.linking.sameness import SAME_ANSWERS
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item

FEW = st.text("ab ", max_size=7)
TASK = "Plan the release of version two"
ERROR = "goal: Field required"


def asked(text: str, system: str = "Write JSON.", *more: Item, **other: Any) -> Exchange:
    """Return a request of a system text and a task."""
    said = (Item(ItemKind.TEXT, Role.SYSTEM, system), *more, Item(ItemKind.TEXT, Role.USER, text))
    return Exchange(1, "openai.chat", request=said, **other)


def _system(text: str) -> Item:
    return Item(ItemKind.TEXT, Role.SYSTEM, text)


def with_last(exchange: Exchange, item: Item) -> Exchange:
    """Return a request with one more item at its end."""
    return replace(exchange, request=(*exchange.request, item))


@given(FEW, FEW)
def test_what_was_put_in_at_one_place(before: str, now: str) -> None:
    """Taken out of the later text it leaves the earlier one; None where nothing that is taken out does."""
    found = inserted(before, now)
    more = len(now) - len(before)
    ways = {now[at : at + more] for at in range(len(before) + 1) if more >= 0 and now[:at] + now[at + more :] == before}
    assert (found in ways) if ways else found is None


@given(FEW, FEW, FEW)
def test_words_between_two_halves_are_found(start: str, new: str, end: str) -> None:
    """Whatever is put in, and wherever."""
    found = inserted(start + end, start + new + end)
    assert found is not None
    assert sorted(found) == sorted(new)


REPEATED: dict[str, tuple[str, str, bool]] = {
    "errors behind": (TASK, f"{TASK}\nErrors: {ERROR}", True),
    "errors in front": (TASK, f"The last answer was wrong: {ERROR}\n{TASK}", True),
    "errors in the first half": (
        f"{TASK} for all",
        f"Plan the (fix this: {ERROR}) release of version two for all",
        True,
    ),
    "errors in the second half": (f"All: {TASK}", f"All: Plan the release of version (fix this: {ERROR}) two", True),
    "a place and what is wrong there": (TASK, f"{TASK}\n- {ERROR}", True),
    "a place alone": (TASK, f"{TASK}\n- goal: to be done", True),
    "a heading, and a place": (TASK, f"{TASK}\nNote\n- goal: to be done", True),
    "words that are no errors": (TASK, f"{TASK} for the whole team", False),
    "errors in two places": (TASK, f"Errors: Plan the release invalid of version two {ERROR}", False),
    "the same": (TASK, TASK, False),
    "the same with more blanks": (TASK, f" {TASK}  ", False),
    "another task": (TASK, "Sing a song about errors", False),
    "nothing": ("", f"Errors: {ERROR}", False),
    "a shorter one": (f"{TASK}\nErrors: {ERROR}", TASK, False),
    "the same in another line": (f"{TASK} {ERROR}", f"{TASK}\n{ERROR}", False),
    "errors right between two halves": ("Plan that!", "Plan (an error)that!", True),
    "errors beside the middle": ("Plan that", "Plan (an error)that", True),
    "a task of one letter": ("x", f"x\nErrors: {ERROR}", True),
}


@in_one_item
@pytest.mark.parametrize("name", REPEATED)
def test_a_task_with_errors_added_is_the_task(name: str) -> None:
    """What is put in must speak of errors, or name a place and what is wrong there."""
    before, now, expected = REPEATED[name]
    index = PromptIndex()
    index.add(7, asked(before))
    assert list(index.rewritten(asked(now))) == ([7] if expected else [])


def test_only_requests_of_the_same_app_count() -> None:
    """System text, tools and output schema are the same; a request without a task repeats none."""
    index = PromptIndex()
    index.add(1, asked(TASK))
    index.add(2, Exchange(2, "openai.chat"))
    again = f"{TASK}\nErrors: {ERROR}"
    assert list(index.rewritten(asked(again, "Write  JSON."))) == [1]
    assert list(index.rewritten(asked(again, "Write YAML."))) == []
    assert list(index.rewritten(asked(again, tools={"f": {}}))) == []
    assert list(index.rewritten(Exchange(3, "openai.chat"))) == []


def test_the_prompt_that_leaves_least_unexplained_is_meant() -> None:
    """And each one that does so equally well."""
    index = PromptIndex()
    for number, text in enumerate((TASK, f"{TASK}, error by error", TASK), 1):
        index.add(number, asked(text))
    assert list(index.rewritten(asked(f"{TASK}, error by error\n- {ERROR}"))) == [2]
    assert list(index.rewritten(asked(f"{TASK}\n- {ERROR}"))) == [1, 3]


@pytest.mark.parametrize(("first", "other"), [("xy1", "xz{}"), ("xy12", "xz{}{}"), ("y", "{}")])
def test_tasks_with_less_than_half_in_common_do_not_push_each_other_out(first: str, other: str) -> None:
    """However many of them begin with the same letters."""
    index = PromptIndex()
    index.add(1, asked(first))
    for number in range(2, SAME_ANSWERS + 3):
        sign = chr(0x4E00 + number)
        index.add(number, asked(other.format(sign, sign)))
    assert list(index.rewritten(asked(f"{first}\nErrors: {ERROR}"))) == [1]
    assert list(index.rewritten(asked(f"Errors: {ERROR}\n{first}"))) == [1]


EXTENDED: dict[str, tuple[Exchange, Exchange, bool]] = {
    "errors in the system text": (
        asked(TASK),
        asked(TASK, f"Write JSON.\nYour last answer was rejected: {ERROR}"),
        True,
    ),
    "errors at a place": (asked(TASK), asked(TASK, f"Write JSON.\n- {ERROR}"), True),
    "an earlier answer is spoken of": (asked(TASK), asked(TASK, "Write JSON.\nYour previous answer was poor."), True),
    "an earlier try is spoken of": (asked(TASK), asked(TASK, "Write JSON.\nThe last try was poor."), True),
    "a rejection is spoken of": (asked(TASK), asked(TASK, "Write JSON.\nIt was rejected."), True),
    "a failed validation is spoken of": (asked(TASK), asked(TASK, "Write JSON.\nA validation error came."), True),
    "errors below a heading": (asked(TASK), asked(TASK, f"Write JSON.\nNote\n- {ERROR}"), True),
    "errors as a turn": (asked(TASK), asked(TASK, "Write JSON.", Item(ItemKind.TEXT, Role.USER, f"- {ERROR}")), True),
    "a lesson in any language": (asked(TASK), asked(TASK, "Write JSON.", _system("Lektion 1: ein Ziel.")), True),
    "a lesson behind everything": (asked(TASK), with_last(asked(TASK), _system("Lektion 1: ein Ziel.")), True),
    "a word that is an error, and a line behind it": (
        asked(TASK),
        asked(TASK, "Write JSON.\n- goal: missing\nThank you."),
        True,
    ),
    "errors that were there before": (
        asked(TASK, f"Write JSON.\n- {ERROR}"),
        asked(TASK, f"Write JSON.\n- {ERROR}\nBe brief."),
        False,
    ),
    "errors in a result": (
        asked(TASK),
        asked(TASK, "Write JSON.", Item(ItemKind.RESULT, Role.USER, f"- {ERROR}")),
        False,
    ),
    "another system text": (asked(TASK), asked(TASK, "Write JSON.\nBe brief."), False),
    "another system text, and one more": (asked(TASK), asked(TASK, "Write YAML.", _system("Lektion 1.")), False),
    "two texts more": (asked(TASK), asked(TASK, "Write JSON.", _system("Lektion 1."), _system("Lektion 2.")), False),
    "a blank text more": (asked(TASK), with_last(asked(TASK), _system(" ")), False),
    "a paragraph more": (asked(TASK), asked(TASK, "Write JSON.\n\nLektion 1."), True),
    "a blank paragraph more": (asked(TASK), asked(TASK, "Write JSON.\n\n "), False),
    "a paragraph behind a blank text": (asked(TASK, ""), asked(TASK, "\n\nLektion 1."), False),
    "a paragraph behind each text": (
        asked(TASK, "Write JSON.", _system("Be brief.")),
        asked(TASK, "Write JSON.\n\nLektion 1.", _system("Be brief.\n\nLektion 2.")),
        False,
    ),
    "the same": (asked(TASK), asked(TASK), False),
    "another task": (asked(TASK), asked("Sing", f"Write JSON.\n- {ERROR}"), False),
    "another tool": (asked(TASK), asked(TASK, f"Write JSON.\n- {ERROR}", tools={"f": {}}), False),
    "another schema": (asked(TASK), asked(TASK, f"Write JSON.\n- {ERROR}", output_schema={"a": 1}), False),
    "another history": (
        asked(TASK),
        asked(TASK, f"Write JSON.\n- {ERROR}", Item(ItemKind.TEXT, Role.ASSISTANT, "Hello")),
        False,
    ),
    "a place where nothing is wrong": (asked(TASK), asked(TASK, "Write JSON.\n- goal: the aim in one line"), False),
}


@in_one_item
@pytest.mark.parametrize("name", EXTENDED)
def test_errors_in_the_instructions_are_words_about_an_answer(name: str) -> None:
    """Other instructions for the same task are another experiment."""
    first, again, expected = EXTENDED[name]
    index = InstructionIndex()
    index.add(7, first)
    assert list(index.extended(again)) == ([7] if expected else [])


@in_one_item
@pytest.mark.parametrize(
    "text",
    ["an error", "Errors:", "invalid", "rejected", "it failed", "incorrect", "wrong", "correct it", "fix", "fixed",
     "repair this", "malformed", "valid", "validate", "the validation"],
)  # fmt: skip
def test_words_that_ask_for_a_repair(text: str) -> None:
    """Each of them alone, in any case."""
    assert asks_for_repair(text)
    assert asks_for_repair(f"Please: {text.upper()}!")
    assert not asks_for_repair(f"x{text.replace(' ', 'x')}".replace(":", ""))


@pytest.mark.parametrize("index", [PromptIndex, InstructionIndex])
def test_the_latest_of_equal_tasks_are_kept(index: type[PromptIndex | InstructionIndex]) -> None:
    """Sixty-four of them: linking stays linear."""
    known = index()
    for number in range(SAME_ANSWERS + 2):
        known.add(number, asked(TASK))
    if isinstance(known, PromptIndex):
        found = list(known.rewritten(asked(f"{TASK}\n- {ERROR}")))
    else:
        found = list(known.extended(asked(TASK, f"Write JSON.\n- {ERROR}")))
    assert found == list(range(2, SAME_ANSWERS + 2))
