r"""Limits that keep a hostile answer cheap, and possessive repeats of a regular expression's group.

Before Python 3.11.5, `(?:\.[0-9]++)?+` takes the "." of "1." and keeps it, though the group does not match (gh-106052).
An atomic group means the same, but takes more memory for a long text, so other versions do without.
"""

from __future__ import annotations

import sys

MAX_DEPTH = 200
"""Maximum depth of objects and lists. Python's JSON parser goes deeper, depending on its version."""
MAX_SIZE = 20_000_000
"""Maximum length of an answer, in characters."""
MAX_PROBLEMS = 1_000
"""Maximum number of problems of one kind to report for one answer (duplicate keys, errors of the schema, violations of
one constraint)."""
MAX_EXPANSION = 1_000_000
"""Maximum number of values in a YAML document. Every use of an alias counts."""
ACTUAL_LIMIT = 60
"""Maximum characters of the answer that a problem quotes."""


def clip(text: str) -> str:
    """Return at most `ACTUAL_LIMIT` characters of the first line, with "…" if something is left out."""
    line = text.strip().replace("\r", "\n").split("\n", 1)[0]
    whole = line == text.strip() and len(line) <= ACTUAL_LIMIT
    return line if whole else line[: ACTUAL_LIMIT - 1] + "…"


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
