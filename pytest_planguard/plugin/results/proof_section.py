"""What further runs of tests have shown, and which tests were not run again: for the section at the end of a run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ...report.media.escaping import one_line
from ...retry.proof import ProofResult
from ..rerun.reason import OFF, group_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHOWN = 10
"""Findings that are listed in a normal run; with -v all of them."""
Row = dict[str, Any]


def proof_lines(rows: Sequence[Row], *, verbose: bool) -> Iterator[str]:
    """How many findings were proven, and each that no run has shown, the bad ones first; nothing if nothing ran."""
    found = [(row, proof) for row in rows for proof in row.get("proofs", ()) if not proof["reason"].startswith(OFF)]
    if not found:
        return
    counted = Counter(proof["result"] for _, proof in found)
    told = ", ".join(f"{counted[result]} {result.value}" for result in ProofResult if counted[result])
    yield ""
    yield f"{len(found)} {'finding' if len(found) == 1 else 'findings'} tried by experiment: {told}"
    order = [
        result.value
        for result in (
            ProofResult.WRONG,
            ProofResult.MISSING,
            ProofResult.UNCLEAR,
            ProofResult.UNPROVEN,
            ProofResult.NOT_JUDGED,
        )
    ]
    found.sort(key=lambda told: told[0]["result"] == "passed")  # what is missing by agreement comes last
    open_ones = [(row, proof) for result in order for row, proof in found if proof["result"] == result]
    for row, proof in open_ones if verbose else open_ones[:SHOWN]:
        attempt = f"conversation {proof['conversation']}, attempt {proof['attempt']}"
        place = f"{attempt}, {to_dotted(tuple(proof['path']))} [{proof['code']}]"
        yield f"  {proof['result']}: {one_line(row['test'], 160)}: {one_line(place, 120)}"
        yield f"    {one_line(proof['reason'], 240)}"
    if len(open_ones) > SHOWN and not verbose:
        yield f"  and {len(open_ones) - SHOWN} more; -v lists all"


def off_lines(rows: Sequence[Row]) -> Iterator[str]:
    """In how many tests nothing was tried, so that reading alone decides: a line for each reason, with the way out."""
    reasons: dict[str, dict[str, str]] = {}
    for row in rows:
        for proof in row.get("proofs", ()):
            if proof["reason"].startswith(OFF):
                reasons.setdefault(group_of(proof["reason"]), {}).setdefault(row["test"], proof["reason"])
    if reasons:
        yield ""
    for tests in reasons.values():
        test, reason = next(iter(tests.items()))
        where = one_line(test, 100) if len(tests) == 1 else f"{len(tests)} tests ({one_line(test, 100)}, …)"
        why = reason.removeprefix(OFF)
        yield f"not run again, so judged by reading alone: {where}, since {one_line(why, 320)}"
