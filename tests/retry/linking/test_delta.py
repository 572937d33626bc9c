"""The delta: what a request adds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.retry.linking.link import Delta, added_in_front, after, inserted, suffix
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item


def said(role: Role, text: str) -> Item:
    """A text item."""
    return Item(ItemKind.TEXT, role, text)


ROOT = Exchange(
    1,
    "openai.chat",
    request=(said(Role.SYSTEM, "Write JSON."), said(Role.USER, "Plan it.\nBe brief.")),
    answer=(said(Role.ASSISTANT, '{"a": 1, "b": 2}'),),
)


def child(*items: Item) -> Exchange:
    """A request that goes on behind the root's."""
    return Exchange(2, "openai.chat", request=(*ROOT.request, *items))


def test_the_quoted_answer_and_the_repeated_task_are_not_new() -> None:
    """Feedback often repeats the bad answer and the task; neither says what is wrong."""
    words = 'Your answer {"a": 1, "b": 2} was bad:\n- a: too small\nPlan it.\nBe brief.'
    delta = after(child(said(Role.USER, words)), 2, ROOT, ROOT)
    assert delta.text == "Your answer \n was bad:\n- a: too small"
    assert (delta.request, delta.pieces[0].item) == (2, 3)


def test_an_answer_quoted_inside_a_json_string_is_removed() -> None:
    """Escaped quotations are quotations."""
    words = '{"answer": "{\\"a\\": 1, \\"b\\": 2}", "error": "a is too small"}'
    delta = after(child(said(Role.USER, words)), 2, ROOT, ROOT)
    assert '\\"b\\"' not in delta.text
    assert "a is too small" in delta.text


def test_a_call_quoted_as_python_is_removed() -> None:
    """Smolagents tells the model of its call in its own turn, as Python; only the observation behind it is new."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, '{"answer": {"a": 1}}', "c", "final", {"answer": {"a": 1}})
    asked = Exchange(1, "openai.chat", request=ROOT.request, answer=(call,))
    told = "Calling tools:\n[{'function': {'name': 'final', 'arguments': {'answer': {'a': 1}}}}]"
    request = child(said(Role.ASSISTANT, told), said(Role.USER, "Please try again."))
    assert "'a'" not in after(request, 2, asked, asked).text


def test_calls_are_not_feedback_and_system_turns_are() -> None:
    """What the model called is left out; a system turn behind the answer is how some apps give feedback."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, "{}", "c", "f", {})
    assert after(child(call), 2, ROOT, ROOT) == Delta(2, ())
    assert after(child(call, said(Role.SYSTEM, "a is too small")), 2, ROOT, ROOT).text == "a is too small"


def test_an_answer_written_anew_is_not_feedback() -> None:
    """A turn that holds the answer in another spelling continues nothing."""
    assert suffix(child(said(Role.ASSISTANT, '{"b": 2, "a": 1}')), 2, ROOT) == ()
    assert [p.text.strip() for p in suffix(child(said(Role.ASSISTANT, '{"a":  1,\n"b": 2}\nno')), 2, ROOT)] == ["no"]


def test_the_suffix_of_the_answers_own_turn_is_new() -> None:
    """Some clients append the error to the assistant's turn."""
    request = child(said(Role.ASSISTANT, '{"a": 1, "b": 2}\nObservation: a is too small'))
    assert [p.text.strip() for p in suffix(request, 2, ROOT)] == ["Observation: a is too small"]
    assert suffix(child(said(Role.ASSISTANT, '{"a": 1, "b": 2}')), 2, ROOT) == ()
    assert suffix(child(Item(ItemKind.CALL, Role.ASSISTANT, "{}")), 2, ROOT) == ()


def test_lines_put_into_the_prompt_are_new() -> None:
    """Inserted lines count, whether in front of, between or behind the task's lines."""
    changed = said(Role.USER, "Note: a is too small\nPlan it.\nFix b, too.\nBe brief. Now.")
    request = Exchange(2, "openai.chat", request=(ROOT.request[0], changed))
    assert inserted(request, ROOT, ROOT).text == "Note: a is too small\nFix b, too.\n Now."


