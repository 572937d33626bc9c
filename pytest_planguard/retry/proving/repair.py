"""Repair exactly one finding of an answer, in the model's own text, or say why that is impossible."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind, Phase
from ...contract.phrasing import as_json
from ...contract.schema.schema_fields import schemas_at
from ...document.answer import Document, read
from ...document.edit import Edit, edit_document
from ...document.path import get_at, value_at
from . import quoted_part
from .quoted_part import PartEdit
from .request_diff import ChangedAnswer
from .schema_examples import MAX_SIZE, resized, samples

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict

_ABSENT = object()
MAX_SIBLINGS = 4
"""Maximum number of items of a list whose values may replace another item's."""
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")


def edits(finding: Finding, data: object, contract: object, donors: Sequence[object] = ()) -> Iterator[Edit]:
    """Yield changes that may fix a finding and only touch its place.

    Args:
        finding: the finding to fix.
        data: the parsed answer.
        contract: for its JSON Schema and its content constraints, if it has them.
        donors: later answers of the same conversation, with the model's own values for that place.
    """
    path = finding.path
    now = get_at(data, path, _ABSENT)
    for donor in donors:
        yield from _from_donor(path, now, get_at(donor, path, _ABSENT))
    if finding.kind is FailureKind.EXTRA:
        yield Edit("drop", path)
        return
    for value in (*_of_siblings(path, data), *_values(finding, now, data, contract)):
        yield Edit("add" if now is _ABSENT else "put", path, value)
    if isinstance(path[-1], int) and now is not _ABSENT:
        yield Edit("drop", path)


def _from_donor(path: tuple[str | int, ...], now: object, other: object) -> Iterator[Edit]:
    if other is _ABSENT and now is not _ABSENT:
        yield Edit("drop", path)
    elif other is not _ABSENT and now is _ABSENT:
        yield Edit("add", path, other)
    elif other is not _ABSENT and (type(other), other) != (type(now), now):
        yield Edit("put", path, other)


def _of_siblings(path: tuple[str | int, ...], data: object) -> Iterator[object]:
    """Yield the values at that place in other items of the list: `guests[0].age` for `guests[1].age`."""
    at = next((n for n in reversed(range(len(path))) if isinstance(path[n], int)), None)
    if at is None:
        return
    for number in range(MAX_SIBLINGS):
        value = get_at(data, (*path[:at], number, *path[at + 1 :]), _ABSENT)
        if number != path[at] and value is not _ABSENT:
            yield value


def _values(finding: Finding, now: object, data: object, contract: object) -> Iterator[object]:
    yield from finding.allowed[:5]
    yield from _cast(now)
    schema = getattr(contract, "json_schema", None)
    root: Mapping[str, object] = schema if isinstance(schema, Mapping) else {}
    for node in (*constraint_rules(finding, data, contract), *schemas_at(root, finding.path)):
        if now is not _ABSENT:
            yield from resized(now, node, root)
        yield from samples(node, root)
    yield from _reworded(finding, now, data, contract)


def _cast(now: object) -> Iterator[object]:
    """Yield the value in another type: models write "2" for 2, and one item for a list with one item."""
    if isinstance(now, str):
        text = now.strip()
        if _WHOLE_NUMBER.fullmatch(text):
            yield int(text)
        elif text.casefold() in ("true", "false"):
            yield text.casefold() == "true"
        yield from ([now], [part.strip() for part in now.split(",")][:MAX_SIZE])
    elif now is not _ABSENT and not isinstance(now, dict | list):
        yield "" if now is None else str(now)
    elif isinstance(now, list) and len(now) == 1:
        yield now[0]


def constraint_rules(finding: Finding, data: object, contract: object) -> Iterator[Mapping[str, Any]]:
    """Yield the content constraints at a place, as keywords of JSON Schema."""
    for constraint in _constraints(finding, data, contract):
        params = constraint.params
        words = _AS_SCHEMA.get(constraint.constraint_type, {})
        node: dict[str, Any] = {word: params[name] for name, word in words.items() if params[name] is not None}
        if constraint.constraint_type == "non_empty":
            node = {"minLength": 1, "minItems": 1}
        if "enum" in node:
            node["enum"] = list(node["enum"])
        if node:
            yield node


