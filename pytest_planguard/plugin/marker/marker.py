"""Read `@pytest.mark.planguard(...)`, and merge the markers of one test.

If the only argument is a class, pytest applies the marker to that class, and then calls the class with the test. This
fails during import with an unhelpful message.
"""

from __future__ import annotations

import re
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

from ...contract import Contract
from ...errors import UsageError
from ..options import settings_of
from .cases import model_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...plan_search.step import SearchConfig
    from ...retry.judging.judging_options import JudgeOptions


MARKER = "planguard"
SPEC: pytest.StashKey[Spec] = pytest.StashKey()
"""The merged markers of a collected test."""
REFUSED: pytest.StashKey[str] = pytest.StashKey()
"""Why a test cannot run. Set in an xdist worker."""


UNSET = object()


class Spec(NamedTuple):
    """The merged markers of a test. The nearest marker wins: function before class before module."""

    contracts: tuple[Contract, ...]
    max_attempts: int
    mode: str | None = None
    """ "observed": the app owns the loop; "driven": the test must call `converge`; "check": no cassette; None: any."""
    match: str | None = None
    cassette: str | None = None
    """Path of an existing cassette, relative to the test file, or absolute."""
    key: str | None = None
    inputs: Any = UNSET
    """The declared input. `UNSET` uses the parametrize arguments."""
    must_feed_back: Literal["app", "contract"] = "app"
    coverage: Literal["all", "first", "any"] = "all"
    weakest: str = "weak"
    """The weakest grade that still counts as fed back."""
    unclear: str = "warn"
    """The status of unclear findings, from the ini file: "warn" or "fail"."""
    known_wordings: bool = True
    """True to recognise the wordings that frameworks use for feedback."""
    copy_check: bool = False
    """True to treat a valid last answer as a false convergence if it copies an example or the feedback."""
    escalates: tuple[str, ...] = ()
    """Allowed targets of an escalation: names of models or tools, or words of a final message."""
    variant: str | None = None
    models: tuple[str, ...] = ()
    """The models, each of which makes a separate case; () if the marker names none."""
    model: str | None = None
    """The model of this case."""
    cases: str | None = None
    """The file of labelled cases, relative to the test's own; None if the marker names none."""
    min_score: float = 1.0
    """The minimum score, from 0 to 1, of an answer with an expected value."""
    samples: int | None = None
    """How often to run the test, each time with a separate cassette. None runs it once per recorded cassette."""
    min_pass_rate: float = 1.0
    """The share of good samples, above 0 and at most 1, that is needed to pass."""
    max_age: str | None = None
    """The age at which the cassette becomes stale, such as "90d"."""
    checks: Mapping[str, str] | None = None
    """Maps the name of a check to its status when violated, if that differs from the default."""
    redact: tuple[str, ...] | None = None
    """The parts that snapshots leave out. None uses the ini file's value."""
    endpoint: bool | None = None
    """True to route child processes to the endpoint. None does so unless `planguard_processes` is "allow"."""
    commands: tuple[str, ...] = ()
    """Names of commands to record and replay: `claude`."""
    tape_files: tuple[str, ...] | None = None
    """Patterns of files to record with each run of a command. None uses the ini file's value."""
    tape_environment: tuple[str, ...] | None = None
    """Names of environment variables to record with each run of a command. None uses the ini file's value."""
    task: str | None = None
    """The pipeline task that the test belongs to."""
    search: SearchConfig | None = None
    """The budgets for `planguard.search`. None uses the defaults."""
    contract_from: str | None = None
    """The name of the fixture that returns the contracts. None if the marker or the calls give them."""
    prove: bool | None = None
    """True to prove feedback by a rerun despite the test's fixtures, False to never do so. None uses the ini file's
    value."""

    @property
    def options(self) -> JudgeOptions:
        """The options for judging this test's conversations."""
        from ...retry.judging.judging_options import DEFAULT_STATUS, JudgeOptions
        from ...retry.outcomes import CheckStatus, Firmness

        return JudgeOptions(
            self.max_attempts,
            self.coverage,
            self.must_feed_back,
            weakest=Firmness(self.weakest),
            unclear=CheckStatus(self.unclear),
            statuses={**DEFAULT_STATUS, **{name: CheckStatus(s) for name, s in (self.checks or {}).items()}},
            known_wordings=self.known_wordings,
            copy_check=self.copy_check,
            escalates=self.escalates,
        )


