r"""Possessive repeats of a regular expression group that also work in Pythons with a bug in them.

Before Python 3.11.5, `(?:\.[0-9]++)?+` takes the "." of "1." and keeps it, though the group does not match (gh-106052).
An atomic group means the same, but takes more memory for a long text, so other versions do without.
"""

from __future__ import annotations

import sys

_KEEPS_ITS_PLACE = sys.version_info >= (3, 11, 5)

CLOSED_STRING = r'"(?:[^"\\]++|\\.)*+"'
"""A whole JSON string, for `re.DOTALL`, such as `"a\\"b"`.

It works in every Python with little memory: the group only fails half-way at a backslash that ends the text, as in
`"a\\`, and no quote follows there.
"""


def possessive(body: str, times: str = "*") -> str:
    r"""Return a pattern that repeats a group and never backtracks: `possessive("ab|c")` is `(?:ab|c)*+`.

    Args:
        body: the pattern to repeat, without the group around it.
        times: the repetition: "*", "+", "?" or "{0,5}".
    """
    return f"(?:{body}){times}+" if _KEEPS_ITS_PLACE else f"(?>(?:{body}){times})"
