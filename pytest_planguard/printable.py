"""Make hostile text safe to print: control sequences and hidden characters become visible escapes.

All text from a model, a cassette or a file passes through `visible` before a person sees it. This module depends on no
other, so that errors can use it too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

JOINERS = frozenset("\u200c\u200d")
"""Invisible characters that are part of ordinary words and emoji, so they are kept."""
HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories of characters that move the cursor, change the writing direction, or are invisible."""
CLIP = " …"
"""Ends a clipped text."""
BMP = 0xFFFF
"""Last code point of the Basic Multilingual Plane, which holds nearly all characters of texts."""
COMMANDS = re.compile(r"(?m)^([^\S\n]*):(?=:)|(?<=##)\[")
"""Commands in a build log: a line that begins with `::`, and `##[` anywhere in it."""


def visible(text: str, *, keep: str = "\n\t", commands: bool = False) -> str:
    r"""Return the text with control, bidi, zero-width and lone surrogate characters as escapes (`\x1b`).

    `keep` lists the control characters that stay; pass `keep=""` for text that must stay on one line. In a build log's
    commands (`::set-output …`, `##[group]`) one character is escaped, which makes them plain text. With `commands`, the
    text consists of such commands, and they stay.
    """
    text = text if commands else without_commands(text)
    if text.isascii() and not text.encode("ascii").translate(None, _plain(keep)):
        return text
    return text.translate(_table(keep))


@lru_cache(maxsize=8)
def _plain(keep: str) -> bytes:
    """Return the ASCII characters that stay. Most texts contain no others, which one step can check."""
    return bytes(range(0x20, 0x7F)) + keep.encode("ascii")


class _Shown(dict[int, str]):
    """A code point and its printed form. Filled on demand, because a page of answers has millions of characters."""

    def __missing__(self, code: int) -> str:
        shown = visible_char(chr(code))
        if code <= BMP:  # the rest is rare, and a hostile text could fill memory with it
            self[code] = shown
        return shown


@lru_cache(maxsize=8)
def _table(keep: str) -> _Shown:
    return _Shown({ord(char): char for char in keep})


def without_commands(text: str) -> str:
    r"""Return the text with `:` or `[` of build log commands as an escape: `\x3a:set-output`, `##\x5bgroup]`."""
    if "::" not in text and "##[" not in text:
        return text
    return COMMANDS.sub(lambda found: r"\x5b" if found[0] == "[" else f"{found[1]}\\x3a", text)


def visible_char(char: str) -> str:
    r"""Return one character in printable form: itself, or `\n`, `\x1b`, `\u202e`, `\U000e0041`."""
    if char in JOINERS or unicodedata.category(char) not in HIDDEN:
        return char
    named = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(char)
    return named or _escape(ord(char))


def one_line(text: str, limit: int | None = None) -> str:
    """Return the text on one line of at most `limit` characters: white space becomes one blank, the rest as `visible`.

    A clipped text ends with an ellipsis and is never longer than `limit`.
    """
    # Four times the limit leaves room for blanks; a 50 MB answer is never scanned as a whole.
    head = text if limit is None else text[: 4 * limit]
    line = visible(" ".join(head.split()), keep="")
    if limit is None or (len(line) <= limit and len(head) == len(text)):
        return line
    return line[: limit - len(CLIP)].rstrip() + CLIP


def _escape(code: int) -> str:
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
