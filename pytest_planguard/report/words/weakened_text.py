"""The differences between the code of base and candidate in words: the answers it accepts, and its schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...contract.phrasing import clip
from ...runs.gate.weakening import Weight
from ..page import Foreign, Listing
from .baseline_text import about_entry

if TYPE_CHECKING:
    from ...runs.gate.weakening import Weakening
    from ...runs.weakened.contract_changes import ContractChange
    from ...runs.weakened.schema_changes import SchemaChange
    from .comparison_words import DiffReport

LINE = 400
_TITLES = {
    Weight.WEAKENED: "weakened: the candidate accepts more than the base",
    Weight.UNCLEAR: "unclear whether the candidate accepts more than the base",
    Weight.UNKNOWN: "unknown: a part of the code could not be looked at",
}


def weakened_blocks(report: DiffReport) -> Iterator[Listing]:
    """Yield the weakenings by certainty, the accepted ones, and the changes in the contracts."""
    found = report.gate.weakened if report.gate is not None else ()
    for weight, heading in _TITLES.items():
        lines = tuple(Foreign(str(each), LINE) for each in found if each.weight is weight and each.accepted is None)
        if lines:
            yield Listing(f"{len(lines):,} {heading}", lines)
    accepted = tuple(Foreign(accepted_line(each), LINE) for each in found if each.accepted is not None)
    if accepted:
        yield Listing(f"{len(accepted):,} weakened, and accepted", accepted)
    lines = tuple(line for change in report.contracts for line in _contract(change))
    lines += tuple(map(_shown, report.shown))
    if lines:
        yield Listing("contracts and schemas", lines)


def accepted_line(weakening: Weakening) -> str:
    """Return text such as 'test_app.py::test_it: match gated → lenient (owner ann: the wording changes)'."""
    assert weakening.accepted is not None
    return f"{weakening} ({about_entry(weakening.accepted)})"


def _contract(change: ContractChange) -> Iterator[Foreign]:
    """Yield what a contract's change breaks, field by field, and what it newly accepts."""
    for where, each in (
        *(("", each) for each in change.schema),
        *((f"tool {tool}: ", each) for tool, each in change.tools),
    ):
        yield Foreign(f"{change.name}: {where}{each} ({_kind(each)})", LINE)
    for words, weaker in change.parts:
        kind = "unclear" if weaker is None else "compatible" if weaker else "breaking"
        yield Foreign(f"{change.name}: {words} ({kind})", LINE)
    for count, does in ((change.refuses, "recorded answer breaks"), (change.accepts, "answer is accepted now")):
        if count:
            plain = (
                does
                if len(count) == 1
                else does.replace("answer breaks", "answers break").replace("answer is", "answers are")
            )
            yield Foreign(f"{change.name}: {len(count):,} {plain}: {clip(count[0], 90)}", LINE)


def _shown(shown: tuple[str, SchemaChange]) -> Foreign:
    name, change = shown
    return Foreign(f"{name}, as the model sees it: {change} ({_kind(change)})", LINE)


def _kind(change: SchemaChange) -> str:
    return "breaking" if change.breaking else "compatible"
