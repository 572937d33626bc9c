"""What a report shows, whatever its form: a page of blocks, in which foreign words are told apart from our own.

A topic (a run, a comparison, a search) has one function that builds its page; `media/text`, `media/markdown` and
`media/html` draw any page.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Literal

from ..printable import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ..contract.finding import Finding
    from ..document.words import ChangePiece
    from ..runs.model.broken_rules import Broken
    from ..runs.model.run import CaseRow
    from ..runs.store.store import RunPoint
    from ..runs.value_diff.change import FieldChange

RULES_NAMED = 5
"""Broken rules that a line names; the rest is counted."""
LIMIT = 240
"""Characters of foreign words on one line; a model can make them as long as it likes."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """Words that a model, a file or a user wrote. Every form makes them harmless in its own way."""

    text: str
    limit: int = LIMIT

    def __str__(self) -> str:
        return one_line(self.text, self.limit)


Piece = str | Foreign
Words = Piece | tuple[Piece, ...]
"""A line: our own words, foreign ones, or both in a row."""


def pieces(words: Words) -> tuple[Piece, ...]:
    """Return the pieces of a line."""
    return words if isinstance(words, tuple) else (words,)


def plain(words: Words) -> str:
    """Return a line as plain text that is safe to print."""
    return "".join(map(str, pieces(words)))


def joined(separator: str, items: Iterable[Words]) -> tuple[Piece, ...]:
    """Return several lines as one, with our separator between them."""
    return tuple(chain.from_iterable((separator, *pieces(item)) for item in items))[1:]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The conclusion, and why."""

    word: str
    """"PASS", "FAIL" or "UNPROVEN"."""
    reasons: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Single facts, each with its label: 'good before: 2 of 3'."""

    entries: tuple[tuple[Words, Words], ...]
    kind: ClassVar = "facts"


Tone = Literal["good", "mixed", "bad", "none"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is coloured where the form has colours."""

    words: Words
    tone: Tone


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of as many cells as the head has."""

    head: tuple[Words, ...]
    rows: tuple[tuple[Words | Cell, ...], ...]
    title: Words = ""
    right: frozenset[int] = frozenset()
    """Columns of numbers."""
    legend: tuple[tuple[str, str], ...] = ()
    """Words of the head or the cells, with their meaning."""
    classes: tuple[str, ...] = ()
    """Of each row on a page in HTML: "worse"; () for none."""
    kind: ClassVar = "table"


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines below a title; one that nobody has to act on may be folded."""

    title: str
    items: tuple[Words, ...]
    folded: bool = False
    kind: ClassVar = "listing"


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy: Python, commands."""

    title: str
    text: str
    language: str = "text"
    kind: ClassVar = "code"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text that changed, word by word."""

    title: Words
    pieces: tuple[ChangePiece, ...]
    kind: ClassVar = "rewritten"


@dataclass(frozen=True, slots=True)
class Node:
    """An answer in a tree of answers."""

    title: str
    level: int
    passed: bool
    words: Words
    """Its first words, or what is wrong with it."""
    answer: str
    findings: tuple[Finding, ...] = ()
    on_path: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """Answers, each before those that follow from it."""

    title: str
    nodes: tuple[Node, ...]
    kind: ClassVar = "tree"


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one of a case's answers: its fields, and figures where fields cannot be compared."""

    changes: tuple[FieldChange, ...]
    name: str = ""
    """Which of the case's conversations; "" where it has only one."""
    figures: tuple[tuple[Words, ...], ...] = ()
    """Name, before, now, change."""
    notes: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A case: what identifies it, and what became of it."""

    key: str
    mark: Words = ""
    """Put behind its key: ' (known)'."""
    label: str = ""
    """Its group in the words of one case: 'new failure'."""
    why: Words = ""
    """Why it is where it is; "" where its group says it all."""
    rules: tuple[tuple[str, Broken], ...] = ()
    """Verb and rule: "breaks", and one_of at priority."""
    details: tuple[Words, ...] = ()
    """The findings' own words, and what a retry did not feed back."""
    answers: tuple[Answer, ...] = ()
    sides: tuple[tuple[str, tuple[CaseRow, ...]], ...] = ()
    """Title and rows, whose conversations a page in HTML shows."""
    models: tuple[str, ...] = ()
    fails: bool = False
    identity: tuple[str, ...] = ()
    """What its address is made of, so that it is the same in every page."""

    @property
    def changes(self) -> tuple[FieldChange, ...]:
        """All changes, those that touch a rule or a conclusion first."""
        found = [change for answer in self.answers for change in answer.changes]
        return tuple(sorted(found, key=lambda change: not (change.verdict or change.breaks or change.fixes)))

    @property
    def unexplained(self) -> tuple[Words, ...]:
        """The rules that no change shows, by verb: 'still breaks missing at a'."""
        return self.ruled({code for change in self.changes for code in (*change.breaks, *change.fixes)})

    def ruled(self, without: Collection[str] = ()) -> tuple[Words, ...]:
        """Return the rules by verb, but for some: 'breaks one_of at priority, missing at a'."""
        by_verb: dict[str, list[Words]] = {}
        for verb, rule in self.rules:
            if rule.rule not in without:
                by_verb.setdefault(verb, []).append(Foreign(str(rule), 120))
        return tuple((f"{verb} ", *joined(", ", _some(rules))) for verb, rules in by_verb.items())


def _some(rules: list[Words]) -> list[Words]:
    return [*rules[:RULES_NAMED], *([f"and {len(rules) - RULES_NAMED:,} more"] if len(rules) > RULES_NAMED else [])]


@dataclass(frozen=True, slots=True)
class Group:
    """The cases to which the same has happened."""

    name: str
    title: str
    cases: tuple[Case, ...]
    folded: bool = False
    same: bool = False
    """Nothing is to be said of them: text and Markdown leave them out."""


@dataclass(frozen=True, slots=True)
class Cases:
    """All cases of a run or a comparison."""

    groups: tuple[Group, ...]
    kind: ClassVar = "cases"

    def every(self) -> Iterator[Case]:
        """Yield all of them."""
        return (case for group in self.groups for case in group.cases)


Block = Facts | Table | Listing | Code | Rewritten | Tree | Cases


@dataclass(frozen=True, slots=True)
class Page:
    """A report."""

    title: Words
    lead: Words = ""
    """What to read first; "" for a page of tables, whose title HTML alone needs."""
    verdict: Verdict | None = None
    """None where nothing is concluded."""
    blocks: tuple[Block, ...] = ()
    notes: tuple[Words, ...] = ()
    """What a reader has to know beside."""
    history: tuple[RunPoint, ...] = ()
    """The kept runs, oldest first, of which HTML draws a chart."""
