"""Around the body of a marked test: it is judged when it is done, and run again where that is asked for."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from ..case import CASE
from ..options import settings_of
from ..recording.null_recording import EmptyTape
from ..recording.recording_limits import limits_of
from .lifecycle import judge_after

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    import pytest

    from ..case import Case


def around(item: pytest.Item) -> AbstractContextManager[None]:
    """The context of a test's own run. Thousands of tests that only check answers get by with the judgement."""
    case = item.stash.get(CASE, None)
    body = judge_after(item) if _runs_once(item, case) else _repeated(item)
    return body if case is None or case.late is None else case.late.behind(body)


def _runs_once(item: pytest.Item, case: Case | None) -> bool:
    """Whether there is nothing to run again: no recording, and no further samples of it."""
    if case is None or not isinstance(case.tape, EmptyTape):
        return False
    return (limits_of(item.config).samples or case.spec.samples or 1) == 1


@contextmanager
def _repeated(item: pytest.Item) -> Iterator[None]:
    from ..recording.rerecord import recorded_anew
    from .samples import sampled

    __tracebackhide__ = True
    with sampled(item), judge_after(item), _proved(item), recorded_anew(item):
        yield


def _proved(item: pytest.Item) -> AbstractContextManager[None]:
    if not settings_of(item.config).prove:
        return nullcontext()
    from .proving import proved

    return proved(item)
