"""The judgement of a conversation that planguard drove itself.

What the loop wrote into the requests is known without reading them again; the checks are the same as for a recording,
and a test holds both judgements equal. Where that knowledge ends (no feedback, a user's own template, findings that did
not fit) the general judgement reads the requests as if they were recorded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..convergence import Attempt, Carried, Convergence, Grade, Outcome
from ..judging.checks import run_checks
from ..judging.checks.view import Retry, View
from ..judging.judge import judge
from ..judging.judging_options import JudgeOptions
from ..judging.outcome import outcome_of
from ..judging.parallel_calls import required_of
from ..linking.delta import Delta, Piece
from ..linking.link import Link
from ..linking.link_evidence import How
from ..matching.carried import FeedbackReading, clip

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...contract.feedback.feedback import Feedback
    from ...contract.verdict import Verdict
    from .loop_state import Drive


CONVERSATION = "1"
"""The name of the one conversation that a drive is."""


class DrivenConvergence(Convergence):
    """The judgement of a conversation whose every retry was told everything in our own words.

    Outcome, verdict and value are there at once. What each retry carried and the named checks are worked out when
    somebody reads them: those that could fail hold by construction, the others only warn.
    """

    __slots__ = ("_drive",)
    _drive: Drive

    @classmethod
    def of(cls, drive: Drive, name: str, max_attempts: int) -> DrivenConvergence:
        """The judgement with `attempts` and `checks` left open."""
        found = cls.__new__(cls)
        put = object.__setattr__
        put(found, "conversation", CONVERSATION)
        put(found, "contract", name)
        put(found, "outcome", drive.outcome)
        put(found, "max_attempts", max_attempts)
        put(found, "_drive", drive)
        return found

    def __getattr__(self, name: str) -> Any:
        """Called for a slot that is still empty."""
        if name not in ("attempts", "checks"):
            raise AttributeError(name)
        found = _known(self._drive, self.contract, JudgeOptions(max_attempts=self.max_attempts))
        object.__setattr__(self, "attempts", found.attempts)
        object.__setattr__(self, "checks", found.checks)
        return getattr(found, name)

    @property
    def ok(self) -> bool:
        """True when the outcome is converged: no check that could fail is open."""
        if getattr(self, "_drive", None) is None:  # a copy with replaced fields
            return super().ok
        return self.outcome is Outcome.CONVERGED

    @property
    def verdict(self) -> Verdict | None:
        """The last attempt's verdict."""
        drive = getattr(self, "_drive", None)
        return super().verdict if drive is None else drive.verdict


def judged(drive: Drive, contract: Contract, max_attempts: int) -> Convergence:
    """The judgement of an ended drive."""
    if drive.told:
        return DrivenConvergence.of(drive, contract.name, max_attempts)
    options = JudgeOptions(max_attempts=max_attempts)
    exchanges = [attempt.exchange for attempt in drive.attempts]
    ids = [CONVERSATION] * len(exchanges)
    found = judge(exchanges, [contract], options=options, conversation_ids=ids).conversations[0]
    # The loop alone saw failed sends, and the answers' verdicts are its own.
    attempts = tuple(
        replace(driven, carried=read.carried) for driven, read in zip(drive.attempts, found.attempts, strict=True)
    )
    return replace(found, attempts=attempts, outcome=drive.outcome or found.outcome)


def _known(drive: Drive, name: str, options: JudgeOptions) -> Convergence:
    attempts = tuple(_with_fates(attempt, drive.said) for attempt in drive.attempts)
    retries = tuple(
        _retry(drive, before, after, said, options)
        for before, after, said in zip(attempts, attempts[1:], drive.said, strict=False)
    )
    checks = run_checks(View(attempts, retries, options))
    outcome = drive.outcome or outcome_of(attempts, options.max_attempts, ambiguous=False, copied=False)
    return Convergence(CONVERSATION, name, outcome, attempts, checks, options.max_attempts)


def _with_fates(attempt: Attempt, said: list[Feedback]) -> Attempt:
    """The attempt with what the next request carries: every finding that the feedback names, in our own words."""
    if attempt.number > len(said):
        return attempt
    feedback = said[attempt.number - 1]
    evidence = f"request {attempt.number + 1}: {clip(feedback.text)}"
    fates = tuple(Carried(found, attempt.number, Grade.VERBATIM, evidence) for found in feedback.findings)
    return replace(attempt, carried=fates)


def _retry(drive: Drive, before: Attempt, after: Attempt, said: Feedback, options: JudgeOptions) -> Retry:
    """Two attempts, with the link and the new words as the loop itself made them."""
    turn = drive.placement == "dialogue"
    request = after.exchange.request
    place = len(request) if turn else len(before.exchange.request)
    piece = Piece(said.text, place, request[place - 1].role)
    number = after.exchange.number
    delta = Delta(number, (piece,), turn=turn)
    how = How.ANSWER if turn else How.REWRITTEN
    link = Link(number, before.exchange.number, how, place - 1 if turn else 0, delta)
    reading = FeedbackReading((delta,), ())
    return Retry(before, after, (link,), reading, required_of(before.verdict, options.must_carry))
