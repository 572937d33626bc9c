"""The facts about the code of one tree, and how a contract of the base differs from its counterpart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...contract.phrasing import clip, plural
from .schema_changes import Effect, SchemaChange, schema_changes
from .weakening import Weakening, Weight

Setting = bool | int | float | str | None | list[str]
"""A setting that can be compared."""
SPEC = "-c"
"""Prefix of the label of a contract from the command line: "-c 1". Others have the label "TEST#NUMBER"."""


@dataclass(frozen=True, slots=True)
class Part:
    """One demand of a contract, apart from its schema."""

    kind: str
    """"constraint", "rule", "call", "compare" or "option"."""
    about: str
    """The part that stays the same when the demand changes: "min_length at title"."""
    value: Setting = None
    """The demand, in words or as a number."""
    severity: int = 0
    """Its weight, as `Severity.rank`."""


@dataclass(frozen=True, slots=True)
class ContractFacts:
    """A contract in a form that can be compared with another version of it."""

    name: str
    schema: dict[str, Any] | None = None
    tools: dict[str, dict[str, Any]] = field(default_factory=dict)
    """JSON Schemas of the arguments that its call rules demand, by tool."""
    parts: tuple[Part, ...] = ()
    code: dict[str, str] = field(default_factory=dict)
    """Files of the contract, relative to the root of the tree, with a digest of their content."""
    refused: tuple[str, ...] = ()
    """Recorded and generated answers that it rejects."""
    accepted: tuple[str, ...] = ()
    """Recorded answers that it accepts."""


@dataclass(frozen=True, slots=True)
class TestFacts:
    """A marked test."""

    __test__ = False
    contracts: tuple[str, ...] = ()
    """Labels of contracts."""
    settings: dict[str, Setting] = field(default_factory=dict)
    """The settings of its markers, including defaults."""
    held_back: tuple[str, ...] = ()
    """Reasons why its failure may not count: "skip", "xfail", "skip() in its code"."""


@dataclass(frozen=True, slots=True)
class Held:
    """A contract of the base compared with its counterpart in the candidate."""

    base: str
    candidate: str
    """Label of the counterpart."""
    accepts: tuple[str, ...] = ()
    """Answers that the base refuses and the candidate accepts."""
    refuses: tuple[str, ...] = ()
    """Recorded answers that the base accepts and the candidate rejects."""


@dataclass(frozen=True, slots=True)
class TreeFacts:
    """The code of one tree."""

    contracts: dict[str, ContractFacts] = field(default_factory=dict)
    tests: dict[str, TestFacts] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    """Settings of the whole session."""
    hooks: tuple[str, ...] = ()
    """pytest hooks in the project that could change a result: "conftest.py: pytest_…"."""
    code: dict[str, str] = field(default_factory=dict)
    """Project files that pytest loads as plugins, such as conftest.py, with a digest of their content."""
    held: tuple[Held, ...] = ()
    problems: tuple[str, ...] = ()
    """Parts that could not be imported or collected, so that nothing is known about them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a process about a tree."""

    contracts: tuple[str, ...] = ()
    """The contracts, as `--contract` names them."""
    answers: tuple[str, ...] = ()
    """Recorded answers of both trees."""
    base: TreeFacts | None = None
    """The facts of the base, if this tree is the candidate."""
    paths: tuple[str, ...] = ()
    """Paths to search for modules first: those that lead to the project itself, in this tree."""
    elsewhere: str = ""
    """The folder of the other tree, or "". A module from there doesn't belong to this tree."""
    collect: bool = True


SHOWN = 90
"""Maximum number of characters of an answer in a line."""
# The bounds of two texts are compared when all else is equal: "at least 3 items" and "at least 2 items".
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_OPTIONS = {"strict": True, "extract": "whole", "wrap_list": False}
"""The stricter value of an option."""


