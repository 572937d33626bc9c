"""Choose the tests of a mutant, the most likely to notice it first."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from .effort import Effort
from .sites import Function, Mutant
from .tests_of_lines import TestsOfLines, with_data
from .uses import Uses

FEW = 10
"""Number of tests of a line below which all tests of its file run too: a cached line only counts for the first test."""

_WHOLE = "as_before"
"""Part of the names of tests that pin whole texts: each notices what many others do."""

_LAST_TIER = 4
_GROUP_S = 5.0
"""Seconds of the tests of one group that run before those of the next; a slower test waits for all groups."""
_UNIT_S = 0.05
"""Seconds of a test that checks a function or two: a hundred of these cost no more than a group may."""

_PAGES = frozenset({"tests/report/test_everything_is_explained.py", "tests/report/test_plan_text.py"})
"""Test files that compare pages with tables: tables are read when a module is loaded, and run no line later."""


class Choice:
    """Chooses the tests of mutants."""

    def __init__(self, root: Path, tests: TestsOfLines) -> None:
        self._root, self._tests, self._uses = root, tests, Uses(root)
        self._texts: dict[str, str] = {}
        self._imported: dict[str, set[str]] = {}
        self._known_ways: dict[str, defaultdict[str, frozenset[int]]] = {}

    def within(self, effort: Effort, mutant: Mutant, function: Function | None) -> list[str]:
        """Return the tests of a mutant that an effort has room for, the nearest and fastest first."""
        longest_s = 2 * effort.cpu_s  # measured with coverage, a test takes about twice as long
        return [name for name in self.of(mutant, function) if self._tests.seconds[name] <= longest_s][: effort.tests]

    def of(self, mutant: Mutant, function: Function | None) -> list[str]:
        """Return the tests of a mutant: those that run the place, the nearest and fastest first."""
        exact = self._exact(mutant, function)
        if function is None:
            own = self._uses.names(mutant.path, mutant.line)
            exact = exact | {
                name for name in self._tests.seconds if _shows_tables(name, mutant.path) or self._imports(name, own)
            }
        names = exact | self._tests.of_file(mutant.path) if len(exact) < FEW else exact
        seconds, literal = self._tests.seconds, _literal(mutant)
        speaking = {file for file in {_file(name) for name in names} if literal and literal in self._text(file)}

        tier_of = {name: self._tier(name, mutant.path, at_load=function is None) for name in names}
        if function is None:  # the test of a table repeats its words
            repeating = (name for name in exact if _file(name) in speaking and _distance(name, mutant.path) <= 1)
            tier_of.update(dict.fromkeys(repeating, 0))

        def order(name: str) -> tuple[bool, bool, int, int, float, str]:
            said, ran = _file(name) in speaking, name in exact
            return (not said, not ran, tier_of[name], _distance(name, mutant.path), round(seconds[name], 3), name)

        tiers = [sorted((name for name in exact if tier_of[name] == tier), key=order) for tier in range(_LAST_TIER)]
        early = [name for tier in tiers for name in self._first(_in_turns(tier) if function is None else tier)]
        others = self._mixed(sorted(names.difference(early), key=order), mutant.path)
        quick = self._first([name for name in others if seconds[name] <= _UNIT_S])
        further = self._first([name for name in others if _UNIT_S < seconds[name] <= _GROUP_S])
        slow = [name for name in others if seconds[name] > _GROUP_S]
        return list(dict.fromkeys([*early, *quick, *further, *slow, *others]))

    def _first(self, names: Sequence[str]) -> list[str]:
        """Return the first tests, up to the limit of a group."""
        sums = accumulate(self._tests.seconds[name] for name in names)
        return [name for name, total in zip(names, sums, strict=True) if total <= _GROUP_S]

    def _tier(self, name: str, path: str, *, at_load: bool) -> int:
        """Return the tier of a test: 0 for a test of the module's own file, then others of its folder.

        A mutant of code that runs when a module is loaded mostly changes tables, which pages and whole texts show.
        """
        near = _distance(name, path)
        if near == 0:
            return 0
        if near == 1 and self._tests.seconds[name] <= _UNIT_S:
            return 1
        if at_load and _file(name) in _PAGES:
            return 2
        return 3 if _WHOLE in name else _LAST_TIER

    def _mixed(self, names: list[str], path: str) -> list[str]:
        """Return tests in an order that tries those of the module's folder first, and one of each way through it.

        Tests that run the same lines of the module may check the same: 40 tests of one option give way to the only one
        that also runs the branch for another option.
        """
        first: list[str] = []
        rest: list[str] = []
        seen: set[frozenset[int]] = set()
        for name in names:
            way = self._ways(path)[name]
            (first if _distance(name, path) <= 1 or way not in seen else rest).append(name)
            seen.add(way)
        return [*first, *rest]

    def _ways(self, path: str) -> defaultdict[str, frozenset[int]]:
        """Return the lines of a module that each test runs."""
        if path not in self._known_ways:
            lines_of: dict[str, set[int]] = defaultdict(set)
            for line, names in self._tests.of_lines(path).items():
                for name in names:
                    lines_of[name].add(line)
            ways = {name: frozenset(lines) for name, lines in lines_of.items()}
            self._known_ways[path] = defaultdict(frozenset, ways)
        return self._known_ways[path]

    def _imports(self, name: str, own: set[str]) -> bool:
        """Return True if a test's file imports a name: its tests may compare the table itself, and run no line."""
        path = _file(name)
        if path not in self._imported:
            tree = ast.parse((self._root / path).read_text("utf-8"))
            imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
            self._imported[path] = {alias.name for one in imports for alias in one.names}
        return not own.isdisjoint(self._imported[path])

    def _text(self, file: str) -> str:
        """Return the text of a test file, and of the data below its folder."""
        if file not in self._texts:
            files = with_data(self._root / file)
            self._texts[file] = "\n".join(one.read_text("utf-8", "replace") for one in files)
        return self._texts[file]

    def _exact(self, mutant: Mutant, function: Function | None) -> set[str]:
        if function is None:
            places = self._uses.of(mutant.path, mutant.line)
            return set().union(*(self._tests.of_line(*place) for place in places))
        for line in range(mutant.line, function[1], -1):  # coverage names the first line of a long statement
            if names := self._tests.of_line(mutant.path, line):
                return names
        return set()


