"""The list of known failures held against a run, as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .baseline_text import about_entry, groups
from .markdown import code, table

if TYPE_CHECKING:
    from ..runs.gate.baseline import BaselineReport

ENTRIES = 50
"""Entries of a kind that are listed; the rest is counted."""
OPEN = ("expired", "gone")
"""Kinds that stand open, since somebody has to tend them; the others fold."""


def baseline_tables(report: BaselineReport) -> Iterator[str]:
    """A table for each kind of entries; everything that comes from a file or a model stands in code spans."""
    for kind, heading, entries in groups(report):
        title = f"{len(entries):,} {heading}"
        yield ""
        yield f"**{title}**" if kind in OPEN else f"<details><summary>{title}</summary>"
        yield ""
        rows = [(code(e.case), code(e.broken), code(about_entry(e))) for e in entries[:ENTRIES]]
        yield from table(("case", "rule", "until, owner, reason"), rows)
        if len(entries) > ENTRIES:
            yield ""
            yield f"… and {len(entries) - ENTRIES:,} more."
        if kind not in OPEN:
            yield ""
            yield "</details>"
