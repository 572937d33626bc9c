"""The codes in rows, run files and JSON of every command: other programs compare them, so a new name is a new code."""

from __future__ import annotations

from enum import StrEnum

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind, Phase, Reask
from pytest_planguard.contract.finding import Severity
from pytest_planguard.pipeline.agent_pipeline import StageOutcome
from pytest_planguard.pipeline.gate import GateOutcome
from pytest_planguard.pipeline.watch_stream import StreamPolicy
from pytest_planguard.plan_search.result import Edge, TerminationReason
from pytest_planguard.plans.status import Status as PlanStatus
from pytest_planguard.replay.matching.refusal import MissKind
from pytest_planguard.retry.judging.step import StepKind
from pytest_planguard.retry.linking.link import How
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Known, Outcome, ReasonCode, StopReason
from pytest_planguard.retry.proof import ProofResult
from pytest_planguard.retry.reading.error_category import ErrorCategory
from pytest_planguard.runs.compare.classification import Status as AnswerStatus
from pytest_planguard.runs.compare.run_diff import Bucket
from pytest_planguard.runs.gate.gate import Conclusion, FailOn
from pytest_planguard.runs.gate.review_items import Question
from pytest_planguard.runs.value_diff import ChangeKind
from pytest_planguard.statistics import Evidence
from pytest_planguard.wire.exchange import Finish, ItemKind, Role
from pytest_planguard.wire.logs.logged import Fidelity

CODES: dict[type[StrEnum], str] = {
    FailureKind: (
        "empty, refusal, ask_back, truncated, invalid_json, invalid_yaml, prose, fence, thinking, multiple, "
        "duplicate_key, non_finite, too_deep, too_large, encoding, loop, schema_echo, wrapped, encoded, missing, "
        "extra, type, enum, range, length, format, rule, unknown_tool, no_tool_call, content, transport, auth"
    ),
    Phase: "parse, schema, content",
    Reask: "yes, once, not at this limit, no, transport",
    Severity: "info, warn, retry, fail",
    Grade: "fed back, partial, unclear, wrong, missing, not judged",
    Firmness: "proven, reacts, verbatim, located, weak",
    ReasonCode: (
        "nothing-new, nothing-named, other-place, other-label, other-problem, no-problem, other-parse-error, "
        "same-words, no-reaction, something-else, other-quotes, item, value, words, rule, whole-answer, other-"
        "fault"
    ),
    Known: "findings, errors, words",
    Outcome: (
        "converged, exhausted, stuck, oscillating, no_progress, regressed, false_convergence, rejected, stopped, "
        "escalated, stale, ambiguous"
    ),
    StopReason: "answered, rejected, cannot help, stuck, budget spent",
    CheckStatus: "pass, warn, fail, not judged, not applicable",
    ProofResult: "proven, reacts, wrong, missing, unclear, unproven, not judged",
    StepKind: "transport, tool step, tool error, retry, probable retry, resend, new turn",
    How: "previous id, answer, prefix, quoted, rewritten, same",
    ErrorCategory: (
        "missing, extra, too short, too long, too small, too large, out of range, enum, type, format, duplicate, "
        "empty, unknown tool, no tool call, unreadable"
    ),
    MissKind: "unrecorded, changed, missing, extra, capped, unanswered, ambiguous",
    StageOutcome: (
        "converged, invalid, half_written, empty, missing, untouched, failed, killed, timed_out, not_started, "
        "blocked, exhausted, refused"
    ),
    GateOutcome: "resumed, aborted, timed out, paused",
    StreamPolicy: "observe, abort, abort-and-retry",
    Edge: "forward, retry, backtrack",
    TerminationReason: (
        "success, error, censored, budget_exhausted, backtrack_ceiling, step_ceiling, all_pruned, gave_up"
    ),
    PlanStatus: "todo, active, review, blocked, done, deferred, cancelled",
    AnswerStatus: "good, bad, mixed, stale, not judged",
    Bucket: (
        "new_failure, fixed, still_failing, changed_valid, unchanged, stale, unstable, added, removed, not_comparable"
    ),
    FailOn: "new, worse, changed, weakened, stale, verdict, fields, any, none",
    Conclusion: "pass, fail, unproven",
    Question: (
        "snapshot changed, new snapshot, another value than expected, failure that is not listed, listed failure "
        "that has expired, listed failure that no longer fails"
    ),
    ChangeKind: "added, removed, changed, moved",
    Evidence: "better, worse, no evidence",
    ItemKind: "text, call, result",
    Role: "system, user, assistant, tool",
    Finish: "stop, length, tool_calls, content_filter, refusal, error",
    Fidelity: "wire, messages, derived, partial, none",
}


@pytest.mark.parametrize("codes", CODES, ids=lambda codes: codes.__name__)
def test_codes_as_before(codes: type[StrEnum]) -> None:
    """Each member has the code that other programs know."""
    assert ", ".join(codes) == CODES[codes]
