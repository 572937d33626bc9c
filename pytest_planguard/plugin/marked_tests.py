"""Marked tests, for pytest's hooks: their markers are read while pytest collects, and their bodies are run.

Each step around a body is a generator that yields once, where the body runs, and takes the step inside it as a
generator. Every marked test goes through them, and a context manager for each would cost five times as much.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import UsageError
from ..replay.endpoint import children
from ..replay.network import installed_guard
from .case import CASE
from .marker.cases import note_tags
from .marker.identity import case_key, cassette_path
from .marker.marker import REFUSED, SPEC, Spec, read_marker
from .options import RECORDING, settings_of
from .outcome.lifecycle import judged

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from .case import Case


FIXTURE = "planguard"


def attach(item: pytest.Item, marks: Sequence[pytest.Mark]) -> None:
    """Read the markers of a test, the nearest first, and make sure that its cassette opens before its body runs.

    A marker that cannot work is noted; it ends the run later.
    """
    names = getattr(item, "fixturenames", None)
    try:
        if names is None:
            raise UsageError(f"it works on test functions and methods; a {type(item).__name__} has no fixtures")
        item.stash[SPEC] = read_marker(item, marks)
    except UsageError as error:
        from .marker.wrong_markers import note_wrong_marker

        note_wrong_marker(item, marks, str(error))
        return
    note_tags(item)
    if FIXTURE not in names:
        names.insert(_position(item, names), FIXTURE)


def _position(item: pytest.Item, names: list[str]) -> int:
    """Before the first fixture that the test itself asks for in function scope, after all autouse ones.

    A request that a user's fixture makes then belongs to the cassette; fixtures of wider scope, which serve other
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
    """With all tests known: refuse what cannot work, and find cassettes that nobody uses."""
    specs = {item: item.stash[SPEC] for item in session.items if SPEC in item.stash}
    recording = settings_of(session.config).record in RECORDING
    if not recording:
        from .recording.unused_cassettes import find_orphans

        find_orphans(session, specs)
    if not hasattr(session.config, "workerinput"):
        return
    from .results.package_versions import Telling

    session.config.pluginmanager.register(Telling(), "planguard-telling")
    if recording:
        _refuse_shared(specs)


def keep_guards(config: pytest.Config) -> None:
    """Replace the functions that ask guards and endpoints until the end of the session, and not for each test.

    Where that fails each test tries by itself, and says what is wrong.
    """
    for keep in (installed_guard.keep_in_place, children.keep_in_place):
        with suppress(Exception):
            config.add_cleanup(keep())


def _refuse_shared(specs: dict[pytest.Item, Spec]) -> None:
    """Let tests fail that would record into one file: two workers would write it at once."""
    users: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item, spec in specs.items():
        users[cassette_path(item, spec, case_key(item, spec))].append(item)
    for path, items in users.items():
        tests = ", ".join(sorted(item.nodeid for item in items)[:4])
        for item in items if len(items) > 1 else ():
            item.stash[REFUSED] = (
                f"{path.name} is the cassette of {len(items)} tests ({tests}), and two workers may not record "
                "into one file. Give each test a cassette of its own, or record without -n."
            )


def around(item: pytest.Item) -> Generator[None, object, object]:
    """Wrap the body of a marked test: judge it when it is done."""
    __tracebackhide__ = True
    case = item.stash.get(CASE, None)
    if case is None:  # the set-up of a test that another plugin runs by itself
        return (yield)
    if case.session is not None:
        from .rerun.watching import note_body

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
    if case.session is None:
        body = judged(item, case)
    else:
        from .recording.open_recording import rerecorded_if_outgrown

        body = judged(item, case, rerecorded_if_outgrown(item, case))
    if case.wanted_samples == 1:
        return body
    from .outcome.samples import sampled

    return sampled(item, case, body)
