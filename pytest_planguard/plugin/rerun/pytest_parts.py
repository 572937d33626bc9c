"""The private parts of pytest that a further run of a test relies on. No other module touches them.

Each use names what it takes for granted. The tests of this folder run on the lowest and on the newest pytest.
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
"""Hooks by which a run would be reported: those of its subtests, a debugger's, warnings."""


# Set-up and tear-down of one test alone.


def tear_down(item: pytest.Item) -> None:
    """Tear down the fixtures of function scope; wider ones stay. Raises what their finalizers raise.

    `SetupState.teardown_exact` tears down until its stack is a part of a node's chain: with the chain of the test's
    parent, which ends before the test, the test alone goes.
    """
    __tracebackhide__ = True
    _setup_state(item).teardown_exact(item.parent)


def set_up(item: pytest.Item) -> None:
    """Set up the fixtures of a test that is torn down, with values of its own.

    `_initrequest` forgets the values and the request of the run before; pytest-rerunfailures does the same. The test's
    instance goes by itself: the property `instance` makes one where `_instance` is missing, and `obj` is its method.
    """
    function: Any = item
    vars(item).pop("_instance", None)
    vars(item).pop("_obj", None)
    vars(item).pop("_excinfo", None)  # the failures of a unittest case
    function._initrequest()  # noqa: SLF001
    _setup_state(item).setup(item)


def finish_at_teardown(item: pytest.Item, finish: Callable[[], None]) -> None:
    """Call `finish` when pytest tears down this test, which is torn down already.

    An entry of `SetupState.stack` has the finalizers of a node, and what its set-up raised.
    """
    _setup_state(item).stack[item] = ([finish], None)


def set_up_once_more(item: pytest.Item) -> None:
    """Set up a test that is torn down; what `finish_at_teardown` was given is called after its own finalizers."""
    finalizers, _ = _setup_state(item).stack.pop(item)
    set_up(item)
    _setup_state(item).stack[item][0][:0] = finalizers


def _setup_state(item: pytest.Item) -> Any:
    return item.session._setupstate  # noqa: SLF001


def fixtures_so_far(item: pytest.Item) -> dict[str, pytest.FixtureDef[object]]:
    """Return the fixtures that a test has asked for until now, name to definition, with those that it named at last.

    `_fixture_defs` of its request is shared by the requests of its fixtures.
    """
    request: Any = getattr(item, "_request", None)
    return dict(getattr(request, "_fixture_defs", {}))


def value_of(definition: pytest.FixtureDef[object]) -> object:
    """Return what a fixture has returned; None where it is not set up. `cached_result` is (value, key, error)."""
    cached = definition.cached_result
    return None if cached is None else cached[0]


def temporary_folder(config: pytest.Config) -> list[str]:
    """Return the folder of this session's `tmp_path`s, where it has one already: `getbasetemp` would make it."""
    factory: Any = getattr(config, "_tmp_path_factory", None)
    folder = getattr(factory, "_basetemp", None) or getattr(factory, "_given_basetemp", None)
    return [] if folder is None else [str(folder)]


def keep_temporary_folder(item: pytest.Item) -> None:
    """Let the tear-down of `tmp_path` keep its folder, as for a test that fails: nobody knows yet how this one ends.

    The fixture looks for the outcome of the call in the test's stash.
    """
    from _pytest.tmpdir import tmppath_result_key

    if tmppath_result_key in item.stash:
        item.stash[tmppath_result_key]["call"] = False


def temporary_name(item: pytest.Item) -> str:
    """Return how the folder of a test's `tmp_path` is called, up to a number that each run has of its own."""
    return re.sub(r"\W", "_", item.name)[:30]  # "test_a[x-1]" gives "test_a_x_1_"


# What pytest keeps on a test.

_OWN = ("_request", "funcargs", "_excinfo", "_instance", "_obj", "_explicit_tearDown")
"""Attributes of a test that its set-up makes, or a unittest case its run."""


class ItemState:
    """What a test was after its first run; `put_back` makes it that again."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        own = vars(item)
        self._own = {name: own[name] for name in _OWN if name in own}
        if "_excinfo" in self._own:
            self._own["_excinfo"] = [*(self._own["_excinfo"] or ())]  # pytest takes them out one by one
        lists: tuple[Any, Any] = (item.user_properties, item._report_sections)  # noqa: SLF001
        self._lists = [(kept, [*kept]) for kept in lists]
        self._stash = dict(_stash(item))
        self._subtests = _failed_subtests(item)

    def put_back(self) -> None:
        """Also before each further run: what the first run's tear-down took out of the stash, another one wants."""
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
            for node in [n for n in failed if n in _names(self._item)]:
                del failed[node]
            if number:
                failed[_names(self._item)[-1]] = number


