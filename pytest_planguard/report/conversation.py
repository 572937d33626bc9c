"""Render a conversation for a person: the failed checks, each attempt's findings, and their feedback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..document.path import to_dotted
from ..printable import one_line, visible
from ..retry.outcomes import DROPPED, CheckStatus, Firmness, Grade, Outcome
from ..runs.model.run import MISSING_FEEDBACK
from .finding_text import NAMED, SHOWN, named, render_finding
from .plain_text import Style, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..document.path import Path
    from ..retry.results import Attempt, Check, Convergence, FedBack
    from ..runs.model.judged_answers import AttemptRow, FedBackRow
    from ..runs.model.run import CaseRow

    Beside = Mapping[tuple[int, tuple[str, Path]], str]

    """Extra lines about findings; the key is the attempt's number and the finding's identity."""


MEANING = {
    Outcome.CONVERGED: "the last answer meets the contract",
    Outcome.EXHAUSTED: "the last allowed attempt still breaks the contract",
    Outcome.STUCK: "an answer repeats an earlier one and is still not valid",
    Outcome.OSCILLATING: "the same findings come and go",
    Outcome.NO_PROGRESS: "another answer with the same findings as the one before",
    Outcome.REGRESSED: "the last answer breaks what an earlier one had right",
    Outcome.FALSE_CONVERGENCE: "the valid answer was copied",
    Outcome.REJECTED: "a finding that a retry must not follow",
    Outcome.STOPPED: "the app stopped while its last answer was invalid",
    Outcome.ESCALATED: "handed over, as declared",
    Outcome.STALE: "the cassette no longer fits what is sent",
    Outcome.AMBIGUOUS: "the traffic does not show which conversation a request belongs to",
}
EVIDENCE_SHOWN = 4
"""Maximum number of lines of evidence to show for each check. The rest are counted."""
SHOWN_BELOW = frozenset({"feedback", "valid"})
"""Checks whose evidence is shown with the attempts."""
LINE_LIMIT = 200
"""Maximum number of characters of a check's message and of a line of evidence."""


def render_conversation(convergence: Convergence, *, color: bool = False, beside: Beside | None = None) -> str:
    """Return the whole conversation as text: its outcome, the checks that did not pass, then each attempt.

    Valid attempts take one line. Each finding shows its place in the answer, and how the next request fed it back. Its
    line from `beside` comes below.
    """
    style = Style(color)
    parts = [_headline(convergence, style), *_checks(convergence, style)]
    for attempt in convergence.attempts:
        parts += _attempt(attempt, convergence, style, beside or {})
    return "\n".join(parts)


def failure_reason(convergence: Convergence) -> str:
    """Return why the conversation fails, on one line: missing feedback, a problem, a failed check, or the outcome."""
    failed = next((c for c in convergence.checks if c.status is CheckStatus.FAIL), None)
    if failed is None:
        return MEANING[convergence.outcome]
    explain = {"feedback": _first_loss, "valid": _what_is_broken}.get(failed.name)
    return (explain and explain(convergence)) or f"{one_line(failed.name, 40)}: {one_line(failed.message, LINE_LIMIT)}"


def _first_loss(convergence: Convergence) -> str | None:
    """Return text such as 'missing on the way to attempt 2: priority, steps', or 'unclear …'; None for neither."""
    for grade in (*DROPPED, Grade.UNCLEAR):
        for attempt in convergence.attempts:
            places = [one_line(to_dotted(c.finding.path), 60) for c in attempt.fed_back if c.grade is grade]
            if places:
                more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
                return f"{grade.value} on the way to attempt {attempt.number + 1}: {', '.join(places[:NAMED])}{more}"
    return None


def _what_is_broken(convergence: Convergence) -> str | None:
    """Return text such as 'the last answer (attempt 3) is not valid: priority [enum]'; None without a finding."""
    last = convergence.attempts[-1]
    if not last.verdict.errors:
        return None
    which = f"the last answer (attempt {last.number})" if last.number > 1 else "the answer"
    return f"{which} is not valid: {named(last.verdict.errors)}"


def _headline(convergence: Convergence, style: Style) -> str:
    name = f"{one_line(convergence.contract, 80)}, conversation {one_line(convergence.conversation, 80)}"
    paint = style.good if convergence.ok else style.bad
    made, allowed = len(convergence.attempts), convergence.max_attempts
    spent = f"{made} of {count(allowed, 'attempt')}" if made <= allowed else f"{made} attempts, {allowed} allowed"
    outcome = paint(convergence.outcome.value.replace("_", " "))
    but = ", but a check failed" if convergence.outcome is Outcome.CONVERGED and not convergence.ok else ""
    return f"{style.strong(name)}: {outcome} after {spent} ({MEANING[convergence.outcome]}{but})"


def _checks(convergence: Convergence, style: Style) -> list[str]:
    """Return the checks that a reader must know about: failed, warned, and not judged."""
    shown = (CheckStatus.FAIL, CheckStatus.WARN, CheckStatus.NOT_JUDGED)
    lines = []
    for check in sorted((c for c in convergence.checks if c.status in shown), key=lambda c: shown.index(c.status)):
        lines += _check(check, style)
    return lines


