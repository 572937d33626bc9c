"""Finds the answer that a request reacts to by what it says is wrong: the task was reworded, or the history cut.

Nothing of the earlier request stands in the later one as it was. So the new words must speak of errors, name a place
that agrees with the earlier answer, and the task must still be made of the same words.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...wire.exchange import ItemKind, Role
from ..reading.entry import reaches
from ..reading.error_category import ErrorCategory, category_of_code, category_of_words
from ..reading.wordings.lines import line_entries
from .sameness import alike, canonical, last_user, normal_text, without_thinking

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from ...wire.exchange import Exchange

LATEST = 32
"""Exchanges that are compared: words have no index."""
SAME_WORDS = 0.5
"""Least share of the task's words that the request must still have."""
FEWEST_WORDS = 3
"""A task of fewer words is like any other by chance."""
_SPEAKS_OF_ERRORS = re.compile(
    r"\b(?:previous|last|prior|earlier|your) (?:answer|attempt|response|output|reply|try)|\brejected\b"
    r"|\b(?:errors?|mistakes?|problems?|issues?|invalid|not valid)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_UNPARSED = object()


@dataclass(frozen=True, slots=True)
class _Known:
    number: int
    exchange: Exchange
    kin: tuple[str, str]
    task: Counter[str]
    lines: frozenset[str]
    document: Any


@dataclass(frozen=True, slots=True)
class _Fit:
    number: int
    words: float
    places: int


class RewordedIndex:
    """The latest answers with what was asked for, compared with requests that nothing else explains."""

    def __init__(self) -> None:
        self._known: deque[_Known] = deque(maxlen=LATEST)

    def add(self, number: int, exchange: Exchange) -> None:
        """Make an exchange findable under `number`."""
        task = last_user(exchange)
        lines = frozenset(normal_text(line) for item in exchange.request for line in item.text.split("\n"))
        words = Counter(_words([task.text] if task else []))
        self._known.append(_Known(number, exchange, _kin(exchange), words, lines, _document(exchange)))

    def find(self, exchange: Exchange, taken: Container[int]) -> list[int]:
        """Return whose answers the request says are wrong, the best fit; several where nobody can tell which.

        `taken` are exchanges that something reacts to already.
        """
        texts = [i.text for i in exchange.request if i.kind is ItemKind.TEXT and i.role in (Role.USER, Role.SYSTEM)]
        if not any(map(_SPEAKS_OF_ERRORS.search, texts)):
            return []
        now, kin = Counter(_words(texts)), _kin(exchange)
        open_ones = (k for k in self._known if k.number not in taken and k.kin == kin)
        fits = [fit for known in open_ones if (fit := _fit(known, exchange, texts, now)) is not None]
        return [fit.number for fit in _best(fits)] if fits else []


def _best(fits: Sequence[_Fit]) -> Iterator[_Fit]:
    """Yield the best fits by words, and their rivals: who names more places than these."""
    words = max(fit.words for fit in fits)
    places = max(fit.places for fit in fits if fit.words == words)
    return (fit for fit in fits if fit.words == words or fit.places > places)


def _fit(known: _Known, exchange: Exchange, texts: list[str], now: Counter[str]) -> _Fit | None:
    total = known.task.total()
    if total < FEWEST_WORDS or not alike(known.exchange.answer_text, exchange.answer_text):
        return None
    share = (known.task & now).total() / total
    if share < SAME_WORDS or not _same_history(known.exchange, exchange):
        return None
    added = "\n".join(line for text in texts for line in text.split("\n") if normal_text(line) not in known.lines)
    if not _SPEAKS_OF_ERRORS.search(added):
        return None
    places = _agreeing(added, known.document)
    return _Fit(known.number, share, places) if places else None


def _same_history(earlier: Exchange, later: Exchange) -> bool:
    """Return whether everything that the later request lets the model have said stands in the earlier one, too."""
    said = {normal_text(i.text) for i in earlier.request if i.role is Role.ASSISTANT}
    return all(normal_text(i.text) in said for i in later.request if i.role is Role.ASSISTANT)


def _agreeing(added: str, document: Any) -> int:
    """Return how many errors agree with the answer: what they call wrong is there, what they call missing is not."""
    if document is _UNPARSED:
        return sum(category_of_words(line) is ErrorCategory.UNREADABLE for line in added.split("\n"))
    found = set()
    for entry in line_entries(added):
        rule = category_of_code(entry.code) or category_of_words(entry.message)
        if rule and entry.path and _agrees(entry.path, rule, document):
            found.add(entry.path)
    return len(found)


def _agrees(path: tuple[str, ...], rule: ErrorCategory, document: Any) -> bool:
    there = reaches(document, path)
    return reaches(document, path[:-1]) and not there if rule is ErrorCategory.MISSING else there


def _kin(exchange: Exchange) -> tuple[str, str]:
    """Return what requests of one app share whatever they ask for."""
    return (canonical(sorted(map(str, exchange.tools))), canonical(exchange.output_schema))


def _document(exchange: Exchange) -> Any:
    """Return the answer as plain data, a fence or words around it left out."""
    text = without_thinking(exchange.answer_text or "".join(c.text for c in exchange.calls[:1]))
    start, end = text.find("{"), text.rfind("}")
    try:
        return json.loads(text[start : end + 1]) if 0 <= start < end else _UNPARSED
    except (ValueError, RecursionError):
        return _UNPARSED


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word.casefold() for text in texts for word in _WORD.findall(text))
