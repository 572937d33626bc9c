"""Linking one exchange after the other: what would be linked is what is linked then."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.linking.link import How
from pytest_planguard.retry.linking.linker import Linker, LinkForest, link
from pytest_planguard.retry.linking.no_attempt import linkable
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.conversations import BAD, dialogue, injected
from ..decisions.shapes_of_links import SHAPES
from ..decisions.spoken import exchanges_of

FEEDBACK = "steps: at least 2 items; got 1"


@pytest.mark.parametrize("conversation", [None, "a", "line"])
def test_what_comes_next_is_linked_as_it_will_be(conversation: str | None) -> None:
    """Nothing is added by the question; of repeated requests the latest may be nobody's child in the end."""
    for shape in SHAPES.values():
        linker = Linker(["line"])
        for number, exchange in enumerate(exchanges_of(shape)):
            assert len(linker) == number
            coming = linker.next(exchange, conversation)
            assert linker.next(exchange, conversation) == coming
            linker.add(exchange, conversation)
            assert linker.exchange(number + 1) is exchange
            added = linker.links()[-1]
            assert added == coming or (added is None and coming is not None and coming.how is How.SAME)
            assert coming is None or linkable(exchange)
            assert coming is None or conversation is None or coming.ambiguous_with == ()


def test_names_part_conversations_and_a_line_is_known() -> None:
    """An exchange of a line reacts to the one before it, whatever it says; another name starts another conversation."""
    for shape in SHAPES.values():
        exchanges = [exchange for exchange in exchanges_of(shape) if linkable(exchange)]
        of_line = link(exchanges, ["line"] * len(exchanges), ["line"])
        assert [found and found.parent for found in of_line] == [None, *range(1, len(exchanges))][: len(exchanges)]
        apart = [str(number) for number in range(len(exchanges))]
        assert link(exchanges, apart) == (None,) * len(exchanges)
        assert link(exchanges, [None] * len(exchanges)) == link(exchanges)


@pytest.mark.parametrize(
    ("before", "now", "how"),
    [
        ("sys", "sys", How.SAME),
        ("sys ask", "sys ask", How.SAME),
        ("sys ask", "sys", How.REWRITTEN),
        ("sys", "sys ask", How.PREFIX),
        ("sys ask", "else", How.REWRITTEN),
        ("sys ask", "sys else", How.REWRITTEN),
        ("sys ask", "else ask", How.REWRITTEN),
        ("", "", How.SAME),
        ("", "sys", How.REWRITTEN),
        ("sys", "", How.REWRITTEN),
    ],
)
def test_how_an_exchange_of_a_line_follows_the_one_before(before: str, now: str, how: How) -> None:
    """The same request was sent again; another one was rewritten, if no answer is in it."""
    exchanges = [
        Exchange(
            number,
            "openai.chat",
            request=tuple(Item(ItemKind.TEXT, Role.USER, word) for word in words.split()),
            answer=(Item(ItemKind.TEXT, Role.ASSISTANT, f"answer {number}"),),
        )
        for number, words in enumerate((before, now), 1)
    ]
    found = link(exchanges, ["line"] * 2, ["line"])[1]
    assert found is not None
    assert (found.parent, found.how, found.ambiguous_with) == (1, how, ())


@pytest.mark.parametrize(
    ("conversation", "how", "bases"),
    [
        (dialogue(FEEDBACK), How.ANSWER, [0, 1]),
        (injected(FEEDBACK), How.REWRITTEN, [0, 0]),
        (injected(f"You said {BAD}. {FEEDBACK}"), How.QUOTED, [0, 0]),
        ((dialogue(FEEDBACK)[0],) * 2, How.SAME, [0, 0]),
    ],
)
def test_whose_prompt_defines_a_task(conversation: tuple[Exchange, ...], how: How, bases: list[int]) -> None:
    """The request's own, unless it rewrites or repeats an earlier one."""
    forest = LinkForest()
    for number, exchange in enumerate(conversation):
        forest.add(number, exchange)
    assert [forest.base(number) for number in range(2)] == bases
    assert [forest.root(number) for number in range(2)] == [0, 0]
    assert forest.chosen()[1][0].how is how
