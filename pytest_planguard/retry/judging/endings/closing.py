"""What ends a task without being an attempt: the sentence after a tool call, and samples beside a good one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....wire.exchange import Role
from ...linking.link_evidence import How
from ..attempt_answers import answers_of
from .rejection import says_no

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from ....contract.verdict import Verdict
    from ....wire.exchange import Exchange
    from ...linking.link import Link
    from ..attempt_answers import Applied

CLOSING = "the closing words after an accepted call: no answer was due any more"
SAMPLE = "one of several samples of the same request, another of which keeps the contract"


def may_close(exchange: Exchange, applied: Applied) -> bool:
    """Return whether an answer in words may end a task whose answer is a tool call: nothing forces a call."""
    answers = answers_of(exchange, applied)
    tool = answers[0].uncalled if answers else None
    return tool is not None and not exchange.calls and exchange.tool_choice not in ("required", tool)


def taken_by_app(links: Sequence[Link]) -> bool:
    """Return whether the app's own tool took a call: it gave a result, and that neither is an error nor says no."""
    results = [piece for link in links[:1] for piece in link.delta.pieces if piece.role is Role.TOOL]
    return bool(results) and not any(piece.is_error or says_no(piece) for piece in results)


def samples(
    path: Sequence[int],
    links: Sequence[Link | None],
    requests: Sequence[Hashable],
    verdict: Callable[[int], Verdict | None],
) -> dict[int, bool]:
    """Return the exchanges of a path that are samples of one request, each with whether its answer is good.

    A loop that sends the same request until an answer is good stops at the first good one. Where the same request is
    sent once more after a good answer, its sender wanted several.
    """
    found: dict[int, bool] = {}
    for run in _repeated(path, links, requests):
        good = {number: (v := verdict(number)) is not None and v.ok for number in run}
        if any(good[number] for number in run[:-1]):
            found.update(good)
    return found


def _repeated(path: Sequence[int], links: Sequence[Link | None], requests: Sequence[Hashable]) -> Iterator[list[int]]:
    """Yield each run of a path in which one request is sent again and again, of two exchanges at least."""
    run: list[int] = []
    for number in path:
        link = links[number]
        if link is None or link.how is not How.SAME or not run or requests[number] != requests[run[-1]]:
            if len(run) > 1:
                yield run
            run = []
        run.append(number)
    if len(run) > 1:
        yield run
