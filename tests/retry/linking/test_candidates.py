"""What links a request to an earlier answer: where it stands, and all else that decides between parents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.retry.linking.link import How, LinkEvidence
from pytest_planguard.retry.linking.linker import LinkForest, link
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item
from ..decisions.turns import model, system, user


def call(arguments: Any, call_id: str | None = "c") -> Item:
    """Return a call."""
    return Item(ItemKind.CALL, Role.ASSISTANT, json.dumps(arguments), call_id, "plan", arguments)


def result(text: str, call_id: str | None = "c") -> Item:
    """Return the result of a call."""
    return Item(ItemKind.RESULT, Role.TOOL, text, call_id, "plan")


def asked(*items: Item, answer: tuple[Item, ...] = ()) -> Exchange:
    """Return an exchange."""
    return Exchange(1, "openai.chat", request=items, answer=answer)


def candidates(*exchanges: Exchange) -> tuple[LinkEvidence, ...]:
    """Return the evidence for the last one after the others."""
    forest = LinkForest()
    for number, exchange in enumerate(exchanges[:-1]):
        forest.add(number, exchange)
    return forest.candidates(len(exchanges) - 1, exchanges[-1])


JSON, TASK, AGAIN = system("Write JSON."), user("Plan the party"), user("Again!")
SHORT = model('{"goal": "x"}')
LONG = model('{"goal": "a party for all of us"}')
ONE, TWO = call({"goal": 1}, "c"), call({"goal": 2}, "d")
FIRST = asked(JSON, TASK, answer=(SHORT,))
CALLED = asked(JSON, TASK, answer=(ONE,))
EXAMPLE = (JSON, user("Plan a trip"), SHORT)
SUMMED_UP = (JSON, user("So far: a party."), LONG)

CASES: dict[str, tuple[tuple[Exchange, ...], tuple[LinkEvidence, ...]]] = {
    "the first request": ((FIRST,), ()),
    "another task": ((FIRST, asked(JSON, user("Sing a song"))), ()),
    "the same request": ((FIRST, FIRST), (LinkEvidence(0, How.SAME),)),
    "the same request a third time": ((FIRST, FIRST, FIRST), (LinkEvidence(1, How.SAME),)),
    "more turns without the answer": (
        (FIRST, asked(JSON, TASK, AGAIN)),
        (LinkEvidence(0, How.PREFIX, 1, rooted=True, prefix=True),),
    ),
    "more turns, and the last was like the answer": (
        (asked(JSON, TASK, SHORT, answer=(SHORT,)), asked(JSON, TASK, SHORT, AGAIN)),
        (LinkEvidence(0, How.PREFIX, 2, rooted=True, prefix=True),),
    ),
    "more turns behind one of two equal requests": (
        (FIRST, FIRST, asked(JSON, TASK, AGAIN)),
        (
            LinkEvidence(1, How.PREFIX, 1, rooted=True, prefix=True),
            LinkEvidence(0, How.PREFIX, 1, rooted=True, prefix=True, unrepeated=False),
        ),
    ),
    "the answer": (
        (FIRST, asked(JSON, TASK, SHORT, AGAIN)),
        (LinkEvidence(0, How.ANSWER, 2, rooted=True, prefix=True),),
    ),
    "the answer, to which another request reacts, too": (
        (FIRST, asked(JSON, TASK, SHORT, AGAIN), asked(JSON, TASK, SHORT, user("No!"))),
        (LinkEvidence(0, How.ANSWER, 2, rooted=True, prefix=True, childless=False),),
    ),
    "the answer behind another system text": (
        (FIRST, asked(system("Be brief."), TASK, SHORT, AGAIN)),
        (LinkEvidence(0, How.ANSWER, 2),),
    ),
    "the answer behind one more turn": (
        (FIRST, asked(JSON, TASK, user("By all means."), SHORT, AGAIN)),
        (LinkEvidence(0, How.ANSWER, 3, rooted=True, prefix=True),),
    ),
    "the answer of a worked example": ((FIRST, asked(*EXAMPLE, user("Plan a wedding"))), ()),
    "a worked example that another request asked": (
        (
            asked(*EXAMPLE, TASK, answer=(SHORT,)),
            asked(*EXAMPLE[:2], answer=(SHORT,)),
            asked(*EXAMPLE, TASK, AGAIN),
        ),
        (LinkEvidence(1, How.ANSWER, 2, rooted=True, prefix=True),),
    ),
    "a call": (
        (CALLED, asked(JSON, TASK, ONE, result("no"))),
        (LinkEvidence(0, How.ANSWER, 2, rooted=True, prefix=True),),
    ),
    "a call with other arguments": (
        (CALLED, asked(JSON, TASK, call({}), result("no"))),
        (LinkEvidence(0, How.ANSWER, 2, exact=False, rooted=True, prefix=True),),
    ),
    "two calls": (
        (asked(JSON, TASK, answer=(ONE, TWO)), asked(JSON, TASK, ONE, TWO, result("no"), result("no", "d"))),
        (LinkEvidence(0, How.ANSWER, 3, rooted=True, prefix=True),),
    ),
    "a result alone": (
        (CALLED, asked(JSON, user("Plan something"), result("no"))),
        (LinkEvidence(0, How.ANSWER, 1, exact=False),),
    ),
    "the second of two calls in turn": (
        (
            CALLED,
            asked(JSON, TASK, ONE, result("no"), answer=(TWO,)),
            asked(JSON, TASK, ONE, result("no"), TWO, result("no", "d")),
        ),
        (LinkEvidence(1, How.ANSWER, 4, rooted=True, prefix=True),),
    ),
    "a task summed up, and a word of repair in front of the last turn": (
        (asked(JSON, TASK, answer=(LONG,)), asked(*SUMMED_UP, user("That is invalid."), AGAIN)),
        (LinkEvidence(0, How.ANSWER, 2),),
    ),
    "a task summed up, and a word of repair two turns before the last": (
        (asked(JSON, TASK, answer=(LONG,)), asked(*SUMMED_UP, user("That is invalid."), user("Now."), AGAIN)),
        (LinkEvidence(0, How.ANSWER, 2),),
    ),
    "a task summed up, and no word of repair behind the answer": (
        (asked(JSON, TASK, answer=(LONG,)), asked(JSON, user("Invalid so far: a party."), LONG, AGAIN)),
        (),
    ),
    "a quotation": (
        (asked(JSON, TASK, answer=(LONG,)), asked(JSON, AGAIN, user(f"You said {LONG.text}"))),
        (LinkEvidence(0, How.QUOTED, 2),),
    ),
    "errors in the prompt": (
        (FIRST, asked(JSON, user("Plan the party\nErrors: goal is missing"))),
        (LinkEvidence(0, How.REWRITTEN),),
    ),
}


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_the_evidence_for_the_best_parent(name: str) -> None:
    """Followed by that for each parent that fits as well."""
    exchanges, expected = CASES[name]
    assert candidates(*exchanges) == expected


PROSE = "A plan in words, for a party."
REPAIRED: dict[str, tuple[str, str, str, bool]] = {
    "a word of repair": (LONG.text, "Fix this: {}", '{"goal": 1}', True),
    "a word of repair right behind it": (LONG.text, "See {}fix", '{"goal": 1}', True),
    "no word of repair": (LONG.text, "Print this: {}", '{"goal": 1}', False),
    "a word of repair in the answer alone": ('{"goal": "fix all errors now"}', "Print this: {}", '{"goal": 1}', False),
    "an answer of other fields": (LONG.text, "Fix this: {}", '{"verdict": 1}', False),
    "an answer that is not there yet": (LONG.text, "Fix this: {}", "", True),
    "words": (PROSE, "Fix this: {}", "A plan.", True),
    "words as material for a document": (PROSE, "Is this wrong? Answer in JSON: {}", '{"verdict": 1}', False),
}


@pytest.mark.parametrize("name", REPAIRED)
def test_a_quoted_answer_is_to_be_repaired(name: str) -> None:
    """Where the instructions differ: a critic or the next step of an app may quote it, too."""
    answer, words, then, expected = REPAIRED[name]
    first = asked(system("Plan."), TASK, answer=(model(answer),))
    later = asked(system("You get a text."), user(words.format(answer)), answer=(model(then),))
    assert candidates(first, later) == ((LinkEvidence(0, How.QUOTED, 1),) if expected else ())


def test_words_of_repair_are_those_of_texts() -> None:
    """What a tool returned is none of the app's words."""
    first = asked(system("Plan."), TASK, answer=(LONG,))
    later = asked(system("You get a text."), user(f"Print {LONG.text}"), Item(ItemKind.RESULT, Role.TOOL, "Fix it"))
    assert candidates(first, later) == ()


