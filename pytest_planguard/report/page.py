"""The content of a report in any form: a page of blocks that separates foreign words from our own.

Each topic (a run, a comparison, a search) has one function that builds its page. `forms/text`, `forms/markdown` and
`forms/html` draw any page.
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
    from ..runs.value_diff import FieldChange

RULES_NAMED = 5
"""Maximum number of broken rules in a line. The rest are counted."""
LIMIT = 240
"""Maximum number of characters of foreign words on one line. A model can make them very long."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """Words that a model, a file or a user wrote. Every form makes them harmless in its own way."""

    text: str
    limit: int = LIMIT

    def __str__(self) -> str:
        return one_line(self.text, self.limit)


Piece = str | Foreign
Words = Piece | tuple[Piece, ...]
"""A line: our own words, foreign words, or a sequence of both."""


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
    """The conclusion with its reasons."""

    word: str
    """"PASS", "FAIL" or "UNPROVEN"."""
    reasons: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts, each with its label: 'good before: 2 of 3'."""

    entries: tuple[tuple[Words, Words], ...]
    aligned: bool = False
    """True to align them in text, as the summary of a report. A fact without a label belongs to the one above it."""
    kind: ClassVar = "facts"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines in a font of fixed width, such as a finding with its place in the answer. They are safe to print."""

    texts: tuple[str, ...]
    kind: ClassVar = "lines"


Tone = Literal["good", "mixed", "bad", "none"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell, coloured in forms that have colours."""

    words: Words
    tone: Tone


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Each row has as many cells as the head."""

    head: tuple[Words, ...]
    rows: tuple[tuple[Words | Cell, ...], ...]
    title: Words = ""
    right: frozenset[int] = frozenset()
    """The columns of numbers."""
    legend: tuple[tuple[str, str], ...] = ()
    """Words in the head or the cells, with the meaning of each."""
    classes: tuple[str, ...] = ()
    """The HTML class of each row, such as "worse"; () for none."""
    kind: ClassVar = "table"


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines below a title. A list that needs no action may be folded."""

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
    """A changed text with every change marked."""

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
    """Its first words, or its problem."""
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
    """The changes in one of a case's answers: its fields, and figures if fields can't be compared."""

    changes: tuple[FieldChange, ...]
    name: str = ""
    """The name of the conversation; "" if the case has only one."""
    figures: tuple[tuple[Words, ...], ...] = ()
    """Name, before, now, change."""
    notes: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A case: its identity, and its changes."""

    key: str
    mark: Words = ""
    """Text after its key: ' (known)'."""
    label: str = ""
    """Its group in the words for one case: 'new failure'."""
    why: Words = ""
    """The reason why it is in its group; "" if the group says enough."""
    rules: tuple[tuple[str, Broken], ...] = ()
    """Verb and rule: "breaks", and "one_of at priority"."""
    details: tuple[Words, ...] = ()
    """The messages of the findings, and the feedback that a retry lacked."""
    answers: tuple[Answer, ...] = ()
    sides: tuple[tuple[str, tuple[CaseRow, ...]], ...] = ()
    """Title and rows. A page in HTML shows their conversations."""
    models: tuple[str, ...] = ()
    fails: bool = False
    identity: tuple[str, ...] = ()
    """The parts of its address, which is the same on every page."""

    @property
    def changes(self) -> tuple[FieldChange, ...]:
        """All changes, those that affect a rule or a verdict first."""
        found = [change for answer in self.answers for change in answer.changes]
        return tuple(sorted(found, key=lambda change: not (change.verdict or change.breaks or change.fixes)))

    @property
    def unexplained(self) -> tuple[Words, ...]:
        """The rules that no change explains, by verb: 'still breaks missing at a'."""
        return self.ruled({code for change in self.changes for code in (*change.breaks, *change.fixes)})

    def ruled(self, without: Collection[str] = ()) -> tuple[Words, ...]:
        """Return the rules by verb, with some left out: 'breaks one_of at priority, missing at a'."""
        by_verb: dict[str, list[Words]] = {}
        for verb, rule in self.rules:
            if rule.rule not in without:
                by_verb.setdefault(verb, []).append(Foreign(str(rule), 120))
        return tuple((f"{verb} ", *joined(", ", _some(rules))) for verb, rules in by_verb.items())


def _some(rules: list[Words]) -> list[Words]:
    return [*rules[:RULES_NAMED], *([f"and {len(rules) - RULES_NAMED:,} more"] if len(rules) > RULES_NAMED else [])]


@dataclass(frozen=True, slots=True)
class Group:
    """Cases with the same kind of change."""

    name: str
    title: str
    cases: tuple[Case, ...]
    folded: bool = False
    same: bool = False
    """True if the cases need no attention. Text and Markdown leave them out."""


@dataclass(frozen=True, slots=True)
class Cases:
    """All cases of a run or a comparison."""

    groups: tuple[Group, ...]
    kind: ClassVar = "cases"

    def every(self) -> Iterator[Case]:
        """Yield all cases."""
        return (case for group in self.groups for case in group.cases)


Block = Facts | Lines | Table | Listing | Code | Rewritten | Tree | Cases


@dataclass(frozen=True, slots=True)
class Page:
    """A report."""

    title: Words
    lead: Words = ""
    """The first thing to read; "" for a page of tables, whose title only HTML needs."""
    verdict: Verdict | None = None
    """The conclusion, if any."""
    blocks: tuple[Block, ...] = ()
    notes: tuple[Words, ...] = ()
    history: tuple[RunPoint, ...] = ()
    """The kept runs, oldest first, for a chart in HTML."""
