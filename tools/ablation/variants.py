"""The parts that can be taken out of the reading side, each by itself: what remains is compiled from the changed tree.

| kind | what is taken out |
|---|---|
| alternative | one of the words that a `|` parts, in a pattern or a table of words |
| element | one text or call in a module's tuple, list, set or dict: a reader, a category, a row |
| operand | one side of an `and` or an `or`, one condition of a comprehension |
| statement | one `if` without an `else`, or one `yield` |
| function | all that a function does: it returns nothing, its first text, or one of both truth values |
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parent.parent.parent / "pytest_planguard"
FOLDERS = ("retry/reading", "retry/matching")


@dataclass(frozen=True, slots=True)
class Variant:
    """One part, and the module without it."""

    module: str
    kind: str
    line: int
    end: int
    part: str
    """What is taken out, as text."""
    block: str
    """The function, class or assignment that it stands in."""
    index: int
    """Which of the module's parts it is, to make it again in another process."""

    @property
    def key(self) -> str:
        """A name that is the same in each run on the same source."""
        return f"{self.module}:{self.index}:{self.kind}:{self.part}"


def modules() -> dict[str, Path]:
    """Return the modules of the reading side by name."""
    paths = [path for folder in FOLDERS for path in sorted((PACKAGE / folder).rglob("*.py"))]
    return {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }


def variants(module: str, source: str) -> Iterator[Variant]:
    """Yield every part of a module that can be taken out."""
    tree = ast.parse(source)
    for index, (node, kind, part, _) in enumerate(_edits(tree)):
        line, end = node.lineno, node.end_lineno or node.lineno
        yield Variant(module, kind, line, end, part, _block(tree, line), index)


def without(source: str, index: int) -> ast.Module:
    """Return the module's tree without one of its parts."""
    tree = ast.parse(source)
    for at, (_, _, _, edit) in enumerate(_edits(tree)):
        if at == index:
            edit()
            break
    return ast.fix_missing_locations(tree)


_Edit = tuple[ast.expr | ast.stmt, str, str, Callable[[], None]]


