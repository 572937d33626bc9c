"""YAML scalars written by hand: the same text is the same bytes, whatever YAML library is installed.

Only what any YAML 1.1 reader gives back unchanged is written plain or as a literal block; all else is quoted.
"""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./;=+,-]*(?: [A-Za-z0-9_./;=+-]+)*", re.ASCII)
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_UNSAFE_IN_BLOCK = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_UNSAFE_IN_QUOTES = re.compile(
    '["\\\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]'
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LIMIT = 1000
"""Characters of a key in quotes; a simple key of YAML may not be longer than 1,024."""


def scalar(text: str) -> str:
    """The text on one line: plain where that is safe, else in double quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not text.endswith("="):
        return text
    return f'"{_UNSAFE_IN_QUOTES.sub(_escaped, text)}"'


def block(text: str, indent: int) -> str:
    """The text as a literal block whose lines stand `indent` spaces deep, or quoted where no block can hold it.

    The result begins right after "key: " and does not end with a line break.
    """
    if not _fits_block(text):
        return scalar(text)
    stem = text.rstrip("\n")
    chomping = {0: "-", 1: ""}.get(len(text) - len(stem), "+")
    pad = " " * indent
    lines = (pad + line if line else "" for line in text[: -1 if chomping != "-" else None].split("\n"))
    return f"|{chomping}\n" + "\n".join(lines)


def _fits_block(text: str) -> bool:
    """A block needs a line break, a first line that is filled and does not begin with white space, and no control."""
    return "\n" in text and text[0] not in " \t\n" and not _UNSAFE_IN_BLOCK.search(text)


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}"
