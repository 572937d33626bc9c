"""Run the body of a marked test, and judge it when it is done.

On top of `fixtures`, `outcome` and `cassette`, none of which knows the order in which their steps nest. Each step is
a generator that yields once, where the body runs, and takes the step inside it as a generator. Every marked test goes
through them, and a context manager for each would cost five times as much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .case import CASE
from .outcome.lifecycle import judged
from .recording.recording_limits import samples_of

if TYPE_CHECKING:
    from collections.abc import Generator

    import pytest

    from .case import Case


def around(item: pytest.Item) -> Generator[None, object, object]:
    """Wrap the body of a marked test: judge it when it is done."""
    __tracebackhide__ = True
    case = item.stash.get(CASE, None)
    if case is None:  # the set-up of a test that another plugin runs by itself
        return (yield)
    if case.recording.uses_file:
        from .rerun.before import note_body

        note_body(item)
    try:
        return (yield from _judged(item, case))
    finally:
        if case.teardown_guard is not None and not case.torn_down:
            # As the first step of the teardown. Now it would stand in front of what other plugins still take away, such
            # as the block of pytest-socket, which they would no longer know as theirs and leave to all later tests.
            item.addfinalizer(case.teardown_guard.begin)


def _judged(item: pytest.Item, case: Case) -> Generator[None, object, object]:
    """Wrap the body in what this test needs. Most have no cassette: nothing of them is recorded or sampled again."""
    if not case.recording.uses_file:
        body = judged(item, case)
    else:
        from .recording.rerecord import rerecorded_if_outgrown

        body = judged(item, case, rerecorded_if_outgrown(item, case))
    if samples_of(case) == 1:
        return body
    from .outcome.samples import sampled

    return sampled(item, case, body)
