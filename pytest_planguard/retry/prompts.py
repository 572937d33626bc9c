"""Finds the task whose prompt a request repeats with words added: errors injected without a turn of their own."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from .answer_index import SAME_ANSWERS
from .rules import rule_of_words
from .sameness import last_user, normal_text, task_key
from .wordings.lines import line_entries

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from ..wire.exchange import Exchange

_ABOUT_ERRORS = re.compile(
    r"\b(?:errors?|invalid|reject\w*|fail\w*|retry|attempt|previous|incorrect|wrong|correct\w*|feedback|problems?"
    r"|issues?|fix|missing|must)\b",
    re.IGNORECASE,
)


class PromptIndex:
    """The first prompts of tasks, found again by either half: what is added leaves one half where it was."""

    def __init__(self) -> None:
        self._halves: dict[Hashable, set[int]] = defaultdict(set)
        self._found: dict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._raw: dict[int, str] = {}
        self._normal: dict[int, str] = {}

    def add(self, number: int, exchange: Exchange) -> None:
        """Make the last user text of the request findable under `number`."""
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
        """The numbers of the tasks that the request repeats with words added, each once."""
        item = last_user(exchange)
        if item is None:
            return
        key, text = task_key(exchange), normal_text(item.text)
        seen: set[int] = set()
        for half in sorted(self._halves.get(key, ())):
            if half <= len(text):
                seen.update(self._found.get((key, half, "start", text[:half]), ()))
                seen.update(self._found.get((key, half, "end", text[-half:]), ()))
        longer = (n for n in sorted(seen) if len(self._normal[n]) < len(text))
        fitting = {
            n: len(self._normal[n])
            for n in longer
            if (put_in := inserted(self._normal[n], text)) is not None
            and (_ABOUT_ERRORS.search(put_in) or _has_errors(self._raw[n], item.text))
        }
        longest = max(fitting.values(), default=0)  # the prompt that leaves least unexplained
        yield from (n for n, length in fitting.items() if length == longest)


def inserted(before: str, now: str) -> str | None:
    """What was put into `before` at one place to make `now`; None where the two differ otherwise.

    That alone is no retry: a task whose text merely begins like another's ("clean up", "clean up the attic") is not
    one. What was put in must speak of errors, or name a place and what is wrong there.
    """
    start = _shared(before, now)
    end = min(_shared(before[::-1], now[::-1]), len(before) - start)
    return now[start : len(now) - end] if start + end >= len(before) else None


def _has_errors(old: str, new: str) -> bool:
    """Whether a new line names a rule, or is a path and a message in whatever language."""
    known = {normal_text(line) for line in old.splitlines()}
    added = [line for line in new.splitlines() if normal_text(line) not in known]
    named = any(rule_of_words(line) for line in added)
    return named or next(iter(line_entries("\n".join(added))), None) is not None


def _shared(one: str, other: str) -> int:
    """The length of the common beginning, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
