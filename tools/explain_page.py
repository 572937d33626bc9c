"""Write docs/reference/explain.md from the catalogue: `python -m tools.explain_page`."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from pytest_planguard.report.explain import catalogue, first_sentence
from pytest_planguard.report.media.escaping import table

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "explain.md"
_INTRODUCTION = """\
# Explain

For whoever meets a word in a report. `planguard explain WORD` prints the same: what the word means, why it matters, an
example, and what to do. This page is generated from the catalogue.

Codes of pydantic and keywords of JSON Schema are explained by family: `planguard explain int_parsing` prints
`pydantic: type`. Plan rules have [a page of their own](plan-rules.md) with the formats they apply to.

If a verdict looks wrong: [Disagree with a verdict](../how-to/disagree-with-a-verdict.md).
"""


def page() -> str:
    """Return the page: a table and the explanations of each sort."""
    lines = [_INTRODUCTION]
    for sort, group in groupby(catalogue(), key=lambda entry: entry.sort):
        listed = list(group)
        lines += [f"## {sort.capitalize()}", ""]
        lines += table(["name", "meaning"], [[f"`{entry.name}`", first_sentence(entry.what)] for entry in listed])
        lines.append("")
        for entry in listed:
            lines += [f"### {sort}: {entry.name}", "", entry.what, "", f"Why: {entry.why}", ""]
            lines += [f"Example: {entry.example}", "", f"Do: {entry.fix}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
