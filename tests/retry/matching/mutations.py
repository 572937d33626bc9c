"""Ways to spoil a recorded retry, and what must become of it: the negative controls of `feedback`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pytest_planguard.retry.linking.link import How, Link
from pytest_planguard.retry.linking.linker import link
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

OTHER_FIELD = ("planguard_other", 7, "field")
GENERIC = "Your answer was invalid. Please try again and follow the instructions."
ANOTHER_ERROR = "- planguard_other[7].field: number of legs exceeds the budget"


@dataclass(frozen=True)
class Spoiled:
    """A sequence of exchanges, and whether the retry in it still feeds back what it must."""

    exchanges: tuple[Exchange, ...]
    fed_back: bool


def feedback_link(exchanges: Sequence[Exchange], child: int) -> Link:
    """The link of the retry at `child` (0-based)."""
    found = _links(_Same(exchanges))[child]
    assert found is not None
    return found


@dataclass(frozen=True, eq=False)
class _Same:
    """Exchanges that are known by what they are, not by what is in them."""

    exchanges: Sequence[Exchange]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.exchanges is self.exchanges

    def __hash__(self) -> int:
        return id(self.exchanges)


@lru_cache(maxsize=1)
def _links(same: _Same) -> tuple[Link | None, ...]:
    """Return the links of exchanges; all mutations of a retry ask for those of the same."""
    return link(same.exchanges)


def with_feedback(exchanges: Sequence[Exchange], child: int, text: str) -> tuple[Exchange, ...]:
    """The same traffic with other feedback in the request at `child`; "" leaves none."""
    found = feedback_link(exchanges, child)
    request = list(exchanges[child].request)
    numbers = [p.item - 1 for p in found.delta.pieces]
    for number in reversed(numbers[1:]):
        del request[number]
    if numbers:
        request[numbers[0] : numbers[0] + 1] = _replaced(exchanges, found, request[numbers[0]], text)
    return _swap(exchanges, child, tuple(request))


def _replaced(exchanges: Sequence[Exchange], found: Link, item: Item, text: str) -> list[Item]:
    if found.how in (How.REWRITTEN, How.QUOTED):
        task = _task(exchanges, found)
        return [replace(item, text=f"{task}\n{text}" if text else task)]
    if item.role is Role.ASSISTANT:
        answer = exchanges[found.parent - 1].answer_text
        return [replace(item, text=f"{answer}\n{text}")]
    return [replace(item, text=text)] if text else []


def _task(exchanges: Sequence[Exchange], found: Link) -> str:
    links = _links(_Same(exchanges))
    at = found.parent - 1
    while (up := links[at]) is not None:
        at = up.parent - 1
    return [i for i in exchanges[at].request if i.kind is ItemKind.TEXT and i.role is Role.USER][-1].text


def _swap(exchanges: Sequence[Exchange], child: int, request: tuple[Item, ...]) -> tuple[Exchange, ...]:
    changed = replace(exchanges[child], request=request, raw_request="")
    return (*exchanges[:child], changed, *exchanges[child + 1 :])


def original(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """Nothing changed."""
    return Spoiled(tuple(exchanges), fed_back=True)


def dropped(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """The feedback is gone; the bad answer may still stand there."""
    return Spoiled(with_feedback(exchanges, child, ""), fed_back=False)


def another_error(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """The feedback names an error that the answer does not have."""
    return Spoiled(with_feedback(exchanges, child, ANOTHER_ERROR), fed_back=False)


def generic_words(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """The feedback says only that something was wrong."""
    return Spoiled(with_feedback(exchanges, child, GENERIC), fed_back=False)


def few_shot_echo(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """The feedback stands in a worked example in front of the task, where every request has it."""
    found = feedback_link(exchanges, child)
    answer = exchanges[found.parent - 1].answer_text
    example = (
        Item(ItemKind.TEXT, Role.USER, "A worked example"),
        Item(ItemKind.TEXT, Role.ASSISTANT, answer),
        Item(ItemKind.TEXT, Role.USER, found.delta.text),
        Item(ItemKind.TEXT, Role.ASSISTANT, "{}"),
    )
    bare = with_feedback(exchanges, child, "")
    return Spoiled(tuple(_with_example(e, example) for e in bare), fed_back=False)


def _with_example(exchange: Exchange, example: tuple[Item, ...]) -> Exchange:
    system = tuple(i for i in exchange.request if i.role is Role.SYSTEM)
    rest = tuple(i for i in exchange.request if i.role is not Role.SYSTEM)
    return replace(exchange, request=(*system, *example, *rest), raw_request="")


def in_assistant_turn(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """The feedback is appended to the bad answer, within the assistant's turn."""
    found = feedback_link(exchanges, child)
    parent = exchanges[found.parent - 1]
    turn = Item(ItemKind.TEXT, Role.ASSISTANT, f"{parent.answer_text}\nObservation:\n{found.delta.text}")
    return Spoiled(_swap(exchanges, child, (*parent.request, turn)), fed_back=True)


def repeated_answer(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """The model repeats itself, and a windowed history makes the third request equal to the second."""
    found = feedback_link(exchanges, child)
    stuck = replace(exchanges[child], answer=exchanges[found.parent - 1].answer)
    again = replace(exchanges[child], number=len(exchanges) + 1)
    return Spoiled((*exchanges[:child], stuck, again), fed_back=True)


def tool_step_between(exchanges: Sequence[Exchange], child: int) -> Spoiled:
    """Between the rejected answer with its feedback and the next attempt the model calls a tool."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, "{}", "look_1", "look_up", {})
    result = Item(ItemKind.RESULT, Role.TOOL, "nothing found", "look_1", "look_up")
    step = replace(exchanges[child], answer=(call,), response_id="step", number=child + 1)
    after = replace(
        exchanges[child], request=(*exchanges[child].request, call, result), raw_request="", number=child + 2
    )
    return Spoiled((*exchanges[:child], step, after), fed_back=True)


MUTATIONS: dict[str, Callable[[Sequence[Exchange], int], Spoiled]] = {
    "original": original,
    "feedback dropped": dropped,
    "another error": another_error,
    "generic words": generic_words,
    "few-shot echo": few_shot_echo,
    "inside the assistant turn": in_assistant_turn,
    "repeated answer": repeated_answer,
    "tool step between": tool_step_between,
}
"""The mutations that need nothing but the traffic; those that need the errors stand in `rewordings`."""