def _stash(item: pytest.Item) -> dict[Any, Any]:
    """A `Stash` is a dictionary by its keys, and cannot be listed."""
    return item.stash._storage  # noqa: SLF001


def stash_values(item: pytest.Item) -> list[Any]:
    """Return what hooks and plugins keep in the stash of a test."""
    return [*_stash(item).values()]


def _failed_subtests(item: pytest.Item) -> tuple[Any, int]:
    """From pytest 9 on the config counts the failed subtests of each test, by its id."""
    try:
        from _pytest.subtests import failed_subtests_key
    except ImportError:
        return None, 0
    failed = item.config.stash.get(failed_subtests_key, None)
    return failed, 0 if failed is None else sum(failed[n] for n in _names(item) if n in failed)


def _names(item: pytest.Item) -> list[Any]:
    """The keys under which pytest may count for a test: its `nodeid`, and from 9.1 on an object `id`."""
    return [item.nodeid, *([item.id] if hasattr(item, "id") else [])]


# Output.


@contextmanager
def diverted_output(config: pytest.Config) -> Iterator[MultiCapture[str]]:
    """Take whatever is printed for the length of a `with` block, at the level of descriptors, also with `-s`.

    A `MultiCapture` nests in another one. In the place of the manager's own one `capsys` and its like work on it.
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
    """`capsys.disabled()`: what is printed goes past the fixture, and no further than we divert it to."""
    manager.suspend_fixture()
    try:
        yield
    finally:
        manager.resume_fixture()


def end_captured_call(config: pytest.Config) -> None:
    """Do at once what pytest does at the end of a call: what `capsys` has not read belongs to the call's output."""
    manager: Any = config.pluginmanager.getplugin("capturemanager")
    if manager is not None:
        manager.deactivate_fixture()


# Log records. pytest's handlers stay at the root logger; what reaches them is decided by a filter.


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
        """Collect records for the length of a `with` block instead of reporting them."""
        held: list[logging.LogRecord] = []

        def hold(record: logging.LogRecord) -> bool:
            if not held or held[-1] is not record:  # each handler filters it
                held.append(record)
            return False

        with self._filtered(self._handlers, hold):
            yield held

    @contextmanager
    def for_caplog_alone(self) -> Iterator[None]:
        """Let `caplog` see records for the length of a `with` block, and nobody else; then forget them."""
        if self._caplog is None:
            yield
            return
        others = [handler for handler in self._handlers if handler is not self._caplog]
        with self._filtered(others, lambda _: False):
            yield
        self._caplog.records, self._caplog.stream = self._first

    def begin(self, phase: str) -> None:
        """Begin "setup" or "call", as the plugin does: `caplog` has the records of each under its name."""
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
    """Call no implementation of these hooks for the length of a `with` block.

    `_inner_hookexec` of the plugin manager is what every caller of a hook ends in, also that of a folder's conftest;
    pluggy's own tracing replaces it in the same way.
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
    """A unittest case hands over each of its subtests at once, to the method that is missing for the block."""
    if not hasattr(type(item), "addSubTest"):
        yield
        return
    item.addSubTest = lambda *_: None
    try:
        yield
    finally:
        del item.addSubTest


def report_of(item: pytest.Item, error: BaseException | None, beside: Collection[object] = ()) -> pytest.TestReport:
    """Return the report that pytest itself would make of a call that ends now, with no plugins but those `beside` it.

    Plugins of pytest are modules of `_pytest`; `subset_hook_caller` is pluggy's public way to leave the others out.
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


def _is_core(plugin: Any) -> bool:
    name = getattr(plugin, "__name__", None) or type(plugin).__module__
    return str(name).startswith("_pytest.")


def raise_as_torn_down(error: BaseException) -> None:
    """Raise what a tear-down raised, with the frames that it has where pytest itself tears down."""
    __tracebackhide__ = True
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_name != "teardown_exact":
        trace = trace.tb_next
    raise error.with_traceback(trace)
