"""What the proofs of one answer tell of each other.

An app that says the same without one finding as without another tells them apart by nothing that it says: "Two things
are wrong" becomes "One thing is wrong" for either of two errors. And an app that says more of one finding when another
one is right cuts its words: "error: 1" becomes "error: 12 < 14".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...document.path import to_dotted
from ..proof import Proof, ProofResult
from .differences.attribution import new_turns

_CONTEXT = 6
"""Characters in front of words by which they are found in another turn: "eet); M" goes on as "eet); MAX(age, 99)"."""


def told_apart(proofs: Sequence[Proof]) -> list[Proof]:
    """Return the proofs in their order; what is said alike without another finding, or cut, is not fed back.

    Words that were read as the finding's own are about it all the same. The texts of the requests are left out.
    """
    settled = [_settled(proof, [p for p in proofs if p.exchange == proof.exchange and p.left]) for proof in proofs]
    return [replace(proof, before=(), left=()) for proof in settled]


def _settled(proof: Proof, others: Sequence[Proof]) -> Proof:
    if proof.result is not ProofResult.REACTS:
        return proof
    alike = [other for other in others if other.left == proof.left and other.finding is not proof.finding]
    if alike:
        places = ", ".join(dict.fromkeys(to_dotted(other.finding.path) for other in alike))
        return _missing(proof, f"the app says the same when {places} is right instead: {proof.reason}")
    if any(other.said != proof.said and proof.said.endswith(other.said) for other in others):
        return proof  # with it the beginning of another finding's words went, which then are said whole
    fuller = next((words for other in others for words in _goes_on(proof.said, other)), None)
    return proof if fuller is None else _missing(proof, f'the app cuts "{fuller}": {proof.reason}')


def _missing(proof: Proof, reason: str) -> Proof:
    return replace(proof, result=ProofResult.MISSING, reason=reason)


def _goes_on(said: str, other: Proof) -> Iterator[str]:
    """Yield the lines that some words are the beginning of, as the app says them when another finding is right.

    The words end their turn. They go on in a line that is new, at its beginning or behind what was in front of them.
    """
    words = said.rpartition("\n")[2]
    for turn in new_turns(other.before, other.left) if words else ():
        known = turn.rstrip().split("\n")
        if known[-1].endswith(words):
            in_front = known[-1].removesuffix(words)[-_CONTEXT:]
            fresh = (line for text in new_turns(other.left, other.before) for line in text.split("\n"))
            yield from (line for line in fresh if line not in known and _has_longer(line, in_front, words))


def _has_longer(line: str, in_front: str, words: str) -> bool:
    if line.startswith(words):
        rest = line.removeprefix(words)
    else:
        rest = line.partition(in_front + words)[2] if in_front else ""
    return any(map(str.isalnum, rest))
