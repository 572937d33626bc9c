"""One measurement in each output form. All forms show the same tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..contract.phrasing import plural
from ..printable import one_line, visible
from ..strength.measure import percent
from ..strength.operators import OPERATORS
from ..strength.suggestion import constraints_module
from .media.escaping import code, json_text, table
from .media.html_page import render_page

if TYPE_CHECKING:
    from ..strength.measure import Strength, Survivors


CELL = 80
"""Characters of a changed value or a name."""
OPERATOR_HEAD = ("operator", "what it does", "killed", "made")
SURVIVOR_HEAD = ("operator", "place", "mutants", "example", "what kills it")
NO_CONSTRAINT = "no constraint does: a check of your own, or an equivalent mutant"


def headline(result: Strength) -> str:
    """Return the result in one line."""
    killed, made = sum(result.killed.values()), sum(result.made.values())
    name, good = one_line(result.contract, CELL), plural(result.answers, "good answer")
    return f"{name} kills {killed} of {made} mutants of {good} ({percent(result.share)})"


def notes(result: Strength) -> list[str]:
    """Return what a reader has to know beside the figures."""
    lines = [f"listed as equivalent: {plural(result.equivalent, 'surviving mutant')}"] if result.equivalent else []
    lines += [f"listed as equivalent, and nothing survives there: {one.operator} {one.place}" for one in result.unused]
    if result.rejected:
        named = ", ".join(one_line(name, CELL) for name in result.rejected[:5])
        lines.append(f"left out, for the contract rejects them: {plural(len(result.rejected), 'answer')}: {named}")
    return lines


def operator_rows(result: Strength) -> list[tuple[str, str, str, str]]:
    """Return one row for each operator that made mutants."""
    return [
        (name, _what(name), str(result.killed.get(name, 0)), str(made)) for name, made in result.made.items() if made
    ]


def _what(operator: str) -> str:
    return (OPERATORS[operator].__doc__ or "").partition(".")[0]


def survivor_rows(result: Strength) -> list[tuple[str, str, str, str, str]]:
    """Return one row for each operator and place whose mutants survive; foreign text on one line."""
    return [_survivor_row(group) for group in result.survivors]


def _survivor_row(group: Survivors) -> tuple[str, str, str, str, str]:
    killer = group.suggestion.python if group.suggestion else NO_CONSTRAINT
    place, example = one_line(group.place, CELL), one_line(group.example, CELL)
    return group.operator, place, str(len(group.mutants)), example, one_line(killer, 2 * CELL)


def strength_text(result: Strength) -> str:
    """Return the measurement for a terminal."""
    lines = [headline(result), *(f"  {note}" for note in notes(result)), ""]
    lines += _columns([OPERATOR_HEAD, *operator_rows(result)])
    if result.survivors:
        lines += ["", "survivors:", *_survivors_text(result)]
    python = constraints_module(result.suggestions)
    return "\n".join([*lines, *(["", "add to the contract:", "", visible(python).rstrip()] if python else [])])


def _columns(rows: list[tuple[str, str, str, str]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    return ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) for row in rows]


def _survivors_text(result: Strength) -> Iterator[str]:
    for operator, place, mutants, example, killer in survivor_rows(result):
        yield f"  {operator} {place} ({mutants}): {example}"
        yield f"    killed by: {killer}"


def strength_markdown(result: Strength) -> str:
    """Return the measurement as Markdown."""
    lines = [f"## {code(headline(result))}", "", *(f"- {code(note)}" for note in notes(result)), ""]
    lines += table(OPERATOR_HEAD, [[code(row[0]), *row[1:]] for row in operator_rows(result)])
    if result.survivors:
        rows = [[code(row[0]), code(row[1]), row[2], code(row[3]), code(row[4])] for row in survivor_rows(result)]
        lines += ["", "### Survivors", "", *table(SURVIVOR_HEAD, rows)]
    python = constraints_module(result.suggestions)
    lines += ["", "### Add to the contract", "", "```python", visible(python).rstrip(), "```"] if python else []
    return "\n".join(lines)


def strength_page(result: Strength) -> str:
    """Return the measurement as one HTML page."""
    return render_page(
        "strength.html",
        headline=headline(result),
        operator_head=OPERATOR_HEAD,
        operators=operator_rows(result),
        survivor_head=SURVIVOR_HEAD,
        survivors=survivor_rows(result),
        python=visible(constraints_module(result.suggestions)),
        notes=notes(result),
    )


def strength_data(result: Strength) -> dict[str, Any]:
    """Return the measurement as plain values."""
    return {
        "version": 1,
        "contract": result.contract,
        "answers": result.answers,
        "share": result.share,
        "operators": {name: {"made": made, "killed": result.killed.get(name, 0)} for name, made in result.made.items()},
        "survivors": [dict(zip(SURVIVOR_HEAD, row, strict=True)) for row in survivor_rows(result)],
        "python": constraints_module(result.suggestions),
        "notes": notes(result),
    }


def strength_json(result: Strength) -> str:
    """Return the measurement as JSON."""
    return json_text(strength_data(result))


FORMS = {"text": strength_text, "markdown": strength_markdown, "html": strength_page, "json": strength_json}
"""The output forms by name."""
