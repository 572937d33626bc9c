"""Characters that a terminal or a build log would obey, and words made of them."""

from __future__ import annotations

import re
import unicodedata

from pytest_planguard.printable import HIDDEN, JOINERS

HOSTILE = "\x1b]0;pwn\x07\x1b[31mred\r\u202e\u2066\x9b2J\n::error::x##[error]y"
"""A title for the window, a colour, a line overwritten, one turned, commands to two build logs; a valid file name."""


def orders(text: str) -> list[str]:
    """Return every control, bidi or hidden character except line breaks and tabs, and every command to a build log."""
    hidden = [c for c in text if c not in "\n\t" and c not in JOINERS and unicodedata.category(c) in HIDDEN]
    return hidden + re.findall(r"(?m)^\s*::.*|##\[", text)
