"""Links and new words right below, at and above each bound."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.linking import linker
from pytest_planguard.retry.linking.link import SHORTEST_QUOTE, How, after, inserted
from pytest_planguard.retry.linking.linker import link
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role


def said(text: str, role: Role = Role.USER) -> Item:
    """Return a text."""
    return Item(ItemKind.TEXT, role, text)


def asked(number: int, *texts: str, answer: str = "") -> Exchange:
    """Return an exchange; the first text is the task."""
    items = tuple(map(said, texts))
    return Exchange(number, "openai.chat", request=items, answer=(said(answer, Role.ASSISTANT),) if answer else ())


@pytest.mark.parametrize(("length", "linked"), [(18, False), (19, False), (20, True), (21, True)])
def test_the_shortest_answer_that_links_as_a_quotation(length: int, linked: bool) -> None:
    """Blanks do not count: a shorter one may be within a text by chance."""
    answer = "{ " + "x" * (length - 2) + " }"
    found = link([asked(1, "Plan", answer=answer), asked(2, f"Repair: {answer}")])[1]
    assert (found is not None and found.how is How.QUOTED) is linked
    assert linker.SHORTEST_QUOTE == 20


@pytest.mark.parametrize(("length", "linked"), [(19, False), (20, True), (21, True)])
@pytest.mark.parametrize("task", ["Plan the party", "So far: a party."])
def test_the_shortest_answer_that_links_out_of_place(task: str, length: int, linked: bool) -> None:
    """Behind another question, an answer counts if its task or a word of repair follows, and not by chance."""
    answer = "{ " + "x" * (length - 2) + " }"
    first = asked(1, "Plan the party", answer=answer)
    turns = (said("So far: a party."), said(answer, Role.ASSISTANT), said(f"{task} Fix it." if ":" in task else task))
    found = link([first, Exchange(2, "openai.chat", request=turns)])[1]
    assert (found is not None and found.how is How.ANSWER) is linked


@pytest.mark.parametrize(("between", "linked"), [(0, True), (30, True), (31, True), (32, False)])
def test_the_latest_answers_are_looked_for_as_quotations(between: int, linked: bool) -> None:
    """No index can find them."""
    answer = '{"an answer": "of its own"}'
    others = [asked(n, f"Task {n}", answer=f"words {n}") for n in range(2, between + 2)]
    exchanges = [asked(1, "Plan", answer=answer), *others, asked(99, f"Repair: {answer}")]
    assert (link(exchanges)[-1] is not None) is linked


@pytest.mark.parametrize(("answer", "rest"), [("1234567", "1234567"), ("12345678", ""), ("123456789", "")])
def test_the_shortest_answer_that_is_no_new_word(answer: str, rest: str) -> None:
    """Eight characters; a shorter one would occur by chance."""
    root = asked(1, "Plan", answer=answer)
    assert after(asked(2, "Plan", f"no: {answer}"), 1, root, root).text.strip() == f"no: {rest}".strip()
    assert SHORTEST_QUOTE == 8


@pytest.mark.parametrize(("changed", "rest"), [(1, " wrong"), (49, " wrong"), (50, " wrong"), (51, "line 0050 wrong")])
def test_changed_lines_are_compared_for_a_common_beginning(changed: int, rest: str) -> None:
    """Fifty of them; more are new as a whole."""
    before = [f"line {n:04}" for n in range(changed)]
    root = asked(1, "\n".join(before))
    now = "\n".join(f"{line} wrong" for line in before)
    found = inserted(asked(2, now), root, root).text.split("\n")
    assert found == [" wrong"] * min(changed, 50) + [rest] * (changed > 50)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_any_system_ends_them(end: str) -> None:
    """Those of the task are known, however they end."""
    root = asked(1, "Plan it.\nBe brief.")
    found = after(asked(2, "Plan it.\nBe brief.", end.join(["Plan it.", "goal: missing", "Be brief."])), 1, root, root)
    assert found.text == "goal: missing"


def test_a_line_keeps_what_it_adds_to_the_longest_earlier_one() -> None:
    """Where it begins with several."""
    root = asked(1, "Plan\nPlan it\nPlan it now")
    assert inserted(asked(2, "Plan it, but well\nPlans"), root, root).text == ", but well\ns"


def test_a_quotation_is_taken_out_of_a_json_string_without_breaking_it() -> None:
    """Any other is a line break: the words around it are lines of their own."""
    root = asked(1, "Plan", answer="An answer in words.")
    within = after(asked(2, "Plan", '{"input": "An answer in words.", "error": "no JSON"}'), 1, root, root)
    around = after(asked(2, "Plan", "You wrote An answer in words. That is no JSON"), 1, root, root)
    assert within.text == '{"input": " ", "error": "no JSON"}'
    assert around.text == "You wrote \n That is no JSON"


def test_python_s_spelling_of_a_call_is_a_quotation() -> None:
    """As agents print what they called, also within a JSON string."""
    arguments = {"goal": "it's", "n": 1}
    call = Item(ItemKind.CALL, Role.ASSISTANT, '{"goal": "it\'s", "n": 1}', "c", "f", arguments)
    root = Exchange(1, "openai.chat", request=(said("Plan"),), answer=(call,))
    for spelled in (repr(arguments), '{"goal": "it\'s", "n": 1}', '{\\"goal\\": \\"it\'s\\", \\"n\\": 1}'):
        assert after(asked(2, "Plan", f"called {spelled} in vain"), 1, root, root).text == "called \n in vain"


def test_letters_of_any_script_are_quoted_as_they_are() -> None:
    """Within a JSON string that spells them so."""
    root = asked(1, "Plan", answer='{"goal": "Übung 計画"}')
    assert after(asked(2, "Plan", '"{\\"goal\\": \\"Übung 計画\\"}" is bad'), 1, root, root).text == '" " is bad'


def test_of_equal_requests_the_latest_may_be_meant() -> None:
    """Sixty-four of them, whether a request goes on behind theirs or has errors put into its prompt."""
    task = "Plan the release of version two"
    equal = [asked(n, task, answer=f"answer number {n}") for n in range(1, 68)]
    for again in (asked(99, task, "Again!"), asked(99, f"{task}\nErrors: goal is missing")):
        found = link([*equal, again])[-1]
        assert found is not None
        assert (found.parent, found.ambiguous_with) == (67, tuple(range(4, 67)))
