"""Whether the body of a test may be run again without asking its author: by its fixtures, and by what it did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from ..case import Case

_OWN = ("pytest_planguard.", "_pytest.", "anyio.pytest_plugin", "pytest_asyncio.")
"""Modules whose fixtures keep nothing of the app: ours, pytest's own, and the event loops of asynchronous tests."""
_BY_NAME = frozenset({"anyio_backend", "event_loop_policy"})
"""Fixtures that a project overrides to choose the event loop of its tests."""
_REPORTING = frozenset({"planguard_snapshot", "subtests", "pytester", "testdir"})
"""Fixtures of those modules that report or keep what a body does, or run other tests."""
_GENERATED = re.compile(r"_(?:xunit|unittest)_(setup_\w+?|setUpClass)_fixture_.*", re.DOTALL)
"""Fixtures that pytest makes of `setup_module`, `setup_class` and their like."""


def prove_mode(case: Case) -> str:
    """Return when the app of a test is run again: "auto", "always" or "never". The marker wins.

    Commands have written their files when the test is done, so a run from the beginning would find them.
    """
    if case.spec.commands:
        return "never"
    asked = case.spec.prove
    return case.settings.prove if asked is None else "always" if asked else "never"


def may_be_run_again(case: Case) -> bool:
    """Return whether an experiment can tell what the retries of a test carry: by itself, or since it is asked for."""
    mode = prove_mode(case)
    return mode != "never" and (case.proved or mode == "always" or obstacle(case) is None)


def obstacle(case: Case) -> str | None:
    """Return why the body of a test is not run again by itself, and the way out; None where it may be."""
    fixture = unsafe_fixture(case.item, frozenset(case.settings.prove_fixtures))
    if fixture is not None:
        return (
            f"the app is not run again, since the test uses {fixture}; "
            "if it may be used twice: planguard_prove_fixtures, prove=True or planguard.prove_carried(run)"
        )
    if case.children:
        return (
            f"the app is not run again, since a child process ran: {case.children[0]}; "
            "if it may run twice: prove=True or planguard.prove_carried(run)"
        )
    if case.recording.reached:
        return (
            f"the app is not run again, since the test reached {case.recording.reached[0]}; "
            "if that may happen twice: prove=True or planguard.prove_carried(run)"
        )
    if case.item.config.getoption("update_snapshots", False):
        return "the app is not run again, since this run updates snapshots"
    return None


def unsafe_fixture(item: pytest.Item, safe: frozenset[str]) -> str | None:
    """Return 'the fixture db', the first one of a test that may keep something of its first run; None without any."""
    return next(_unsafe(item, safe), None)


def _unsafe(item: pytest.Item, safe: frozenset[str]) -> Iterator[str]:
    definitions = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    for name in getattr(item, "fixturenames", ()):
        known = definitions.get(name)
        if not known:
            continue  # `request`, which has no definition
        generated = _GENERATED.fullmatch(name)
        shown = generated[1] if generated else name
        if {shown, name} & (safe | _BY_NAME):
            continue
        if generated:
            if _is_overridden(item, shown):
                yield shown
        elif name in _REPORTING or not _is_own(known[-1]):
            yield f"the fixture {name}"


def _is_own(definition: Any) -> bool:
    module = str(getattr(definition.func, "__module__", ""))
    return f"{module}.".startswith(_OWN) or module in _OWN


def _is_overridden(item: Any, name: str) -> bool:
    """Whether a test has this set-up: every unittest class has a `setUpClass`, which does nothing by itself."""
    from unittest import TestCase

    if name != "setUpClass":
        return True
    for method in ("setUpClass", "tearDownClass"):
        own = getattr(getattr(item, "cls", None), method, None)
        if own is not None and getattr(own, "__func__", own) is not getattr(TestCase, method).__func__:
            return True
    return False