_SPECS: pytest.StashKey[dict[tuple[str | int | None, ...], tuple[Sequence[pytest.Mark], Spec]]] = pytest.StashKey()
"""Caches the spec per model and marks, for the cases of a test. Keeps the marks alive, so that their ids stay
unique."""


def read_marker(item: pytest.Item, marks: Sequence[pytest.Mark]) -> Spec:
    """Return the spec of a test from its marks, nearest first.

    Raises:
        UsageError: the marker's arguments cannot work.
    """
    known = item.config.stash.setdefault(_SPECS, {})
    shared = (model_of(item), *map(id, marks))
    if shared in known:
        return known[shared][1]
    contracts: tuple[object, ...] = ()
    arguments: dict[str, object] = {}
    for mark in marks:
        contracts = contracts or mark.args
        arguments = {**mark.kwargs, **arguments}
    spec = _spec(item, contracts, arguments)
    if spec.key is None and spec.contracts:  # without contracts, the result depends on the test
        known[shared] = (marks, spec)
    return spec


def location(item: pytest.Item) -> str:
    """Return the place of a test: 'tests/test_app.py:12'. The line is 1-based."""
    path, line, _ = item.reportinfo()
    try:
        shown = item.config.rootpath and str(path).removeprefix(f"{item.config.rootpath}/")
    except TypeError:
        shown = str(path)
    return f"{shown}:{(line or 0) + 1}"


def _spec(item: pytest.Item, contracts: tuple[object, ...], arguments: Mapping[str, object]) -> Spec:
    read: dict[str, Any] = {}
    if arguments:
        from .marker_arguments import read_arguments

        read = read_arguments(arguments)
    settings, model = settings_of(item.config), model_of(item)
    if "models" in read and model is None:
        raise UsageError("models= needs a test function of pytest: a unittest method has no parameters")
    own = {"max_attempts": settings.max_attempts, **read, "key": _key(item, read.get("key"))}
    return Spec(_contracts(item, contracts, arguments), model=model, unclear=settings.unclear, **own)


def _asks_for_planguard(item: pytest.Item) -> bool:
    """Return True if a test requests the fixture itself, so that its calls may name the contract."""
    function = getattr(item, "function", None)
    return function is not None and MARKER in signature(function).parameters


def _contracts(item: pytest.Item, given: tuple[Any, ...], arguments: Mapping[str, Any]) -> tuple[Contract, ...]:
    if not given and ("contract_from" in arguments or _asks_for_planguard(item)):
        return ()
    if not given:
        raise UsageError("it has no contract. Write @pytest.mark.planguard(CONTRACT), for example Contract(Ticket)")
    for one in given:
        # Refuse a bare model instead of wrapping it: @mark(Model) alone would decorate the model, not the test.
        if not isinstance(one, Contract):
            name = one.__name__ if isinstance(one, type) else "..."
            raise UsageError(f"{one!r:.80} is not a contract. Write Contract({name})")
    return given


def _key(item: pytest.Item, key: str | Callable[..., str] | None) -> str | None:
    """Return the case key with the test's parameters filled in: key="{ticket.id}" or key=lambda **params: ..."""
    if key is None:
        return None
    params = getattr(getattr(item, "callspec", None), "params", {})
    try:
        filled = key.format(**params) if isinstance(key, str) else key(**params)
    except Exception as error:
        names = ", ".join(params) or "none: the test is not parametrized"
        raise UsageError(
            f"key={key!r} cannot be filled ({type(error).__name__}: {error}). Parameters: {names}"
        ) from None
    if not isinstance(filled, str) or not filled.strip():
        raise UsageError(f"key gave {filled!r}; a case key must be a non-empty text")
    return filled


