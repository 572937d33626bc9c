"""The other faults that the place of a finding could have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...document.edit import Edit, edit_document
from .repair import read_as_contract

if TYPE_CHECKING:
    from ...contract.finding import Finding

_FAULTS: tuple[Any, ...] = (None, "", -1, 10**6, "x" * 2_000, True, [], {"?": 0})
"""Values that together break most rules for a place."""


def other_faults(finding: Finding, text: str, contract: Any) -> Iterator[Finding]:
    """Yield other findings that could be at this one's place. Many apps treat null as a missing field."""
    document, known = read_as_contract(text, contract), {finding.code}
    if finding.kind is FailureKind.MISSING:
        faults = [Edit("add", finding.path, value) for value in _FAULTS[1:]]
    else:
        droppable = isinstance(finding.path[-1], str) and finding.actual != "null"
        faults = [Edit("drop", finding.path)] if droppable else []
        faults += [Edit("put", finding.path, value) for value in _FAULTS]
    for edit in faults:
        changed = edit_document(document, edit)
        verdict = contract.check(changed) if changed is not None else None
        for other in verdict.errors if verdict is not None else ():
            if other.path == finding.path and other.code not in known:
                known.add(other.code)
                yield other
