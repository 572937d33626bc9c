"""Behind the fixture `planguard`: the recording of a test opens before its body and is closed after it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from .case import new_case
from .collection import REFUSED, SPEC
from .early_fixtures import CalledTooEarly, refusal_of
from .guard import Planguard
from .open_tape import open_tape

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def opened(item: pytest.Item) -> Iterator[Planguard]:
    """The guard of a marked test, with its recording open."""
    if REFUSED in item.stash:
        raise pytest.UsageError(item.stash[REFUSED])
    refused = refusal_of(item)
    if refused is not None:
        raise CalledTooEarly(refused)
    if SPEC not in item.stash:
        raise pytest.UsageError(
            f"{item.nodeid}: the fixture planguard needs a contract: "
            "mark the test with @pytest.mark.planguard(CONTRACT)"
        )
    case = new_case(item)
    case.tape = open_tape(case)
    try:
        yield Planguard(case)
    finally:
        if case.tape is not None:  # open only where the test's body was never reached
            case.tape.close()