def test_a_reworded_task_reacts_to_what_nothing_else_reacts_to() -> None:
    """Even if its words are nearer to those of an earlier attempt."""
    answer = model('{"goal": 1}')
    told = "Your answer was not valid:\n- goal: should be a valid string"
    first = asked(user("one two three four"), answer=(answer,))
    second = asked(user(f"two one, five six!\n{told}"), answer=(answer,))
    third = asked(user(f"four three two one: your output was invalid\n- goal: must be a string, too\n{told}"))
    assert candidates(first, second) == (LinkEvidence(0, How.REWRITTEN),)
    assert [one.parent for one in candidates(first, second, third)] == [1]


def test_a_link_counts_from_one() -> None:
    """Child, parent and the place of the answer."""
    found = link([asked(user("Sing")), FIRST, asked(user("Dance")), asked(JSON, TASK, SHORT, AGAIN)])[3]
    assert found is not None
    assert (found.child, found.parent, found.position, found.ambiguous_with) == (4, 2, 3, ())
    assert [(piece.item, piece.text) for piece in found.delta.pieces] == [(4, "Again!")]


def test_turns_in_front_of_an_answer_are_not_new() -> None:
    """Such as a summary of the task, in a text of its own."""
    later = asked(*SUMMED_UP, user("That is invalid."))
    found = link([asked(JSON, TASK, answer=(LONG,)), later])[1]
    assert found is not None
    assert [(piece.item, piece.text) for piece in found.delta.pieces] == [(4, "That is invalid.")]
