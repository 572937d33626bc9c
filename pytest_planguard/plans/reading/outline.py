"""Parse the outline of a Markdown document: headings, list items and text with exact places. Code is kept separate.

Uses markdown-it-py's block rules, so that a `#` line inside a code fence is not a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ...document.answer import Document
from ...document.positions import LineIndex, Span
from ..plan import Place, Prose, line_at, worth_a_look
from .markdown_pieces import Piece, TooMuchError, pieces

if TYPE_CHECKING:
    from markdown_it.token import Token

_STANDARD = re.compile(r"\[([ xX~\-])\](\*)?[ \t]+")  # "[x] ", "[ ]* "
_MARK = (
    r"[^\w\s\[\]()]\ufe0f?"  # one sign, perhaps drawn as an emoji: "[✓]", "[?]", "[✔️]"
    r"|[xXvV]"  # "[ x ]", "[v]"; other letters are labels: "[P]"
    r"|(?i:done|completed?|todo|open|pending|wip|in[ -]progress|blocked|skipped|cancell?ed)"  # "[done]"
)
_OTHER = re.compile(rf"\[[ \t]*({_MARK})?[ \t]*\](\*)?(?![(\[:])(?:[ \t]+|(?=\w)|$)", re.MULTILINE)
"""A box in another form, for example "[]", "[✓]" or "[ ]1.1"; "[x](url)" and "[x]: url" are links."""
_SIGN = re.compile(r"([☐☑☒✅✔⬜🔲🔳⏳🚧])\ufe0f?[ \t]+(?=[\[*]*(?:T-?\d|\d+\.\d+(?![\d%])))")
"""A sign instead of a box, before an id: "☐ T001 Write it". Elsewhere it decorates any item."""
_LIST_NAME = re.compile(r"\W*TODOs?(?:[ -]*list)?\W*", re.IGNORECASE)
"""A heading that names its list but leaves nothing open: "## TODO"."""
DONE = frozenset({"x", "v", "✓", "✔", "✅", "☑", "☒", "√", "done", "complete", "completed"})
"""Marks and words that say that a task is done, in lower case: "[✓]", "### ✅ Task 2"."""
_ACTIVE = frozenset({"-", "~", "/", ">", "⏳", "🚧", "wip", "in progress", "in-progress"})


class Box(NamedTuple):
    """The checkbox of a list item."""

    mark: str
    """Its meaning as a standard mark, "x", "-" or " ". A standard mark is returned as written."""
    starred: bool
    length: int
    """Number of characters before the item's words."""
    deviation: str | None = None
    """The box as written if nonstandard, "[✓]"."""


def box_of(text: str) -> Box | None:
    """Return the checkbox at the start of a list item, if any."""
    if (standard := _STANDARD.match(text)) is not None:
        return Box(standard[1], bool(standard[2]), standard.end())
    other = _OTHER.match(text) if text.startswith("[") else _SIGN.match(text)
    if other is None:
        return None
    word = (other[1] or "").removesuffix("\ufe0f").lower()  # "✔️" is "✔" and a mark that it is drawn as an emoji
    mark = "x" if word in DONE else "-" if word in _ACTIVE else " "
    return Box(mark, other.re is _OTHER and bool(other[2]), other.end(), other[0].rstrip())


MAX_MARKDOWN = 2_000_000
"""Maximum size of a Markdown plan, in characters. Real plans have up to about 60,000."""
MAX_BLOCKS = 5_000
"""Number of blocks that every Markdown plan may have. The largest real plan has a few hundred."""
BLOCK_SIZE = 25
"""Minimum number of characters per block in a plan with more blocks. A one-line task has more."""
MAX_NAMES = 8_000
"""Number of names that lists and ranges may have in every plan. "T001-T500" names 500 tasks in 9 characters."""
NAME_SIZE = 12
"""Minimum number of characters per name in a plan with more. "- [ ] T001 Add it (depends on T002)" has 17 for each."""


