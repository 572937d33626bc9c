"""The private parts of pytest that a rerun of a test needs. No other module uses them.

Each use states its assumptions. The tests of this folder run on the oldest and the newest supported pytest.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Collection, Iterator

    from _pytest.capture import MultiCapture

REPORTING = frozenset({"pytest_runtest_logreport", "pytest_exception_interact", "pytest_warning_recorded"})
"""Hooks that would report a run: those of its subtests, a debugger's, warnings."""


# Set up and tear down one test alone.


def tear_down(item: pytest.Item) -> None:
    """Tear down the function-scoped fixtures; wider ones stay. Raises what their finalizers raise.

    `SetupState.teardown_exact` tears down until its stack is a part of a node's chain. The chain of the test's parent
    ends before the test, so only the test is torn down.
    """
    __tracebackhide__ = True
    _setup_state(item).teardown_exact(item.parent)


def set_up(item: pytest.Item) -> None:
    """Set up the fixtures of a torn-down test, with fresh values.

    `_initrequest` discards the values and the request of the previous run; pytest-rerunfailures does the same. The
    instance follows: the property `instance` creates one if `_instance` is missing, and `obj` is its method.
    """
    function: Any = item
    vars(item).pop("_instance", None)
    vars(item).pop("_obj", None)
    vars(item).pop("_excinfo", None)  # the failures of a unittest case
    function._initrequest()  # noqa: SLF001
    _setup_state(item).setup(item)


def finish_at_teardown(item: pytest.Item, finish: Callable[[], None]) -> None:
    """Call `finish` when pytest tears down this test, which is torn down already.

    An entry of `SetupState.stack` has the finalizers of a node, and the exception of its set-up.
    """
    _setup_state(item).stack[item] = ([finish], None)


def set_up_once_more(item: pytest.Item) -> None:
    """Set up a torn-down test. The function passed to `finish_at_teardown` runs after the test's own finalizers."""
    finalizers, _ = _setup_state(item).stack.pop(item)
    set_up(item)
    _setup_state(item).stack[item][0][:0] = finalizers


def _setup_state(item: pytest.Item) -> Any:
    return item.session._setupstate  # noqa: SLF001


def fixtures_so_far(item: pytest.Item) -> dict[str, pytest.FixtureDef[object]]:
    """Return the fixtures that a test has requested so far, by name, including the dynamic ones.

    The request of a test shares its `_fixture_defs` with the requests of its fixtures.
    """
    request: Any = getattr(item, "_request", None)
    return dict(getattr(request, "_fixture_defs", {}))


def value_of(definition: pytest.FixtureDef[object]) -> object:
    """Return the value of a fixture; None if it is not set up. `cached_result` is (value, key, error)."""
    cached = definition.cached_result
    return None if cached is None else cached[0]


def temporary_folder(config: pytest.Config) -> list[str]:
    """Return the folder of this session's `tmp_path`s, if it exists already: `getbasetemp` would create it."""
    factory: Any = getattr(config, "_tmp_path_factory", None)
    folder = getattr(factory, "_basetemp", None) or getattr(factory, "_given_basetemp", None)
    return [] if folder is None else [str(folder)]


def keep_temporary_folder(item: pytest.Item) -> None:
    """Make the teardown of `tmp_path` keep its folder, as for a failed test: the result is not known yet.

    The fixture looks up the outcome of the call in the test's stash.
    """
    from _pytest.tmpdir import tmppath_result_key

    if tmppath_result_key in item.stash:
        item.stash[tmppath_result_key]["call"] = False


def temporary_name(item: pytest.Item) -> str:
    """Return the name of a test's `tmp_path` folder, without the number that differs in each run."""
    return re.sub(r"\W", "_", item.name)[:30]  # "test_a[x-1]" gives "test_a_x_1_"


# The data that pytest keeps on a test.

_OWN = ("_request", "funcargs", "_excinfo", "_instance", "_obj", "_explicit_tearDown")
"""Attributes of a test that its set-up creates, or the run of a unittest case."""


