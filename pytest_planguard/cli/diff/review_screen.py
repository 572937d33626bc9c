"""Render one item of a review as plain text, in colour on a terminal, and read the single keys that decide about it."""

from __future__ import annotations

import difflib
import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING

import click
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from ...printable import one_line, visible
from ...report.conversation import missing_text, unheeded_answers
from ...runs.gate.known_failures import KnownFailure
from ...runs.gate.review_items import Question
from ...runs.model.broken_rules import FEEDBACK
from ...runs.snapshots import PendingSnapshot

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...runs.gate.review_items import ReviewItem


MAX_LINES = 200
"""Maximum number of lines of a difference, or of an answer, to show at once."""
FACTS = 6
"""Maximum number of lines about missing feedback to show without a request."""
KEYS = (("a", "accept"), ("r", "reject"), ("s", "skip"), ("d", "diff"), ("q", "quit"))
ANSWER = "answer"
"""The name of the key `d` for a failure, which has an answer to show instead of a difference."""
_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_BORDERS = {Question.FIXED: "green", Question.NEW_SNAPSHOT: "green"}
OUTDATED = "the snapshot has changed since this test ran: run the test again"
OUTDATED_VALUE = "the expected value has changed since this test ran: run the test again"


def panel(item: ReviewItem, number: int, of: int) -> RenderableType:
    """Return the item as a box: its question, its test, and the changes."""
    body = Text("\n").join([Text(one_line(item.name, 400), style="bold"), *map(_row, facts(item))])
    title = Text(f" {number} of {of}: {item.question.value} ")
    return Panel(body, title=title, title_align="left", border_style=_BORDERS.get(item.question, "yellow"))


def key_line(item: ReviewItem) -> Text:
    """Return the line of keys. `d` shows the difference of a snapshot, and the answer of a failure."""
    line = Text()
    for key, name in KEYS:
        word = ANSWER if key == "d" and not isinstance(item.subject, PendingSnapshot) else name
        line.append(f"[{key}]", style="bold cyan").append(f" {word}  ")
    return line


def facts(item: ReviewItem) -> Iterator[str]:
    """Yield the facts for a decision, as plain lines."""
    if isinstance(item.subject, PendingSnapshot):
        yield one_line(item.subject.path, 400)
        if item.outdated:
            yield OUTDATED_VALUE if item.subject.case else OUTDATED
        yield from visible(item.subject.rows).split("\n")
    else:
        yield from _entry_facts(item.subject)
        yield from (one_line(finding.message, 400) for finding in item.findings)
        yield from islice(_missing(item), FACTS)


def difference(item: ReviewItem) -> RenderableType:
    """Return the full text: a snapshot's difference line by line, or a failure's answer and missing feedback."""
    if isinstance(item.subject, PendingSnapshot):
        return Group(*(Text(line, style=_STYLES.get(line[:1], "")) for line in _diff_lines(item.subject)))
    return Group(*(Text(f"  {line}") for line in _clipped(list(_all_of(item)) or ["no answer is kept"])))


def _all_of(item: ReviewItem) -> Iterator[str]:
    """Yield the answers of a failure.

    If feedback was missing, yield what each request lacks, and the answers concerned.
    """
    missing = list(_missing(item))
    if not missing or item.row is None:
        for answer in item.row.answers if item.row else ():
            yield from visible(answer).split("\n")
        return
    yield from missing
    for name, answer in unheeded_answers(item.row):
        yield from ("", f"{name}:", *(f"  {line}" for line in visible(answer).split("\n")))


def _missing(item: ReviewItem) -> Iterator[str]:
    if item.row is not None and isinstance(item.subject, KnownFailure) and item.subject.rule == FEEDBACK.rule:
        yield from missing_text(item.row)


def _row(line: str) -> Text:
    """Return a line of facts. The rules that it breaks or fixes are coloured."""
    text = Text(line)
    text.highlight_regex(r"\(breaks [^()]*\)$", "red")
    text.highlight_regex(r"\(fixes [^()]*\)$", "green")
    return text


def _entry_facts(entry: KnownFailure) -> Iterator[str]:
    fields = (
        ("listed", entry.first_seen),
        ("expires", entry.expires),
        ("owner", entry.owner),
        ("reason", entry.reason),
    )
    known = [f"{name}: {value}" for name, value in fields if value]
    if known:
        yield one_line(", ".join(known), 400)


def _diff_lines(pending: PendingSnapshot) -> list[str]:
    before, after = ((text or "").split("\n") for text in (pending.before, pending.after))
    kind = "expected" if pending.case else "snapshot"
    lines = difflib.unified_diff(before, after, kind, "test", lineterm="")
    return _clipped([visible(line, keep="") for line in islice(lines, MAX_LINES + 1)])


def _clipped(lines: list[str]) -> list[str]:
    return lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "…"]


ESCAPE = b"\x1b"
LEAVES = ("", "\x03", "\x04", "\x1a")
"""End of input, Ctrl-C, Ctrl-D, Ctrl-Z."""


class Keyboard:
    """Reads keys one by one. A key that sends a sequence, such as an arrow, counts as one key without a meaning."""

    def __init__(self, *, posix: bool) -> None:
        self._posix = posix
        self._typed: deque[str] = deque()

    def key(self) -> str:
        """Return the next key in lower case; "" if the input has ended or was interrupted."""
        try:
            while not self._typed:
                self._typed.extend(self._read())
            key = self._typed.popleft()
        except (EOFError, KeyboardInterrupt):
            return ""
        return "" if key in LEAVES else key.lower()

    def _read(self) -> list[str]:
        if not self._posix:
            return [click.getchar()]
        data = os.read(sys.stdin.fileno(), 32)
        if not data:
            raise EOFError
        text = data.decode(errors="replace")
        return [text] if data.startswith(ESCAPE) else list(text)


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """Provide a keyboard that needs no Enter and echoes nothing, and restore the terminal afterwards."""
    if not (find_spec("termios") is not None):
        yield Keyboard(posix=False)
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)  # the default would discard keys that are already typed
        _without_signals(terminal)
        yield Keyboard(posix=True)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _without_signals(terminal: int) -> None:
    """Make Ctrl-C an ordinary key, so that it leaves the review at a prompt and never interrupts a write."""
    import termios

    mode = termios.tcgetattr(terminal)
    mode[3] &= ~termios.ISIG
    termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
