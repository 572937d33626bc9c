"""The entry point of the pytest plugin. Its hooks cost almost nothing until a test is marked with `planguard`.

It imports pytest, the standard library and `options`. Everything else loads when pytest collects the first marked test,
a test uses the first `planguard` fixture, or the first row arrives from a worker.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from .. import __version__
from . import options

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    from .fixtures.api import Planguard
    from .results.results import Results


MARKER = "planguard"
PLAN_FILES = "planguard-plan-files"
"""The name of the plugin that collects plan files."""
MARKER_HELP = (
    "planguard(*contracts, max_attempts=3, ...): replay the test's recorded conversation, judge it against the "
    "contracts, and fail if an answer breaks them or a retry does not feed back what was wrong."
)
MARKED: pytest.StashKey[bool] = pytest.StashKey()
"""On items with our marker. Set at collection, and looked up in every hook."""
VCR: pytest.StashKey[bool] = pytest.StashKey()
"""On items of an existing suite under `@pytest.mark.vcr`, if planguard judges them."""
RESULTS: pytest.StashKey[Results] = pytest.StashKey()
"""The rows of this run, in the controlling process; absent until the first row."""

_RUNNING: list[pytest.Item] = []
"""The item that each session of this process sets up or runs now, innermost last."""


class HookSpecs:
    """Hooks that a conftest or another plugin may implement."""

    @pytest.hookspec(historic=True)
    def pytest_planguard_register(self, registry: object) -> None:
        """Add constraint types, dialects, normalisers or wordings to planguard's tables.

        pytest calls each implementation once, as soon as its conftest or plugin is loaded: before the test modules that
        use its additions. `registry` is a `pytest_planguard.extend.Registrations`.
        """


class _LazyRegistry:
    """A proxy that loads the registry on first use."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def __getattr__(self, name: str) -> Any:
        from ..runs.load.registrations import Registrations

        return getattr(Registrations(self._config), name)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare our hooks."""
    pluginmanager.add_hookspecs(HookSpecs)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the `--planguard-*` options and the `planguard_*` ini values."""
    options.add(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker and check the ini values, so that a typo ends the run before any test."""
    config.addinivalue_line("markers", MARKER_HELP)
    settings = options.settings_of(config)
    config.hook.pytest_planguard_register.call_historic(kwargs={"registry": _LazyRegistry(config)})
    if settings.vcr != "off":
        from .vcr_suite import check_extra

        check_extra(settings)
    if settings.prices:
        from .results.rows import prices_of

        prices_of(config)
    if settings.plan_files:
        from .plan_items import PlanFiles

        config.pluginmanager.register(PlanFiles(config), PLAN_FILES)
    if settings.baseline is not None:
        from .results.baseline import PLUGIN, KnownFailures

        config.pluginmanager.register(KnownFailures(config), PLUGIN)


def pytest_report_header(config: pytest.Config) -> str:
    """Return one line: version, match mode, record mode, variant."""
    settings = options.settings_of(config)
    recording = "record none (replay only)" if settings.record == "none" else f"record {settings.record}"
    variant = settings.variant or settings.default_variant
    said = [f"match {settings.match or settings.default_match}", recording]
    said += [f"variant {variant}"] if variant else []
    return f"planguard: {__version__}, {', '.join(said)}"


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Watch for requests before the import of the first module that may have a marked test."""
    content = b""
    with suppress(OSError):  # pytest names a file that cannot be read
        content = module_path.read_bytes()
    if MARKER.encode() in content:
        from .recording.outside import watch_outside

        watch_outside(parent.config)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a marked test its cassette; it needs no fixture."""
    marks = [*item.iter_markers(MARKER)]
    if marks:
        from .marked_tests import attach

        item.stash[MARKED] = True
        attach(item, marks)
    elif options.settings_of(item.config).reads_vcr and item.get_closest_marker("vcr") is not None:
        item.stash[VCR] = True


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note that only part of the suite runs, so that no cassette is reported as unused."""
    if items and any(MARKED in item.stash for item in items):
        from .recording.unused_cassettes import DESELECTED

        items[0].config.stash[DESELECTED] = True


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Explain an import error that comes from a marker whose only argument is a class."""
    report = yield
    if report.failed and MARKER in str(report.longrepr):
        from .marker.marker import explain

        explain(report)
    return report


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse markers that cannot work, find unused cassettes and prepare the guards. All tests are known by now."""
    if any(MARKED in item.stash for item in session.items):
        from .fixtures.fixture_guards import watch_setups
        from .marked_tests import keep_guards, verify
        from .recording.open_recording import import_early, watch_shared

        verify(session)
        import_early(session)
        watch_setups(session)
        watch_shared(session)
        keep_guards(session.config)


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a case for each model that a marker names, and for each case of its file."""
    if metafunc.definition.get_closest_marker(MARKER) is not None:
        from .marker.cases import one_case_each, one_item_each

        one_item_each(metafunc)
        one_case_each(metafunc)


@pytest.fixture
def planguard_model(request: pytest.FixtureRequest) -> str:
    """The model of this case: one of the marker's `models`."""
    from .marker.cases import parameter_of

    return parameter_of(request)


@pytest.fixture
def planguard_case(request: pytest.FixtureRequest) -> Any:
    """The labelled case of this test: `name`, `input`, `expected`, `tags`, from the file that `cases=` names."""
    from .marker.cases import case_of

    return case_of(request)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Note the test being set up, for the fixture. Sessions nest: the test of a plugin runs pytest inside a test."""
    __tracebackhide__ = True
    if _RUNNING and _RUNNING[-1].session is item.session:
        _RUNNING[-1] = item
    else:
        _RUNNING.append(item)
    if MARKED in item.stash:
        from .recording.open_recording import before_set_up

        before_set_up(item)
    return (yield)


@pytest.fixture
def planguard() -> Iterator[Planguard]:
    """The contracts and the cassette of this test: `check`, `converge`, `aconverge`, `judge`, `conversation`."""
    from .fixtures.fixture import close, opened_before, set_up, set_up_once_more

    # Avoid `request`: pytest creates a definition of it for each test, which takes a tenth of a small test's time.
    item = _RUNNING[-1]
    opened = opened_before(item)
    if opened is None:
        yield set_up(item)
        close(item)
    else:
        with set_up_once_more(item):
            yield opened


@pytest.fixture
def planguard_endpoint(planguard: Planguard) -> Any:  # noqa: ARG001 - the cassette must be open
    """The model endpoint for child processes and clients of any language: `url()`, `environment`, `variables`."""
    from .fixtures.fixture import endpoint_of

    return endpoint_of(_RUNNING[-1])


@pytest.fixture
def planguard_snapshot(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A snapshot of data beside the test: `assert value == planguard_snapshot`. Needs the extra `[snapshot]`."""
    _require_syrupy()
    from .snapshot import opened_snapshot

    with opened_snapshot(request) as snapshot:
        yield snapshot


SYRUPY = 7
"""The first major version of syrupy that supports our extension."""


def _require_syrupy() -> None:
    """Fail the test with an install command if syrupy is missing or too old."""
    from importlib.metadata import PackageNotFoundError, version

    install = 'pip install "pytest-planguard[snapshot]"'
    try:
        found = version("syrupy")
    except PackageNotFoundError:
        pytest.fail(f"planguard_snapshot needs syrupy, which is not installed: {install}", pytrace=False)
    if int(found.partition(".")[0]) < SYRUPY:
        pytest.fail(f"planguard_snapshot needs syrupy {SYRUPY} or later, and {found} is here: {install}", pytrace=False)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Judge the conversations right after the test function, as part of the test."""
    if MARKED not in item.stash and VCR not in item.stash:
        return (yield)
    if VCR in item.stash:
        from .vcr_suite import around as judged

        return (yield from judged(item))
    from .marked_tests import around

    return (yield from around(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Render our failures in the process that ran the test, and attach the row."""
    if MARKED not in item.stash:
        report = yield
        if VCR in item.stash:
            from .vcr_suite import complete as add_judgement

            add_judgement(report, item, call)
        return report
    from .results.reporting import complete, represent, settle_times

    settle_times(item, call)
    if call.excinfo is not None and call.when == "call":
        represent(item, call.excinfo.value)
    report = yield
    if report.when != "setup" or not report.passed:  # a set-up that passed has no result yet
        complete(report, item, call)
    return report


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: object) -> None:
    """Remember the pytest-timeout settings of a marked test, so that a rerun gets as much time as the first run."""
    if MARKED in item.stash:
        from .rerun.other_plugins import keep_timer

        keep_timer(item, settings)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Forget the last test."""
    if _RUNNING and _RUNNING[-1].session is session:
        _RUNNING.pop()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """In the controlling process, start to collect the rows of all tests."""
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(_Controller(session.config), "planguard-controller")


class _Controller:
    """Collects rows from reports, and passes them on at the end of the run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the row of a report, if there is one."""
        row = getattr(report, "planguard_row", None)
        if isinstance(row, str) and type(report) is pytest.TestReport:
            self._results().add(report.nodeid, row)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: object) -> None:
        """Ask an xdist worker to look for unused cassettes."""
        from .recording.unused_cassettes import ask_for_orphans

        ask_for_orphans(node)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take the unused cassettes and the versions that an xdist worker found.

        Raises pytest.UsageError for markers that cannot work.
        """
        from .marker.marker import take_wrong_markers
        from .recording.unused_cassettes import take_orphans

        take_wrong_markers(node)
        take_orphans(node)
        if RESULTS in self._config.stash:
            from .results.rows import take_versions

            take_versions(node)

    def _results(self) -> Results:
        found = self._config.stash.get(RESULTS, None)
        if found is None:
            from .results.results import Results

            found = self._config.stash[RESULTS] = Results(self._config)
        return found

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep the run, if any test was marked."""
        results = self._config.stash.get(RESULTS, None)
        if results is not None:
            results.finish(session)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the section, if any test was marked, and what the user may have meant otherwise."""
        results = self._config.stash.get(RESULTS, None)
        name = options.settings_of(self._config).save
        plans = self._config.pluginmanager.get_plugin(PLAN_FILES)
        said = [] if plans is None else [*plans.unmatched()]
        if results is not None:
            results.print(terminalreporter)
        elif name is not None:
            said.append(f"planguard: no marked test ran, so nothing was kept as {name!r}")
        if said:
            from .results.terminal import write_line

            for line in said:
                write_line(terminalreporter, line, yellow=True)
