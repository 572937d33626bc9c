"""Reruns of a test: each sets up its function-scoped fixtures again, inside the call of the first run.

The first run is torn down before that. The output of this teardown is reported when pytest tears the test down.
"""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Self

import pytest

from .file_changes import FileChanges
from .obstacles import Obstacle, committed, prove_mode
from .other_plugins import Timer, add_call_report, reseed, uncounted_snapshots
from .pytest_parts import (
    ItemState,
    Logs,
    diverted_output,
    end_captured_call,
    finish_at_teardown,
    keep_temporary_folder,
    muted_hooks,
    raise_as_torn_down,
    set_up,
    tear_down,
    unreported_subtests,
)
from .surroundings import Surroundings, contained, remove_own_folder
from .watching import BEFORE, DATA, DRAWN, module_data, project_modules, shared_data

if TYPE_CHECKING:
    import logging
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from ..case import Case

TEARDOWN_ERRORS = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""Exceptions of a finalizer that pytest catches and reports."""


class StoppedLate(Exception):
    """The teardown of the first run shows that no rerun is allowed."""

    def __init__(self, obstacle: Obstacle) -> None:
        super().__init__(str(obstacle))


class FurtherRuns:
    """Reruns of one test, as a context. When it ends, everything is as the first run left it."""

    def __init__(self, case: Case, error: BaseException | None) -> None:
        """`error` is the exception of the first run."""
        self._case, self._item, self._error = case, case.item, error
        self._is_torn_down = False
        self._torn_error: BaseException | None = None
        self._torn_records: list[logging.LogRecord] = []
        self._torn_output = ("", "")
        self._began = 0.0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_torn_down:
            self._stack.close()
            self._case.further_runs_s += time.perf_counter() - self._began

    def again(self, run: AbstractContextManager[None]) -> None:
        """Set the test up, run its function and tear it down.

        `run` wraps set-up and function, and discards their errors.

        The first call tears down the first run before that.

        Raises:
            StoppedLate: that teardown wrote to shared state.
        """
        if not self._is_torn_down:
            self._tear_down_first()
            late = None if prove_mode(self._case) == "always" else committed(self._case)
            if late is not None:
                raise StoppedLate(late)
            self._stack.enter_context(self._unseen())
        self._state.put_back()
        self._item.stash.get(BEFORE, self._after).put_back()
        if DATA in self._item.stash:
            self._item.stash[DATA].put_back()
        with contained(), Timer.around(self._item), FileChanges(str(self._item.config.rootpath)).noted():
            try:
                with run:
                    self._run()
            finally:
                self._tear_down()
                if len(project_modules(self._item.config.rootpath)) == self._loaded:
                    self._modules.put_back()
                else:  # a module that this run imported first may have registered something, and will do so only once
                    self._keep_modules()

    def _tear_down_first(self) -> None:
        """Tear down the first run as at the end of its test, and keep the output for the report."""
        item, case = self._item, self._case
        self._began = time.perf_counter()
        Timer.stop(item)
        end_captured_call(item.config)
        self._state, self._logs = ItemState(item), Logs(item)
        self._is_torn_down = case.torn_down = True
        # The stack calls these in reverse: the state of the test first, and its entry for pytest's teardown last.
        self._stack.callback(finish_at_teardown, item, self._report_tear_down)
        self._stack.callback(Timer.start, item)
        kept = (case.processes, case.endpoint, case.commands)
        add_call_report(item, self._error)
        keep_temporary_folder(item)
        if case.teardown_guard is not None:
            case.teardown_guard.begin()
        with diverted_output(item.config) as output, self._logs.held_back() as records:
            began = time.perf_counter()
            try:
                tear_down(item)
            except TEARDOWN_ERRORS as error:
                self._torn_error = error
            finally:
                case.torn_down_s += time.perf_counter() - began
                self._torn_records, self._torn_output = records, output.readouterr()
        self._after = Surroundings.now()
        self._stack.callback(self._after.put_back)
        self._keep_modules()
        if DATA in item.stash:
            self._stack.callback(shared_data(item).put_back)
        self._stack.callback(self._give_back, *kept)
        self._stack.callback(self._state.put_back)

    def _keep_modules(self) -> None:
        modules = project_modules(self._item.config.rootpath)
        self._modules, self._loaded = module_data(modules, self._item.config), len(modules)

    def _report_tear_down(self) -> None:
        """Print, log and raise the output of the first run's teardown, now that pytest tears down."""
        __tracebackhide__ = True
        out, err = self._torn_output
        sys.stdout.write(out)  # noqa: TID251 - the test's output, for pytest to capture
        sys.stderr.write(err)  # noqa: TID251
        self._logs.report(self._torn_records)
        if self._torn_error is not None:
            raise_as_torn_down(self._torn_error)

    def _give_back(self, *kept: object) -> None:
        self._case.processes, self._case.endpoint, self._case.commands = kept  # type: ignore[assignment]

    @contextmanager
    def _unseen(self) -> Iterator[None]:
        """Hide everything that reruns print, log and report."""
        config = self._item.config
        with ExitStack() as stack:
            for context in (
                diverted_output(config),
                self._logs.for_caplog_alone(),
                muted_hooks(config),
                uncounted_snapshots(config),
                unreported_subtests(self._item),
            ):
                stack.enter_context(context)
            yield

    def _run(self) -> None:
        item = self._item
        reseed(item, "pytest_runtest_setup")
        self._logs.begin("setup")
        set_up(item)
        self._logs.begin("call")
        if DRAWN in item.stash:
            item.stash[DRAWN].put_back()
        reseed(item, "pytest_runtest_call")
        item.runtest()

    def _tear_down(self) -> None:
        """Tear down a rerun, while requests are refused as in the first run's teardown."""
        guard = None if self._case.teardown_guard is None else self._case.teardown_guard.another()
        if guard is not None:
            guard.begin()
        try:
            self._case.remember_threads()
            with suppress(*TEARDOWN_ERRORS):
                tear_down(self._item)
        finally:
            with suppress(*TEARDOWN_ERRORS):
                if guard is not None:
                    guard.end()
            remove_own_folder(self._item)
