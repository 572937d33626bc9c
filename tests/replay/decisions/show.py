"""What comes of work that may be refused."""

from __future__ import annotations

from collections.abc import Callable

from pytest_planguard import PlanguardError

from ...support.decisions import Messages


def refused(page: Messages, work: Callable[[], object], *filled: object) -> str:
    """Return what comes of the work; where it is refused, its words go on the page."""
    try:
        return str(work())
    except PlanguardError as error:
        page.add("refused", str(error), *filled)
        return type(error).__name__
