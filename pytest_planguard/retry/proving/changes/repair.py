"""Repair exactly one finding of an answer, in the model's own text, or say why it cannot be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ....contract.failure_kinds import FailureKind, Phase
from ....contract.phrasing import as_json
from ....document.answer import Document, read
from ....document.edit import edit_document
from ....document.path import Path, value_at
from .edits import edits

if TYPE_CHECKING:
    from ....contract.finding import Finding
    from ....contract.verdict import Verdict
    from ....document.edit import Edit

TRIES = 24
"""Changes that are tried for one finding; each costs one check of the answer."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """An answer with one finding less, and no other."""

    text: str
    """The whole answer; what was not changed stands where it stood."""
    edit: Edit
    before: Any
    """The parsed answer as it was."""
    after: Any
    valid: bool
    """Whether nothing at all is wrong any more."""
    reveals: bool = False
    """Whether a later phase speaks up now that this finding is gone: a rule that runs on sound answers alone."""

    @property
    def places(self) -> tuple[Path, ...]:
        """Where the two answers differ."""
        return (self.edit.path,)

    @property
    def words(self) -> str:
        """What was done, for a person: '"hi" became "low"'."""
        if self.edit.action == "add":
            return f"{as_json(self.edit.value)} was added"
        old = as_json(value_at(self.before, self.edit.path))
        return f"{old} was taken out" if self.edit.action == "drop" else f"{old} became {as_json(self.edit.value)}"


@dataclass(frozen=True, slots=True)
class Unrepairable:
    """A finding that cannot be repaired by itself."""

    reason: str


def repair(
    finding: Finding, verdict: Verdict, contract: Any, donors: Sequence[Any] = (), finish: str | None = None
) -> Repaired | Unrepairable:
    """Repair one finding so that the contract finds everything else as before. Pure; never raises.

    What a later phase then finds was hidden behind it, and is taken as it is: an app may have told of it all the time.

    Args:
        finding: one of the verdict's errors.
        verdict: of the answer; its `text` is what is changed.
        contract: judges each try (see `judged.ContractLike`).
        donors: parsed later answers of the conversation, from which values are taken first.
        finish: why the answer ended, as the contract is told.
    """
    reason = _hopeless(finding, verdict)
    if reason is not None:
        return Unrepairable(reason)
    document = read_as_contract(verdict.text, contract)
    wanted = Counter(f.identity for f in verdict.errors)
    wanted.subtract([finding.identity])
    revealing = None
    for edit in islice(edits(finding, document.data, contract, donors), TRIES):
        repaired = _repair(finding, document, edit, contract, +wanted, finish)
        if repaired is not None and not repaired.reveals:
            return repaired
        revealing = revealing or repaired
    return revealing or Unrepairable(_untouched(finding, verdict, document))


def _hopeless(finding: Finding, verdict: Verdict) -> str | None:
    if finding.kind.phase is Phase.PARSE:
        return f"{finding.kind.value}: the answer is no sound document, so that no single place can be repaired"
    if not finding.path:
        return "it is about the whole answer, so that there is no single place to repair"
    if sum(f.identity == finding.identity for f in verdict.errors) > 1:
        return "another finding of the same kind is about the same place: which of them goes could not be told"
    return None


def _repair(
    finding: Finding,
    document: Document,
    edit: Edit,
    contract: Any,
    wanted: Counter[tuple[str, tuple[str | int, ...]]],
    finish: str | None,
) -> Repaired | None:
    text = edit_document(document, edit)
    if text is None or text == document.text:
        return None
    verdict = contract.check(text, finish=finish)
    found = Counter(f.identity for f in verdict.errors)
    revealed = found - wanted
    if wanted - found or any(f.identity in revealed and not _is_later(f, finding) for f in verdict.errors):
        return None
    return Repaired(text, edit, document.data, verdict.data, verdict.ok, bool(revealed))


def _is_later(finding: Finding, repaired: Finding) -> bool:
    """Return whether a finding is of what is looked for only once the repaired one is gone.

    That is a later phase, and the validator of an object around it: it runs when all of its members are sound.
    """
    if finding.kind is FailureKind.RULE and repaired.kind is not FailureKind.RULE:
        return repaired.path[: len(finding.path)] == finding.path != repaired.path
    return finding.kind.phase.rank > repaired.kind.phase.rank


def _untouched(finding: Finding, verdict: Verdict, document: Document) -> str:
    if not document.ok:
        return "the answer is no sound document, so that no single place can be repaired"
    if document.format not in ("json", "yaml"):
        return f"in {document.format} nothing can be repaired"
    if sum(f.path[: len(finding.path)] == finding.path for f in verdict.errors) > 1:
        return "another finding is about the same place, and with what was tried both go, or none"
    return "no value was found that repairs it and leaves every other finding as it is"


def read_as_contract(text: str, contract: Any) -> Document:
    """Return the document of an answer as its contract reads it."""
    return read(text, format=getattr(contract, "format", "auto"), extract=getattr(contract, "extract", "embedded"))
