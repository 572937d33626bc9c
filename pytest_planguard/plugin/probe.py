"""Report what a tree demands: its contracts, its marked tests with their markers, its settings.

It runs in a separate process in the tree's folder: `python -m pytest_planguard.plugin.probe QUESTION ANSWER`, two
JSON files.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from ..contract import Contract
from ..contract.calls import CallRule
from ..contract.finding import Severity
from ..contract.strength.evidence import GoodAnswer, evidence_of
from ..contract.strength.measure import all_mutants
from ..errors import UsageError
from ..retry.judging.judging_options import DEFAULT_STATUS
from ..runs.gate.tree_facts import SPEC, ContractFacts, Held, Part, Question, Setting, TestFacts, TreeFacts
from ..runs.load.contracts import load_contracts
from ..runs.model.codec import read_row, row_text
from .marker.cases import reference_of
from .marker.marker import MARKER
from .marker.marker import SPEC as MARKED
from .options import settings_of

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
MOST_ANSWERS = 200
"""Recorded answers to check a contract on."""
SEEDS = 20
"""Good answers to make mutants from."""
MOST_MUTANTS = 400
"""Mutants to check the contract on."""
MOST_MODULES = 200
"""Modules to search for the parts of a contract."""


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
        ours: Mapping[str, object] = {}
        with suppress(ValueError):  # planguard is disabled, and its settings are unknown
            ours = settings_of(config)._asdict()
        self._settings = {name: _plain(value) for name, value in ours.items()}
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
        hooks, code = tuple(sorted(self._hooks)), dict(sorted(self._code.items()))  # pytest keeps plugins in a set
        return TreeFacts(found, self._tests, self._settings, hooks, code, held, tuple(self._problems))

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
        # Sorted: a set has another order in each process, and the two trees are asked in two.
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


# Each contract becomes facts that another process can compare: schema, rules, code, and its verdicts on answers.


def contract_facts(contract: Contract[object], answers: Sequence[str], tree: Path) -> ContractFacts:
    """Return the comparable facts of a contract. `answers` are recorded answers of any contract."""
    verdicts = [contract.check(answer, located=False) for answer in answers[:MOST_ANSWERS]]
    accepted = [verdict for verdict in verdicts if verdict.ok]
    refused = [verdict.text for verdict in verdicts if not verdict.ok]
    seeds = [GoodAnswer(str(number), verdict.data) for number, verdict in enumerate(accepted[:SEEDS])]
    return ContractFacts(
        contract.name,
        contract.json_schema,
        {tool: schema for rule in contract.calls for tool, schema in _arguments(rule)},
        tuple(_parts(contract)),
        {str(path.relative_to(tree)): code_digest(path) for path in _files(contract, tree)},
        (*refused, *_refused_mutants(contract, seeds)),
        tuple(verdict.text for verdict in accepted),
    )


def _refused_mutants(contract: Contract[object], seeds: Sequence[GoodAnswer]) -> Iterator[str]:
    made = (
        mutant.of(seeds[mutant.answer].data) for group in all_mutants(seeds, evidence_of(seeds)) for mutant in group
    )
    for data in islice(made, MOST_MUTANTS):
        text = json.dumps(data, ensure_ascii=False, default=str)
        if not contract.check(text, located=False).ok:
            yield text


def _arguments(rule: CallRule) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield each tool of a call rule with the schema that the rule demands for its arguments."""
    schema = getattr(getattr(rule, "args", None), "json_schema", None)
    if isinstance(schema, dict):
        yield str(getattr(rule, "tool", "")), schema


def _parts(contract: Contract[object]) -> Iterator[Part]:
    for rule in contract.constraints:
        about = f"{rule.constraint_type} at {rule.field or 'the whole answer'}"
        yield Part("constraint", about, _text(dict(rule.params)), Severity(rule.severity).rank)
    for number, check in enumerate(contract.rules):
        yield Part(
            "rule", str(getattr(check, "__qualname__", None) or getattr(check, "code", None) or _kind(check, number))
        )
    for call in contract.calls:
        yield Part("call", " ".join(map(str, (type(call).__name__, getattr(call, "tool", "")))).strip(), str(call))
    for field, how in (contract.compare or {}).items():
        yield Part("compare", field, repr(how))
    options = ("strict", "extract", "wrap_list", "format", "judged", "argument")
    yield from (Part("option", name, getattr(contract, name)) for name in options)