@dataclass(frozen=True, slots=True)
class ContractChange:
    """How one contract changed."""

    name: str
    schema: tuple[SchemaChange, ...] = ()
    tools: tuple[tuple[str, SchemaChange], ...] = ()
    """Changes in the arguments of tools, with the tool's name."""
    parts: tuple[tuple[str, bool | None], ...] = ()
    """Other changed demands, in words: True if weaker, False if stricter, None if unknown."""
    code: tuple[str, ...] = ()
    """The changed files that the contract consists of."""
    refused: int = 0
    """Number of recorded and generated answers that the base rejects."""
    accepts: tuple[str, ...] = ()
    """Number of those answers that the candidate accepts."""
    refuses: tuple[str, ...] = ()
    """Recorded answers that the base accepts and the candidate rejects."""

    @property
    def empty(self) -> bool:
        """True if nothing changed."""
        return not (self.schema or self.tools or self.parts or self.code or self.accepts or self.refuses)

    def weakenings(self) -> Iterator[Weakening]:
        """Yield the ways in which it accepts more than the base.

        Unclear ones count only if nothing else explains the change.
        """
        about, found = f"contract {self.name}", False
        if self.accepts:
            found = True
            shown = clip(min(self.accepts, key=lambda answer: (len(answer), answer)), SHOWN)
            yield Weakening(
                about, "contract", f"accepts {plural(len(self.accepts), 'answer')} that the base refuses: {shown}"
            )
        for where, change in (
            *(("", each) for each in self.schema),
            *((f"{tool}: ", each) for tool, each in self.tools),
        ):
            if change.effect in (Effect.WIDER, Effect.OTHER):
                found = True
                weight = Weight.WEAKENED if change.effect is Effect.WIDER else Weight.UNCLEAR
                yield Weakening(about, "contract", f"{where}{change}", weight)
        for words, weaker in self.parts:
            if weaker is not False:
                yield Weakening(about, "contract", words, Weight.WEAKENED if weaker else Weight.UNCLEAR)
        tightened = any(change.breaking for change in self.schema) or self.parts or self.refuses
        if self.code and not found and not tightened:
            none = f"and refuses all that the base refuses: {plural(self.refused, 'answer')}"
            yield Weakening(about, "contract", f"its code changed in {', '.join(self.code)}, {none}", Weight.UNCLEAR)


def contract_change(
    before: ContractFacts, after: ContractFacts, accepts: tuple[str, ...], refuses: tuple[str, ...]
) -> ContractChange:
    """Compare a contract of the base with its counterpart."""
    tools = tuple(
        (tool, change)
        for tool in sorted(before.tools.keys() & after.tools.keys())
        for change in schema_changes(before.tools[tool], after.tools[tool])
    )
    return ContractChange(
        before.name,
        _schema(before, after),
        tools,
        tuple(_parts(before.parts, after.parts)),
        changed_files(before.code, after.code),
        len(before.refused),
        accepts,
        refuses,
    )


def changed_files(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files whose code differs between the two sides."""
    return tuple(sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path)))


def _schema(before: ContractFacts, after: ContractFacts) -> tuple[SchemaChange, ...]:
    if before.schema is not None and after.schema is None:
        return (SchemaChange("", "no schema is demanded any more", Effect.WIDER),)
    return schema_changes(before.schema or {}, after.schema or {})


def _parts(before: tuple[Part, ...], after: tuple[Part, ...]) -> Iterator[tuple[str, bool | None]]:
    """Yield demands that were removed, added or changed. Demands of one kind about one thing are paired."""
    gone, fresh = [part for part in before if part not in after], [part for part in after if part not in before]
    for part in gone:
        twin = next((other for other in fresh if (other.kind, other.about) == (part.kind, part.about)), None)
        if twin is None:
            yield f"the {part.kind} {_said(part)} is gone", True
            continue
        fresh.remove(twin)
        yield f"the {part.kind} {_said(part)} is {_said(twin)} now", _weaker(part, twin)
    # A new comparator is weaker, because it replaces equality.
    yield from ((f"the {part.kind} {_said(part)} is new", part.kind == "compare") for part in fresh)


def _said(part: Part) -> str:
    value = "" if part.value is None else f" {part.value}"
    return f"{part.about}{value}"


def _weaker(old: Part, new: Part) -> bool | None:
    if new.severity != old.severity:
        return new.severity < old.severity
    if old.kind == "option" and old.about in _OPTIONS:
        return new.value != _OPTIONS[old.about]
    words = [_NUMBER.sub("#", str(part.value)) for part in (old, new)]
    numbers = [list(map(float, _NUMBER.findall(str(part.value)))) for part in (old, new)]
    if old.kind == "compare" and "ignored" in words[1].casefold():
        return True
    if words[0] != words[1] or old.kind != "compare":
        return None
    # near(0.01) → near(0.5) allows more, and so does similar(0.9) → similar(0.5).
    return numbers[1] < numbers[0] if "similar" in words[0].casefold() else numbers[1] > numbers[0]
