"""Pieces of GitHub-flavoured Markdown in which nothing that a model wrote is markup, a mention or a link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .sanitise import one_line

CELL_LIMIT = 240
"""Characters of a cell."""
_BACKTICKS = re.compile(r"`+")
"""Runs of backticks: a code span is fenced by one more than its longest run, as in ``` ``a`b`` ```."""


def code(text: str, limit: int = CELL_LIMIT) -> str:
    r"""Foreign text as a code span: no HTML, no markup, no mention, no link; usable in a table.

    "" for text without any visible character. A bar is written `\|`, as tables demand; behind a backslash `\x7c`.
    """
    line = one_line(text, limit)
    if not line:
        return ""
    line = line.replace("\\|", "\\\\x7c").replace("|", "\\|")
    longest = max((len(run) for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table. Cells are Markdown: foreign text comes as `code`."""
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def listed(lines: Iterable[str]) -> Iterator[str]:
    """Yield a list of lines that are Markdown, with an empty line before and after it."""
    yield ""
    yield from (f"- {line}" for line in lines)
    yield ""
