"""The page `docs/reference/explain.md`, from the catalogue."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ..media.markdown import table
from .explain_text import first_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...registry.explanation import Explanation

_INTRODUCTION = """\
# Explain

For whoever meets a word in a report. `planguard explain WORD` prints the same: what the word means, why it matters, an
example, and what to do. This page is generated from the catalogue.

Codes of pydantic and keywords of JSON Schema are explained by family: `planguard explain int_parsing` prints
`pydantic: type`. Plan rules have [a page of their own](plan-rules.md) with the formats they apply to.

If a verdict looks wrong: [Disagree with a verdict](../how-to/disagree-with-a-verdict.md).
"""


def explain_page(entries: Iterable[Explanation]) -> str:
    """Return the page: a table and the explanations of each sort."""
    lines = [_INTRODUCTION]
    for sort, group in groupby(entries, key=lambda entry: entry.sort):
        listed = list(group)
        lines += [f"## {sort.capitalize()}", ""]
        lines += table(["name", "meaning"], [[f"`{entry.name}`", first_sentence(entry.what)] for entry in listed])
        lines.append("")
        for entry in listed:
            lines += [f"### {sort}: {entry.name}", "", entry.what, "", f"Why: {entry.why}", ""]
            lines += [f"Example: {entry.example}", "", f"Do: {entry.fix}", ""]
    return "\n".join(lines)
