"""Finds the task whose prompt a request repeats with errors put into the system text or a turn of their own."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from ..wire.exchange import ItemKind, Role
from .answer_index import SAME_ANSWERS
from .prompts import inserted
from .rules import rule_of_words
from .sameness import canonical, last_user, normal_text
from .wordings.lines import line_entries

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from ..wire.exchange import Exchange

_ABOUT_AN_ANSWER = re.compile(
    r"\b(?:previous|last|prior|earlier|your) (?:answer|attempt|response|output|reply|try)|\bvalidation (?:error|fail)"
    r"|\brejected\b",
    re.IGNORECASE,
)
_REPAIR = re.compile(
    r"\b(?:errors?|invalid|reject\w*|fail\w*|incorrect|wrong|correct\w*|fix\w*|repair\w*|malformed|valid(?:ate|ation)?)\b",
    re.IGNORECASE,
)


class InstructionIndex:
    """The first prompts of tasks by their last user text, whatever the system text says."""

    def __init__(self) -> None:
        self._found: dict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._prompts: dict[int, str] = {}

    def add(self, number: int, exchange: Exchange) -> None:
        """Make the prompt of the request findable under `number`."""
        self._found[_key(exchange)].append(number)
        self._prompts[number] = _prompt(exchange)

    def extended(self, exchange: Exchange) -> Iterator[int]:
        """The numbers of the tasks whose prompt the request repeats with words about a bad answer put in at one place.

        Other system texts for one task are other experiments, so the words must name errors or an earlier answer.
        """
        known = self._found.get(_key(exchange))
        now = _prompt(exchange) if known else ""
        for number in known or ():
            put_in = inserted(normal_text(self._prompts[number]), normal_text(now))
            if put_in and (_ABOUT_AN_ANSWER.search(put_in) or _errors(self._prompts[number], now)):
                yield number


def asks_for_repair(text: str) -> bool:
    """Whether a text around a quoted answer says that something is wrong with it."""
    return _REPAIR.search(text) is not None


def _key(exchange: Exchange) -> Hashable:
    task = last_user(exchange)
    said = tuple(normal_text(i.text) for i in exchange.request if i.role is Role.ASSISTANT)
    tools = tuple(sorted(map(str, exchange.tools)))
    return (normal_text(task.text) if task else "", said, tools, canonical(exchange.output_schema))


def _prompt(exchange: Exchange) -> str:
    texts = (i for i in exchange.request if i.kind is ItemKind.TEXT and i.role in (Role.USER, Role.SYSTEM))
    return "\n".join(i.text for i in texts)


def _errors(old: str, new: str) -> bool:
    """Whether a new line is a place and what is wrong there."""
    known = {normal_text(line) for line in old.split("\n")}
    added = "\n".join(line for line in new.split("\n") if normal_text(line) not in known)
    return any(rule_of_words(entry.message) for entry in line_entries(added))
