"""The words around a change in a long text: what a person needs to see, and no more."""

from __future__ import annotations

import re

CONTEXT = 6
"""Words kept on each side of a change."""
CHANGED = 24
"""Words of a change that are kept; the rest is counted."""
_WORD = re.compile(r"\S+\s*")


def window(before: str, after: str) -> str:
    """`… kept words [-old words-]{+new words+} kept words …` on one line; "" for equal texts."""
    if before == after:
        return ""
    old, new = _WORD.findall(before), _WORD.findall(after)
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    gone, came = old[start : len(old) - end], new[start : len(new) - end]
    lead, tail = old[:start], old[len(old) - end :]
    parts = [
        "… " if len(lead) > CONTEXT else "",
        _line(lead[-CONTEXT:] if lead else []),
        f"[-{_clipped(gone)}-]" if gone else "",
        f"{{+{_clipped(came)}+}}" if came else "",
        f" {_line(tail[:CONTEXT])}".rstrip(),
        " …" if len(tail) > CONTEXT else "",
    ]
    return _spaced(parts) if gone or came else "only white space changed"


def _spaced(parts: list[str]) -> str:
    lead, kept, gone, came, tail, rest = parts
    return f"{lead}{kept}{' ' if kept else ''}{gone}{came}{tail}{rest}".strip()


def _shared(one: list[str], other: list[str]) -> int:
    """How many leading words agree, white space aside."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left.strip() != right.strip():
            break
        count += 1
    return count


def _clipped(words: list[str]) -> str:
    more = len(words) - CHANGED
    shown = _line(words[:CHANGED])
    return f"{shown} … ({more:,} more words)" if more > 0 else shown


def _line(words: list[str]) -> str:
    """One line; a single endless word (a blob without spaces) is cut too."""
    return " ".join(word.strip() if len(word) <= 200 else f"{word[:200]}…" for word in words)