def test_a_line_that_goes_on_keeps_only_its_new_part() -> None:
    """What is added to a line of the task is told from the line; a line that is still there was not added to."""
    changed = said(Role.USER, "Plan it.\nBe brief. Also: a is too small")
    request = Exchange(2, "openai.chat", request=(ROOT.request[0], changed))
    assert inserted(request, ROOT, ROOT).text == " Also: a is too small"
    request = replace(request, request=(ROOT.request[0], said(Role.USER, "Plan it.\nPlan it. Briefly.\nBe brief.")))
    assert inserted(request, ROOT, ROOT).text == "Plan it. Briefly."


def test_white_space_alone_is_nothing_new() -> None:
    """Blank pieces are dropped."""
    assert after(child(said(Role.USER, " \n ")), 2, ROOT, ROOT).pieces == ()
    blank = Exchange(2, "openai.chat", request=(*ROOT.request, said(Role.USER, " ")))
    assert inserted(blank, ROOT, ROOT).pieces == ()


@pytest.mark.parametrize("key", ["task", "zone"])
def test_of_two_quoted_calls_one_inside_the_other_both_are_removed(key: str) -> None:
    """The longer text goes first: what is left of it would read as new words."""
    inner, outer = '{"title": "x"}', f'{{"{key}": {{"title": "x"}}, "n": 1}}'
    calls = tuple(Item(ItemKind.CALL, Role.ASSISTANT, text, name="f", arguments={}) for text in (inner, outer))
    answer = Exchange(1, "openai.chat", request=ROOT.request, answer=calls)
    words = f"{outer} and {inner} are bad: n is too small"
    assert after(child(said(Role.USER, words)), 2, answer, ROOT).text.split("\n")[-1] == " are bad: n is too small"
    assert key not in after(child(said(Role.USER, words)), 2, answer, ROOT).text


IN_FRONT: dict[str, tuple[tuple[Item, ...], list[tuple[int, str]]]] = {
    "nothing new": (ROOT.request, []),
    "behind the task": ((ROOT.request[0], said(Role.USER, "Plan it.\nBe brief.\na: too small")), [(2, "a: too small")]),
    "on the line of the task": ((ROOT.request[0], said(Role.USER, "Plan it.\nBe brief. a: bad")), [(2, " a: bad")]),
    "a quoted answer": (
        (ROOT.request[0], said(Role.USER, 'Plan it.\nBe brief.\n{"a": 1, "b": 2}\nis bad')),
        [(2, "\n\nis bad")],
    ),
    "a turn of its own": ((*ROOT.request, said(Role.USER, "a: too small")), []),
    "the task told by the model": ((said(Role.ASSISTANT, "Plan it.\nBe brief.\na: too small"),), []),
    "the task in a result": ((Item(ItemKind.RESULT, Role.USER, "Plan it.\nBe brief.\na: too small"),), []),
    "another task": ((ROOT.request[0], said(Role.USER, "Sing.\na: too small")), []),
    "behind the system text": ((said(Role.SYSTEM, "Write JSON.\na: bad"), ROOT.request[1]), [(1, "a: bad")]),
    "in front of the system text": ((said(Role.SYSTEM, "a: bad\nWrite JSON."), ROOT.request[1]), [(1, "a: bad")]),
    "a system text of its own": (
        (ROOT.request[0], said(Role.SYSTEM, "a: bad"), ROOT.request[1]),
        [(2, "a: bad")],
    ),
    "another system text": ((said(Role.SYSTEM, "Be a critic."), ROOT.request[1]), []),
    "both": (
        (said(Role.SYSTEM, "Write JSON.\na: bad"), said(Role.USER, "Plan it.\nBe brief.\nb: bad")),
        [(1, "a: bad"), (2, "b: bad")],
    ),
}


