"""What is said about a plan rule or a plan format that there is none of."""

from __future__ import annotations

from collections.abc import Iterable

from ...contract.phrasing import nearest
from ...errors import UsageError, offer


def unknown_rule(code: str, known: Iterable[str]) -> UsageError:
    """Return the nearest code, or where to find all of them: there are too many for a message."""
    rest = offer(nearest(code, known)) or ". `planguard check --list-rules` lists all of them"
    return UsageError(f"unknown plan rule {code!r}{rest}")


def unknown_format(name: str, known: Iterable[str]) -> UsageError:
    """Return the nearest format or family of formats, and all of them."""
    names = sorted(known)
    return UsageError(f"unknown plan format {name!r}{offer(nearest(name, names), names)}")
