"""Other plugins and the project's hooks in a further run: timers, snapshots, seeds, and hooks that keep reports.

The first run is torn down before pytest reports its call. So the current report goes next to the set-up report that a
hook has kept (`request.node.rep_call.failed`). A project hook that keeps no set-up report is called once more.
"""

from __future__ import annotations

import dis
import inspect
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from .pytest_parts import report_of, stash_values
from .shared_fixtures import is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping
    from types import FunctionType


TIMER: pytest.StashKey[Any] = pytest.StashKey()
"""The settings of a test's timer, from the hook of pytest-timeout; absent without a timer."""


class Timer:
    """Stops and starts the timer of a test with the documented hooks of pytest-timeout."""

    @staticmethod
    def stop(item: pytest.Item) -> None:
        """Stop the timer, if any."""
        if TIMER in item.stash:
            item.config.hook.pytest_timeout_cancel_timer(item=item)

    @staticmethod
    def start(item: pytest.Item) -> None:
        """Start the timer again, if any."""
        if TIMER in item.stash:
            item.config.hook.pytest_timeout_set_timer(item=item, settings=item.stash[TIMER])

    @classmethod
    @contextmanager
    def around(cls, item: pytest.Item) -> Iterator[None]:
        """Start it for the length of a `with` block."""
        cls.start(item)
        try:
            yield
        finally:
            cls.stop(item)


def keep_timer(item: pytest.Item, settings: object) -> None:
    """Keep the settings of a test's timer."""
    item.stash[TIMER] = settings


def reseed(item: pytest.Item, hook: str) -> None:
    """Let pytest-randomly set its seeds, as its own hook does before each set-up and each test function."""
    randomly = item.config.pluginmanager.getplugin("randomly")
    if randomly is not None:
        getattr(randomly, hook)(item)


_REWRITING = frozenset({"create", "fix", "trim", "update", "review"})
"""Flags that make inline-snapshot accept new values, or ask about them."""


def updates_snapshots(config: pytest.Config) -> bool:
    """Return True if syrupy or inline-snapshot accepts new values in this run."""
    flags = str(config.getoption("inline_snapshot", None) or "").split(",")
    return bool(config.getoption("update_snapshots", False)) or not _REWRITING.isdisjoint(flags)


@contextmanager
def uncounted_snapshots(config: pytest.Config) -> Iterator[None]:
    """Discard the comparisons that syrupy makes in a `with` block, which its session lists for its summary."""
    listed: Any = getattr(getattr(config, "_syrupy", None), "_assertions", None)
    before = None if listed is None else [*listed]
    try:
        yield
    finally:
        if listed is not None:
            listed[:] = before


HOOK = "pytest_runtest_makereport"
_KEEPING = frozenset({"setattr", "stash", "keywords", "user_properties"})
"""Names in the code of a hook that store something on a test. An assignment to an attribute does so too."""


def add_call_report(item: pytest.Item, error: BaseException | None) -> None:
    """Put the call report in the place that fixtures read. `error` is the exception of the test function."""
    places = [*_places(item)]
    if places:
        report = report_of(item, error)
        for holder, name in places:
            holder[name] = report
        return
    keeping = [plugin for plugin, function in project_hooks(item.config, HOOK) if _keeps(function)]
    if keeping:
        with suppress(Exception):  # it raises in pytest's own call too
            report_of(item, error, keeping)


def project_hooks(config: pytest.Config, name: str) -> Iterator[tuple[Any, FunctionType]]:
    """Yield the project's own implementations of a hook, each with its plugin: a conftest."""
    for implementation in getattr(config.hook, name).get_hookimpls():
        function: Any = inspect.unwrap(implementation.function)
        if hasattr(function, "__code__") and not is_installed(function, config):
            yield implementation.plugin, function


def _keeps(function: FunctionType) -> bool:
    stores = any(step.opname == "STORE_ATTR" for step in dis.get_instructions(function))
    return stores or not _KEEPING.isdisjoint(function.__code__.co_names)


def _places(item: pytest.Item) -> Iterator[tuple[MutableMapping[Any, Any], str]]:
    """Yield ({...}, "rep_call") for an attribute `rep_setup`, and (a dictionary, "call") for its key "setup"."""
    own = vars(item)
    for name in [n for n, value in own.items() if n.endswith("setup") and _is_of_setup(value, item)]:
        yield own, f"{name.removesuffix('setup')}call"
    for value in (*own.values(), *stash_values(item)):
        if isinstance(value, dict) and _is_of_setup(value.get("setup"), item):
            yield value, "call"


def _is_of_setup(value: object, item: pytest.Item) -> bool:
    return isinstance(value, pytest.TestReport) and (value.nodeid, value.when) == (item.nodeid, "setup")


_HOOKS = (HOOK, "pytest_exception_interact", "pytest_runtest_teardown")
"""Hooks that use fixtures after the test function, when a rerun has torn them down: `item.funcargs["browser"]`."""
_FOUND: pytest.StashKey[str | None] = pytest.StashKey()


def needs_fixtures_after_body(config: pytest.Config) -> str | None:
    """Return 'pytest_runtest_makereport of conftest.py' if its code names `funcargs`, else None."""
    if _FOUND not in config.stash:
        config.stash[_FOUND] = next(_using(config), None)
    return config.stash[_FOUND]


def _using(config: pytest.Config) -> Iterator[str]:
    for hook in _HOOKS:
        for _, function in project_hooks(config, hook):
            code = function.__code__
            if "funcargs" in code.co_names:
                yield f"{hook} of {code.co_filename.removeprefix(f'{config.rootpath}/')}"
