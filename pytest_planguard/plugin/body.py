"""Around the body of a marked test: it is judged when it is done, and run again where that is asked for."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from .case import CASE
from .fixtures.fixture import TEARDOWN_GUARD
from .options import settings_of
from .outcome.lifecycle import judge_after
from .recording.recording_limits import limits_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    import pytest

    from .case import Case


def around(item: pytest.Item) -> AbstractContextManager[None]:
    """The context of a test's own run. Thousands of tests that only check answers get by with the judgement."""
    case = item.stash.get(CASE, None)
    body = judge_after(item) if _runs_once(item, case) else _repeated(item)
    guard = item.stash.get(TEARDOWN_GUARD, None)
    return body if guard is None else guard.after(body)


def _runs_once(item: pytest.Item, case: Case | None) -> bool:
    """Whether there is nothing to run again: no recording, and no further samples of it."""
    if case is None or case.recording.uses_file:
        return False
    return (limits_of(item.config).samples or case.spec.samples or 1) == 1


@contextmanager
def _repeated(item: pytest.Item) -> Iterator[None]:
    from .outcome.samples import sampled
    from .recording.rerecord import rerecord_if_outgrown

    __tracebackhide__ = True
    with sampled(item), judge_after(item), _proved(item), rerecord_if_outgrown(item):
        yield


def _proved(item: pytest.Item) -> AbstractContextManager[None]:
    if not settings_of(item.config).prove:
        return nullcontext()
    from .outcome.proving import proved

    return proved(item)
