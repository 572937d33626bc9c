"""The surroundings of a test (environment, folders, random numbers), restored before it runs again.

It also contains the side effects of a rerun: its warnings, the errors of its threads, its line coverage.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import threading
import warnings
from contextlib import ExitStack, contextmanager
from shutil import rmtree
from typing import TYPE_CHECKING, Any, NamedTuple

from ...replay.matching.normalise import Normaliser
from .pytest_parts import temporary_folder, temporary_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


class Surroundings(NamedTuple):
    """The state of the process, as far as tests commonly change it."""

    environment: dict[str, str]
    folder: str | None
    """The working directory; None if it was removed."""
    random: Numbers

    @classmethod
    def now(cls) -> Surroundings:
        """Return the current surroundings."""
        try:
            folder = os.getcwd()  # noqa: PTH109 - kept as a text
        except FileNotFoundError:
            folder = None
        return cls(dict(os.environ), folder, Numbers.now())

    def put_back(self) -> None:
        """Restore the surroundings. A folder that was removed in the meantime is not restored."""
        if dict(os.environ) != self.environment:
            for name in os.environ.keys() - self.environment.keys():
                del os.environ[name]
            os.environ.update(self.environment)
        if self.folder is not None and os.path.isdir(self.folder):  # noqa: PTH112 - the same
            os.chdir(self.folder)
        self.random.put_back()


class Numbers(NamedTuple):
    """The state of the random number generators: Python's, and numpy's if loaded."""

    python: tuple[Any, ...]
    numpy: Any

    @classmethod
    def now(cls) -> Numbers:
        """Return the current state."""
        numpy = sys.modules.get("numpy.random")
        return cls(random.getstate(), None if numpy is None else numpy.get_state())

    def put_back(self) -> None:
        """Restore the state, so that the same numbers are drawn again."""
        random.setstate(self.python)
        numpy = sys.modules.get("numpy.random")
        if numpy is not None and self.numpy is not None:
            numpy.set_state(self.numpy)


@contextmanager
def contained() -> Iterator[None]:
    """Hide the side effects of a rerun: warnings, late errors, coverage, a debugger's prompt."""
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings(record=True))
        stack.enter_context(_replaced(sys, "unraisablehook"))
        stack.enter_context(_replaced(threading, "excepthook"))
        stack.enter_context(_replaced(sys, "breakpointhook"))
        if "pdb" in sys.modules:
            stack.enter_context(_replaced(sys.modules["pdb"], "set_trace"))
        stack.enter_context(_uncovered())
        yield


@contextmanager
def _replaced(owner: object, name: str) -> Iterator[None]:
    """Replace a function with one that does nothing."""
    before = getattr(owner, name)
    setattr(owner, name, lambda *_, **__: None)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextmanager
def _uncovered() -> Iterator[None]:
    """Measure no coverage: the app runs on answers that no test gave it."""
    coverage = sys.modules.get("coverage")
    measuring = None if coverage is None else coverage.Coverage.current()
    if measuring is None:
        yield
        return
    measuring.stop()
    try:
        yield
    finally:
        measuring.start()


def folder_names(item: pytest.Item) -> Normaliser:
    """Return a normaliser that removes the numbers of `tmp_path` and of the `mktemp` folders beside it."""
    own = [rf"(?<![A-Za-z0-9]){re.escape(temporary_name(item))}(?=\d)"]  # test_a in "…/test_a0/out.txt"
    # "/tmp/pytest-of-me/pytest-3/data" in "/tmp/pytest-of-me/pytest-3/data0/out.txt", as JSON writes it
    made = [
        rf'{re.escape(json.dumps(folder)[1:-1])}[\\/]+[^\\/"\s]*?(?=\d+(?![^\\/"\s]))'
        for folder in temporary_folder(item.config)
    ]
    pattern = re.compile(rf"({'|'.join([*made, *own])})\d+")
    return Normaliser("own folder", lambda text: pattern.sub(r"\1<run>", text))


def remove_own_folder(item: Any) -> None:
    """Remove the files that a rerun has left in its `tmp_path`."""
    folder = (item.funcargs or {}).get("tmp_path")
    if folder is not None:
        rmtree(folder, ignore_errors=True)
