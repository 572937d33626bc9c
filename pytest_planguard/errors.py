"""Errors that planguard raises. Each message names the fault, its place, and the next step.

None of them is about a bad model answer: that is a `Verdict` with findings, never an exception. Only the test-facing
functions turn a verdict or a convergence into a failing test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Printable(Exception):
    """An error whose text is safe to print on a terminal, since it may quote a file."""

    def __str__(self) -> str:
        from .printable import visible

        return visible(super().__str__())


class PlanguardError(_Printable):
    """Base of every error that planguard raises on purpose."""


class UsageError(PlanguardError, ValueError):
    """A use of planguard that cannot work: an unknown constraint, a marker without a contract."""


class PlanguardWarning(_Printable, UserWarning):
    """A use of planguard that works, but probably not as intended. Issued once, at the line of the user's code."""


class CassetteError(PlanguardError):
    """A cassette cannot be read or written. The message names the file and the remedy."""


class NoRecordedAnswer(PlanguardError):  # not a CassetteError: the cassette itself is sound
    """A cassette has no answer to a request."""


class RunError(PlanguardError):
    """A run or a baseline cannot be read or written. The message names the file and the remedy."""


class SetupFailed(PlanguardError):  # named after the event
    """The setup of a test failed, and was undone. The message names the cause and the remedy."""


class TransientError(PlanguardError):
    """A transport failure (429, 5xx, timeout) that sending the same request again may cure."""


class ContractFailed(PlanguardError, AssertionError):
    """An answer breaks its contract, or a conversation does not converge. `str()` is the report for a person."""


# The nearest of several names, and the end of a message about an unknown one: "Did you mean 'gated'?".


_CUTOFF = 0.6
"""Similarity from 0 to 1 below which a suggestion confuses more than it helps: difflib's default."""
_LONGEST = 200
"""Longest text that may be a name; comparing takes quadratic time."""


def nearest(name: str, options: Iterable[str]) -> str | None:
    """Return the option most similar to `name`, ignoring case; None if none is close. The first of equal ones wins."""
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
    """Return the end of "unknown mode 'gate'": ". Did you mean 'gated'? Known: gated, strict"; "" without any names."""
    names = ", ".join(known)
    parts = [*([f"Did you mean {near!r}?"] if near else []), *([f"{listed}: {names}"] if names else [])]
    return f". {' '.join(parts)}" if parts else ""
