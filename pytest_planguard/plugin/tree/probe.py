"""Report what a tree demands: its contracts, its marked tests with their markers, its settings.

It runs in a separate process in the tree's folder: `python -m pytest_planguard.plugin.tree.probe QUESTION ANSWER`, two
JSON files.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from ...contract import Contract
from ...errors import UsageError
from ...retry.judging.judging_options import DEFAULT_STATUS
from ...runs.load.contracts import load_contracts
from ...runs.model.codec import read_row, row_text
from ...runs.weakened.tree_facts import SPEC, Held, Question, Setting, TestFacts, TreeFacts
from ..marker.cases import reference_of
from ..marker.marker import MARKER
from ..marker.marker import SPEC as MARKED
from ..options import settings_of
from .contract_facts import code_digest, contract_facts
from .isolation import file_in, search_first, strangers, without_network

HOOKS = (
    "pytest_runtest_protocol",
    "pytest_runtestloop",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_pyfunc_call",
    "pytest_runtest_makereport",
    "pytest_report_teststatus",
    "pytest_sessionfinish",
    "pytest_unconfigure",
    "pytest_cmdline_main",
)
"""Hooks that can keep a failing test from running or from counting."""
STOPS = ("skip", "importorskip", "xfail", "SkipTest", "skipTest")
"""Names in the code of a test that show that it skips itself."""
ERROR = 200
"""Maximum characters of an error."""


class Probe:
    """A pytest plugin that examines the collected tests."""

    def __init__(self, question: Question, tree: Path) -> None:
        self._question = question
        self._tree = tree
        self._labels: dict[int, str] = {}
        self._contracts: dict[str, Contract[object]] = {}
        self._tests: dict[str, TestFacts] = {}
        self._settings: dict[str, Setting] = {}
        self._hooks: dict[str, None] = {}
        self._code: dict[str, str] = {}
        self._problems: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a collection error."""
        if report.failed:
            last = str(report.longrepr).strip().rpartition("\n")[2]
            self._problems.append(f"{report.nodeid or 'the tests'} cannot be collected: {last[:ERROR]}")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Examine the tests that would run."""
        config = session.config
        with suppress(KeyError):  # planguard is disabled
            self._settings = {name: _plain(value) for name, value in settings_of(config)._asdict().items()}
            self._settings |= {"xfail_strict": bool(config.getini("xfail_strict"))}
            self._settings |= {"addopts": list(config.getini("addopts"))}
        self._load()
        for item in session.items:
            if item.get_closest_marker(MARKER) is not None or type(item).__module__.startswith("pytest_planguard."):
                self._tests[item.nodeid] = self._test(item)
        for plugin in config.pluginmanager.get_plugins():
            self._note_plugin(plugin)

    def facts(self) -> TreeFacts:
        """Return the findings, and how the base's contracts compare with these."""
        if not self._question.collect:
            self._load()
        foreign = strangers(self._question.elsewhere)
        if foreign:
            self._problems.append(f"{foreign[0]} was imported from the other tree: {self._question.elsewhere}")
        answers = self._question.answers
        found = {label: contract_facts(one, answers, self._tree) for label, one in self._contracts.items()}
        held = tuple(self._held()) if self._question.base is not None else ()
        return TreeFacts(
            found, self._tests, self._settings, tuple(self._hooks), self._code, held, tuple(self._problems)
        )

    def _load(self) -> None:
        """Load the contracts of the command line. pytest's plugins come first, because they may change them."""
        for number, spec in enumerate(self._question.contracts, 1):
            try:
                (contract,) = load_contracts([spec])
            except UsageError as error:
                self._problems.append(str(error)[:ERROR])
            else:
                self._label(contract, f"{SPEC} {number}")

    def _label(self, contract: Contract[object], label: str) -> str:
        """Return the label of a contract, which is the first one it got."""
        known = self._labels.setdefault(id(contract), label)
        self._contracts.setdefault(known, contract)
        return known

    def _test(self, item: pytest.Item) -> TestFacts:
        spec = item.stash.get(MARKED, None)
        contracts = spec.contracts if spec is not None else ()
        labels = tuple(self._label(one, f"{item.nodeid}#{number}") for number, one in enumerate(contracts, 1))
        settings = {} if spec is None else {name: _plain(value) for name, value in spec._asdict().items()}
        checks: Mapping[str, str] = (spec.checks if spec is not None else None) or {}
        settings |= {f"checks.{name}": str(checks.get(name, usual)) for name, usual in DEFAULT_STATUS.items()}
        if spec is not None:
            settings["match"] = spec.match or settings_of(item.config).default_match
        settings |= {"checks": None, "contracts": None, "inputs": None, "key": None, "expected": _expected(item)}
        return TestFacts(labels, settings, tuple(_held_back(item)))

    def _note_plugin(self, plugin: object) -> None:
        module = sys.modules.get(getattr(plugin, "__name__", ""))
        path = file_in(module, self._tree)
        if path is None or not inspect.ismodule(plugin):
            return
        name = path.relative_to(self._tree).as_posix()
        self._code[name] = code_digest(path)
        self._hooks |= {f"{name}: {hook}": None for hook in HOOKS if hasattr(plugin, hook)}

    def _held(self) -> Iterator[Held]:
        base = self._question.base
        assert base is not None
        for old, new in dict.fromkeys(self._pairs(base)):
            before, contract = base.contracts[old], self._contracts[new]
            accepts = tuple(text for text in before.refused if contract.check(text, located=False).ok)
            refuses = tuple(text for text in before.accepted if not contract.check(text, located=False).ok)
            yield Held(old, new, accepts, refuses)

    def _pairs(self, base: TreeFacts) -> Iterator[tuple[str, str]]:
        """Yield the labels of corresponding contracts: in a test, by name, else by position."""
        yield from (
            (label, label) for label in base.contracts if label.startswith(f"{SPEC} ") and label in self._contracts
        )
        for name, test in base.tests.items():
            now = self._tests.get(name)
            names = {self._contracts[label].name: label for label in (now.contracts if now is not None else ())}
            for number, old in enumerate(test.contracts):
                same = names.get(base.contracts[old].name)
                if same is None and now is not None and number < len(now.contracts):
                    same = now.contracts[number]
                if same is not None:
                    yield old, same


