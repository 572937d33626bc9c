"""Specifications of OpenSpec: deltas of a change, and the specs that stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ....contract.finding import Severity
from ...model.place import Place
from ...model.plan import Defect, Requirement, Traits
from ..task_drafts import Collector

if TYPE_CHECKING:
    from ...model.plan import Plan
    from ...reading.outline import Block
    from ...reading.source import Source

_SECTION = re.compile(r"(ADDED|MODIFIED|REMOVED|RENAMED) Requirements[ \t]*", re.IGNORECASE)
_REQUIREMENT = re.compile(r"Requirement:[ \t]*(?P<name>\S.*?)[ \t]*", re.IGNORECASE)
_LISTED = re.compile(r"`?#{3}[ \t]*Requirement:[ \t]*(?P<name>[^`\n]+?)[ \t]*`?", re.IGNORECASE)
"""A removed requirement as an item: "- `### Requirement: Renewal`"."""
_SIDE = re.compile(
    r"(?P<side>FROM|TO):[ \t]*`?#{3}[ \t]*Requirement:[ \t]*(?P<name>[^\n]+?)[ \t]*`?$",
    re.IGNORECASE | re.MULTILINE,
)
"""One side of a rename: "- FROM: `### Requirement: Renewal`"."""
_METADATA = re.compile(r"\*\*[^*]+\*\*:")
_SEVERITIES = {"req-scenario": Severity.RETRY}
DELTA = Traits(needs_tasks=False, validated=True, normative=True, scenario="scenario", severities=_SEVERITIES)
SPEC = Traits(
    needs_tasks=False,
    validated=True,
    normative=True,
    scenario="scenario",
    needs_requirements=("requirement",),
    required=("Purpose", "Requirements"),
    severities=_SEVERITIES,
)
_WHY = "Why|Intent|Problem|Problem Statement|Motivation|Background|Context|Summary|Goal|Purpose"
_WHAT = "What Changes|What Changed|What|Change|Changes|Scope|Approach|Solution|Proposed Solution|Proposed Changes"
PROPOSAL = Traits(needs_tasks=False, required=(_WHY, _WHAT))
"""OpenSpec's own pages show `Why` and `What Changes`, and `Intent`, `Scope` and `Approach`; the rest means the same."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One requirement that a delta speaks of."""

    section: str
    name: str
    place: Place


def read_delta(source: Source) -> Plan:
    """Read the delta of a change: its sections, requirements, renames, and what contradicts what."""
    collector = Collector(source)
    reader = _Reader(collector)
    for index, block in enumerate(collector.blocks):
        reader.take(index, block)
    plan = collector.plan("openspec-delta", DELTA)
    defects = (*plan.defects, *reader.defects(), *_conflicts(reader.entries, reader.renames))
    return replace(plan, requirements=tuple(reader.requirements), defects=defects)


def read_spec(source: Source) -> Plan:
    """Read a spec that stands: purpose and requirements with their scenarios."""
    collector = Collector(source)
    requirements = []
    for index, block in enumerate(collector.blocks):
        found = _REQUIREMENT.fullmatch(block.text) if block.kind == "heading" and block.level == 3 else None
        if found is not None:
            requirements.append(_requirement(collector.blocks, index, found["name"]))
    return replace(collector.plan("openspec-spec", SPEC), requirements=tuple(requirements))


def read_proposal(source: Source) -> Plan:
    """Read a proposal: headings and text."""
    return Collector(source).plan("openspec-proposal", PROPOSAL)


def _requirement(blocks: Sequence[Block], index: int, name: str, scope: str = "") -> Requirement:
    body, scenarios = _body(blocks, index)
    return Requirement(name, "requirement", _place(blocks[index], name), scope, body, scenarios)


def _place(block: Block, name: str) -> Place:
    at = block.text.find(name)
    return Place(("requirements", name), block.at(max(at, 0), max(at, 0) + len(name)))


def _body(blocks: Sequence[Block], index: int) -> tuple[str, int]:
    """Return the words of a requirement up to its first heading, and how many scenarios with a body follow."""
    words: list[tuple[str, bool]] = []
    scenarios, before, filled = 0, True, True
    for block in blocks[index + 1 :]:
        if block.kind == "heading":
            if block.level <= 3:
                break
            if block.level == 4:
                before, filled = False, False
            before = False
        elif before and block.kind in ("item", "text"):
            words.append((block.text, block.kind == "item"))
        elif not filled:
            scenarios, filled = scenarios + 1, True
    plain = [text for text, is_item in words if is_item or not _METADATA.match(text)]
    return "\n".join(plain or [text for text, _ in words]), scenarios


