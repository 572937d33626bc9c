"""The mutants of a module: found in its syntax tree, numbered in order, drawn by a seed, and made on demand."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from .operators import changes

PACKAGES = ("contract", "retry", "replay", "plans", "runs", "report", "plugin", "cli")
EACH = 150
"""Mutants of each package."""
_NO_VALUES = frozenset({"annotation", "returns", "decorator_list", "type_params"})
"""Fields of a node that do not affect what runs."""
_TYPING = frozenset({"Literal", "TypeVar", "cast", "overload", "Annotated"})


Function = tuple[str, int]
"""The qualified name of a function and its first line, including decorators."""


class _Site(NamedTuple):
    """A node that may change."""

    node: ast.AST
    put: Callable[[ast.AST], None]
    """Puts another node in its place."""
    function: Function | None
    """The outermost function around it."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change of one module."""

    path: str
    """The module's file, relative to the root of the repository."""
    number: int
    """Its position among the mutants of the module, from 0."""
    line: int
    what: str
    """The change in words: "Lt to LtE"."""

    @property
    def name(self) -> str:
        """The mutant as one word, stable while the module does not change."""
        return f"{self.path}#{self.number}"


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its text."""
    tree = ast.parse((root / path).read_text("utf-8"))
    places = ((site.node, what) for site in _walk(tree, "", None) for what, _ in changes(site.node))
    return [Mutant(path, number, getattr(node, "lineno", 0), what) for number, (node, what) in enumerate(places)]


def mutated(root: Path, mutant: Mutant) -> tuple[CodeType, Function | None]:
    """Return the code of a module with one change, and the outermost function around it.

    If the change affects load-time code, there is no function.
    """
    tree = ast.parse((root / mutant.path).read_text("utf-8"))
    made = ((site, change) for site in _walk(tree, "", None) for _, change in changes(site.node))
    site, change = next(islice(made, mutant.number, None))
    site.put(ast.copy_location(change(site.node), site.node))
    return compile(ast.fix_missing_locations(tree), str(root / mutant.path), "exec"), site.function


def function_code(module: CodeType, function: Function) -> CodeType:
    """Return the code of a function from the code of its module."""
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            if (constant.co_qualname, constant.co_firstlineno) == function:
                return constant
            if function[0].startswith(f"{constant.co_qualname}."):
                try:
                    return function_code(constant, function)
                except LookupError:
                    continue
    raise LookupError(function[0])


def _walk(node: ast.AST, prefix: str, function: Function | None) -> Iterator[_Site]:
    """Yield each node below another that may change, in the order of the text."""
    if _is_typing(node):
        return
    for field, value in ast.iter_fields(node):
        if field in _NO_VALUES:
            continue
        inner, within = _scope(node, field, prefix, function)
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not _says_nothing(child):
                yield _Site(child, _setter(node, field, index if isinstance(value, list) else None), within)
                yield from _walk(child, inner, within)


def _scope(node: ast.AST, field: str, prefix: str, function: Function | None) -> tuple[str, Function | None]:
    """Return the prefix of the names in a field, and the function that contains it."""
    if field != "body" or function is not None:
        return prefix, function
    if isinstance(node, ast.ClassDef):
        return f"{prefix}{node.name}.", None
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        return prefix, (f"{prefix}{node.name}", first)
    return prefix, None


def _setter(owner: ast.AST, field: str, index: int | None) -> Callable[[ast.AST], None]:
    def put(new: ast.AST) -> None:
        if index is None:
            setattr(owner, field, new)
        else:
            getattr(owner, field)[index] = new

    return put


def _says_nothing(node: ast.AST) -> bool:
    """Return True for docstrings, imports, type aliases and code for type checkers only."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    targets = node.targets if isinstance(node, ast.Assign) else ()
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _is_typing(node: ast.AST) -> bool:
    owner = node.value if isinstance(node, ast.Subscript) else node.func if isinstance(node, ast.Call) else None
    name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
    return name in _TYPING


def draw(root: Path, seed: int, each: int = EACH) -> list[Mutant]:
    """Return the same number of mutants for each package, in mixed order."""
    chooser = random.Random(seed)
    drawn = [mutant for package in PACKAGES for mutant in _of_package(root, package, each, chooser)]
    chooser.shuffle(drawn)
    return drawn


def package_of(mutant: Mutant) -> str:
    """Return the package of a mutant: "retry"."""
    return mutant.path.split("/")[1]


def _of_package(root: Path, package: str, each: int, chooser: random.Random) -> list[Mutant]:
    files = (root / "pytest_planguard" / package).rglob("*.py")
    paths = sorted(file.relative_to(root).as_posix() for file in files)
    every = [mutant for path in paths for mutant in mutants_of(root, path)]
    return chooser.sample(every, min(each, len(every)))
