"""Find the task whose prompt a request repeats with added errors or in other words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ...document.words import common_prefix
from ...wire.exchange import ItemKind, Role
from ...wire.untrusted_json import parsed_or_none
from ..reading.entry import reaches
from ..reading.error_category import ErrorCategory, category_of_code, category_of_words
from ..reading.lines import line_entries
from .sameness import SAME_ANSWERS, alike, canonical, last_user, normal_text, task_key, without_thinking

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterable, Iterator, Sequence

    from ...wire.exchange import Exchange

# "Fix these errors:", "Attempt 2", "The previous answer must …": words that a prompt gets for a retry.
_ABOUT_ERRORS = re.compile(
    r"\b(?:errors?|invalid|reject\w*|fail\w*|retry|attempt|previous|incorrect|wrong|correct\w*|feedback|problems?"
    r"|issues?|fix|missing|must)\b",
    re.IGNORECASE,
)


class PromptIndex:
    """The first prompts of tasks, indexed by each half, since an insertion leaves one half unchanged."""

    def __init__(self) -> None:
        self._halves: dict[Hashable, set[int]] = defaultdict(set)
        self._found: dict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._raw: dict[int, str] = {}
        self._normal: dict[int, str] = {}

    def add(self, number: int, exchange: Exchange) -> None:
        """Index the last user text of the request under `number`."""
        item = last_user(exchange)
        text = normal_text(item.text) if item else ""
        if not item or not text:
            return
        key, half = task_key(exchange), (len(text) + 1) // 2
        self._raw[number], self._normal[number] = item.text, text
        self._halves[key].add(half)
        self._found[(key, half, "start", text[:half])].append(number)
        self._found[(key, half, "end", text[-half:])].append(number)

    def rewritten(self, exchange: Exchange) -> Iterator[int]:
        """Yield the numbers of the tasks whose prompt the request repeats with added words about errors."""
        item = last_user(exchange)
        if item is None:
            return
        key, text = task_key(exchange), normal_text(item.text)
        seen: set[int] = set()
        for half in sorted(self._halves.get(key, ())):
            seen.update(self._found.get((key, half, "start", text[:half]), ()))
            seen.update(self._found.get((key, half, "end", text[-half:]), ()))
        longer = (n for n in sorted(seen) if len(self._normal[n]) < len(text))
        fitting = {
            n: len(self._normal[n])
            for n in longer
            if (put_in := inserted(self._normal[n], text)) is not None
            and (_ABOUT_ERRORS.search(put_in) or _has_errors(self._raw[n], item.text))
        }
        longest = max(fitting.values(), default=0)  # the longest prompt leaves the fewest words unexplained
        yield from (n for n, length in fitting.items() if length == longest)


def inserted(before: str, now: str) -> str | None:
    """Return the text that turns `before` into `now` if inserted at one place; None if they differ otherwise.

    Not every insertion is a retry, since one task may extend another ("clean up", "clean up the attic"). Callers check
    that the text mentions errors, or names a place and what is wrong there.
    """
    start = common_prefix(before, now)
    end = min(common_prefix(before[::-1], now[::-1]), len(before) - start)
    is_whole = len(now) >= len(before) and start + end >= len(before)
    return now[start : len(now) - end] if is_whole else None


def _has_errors(old: str, new: str) -> bool:
    """Return True if a new line names a rule, or is a path and a message in any language."""
    known = {normal_text(line) for line in old.splitlines()}
    added = [line for line in new.splitlines() if normal_text(line) not in known]
    named = any(category_of_words(line) for line in added)
    return named or next(iter(line_entries("\n".join(added))), None) is not None


# Find the task whose prompt a request repeats with errors in the system text or in a separate turn.

# "Your answer has …", "validation failed": stricter, since a system text says "must" and "invalid" from the start.
_ABOUT_AN_ANSWER = re.compile(
    r"\b(?:previous|last|prior|earlier|your) (?:answer|attempt|response|output|reply|try)|\bvalidation (?:error|fail)"
    r"|\brejected\b",
    re.IGNORECASE,
)
# The order of a model that repairs what another wrote: "Correct this malformed JSON".
_REPAIR = re.compile(
    r"\b(?:errors?|invalid|reject\w*|fail\w*|incorrect|wrong|correct\w*|fix\w*|repair\w*|malformed|valid(?:ate|ation)?)\b",
    re.IGNORECASE,
)


class InstructionIndex:
    """The first prompts of tasks, indexed by their last user text. The system text may vary."""

    def __init__(self) -> None:
        self._found: dict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._prompts: dict[int, list[str]] = {}

    def add(self, number: int, exchange: Exchange) -> None:
        """Index the prompt of the request under `number`."""
        self._found[_key(exchange)].append(number)
        self._prompts[number] = _prompts(exchange)

    def extended(self, exchange: Exchange) -> Iterator[int]:
        """Yield the tasks whose prompt the request repeats with words about a bad answer inserted at one place.

        The same task with a different system text may be a separate experiment. So the inserted words must name errors
        or an earlier answer, or be a separate text or paragraph after the system text, such as "Lesson 1: ..." in any
        language.
        """
        known = self._found.get(_key(exchange))
        texts = _prompts(exchange) if known else []
        for number in known or ():
            before, now = "\n".join(self._prompts[number]), "\n".join(texts)
            put_in = inserted(normal_text(before), normal_text(now))
            says_so = put_in and (_ABOUT_AN_ANSWER.search(put_in) or _errors(before, now))
            if says_so or _has_paragraph_more(self._prompts[number], texts):
                yield number


def _has_paragraph_more(before: Sequence[str], now: Sequence[str]) -> bool:
    """Return True if the only change to the prompt is one more text, or one more paragraph after one of its texts."""
    if len(now) == len(before) + 1:
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False))))
        return now[same].strip() != "" and [*now[:same], *now[same + 1 :]] == [*before]
    changed = [pair for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
    if len(before) != len(now) or len(changed) != 1:
        return False
    ((old, new),) = changed
    return old.strip() != "" and new.startswith(f"{old}\n\n") and new.removeprefix(old).strip() != ""


def asks_for_repair(text: str) -> bool:
    """Return True if a text around a quoted answer says that something is wrong with it."""
    return _REPAIR.search(text) is not None


def _key(exchange: Exchange) -> Hashable:
    task = last_user(exchange)
    said = tuple(normal_text(i.text) for i in exchange.request if i.role is Role.ASSISTANT)
    tools = tuple(sorted(map(str, exchange.tools)))
    return (normal_text(task.text) if task else "", said, tools, canonical(exchange.output_schema))


def _prompts(exchange: Exchange) -> list[str]:
    return [i.text for i in exchange.request if i.kind is ItemKind.TEXT and i.role in (Role.USER, Role.SYSTEM)]


def _errors(old: str, new: str) -> bool:
    """Return True if a new line names a place and what is wrong there."""
    known = {normal_text(line) for line in old.split("\n")}
    added = "\n".join(line for line in new.split("\n") if normal_text(line) not in known)
    return any(category_of_words(entry.message) for entry in line_entries(added))


LATEST = 32
"""Maximum number of exchanges to compare, since the words are not indexed."""
SAME_WORDS = 0.5
"""Minimum share of the task's words that the request must still contain."""
FEWEST_WORDS = 3
"""Minimum number of words of a task. Shorter tasks resemble others by chance."""
# "Your last response was invalid", "3 problems"; not "attempt" or "must", which new tasks contain, too.
_SPEAKS_OF_ERRORS = re.compile(
    r"\b(?:previous|last|prior|earlier|your) (?:answer|attempt|response|output|reply|try)|\brejected\b"
    r"|\b(?:errors?|mistakes?|problems?|issues?|invalid|not valid)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class _Known:
    """An earlier exchange. Its properties for comparison are computed once, when they are needed."""

    number: int
    exchange: Exchange

    @cached_property
    def kin(self) -> Hashable:
        return _kin(self.exchange)

    @cached_property
    def task(self) -> Counter[str]:
        task = last_user(self.exchange)
        return Counter(_words([task.text] if task else []))

    @cached_property
    def lines(self) -> frozenset[str]:
        return frozenset(normal_text(line) for item in self.exchange.request for line in item.text.split("\n"))

    @cached_property
    def document(self) -> Any:
        """The parsed answer, ignoring a fence or prose around it."""
        text = without_thinking(self.exchange.answer_text or "".join(c.text for c in self.exchange.calls[:1]))
        return parsed_or_none(text[text.find("{") : text.rfind("}") + 1])


@dataclass(frozen=True, slots=True)
class _Fit:
    number: int
    words: float
    places: int


class RewordedIndex:
    """The latest exchanges, for requests that no other evidence links."""

    def __init__(self) -> None:
        self._known: deque[_Known] = deque(maxlen=LATEST)

    def add(self, number: int, exchange: Exchange) -> None:
        """Index an exchange under `number`."""
        self._known.append(_Known(number, exchange))

    def find(self, exchange: Exchange, taken: Container[int]) -> list[int]:
        """Return the exchange that best fits a request that calls its answer wrong; several if they fit equally.

        `taken` are exchanges that another request already reacts to.
        """
        texts = [i.text for i in exchange.request if i.kind is ItemKind.TEXT and i.role in (Role.USER, Role.SYSTEM)]
        if not any(map(_SPEAKS_OF_ERRORS.search, texts)):
            return []
        now, kin = Counter(_words(texts)), _kin(exchange)
        open_ones = (k for k in self._known if k.number not in taken and k.kin == kin)
        fits = [fit for known in open_ones if (fit := _fit(known, exchange, texts, now)) is not None]
        if not fits:
            return []
        words = max(fit.words for fit in fits)
        places = max(fit.places for fit in fits if fit.words == words)
        # A fit with fewer common words but more agreeing places is ambiguous with the best.
        return [fit.number for fit in fits if fit.words == words or fit.places > places]


def _fit(known: _Known, exchange: Exchange, texts: list[str], now: Counter[str]) -> _Fit | None:
    total = known.task.total()
    if total < FEWEST_WORDS or not alike(known.exchange.answer_text, exchange.answer_text):
        return None
    share = (known.task & now).total() / total
    earlier = {normal_text(i.text) for i in known.exchange.request if i.role is Role.ASSISTANT}
    said = {normal_text(i.text) for i in exchange.request if i.role is Role.ASSISTANT}
    if share < SAME_WORDS or not said <= earlier:  # the model said something in between
        return None
    added = "\n".join(line for text in texts for line in text.split("\n") if normal_text(line) not in known.lines)
    if not _SPEAKS_OF_ERRORS.search(added):
        return None
    places = _agreeing(added, known.document)
    return _Fit(known.number, share, places) if places else None


def _agreeing(added: str, document: object) -> int:
    """Return how many errors fit the answer: it has the fields that they call wrong, or lacks those called missing."""
    if document is None:
        return sum(category_of_words(line) is ErrorCategory.UNREADABLE for line in added.split("\n"))
    found = set()
    for entry in line_entries(added):
        rule = category_of_code(entry.code) or category_of_words(entry.message)
        path = entry.path or ()
        there = reaches(document, path)
        missing = not there and reaches(document, path[:-1])
        if rule and path and (missing if rule is ErrorCategory.MISSING else there):
            found.add(path)
    return len(found)


def _kin(exchange: Exchange) -> Hashable:
    """Return what all requests of one app have in common, regardless of the task."""
    return (tuple(sorted(map(str, exchange.tools))), canonical(exchange.output_schema))


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word.casefold() for text in texts for word in _WORD.findall(text))
