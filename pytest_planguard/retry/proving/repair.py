"""Repair exactly one finding of an answer, in the model's own text, or say why that is impossible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind, Phase
from ...contract.phrasing import as_json
from ...document.answer import Document, read
from ...document.edit import Edit, edit_document
from ...document.path import Path, value_at
from . import quoted_part
from .edits import edits
from .quoted_part import PartEdit
from .request_diff import ChangedAnswer

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict

Identities = Counter[tuple[str, Path]]
"""The code and path of each finding, with how often it occurs."""
TRIES = 24
"""Maximum number of changes to try for one finding; each costs one check of the answer."""


@dataclass(frozen=True, slots=True)
class Repaired(ChangedAnswer):
    """An answer without one of its findings, and with no new one."""

    edit: Edit | PartEdit
    valid: bool
    """True if the answer has no findings left."""
    reveals: bool
    """True if a later phase of checks now reports findings, which the repaired finding had prevented from running."""

    @property
    def words(self) -> str:
        """The change, for people: '"hi" became "low"'."""
        if isinstance(self.edit, PartEdit):
            return self.edit.words
        if self.edit.action == "add":
            return f"{as_json(self.edit.value)} was added"
        old = as_json(value_at(self.before, self.edit.path))
        return f"{old} was removed" if self.edit.action == "drop" else f"{old} became {as_json(self.edit.value)}"


@dataclass(frozen=True, slots=True)
class Unrepairable:
    """A finding that cannot be repaired alone."""

    reason: str


def repair(
    finding: Finding, verdict: Verdict, contract: object, donors: Sequence[object] = (), finish: str | None = None
) -> Repaired | Unrepairable:
    """Repair one finding so that the contract's other findings stay the same. Pure; never raises.

    New findings of a later phase are accepted, since the repaired one hid them. The app may have reported them before.

    Args:
        finding: one of the verdict's errors.
        verdict: the verdict on the answer; its `text` is changed.
        contract: judges each try (see `attempts.ContractLike`).
        donors: parsed later answers of the conversation, whose values are tried first; their texts for a finding with
            a quote.
        finish: why the answer ended, for the contract.
    """
    wanted = Counter(f.identity for f in verdict.errors)
    wanted.subtract([finding.identity])
    if finding.quote:
        texts = [donor for donor in donors if isinstance(donor, str)]
        return _without_quote(finding, verdict, contract, +wanted, texts, finish)
    reason = _no_place_of_its_own(finding, verdict)
    if reason is not None:
        return Unrepairable(reason)
    document = read_as_contract(verdict.text, contract)
    revealing = None
    for edit in islice(edits(finding, document.data, contract, donors), TRIES):
        repaired = _tried(finding, document, edit, contract, +wanted, finish)
        if repaired is not None and not repaired.reveals:
            return repaired
        revealing = revealing or repaired
    return revealing or Unrepairable(_why_none_helped(finding, verdict, document))


def _without_quote(
    finding: Finding,
    verdict: Verdict,
    contract: Any,
    wanted: Identities,
    later: Sequence[str],
    finish: str | None,
) -> Repaired | Unrepairable:
    """Put a sound part in place of the one that the finding quotes, or none, if the other findings stay the same."""
    for text, edit in islice(quoted_part.repairs(finding, verdict.text, later), TRIES):
        after = contract.check(text, finish=finish)
        if text != verdict.text and Counter(f.identity for f in after.errors) == wanted:
            return Repaired(text, None, None, (), edit, after.ok, reveals=False)
    return Unrepairable("no later answer has a sound part for the place of the one that it quotes")


def _no_place_of_its_own(finding: Finding, verdict: Verdict) -> str | None:
    """Return why no single place of the answer can be repaired; None if one can."""
    if finding.kind.phase is Phase.PARSE:
        return f"{finding.kind.value}: the answer is not a well-formed document, so no single place can be repaired"
    if not finding.path:
        return "it is about the whole answer, so there is no single place to repair"
    if sum(f.identity == finding.identity for f in verdict.errors) > 1:
        return "another finding of the same kind is about the same place, so a repair cannot tell them apart"
    return None


def _tried(
    finding: Finding,
    document: Document,
    edit: Edit,
    contract: Any,
    wanted: Identities,
    finish: str | None,
) -> Repaired | None:
    """Return the answer with one change; None if that leaves the finding, or adds or removes another."""
    text = edit_document(document, edit)
    if text is None or text == document.text:
        return None
    verdict = contract.check(text, finish=finish)
    found = Counter(f.identity for f in verdict.errors)
    revealed = found - wanted
    if wanted - found or any(f.identity in revealed and not _is_later(f, finding) for f in verdict.errors):
        return None
    return Repaired(text, document.data, verdict.data, (edit.path,), edit, verdict.ok, bool(revealed))


def _is_later(finding: Finding, repaired: Finding) -> bool:
    """Return True if a finding can only appear once the repaired one is gone.

    It belongs to a later phase, or to the validator of an enclosing object, which runs when all members are sound.
    """
    if finding.kind is FailureKind.RULE and repaired.kind is not FailureKind.RULE:
        return repaired.path[: len(finding.path)] == finding.path != repaired.path
    return finding.kind.phase.rank > repaired.kind.phase.rank


def _why_none_helped(finding: Finding, verdict: Verdict, document: Document) -> str:
    """Return why no change repaired the finding."""
    if not document.ok:
        return "the answer is not a well-formed document, so no single place can be repaired"
    if document.format not in ("json", "yaml"):
        return f"planguard cannot repair {document.format} answers"
    if sum(f.path[: len(finding.path)] == finding.path for f in verdict.errors) > 1:
        return "another finding is about the same place, and no repair removed only one of them"
    return "no value repairs it without changing another finding"


def read_as_contract(text: str, contract: object) -> Document:
    """Return the document of an answer as its contract reads it."""
    return read(text, format=getattr(contract, "format", "auto"), extract=getattr(contract, "extract", "embedded"))
