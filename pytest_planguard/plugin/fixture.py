"""Behind the fixture `planguard`: the recording of a test opens before its body and is closed after it."""

from __future__ import annotations

import pytest

from .case import CASE, new_case
from .early import refusal_of
from .guard import Planguard
from .marker import REFUSED, SPEC
from .open_tape import open_tape


def opened(item: pytest.Item) -> Planguard:
    """The guard of a marked test, with its recording open. Whoever asks again gets the same one."""
    if CASE in item.stash:
        return Planguard(item.stash[CASE])
    _check_ready(item)
    case = new_case(item)
    case.tape = open_tape(case)
    return Planguard(case)


def _check_ready(item: pytest.Item) -> None:
    """Raises pytest.UsageError for a test that cannot run, CalledTooEarly where a fixture of it was refused."""
    if REFUSED in item.stash:
        raise pytest.UsageError(item.stash[REFUSED])
    refused = refusal_of(item)
    if refused is not None:
        from .early_fixtures import CalledTooEarly

        raise CalledTooEarly(refused)
    if SPEC not in item.stash:
        raise pytest.UsageError(
            f"{item.nodeid}: the fixture planguard needs a contract: "
            "mark the test with @pytest.mark.planguard(CONTRACT)"
        )


def opened_first(item: pytest.Item) -> Planguard:
    """`opened`, where other fixtures may be set up after it: they are torn down when its recording is closed."""
    guard = opened(item)
    case = item.stash[CASE]
    if case.settings.block_network:
        from .late_fixtures import LateFixtures

        case.late = LateFixtures(case)
    return guard


def close(item: pytest.Item) -> None:
    """Every later fixture is torn down. Close a recording that is still open: the test's body was never reached.

    Raises CalledTooLate where one of those fixtures asked a model.
    """
    __tracebackhide__ = True
    case = item.stash.get(CASE, None)
    if case is not None and case.tape is not None:
        case.tape.close()
    if case is not None and case.late is not None:
        case.late.end()
