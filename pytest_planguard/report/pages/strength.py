"""The strength of a contract: the mutants of good answers that it kills, and what would kill the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...contract.phrasing import plural
from ...contract.strength.measure import percent
from ...contract.strength.operators import OPERATORS
from ...contract.strength.suggestion import constraints_module
from ..page import Code, Foreign, Page, Table, joined, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract.strength.measure import Strength, Survivors
    from ..page import Words

CELL = 80
"""Maximum number of characters of a changed value or a name."""
OPERATOR_HEAD = ("operator", "what it does", "killed", "made")
SURVIVOR_HEAD = ("operator", "place", "mutants", "example", "what kills it")
NO_CONSTRAINT = "no constraint does: a check of your own, or an equivalent mutant"


def strength_page(result: Strength) -> Page:
    """Return the measurement."""
    killed, made = sum(result.killed.values()), sum(result.made.values())
    good = plural(result.answers, "good answer")
    blocks = [Table(OPERATOR_HEAD, tuple(_operators(result)), "Mutants by operator", frozenset({2, 3}))]
    if result.survivors:
        blocks.append(Table(SURVIVOR_HEAD, tuple(map(_survivor, result.survivors)), "Survivors", frozenset({2})))
    python = constraints_module(result.suggestions)
    return Page(
        Foreign(result.contract, CELL),
        f"kills {killed} of {made} mutants of {good} ({percent(result.share)})",
        blocks=(*blocks, *([Code("Add to the contract", python, "python")] if python else [])),
        notes=(*_notes(result), *([] if result.survivors else ["no mutant survives"])),
    )


def _operators(result: Strength) -> Iterator[tuple[Words, ...]]:
    """Yield one row for each operator that made mutants."""
    for name, made in result.made.items():
        if made:
            what = (OPERATORS[name].__doc__ or "").partition(".")[0]
            yield name, what, str(result.killed.get(name, 0)), str(made)


def _survivor(group: Survivors) -> tuple[Words, ...]:
    """Return the row of one operator and place whose mutants survive."""
    killer = Foreign(group.suggestion.python, 2 * CELL) if group.suggestion else NO_CONSTRAINT
    place, example = Foreign(group.place, CELL), Foreign(group.example, CELL)
    return group.operator, place, str(len(group.mutants)), example, killer


def _notes(result: Strength) -> Iterator[Words]:
    """Yield the notes that a reader needs beside the figures."""
    if result.equivalent:
        yield f"listed as equivalent: {plural(result.equivalent, 'surviving mutant')}"
    for one in result.unused:
        yield f"listed as equivalent, and nothing survives there: {one.operator} ", Foreign(one.place, CELL)
    if result.rejected:
        named = joined(", ", (Foreign(name, CELL) for name in result.rejected[:5]))
        yield f"left out, for the contract rejects them: {plural(len(result.rejected), 'answer')}: ", *named


def strength_data(result: Strength) -> dict[str, Any]:
    """Return the measurement as plain values."""
    return {
        "version": 1,
        "contract": result.contract,
        "answers": result.answers,
        "share": result.share,
        "operators": {name: {"made": made, "killed": result.killed.get(name, 0)} for name, made in result.made.items()},
        "survivors": [dict(zip(SURVIVOR_HEAD, map(plain, _survivor(one)), strict=True)) for one in result.survivors],
        "python": constraints_module(result.suggestions),
        "notes": list(map(plain, _notes(result))),
    }
