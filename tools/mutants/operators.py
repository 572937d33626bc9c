"""The changes of mutants: one node of a syntax tree is replaced."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}

Change = tuple[str, Callable[[Any], ast.AST]]
"""A change in words, and the function that returns the node's replacement."""


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield each possible change of one node; a replacement keeps the node's position."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            if type(operator) in _COMPARED:
                yield _compared(index, operator)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{_name(node.op)} to {_name(other())}", lambda n: ast.BoolOp(other(), n.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop not", lambda n: n.operand
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _CALCULATED:
        yield _calculated(node.op)
    else:
        yield from _of_values(node)
        yield from _of_flow(node)


def _compared(index: int, operator: ast.cmpop) -> Change:
    new = _COMPARED[type(operator)]

    def change(node: ast.Compare) -> ast.AST:
        return ast.Compare(node.left, [*node.ops[:index], new(), *node.ops[index + 1 :]], node.comparators)

    return f"{_name(operator)} to {_name(new())}", change


def _calculated(operator: ast.operator) -> Change:
    new = _CALCULATED[type(operator)]

    def change(node: ast.BinOp | ast.AugAssign) -> ast.AST:
        if isinstance(node, ast.BinOp):
            return ast.BinOp(node.left, new(), node.right)
        return ast.AugAssign(node.target, new(), node.value)

    return f"{_name(operator)} to {_name(new())}", change


def _of_values(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Constant):
        new = _other_constant(node.value)
        if new is not None:
            yield f"{node.value!r:.30} to {new!r:.30}", lambda _: ast.Constant(new)
    elif isinstance(node, ast.Return) and not (node.value is None or isinstance(node.value, ast.Constant)):
        yield "return None", lambda _: ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Call) and node.keywords:
        for index, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                yield f"drop {keyword.arg}=", _without_keyword(index)
    elif isinstance(node, ast.Lambda) and not isinstance(node.body, ast.Constant):
        yield "lambda to None", lambda n: ast.Lambda(n.args, ast.Constant(None))


def _of_flow(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield "negate the condition", _negated
    elif isinstance(node, ast.Break):
        yield "break to continue", lambda _: ast.Continue()
    elif isinstance(node, ast.Continue):
        yield "continue to break", lambda _: ast.Break()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "drop the call", lambda _: ast.Pass()


def _other_constant(value: object) -> object:
    """Return another constant of the same type; None if no other is worth trying."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str) and value:
        return f"XX{value}XX"
    return b"XX" + value if isinstance(value, bytes) and value else None


def _without_keyword(index: int) -> Callable[[ast.Call], ast.AST]:
    return lambda node: ast.Call(node.func, node.args, [*node.keywords[:index], *node.keywords[index + 1 :]])


def _negated(node: ast.If | ast.IfExp | ast.While) -> ast.AST:
    test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
    if isinstance(node, ast.IfExp):
        return ast.IfExp(test, node.body, node.orelse)
    return type(node)(test, node.body, node.orelse)


def _name(operator: ast.AST) -> str:
    return type(operator).__name__
