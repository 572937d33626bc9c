"""Record mode "stale": a test whose recording is outgrown half-way runs a second time, live and from its start.

A conversation is recorded whole or not at all, and whether a recording still fits shows only while it is replayed. So
the first run finds out, and the second one records. Fixtures are not set up again between the two.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from .case import CASE
from .open_tape import open_tape
from .tape import ENDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from .case import Case


@contextmanager
def recorded_anew(item: pytest.Item) -> Iterator[None]:
    """Around a test's body: where its replay shows that the recording is outgrown, record by running the body again.

    What the first run raised is forgotten then: it came from answers that no longer fit.
    """
    try:
        yield
    except ENDED:
        if not _outgrown(item):
            raise
    else:
        if not _outgrown(item):
            return
    _start_over(item.stash[CASE])
    if getattr(item, "_excinfo", None):  # where a unittest case keeps the failures of its first run
        item._excinfo = None  # type: ignore[attr-defined]  # noqa: SLF001
    item.runtest()


def _outgrown(item: pytest.Item) -> bool:
    case = item.stash.get(CASE, None)
    return case is not None and case.tape is not None and case.tape.outgrown


def _start_over(case: Case) -> None:
    if case.tape is not None:
        case.tape.close()
    case.checked.clear()
    case.driven.clear()
    case.expected.clear()
    case.tape = open_tape(case, "all")