@dataclass(slots=True)
class Block:
    """A heading, list item, paragraph, code block or HTML block."""

    kind: str
    """ "heading", "item", "text", "code" or "html"."""
    text: str
    """Its words, without `#`, bullet or checkbox; lines joined by LF. For code, only the info string ("python")."""
    level: int = 0
    """Level of a heading, 1-based; depth of an item or of text in a list: 0 outside lists, 1 or more inside."""
    mark: str | None = None
    """The meaning of an item's checkbox as one of the marks " ", "x", "X", "-", "~"; None without a box."""
    odd_box: tuple[str, int] | None = None
    """A nonstandard checkbox on the first line of the text, with its column: "[✓]"."""
    starred: bool = False
    """True for `[ ]*`, which makes a task optional in Kiro."""
    number: str | None = None
    """Number of an item of an ordered list."""
    owner: int = -1
    """Index of the item that contains this block; -1 outside lists."""
    section: int = -1
    """Index of the heading above it, for a heading of the one that encloses it; -1 without one."""
    columns: tuple[int, ...] = ()
    """1-based column of the first character of each line of `text`."""
    line: int = 1
    """Line on which the block itself starts."""
    text_line: int = 1
    """Line on which `text` starts. In a list, it may be below the bullet."""

    @property
    def starts(self) -> tuple[tuple[int, int], ...]:
        """1-based line and column of the first character of each line of `text`."""
        return tuple((self.text_line + number, column) for number, column in enumerate(self.columns))

    def at(self, offset: int = 0, end: int | None = None) -> Span:
        """Return the place of text[offset:end]."""
        if len(self.columns) == 1:  # most blocks have one line
            line, column = self.text_line, self.columns[0]
            return Span(line, column + offset) if end is None else Span(line, column + offset, line, column + end)
        line, column = self._position(offset)
        return Span(line, column) if end is None else Span(line, column, *self._position(end))

    def place_of(self, name: str, offset: int, length: int | None, above: Place, kind: str | int) -> Place:
        """Return the place of text[offset : offset + length], or only of its start without a length.

        Its path is the path of the element above, its role there ("files"), and its name.
        """
        return Place((*above.path, kind, name), self.at(offset, None if length is None else offset + length))

    def _position(self, offset: int) -> tuple[int, int]:
        if not self.columns:
            return self.line, 1
        number, before = line_at(self.text, offset)
        return self.text_line + number, self.columns[number] + before


def prose(blocks: Iterable[Block]) -> Iterable[Prose]:
    """Yield every text outside code that may contain placeholders."""
    for block in blocks:
        if block.kind == "heading" and _LIST_NAME.fullmatch(block.text):
            continue
        if block.text and block.kind in ("heading", "item", "text") and worth_a_look(block.text):
            yield Prose(block.text, Place(("text", block.line)), block.starts)


def _sketched(block: Block) -> str:
    first = block.text
    if block.kind == "heading":
        return f"{'#' * block.level} {first}"
    if block.kind == "item":
        indent = "  " * (block.level - 1)
        box = "" if block.mark is None else f"[{'x' if block.mark in 'xX' else block.mark}]{'*' * block.starred} "
        return f"{indent}- {box}{first}"
    return first if block.kind == "text" else ""