class ItemState:
    """The state of a test after its first run; `put_back` restores it."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        own = vars(item)
        self._own = {name: own[name] for name in _OWN if name in own}
        if "_excinfo" in self._own:
            self._own["_excinfo"] = [*(self._own["_excinfo"] or ())]  # pytest removes them one by one
        lists: tuple[Any, Any] = (item.user_properties, item._report_sections)  # noqa: SLF001
        self._lists = [(kept, [*kept]) for kept in lists]
        self._stash = dict(_stash(item))
        self._subtests = _failed_subtests(item)

    def put_back(self) -> None:
        """Restore the state. Call this before each rerun too: the first teardown removed entries from the stash."""
        own = vars(self._item)
        for name in _OWN:
            own.pop(name, None)
        own.update(self._own)
        for kept, before in self._lists:
            kept[:] = before
        stash = _stash(self._item)
        stash.clear()
        stash.update(self._stash)
        failed, number = self._subtests
        if failed is not None:
            for name in _names(self._item):
                failed.pop(name, None)
            if number:
                failed[_names(self._item)[-1]] = number


def _stash(item: pytest.Item) -> dict[Any, Any]:
    """Return the dictionary behind a `Stash`, which cannot be listed."""
    return item.stash._storage  # noqa: SLF001


def stash_values(item: pytest.Item) -> list[Any]:
    """Return the values that hooks and plugins keep in the stash of a test."""
    return [*_stash(item).values()]


def _failed_subtests(item: pytest.Item) -> tuple[Any, int]:
    """Return the counts of failed subtests, which the config of pytest 9 and later keeps by test id."""
    try:
        from _pytest.subtests import failed_subtests_key
    except ImportError:
        return None, 0
    failed = item.config.stash.get(failed_subtests_key, None)
    return failed, 0 if failed is None else sum(failed[n] for n in _names(item) if n in failed)


def _names(item: pytest.Item) -> list[Any]:
    """Return the keys that pytest may count under: the test's `nodeid`, and from 9.1 on an object `id`."""
    return [item.nodeid, *([item.id] if hasattr(item, "id") else [])]


# Output.


@contextmanager
def diverted_output(config: pytest.Config) -> Iterator[MultiCapture[str]]:
    """Divert all output in a `with` block, at the level of descriptors, even with `-s`.

    A `MultiCapture` nests in another one. In place of the manager's own one, `capsys` and the like work with it.
    """
    from _pytest.capture import FDCapture, MultiCapture

    manager: Any = config.pluginmanager.getplugin("capturemanager")
    taken = MultiCapture(in_=FDCapture(0), out=FDCapture(1), err=FDCapture(2))
    outer = None if manager is None else manager._global_capturing  # noqa: SLF001
    taken.start_capturing()
    if manager is not None:
        manager._global_capturing = taken  # noqa: SLF001
        manager.global_and_fixture_disabled = lambda: _fixture_disabled(manager)
    try:
        yield taken
    finally:
        if manager is not None:
            del manager.global_and_fixture_disabled
            manager._global_capturing = outer  # noqa: SLF001
        taken.stop_capturing()


@contextmanager
def _fixture_disabled(manager: Any) -> Iterator[None]:
    """Support `capsys.disabled()`: the output bypasses the fixture, but stays in our diversion."""
    manager.suspend_fixture()
    try:
        yield
    finally:
        manager.resume_fixture()


def end_captured_call(config: pytest.Config) -> None:
    """Do now what pytest does at the end of a call: unread output of `capsys` belongs to the call's output."""
    manager: Any = config.pluginmanager.getplugin("capturemanager")
    if manager is not None:
        manager.deactivate_fixture()


# Log records. pytest's handlers stay at the root logger; a filter decides what reaches them.


