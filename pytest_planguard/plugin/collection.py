"""What happens to marked tests while pytest collects: their markers are read, their fixture is inserted."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from .identity import case_key, recording_path
from .marker import MARKER, Spec, read_marker
from .options import settings_of

if TYPE_CHECKING:
    from pathlib import Path

SPEC: pytest.StashKey[Spec] = pytest.StashKey()
FIXTURE = "planguard"


def attach(item: pytest.Item) -> None:
    """Read the marker of a test and make sure that its recording opens before its body runs.

    Raises:
        pytest.UsageError: the marker cannot work, or it stands on something that runs no fixtures.
    """
    item.stash[SPEC] = read_marker(item)
    names = getattr(item, "fixturenames", None)
    if names is None:
        raise pytest.UsageError(
            f"{item.nodeid}: @pytest.mark.planguard works on test functions and methods; "
            f"a {type(item).__name__} has no fixtures"
        )
    if FIXTURE not in names:
        names.insert(_position(item, names), FIXTURE)


def _position(item: pytest.Item, names: list[str]) -> int:
    """Before the first fixture that the test itself asks for in function scope, after all autouse ones.

    A request that a user's fixture makes then belongs to the recording; fixtures of wider scope, which serve other
    tests too, do not; and an autouse cassette of another plugin stays outside ours, where it cannot take requests away.
    """
    info: Any = getattr(item, "_fixtureinfo", None)
    wanted = set(getattr(info, "argnames", ()))
    definitions: Any = getattr(info, "name2fixturedefs", {})
    for position, name in enumerate(names):
        found = definitions.get(name)
        if name in wanted and found and found[-1].scope == "function":
            return position
    return len(names)


def verify(session: pytest.Session) -> None:
    """Refuse to record where two tests would write the same file at once, as they may under xdist.

    Raises:
        pytest.UsageError: naming the recording and the tests.
    """
    config = session.config
    if settings_of(config).record == "none" or not hasattr(config, "workerinput"):
        return
    users: dict[Path, list[str]] = defaultdict(list)
    for item in session.items:
        if item.get_closest_marker(MARKER) is not None and SPEC in item.stash:
            users[recording_path(item, item.stash[SPEC], case_key(item, item.stash[SPEC]))].append(item.nodeid)
    for path, tests in users.items():
        if len(tests) > 1:
            raise pytest.UsageError(
                f"{path.name} is the recording of {len(tests)} tests ({', '.join(sorted(tests)[:4])}), and two workers "
                "may not record into one file. Give each test a recording of its own, or record without -n."
            )
