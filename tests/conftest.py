"""Shared fixtures of the suite."""

import gc
import importlib
import os
import re
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .support.lookalike import Lookalike
from .support.paths import ROOT
from .support.surroundings import settle
from .support.warm.parent import parent

SLOW_FOLDERS = ("frameworks", "integration")
"""Folders whose tests start pytest sessions and servers: `make quick` leaves them out."""

settle()

NEEDS_TOOLS = re.compile(r'(?m)^\s*(?:from|import) tools\b|ROOT / "tools"')
"""Code that takes something from `tools/`: `from tools.clients.run import MISSING`, `ROOT / "tools" / "size.py"`."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip files that need `tools/` if that folder is missing: a source distribution has only the tests."""
    if (ROOT / "tools").is_dir() or collection_path.suffix != ".py" or collection_path == Path(__file__):
        return None
    return True if NEEDS_TOOLS.search(collection_path.read_text(encoding="utf-8")) else None


# No deadline: a busy machine refutes no law, and speed is held by benchmarks/. A change runs few examples of each law,
# a night runs many: `make nightly`.
settings.register_profile("planguard", deadline=None, max_examples=25)
settings.register_profile("nightly", deadline=None, max_examples=200)
settings.load_profile("planguard")

# An HTTP client reads all certificates of the machine, which takes 20 ms: most of what a test of an app takes. No test
# needs them. So all clients read one that no server has, in the processes that tests start too.
os.environ["SSL_CERT_FILE"] = str(ROOT / "tests" / "support" / "certificate.pem")


@given(st.none())
def first_property(value: None) -> None:
    """Make Hypothesis create its source of randomness."""


INSTANT_S = 0.005
"""Seconds below which a set-up or a clean-up is not worth a line of `--durations`."""


def pytest_configure(config: pytest.Config) -> None:
    """Make an xdist worker send no reports that a quiet session ignores: that is half of the messages of a test.

    Each takes the session a third of a millisecond, on a core that the workers need.
    """
    plugins = config.pluginmanager
    worker: Any = next((one for one in plugins.get_plugins() if type(one).__name__ == "WorkerInteractor"), None)
    if worker is None:
        return
    send = worker.pytest_runtest_logreport

    def logreport(report: pytest.TestReport) -> None:
        if report.when == "call" or not report.passed or report.duration > INSTANT_S:
            send(report)

    def logstart() -> None:
        """Send nothing: the names of tests are printed only with `--verbose`."""

    plugins.unregister(worker)
    worker.pytest_runtest_logreport, worker.pytest_runtest_logstart = logreport, logstart
    plugins.register(worker)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Disable the cyclic garbage collector during collection, which creates half a million lasting objects."""
    gc.disable()
    try:
        start_warm_process(session.config)
        import_last_first(session.config)
        return (yield)
    finally:
        # Hypothesis asks the collector who refers to that source when the first property runs, and warns if nobody
        # does. The collector does not see a frozen module, so a property runs before the freeze.
        first_property()
        gc.freeze()
        gc.enable()


def start_warm_process(config: pytest.Config) -> None:
    """Start the process of warm runs while the files are imported: both workers begin with tests that wait for it."""
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr
    if whole and getattr(config, "workerinput", {}).get("workerid") == "gw0":
        parent()


def import_last_first(config: pytest.Config) -> None:
    """Import the test files from the last to the first in the second worker, while the first begins at the other end.

    Two workers that go the same way rewrite the assertions of each file twice, nine seconds of a first run. Each finds
    what the other has kept when they meet.
    """
    if getattr(config, "workerinput", {}).get("workerid") != "gw1" or sys.dont_write_bytecode:
        return
    files = (path for name in config.args for path in (ROOT / name).rglob("test_*.py"))
    for path in sorted(files, reverse=True):
        # A file that fails or is skipped here does so again when it is collected, with a report.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the slow folders, and start with the files that have slow tests.

    Each worker takes one file at a time (`--dist loadfile`). With the short files last, the workers finish together.
    """
    folders = tuple(ROOT / "tests" / name for name in SLOW_FOLDERS)
    in_them = {path for path in {item.path for item in items} if any(path.is_relative_to(one) for one in folders)}
    for item in items:
        if item.path in in_them:
            item.add_marker(pytest.mark.slow)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture
def shared_data() -> Path:
    """Return the folder of real cassettes and plans beside the checkout; skip the test if it is missing."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"needs the data folder {folder.parent.name}/{folder.name} beside the checkout")
    return folder


@pytest.fixture
def lookalike() -> Iterator[Lookalike]:
    """Start a look-alike of model APIs (tests/support/lookalike/spellings.py) on a free loopback port."""
    server = Lookalike()
    yield server
    server.stop()
