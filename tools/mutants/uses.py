"""The uses of a module's names: the lines that show a change of load-time code."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

Place = tuple[str, int]
"""A file relative to the root of the repository, and a line."""
_DEPTH = 3
"""How far to follow tables that are made of other tables."""


class Uses:
    """The lines of functions that use a name, and the names that load-time code makes of a name."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def of(self, path: str, line: int) -> set[Place]:
        """Return the lines that run what a module's line makes: a table's readers, or a class or function body."""
        places: set[Place] = set()
        for statement in self._at(path, line):
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                places |= {(path, n) for n in range(statement.lineno + 1, (statement.end_lineno or 0) + 1)}
        return places | self._readers(self.names(path, line))

    def names(self, path: str, line: int) -> set[str]:
        """Return the names that the statement at a line defines: "HOP_BY_HOP"."""
        return {name for statement in self._at(path, line) for name in _bound(statement)}

    def _at(self, path: str, line: int) -> list[ast.stmt]:
        tree = ast.parse((self._root / path).read_text("utf-8"))
        return [one for one in tree.body if first_line(one) <= line <= (one.end_lineno or one.lineno)]

    def _readers(self, names: set[str]) -> set[Place]:
        known = set(names)
        for _ in range(_DEPTH):
            known |= {made for name in known for made in self._index[1].get(name, ())}
        return {place for name in known for place in self._index[0].get(name, ())}

    @cached_property
    def _index(self) -> tuple[dict[str, set[Place]], dict[str, set[str]]]:
        """The lines in functions that use each name, and the names that load-time code makes of it."""
        lines: dict[str, set[Place]] = defaultdict(set)
        made: dict[str, set[str]] = defaultdict(set)
        for file in sorted((self._root / "pytest_planguard").rglob("*.py")):
            path = file.relative_to(self._root).as_posix()
            for statement in ast.parse(file.read_text("utf-8")).body:
                within = isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                for name, line in _used(statement):
                    if within:
                        lines[name].add((path, line))
                    else:
                        made[name].update(_bound(statement))
        return lines, made


def first_line(statement: ast.stmt) -> int:
    """Return the first line of a statement, including decorators."""
    return min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a module's statement defines."""
    if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield statement.name
    for node in ast.walk(statement) if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _used(statement: ast.stmt) -> Iterator[tuple[str, int]]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute):
            yield node.attr, node.lineno
