"""What happens to marked tests while pytest collects: their markers are read, their fixture is inserted."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from .marker.identity import case_key, recording_path
from .marker.marker import REFUSED, SPEC, Spec, read_marker
from .options import RECORDING, settings_of
from .recording.recording_limits import limits_of
from .results.package_versions import Telling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FIXTURE = "planguard"


def attach(item: pytest.Item, marks: Sequence[pytest.Mark]) -> None:
    """Read the markers of a test, the nearest first, and make sure that its recording opens before its body runs.

    Raises:
        pytest.UsageError: the marker cannot work, or it stands on something that runs no fixtures.
    """
    names = getattr(item, "fixturenames", None)
    if names is None:
        raise pytest.UsageError(
            f"{item.nodeid}: @pytest.mark.planguard works on test functions and methods; "
            f"a {type(item).__name__} has no fixtures"
        )
    try:
        item.stash[SPEC] = read_marker(item, marks)
        limits_of(item.config)  # a wrong limit ends the run before any test
    except pytest.UsageError as error:
        _refuse(item, str(error))
    if FIXTURE not in names:
        names.insert(_position(item, names), FIXTURE)


def _refuse(item: pytest.Item, text: str) -> None:
    """End the run; in a worker, where that would only look like a crash, the test itself fails with the text."""
    if not hasattr(item.config, "workerinput"):
        raise pytest.UsageError(text) from None
    item.stash[REFUSED] = text


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
    """With all tests known: refuse what cannot work, and find recordings that nobody uses."""
    specs = {item: item.stash[SPEC] for item in session.items if SPEC in item.stash}
    recording = settings_of(session.config).record in RECORDING
    if not recording:
        from .recording.orphans import find_orphans

        find_orphans(session, specs)
    if not hasattr(session.config, "workerinput"):
        return
    session.config.pluginmanager.register(Telling(), "planguard-telling")
    if recording:
        _refuse_shared(specs)


def _refuse_shared(specs: dict[pytest.Item, Spec]) -> None:
    """Two workers would write the same file at once."""
    users: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item, spec in specs.items():
        users[recording_path(item, spec, case_key(item, spec))].append(item)
    for path, items in users.items():
        tests = ", ".join(sorted(item.nodeid for item in items)[:4])
        for item in items if len(items) > 1 else ():
            _refuse(
                item,
                f"{path.name} is the recording of {len(items)} tests ({tests}), and two workers may not record "
                "into one file. Give each test a recording of its own, or record without -n.",
            )
