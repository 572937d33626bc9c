"""Whether a retry carries what was wrong with the answer before it: the gate's question to the retry layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ...retry.judging.answer_fates import answer_fates
from ...retry.judging.attempt_answers import ContractLike
from ...retry.judging.parallel_calls import required_of
from ...retry.judging.routing import Router
from ...retry.judging.step import names_errors
from ...retry.linking.link import Link
from ...retry.matching.carried import read
from ...retry.results import Grade

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ...wire.exchange import Exchange


@dataclass(frozen=True, slots=True)
class Carry:
    """What became of the findings of attempt k in the request of attempt k+1."""

    carried: tuple[str, ...] = ()
    """Findings that the request carries, one line each."""
    lost: tuple[str, ...] = ()
    """Findings that it should carry and does not, one line each."""
    unread: tuple[str, ...] = ()
    """Findings that it may carry, in words that nobody can read, one line each."""

    @property
    def judged(self) -> bool:
        """Whether any finding is known; without one nothing can be said."""
        return bool(self.carried or self.lost or self.unread)


Evidence = Callable[["Exchange", Link], Carry]
"""Asked with attempt k as it was played, and the link of the request that is sent now to it."""


def no_evidence(_attempt: Exchange, _link: Link) -> Carry:
    """Nothing is known about the answers: no contract was given."""
    return Carry()


def evidence_from(contracts: Sequence[ContractLike]) -> Evidence:
    """Evidence by what the contracts find wrong with an answer."""
    if not contracts:
        return no_evidence

    def evidence(attempt: Exchange, link: Link) -> Carry:
        verdict, names = _verdict(attempt, contracts)
        if verdict is None or verdict.ok:
            return Carry()
        needed = {id(f) for f in required_of(verdict)}
        found = answer_fates(verdict, read([link.delta]), attempt.number, names)
        fates = [fate for fate in found if id(fate.finding) in needed]
        return Carry(
            tuple(_line(f.finding) for f in fates if f.grade not in (Grade.LOST, Grade.UNREAD)),
            tuple(_line(f.finding) for f in fates if f.grade is Grade.LOST),
            tuple(_line(f.finding) for f in fates if f.grade is Grade.UNREAD),
        )

    return evidence


def as_recorded(attempt: Exchange, recorded: Link, sent: Link) -> Carry:
    """Without findings of a contract: the places that the recorded retry named, and whether the one sent now does.

    The place alone decides here, since nobody knows the rule; a contract tells more.
    """
    told = read([recorded.delta])
    if not names_errors(told, attempt):
        return Carry()
    now = {said.entry.path for said in read([sent.delta]).said}
    kept: list[str] = []
    lost: list[str] = []
    for said in told.said:
        line = f"{'.'.join(said.entry.path or ()) or '(whole answer)'}: {' '.join(said.entry.message.split())[:120]}"
        (kept if said.entry.path in now else lost).append(line)
    return Carry(tuple(dict.fromkeys(kept)), tuple(dict.fromkeys(lost)))


def _verdict(attempt: Exchange, contracts: Sequence[ContractLike]) -> tuple[Verdict | None, frozenset[str]]:
    """The verdict of the contract that judges the answer, and its property names.

    No verdict for a step that calls a tool, or when no contract judges.
    """
    router = Router([attempt], contracts)
    chosen = router.route([0])[0]
    if not isinstance(chosen, int):
        return None, frozenset()
    return router.verdict(0, chosen), router.contracts[chosen].names


def _line(finding: Finding) -> str:
    return f"{to_dotted(finding.path)}: {finding.message}"