class Logs:
    """pytest's four log handlers: for reports, for `caplog`, for the terminal and for a file."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        plugin: Any = item.config.pluginmanager.getplugin("logging-plugin")
        names = ("report_handler", "caplog_handler", "log_cli_handler", "log_file_handler")
        self._handlers: list[Any] = [] if plugin is None else [getattr(plugin, name) for name in names]
        self._caplog: Any = getattr(plugin, "caplog_handler", None)
        self._first = (getattr(self._caplog, "records", None), getattr(self._caplog, "stream", None))

    @contextmanager
    def held_back(self) -> Iterator[list[logging.LogRecord]]:
        """Collect records in a `with` block instead of reporting them."""
        held: list[logging.LogRecord] = []

        def hold(record: logging.LogRecord) -> bool:
            if not held or held[-1] is not record:  # each handler filters it
                held.append(record)
            return False

        with self._filtered(self._handlers, hold):
            yield held

    @contextmanager
    def for_caplog_alone(self) -> Iterator[None]:
        """Show records in a `with` block only to `caplog`, then discard them."""
        if self._caplog is None:
            yield
            return
        others = [handler for handler in self._handlers if handler is not self._caplog]
        with self._filtered(others, lambda _: False):
            yield
        self._caplog.records, self._caplog.stream = self._first

    def begin(self, phase: str) -> None:
        """Start the phase "setup" or "call", as the plugin does: `caplog` keeps the records of each separately."""
        if self._caplog is None:
            return
        from _pytest.logging import caplog_records_key

        self._caplog.reset()
        if phase == "setup":
            self._item.stash[caplog_records_key] = {}
        self._item.stash[caplog_records_key][phase] = self._caplog.records

    def report(self, records: Collection[logging.LogRecord]) -> None:
        """Report records that were held back."""
        for record in records:
            for handler in self._handlers:
                if record.levelno >= handler.level:
                    handler.handle(record)

    @contextmanager
    def _filtered(self, handlers: Collection[Any], passes: Callable[[logging.LogRecord], bool]) -> Iterator[None]:
        for handler in handlers:
            handler.addFilter(passes)
        try:
            yield
        finally:
            for handler in handlers:
                handler.removeFilter(passes)


# Reports.


@contextmanager
def muted_hooks(config: pytest.Config, names: Collection[str] = REPORTING) -> Iterator[None]:
    """Call no implementation of these hooks in a `with` block.

    All calls of a hook end in the plugin manager's `_inner_hookexec`, including those for a folder's conftest. pluggy's
    own tracing replaces it in the same way.
    """
    manager: Any = config.pluginmanager
    execute = manager._inner_hookexec  # noqa: SLF001

    def quiet(name: str, *args: Any) -> Any:
        return [] if name in names else execute(name, *args)

    manager._inner_hookexec = quiet  # noqa: SLF001
    try:
        yield
    finally:
        manager._inner_hookexec = execute  # noqa: SLF001


@contextmanager
def unreported_subtests(item: Any) -> Iterator[None]:
    """Replace the method that a unittest case calls at once for each subtest."""
    if not hasattr(type(item), "addSubTest"):
        yield
        return
    item.addSubTest = lambda *_: None
    try:
        yield
    finally:
        del item.addSubTest


def report_of(item: pytest.Item, error: BaseException | None, beside: Collection[object] = ()) -> pytest.TestReport:
    """Return the report that pytest would make of a call that ends now, with only the plugins `beside` it.

    pytest's own plugins are modules of `_pytest`. `subset_hook_caller` is pluggy's public way to leave others out.
    """

    def ended() -> None:
        if error is not None:
            raise error

    manager = item.config.pluginmanager
    others = [plugin for plugin in manager.get_plugins() if not _is_core(plugin) and plugin not in beside]
    call = pytest.CallInfo.from_call(ended, "call")
    make = manager.subset_hook_caller("pytest_runtest_makereport", remove_plugins=others)
    report: pytest.TestReport = make(item=item, call=call)
    return report


def _is_core(plugin: object) -> bool:
    name = getattr(plugin, "__name__", None) or type(plugin).__module__
    return str(name).startswith("_pytest.")


def raise_as_torn_down(error: BaseException) -> None:
    """Raise an error of a teardown, with the frames that it would have if pytest had torn down the test."""
    __tracebackhide__ = True
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_name != "teardown_exact":
        trace = trace.tb_next
    raise error.with_traceback(trace)
