"""Conclusions of two runs as Markdown: how often they agree, and which value became which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .change_text import value_text
from .markdown import code, table

if TYPE_CHECKING:
    from ..runs.compare.run_diff import RunDiff

TURNS = 20
"""Turns of a field that are listed; the rest is counted."""


def verdict_tables(diff: RunDiff, before: str = "") -> Iterator[str]:
    """A heading for every field that is marked as a verdict, and a table where values differ.

    `before` stands in front of each field's name.
    """
    for found in diff.verdicts:
        yield ""
        only = f" (only before: {found.only_base:,}; only now: {found.only_candidate:,})"
        lone = only if found.only_base or found.only_candidate else ""
        yield f"**{before}{code(found.field)}**: {found.agree:,} of {found.total:,} agree{lone}"
        if found.turns:
            yield ""
            rows = [(code(value_text(a)), code(value_text(b)), f"{n:,}") for a, b, n in found.turns[:TURNS]]
            yield from table(("before", "now", "times"), rows)
        if len(found.turns) > TURNS:
            yield ""
            yield f"… and {len(found.turns) - TURNS:,} more."
