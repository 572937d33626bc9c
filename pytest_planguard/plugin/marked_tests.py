"""Marked tests: read their markers during collection, and wrap the run of their test functions.

Each step around a test function is a generator that yields once, for the test to run, and takes the inner step as
another generator. All marked tests pay for these steps, and a context manager for each would cost five times as much.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import UsageError
from ..replay import endpoint_children as children
from ..replay.network import installed_guard
from .case import CASE
from .marker.cases import note_tags
from .marker.identity import case_key, cassette_path
from .marker.marker import REFUSED, SPEC, Spec, read_marker
from .options import RECORDING, settings_of
from .outcome.lifecycle import judged
from .recording.open_recording import rerecorded_if_outgrown

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from .case import Case


FIXTURE = "planguard"


def attach(item: pytest.Item, marks: Sequence[pytest.Mark]) -> None:
    """Read the markers of a test, nearest first, and ensure that its cassette opens before the test function runs.

    An invalid marker is noted here, and ends the run after collection.
    """
    names = getattr(item, "fixturenames", None)
    try:
        if names is None:
            raise UsageError(f"it works on test functions and methods; a {type(item).__name__} has no fixtures")
        item.stash[SPEC] = read_marker(item, marks)
    except UsageError as error:
        from .marker.marker import note_wrong_marker

        note_wrong_marker(item, marks, str(error))
        return
    note_tags(item)
    position = _position(item, names)
    if FIXTURE not in names:
        names.insert(position, FIXTURE)
    elif names.index(FIXTURE) > position:  # the order of arguments decides nothing: a mock comes after the cassette
        names.remove(FIXTURE)
        names.insert(position, FIXTURE)


def _position(item: pytest.Item, names: list[str]) -> int:
    """Return the position before the first function-scoped fixture that the test requests, after all autouse ones.

    A request that a user's fixture makes then belongs to the cassette. Fixtures with a wider scope serve other tests
    too, so their requests do not. Another plugin's autouse cassette stays outside ours, so it cannot take our requests.
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
    """Refuse markers that cannot work and find unused cassettes. All tests are known by now."""
    specs = {item: item.stash[SPEC] for item in session.items if SPEC in item.stash}
    recording = settings_of(session.config).record in RECORDING
    if not recording:
        from .recording.unused_cassettes import find_orphans

        find_orphans(session, specs)
    if not hasattr(session.config, "workerinput"):
        return
    from .results.rows import Telling

    session.config.pluginmanager.register(Telling(), "planguard-telling")
    if recording:
        _refuse_shared(specs)


def keep_guards(config: pytest.Config) -> None:
    """Install the functions that consult guards and endpoints once per session instead of once per test.

    If that fails, each test tries by itself and reports the problem.
    """
    for keep in (installed_guard.keep_in_place, children.keep_in_place):
        with suppress(Exception):
            config.add_cleanup(keep())


def _refuse_shared(specs: dict[pytest.Item, Spec]) -> None:
    """Fail tests that would record into the same file, because two workers could write it at once."""
    users: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item, spec in specs.items():
        users[cassette_path(item, spec, case_key(item, spec))].append(item)
    for path, items in users.items():
        tests = ", ".join(sorted(item.nodeid for item in items)[:4])
        for item in items if len(items) > 1 else ():
            item.stash[REFUSED] = (
                f"{path.name} is the cassette of {len(items)} tests ({tests}), and two workers may not record "
                "into one file. Give each test its own cassette, or record without -n."
            )


def around(item: pytest.Item) -> Generator[None, object, object]:
    """Wrap a marked test function, and judge the test when it is done."""
    __tracebackhide__ = True
    case = item.stash.get(CASE, None)
    if case is None:  # set up by another plugin that runs the test itself
        return (yield)
    if case.session is not None:
        from .rerun.watching import note_body

        note_body(item)
    try:
        return (yield from _judged(item, case))
    finally:
        if case.teardown_guard is not None and not case.torn_down:
            # Begin as the first step of the teardown. Now it would cover patches that other plugins still have to
            # remove, such as pytest-socket's block: they would not recognise it, and leave it to all later tests.
            item.addfinalizer(case.teardown_guard.begin)


def _judged(item: pytest.Item, case: Case) -> Generator[None, object, object]:
    """Wrap the test function in the steps that it needs. Most have no cassette, so nothing to record."""
    if case.session is None:
        body = judged(item, case)
    else:
        body = judged(item, case, rerecorded_if_outgrown(item, case))
    if case.wanted_samples == 1:
        return body
    from .outcome.samples import sampled

    return sampled(item, case, body)