# `@pytest.mark.planguard(Model)` marks the class `Model`, not the test. pytest does this for any mark with a single
# class.

# "@pytest.mark.planguard(Ticket)", "@planguard(models.Ticket,)": one name alone in the parentheses.
_USE = re.compile(r"@(?:[\w.]+\.)?planguard\(\s*([A-Za-z_][\w.]*)\s*,?\s*\)")


def explain(report: pytest.CollectReport) -> None:
    """Add a hint to the report of a module that failed to import, if a marker with a bare class is the cause."""
    text = str(report.longrepr)
    used = _USE.search(text)
    if used is None or "Error" not in text:
        return
    name = used[1]
    hint = (
        f"planguard: @pytest.mark.planguard({name}) with a class alone marks that class, not the test (a rule of "
        f"pytest's marks). Write @pytest.mark.planguard(Contract({name}))"
    )
    if isinstance(getattr(report.longrepr, "longrepr", None), str):
        report.longrepr.longrepr += f"\n{hint}"  # type: ignore[union-attr] # the last line that a reader sees
    else:
        report.sections.append(("planguard", hint))


# Invalid markers are collected with the tests, and reported together at the end of collection.

PLUGIN = "planguard-wrong-markers"
SENT = "planguard_wrong_markers"
"""The key of the mistakes in an xdist worker's output to its controller."""


class _Wrong(NamedTuple):
    """One mistake, and the first test with it."""

    where: str
    test: str
    problem: str
    marks: Sequence[pytest.Mark]
    """Keeps the marks alive, so that their ids stay unique."""


class WrongMarkers:
    """The mistakes of one process. The first one registers this as a plugin, which then ends the run."""

    def __init__(self) -> None:
        self._first: dict[tuple[object, ...], _Wrong] = {}
        self._tests: dict[tuple[object, ...], int] = {}

    def add(self, item: pytest.Item, marks: Sequence[pytest.Mark], problem: str) -> None:
        """Add a problem with a test's marks. Tests that share marks, such as the cases of one test, share a line."""
        key = (problem, *map(id, marks))
        self._first.setdefault(key, _Wrong(location(item), item.nodeid, problem, marks))
        self._tests[key] = self._tests.get(key, 0) + 1

    @property
    def text(self) -> str:
        """One line per mistake. If there are several, a first line gives their number."""
        lines = [
            f"{one.where}: {one.test}{_more(self._tests[key] - 1)}: @pytest.mark.planguard: {one.problem}"
            for key, one in self._first.items()
        ]
        return lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} markers cannot work:", *lines])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """End the run before any test. A worker reports the reason instead of offering its tests to the controller.

        Raises:
            pytest.UsageError: always; the message lists every mistake.
        """
        output: dict[str, object] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[SENT] = self.text
        raise pytest.UsageError(self.text)


def take_wrong_markers(node: object) -> None:
    """Check the result of an xdist worker. All workers collect the same tests, so the first one is enough.

    Raises:
        pytest.UsageError: the worker found markers that cannot work.
    """
    text = (getattr(node, "workeroutput", None) or {}).get(SENT)
    if text is not None:
        raise pytest.UsageError(text)


def note_wrong_marker(item: pytest.Item, marks: Sequence[pytest.Mark], problem: str) -> None:
    """Add a problem to those that end the run after collection."""
    manager = item.config.pluginmanager
    wrong = manager.get_plugin(PLUGIN)
    if wrong is None:
        wrong = WrongMarkers()
        manager.register(wrong, PLUGIN)
    wrong.add(item, marks, problem)


def _more(tests: int) -> str:
    return f" and {tests} more" if tests else ""