def _edits(tree: ast.Module) -> Iterator[_Edit]:
    """Yield node, kind and text of each part, and what takes it out of the tree. One edit is made at most."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    annotations = _annotations(tree)
    for node in list(ast.walk(tree)):
        if id(node) in documentation | annotations:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "|" in node.value:
            yield from _alternatives(node, node.value)
        elif isinstance(node, (ast.BoolOp, ast.comprehension)):
            operands = node.values if isinstance(node, ast.BoolOp) else node.ifs
            for at, one in enumerate(operands):
                yield one, "operand", ast.unparse(one), _remover(operands, at)
        for body in _bodies(node):
            yield from _statements(body)
    for statement in tree.body:
        yield from _elements(statement)
    yield from _functions(tree)


def _functions(tree: ast.Module) -> Iterator[_Edit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns:
            for stub in _stubs(node, ast.unparse(node.returns)):
                yield node, "function", f"{node.name}: {stub}", _emptier(node, stub)


def _stubs(node: ast.FunctionDef, returned: str) -> Iterator[str]:
    """Yield what a function may do in place of all that it does."""
    if returned.startswith("Iterator"):
        yield "return; yield"
    elif returned == "bool":
        yield from ("return False", "return True")
    elif "None" in returned:
        yield "return None"
    elif returned.startswith(("list", "tuple", "set", "frozenset")):
        yield f"return {returned.partition('[')[0]}()"
    elif returned == "str":
        texts = [arg.arg for arg in node.args.args if arg.annotation and ast.unparse(arg.annotation) == "str"]
        yield from (f"return {name}" for name in texts[:1])


def _emptier(node: ast.FunctionDef, stub: str) -> Callable[[], None]:
    def edit() -> None:
        node.body = ast.parse(f"def _():\n    {stub}").body[0].body  # type: ignore[attr-defined]

    return edit


def _annotations(tree: ast.Module) -> set[int]:
    made: set[int] = set()
    for node in ast.walk(tree):
        for given in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            made |= {id(inner) for inner in ast.walk(given)} if given else set()
    return made


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    if isinstance(node, (ast.FunctionDef, ast.For, ast.While, ast.If, ast.With)):
        yield node.body
        yield getattr(node, "orelse", [])


def _statements(body: list[ast.stmt]) -> Iterator[_Edit]:
    for at, one in enumerate(body):
        generates = isinstance(one, ast.Expr) and isinstance(one.value, (ast.Yield, ast.YieldFrom))
        if (isinstance(one, ast.If) and not one.orelse) or generates:
            first = ast.unparse(one).splitlines()[0]
            yield one, "statement", first, _replacer(body, at, one)


def _replacer(body: list[ast.stmt], at: int, one: ast.stmt) -> Callable[[], None]:
    # a generator keeps a `yield` that is never reached, else it would be none any more
    dead = "if False:\n    yield" if isinstance(one, ast.Expr) else "pass"
    made = ast.copy_location(ast.parse(dead).body[0], one)

    def edit() -> None:
        body[at] = made

    return edit


def _remover(values: list[ast.expr], at: int) -> Callable[[], None]:
    return lambda: values.__delitem__(at)


def _elements(statement: ast.stmt) -> Iterator[_Edit]:
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return
    for node in ast.walk(statement.value):
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and len(node.elts) > 1:
            for at, one in enumerate(node.elts):
                yield one, "element", ast.unparse(one)[:80], _remover(node.elts, at)
        elif isinstance(node, ast.Dict):
            for at, value in enumerate(node.values):
                key = ast.unparse(node.keys[at]) if node.keys[at] else "**"  # type: ignore[arg-type]
                yield value, "element", f"{key}: {ast.unparse(value)[:80]}", _row_remover(node, at)


def _row_remover(node: ast.Dict, at: int) -> Callable[[], None]:
    def edit() -> None:
        del node.keys[at], node.values[at]

    return edit


def _alternatives(node: ast.Constant, text: str) -> Iterator[_Edit]:
    for start, end, cut_from, cut_to in branches(text):

        def edit(low: int = cut_from, high: int = cut_to) -> None:
            node.value = text[:low] + text[high:]

        yield node, "alternative", text[start:end], edit


def branches(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield start and end of each alternative, at any depth, and of what is cut with it: its `|` too."""
    opened: list[list[int]] = [[0]]  # for each open group its start and the places of its bars
    at, in_class = 0, False
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
        elif in_class:
            in_class = sign != "]" or text[at - 1] == "["
        elif sign == "[":
            in_class = True
        elif sign == "(":
            opened.append([_after_prefix(text, at + 1)])
        elif sign == ")" and len(opened) > 1:
            yield from _parted(opened.pop(), at)
        elif sign == "|":
            opened[-1].append(at)
        at += 1
    if len(opened) == 1:
        yield from _parted(opened[0], len(text))


def _after_prefix(text: str, at: int) -> int:
    """Return where a group's words begin: behind `?:`, `?=`, `?P<name>`."""
    if text[at : at + 1] != "?":
        return at
    if text[at : at + 3] in ("?P<",):
        return text.index(">", at) + 1
    return at + (3 if text[at + 1 : at + 2] == "<" else 2)


def _parted(marks: list[int], end: int) -> Iterator[tuple[int, int, int, int]]:
    start, *bars = marks
    if not bars:
        return
    edges = [start, *(bar + 1 for bar in bars), end + 1]
    for at, low in enumerate(edges[:-1]):
        high = edges[at + 1] - 1
        yield (low, high, low, high + 1) if at == 0 else (low, high, low - 1, high)


def _block(tree: ast.Module, line: int) -> str:
    for node in tree.body:
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                return node.name
            if isinstance(node, ast.Assign):
                return ast.unparse(node.targets[0])
            if isinstance(node, ast.AnnAssign):
                return ast.unparse(node.target)
    return "module"
