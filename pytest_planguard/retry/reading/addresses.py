"""Where a text names places of an answer, in whatever spelling: `guests[1].age`, "age", `/guests/1/age`, `Guests.Age`.

A name is known by its words, so camel case, snake case, spaces and capitals make no difference, and a neighbour of
another script ends it ("age必须"). Names and positions that are joined by signs of a path are one address. What stands
in front of it that the answer does not have (`create.ticket.title`, `{base}.x`) belongs to another tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from .error_category import category_of_code
from .vocabulary import WORD

if TYPE_CHECKING:
    from .vocabulary import Vocabulary

Step = str | int

# A name, whatever joins its words: "due date", "due_date", "dueDate".
_NAME = re.compile(r"[^\W_]+(?:[ _-]?[^\W_]+)*")
# Between two steps: "tasks[0].id", "/tasks/0/id", "tasks -> 0", "['tasks'][0]", "tasks::id", '{"tasks": {"0": {"id"'.
_JOIN = re.compile(r"[\"']\s?:\s?\{\s?[\"']|[\"'`\])}]{0,3}(?:\s?(?:[→›»]|->|::|\s>)\s?|[./\\#]\[?|\[)[\"'`(\[{]{0,3}")
# Between the steps of a printed list, where a bracket is in front of the first: "('tasks', 0, 'id')".
_LISTED = re.compile(r"[\"'`]?,\s?[\"'`]?")
_OPENS_LIST = re.compile(r"[(\[]\s?[\"'`]?\Z")
# Around a position, where the name of its list is in front: "guests_0_age", "guests-0-age", "guests(0).age".
_INDEXED = re.compile(r"__?|[-:(]|\)[.:]?")
# A Latin letter, a digit or an underscore beside a name makes it part of a longer one, as "age" in "page_age"; but for
# the underscore between a name and a position.
_BEGINS = re.compile(r"(?<![A-Za-zÀ-ÿ0-9_$])|(?<=\d_)|(?<=\d__)")
_ENDS = re.compile(r"(?![A-Za-zÀ-ÿ0-9_$])|(?=__?\d)")
_READ_LIMIT = 100_000
_MOST_STEPS = 200
"""Joined steps that are one address: "[1, 1, 1, ...]" with thousands of them is data."""
_MOST_WORDS = 40
"""Words of a name that is looked for: a key of more is a text."""


@dataclass(frozen=True, slots=True)
class Address:
    """One place as a text names it."""

    steps: tuple[Step, ...]
    """Keys as the answer has them, and positions as written; the last is what the text speaks of."""
    keys: tuple[str, ...]
    """The steps without positions."""
    start: int
    end: int
    foreign: tuple[str, ...]
    """Joined steps in front of it that the answer does not have."""
    beyond: str | None
    """A step joined behind it that the answer does not have: then it speaks of another place."""

    def counted_from(self, first: int) -> Address:
        """Return the address with positions from 0, in a text that calls the first item `first`."""
        return replace(self, steps=tuple(step - first if isinstance(step, int) else step for step in self.steps))


@dataclass(frozen=True, slots=True)
class _Word:
    """A name, a number or any other word."""

    step: Step | None
    text: str
    start: int
    end: int


def addresses(text: str, names: Vocabulary) -> Iterator[Address]:
    """Yield every place that the text names, in its order."""
    text = text[:_READ_LIMIT]
    chain: list[_Word] = []
    for word in _words(text, names):
        if chain and (len(chain) == _MOST_STEPS or not _is_joined(text, chain, word, names)):
            yield from _address(chain)
            chain = []
        chain.append(word)
    yield from _address(chain)


def _address(chain: Sequence[_Word]) -> Iterator[Address]:
    """Yield the address that joined words are: steps before its first name belong to another tool."""
    foreign = [*takewhile(lambda word: not isinstance(word.step, str), chain)]
    own = [*takewhile(lambda word: word.step is not None, chain[len(foreign) :])]
    if own:
        behind = chain[len(foreign) + len(own) :][:1]
        beyond = next((word.text for word in behind if not category_of_code(word.text)), None)
        steps = tuple(word.step for word in own if word.step is not None)
        keys = tuple(step for step in steps if isinstance(step, str))
        yield Address(steps, keys, own[0].start, own[-1].end, tuple(word.text for word in foreign), beyond)


def _is_joined(text: str, chain: Sequence[_Word], word: _Word, names: Vocabulary) -> bool:
    """Return whether a word is the next step of a place."""
    last, is_position = chain[-1].step, isinstance(word.step, int)
    between = text[chain[-1].end : word.start]
    if _INDEXED.fullmatch(between) and any(one.step in names.lists for one in chain[-2:]):
        return isinstance(last, int) != is_position
    listed = _LISTED.fullmatch(between) and _OPENS_LIST.search(text, max(chain[0].start - 3, 0), chain[0].start)
    if not listed and not _JOIN.fullmatch(between):
        return False
    if is_position and ">" in between and "-" not in between:  # "steps > 5" compares
        return False
    if is_position and isinstance(last, str):
        return last in names.lists or "[" in between
    return word.step is not None or "." in between or "/" in between


def _words(text: str, names: Vocabulary) -> Iterator[_Word]:
    """Yield the names, numbers and other words of a text, the longest name first: "due date" before "date".

    Only as many words as the longest name has are kept at a time.
    """
    coming, firsts = WORD.finditer(text), {name[0] for name in names.names}
    words = list(islice(coming, min(names.longest, _MOST_WORDS)))
    while words:
        first, start, end, size = words[0][0].lower(), words[0].start(), words[0].end(), 1
        step: Step | None = int(first) if first.isdecimal() and len(first) < 10 else None
        for more in range(len(words), 0, -1) if first in firsts and _BEGINS.match(text, start) else ():
            key, behind = names.names.get(tuple(word[0].lower() for word in words[:more])), words[more - 1].end()
            if key is not None and _ENDS.match(text, behind) and _NAME.fullmatch(text, start, behind):
                step, size, end = key, more, behind
                break
        yield _Word(step, text[start:end], start, end)
        words = [*words[size:], *islice(coming, size)]
