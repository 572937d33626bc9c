"""Errors that planguard raises. Each message says what was seen, where, and what to do next.

None of them describes a bad model answer: a bad answer is a `Verdict` with findings, never an exception.
Only the front doors turn a verdict or a convergence into a failing test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Printable(Exception):
    """An error whose text is no order to a terminal, whoever prints it: it may have words of a file."""

    def __str__(self) -> str:
        from .printable import visible

        return visible(super().__str__())


class PlanguardError(_Printable):
    """Base of every error that planguard raises on purpose."""


class UsageError(PlanguardError, ValueError):
    """A use of planguard that cannot work: an unknown constraint, a marker without a contract."""


class PlanguardWarning(_Printable, UserWarning):
    """A use of planguard that works, but likely not as meant. Given once, where the user's code stands."""


class CassetteError(PlanguardError):
    """A cassette cannot be read or written. The message names the file and the way out."""


class NoRecordedAnswer(PlanguardError):  # not a CassetteError: the cassette itself is sound
    """A cassette has no answer to a request."""


class RunError(PlanguardError):
    """A run or a baseline cannot be read or written. The message names the file and the way out."""


class SetupFailed(PlanguardError):  # named for what happened
    """What a test needs could not be put in place. Nothing of it stays; the message names the cause and the way out."""


class TransientError(PlanguardError):
    """A transport failure (429, 5xx, timeout) that sending the same request again may cure."""


class ContractFailed(PlanguardError, AssertionError):
    """An answer does not keep its contract, or a conversation does not converge. `str()` is the report for a person."""


# The nearest of several names, and how a message about an unknown one goes on: "Did you mean 'gated'?".


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
