"""Copies in a valid answer: from worked examples and from the feedback, never from the task."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.contract.constraints.builders import not_copied
from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.checks.answer_checks import SHORTEST_COPY, Copy, copies, example_texts, words_of
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.routing import context_of
from pytest_planguard.retry.results import Check
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role, Usage

from ...decisions.spoken import exchanges_of
from ...decisions.turns import EXAMPLES, GOOD, PRIORITY, SHORT, TICKET, URGENT, WRITE, Shape, model, once, talk, user


def _first(*examples: str, task: str = "Plan the release") -> Exchange:
    shown = tuple(Item(ItemKind.TEXT, Role.ASSISTANT, text) for text in examples)
    return Exchange(1, "openai.chat", request=(*shown, Item(ItemKind.TEXT, Role.USER, task)))


def _shown(text: str) -> str:
    return json.dumps({"goal": text})


@pytest.mark.parametrize(
    ("task", "sources"),
    [("Plan the release", ["an example"]), ("Plan how to paint the garage door: by hand.", [])],
    ids=["another task", "the task says it too"],
)
def test_what_the_task_says_may_be_repeated(task: str, sources: list[str]) -> None:
    """A text that an example has, too, is a copy only where the task does not name it."""
    first = _first(_shown("Paint the garage door"), task=task)
    found = copies({"goal": "Paint the garage door"}, first, [])
    assert [copy.source for copy in found] == sources


def test_what_the_task_says_may_be_repeated_from_feedback() -> None:
    """Feedback may quote the task: its words are no copy then."""
    said = [("goal: expected, for example, paint the garage door", "")]
    assert [copy.source for copy in copies({"goal": "paint the garage door"}, _first(), said)] == ["the feedback"]
    assert not copies({"goal": "paint the garage door"}, _first(task="Paint the garage door."), said)


def test_the_arguments_of_an_example_call_are_an_example() -> None:
    """Worked examples may be calls of the output tool; their texts count, escapes aside."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, "", name="Plan", arguments={"steps": ['Paint the\n"garage" door']})
    first = Exchange(1, "openai.chat", request=(call, Item(ItemKind.TEXT, Role.USER, "Plan")))
    assert example_texts(first) == ('Paint the\n"garage" door',)
    assert [copy.path for copy in copies({"steps": ["Paint the garage door"]}, first, [])] == [("steps", 0)]


def test_the_model_has_seen_the_system_text_and_the_task() -> None:
    """No answer of it, and no text of an earlier task, is part of the prompt."""
    said = [(Role.SYSTEM, "Write JSON."), (Role.USER, "An example?"), (Role.ASSISTANT, "{}"), (Role.USER, "Plan it.")]
    first = Exchange(1, "openai.chat", request=tuple(Item(ItemKind.TEXT, role, text) for role, text in said))
    assert context_of(first, first, []).prompt_texts == ("Write JSON.", "Plan it.")
    assert context_of(Exchange(2, "openai.chat"), Exchange(1, "openai.chat"), [("no", "{}")]).prompt_texts == ()


def test_the_parts_of_an_answer_are_lines() -> None:
    """Its texts and the arguments of its calls: words of two parts are no copy of a text over both."""
    text = Item(ItemKind.TEXT, Role.ASSISTANT, "paint the")
    call = Item(ItemKind.CALL, Role.ASSISTANT, '{"goal": 1}', "c", "f", {"goal": 1})
    assert words_of(Exchange(1, "openai.chat", answer=(text, call, text))) == 'paint the\n{"goal": 1}\npaint the'
    assert words_of(Exchange(1, "openai.chat")) == ""


def test_a_copy_is_shown_with_its_place_and_source() -> None:
    """The first 80 characters, in their own letters."""
    assert str(Copy(("goal", 0), "Größe", "an example")) == 'goal[0] copies an example: "Größe"'
    assert str(Copy((), "x" * 81, "the feedback")) == f'(whole answer) copies the feedback: "{"x" * 80}"'


@pytest.mark.parametrize(("words", "found"), [("of floor", 0), ("of floor three", 1), ("of floor three here", 1)])
def test_a_copy_has_three_words(words: str, found: int) -> None:
    """One or two are labels and choices."""
    assert len(copies({"goal": words}, _first(_shown(words)), [])) == found


def check(name: str, *spoken: dict[str, object]) -> Check:
    """Return a check of a conversation about a ticket."""
    (judged,) = judge(exchanges_of(Shape(spoken)), [TICKET]).conversations
    return judged.check(name)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [(Usage(0, 0), True), (Usage(1, None), False), (Usage(None, 1), False), (Usage(), False)],
)
def test_tokens_are_counted_if_both_counts_are_stated(usage: Usage, counted: bool) -> None:
    """An attempt without them is named."""
    found = check("accounted", once(WRITE, URGENT), once((*WRITE, model(URGENT), user(PRIORITY)), GOOD, usage=usage))
    assert found.evidence == (() if counted else ("attempt 2 has no token count",))
    assert found.message == ("every attempt states its tokens" if counted else "some attempts have no token count")


def test_copied_texts_are_counted() -> None:
    """Of a valid answer; what is said of none is no plural."""
    found = check("copied", *talk(GOOD, start=EXAMPLES))
    assert (found.message, found.evidence) == (
        "the answer copies 1 text",
        ('title copies an example: "Printer on fire"',),
    )
    none, bad = check("copied", *talk(GOOD)), check("copied", *talk(SHORT, start=EXAMPLES))
    assert none.message == "the answer copies neither an example nor the feedback"
    assert (bad.status.value, bad.message) == ("not applicable", "the last answer is not valid")


TEXT = st.lists(st.sampled_from(["paint", "the", "Garage", "door", "now;", "2026-01-15", "roof."]), max_size=8).map(
    " ".join
)


@given(example_text=TEXT, told=TEXT, own=TEXT, answer=TEXT)
@example(example_text="first paint the garage door", told="", own="", answer="Paint the Garage door.")
@example(example_text="", told="no: paint the garage door", own="paint the garage door", answer="paint the Garage door")
def test_the_check_and_the_constraint_agree(example_text: str, told: str, own: str, answer: str) -> None:
    """Law: with the same sources and the same least number of words, both find the same copies."""
    contract = Contract(
        None, constraints=[not_copied("goal", min_words=SHORTEST_COPY, sources=["examples", "feedback"])]
    )
    first = _first(_shown(example_text), task="Zzz")
    retry = Exchange(2, "openai.chat", request=first.request)
    context = context_of(retry, first, [(told, own)])

    by_contract = contract.check({"goal": answer}, context=context).errors

    by_check = copies({"goal": answer}, first, [(told, own)])
    assert [finding.message.partition(";")[0] for finding in by_contract] == [
        f"copied from {copy.source}" for copy in by_check
    ]