def _plain(value: object) -> Setting:
    """Return a setting that can be written and compared: a list for several words, a string for any other object."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return sorted(map(str, value))
    return str(value) if isinstance(value, Path) else type(value).__name__


def _expected(item: pytest.Item) -> str | None:
    """Return the expected value of a test's labelled case, as its repr."""
    reference = reference_of(item)
    return None if reference is None else repr(reference.load().expected)[:ERROR]


def _held_back(item: pytest.Item) -> Iterator[str]:
    """Yield what may keep a failure of the test from counting."""
    for name in ("skip", "skipif", "xfail"):
        yield from (f"{name}({', '.join(map(repr, mark.args))[:ERROR]})" for mark in item.iter_markers(name))
    info: object = getattr(item, "_fixtureinfo", None)
    fixtures = [found[-1].func for found in getattr(info, "name2fixturedefs", {}).values() if found]
    for function in (getattr(item, "function", None), *fixtures):
        code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
        if code is not None and "site-packages" not in code.co_filename:
            yield from (f"{name}() in {code.co_name}" for name in STOPS if name in code.co_names)


def answer(question: Question, tree: Path) -> TreeFacts:
    """Examine the tree in the working directory."""
    search_first(question.paths, tree, question.elsewhere)
    without_network()
    probe = Probe(question, tree)
    if question.collect:
        code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider"], plugins=[probe])
        if code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
            return TreeFacts(problems=(f"pytest cannot collect: exit code {int(code)}",))
    return probe.facts()


def main(question: str, answered: str) -> None:
    """Read the question from one file, and write the answer to the other."""
    asked = read_row(Question, Path(question).read_bytes())
    Path(answered).write_text(row_text(answer(asked, Path.cwd().resolve())), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