class _Reader:
    """Goes through the blocks of a delta."""

    def __init__(self, collector: Collector) -> None:
        self._blocks = collector.blocks
        self._section: str | None = None
        self._present: dict[str, Place] = {}
        self._orphans: list[Defect] = []
        self._pending: _Entry | None = None
        self._unpaired: list[_Entry] = []
        self.entries: list[_Entry] = []
        self.renames: list[tuple[_Entry, _Entry]] = []
        self.requirements: list[Requirement] = []

    def take(self, index: int, block: Block) -> None:
        """Read one block."""
        if block.kind == "heading" and block.level == 2:
            found = _SECTION.fullmatch(block.text)
            self._section = found[1].upper() if found else None
            if found is not None:
                self._present.setdefault(found[1].upper(), Place(("sections", block.text), block.at()))
        elif block.kind == "heading" and block.level == 3 and (found := _REQUIREMENT.fullmatch(block.text)):
            self._heading(index, block, found["name"])
        elif block.kind == "item" and self._section == "REMOVED" and (found := _LISTED.fullmatch(block.text)):
            self.entries.append(_Entry("REMOVED", found["name"], _place(block, found["name"])))
        elif block.kind in ("item", "text") and self._section == "RENAMED":
            for side in _SIDE.finditer(block.text):
                self._side(side["side"].upper(), _Entry("RENAMED", side["name"], _place(block, side["name"])))

    def _heading(self, index: int, block: Block, name: str) -> None:
        place = _place(block, name)
        if self._section is None:
            self._orphans.append(
                Defect("delta-orphan", f"the requirement {name!r} stands in no delta section", place, "a delta section")
            )
        elif self._section in ("ADDED", "MODIFIED"):
            self.requirements.append(_requirement(self._blocks, index, name, self._section))
            self.entries.append(_Entry(self._section, name, place))
        elif self._section == "REMOVED":
            self.requirements.append(Requirement(name, "requirement", place, "REMOVED"))
            self.entries.append(_Entry("REMOVED", name, place))

    def _side(self, side: str, entry: _Entry) -> None:
        if side == "FROM":
            self._unpaired += [self._pending] if self._pending is not None else []
            self._pending = entry
        elif self._pending is not None:
            self.renames.append((self._pending, entry))
            self._pending = None
        else:
            self._unpaired.append(entry)

    def defects(self) -> Iterator[Defect]:
        """Yield what is wrong with the sections themselves."""
        yield from self._orphans
        for entry in [*self._unpaired, *([self._pending] if self._pending is not None else [])]:
            yield Defect(
                "delta-conflict", f"the rename of {entry.name!r} has one side alone", entry.place, "FROM and TO"
            )
        if self.entries or self.renames:
            return
        for section, place in self._present.items():
            yield Defect("delta-section", f"{section} Requirements holds no requirement", place, "### Requirement: …")
        if not self._present:
            yield Defect("delta-section", "the delta has no delta section", expected="## ADDED Requirements")


def _conflicts(entries: Sequence[_Entry], renames: Sequence[tuple[_Entry, _Entry]]) -> Iterator[Defect]:
    """Yield requirements of which a delta says two things that exclude each other."""
    names: dict[str, dict[str, _Entry]] = {section: {} for section in ("ADDED", "MODIFIED", "REMOVED")}
    for entry in entries:
        names[entry.section].setdefault(entry.name, entry)
    for one, other in (("MODIFIED", "REMOVED"), ("MODIFIED", "ADDED"), ("ADDED", "REMOVED")):
        for name in sorted(names[one].keys() & names[other].keys()):
            yield _conflict(names[other][name], f"{name!r} is under {one} and under {other}")
    yield from _repeated([old for old, _ in renames], "is renamed twice")
    yield from _repeated([new for _, new in renames], "is the new name of two requirements")
    for old, new in renames:
        yield from _against(names, old, new)


def _repeated(sides: Sequence[_Entry], words: str) -> Iterator[Defect]:
    seen: set[str] = set()
    for entry in sides:
        if entry.name in seen:
            yield _conflict(entry, f"{entry.name!r} {words}")
        seen.add(entry.name)


def _against(names: dict[str, dict[str, _Entry]], old: _Entry, new: _Entry) -> Iterator[Defect]:
    """Yield what a rename contradicts."""
    if old.name in names["MODIFIED"]:
        message = f"{old.name!r} is modified by its old name; it is {new.name!r} now"
        yield _conflict(names["MODIFIED"][old.name], message)
    if new.name in names["ADDED"]:
        yield _conflict(new, f"{new.name!r} is added, and another one is renamed to it")
    if _folded(old.name) in {_folded(name) for name in names["REMOVED"]}:
        yield _conflict(old, f"{old.name!r} is renamed and removed")


def _folded(name: str) -> str:
    return " ".join(name.lower().split())


def _conflict(entry: _Entry, message: str) -> Defect:
    return Defect("delta-conflict", message, entry.place, "one of the two")
