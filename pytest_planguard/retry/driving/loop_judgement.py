"""The judgement of a conversation that planguard's own loop drove.

What the loop wrote into its requests it need not read again: every finding that the feedback lists is fed back word for
word. Where it cannot know (no feedback, a user's own template, findings that did not fit) the requests are read like
those of a cassette.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..judging.checks.view import Retry
from ..judging.judge import DrivenLoop, judge
from ..judging.outcome import judged
from ..judging.parallel_calls import required_of
from ..linking.delta import Delta, Piece
from ..linking.link import Link
from ..linking.link_evidence import How
from ..matching.fed_back import FeedbackReading
from ..matching.new_text import clip
from ..outcomes import Firmness, Grade
from ..results import Attempt, Convergence, FedBack

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...contract.feedback.feedback import Feedback
    from ...contract.feedback.next_request import Placement
    from ...contract.finding import Finding
    from ..judging.judging_options import JudgeOptions
    from ..outcomes import StopReason


def from_feedback(
    conversation: str,
    contract: Contract,
    attempts: Sequence[Attempt],
    feedback: Sequence[Feedback],
    placement: Placement,
    options: JudgeOptions,
    stop_reason: StopReason,
) -> Convergence:
    """Judge a conversation whose feedback is known: one for each attempt but the last, in planguard's own words."""
    complete = (*map(_feeding_back, attempts, feedback), attempts[-1])
    retries = tuple(map(partial(_retry, placement, options), complete, complete[1:], feedback))
    return judged(conversation, contract.name, complete, retries, options, stop_reason=stop_reason)


def from_requests(
    conversation: str,
    contract: Contract,
    attempts: Sequence[Attempt],
    options: JudgeOptions,
    stop_reason: StopReason,
) -> Convergence:
    """Judge a conversation by reading its requests. Verdicts and failed sends are those that the loop saw."""
    exchanges = [attempt.exchange for attempt in attempts]
    ids = [conversation] * len(exchanges)
    loop = DrivenLoop(conversation, len(attempts), options.max_attempts, stop_reason)
    (recorded,) = judge(exchanges, [contract], options=options, conversation_ids=ids, loops=[loop]).conversations
    gradings = [read.fed_back for read in recorded.attempts]
    return replace(
        recorded, attempts=tuple(replace(own, fed_back=f) for own, f in zip(attempts, gradings, strict=True))
    )


def _feeding_back(attempt: Attempt, feedback: Feedback) -> Attempt:
    """The attempt with what the next request feeds back: every finding that the feedback lists, in whose words ever.

    A style may say it shorter than the finding's message ("must be one of: low, high"): then it is located.
    """
    evidence = f"request {attempt.number + 1}: {clip(feedback.text)}"

    def how(finding: Finding) -> Firmness:
        return Firmness.VERBATIM if finding.message in feedback.text else Firmness.LOCATED

    fed_back = tuple(FedBack(f, attempt.number, Grade.FED_BACK, how(f), evidence) for f in feedback.findings)
    return replace(attempt, fed_back=fed_back)


def _retry(placement: Placement, options: JudgeOptions, before: Attempt, after: Attempt, sent: Feedback) -> Retry:
    """Two attempts with the link and the new words as the loop itself made them."""
    turn = placement == "dialogue"
    request = after.exchange.request
    place = len(request) if turn else len(before.exchange.request)
    delta = Delta(after.exchange.number, (Piece(sent.text, place, request[place - 1].role),), turn=turn)
    how = How.ANSWER if turn else How.REWRITTEN
    link = Link(delta.request, before.exchange.number, how, place - 1 if turn else 0, delta)
    required = required_of(before.verdict, options.must_feed_back)
    return Retry(before, after, (link,), FeedbackReading((delta,), ()), required)
