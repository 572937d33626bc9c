"""The judgement of one request of a step: what it says of the failure that it had to be told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...contract.verdict import Verdict
from ...retry.judging.checks.feedback_checks import feedback
from ...retry.judging.checks.view import Retry, View
from ...retry.judging.judge import gradings
from ...retry.judging.judging_options import JudgeOptions
from ...retry.judging.parallel_calls import required_of
from ...retry.judging.schema_shape import properties
from ...retry.matching.fed_back import read
from ...retry.outcomes import Outcome
from ...retry.results import Attempt, Convergence

if TYPE_CHECKING:
    from ...retry.proof import Proof
    from .step_calls import StepCall, Told


def judged(told: Told, options: JudgeOptions, proofs: Iterable[Proof] = ()) -> Convergence:
    """Return the judgement, with the one check that counts for a step of a search: "feedback".

    Its exchanges are numbered from 1, the rejected answer first. No step has to end with a good answer: one that does
    not hands over to an earlier step, which is the outcome escalated.
    """
    options = replace(options, max_attempts=told.call.context.max_attempts, proofs=tuple(proofs))
    schema = getattr(told.guard, "json_schema", None)
    reading = read([link.delta for link in told.links])
    rejected = Attempt(1, replace(told.rejected.exchanges[-1], number=1), told.verdict)
    rejected = replace(rejected, fed_back=gradings(rejected, reading, options, properties(schema), schema))
    *steps, last = (replace(one, number=at) for at, one in enumerate(told.call.exchanges, 2))
    after = Attempt(2, last, _verdict(told.call), (), tuple(steps))
    retry = Retry(rejected, after, told.links, reading, required_of(told.verdict, options.must_feed_back))
    check = feedback(View((rejected, after), (retry,), options))
    outcome = Outcome.CONVERGED if after.verdict.ok else Outcome.ESCALATED
    return Convergence(told.name, told.step, outcome, (rejected, after), (check,), options.max_attempts)


def _verdict(call: StepCall) -> Verdict:
    node = call.node
    return Verdict(call.context.step, "") if node is None else Verdict(node.step, node.answer, node.findings)
