"""What a run's interventions have shown, for the section at its end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ..report.media.sanitise import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHOWN = 10
"""Findings that are listed in a normal run; with -v all of them."""


def proof_lines(rows: Sequence[dict[str, Any]], *, verbose: bool) -> Iterator[str]:
    """How many findings were proven, and each that was not, the bad ones first; nothing without interventions."""
    found = [(row, proof) for row in rows for proof in row.get("proofs", ())]
    if not found:
        return
    from ..retry.proof import Fate

    counted = Counter(proof["fate"] for _, proof in found)
    told = ", ".join(f"{counted[fate]} {fate.value}" for fate in Fate if counted[fate])
    yield ""
    yield f"{len(found)} {'finding' if len(found) == 1 else 'findings'} tried by intervention: {told}"
    order = [fate.value for fate in (Fate.NOT_CARRIED, Fate.UNPROVEN, Fate.NOT_JUDGED)]
    found.sort(key=lambda told: told[0]["result"] == "passed")  # what is lost by agreement comes last
    open_ones = [(row, proof) for fate in order for row, proof in found if proof["fate"] == fate]
    for row, proof in open_ones if verbose else open_ones[:SHOWN]:
        attempt = f"conversation {proof['conversation']}, attempt {proof['attempt']}"
        place = f"{attempt}, {proof['path'] or '(whole answer)'} [{proof['code']}]"
        yield f"  {proof['fate']}: {one_line(row['test'], 160)}: {one_line(place, 120)}"
        yield f"    {one_line(proof['reason'], 240)}"
    if len(open_ones) > SHOWN and not verbose:
        yield f"  and {len(open_ones) - SHOWN} more; -v lists all"
