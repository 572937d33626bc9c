"""Finds the task whose prompt a request repeats with words added: errors injected without a turn of their own."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from .answer_index import SAME_ANSWERS
from .sameness import last_user, normal_text, task_key

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

    def add(self, number: int, exchange: Exchange) -> None:
        """Make the last user text of the request findable under `number`."""
        item = last_user(exchange)
        text = normal_text(item.text) if item else ""
        if not item or not text:
            return
        key, half = task_key(exchange), (len(text) + 1) // 2
        self._raw[number] = item.text
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
        yield from (n for n in sorted(seen) if is_rewritten(self._raw[n], item.text))


def is_rewritten(old: str, new: str) -> bool:
    """Whether `new` is `old` with words put in at one place that read like a correction.

    A task whose text merely begins like another's ("clean up", "clean up the attic") is not: what was put in must
    stand on lines of its own or speak of errors.
    """
    before, now = normal_text(old), normal_text(new)
    if not before or len(now) <= len(before):
        return False
    start = _shared(before, now)
    end = _shared(before[::-1], now[::-1])
    if start + end < len(before):
        return False
    lines = {normal_text(line) for line in new.splitlines()}
    whole = all(normal_text(line) in lines for line in old.splitlines())
    return whole or bool(
        _ABOUT_ERRORS.search(now[min(start, len(before) - 1) : len(now) - min(end, len(before) - start)])
    )


def _shared(one: str, other: str) -> int:
    """The length of the common beginning, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
