"""Reads feedback: turns any text into the errors it names. Users add their own wordings with `register_wording`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from ...registry.table import Registry
from .entry import ErrorEntry
from .wordings.error_lists import list_entries
from .wordings.error_maps import map_entries
from .wordings.frameworks import sentence_entries, typechat_entries
from .wordings.grouped_errors import outline_entries
from .wordings.line_variants import below_entries, placed_entries, tag_entries
from .wordings.lines import line_entries
from .wordings.own import own_entries
from .wordings.validators import json_schema_entries, property_entries, pydantic_entries

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
    Wording("pydantic text", pydantic_entries),
    Wording("error list", list_entries),
    Wording("error map", map_entries),
    Wording("json schema text", json_schema_entries),
    Wording("lines", line_entries),
    Wording("outline", outline_entries),
    Wording("place below", below_entries),
    Wording("placed text", placed_entries),
    Wording("tags", tag_entries),
    Wording("properties", property_entries),
    Wording("framework sentences", sentence_entries, framework=True),
    Wording("typechat", typechat_entries, framework=True),
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
    found = dict.fromkeys(_all(text[:READ_LIMIT], known_wordings))
    return tuple(sorted(found, key=lambda e: (e.start, e.end)))


def _all(text: str, known_wordings: bool) -> Iterator[ErrorEntry]:
    for wording in wordings(known_wordings=known_wordings):
        yield from islice(wording.read(text), _MOST)
