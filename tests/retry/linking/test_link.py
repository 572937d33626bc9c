"""Links: which answer a request reacts to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.retry.linking.link import How
from pytest_planguard.retry.linking.linker import link
from pytest_planguard.retry.linking.no_attempt import linkable
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.conversations import BAD, DIALECTS, GOOD, SYSTEM, Spoken, conversation, dialogue, injected
from ...support.cost import assert_growth

TASK = ("user", "Plan the release of version two")
BASE = [("system", SYSTEM), TASK]


def parents(exchanges: tuple[Exchange, ...], ids: list[str | None] | None = None) -> list[int | None]:
    """Each exchange's parent, from 1."""
    return [found.parent if found else None for found in link(exchanges, ids)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialogue_is_linked_by_its_answer(dialect: str) -> None:
    """The bad answer in the next request links the two in every dialect."""
    found = link(dialogue("- goal: Field required", dialect=dialect))[1]
    assert found is not None
    assert (found.parent, found.how, found.delta.text) == (1, How.ANSWER, "- goal: Field required")
    assert found.position == (2 if dialect == "openai.responses" and found.position == 2 else 3)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_injected_errors_are_linked_by_the_prompt(dialect: str) -> None:
    """Errors put into the prompt leave the task recognisable."""
    found = link(injected("RETRY 2/3. Rejected:\n- goal: Field required", dialect=dialect))[1]
    assert found is not None
    assert found.how is How.REWRITTEN
    assert found.delta.text == "RETRY 2/3. Rejected:\n- goal: Field required"


def test_errors_on_the_line_of_the_task_are_found() -> None:
    """Words added behind the task on the same line are the delta, without the task."""
    first = Spoken(BASE, BAD)
    second = Spoken([BASE[0], ("user", f"{TASK[1]} Fix these errors: goal is missing")], GOOD)
    found = link(conversation(first, second))[1]
    assert found is not None
    assert found.delta.text.strip() == "Fix these errors: goal is missing"


def test_a_longer_task_is_no_retry_of_a_shorter_one() -> None:
    """A prompt that merely begins like another's starts a conversation of its own."""
    first = Spoken([("user", "clean up")], BAD)
    second = Spoken([("user", "clean up the attic and the cellar")], GOOD)
    assert parents(conversation(first, second)) == [None, None]


def test_the_same_request_again_is_linked_without_delta() -> None:
    """A blind retry says nothing new."""
    found = link(conversation(Spoken(BASE, BAD), Spoken(BASE, GOOD, seed=2)))[1]
    assert found is not None
    assert (found.how, found.delta.text) == (How.SAME, "")


def test_worked_examples_are_not_taken_for_answers() -> None:
    """An answer that equals a worked example is looked for behind the examples only."""
    example = [("user", "Plan a party"), ("assistant", BAD)]
    base = [("system", SYSTEM), *example, TASK]
    other = [("system", SYSTEM), *example, ("user", "Plan a wedding")]
    found = link(conversation(Spoken(base, BAD), Spoken(other, GOOD)))
    assert found[1] is None
    retry = [*base, ("assistant", BAD), ("user", "- goal: Field required")]
    found = link(conversation(Spoken(base, BAD), Spoken(retry, GOOD)))
    assert found[1] is not None
    assert found[1].delta.text == "- goal: Field required"
    assert found[1].position == 5


def test_interleaved_conversations_are_told_apart_by_their_answers() -> None:
    """Neighbours and shared first messages do not link."""
    other = BAD.replace("pending", "open")
    one = [*BASE, ("assistant", BAD), ("user", "- goal: Field required")]
    two = [*BASE, ("assistant", other), ("user", "- goal: Field required")]
    spoken = (Spoken(BASE, BAD), Spoken(BASE, other), Spoken(two, GOOD), Spoken(one, GOOD))
    found = link(conversation(*spoken))
    assert [f.parent if f else None for f in found] == [None, None, 2, 1]
    assert not any(f.ambiguous_with for f in found if f)


def test_indistinguishable_parents_are_reported() -> None:
    """Two answers to one prompt and an injected retry: nobody can tell whose errors they are."""
    other = BAD.replace("pending", "open")
    third = Spoken([BASE[0], ("user", f"{TASK[1]}\nErrors:\n- goal: Field required")], GOOD)
    found = link(conversation(Spoken(BASE, BAD), Spoken(BASE, other), third))[2]
    assert found is not None
    assert (found.parent, found.ambiguous_with) == (2, (1,))


def test_conversation_ids_override_the_traffic() -> None:
    """An exchange with an id is linked only within it, and nothing in it is ambiguous."""
    other = BAD.replace("pending", "open")
    third = Spoken([BASE[0], ("user", f"{TASK[1]}\nErrors:\n- goal: Field required")], GOOD)
    exchanges = conversation(Spoken(BASE, BAD), Spoken(BASE, other), third)
    found = link(exchanges, ["a", "b", "a"])
    assert found[1] is None
    assert found[2] is not None
    assert (found[2].parent, found[2].ambiguous_with) == (1, ())


def test_a_stuck_loop_with_a_short_history_is_a_line() -> None:
    """A request that is sent again because the answer came again reacts to the latest answer, with its feedback."""
    retry = [*BASE, ("assistant", BAD), ("user", "- goal: Field required")]
    exchanges = conversation(Spoken(BASE, BAD), Spoken(retry, BAD), Spoken(retry, BAD), Spoken(retry, GOOD))
    assert parents(exchanges) == [None, 1, 2, 3]
    found = link(exchanges)[3]
    assert found is not None
    assert found.delta.text == "- goal: Field required"


def test_a_previous_response_id_links_and_everything_sent_is_new() -> None:
    """With server-held state the request holds only what is new."""
    first = replace(conversation(Spoken(BASE, BAD))[0], response_id="resp_1")
    words = Item(ItemKind.TEXT, Role.USER, "- goal: Field required")
    second = Exchange(2, "openai.responses", request=(words,), previous_id="resp_1")
    found = link([first, second])[1]
    assert found is not None
    assert (found.how, found.position, found.delta.text) == (How.PREVIOUS_ID, 0, "- goal: Field required")


def test_a_quoted_answer_links_a_fresh_prompt() -> None:
    """An answer inside a user text links, and the quotation is not part of the delta."""
    fixing = [("system", SYSTEM), ("user", f"Completion:\n{BAD}\nError:\n- goal: Field required")]
    found = link(conversation(Spoken(BASE, BAD), Spoken(fixing, GOOD)))[1]
    assert found is not None
    assert found.how is How.QUOTED
    assert "pending" not in found.delta.text
    assert "- goal: Field required" in found.delta.text


def test_an_answer_continued_in_its_own_turn_is_found() -> None:
    """Feedback behind the answer within the assistant's turn is the delta."""
    retry = [*BASE, ("assistant", f"{BAD}\nObservation: goal: Field required"), ("user", "Go on.")]
    found = link(conversation(Spoken(BASE, BAD), Spoken(retry, GOOD)))[1]
    assert found is not None
    assert found.delta.pieces[0].text.strip() == "Observation: goal: Field required"
    trimmed = [("system", "Other words"), *retry[1:]]
    found = link(conversation(Spoken(BASE, BAD), Spoken(trimmed, GOOD)))[1]
    assert found is not None
    assert (found.how, found.delta.pieces[0].text.strip()) == (How.ANSWER, "Observation: goal: Field required")


def test_a_worked_example_that_equals_another_tasks_answer_links_nothing() -> None:
    """The question in front of it differs from the one that was answered."""
    example = [("system", SYSTEM), ("user", "Plan a picnic"), ("assistant", BAD), ("user", "Plan the party")]
    assert parents(conversation(Spoken(BASE, BAD), Spoken(example, GOOD))) == [None, None]


FILES = [("user", "I added these files: plan.md"), ("assistant", "Ok.")]
RULES = ("system", "Every block needs its path.")
TAKEN_UP = {
    "files move behind the answer": (
        [("system", SYSTEM), *FILES, TASK, RULES],
        [("system", SYSTEM), TASK, ("assistant", BAD), *FILES, ("user", "goal: missing"), RULES],
    ),
    "task comes behind the answer": (BASE, [("system", "Fix"), ("assistant", BAD), TASK, ("user", "goal: missing")]),
    "task is summed up": (
        BASE,
        [("system", SYSTEM), ("user", "So far: a party."), ("assistant", BAD), ("user", "That is invalid, fix it.")],
    ),
}


@pytest.mark.parametrize("case", TAKEN_UP)
def test_quoted_answer_links_whatever_is_around_it(case: str) -> None:
    """An assistant's turn that equals an answer is a link if the task is there, too, or the next words reject it."""
    first, then = TAKEN_UP[case]
    found = link(conversation(Spoken(first, BAD), Spoken(then, GOOD)))[1]
    assert found is not None
    assert found.how is How.ANSWER


def test_a_rewritten_json_answer_is_recognised() -> None:
    """A client that writes the answer again with other spaces and another order of keys is understood."""
    import json

    anew = json.dumps(json.loads(BAD), indent=2, sort_keys=True)
    retry = [("system", "Other words"), TASK, ("assistant", anew), ("user", "- goal: Field required")]
    found = link(conversation(Spoken(BASE, BAD), Spoken(retry, GOOD)))[1]
    assert found is not None
    assert found.how is How.ANSWER


CALL = Item(ItemKind.CALL, Role.ASSISTANT, '{"a": 1}', "call_1", "plan", {"a": 1})
ASK = Item(ItemKind.TEXT, Role.USER, "Plan it")
RESULT = Item(ItemKind.RESULT, Role.TOOL, "a: Field required", "call_1", "plan")


def calls(*requests: tuple[Item, ...], answers: tuple[Item, ...] = (CALL, CALL)) -> tuple[Exchange, ...]:
    """Exchanges whose answers are tool calls."""
    return tuple(
        Exchange(n, "openai.chat", request=request, answer=(answer,))
        for n, (request, answer) in enumerate(zip(requests, answers, strict=True), 1)
    )


def test_tool_calls_link_by_id_even_with_arguments_written_anew() -> None:
    """The id is enough; the exact call wins over it."""
    mangled = replace(CALL, text="{}", arguments={})
    found = link(calls((ASK,), (ASK, mangled, RESULT)))[1]
    assert found is not None
    assert (found.how, found.delta.text) == (How.ANSWER, "a: Field required")


def test_tool_calls_with_new_ids_link_by_name_and_arguments() -> None:
    """Clients may give calls new ids."""
    renamed, result = replace(CALL, call_id="x9"), replace(RESULT, call_id="x9")
    assert parents(calls((ASK,), (ASK, renamed, result))) == [None, 1]


def test_a_result_links_where_the_call_was_left_out() -> None:
    """A tool result names the call that it answers."""
    found = link(calls((ASK,), (replace(ASK, text="Something else"), RESULT)))[1]
    assert found is not None
    assert found.parent == 1


def test_reused_call_ids_are_told_apart_by_their_arguments() -> None:
    """A server that calls every call call_1 does not confuse the linker."""
    second = replace(CALL, text='{"a": 2}', arguments={"a": 2})
    exchanges = calls((ASK,), (replace(ASK, text="Plan that"),), (ASK, CALL, RESULT), answers=(CALL, second, CALL))
    assert parents(exchanges) == [None, None, 1]


def test_failed_sends_and_raw_bodies_are_not_linked() -> None:
    """Only answers of language models take part."""
    failed = Exchange(1, "openai.chat", status=429, request=(ASK,))
    raw = Exchange(2, "raw", raw_request="?")
    rejected = Exchange(3, "openai.chat", status=400, request=(ASK,), rejected_text="{")
    assert [linkable(e) for e in (failed, raw, rejected)] == [False, False, True]
    assert link([failed, raw, rejected]) == (None, None, None)


def test_a_bare_prompt_after_an_open_retry_continues_that_line() -> None:
    """When attempt 3 drops what attempt 2's errors said, it still is attempt 3."""
    second = [BASE[0], ("user", f"{TASK[1]}\nErrors:\n- goal: Field required")]
    exchanges = conversation(Spoken(BASE, BAD), Spoken(second, BROKEN_TOO), Spoken(BASE, GOOD, seed=3))
    found = link(exchanges)[2]
    assert found is not None
    assert (found.parent, found.how) == (2, How.SAME)


BROKEN_TOO = BAD.replace("pending", "shut")


def _interleaved(tasks: int) -> tuple[Exchange, ...]:
    """Four attempts of each task, in turns."""
    turns = {n: [("system", SYSTEM), ("user", f"Plan the release of version {n}")] for n in range(tasks)}
    spoken = []
    for attempt in range(4):
        for n in range(tasks):
            answer = f'{{"goal": "{n} {attempt}"}}'
            spoken.append(Spoken(list(turns[n]), answer))
            turns[n] += [("assistant", answer), ("user", f"- tasks: Field required ({attempt})")]
    return conversation(*spoken)


@pytest.mark.slow
def test_interleaved_conversations_link_in_linear_time() -> None:
    """Ten times as many conversations cost about ten times as much, never a hundred times."""
    exchanges = {tasks: _interleaved(tasks) for tasks in (25, 250)}

    def link(tasks: int) -> None:
        assert parents(exchanges[tasks]) == [None] * tasks + list(range(1, 3 * tasks + 1))

    assert_growth(link, 25, 250, below=40)


@pytest.mark.parametrize("lesson", ["Lesson 1:\ngoal is too short", "Урок 1:\ngoal: слишком коротко", "goal 太短"])
def test_a_paragraph_behind_the_system_text_is_linked_in_any_language(lesson: str) -> None:
    """What was learned from an answer goes into the instructions, and the answer is forgotten."""
    taught = [("system", f"{SYSTEM}\n\n{lesson}"), TASK]
    found = link(conversation(Spoken(BASE, BAD), Spoken(taught, GOOD)))[1]
    assert found is not None
    assert (found.parent, found.how) == (1, How.REWRITTEN)
    assert lesson.split("\n")[-1] in found.delta.text


def test_other_words_in_the_system_text_are_another_experiment() -> None:
    """Two system texts for one task are no retry, unless the second says what is wrong."""
    other = [("system", f"{SYSTEM} Be brief."), TASK]
    assert parents(conversation(Spoken(BASE, BAD), Spoken(other, GOOD))) == [None, None]


@pytest.mark.parametrize("words", ["goal is too short", "goal: слишком коротко"])
def test_a_system_text_more_is_linked_in_any_language(words: str) -> None:
    """Behind the first one, or in front of the task."""
    found = link(conversation(Spoken(BASE, BAD), Spoken([BASE[0], ("system", words), TASK], GOOD)))[1]
    assert found is not None
    assert (found.parent, found.how, found.delta.text) == (1, How.REWRITTEN, words)


def test_worked_example_that_equals_an_answer_is_no_quote() -> None:
    """The first request of another task had it already, so its retry does not react to that answer."""
    example = [("system", SYSTEM), ("user", "Plan a picnic"), ("assistant", BAD)]
    first, then = (Spoken([*example, ("user", text)], GOOD) for text in ("Plan a trip", "Plan a trip. It was invalid."))
    found = link(conversation(Spoken(BASE, BAD), first, then))
    assert [one and one.parent for one in found] == [None, None, 2]
