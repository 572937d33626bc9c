"""The tests of a mutant, the likeliest to notice it first."""

from __future__ import annotations

import re
from pathlib import Path

from .sites import Function, Mutant
from .tests_of_lines import TestsOfLines
from .uses import Uses

FEW = 10
"""Tests of a line below which all tests of its file are run as well: a cached line counts for the first test only."""

_WHOLE = "as_before"
"""In the names of tests that pin whole texts: each of them notices what many others do."""

_PAGES = frozenset({"tests/report/explain/test_everything_is_explained.py", "tests/plans/test_catalogue.py"})
"""Files of tests that compare pages with tables, which are read when a module is loaded and run no line of it later."""


class Choice:
    """Chooses the tests of mutants."""

    def __init__(self, root: Path, tests: TestsOfLines) -> None:
        self._root, self._tests, self._uses = root, tests, Uses(root)
        self._texts: dict[str, str] = {}

    def of(self, mutant: Mutant, function: Function | None) -> list[str]:
        """Return the tests of a mutant: those that run the place, the nearest and quickest first."""
        exact = self._exact(mutant, function)
        if function is None:
            exact = exact | {name for name in self._tests.seconds if _shows_tables(name, mutant.path)}
        names = exact | self._tests.of_file(mutant.path) if len(exact) < FEW else exact
        seconds, literal = self._tests.seconds, _literal(mutant)
        speaking = {file for file in {_file(name) for name in names} if literal and literal in self._text(file)}

        def order(name: str) -> tuple[bool, bool, bool, bool, int, float, str]:
            near = _distance(name, mutant.path)
            return (
                _file(name) not in speaking,
                name not in exact,
                _file(name) not in _PAGES,
                _WHOLE not in name,
                near,
                round(seconds[name], 2),
                name,
            )

        return _mixed(sorted(names, key=order), mutant.path)

    def _text(self, file: str) -> str:
        """Return the text of a file of tests, and of the data below its folder."""
        if file not in self._texts:
            path = self._root / file
            data = [one for one in path.parent.rglob("*") if one.suffix in (".txt", ".tsv", ".md", ".json", ".yaml")]
            self._texts[file] = "\n".join(one.read_text("utf-8", "replace") for one in (path, *sorted(data)))
        return self._texts[file]

    def _exact(self, mutant: Mutant, function: Function | None) -> set[str]:
        if function is None:
            places = self._uses.of(mutant.path, mutant.line)
            return set().union(*(self._tests.of_line(*place) for place in places))
        for line in range(mutant.line, function[1], -1):  # coverage tells a statement of several lines by its first
            if names := self._tests.of_line(mutant.path, line):
                return names
        return set()


def _shows_tables(test: str, path: str) -> bool:
    """Return whether a test compares what tables of a module's package say: which lines it runs does not tell."""
    return _file(test) in _PAGES or (_WHOLE in test and Path(test).parts[1] == Path(path).parts[1])


def _file(test: str) -> str:
    return test.partition("::")[0]


def _literal(mutant: Mutant) -> str:
    """Return the beginning of the text that a mutant alters: tests that say it are the likeliest to notice."""
    quoted = re.match(r"(['\"])(?P<text>[^'\"\\]{3,24})", mutant.what)
    return quoted["text"] if quoted and " to " in mutant.what else ""


def _mixed(names: list[str], path: str) -> list[str]:
    """Return tests in an order that tries one of each file early: the near ones may all ask the same."""
    seen: set[str] = set()
    first, rest = [], []
    for name in names:
        file = _file(name)
        near = _distance(name, path) == 0
        (first if near or file not in seen else rest).append(name)
        seen.add(file)
    return [*first, *rest]


def _distance(test: str, path: str) -> int:
    """Return 0 for a test of the module's own file, 1 of its folder, 2 of its package, 3 of another one."""
    file = Path(test.partition("::")[0])
    module = Path(path)
    own = Path("tests", *module.parent.parts[1:])
    if file.parent == own and (file.stem == f"test_{module.stem}" or file.stem.removeprefix("test_") in module.stem):
        return 0
    return 1 if file.is_relative_to(own) else 2 if file.parts[1] == own.parts[1] else 3


def of_few_files(names: list[str], most: int) -> list[str]:
    """Return the tests that are in the first `most` files of tests."""
    files = list(dict.fromkeys(_file(name) for name in names))[:most]
    return [name for name in names if _file(name) in files]
