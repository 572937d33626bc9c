"""Make hostile text safe to print: what a terminal would obey or hide becomes visible as an escape.

Everything that a model, a cassette or a file wrote passes through `visible` before a person sees it. It stands below
all else, so that errors can use it too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

JOINERS = frozenset("\u200c\u200d")
"""Invisible, yet part of ordinary words and emoji: they stay."""
HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that move the cursor, turn the writing direction, or show nothing at all."""
CLIP = " …"
"""The end of a text that was clipped."""
BMP = 0xFFFF
"""Last code point of the characters that texts are made of."""
COMMANDS = re.compile(r"(?m)^([^\S\n]*):(?=:)|(?<=##)\[")
"""What a build log would obey: a line that begins with `::`, and `##[` anywhere in it."""


def visible(text: str, *, keep: str = "\n\t", commands: bool = False) -> str:
    r"""Return the text with every control, bidi, zero-width and lone surrogate character written as an escape (`\x1b`).

    `keep` names the control characters that stay as they are; pass `keep=""` for text that must stay on one line.
    Commands to a build log (`::set-output …`, `##[group]`) lose a character to an escape and are text then, unless
    `commands` says that the text is made of them.
    """
    text = text if commands else without_commands(text)
    if text.isascii() and not text.encode("ascii").translate(None, _plain(keep)):
        return text
    return text.translate(_table(keep))


@lru_cache(maxsize=8)
def _plain(keep: str) -> bytes:
    """Return the ASCII characters that stay. All of a text is looked at in one step: most have no other."""
    return bytes(range(0x20, 0x7F)) + keep.encode("ascii")


class _Shown(dict[int, str]):
    """Code point to what is printed for it, filled as texts ask: a page of answers has millions of characters."""

    def __missing__(self, code: int) -> str:
        shown = visible_char(chr(code))
        if code <= BMP:  # the rest is rare, and a hostile text could name all of it
            self[code] = shown
        return shown


@lru_cache(maxsize=8)
def _table(keep: str) -> _Shown:
    return _Shown({ord(char): char for char in keep})


def without_commands(text: str) -> str:
    r"""Return the text with the `:` or `[` of a build log's command as an escape: `\x3a:set-output`, `##\x5bgroup]`."""
    if "::" not in text and "##[" not in text:
        return text
    return COMMANDS.sub(lambda found: r"\x5b" if found[0] == "[" else f"{found[1]}\\x3a", text)


def visible_char(char: str) -> str:
    r"""Return one character as it may be printed: itself, or `\n`, `\x1b`, `\u202e`, `\U000e0041`."""
    if char in JOINERS or unicodedata.category(char) not in HIDDEN:
        return char
    named = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(char)
    return named or _escape(ord(char))


def one_line(text: str, limit: int | None = None) -> str:
    """Return the text on one line, at most `limit` characters: white space becomes one blank, the rest as `visible`.

    A clipped text ends with an ellipsis and is never longer than `limit`.
    """
    # Four times the limit leaves room for blanks; a 50 MB answer is never scanned whole.
    head = text if limit is None else text[: 4 * limit]
    line = visible(" ".join(head.split()), keep="")
    if limit is None or (len(line) <= limit and len(head) == len(text)):
        return line
    return line[: limit - len(CLIP)].rstrip() + CLIP


def _escape(code: int) -> str:
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