def outline(text: str, body: str, offset: int) -> list[Block]:
    """Return the blocks of the document text[offset : offset + len(body)] in order, with places in `text`.

    Raises TooMuchError if it has more than `MAX_BLOCKS`, and less than `BLOCK_SIZE` characters for each.
    """
    line, column = LineIndex(text).position(offset) if offset else (1, 1)
    builder, most = _Builder(line, column), max(MAX_BLOCKS, len(body) // BLOCK_SIZE)
    try:
        for piece in pieces(body):
            builder.add(piece)
            if len(builder.blocks) > most:
                raise TooMuchError
    except TooMuchError:
        what = f"the document has more than {most:,} headings, list items and paragraphs"
        raise too_much(what, most, body) from None
    return builder.blocks


def most_names(body: str) -> int:
    """Return how many tasks and requirements the lists and ranges of a document may name."""
    return max(MAX_NAMES, len(body) // NAME_SIZE)


def too_much(what: str, most: int, body: str) -> TooMuchError:
    """Return the error of a document that exceeds a limit for its size."""
    return TooMuchError(f"{what}; it is not read as a plan", f"at most {most:,} in {len(body):,} characters")


class _Builder:
    def __init__(self, first_line: int, first_column: int) -> None:
        self.blocks: list[Block] = []
        self._place = (first_line, first_column)
        self._first = first_line  # of the piece
        self._lines: Sequence[str] = ()
        self._items: list[int] = []  # indices of the open items, outermost first
        self._headings: list[int] = []  # indices of the last heading and of those that enclose it, outermost first
        self._kind = "text"
        self._level = 0

    def add(self, piece: Piece) -> None:
        self._first, self._lines = self._place[0] + piece.first, piece.lines
        for token in piece.tokens:
            match token.type:
                case "heading_open":
                    self._kind, self._level = "heading", int(token.tag[1])
                case "paragraph_open":
                    self._kind, self._level = "text", len(self._items)
                case "list_item_open":
                    block = self._add("item", "", token, level=len(self._items) + 1)
                    block.number = token.info or None if token.markup in (".", ")") else None
                    self._items.append(len(self.blocks) - 1)
                case "list_item_close":
                    self._items.pop()
                case "fence" | "code_block" | "html_block":
                    kind, text = ("html", "") if token.type == "html_block" else ("code", token.info.strip())
                    self._add(kind, text, token, level=len(self._items))
                case "inline":
                    self._inline(token)

    def _inline(self, token: Token) -> None:
        # the first paragraph of an item is the item's own text, later ones are texts inside it
        item = self.blocks[self._items[-1]] if self._items else None
        if self._kind == "text" and item is not None and self._items[-1] == len(self.blocks) - 1 and not item.text:
            self._fill_item(item, token)
            return
        block = self._add(self._kind, token.content, token, level=self._level)
        block.columns = self._columns_of(token)
        if self._kind == "heading" and not self._items:
            while self._headings and self.blocks[self._headings[-1]].level >= block.level:
                self._headings.pop()
            block.section = self._headings[-1] if self._headings else -1
            self._headings.append(len(self.blocks) - 1)

    def _fill_item(self, item: Block, token: Token) -> None:
        item.text_line = self._line(token)
        item.columns, item.text = self._columns_of(token), token.content
        if (box := box_of(token.content)) is not None:
            item.mark, item.starred, item.text = box.mark, box.starred, token.content[box.length :]
            item.odd_box = (box.deviation, item.columns[0]) if box.deviation is not None else None
            item.columns = (item.columns[0] + box.length, *item.columns[1:])

    def _add(self, kind: str, text: str, token: Token, level: int) -> Block:
        line = self._line(token)
        owner, section = (listed[-1] if listed else -1 for listed in (self._items, self._headings))
        block = Block(kind, text, level, owner=owner, section=section, line=line, text_line=line)
        self.blocks.append(block)
        return block

    def _line(self, token: Token) -> int:
        return self._first + (token.map[0] if token.map else 0)

    def _columns_of(self, token: Token) -> tuple[int, ...]:
        """Return the start columns of a token's lines."""
        first = token.map[0] if token.map else 0
        columns = []
        for number, content in enumerate(token.content.split("\n"), first):
            source = self._lines[number] if number < len(self._lines) else ""
            in_first_line = number == 0 and self._first == self._place[0]
            columns.append(max(source.find(content), 0) + (self._place[1] if in_first_line else 1))
        return tuple(columns)


class Source:
    """A parsed document with its path and its outline, which is built at most once."""

    def __init__(self, document: Document, path: str | None = None) -> None:
        self.document = document
        self.data: object = document.data
        """The parsed document; for Markdown its text."""
        self.is_markdown = document.format == "markdown"
        """True if the document was read as Markdown."""
        self.path = path.replace("\\", "/") if path else None  # places are written with "/", also on Windows
        """The file's path with forward slashes, if known; a hint, never proof of a format."""

    @cached_property
    def outline(self) -> list[Block]:
        """Headings, items and text of a Markdown document."""
        return outline(self.document.text, self.document.body, self.document.offset)

    @cached_property
    def sketch(self) -> str:
        """The outline in a normal form, one block a line, to detect formats: "## Tasks", "- [ ] T001 …"."""
        return "\n".join(filter(None, map(_sketched, self.outline)))
