"""Draw a page as Markdown for a job's summary. Text from a model, a file or a user is in code spans."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...printable import one_line, visible
from ..page import LIMIT, Cases, Cell, Facts, Foreign, pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from ...runs.value_diff import FieldChange
    from ..page import Block, Case, Code, Lines, Listing, Page, Rewritten, Table, Tree, Words

CASES = 50
"""Maximum number of cases of a group to list. The rest are counted. A job's summary holds one megabyte."""
CHANGES = 6
"""Maximum number of changes of a case to list."""
NOTES = 20
"""Maximum number of notes to list. The rest are counted."""
MARKS = {"FAIL": "❌", "PASS": "✅", "UNPROVEN": "❔"}
CASE_HEAD = ("case", "field", "before", "now", "what is wrong")
_BACKTICKS = re.compile(r"`+")
"""Runs of backticks. A code span is fenced by one more than its longest run, as in ``` ``a`b`` ```."""


def code(text: str, limit: int = LIMIT) -> str:
    r"""Return foreign text as a code span: no HTML, markup, mention or link; usable in a table.

    "" for text without any visible character. A vertical bar is escaped as `\|`, as tables require, or as `\x7c` after
    a backslash.
    """
    line = one_line(text, limit)
    if not line:
        return ""
    line = line.replace("\\|", "\\\\x7c").replace("|", "\\|")
    longest = max((len(run) for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""  # Markdown takes one blank off both ends of a span
    return f"{fence}{pad}{line}{pad}{fence}"


def spans(words: Words) -> str:
    """Return a line with its foreign words as code spans."""
    return "".join(code(p.text, p.limit) if isinstance(p, Foreign) else p for p in pieces(words))


def rows(header: Sequence[str], cells: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table. Cells are Markdown."""
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    yield from (f"| {' | '.join(row)} |" for row in cells)


def render_markdown(page: Page, *, cases: int = CASES) -> str:
    """Return the page. The first `cases` of every group are listed."""
    return "\n".join(_lines(page, cases))


def _lines(page: Page, cases: int) -> Iterator[str]:
    if page.verdict is not None:
        word = page.verdict.word
        yield from (f"{MARKS[word]} **planguard: {word}** {spans(page.lead)}", "", f"{spans(page.title)}  ")
        yield from (f"- {spans(reason)}" for reason in page.verdict.reasons)
    elif page.lead:
        yield f"## {spans(page.title)}: {spans(page.lead)}"
    between = bool(page.lead)
    for block in page.blocks:
        yield from [""] if between else []
        between = True
        yield from _block(block, cases)
    if page.notes:
        yield from [""] if between else []
        yield from (f"{'- note: ' if page.blocks else ''}{spans(note)}" for note in page.notes[:NOTES])
        yield from _more(len(page.notes) - NOTES, "- ")


def _more(number: int, before: str = "") -> Iterator[str]:
    if number > 0:
        yield f"{before}… and {number:,} more."


def _block(block: Block, cases: int) -> Iterator[str]:
    if isinstance(block, Facts):
        labels = ((spans(label), spans(words)) for label, words in block.entries)
        return (f"{label[:1].upper()}{label[1:]}: {words}  " for label, words in labels)
    if isinstance(block, Cases):
        return _cases(block, cases)
    draw: dict[str, Callable[[Any], Iterator[str]]]
    draw = {
        "lines": _fixed,
        "table": _table,
        "listing": _listing,
        "code": _code,
        "rewritten": _rewritten,
        "tree": _tree,
    }
    return draw[block.kind](block)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield from (f"**{spans(table.title)}**", *([""] if table.rows else []))
    if table.rows:
        yield from rows(list(map(spans, table.head)), ([_cell(cell) for cell in row] for row in table.rows))
    if table.legend:
        yield ""
        yield from (f"- {word}: {meaning}" for word, meaning in table.legend)


def _cell(cell: Words | Cell) -> str:
    return spans(cell.words if isinstance(cell, Cell) else cell)


def _listing(listing: Listing) -> Iterator[str]:
    title = listing.title
    yield from (f"<details><summary>{title}</summary>" if listing.folded else f"**{title}**", "")
    yield from (f"- {spans(item)}" for item in listing.items[:CASES])
    yield from _more(len(listing.items) - CASES, "- ")
    if listing.folded:
        yield from ("", "</details>")


def _code(block: Code) -> Iterator[str]:
    """Yield a block of code, from which a command can be copied."""
    yield from (f"### {block.title}", "", *_fenced(block.text, block.language))


def _fixed(block: Lines) -> Iterator[str]:
    return _fenced("\n".join(block.texts), "text")


def _fenced(text: str, language: str) -> Iterator[str]:
    text = visible(text).rstrip()
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(text)), default=0))
    yield from (f"{fence}{language}", text, fence)


def _rewritten(text: Rewritten) -> Iterator[str]:
    marks = {"gone": "~~", "new": "**"}
    parts = ((marks.get(piece.part.value, ""), code(piece.text, 2_000)) for piece in text.pieces)
    yield from (f"**{spans(text.title)}**", "", " ".join(f"{mark}{words}{mark}" for mark, words in parts))


def _tree(tree: Tree) -> Iterator[str]:
    for node in tree.nodes[:CASES]:
        word = "passed" if node.passed else "rejected"
        yield f"{'  ' * node.level}- {code(node.title)}: {word} {spans(node.words)}"
    yield from _more(len(tree.nodes) - CASES, "- ")


def _cases(cases: Cases, limit: int) -> Iterator[str]:
    between = False
    for group in cases.groups:
        if group.same:
            continue
        heading = f"{len(group.cases):,} {group.title}"
        yield from [""] if between else []
        between = True
        yield from (f"<details><summary>{heading}</summary>" if group.folded else f"### {heading}", "")
        shown = [row for case in group.cases[:limit] for row in _case(case)]
        used = [at for at in range(len(CASE_HEAD)) if at == 0 or any(row[at] for row in shown)]
        yield from rows([CASE_HEAD[at] for at in used], ([row[at] for at in used] for row in shown))
        if len(group.cases) > limit:
            yield from ("", *_more(len(group.cases) - limit))
        if group.folded:
            yield from ("", "</details>")


def _case(case: Case) -> Iterator[tuple[str, ...]]:
    """Yield a row for each change, those that affect a rule or a verdict first, and one for unexplained rules.

    The findings' messages follow, one per row.
    """
    name = code(case.key) + spans(case.mark)
    reason = "; ".join(filter(None, map(spans, (case.why, *case.unexplained))))
    changes, figures = case.changes, [row for answer in case.answers for row in answer.figures]
    notes = [note for answer in case.answers for note in answer.notes]
    if reason or not (changes or figures):
        yield name, "", "", "", reason
        name = ""
    for change in changes[:CHANGES]:
        yield name, *_change(change)
        name = ""
    if len(changes) > CHANGES:
        yield name, f"… and {len(changes) - CHANGES:,} more", "", "", ""
    for row in figures:
        yield (name, *map(spans, row))
        name = ""
    yield from (("", "", "", "", spans(line)) for line in (*notes, *case.details))


def _change(change: FieldChange) -> tuple[str, str, str, str]:
    from ..change_text import rule_text, sides

    before, after = ("", "moved") if change.kind == "moved" else map(code, sides(change))
    place = code(change.where, 120)
    return f"**{place}**" if change.verdict else place, before, after, code(rule_text(change))