def _kind(check: object, number: int) -> str:
    return f"{type(check).__name__} {number + 1}"


def _text(value: object) -> str:
    return json.dumps(
        value,
        sort_keys=True,
        ensure_ascii=False,
        default=lambda one: sorted(map(str, one)) if isinstance(one, set | frozenset) else str(type(one)),
    )


def _files(contract: Contract[object], tree: Path) -> list[Path]:
    """Return the files of the tree that a contract needs: those of its schema and rules, and what these use."""
    made_of = [contract.schema, *contract.rules, *(getattr(call, "args", None) for call in contract.calls)]
    waiting = [module for thing in made_of for module in _modules([thing, getattr(thing, "func", None)])]
    found: dict[Path, None] = {}
    while waiting and len(found) < MOST_MODULES:
        module = waiting.pop()
        path = file_in(module, tree)
        if path is not None and path not in found:
            found[path] = None
            waiting += _modules(vars(module).values())
    return sorted(found)


def _modules(values: Iterable[object]) -> Iterator[ModuleType]:
    for value in [*values]:
        name = getattr(value, "__module__", None)
        module = value if isinstance(value, ModuleType) else sys.modules.get(name) if isinstance(name, str) else None
        if module is not None:
            yield module


def file_in(module: ModuleType | None, tree: Path) -> Path | None:
    """Return the file of a module if it belongs to the tree and is not installed, else None."""
    found = getattr(module, "__file__", None)
    if not isinstance(found, str):
        return None
    path = Path(found)
    installed = "site-packages" in path.parts or path.is_relative_to(sys.prefix)
    return path if path.is_relative_to(tree) and not installed else None


def code_digest(path: Path) -> str:
    """Return a digest of the code in a file, which ignores comments, empty lines and layout."""
    try:
        content = path.read_bytes()
        said = ast.dump(ast.parse(content)).encode()
    except (OSError, SyntaxError, ValueError, RecursionError):
        said = path.read_bytes() if path.is_file() else b""
    return hashlib.sha256(said).hexdigest()[:16]


# The process gets no network, and no module of the other tree.

_CONNECTS = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo")
_HERE = ("127.0.0.1", "::1", "localhost")


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    """Raise OSError if an event connects to another machine.

    The address follows a socket in the arguments; for a lookup, the host name comes first.
    """
    if event not in _CONNECTS:
        return
    address = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = address[0] if isinstance(address, tuple) else address if event == "socket.getaddrinfo" else None
    if host is not None and host not in _HERE:
        raise OSError(f"{event}: code of a tree is imported without network")


def search_first(paths: tuple[str, ...], tree: Path, elsewhere: str) -> None:
    """Search these folders first for modules, including packages that an editable installation maps to a folder."""
    sys.path[:0] = [path for path in paths if path not in sys.path]
    if not elsewhere:
        return
    for name, module in [*sys.modules.items()]:
        found: object = getattr(module, "MAPPING", None) if name.startswith("__editable__") else None
        mapping: dict[str, str] = found if isinstance(found, dict) else {}
        for package, folder in [*mapping.items()]:
            if Path(folder).is_relative_to(elsewhere):
                mapping[package] = str(tree / Path(folder).relative_to(elsewhere))


def strangers(elsewhere: str) -> tuple[str, ...]:
    """Return the modules that come from the other tree, sorted.

    If there are any, the facts would describe that tree.
    """
    if not elsewhere:
        return ()
    other = Path(elsewhere)
    found = (name for name, module in [*sys.modules.items()] if file_in(module, other) is not None)
    return tuple(sorted(name for name in found if not name.startswith("pytest_planguard")))


def answer(question: Question, tree: Path) -> TreeFacts:
    """Examine the tree in the working directory."""
    search_first(question.paths, tree, question.elsewhere)
    sys.addaudithook(_refuse)  # imported code cannot undo this
    probe = Probe(question, tree)
    if question.collect:
        # The tree may be the user's working tree: leave no .pytest_cache there.
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