def _constraints(finding: Finding, data: object, contract: object) -> list[Any]:
    found, path = getattr(contract, "constraints", ()), finding.path
    if finding.code == "missing":
        return [*found]
    alike = (c for c in found if c.code == finding.code)
    return [c for c in alike if any(path[: len(where)] == where for where, _ in c.pattern.select(data))]


_AS_SCHEMA: Mapping[str, Mapping[str, str]] = {
    "min_length": {"chars": "minLength"},
    "max_length": {"chars": "maxLength"},
    "count": {"min": "minItems", "max": "maxItems"},
    "range": {"min": "minimum", "max": "maximum"},
    "one_of": {"values": "enum"},
}


def _reworded(finding: Finding, now: object, data: object, contract: object) -> Iterator[Any]:
    """Yield texts for rules about words: with the required words, without the forbidden ones, or with new ones."""
    if not isinstance(now, str):
        return
    for constraint in _constraints(finding, data, contract):
        values = [v for v in constraint.params.get("values", ()) if isinstance(v, str)]
        if constraint.constraint_type == "contains":
            yield " ".join([now, *values]).strip()
        elif constraint.constraint_type == "excludes":
            text = now
            for value in values:
                text = re.sub(re.escape(value), "other", text, flags=re.IGNORECASE)
            yield text
    if finding.code in ("distinct", "not_copied"):
        yield f"{now} (another one)"
        yield "something of its own"


TRIES = 24
"""Maximum number of changes to try for one finding; each costs one check of the answer."""


@dataclass(frozen=True, slots=True)
class Repaired(ChangedAnswer):
    """An answer without one of its findings, and with no new one."""

    edit: Edit | PartEdit
    valid: bool
    """True if the answer has no findings left."""
    reveals: bool = False
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
    reason = _hopeless(finding, verdict)
    if reason is not None:
        return Unrepairable(reason)
    document = read_as_contract(verdict.text, contract)
    revealing = None
    for edit in islice(edits(finding, document.data, contract, donors), TRIES):
        repaired = _repair(finding, document, edit, contract, +wanted, finish)
        if repaired is not None and not repaired.reveals:
            return repaired
        revealing = revealing or repaired
    return revealing or Unrepairable(_untouched(finding, verdict, document))


def _without_quote(
    finding: Finding,
    verdict: Verdict,
    contract: Any,
    wanted: Counter[tuple[str, tuple[str | int, ...]]],
    later: Sequence[str],
    finish: str | None,
) -> Repaired | Unrepairable:
    """Put a sound part in place of the one that the finding quotes, or none, if the other findings stay the same."""
    for text, edit in islice(quoted_part.repairs(finding, verdict.text, later), TRIES):
        after = contract.check(text, finish=finish)
        if text != verdict.text and Counter(f.identity for f in after.errors) == wanted:
            return Repaired(text, None, None, (), edit, after.ok)
    return Unrepairable("no later answer has a sound part for the place of the one that it quotes")


def _hopeless(finding: Finding, verdict: Verdict) -> str | None:
    if finding.kind.phase is Phase.PARSE:
        return f"{finding.kind.value}: the answer is not a well-formed document, so no single place can be repaired"
    if not finding.path:
        return "it is about the whole answer, so there is no single place to repair"
    if sum(f.identity == finding.identity for f in verdict.errors) > 1:
        return "another finding of the same kind is about the same place, so a repair cannot tell them apart"
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
    return Repaired(text, document.data, verdict.data, (edit.path,), edit, verdict.ok, bool(revealed))


def _is_later(finding: Finding, repaired: Finding) -> bool:
    """Return True if a finding can only appear once the repaired one is gone.

    It belongs to a later phase, or to the validator of an enclosing object, which runs when all members are sound.
    """
    if finding.kind is FailureKind.RULE and repaired.kind is not FailureKind.RULE:
        return repaired.path[: len(finding.path)] == finding.path != repaired.path
    return finding.kind.phase.rank > repaired.kind.phase.rank


def _untouched(finding: Finding, verdict: Verdict, document: Document) -> str:
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
