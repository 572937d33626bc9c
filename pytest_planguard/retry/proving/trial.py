"""One run of the app on a changed answer, and how its requests differ from those of the first run."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...wire.untrusted_json import parsed_or_none
from .attribution import words_that_go
from .moved_fault import Moved
from .quoted_part import numbers_of
from .repair import Repaired
from .request_diff import ANSWER, Difference, Quotations, compare, left_out
from .swap import Swapped

if TYPE_CHECKING:
    from ...contract.finding import Finding

Change = Repaired | Swapped | Moved
"""An answer without the finding: repaired, with another error in its place, or with the same one at another item."""


class Changes:
    """The answers to try for one finding, in order.

    Each is made on demand, because the first one usually settles it.
    """

    def __init__(self, made: Iterable[Change] = ()) -> None:
        self._made: list[Change] = []
        self._rest = iter(made)

    def __iter__(self) -> Iterator[Change]:
        at = 0
        while (change := self.at(at)) is not None:
            yield change
            at += 1

    def __bool__(self) -> bool:
        return self.at(0) is not None

    def up_to(self, most: int) -> Changes:
        """Return the first `most` changes."""
        return Changes(islice(self, most))

    def at(self, index: int) -> Change | None:
        """Return the change at a 0-based index; None after the last one."""
        self._made += islice(self._rest, max(index + 1 - len(self._made), 0))
        return self._made[index] if index < len(self._made) else None


@dataclass(frozen=True, slots=True)
class Request:
    """A request that an app sent."""

    body: Any
    """The JSON body, or its text."""
    texts: Sequence[str]
    """Its texts in order: prompts, turns, results of tools."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How one request differs from its counterpart in the unchanged run."""

    difference: Difference
    before: tuple[str, ...] = ()
    """The counterpart's texts, without quotations of the answer and volatile text."""
    now: tuple[str, ...] = ()
    """The same for this request."""
    gone: str = ""
    """The words that only the counterpart has, one sentence per line."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of the app on a changed answer, and the requests that it then sent."""

    change: Change
    seen: Mapping[int, Seen]
    """How the request of each target, by its number, differs from its counterpart."""
    trouble: str | None = None
    """The reason why the run shows nothing, or None. Earlier observations still count."""
    passed_on: bool = False
    """True if the reason is that a call between the two attempts changed."""


def places_of(finding: Finding, answer: str) -> set[int]:
    """Return the numbers by which words may name a finding's place: items, 0-based and 1-based, and a quoted edit's."""
    items = (step + first for step in finding.path if isinstance(step, int) for first in (0, 1))
    return {*items, *numbers_of(finding, answer)}


def seen(
    before: Request,
    now: Request,
    change: Change,
    answer: str,
    clean: Callable[[str], str],
    places: Collection[int] = (),
) -> Seen:
    """Compare a request after an answer with one after its changed form.

    Args:
        before: from the run without a change.
        now: from the run with the changed answer.
        change: the changed answer.
        answer: the original answer, as the contract judged it.
        clean: removes volatile text (ids, timestamps) from a text.
        places: numbers that may name the finding's place.
    """
    takes_away = isinstance(change, Repaired) and not change.reveals
    echo = Quotations.of(change, answer)
    how = (compare if takes_away else left_out)(before.body, now.body, echo, clean)
    quoted = echo.whole()
    one, other = (
        tuple(clean(_said(quoted, text)).replace(ANSWER, " ") for text in request.texts) for request in (before, now)
    )
    if how is Difference.NONE or isinstance(change, Moved):
        return Seen(how, one, other)
    gone = words_that_go(one, other, cuts=takes_away, positions=places)
    if not gone and (how is Difference.WORDS or (how is Difference.NUMBERS and takes_away)):
        how = Difference.COUNT
    return Seen(how, one, other, gone)


def _said(quoted: Quotations, text: str) -> str:
    """Return a text without the answer. JSON stays JSON, so the texts in it can be compared."""
    value = parsed_or_none(text) if text.lstrip()[:1] in ("{", "[") else None
    return str(quoted.without(text)) if value is None else json.dumps(quoted.without(value), ensure_ascii=False)
