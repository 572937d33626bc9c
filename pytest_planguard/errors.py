"""Errors that planguard raises. Each message names the fault, its place, and the next step.

A bad model answer is not an error: it produces a `Verdict` with findings. Only functions called in tests turn a verdict
or a convergence into a failing test.
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
    """Base class of all errors that planguard raises.

    One that is no other public error says that a file, such as a cassette or a run, cannot be read or written.
    """


class UsageError(PlanguardError, ValueError):
    """planguard was used incorrectly, for example with an unknown constraint or a marker without a contract."""


class PlanguardWarning(_Printable, UserWarning):
    """planguard was used in a way that works, but probably not as intended.

    Issued once, for the line in the user's code.
    """


class CassetteError(PlanguardError):
    """A cassette cannot be read or written. The message names the file and the remedy."""


class NoRecordedAnswer(PlanguardError):  # not a CassetteError: the cassette itself is sound
    """A cassette has no answer to a request."""


class RunError(PlanguardError):
    """A run or a baseline cannot be read or written. The message names the file and the remedy."""


class SetupFailed(PlanguardError):  # named after the event
    """The setup of a test failed and was rolled back. The message names the cause and the remedy."""


class ContractFailed(PlanguardError, AssertionError):
    """An answer breaks its contract, or a conversation does not converge. `str()` returns a readable report."""


# Suggestions for misspelt names: "Did you mean 'gated'?".


_CUTOFF = 0.6
"""Minimum similarity (0 to 1) for a suggestion; difflib's default. A less similar name would only confuse."""
_LONGEST = 200
"""Longer texts are not compared, because comparing takes quadratic time."""


def nearest(name: str, options: Iterable[str]) -> str | None:
    """Return the option most similar to `name`, ignoring case; None if none is close.

    The first of equally similar ones wins.
    """
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
