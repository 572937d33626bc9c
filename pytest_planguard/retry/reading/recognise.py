"""Reads feedback: turns any text into the errors it names. Users add their own wordings with `register_wording`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from ...registry import Registry
from .entry import ErrorEntry
from .wordings.fixed_texts import sentence_entries, validator_entries
from .wordings.lines import line_entries
from .wordings.own import own_entries
from .wordings.structures import structure_entries

READ_LIMIT = 400_000
"""Characters of one text that are read; the largest real feedback had 201,850."""
_MOST = 2_000
"""Errors of one wording that are read out of a text: twice as many as are matched with findings."""

Recogniser = Callable[[str], Iterable[ErrorEntry]]
"""A pure function from a text to the errors it names; it must never raise and take linear time."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One way of wording errors."""

    name: str
    read: Recogniser
    framework: bool = False
    """Whether the wording belongs to a framework; such are skipped with `known_wordings=False`."""


_BUILT_IN = (
    Wording("own styles", own_entries),
    Wording("validators", validator_entries),
    Wording("structures", structure_entries),
    Wording("lines", line_entries),
    Wording("framework sentences", sentence_entries, framework=True),
)
WORDINGS = Registry("wording", {wording.name: wording for wording in _BUILT_IN})


def register_wording(name: str, read: Recogniser, *, framework: bool = False) -> None:
    """Add a way of wording errors for the whole process.

    Args:
        name: a name of its own.
        read: see `Recogniser`.
        framework: whether `known_wordings=False` skips it.

    Raises:
        UsageError: another wording of that name exists.
    """
    WORDINGS.register(name, Wording(name, read, framework))


def wordings(*, known_wordings: bool = True) -> tuple[Wording, ...]:
    """The registered wordings, in order; without those of frameworks where `known_wordings` is off."""
    return tuple(w for w in WORDINGS if known_wordings or not w.framework)


def recognise(text: str, *, known_wordings: bool = True) -> tuple[ErrorEntry, ...]:
    """Every error that the text names, each once, in the order of the text."""
    readers = wordings(known_wordings=known_wordings)
    entries = dict.fromkeys(entry for one in readers for entry in islice(one.read(text[:READ_LIMIT]), _MOST))
    return tuple(sorted(entries, key=lambda entry: (entry.start, entry.end)))
