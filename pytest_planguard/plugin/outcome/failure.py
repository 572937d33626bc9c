"""The text of a failure: the problem on the first line, the evidence, and the next command to run.

The renderers load with the first failing conversation, so that a passing run does not pay for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...printable import one_line
from ...wire.exchange import Finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...retry.results import Convergence
    from ...wire.exchange import Exchange
    from ..case import Case


CHANGE = "change the prompt, the contract or the model"
"""The advice if the app did all it could to get a valid answer."""


TELL = "put the step's feedback into its request, for example context.messages(prompt)"
"""The advice for a search step that drops its findings."""


class Problem(NamedTuple):
    """A reason why a test fails at its end."""

    reason: str
    """The first line that a reader sees."""
    body: str = ""
    """The evidence."""
    advice: str = ""
    """The next step: a command, or the call that fixes it."""


def failure_text(case: Case, problems: Sequence[Problem]) -> str:
    """Return all problems of a test as one text, with each piece of advice once, at the end."""
    others = len(problems) - 1
    more = f" (and {others} more {'problem' if others == 1 else 'problems'})" if others else ""
    parts = [_part(f"planguard: {problems[0].reason}{more}", problems[0].body)]
    parts += [_part(problem.reason, problem.body) for problem in problems[1:]]
    advice = dict.fromkeys(p.advice for p in problems if p.advice)
    # A request without an answer names the cassette itself: "recording: cassettes/…".
    named = any(f" {case.shown_path}" in problem.body for problem in problems)
    source = [f"cassette: {case.shown_path}"] if case.conversations and not named and case.path.is_file() else []
    notes = [f"note: {note}" for note in case.notes]
    parts.append("\n".join([*source, *notes, *(f"next: {line}" for line in advice)]))
    return "\n\n".join(part for part in parts if part)


def _part(head: str, body: str) -> str:
    """Join a headline and its body: a list of facts follows at once, but a conversation has its own headline."""
    return f"{head}\n{'' if body.startswith(' ') else chr(10)}{body}" if body else head


def conversation_problem(case: Case, convergence: Convergence) -> Problem:
    """Return the problem to report for a conversation that fails its test."""
    from ...report.conversation import failure_reason, render_conversation

    reason = f"{one_line(convergence.contract, 60)}: {failure_reason(convergence)}"
    advice = TELL if convergence in case.told else _advice(case, convergence)
    return Problem(reason, render_conversation(convergence), advice)


def _worth_asking(convergence: Convergence) -> bool:
    from ...contract.failure_kinds import Reask

    return all(f.kind.reask is Reask.YES for f in convergence.attempts[-1].verdict.errors)


def _in_own_words(case: Case) -> str:
    """Return the command for feedback in an unknown wording, such as another language: only a rerun can judge it."""
    from ..marker.identity import prove_command

    return f"      if your own wording says it: {prove_command(case.item.config, case.nodeid)}"


def _stop(convergence: Convergence) -> str:
    """Return the advice for a loop that goes on: too many attempts, useless attempts, or both."""
    made, allowed = len(convergence.attempts), convergence.max_attempts
    over = made > allowed
    needless = len(convergence.check("stops").evidence) > over  # one of its lines reports the exceeded budget
    # A framework that counts retries sends one request more than its number.
    counted = f" (a framework's max_retries={allowed} asks {made} times)" if made == allowed + 1 else ""
    allow = f"allow more with max_attempts={made}{counted}"
    told = [f"let the loop end after attempt {allowed}, or {allow}"] if over else []
    if needless:
        told.append(
            "don't retry when another answer cannot help: after a refusal, or after a cut-off at the same limit"
        )
    return "; ".join(told)


def _one_of_several(convergence: Convergence) -> bool:
    """Return True if a retry feeds back one finding and drops others: the app may report only the first error."""
    from ...retry.outcomes import DROPPED, Grade

    nothing = (*DROPPED, Grade.NOT_JUDGED)
    results = [[fed_back.grade for fed_back in attempt.fed_back] for attempt in convergence.attempts]
    return any(set(DROPPED) & set(grades) and sum(grade not in nothing for grade in grades) == 1 for grades in results)


def _agree(case: Case, convergence: Convergence) -> str:
    """Return the advice if the app and the contract judge the same answer differently."""
    if not convergence.attempts[-1].verdict.ok:
        return ""  # the check says what to do
    whole = all(contract.extract == "whole" for contract in case.spec.contracts)
    rule = "put the app's own rule into the contract (a constraint, or a validator of the model)"
    return rule if whole else f'Contract(..., extract="whole") if the app parses the whole answer; otherwise {rule}'


def _advice(case: Case, convergence: Convergence) -> str:
    from ...contract.failure_kinds import Reask
    from ...retry.outcomes import CheckStatus, Outcome
    from ..marker.identity import prove_command

    failed = {c.name for c in convergence.checks if c.status is CheckStatus.FAIL}
    if failed & {"feedback", "fresh"}:
        advice = "put what was wrong into the next request, for example validation_feedback(CONTRACT.check(answer))"
        if "feedback" in failed and _one_of_several(convergence):
            advice += '\n      if the app names one error at a time on purpose: coverage="first"'
        if any(proof.result.value in ("missing", "wrong") for proof in case.proofs):
            again = f"{advice}; then again: {prove_command(case.item.config, case.nodeid)}"
            return again if case.settings.prove == "always" else advice
        provable = "feedback" in failed and case.path.is_file()
        return f"{advice}\n{_in_own_words(case)}" if provable else advice
    if "agreed" in failed:
        return _agree(case, convergence)
    if "stops" in failed:
        return _stop(convergence)
    # The app has to change in both cases below: recorded again unchanged, it would get the same answers. Once it has
    # changed, the cassette is stale, and the report says how to record it.
    if convergence.attempts[-1].verdict.reask is Reask.NOT_AT_THIS_LIMIT:
        return _allow_more(convergence.attempts[-1].exchange)
    if convergence.outcome is Outcome.STOPPED and _worth_asking(convergence):
        asked = f"let the app ask again and say what was wrong, up to max_attempts={convergence.max_attempts}"
        return f"{CHANGE}; or {asked}"
    reported = case.live_check is not None and case.live_check.change == "worse"  # its problem has the same command
    if reported or not case.path.is_file():
        return ""
    # The files that `tape_files` leaves out are missing from the recording, though the command may have written them.
    unwritten = any(finding.code == "file_not_written" for finding in convergence.attempts[-1].verdict.errors)
    change = "let the command write the file, or let tape_files record it if it does" if unwritten else CHANGE
    return f"{change}, then record again: {case.record_command('all')}"


def _allow_more(exchange: Exchange) -> str:
    """Return the advice for a truncated answer, by the limit of its request and the reason why it ended."""
    limit = exchange.sampling.get("max_tokens")
    if exchange.finish is not Finish.LENGTH:
        return "the answer ends early, though at no token limit: let the app ask for less, or find what cuts it off"
    if isinstance(limit, int):
        return (
            f"the app allows {limit:,} tokens: let it allow more, or ask for less; the current limit cuts answers off"
        )
    return "the model's own token limit cut the answer: let the app ask for less at once"
