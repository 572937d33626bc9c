"""An app that says the same without one finding as without another tells them apart by nothing that it says.

"Two things are wrong" becomes "One thing is wrong" for either of two errors; and who leaves out the first of all errors
goes on with the same one, whichever of the first two is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...document.path import to_dotted
from ..proof import Fate, Proof


def told_apart(proofs: Sequence[Proof]) -> list[Proof]:
    """Return the proofs in their order; what is said alike without another finding of its answer is not carried.

    Words that were read as the finding's own are about it all the same.
    """
    return [_apart(proof, [other for other in proofs if _leaves_the_same(proof, other)]) for proof in proofs]


def _leaves_the_same(proof: Proof, other: Proof) -> bool:
    same = (other.exchange, other.left) == (proof.exchange, proof.left)
    return same and bool(proof.left) and other.finding is not proof.finding


def _apart(proof: Proof, sharing: Sequence[Proof]) -> Proof:
    if proof.fate is not Fate.REACTS or not sharing:
        return proof
    places = ", ".join(dict.fromkeys(to_dotted(other.finding.path) for other in sharing))
    return replace(
        proof, fate=Fate.NOT_CARRIED, reason=f"the app says the same when {places} is right instead: {proof.reason}"
    )
