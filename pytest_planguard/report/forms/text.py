"""Draw a page for a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...printable import one_line, visible
from ..page import Cell, Facts, Foreign, Lines, pieces, plain
from ..plain_text import CELL_LIMIT, Style, columns, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..page import Answer, Block, Case, Cases, Code, Listing, Page, Rewritten, Table, Tree, Words

CASES = 20
"""Maximum number of cases of a group, and of lines of a list, to show. `verbose` shows all."""
CHANGES = 12
"""Maximum number of changes of an answer to show. `verbose` shows all."""
NODES = 60
"""Maximum number of answers of a tree to print. The rest are counted."""
PREVIEW = 60
"""Maximum number of characters of an answer in a tree."""
_LONGEST = 10_000
"""Maximum number of characters of a cell. Cells of a page are clipped where they are made."""


def render_text(page: Page, *, color: bool, verbose: bool = False) -> str:
    """Return the page as text. `verbose` shows every case and every change."""
    return "\n".join(_Text(Style(color), verbose).page(page))


def block_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of blocks without the rest of a report."""
    yield from (line for block in blocks for text in _Text(Style(), False).block(block) for line in text.split("\n"))


class _Text:
    def __init__(self, style: Style, verbose: bool) -> None:
        self._style, self._verbose = style, verbose

    def page(self, page: Page) -> Iterator[str]:
        """Yield the lead and single facts, then each block after an empty line, and finally the conclusion."""
        if page.lead:
            yield f"{plain(page.title)}: {self._style.strong(plain(page.lead))}"
        begun, opening = bool(page.lead), True
        for block in page.blocks:
            lines = list(self.block(block))
            opening = opening and isinstance(block, Facts) and not block.aligned
            if lines and begun and not opening:
                yield ""
            yield from lines
            begun = begun or bool(lines)
        if page.notes and page.blocks:
            yield ""
        yield from (f"{'note: ' if page.blocks else ''}{plain(note)}" for note in page.notes)
        if page.verdict is not None:
            word, why = page.verdict.word, "; ".join(map(plain, page.verdict.reasons))
            paint = {"PASS": self._style.good, "FAIL": self._style.bad}.get(word, self._style.warn)
            yield from ("", paint(f"{word}: {why}" if why else word))

    def block(self, block: Block) -> Iterable[str]:
        """Return the lines of a block."""
        if isinstance(block, Facts):
            entries = [(plain(label), plain(words)) for label, words in block.entries]
            if block.aligned:
                wide = max(len(label) for label, _ in entries)
                return [f"{label:<{wide}}  {words}".rstrip() for label, words in entries]
            return [f"{label}: {words}" for label, words in entries]
        if isinstance(block, Lines):
            return block.texts
        draw = getattr(self, block.kind)
        lines: Iterable[str] = draw(block)
        return lines

    def table(self, table: Table) -> Iterator[str]:
        if table.title:
            yield self._style.strong(plain(table.title))
        if table.rows:
            cells = [[_cell(cell) for cell in row] for row in (table.head, *table.rows)]
            yield columns(cells, right=table.right, limit=_LONGEST)
            yield from (f"{word}: {meaning}" for word, meaning in table.legend)

    def listing(self, listing: Listing) -> Iterator[str]:
        yield f"{listing.title}:"
        shown = listing.items if self._verbose else listing.items[:CASES]
        yield from (f"  {plain(item)}" for item in shown)
        if len(listing.items) > len(shown):
            yield f"  and {len(listing.items) - len(shown):,} more"

    def code(self, code: Code) -> Iterator[str]:
        yield from (f"{code.title}:", "", visible(code.text).rstrip())

    def rewritten(self, text: Rewritten) -> Iterator[str]:
        """Yield a text such as '… ticket as JSON with priority [-(low, high)-] and {+steps+}'."""
        marks = {"gone": ("[-", "-]"), "new": ("{+", "+}")}
        yield f"{plain(text.title)}:"
        parts = [(*marks.get(piece.part.value, ("", "")), piece.text) for piece in text.pieces]
        yield f"  {' '.join(f'{before}{words}{after}' for before, after, words in parts)}"

    def tree(self, tree: Tree) -> Iterator[str]:
        for node in tree.nodes[:NODES]:
            paint, word = (self._style.good, "passed") if node.passed else (self._style.bad, "rejected")
            words = f" {self._style.dim(one_line(node.answer, PREVIEW))}" if node.passed else plain(node.words)
            yield f"{'  ' * (node.level + 1)}{node.title}: {paint(word)} {words}"
        if len(tree.nodes) > NODES:
            yield f"  and {count(len(tree.nodes) - NODES, 'more answer')}"

    def cases(self, cases: Cases) -> Iterator[str]:
        between = False
        for group in cases.groups:
            if group.same:
                continue
            yield from [""] if between else []
            between = True
            yield self._style.strong(f"{group.title} ({len(group.cases):,})")
            shown = group.cases if self._verbose else group.cases[:CASES]
            for case in shown:
                yield from self._case(case)
            if len(group.cases) > len(shown):
                yield f"  and {len(group.cases) - len(shown):,} more; --verbose shows all"

    def _case(self, case: Case) -> Iterator[str]:
        why = plain(case.why)
        yield f"  {one_line(case.key, 160)}{plain(case.mark)}{f': {why}' if why else ''}"
        yield from (f"    {plain(line)}" for line in (*case.unexplained, *case.details))
        for answer in case.answers:
            yield from self._answer(answer)

    def _answer(self, answer: Answer) -> Iterator[str]:
        from ..change_text import render_change

        if answer.name:
            yield f"    {one_line(answer.name, 120)}:"
        first = sorted(answer.changes, key=lambda change: not change.verdict)
        shown = first if self._verbose else first[:CHANGES]
        yield from (render_change(change, indent="    ", style=self._style) for change in shown)
        if len(first) > len(shown):
            yield f"    and {len(first) - len(shown):,} more changes; --verbose shows all"
        yield from (f"    {plain(note)}" for note in answer.notes)
        if answer.figures:
            cells = [[_cell(cell) for cell in row] for row in answer.figures]
            yield from (f"      {line}" for line in columns(cells, right=frozenset((1, 2, 3))).split("\n"))


def _cell(cell: Words | Cell) -> str:
    """Return a cell. Foreign words in it are clipped, so that the table keeps its shape."""
    words = cell.words if isinstance(cell, Cell) else cell
    clipped = (replace(p, limit=min(p.limit, CELL_LIMIT)) if isinstance(p, Foreign) else p for p in pieces(words))
    return plain(tuple(clipped))