def _check(check: Check, style: Style) -> list[str]:
    paint = {CheckStatus.FAIL: style.bad, CheckStatus.WARN: style.warn}.get(check.status, style.dim)
    status = check.status.value.upper() if check.status is CheckStatus.FAIL else check.status.value
    lines = [f"  {paint(f'{status:<10}')} {one_line(check.name, 40)}: {one_line(check.message, LINE_LIMIT)}"]
    evidence = () if check.name in SHOWN_BELOW else check.evidence
    lines += [f"             {one_line(line, LINE_LIMIT)}" for line in evidence[:EVIDENCE_SHOWN]]
    if len(evidence) > EVIDENCE_SHOWN:
        lines.append(f"             and {len(evidence) - EVIDENCE_SHOWN} more")
    return lines


def _attempt(attempt: Attempt, convergence: Convergence, style: Style, beside: Beside) -> list[str]:
    verdict = attempt.verdict
    judged = style.good("valid") if verdict.ok else style.bad(count(len(verdict.errors), "finding"))
    twin = next((a.number for a in convergence.attempts[: attempt.number - 1] if a.verdict.text == verdict.text), None)
    same = f", the same answer as attempt {twin}" if twin else ""
    lines = ["", f"{style.strong(f'attempt {attempt.number}')} {_notes(attempt)}{judged}{same}"]
    if verdict.ok:
        return lines
    gradings: dict[object, list[FedBack]] = {}
    for fed_back in attempt.fed_back:
        gradings.setdefault(fed_back.finding.identity, []).append(fed_back)  # several answers may have the same problem
    for finding in verdict.errors[:SHOWN]:
        shown = render_finding(finding, verdict.text, color=style.color)
        lines.append(shown.split("\n", 1)[0] if twin else shown)  # the frame is already shown above
        known = gradings.get(finding.identity)
        if known and attempt.number < len(convergence.attempts):
            lines.append(f"    {_graded(known.pop(0), attempt.number + 1, style)}")
            said = beside.get((attempt.number, finding.identity))
            lines += [f"       {said}"] if said else []
    rest = verdict.errors[SHOWN:]
    if rest:
        lines.append(f"  and {count(len(rest), 'more finding')}")
    return lines


def _notes(attempt: Attempt) -> str:
    exchange = attempt.exchange
    words = [f"exchange {exchange.number}"] if exchange.number else []
    if exchange.model:
        words.append(one_line(exchange.model, 60))
    if exchange.finish is not None:
        words.append(f"finish {exchange.finish.value}")
    if attempt.transport_retries:
        retries = "retry" if attempt.transport_retries == 1 else "retries"
        words.append(f"{attempt.transport_retries} transport {retries} before")
    if attempt.steps:
        words.append(count(len(attempt.steps), "tool step") + " before")
    return f"({', '.join(words)}): " if words else ": "


def _graded(fed_back: FedBack, following: int, style: Style) -> str:
    head = f"-> request of attempt {following}:"
    if fed_back.grade in DROPPED:
        return f"{head} {style.bad(fed_back.grade.value.upper())}{_because(fed_back.reason)}"
    if fed_back.grade is Grade.NOT_JUDGED:
        return f"{head} {style.dim('not judged')}{_because(fed_back.reason)}"
    if fed_back.grade is Grade.UNCLEAR:
        return f"{head} {style.warn('unclear')}{_because(fed_back.reason)}"
    evidence = f' "{one_line(fed_back.evidence, 100)}"' if fed_back.evidence else ""
    if fed_back.how is Firmness.REACTS:
        return f"{head} {style.good('reacts')} in words that were not understood{evidence}"
    paint = style.warn if fed_back.label in (Firmness.WEAK, Grade.PARTIAL) else style.good
    return f"{head} {paint(f'fed back ({fed_back.label})')}{evidence}{_because(fed_back.reason)}"


def _because(reason: str | None) -> str:
    return f": {one_line(reason, LINE_LIMIT)}" if reason else ""


MESSAGE_LIMIT = 300
"""Maximum number of characters of the message of a finding."""


def missing_text(row: CaseRow) -> Iterator[str]:
    """Yield lines such as 'request 2 does not say what was wrong with answer 1:', with the findings.

    Requests without an answer are shown as the row keeps them.
    """
    for judged in row.judged:
        for number, attempt in enumerate(judged.attempts, 1):
            if attempt.dropped:
                yield f"request {number + 1} does not say what was wrong with answer {number}:"
                yield from (f"  {_finding(attempt, found)}" for found in attempt.dropped)
    for miss in row.misses:
        if miss.startswith(MISSING_FEEDBACK):
            yield from visible(miss).split("\n")


def unheeded_answers(row: CaseRow) -> Iterator[tuple[str, str]]:
    """Yield the name ('answer 1') and text of each answer whose findings the next request should have fed back."""
    for judged in row.judged:
        for number, attempt in enumerate(judged.attempts, 1):
            unanswered = row.feedback_is_missing and attempt is judged.last
            if attempt.dropped or unanswered:
                yield f"answer {number}", attempt.answer


def _finding(attempt: AttemptRow, dropped: FedBackRow) -> str:
    """Return text such as 'priority [enum]: expected one of low, medium, high'.

    If the message is not kept, the text gives the reason why it counts as missing.
    """
    message = next(
        (f.message for f in attempt.findings if (f.code, f.path) == (dropped.code, dropped.path)), dropped.reason
    )
    place = f"{one_line(to_dotted(dropped.path), 80)} [{one_line(dropped.code, 40)}]"
    return f"{place}: {one_line(message, MESSAGE_LIMIT)}" if message else place