def _shows_tables(test: str, path: str) -> bool:
    """Return True if a test compares the contents of a package's tables, which its lines do not show."""
    return _file(test) in _PAGES or (_WHOLE in test and Path(test).parts[1] == Path(path).parts[1])


def _file(test: str) -> str:
    return test.partition("::")[0]


def _literal(mutant: Mutant) -> str:
    """Return the start of the text that a mutant alters: tests that contain it are the most likely to notice."""
    quoted = re.match(r"(['\"])(?P<text>[^'\"\\]{3,24})", mutant.what)
    return quoted["text"] if quoted and " to " in mutant.what else ""


def _in_turns(names: list[str]) -> list[str]:
    """Return the tests so that each function's first case precedes all second cases: one function may have 100."""
    turns: Counter[str] = Counter()
    turn_of = {}
    for name in names:
        function = name.partition("[")[0]
        turns[function] += 1
        turn_of[name] = turns[function]
    return sorted(names, key=lambda name: turn_of[name])


def _distance(test: str, path: str) -> int:
    """Return 0 for a test of the module's own file, 1 of its folder or name, 2 of its package, 3 otherwise."""
    file = Path(test.partition("::")[0])
    module = Path(path)
    own = Path("tests", *module.parent.parts[1:])
    if file.parent == own and (file.stem == f"test_{module.stem}" or file.stem.removeprefix("test_") in module.stem):
        return 0
    # tests/integration/recording/test_outside.py is about plugin/recording/outside.py
    if file.is_relative_to(own) or file.stem == f"test_{module.stem}":
        return 1
    return 2 if file.parts[1] == own.parts[1] else 3


def of_few_files(names: list[str], most: int) -> list[str]:
    """Return the tests in the first `most` test files."""
    files = list(dict.fromkeys(_file(name) for name in names))[:most]
    return [name for name in names if _file(name) in files]
