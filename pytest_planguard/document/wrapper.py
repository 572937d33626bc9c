"""Find what models put around a document, like thinking blocks and code fences, and text left open at the end."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = "think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad"
# "<think>" or `<thinking depth="2">` at the start of the rest.
_THINK_OPEN = re.compile(rf"\s*<({_NAMES})(?:\s[^<>\n]{{0,200}})?>", re.IGNORECASE)
# "</think>" at the start or end of a line: one in the middle of a sentence is a quotation.
_THINK_CLOSE = re.compile(
    rf"(?:(?<![^\r\n])[ \t]*+</(?:{_NAMES})>)|(?:</(?:{_NAMES})>(?=[ \t]*+(?:[\r\n]|\Z)))", re.IGNORECASE
)
# "{", "[" or a fence: the answer starts here, even if a tag follows later.
_STARTS_DOCUMENT = re.compile(r"\s*(?:[\[{]|`{3}|~{3})")


@dataclass(frozen=True, slots=True)
class Thinking:
    """The thinking at the start of an answer. Offsets are 0-based characters."""

    end: int
    """Start of the actual answer; the end of the text if the thinking never ends."""
    blocks: tuple[tuple[int, int], ...] = ()
    closed: bool = True


def find_thinking(text: str) -> Thinking:
    """Return the thinking blocks that an answer starts with.

    Some servers put the opening tag into the prompt. So if a closing tag without an opening tag is alone on its line,
    or ends one, everything before it is thinking, unless the text starts like a document.
    """
    blocks: list[tuple[int, int]] = []
    position = 0
    while opened := _THINK_OPEN.match(text, position):
        # By its own name: "<think>use <analysis></analysis> here</think>" is one block.
        close = re.compile(rf"</{opened.group(1)}>", re.IGNORECASE).search(text, opened.end())
        if close is None:
            return Thinking(len(text), (*blocks, (position, len(text))), closed=False)
        blocks.append((position, close.end()))
        position = close.end()
    if "</" in text and not _STARTS_DOCUMENT.match(text, position):  # the first test is only for speed
        orphan = _THINK_CLOSE.search(text, position)
        if orphan:
            blocks.append((position, orphan.end()))
            position = orphan.end()
    return Thinking(position, tuple(blocks))


def opening_tag(text: str) -> tuple[str, int] | None:
    """Return the name of the thinking tag that a text starts with, and the offset after it; None if it has none."""
    opened = _THINK_OPEN.match(text)
    return None if opened is None else (opened.group(1), opened.end())


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced code block. Offsets are 0-based characters; `start` and `end` include the fence lines."""

    start: int
    body_start: int
    body_end: int
    end: int
    info: str
    """The first word after the opening fence, in lower case; "" without one."""
    closed: bool = True


# The opening line of a fence: its indentation, marks, the first word ("json"), and the rest, such as `{"a": 1`.
_OPEN = re.compile(
    r"(?<![^\r\n])([ \t]*+)(`{3,}+|~{3,}+)[ \t]*+([^\s`{\[]*+)[ \t]*+((?=[{\[])[^\r\n]*+|[^\r\n`]*+)(?:\r\n?|\n|\Z)"
)
_RUNS = {mark: re.compile(rf"({mark}{{3,}}+)([ \t]*+(?=[\r\n]|\Z))?") for mark in "`~"}
"""Three or more marks, and the blanks after them if the line ends there, as in "```  " before a line break."""


def find_fences(text: str, start: int = 0) -> tuple[Fence, ...]:
    """Return all fenced blocks from `start` on. A fence that is never closed reaches to the end of the text.

    Models may put a closing fence at the end of the body's last line, or start the body on the opening fence's line. A
    closing fence that is indented deeper than the opening one belongs to the body.
    """
    found: list[Fence] = []
    if "```" not in text and "~~~" not in text:  # only for speed
        return ()
    position = start
    while opened := _OPEN.search(text, position):
        fence = _fence(text, opened)
        found.append(fence)
        position = fence.end
    return tuple(found)


def _fence(text: str, opened: re.Match[str]) -> Fence:
    indent, mark, info, rest = opened.groups()
    start = opened.start(2)
    body_start = opened.start(4) if rest[:1] in ("{", "[") else opened.end()
    for close in _RUNS[mark[0]].finditer(text, body_start):
        if close.group(2) is None or len(close.group(1)) < len(mark):
            continue
        line = line_start(text, body_start, close.start())
        if line is None and mark[0] == "`":
            return Fence(start, body_start, close.start(), close.end(), info.lower())
        if line is not None and len(text[line : close.start()].expandtabs(4)) <= len(indent.expandtabs(4)):
            return Fence(start, body_start, line, close.end(), info.lower())
    return Fence(start, body_start, len(text), len(text), info.lower(), closed=False)


def line_start(text: str, start: int, at: int) -> int | None:
    """Return the start of the line of `at`; None if more than blanks comes before it on its line."""
    line = at
    while line > start and text[line - 1] in " \t":
        line -= 1
    return line if line == 0 or text[line - 1] in "\r\n" else None


# Constructs that a Markdown text leaves open at its end, a sign that its author was cut off.


_BARE = re.compile(r"\s*+(?:#{1,6}|(?:[-*+]|\d{1,9}[.)])(?:[ \t]++\[[ xX]?\]?)?)[ \t]*+")
"""A heading or item without words: "##", "3.", "- [ ]"."""
# A run of backticks: a run of the same length closes it.
_TICKS = re.compile(r"`++")
_LINK_TARGET = re.compile(r"\]\([^)]*+\Z")
"""The target of a link that reaches to the end: "[plan](docs/pl"."""


def open_at_end(text: str) -> str | None:
    """Return the construct left open at the end of a Markdown text; None without one.

    An open code fence always counts. Other constructs only count in the last line, and only if no line break ends it:
    an author who writes "see **note" on a line and goes on made a mistake, but was not cut off.
    """
    if any(not fence.closed for fence in find_fences(text)):
        return "a code fence"
    line = _last_line(text)
    if not line.strip():
        return None
    if _BARE.fullmatch(line):
        return "a heading or item without words"
    if _is_open_row(text, line):
        return "a table row"
    return _open_in_words(_without_code(line))


def _last_line(text: str) -> str:
    """Return the text after the last line break: CR ends a line, too."""
    return text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]


def _is_open_row(text: str, line: str) -> bool:
    """Return True if the last line begins like the table rows above it, but does not end like them: "| T002 | Wri"."""
    above = _last_line(text[: -len(line)].rstrip("\r\n")).strip()
    row = line.strip()
    return row.startswith("|") and not row.endswith("|") and above.startswith("|") and above.endswith("|")


def _without_code(line: str) -> str:
    """Return a line without its code, which is between equal numbers of backticks: "`make`", "``a`b``"."""
    runs = list(_TICKS.finditer(line))
    following = [0] * len(runs)  # the next run of the same length; 0 if there is none
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
    """Return the construct left open in a line without its code."""
    if "`" in words:
        return "code in a line"
    if _LINK_TARGET.search(words) or words.count("[") > words.count("]"):
        return "a link"
    return "bold words" if words.count("**") % 2 else None
