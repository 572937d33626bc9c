"""The nearest of several names, and how a message about an unknown one goes on: "Did you mean 'gated'?"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_CUTOFF = 0.6
"""Similarity from 0 to 1 below which a suggestion confuses more than it helps: the default of difflib."""
_LONGEST = 200
"""Characters of a name beyond which it is no name; comparing costs the square of the length."""


def nearest(name: str, options: Iterable[str]) -> str | None:
    """The option most like `name`, upper and lower case alike; None where none is near. Equal ones: the first."""
    from difflib import get_close_matches

    if len(name) > _LONGEST:
        return None
    by_folded: dict[str, str] = {}
    for option in options:
        if len(option) <= _LONGEST:
            by_folded.setdefault(option.casefold(), option)
    found = get_close_matches(name.casefold(), by_folded, n=1, cutoff=_CUTOFF)
    return by_folded[found[0]] if found else None


def offer(near: str | None, known: Iterable[str] = (), *, listed: str = "Known") -> str:
    """What follows on "unknown mode 'gate'": ". Did you mean 'gated'? Known: gated, strict"; "" where nothing does."""
    names = ", ".join(known)
    parts = [*([f"Did you mean {near!r}?"] if near else []), *([f"{listed}: {names}"] if names else [])]
    return f". {' '.join(parts)}" if parts else ""
