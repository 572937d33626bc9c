"""Parse a Markdown document in pieces, because the tokens of a huge list take hundreds of times its size.

A piece ends before a new block, or a new item of an outermost list. From there, the rest parses independently, so the
pieces together give the blocks of the whole document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LARGE = 50_000
"""Minimum size, in characters, of a document that is parsed in pieces."""
PIECE = 2_000
"""Minimum characters of a piece."""
_LINE_END = re.compile(r"\r\n?|\n")  # as Markdown counts lines: CRLF is one end, a lone CR too
_CODE = re.compile(r"(?P<comment><!--.*?(?:-->|\Z))|\\.|(?<!`)(`{1,9})(?!`).+?(?<!`)\2(?!`)", re.DOTALL)
"""Code in a paragraph, "``T003``", or an escaped character, unless in a comment: "<!-- as in `T003` -->"."""
# Blanks replace all but the line ends, so that places in the text stay true.
_NOT_BREAK = re.compile(r"[^\n]")
# Possible ends of a piece: before a line that is not indented as code.
_LINE = re.compile(r"^(?= {0,3}\S)", re.MULTILINE)


class TooMuchError(ValueError):
    """A Markdown document exceeds a limit. The message says which."""

    def __init__(self, message: str = "", expected: str = "") -> None:
        super().__init__(message)
        kind = (FailureKind.TOO_LARGE, Severity.FAIL)
        self.finding = Finding("too_large", (), message, *kind, expected=expected)


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive lines of a document, with their tokens."""

    first: int
    """0-based number of the first line."""
    lines: Sequence[str]
    tokens: Sequence[Token]
    """The tokens. Their maps count lines from the start of the piece."""


class _Tokens(list["Token"]):
    def __init__(self, most: int) -> None:
        self._most = most

    def append(self, token: Token) -> None:
        if len(self) >= self._most:
            raise TooMuchError
        super().append(token)


def pieces(body: str) -> Iterator[Piece]:
    """Yield the pieces of a document, in order; a small document is one piece.

    Raises:
        TooMuchError: one piece of a large document has too many tokens. The pieces before it are valid.
    """
    text = _LINE_END.sub("\n", body).replace("\0", "\ufffd")
    at, first, size = 0, 0, PIECE if len(text) > LARGE else len(text)
    while at < len(text):
        end, tokens = _piece(text, at, size)
        yield Piece(first, text[at:end].split("\n"), tokens)
        first += text.count("\n", at, end)
        at = end


def blank(text: str) -> str:
    """Return blanks of the same lines and columns as a text."""
    return _NOT_BREAK.sub(" ", text)


def without_code(body: str) -> str:
    """Return a document with blanks in place of code blocks and code in paragraphs; lines and columns are kept.

    It ends before a piece with too many tokens.
    """
    lines: list[str] = []
    with suppress(TooMuchError):
        for piece in pieces(body):
            lines += _uncoded(piece)
    return "\n".join(lines)


def _uncoded(piece: Piece) -> list[str]:
    lines = [*piece.lines]
    for token in piece.tokens:
        if token.map and token.type in ("fence", "code_block", "inline"):
            start, end = token.map
            text = "\n".join(lines[start:end])
            shown = (
                blank(text) if token.type != "inline" else _CODE.sub(lambda one: one["comment"] or blank(one[0]), text)
            )
            lines[start:end] = shown.split("\n")
    return lines if lines[-1:] != [""] else lines[:-1]  # the empty rest after a last line break begins the next piece


def _piece(text: str, at: int, size: int) -> tuple[int, list[Token]]:
    """Return the end of the piece that begins at a position, and the piece's tokens."""
    most = max(6_000, len(text) // 16) if len(text) > LARGE else len(text) * 6 + 6
    while found := _LINE.search(text, at + size):
        line_end = text.find("\n", found.start())
        lines = text[at : len(text) if line_end < 0 else line_end]
        tokens = _parsed(lines, most)
        last = _last_begin(tokens)
        if last is not None:
            number, line = last
            return at + sum(len(one) + 1 for one in lines.split("\n")[:line]), tokens[:number]
        size *= 2  # one block of 1 MB is parsed ten times, not once for each 2,000 characters
    return len(text), _parsed(text[at:], most)


def _last_begin(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return token and line of the last block or item of an outermost list that begins below the first line."""
    for number in range(len(tokens) - 1, 0, -1):
        token = tokens[number]
        begins = token.level == 0 or (token.level == 1 and token.type == "list_item_open")
        if begins and token.map and token.map[0] > 0:
            return number, token.map[0]
    return None


def _parsed(text: str, most: int) -> list[Token]:
    parser, tokens = _parser(), _Tokens(most)
    parser.block.parse(text, parser, {}, tokens)
    return tokens


@cache
def _parser() -> MarkdownIt:
    """Return a parser with block rules alone, without link references, whose search is not linear."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable(["inline", "text_join", "reference"])
