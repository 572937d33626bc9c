"""A second error, planted beside an only finding: with that one repaired, the app still has a reason to ask again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.answer import read
from ...document.edit import Edit, edit_document
from ...document.path import to_dotted

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from .repair import Repaired

TRIES = 24
"""Errors that are tried; each costs two checks."""
_WRONG: tuple[Any, ...] = (None, {"?": 0}, [], "", -1)
"""Values that some rule refuses nearly everywhere."""


@dataclass(frozen=True, slots=True)
class Companion:
    """The same answer twice, both times with the planted error: once with the finding, once without."""

    answer: str
    """With both."""
    repaired: Repaired
    """With the planted error alone."""
    place: str
    behind: bool
    """Whether an app that names the first error only would name the finding, not the planted one."""


def planted(
    finding: Finding, verdict: Verdict, repaired: Repaired, contract: Any, finish: str | None = None
) -> Companion | None:
    """Plant an error that the contract finds beside the finding, of the same phase; None where none was found.

    Args:
        finding: the only one of an answer.
        verdict: of the answer.
        repaired: the answer without it, valid.
        contract: judges each try.
        finish: why the answer ended.
    """
    how: dict[str, Any] = {
        "format": getattr(contract, "format", "auto"),
        "extract": getattr(contract, "extract", "embedded"),
    }
    bad, good = read(verdict.text, **how), read(repaired.text, **how)
    order = _order(finding, bad.data, contract)
    first = order.index(finding.path[0]) if finding.path[0] in order else len(order)
    for edit in islice(_edits(order, first), TRIES):
        both, one = edit_document(bad, edit), edit_document(good, edit)
        if both is None or one is None:
            continue
        with_both, with_one = contract.check(both, finish=finish), contract.check(one, finish=finish)
        if _beside(finding, with_both, with_one):
            left = replace(repaired, text=one, before=with_both.data, after=with_one.data, valid=False)
            return Companion(both, left, to_dotted(edit.path), _behind(edit, order, first, list(bad.data), finding))
    return None


def _order(finding: Finding, data: Any, contract: Any) -> list[str | int]:
    """Return the keys of the document that can be made wrong, in the order in which a validator goes through them."""
    if not isinstance(data, dict):
        return []
    schema = getattr(contract, "json_schema", None)
    known = schema.get("properties") if isinstance(schema, Mapping) else None
    named = [key for key in known if key in data or key == finding.path[0]] if isinstance(known, Mapping) else []
    return named or list(data)


def _edits(order: list[str | int], first: int) -> Iterator[Edit]:
    keys = (*order[first + 1 :], *order[:first])
    for key in keys:
        for value in _WRONG:
            yield Edit("put", (key,), value)
    for key in keys:
        yield Edit("drop", (key,))


def _behind(edit: Edit, order: list[str | int], first: int, text: list[str | int], finding: Finding) -> bool:
    """Return whether the planted error comes second both in the schema's order and in the text's.

    What is missing has no place in the text: it may be named first.
    """
    key, own = edit.path[0], finding.path[0]
    later = own not in text or text.index(key) > text.index(own)
    return edit.action == "put" and order.index(key) > first and later


def _beside(finding: Finding, both: Verdict, one: Verdict) -> bool:
    """Return whether there is one error more, which an app sees with the same eyes as the finding."""
    if len(one.errors) != 1:
        return False
    (other,) = one.errors
    known = Counter(f.identity for f in both.errors) == Counter((finding.identity, other.identity))
    alike = other.kind.phase is finding.kind.phase and bool(other.validator_code) is bool(finding.validator_code)
    return known and alike and other.kind.phase.rank > 0
