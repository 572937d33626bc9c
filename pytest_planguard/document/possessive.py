r"""Possessive repeats of a group of a regular expression, also on a Python that loses its place in them.

Before Python 3.11.5 `(?:\.[0-9]++)?+` takes the "." of "1." and keeps it, though the group does not match (gh-106052).
A group that is atomic as a whole means the same. It takes more memory for a long text, so other versions do without.
"""

from __future__ import annotations

import sys

_KEEPS_ITS_PLACE = sys.version_info >= (3, 11, 5)

CLOSED_STRING = r'"(?:[^"\\]++|\\.)*+"'
"""A whole JSON string, for `re.DOTALL`, such as `"a\\"b"`.

Every Python reads it rightly in little memory: the group fails half way only at a backslash that ends the text, as in
`"a\\`, and no quote follows there.
"""


def possessive(body: str, times: str = "*") -> str:
    r"""Return a pattern that repeats a group and never gives anything back: `possessive("ab|c")` is `(?:ab|c)*+`.

    Args:
        body: what is repeated, without the group around it.
        times: how often: "*", "+", "?" or "{0,5}".
    """
    return f"(?:{body}){times}+" if _KEEPS_ITS_PLACE else f"(?>(?:{body}){times})"