@in_one_item
@pytest.mark.parametrize("name", IN_FRONT)
def test_what_is_said_in_front_of_the_answer(name: str) -> None:
    """Only behind the parent's own system text, and behind its task: other turns are history."""
    items, expected = IN_FRONT[name]
    request = Exchange(2, "openai.chat", request=(*items, ROOT.answer[0], said(Role.USER, "Again.")))
    assert [(piece.item, piece.text) for piece in added_in_front(request, len(items), ROOT)] == expected


def test_without_a_task_or_a_system_text_nothing_is_said_in_front() -> None:
    """There is nothing that words could have been added to."""
    bare = Exchange(1, "openai.chat", answer=ROOT.answer)
    request = Exchange(2, "openai.chat", request=(said(Role.USER, "a: bad"), ROOT.answer[0]))
    assert added_in_front(request, 1, bare) == ()
    assert [p.role for p in added_in_front(replace(request, request=(said(Role.SYSTEM, "x"),)), 1, bare)] == ["system"]


def test_each_new_text_is_told_with_its_place() -> None:
    """The number of its item, from 1, and all that it says besides the answer."""
    answer = ROOT.answer[0]
    behind = after(child(answer, said(Role.USER, "a: bad\nPlan it."), said(Role.USER, "b: bad")), 3, ROOT, ROOT)
    assert [(p.item, p.text, p.whole) for p in behind.pieces] == [
        (4, "a: bad", "a: bad\nPlan it."),
        (5, "b: bad", "b: bad"),
    ]
    assert behind.text == "a: bad\nb: bad"
    changed = (said(Role.SYSTEM, "Write JSON.\nNo prose."), said(Role.USER, "Plan it.\na: bad"))
    put_in = inserted(replace(ROOT, request=changed), ROOT, ROOT)
    assert [(p.item, p.text, p.whole) for p in put_in.pieces] == [
        (1, "No prose.", "Write JSON.\nNo prose."),
        (2, "a: bad", "Plan it.\na: bad"),
    ]
    (rest,) = suffix(child(said(Role.ASSISTANT, ' \n{"a": 1, "b": 2}\nno')), 2, ROOT)
    assert (rest.item, rest.text, rest.role) == (3, "\nno", Role.ASSISTANT)


def test_lines_of_the_instructions_are_not_new_and_those_of_examples_are() -> None:
    """Feedback may repeat what an example says."""
    example = (said(Role.USER, "Plan that."), said(Role.ASSISTANT, "{}"))
    root = replace(ROOT, request=(ROOT.request[0], *example, ROOT.request[1]))
    words = said(Role.USER, "Write JSON.\nPlan that.\nBe brief.\n{}")
    assert after(replace(root, request=(*root.request, words)), 4, ROOT, root).text == "Plan that.\n{}"


def test_a_short_answer_is_left_out_of_the_model_s_turn_alone() -> None:
    """Where it begins the turn; another text may begin with the same word by chance."""
    root = replace(ROOT, answer=(said(Role.ASSISTANT, "yes"),))
    assert after(child(said(Role.ASSISTANT, "yes: bad")), 2, root, root).text == ": bad"
    assert after(child(said(Role.USER, "yes: bad")), 2, root, root).text == "yes: bad"


def test_a_turn_that_does_not_begin_with_the_answer_goes_on_with_nothing() -> None:
    """Nor does one behind an answer without a text."""
    other = child(said(Role.ASSISTANT, "Some other words of the model, and many of them."))
    called = replace(ROOT, answer=(Item(ItemKind.CALL, Role.ASSISTANT, "{}", "c", "f", {}),))
    assert suffix(other, 2, ROOT) == suffix(other, 2, called) == ()


def test_a_prompt_is_what_the_app_says() -> None:
    """What the model said or a tool returned is no part of it."""
    more = (said(Role.ASSISTANT, "a: odd"), Item(ItemKind.RESULT, Role.USER, "b: odd"), said(Role.USER, "c: odd"))
    assert inserted(child(*more), ROOT, ROOT).text == "c: odd"
    assert inserted(child(said(Role.USER, "c: odd")), child(*more[:2]), ROOT).text == "c: odd"
