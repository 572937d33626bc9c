"""Run the body of a marked test, and judge it when it is done.

On top of `fixtures`, `outcome` and `recording`, none of which knows the order in which their contexts nest.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from .fixtures.fixture import TEARDOWN_GUARD
from .outcome.lifecycle import judge_after
from .outcome.samples import sampled
from .recording.rerecord import rerecord_if_outgrown

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


@contextmanager
def around(item: pytest.Item) -> Iterator[None]:
    """Wrap the body of a marked test: judge it when it is done."""
    __tracebackhide__ = True
    guard = item.stash.get(TEARDOWN_GUARD, None)
    teardown = nullcontext() if guard is None else guard.after_body()
    with teardown, sampled(item), judge_after(item), rerecord_if_outgrown(item):
        yield
