"""What a Markdown text leaves open at its end: the sign that whoever wrote it was stopped."""

from __future__ import annotations

import re

# "```python" or "~~~": the marks, and what follows them on the line.
_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)(.*)")
_BARE = re.compile(r"\s*+(?:#{1,6}|(?:[-*+]|\d{1,9}[.)])(?:[ \t]++\[[ xX]?\]?)?)[ \t]*+")
"""A heading or item without words: "##", "3.", "- [ ]"."""
# A run of backticks: as long a run closes what it opens.
_TICKS = re.compile(r"`++")
_LINK_TARGET = re.compile(r"\]\([^)]*+\Z")
"""The target of a link that goes to the end: "[plan](docs/pl"."""


def open_at_end(text: str) -> str | None:
    """Return what is open at the end of a Markdown text; None where nothing is.

    A code fence counts wherever it was opened. All else counts in the last line alone, and only where no line break
    ends it: whoever writes "see **note" on a line and goes on has made a slip, and was not stopped.
    """
    if _has_open_fence(text):
        return "a code fence"
    line = text.rpartition("\n")[2]
    if not line.strip():
        return None
    if _BARE.fullmatch(line):
        return "a heading or item without words"
    if _is_open_row(text, line):
        return "a table row"
    return _open_in_words(_without_code(line))


def _has_open_fence(text: str) -> bool:
    opened = ""
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if fence is None:
            continue
        if not opened:
            opened = fence[1] if fence[1][0] == "~" or "`" not in fence[2] else ""  # "```x```" is code in a line
        elif fence[1].startswith(opened) and not fence[2].strip():
            opened = ""
    return bool(opened)


def _is_open_row(text: str, line: str) -> bool:
    """Return whether the last line begins as the rows above it do, and does not end as they do: "| T002 | Wri"."""
    above = text[: -len(line)].rstrip("\n").rpartition("\n")[2].strip()
    row = line.strip()
    return row.startswith("|") and not row.endswith("|") and above.startswith("|") and above.endswith("|")


def _without_code(line: str) -> str:
    """Return a line without its code, which stands between as many backticks on either side: "`make`", "``a`b``"."""
    runs = list(_TICKS.finditer(line))
    following = [0] * len(runs)  # the next run of the same length; 0 where there is none
    last: dict[int, int] = {}
    for at in range(len(runs) - 1, -1, -1):
        following[at] = last.get(len(runs[at][0]), 0)
        last[len(runs[at][0])] = at
    kept, start, at = [], 0, 0
    while at < len(runs):
        if following[at]:
            kept.append(line[start : runs[at].start()])
            start = runs[following[at]].end()
            at = following[at]
        at += 1
    return "".join((*kept, line[start:]))


def _open_in_words(words: str) -> str | None:
    """Return what is open in a line without its code."""
    if "`" in words:
        return "code in a line"
    if _LINK_TARGET.search(words) or words.count("[") > words.count("]"):
        return "a link"
    return "bold words" if words.count("**") % 2 else None
