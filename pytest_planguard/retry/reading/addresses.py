"""Where a text names places of an answer, in whatever spelling: `guests[1].age`, "age", `/guests/1/age`, `Guests.Age`.

A name is known by its words, so camel case, snake case, spaces and capitals make no difference, and a neighbour of
another script ends it ("age必须"). Names and positions that are joined by signs of a path are one address. What stands
in front of it that the answer does not have (`create.ticket.title`, `{base}.x`) belongs to another tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from .error_category import category_of_code
from .vocabulary import WORD

if TYPE_CHECKING:
    from .vocabulary import Vocabulary

Step = str | int

# Between the words of one name: "due date", "due_date", "dueDate".
_WITHIN = re.compile(r"[ _-]?")
# Between two steps: "tasks[0].id", "/tasks/0/id", "tasks -> 0", "['tasks'][0]", "tasks::id", '{"tasks": {"0": {"id"'.
_JOIN = re.compile(r"[\"']\s?:\s?\{\s?[\"']|[\"'`\])}]{0,3}(?:\s?(?:->|→|›|»|::|\s>)\s?|[./\\#]\[?|\[)[\"'`(\[{]{0,3}")
# Between the steps of a printed list, where a bracket stands in front of the first: "('tasks', 0, 'id')".
_LISTED = re.compile(r"[\"'`]?,\s?[\"'`]?")
_OPENS_LIST = re.compile(r"[(\[]\s?[\"'`]?\Z")
_GOES_ON = re.compile(r"\s?>\s")
# A Latin letter, a digit or an underscore beside a name makes it part of a longer one: "age" in "page_age".
_PART = re.compile(r"[A-Za-zÀ-ÿ0-9_$]")
# Around a position, where the name of its list stands in front: "guests_0_age", "guests-0-age", "guests(0).age".
_INDEXED = re.compile(r"__?|[-:(]|\)[.:]?")
_BEFORE_INDEX, _BEHIND_INDEX = re.compile(r"__?\d"), re.compile(r"\d__?\Z")
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
    start: int
    end: int
    foreign: tuple[str, ...] = ()
    """Joined steps in front of it that the answer does not have."""
    beyond: str | None = None
    """A step joined behind it that the answer does not have: then it speaks of another place."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The steps without positions."""
        return _keys(self.steps)

    def counted_from(self, first: int) -> Address:
        """Return the address with positions from 0, in a text that calls the first item `first`."""
        return replace(self, steps=tuple(step - first if isinstance(step, int) else step for step in self.steps))


@lru_cache(maxsize=1024)  # every finding asks about every place of a text
def _keys(steps: tuple[Step, ...]) -> tuple[str, ...]:
    return tuple(step for step in steps if isinstance(step, str))


@dataclass(frozen=True, slots=True)
class _Found:
    """A name, a number or any other word."""

    step: Step | None
    word: str
    start: int
    end: int


def addresses(text: str, names: Vocabulary) -> Iterator[Address]:
    """Yield every place that the text names, in its order."""
    text = text[:_READ_LIMIT]
    chain: list[_Found] = []
    for one in _steps(text, names):
        if chain and (len(chain) == _MOST_STEPS or not _joined(text, chain, one, names)):
            yield from _address(chain)
            chain = []
        chain.append(one)
    yield from _address(chain)


def _address(chain: Sequence[_Found]) -> Iterator[Address]:
    known = [at for at, one in enumerate(chain) if isinstance(one.step, str)]
    if not known:
        return
    first = known[0]
    steps, last, beyond = [chain[first].step], chain[first], None
    for one in chain[first + 1 :]:
        if one.step is None:
            beyond = None if category_of_code(one.word) else one.word
            break
        steps.append(one.step)
        last = one
    foreign = tuple(one.word for one in chain[:first])
    kept = tuple(step for step in steps if step is not None)
    yield Address(kept, chain[first].start, last.end, foreign, beyond)


def _joined(text: str, chain: Sequence[_Found], one: _Found, names: Vocabulary) -> bool:
    between = text[chain[-1].end : one.start]
    listed = _LISTED.fullmatch(between) and _OPENS_LIST.search(text, max(chain[0].start - 3, 0), chain[0].start)
    last = chain[-1].step
    if _INDEXED.fullmatch(between) and any(found.step in names.lists for found in chain[-2:]):
        return isinstance(last, int) != isinstance(one.step, int)
    if not listed and not _JOIN.fullmatch(between):
        return False
    if isinstance(one.step, int) and ">" in between and "-" not in between:  # "steps > 5" compares, "steps > 5 > id"
        return last in names.lists and _GOES_ON.match(text, one.end) is not None
    if isinstance(one.step, int) and isinstance(last, str):
        return last in names.lists or "[" in between
    return one.step is not None or "." in between or "/" in between


def _steps(text: str, names: Vocabulary) -> Iterator[_Found]:
    """Yield the names, numbers and other words of a text, the longest name first: "due date" before "date".

    Only the words that the longest name may have are kept at a time.
    """
    coming, firsts = WORD.finditer(text), {name[0] for name in names.names}
    words = list(islice(coming, max(min(names.longest, _MOST_WORDS), 1)))
    plain = [word[0].lower() for word in words]
    while words:
        size = _name_at(text, words, plain, names) if plain[0] in firsts else 0
        taken = max(size, 1)
        start, end = words[0].start(), words[taken - 1].end()
        key = names.names[tuple(plain[:size])] if size else None
        number = int(plain[0]) if not size and plain[0].isdecimal() and len(plain[0]) < 10 else None
        yield _Found(key if size else number, text[start:end], start, end)
        del words[:taken], plain[:taken]
        for word in islice(coming, taken):
            words.append(word)
            plain.append(word[0].lower())


def _name_at(text: str, words: Sequence[re.Match[str]], plain: Sequence[str], names: Vocabulary) -> int:
    """Return of how many of the words the longest name is that begins with the first and stands alone; 0 for none."""
    start = words[0].start()
    if start and _PART.match(text, start - 1) and not _BEHIND_INDEX.search(text, max(start - 4, 0), start):
        return 0
    for size in range(len(words), 0, -1):
        end = words[size - 1].end()
        part = _PART.match(text, end) and not _BEFORE_INDEX.match(text, end)
        if tuple(plain[:size]) not in names.names or part:
            continue
        gaps = pairwise(words[:size])
        if all(_WITHIN.fullmatch(text, a.end(), b.start()) for a, b in gaps):
            return size
    return 0
