"""Every word that a conversation can have in its text: outcomes, grades, checks, and the facts of an attempt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.report.conversation import failure_reason, render_conversation
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.results import Attempt, Check, Convergence, FedBack
from pytest_planguard.wire.exchange import Exchange, Finish

from ...support.verdicts import BAD, GOOD, PRIORITY, STEPS, attempt, lost_retry, verdict

OUTCOMES = {
    Outcome.CONVERGED: "converged after 2 of 3 attempts (the last answer meets the contract, but a check failed)",
    Outcome.EXHAUSTED: "exhausted after 2 of 3 attempts (the last allowed attempt still breaks the contract)",
    Outcome.STUCK: "stuck after 2 of 3 attempts (an answer repeats an earlier one and is still not valid)",
    Outcome.OSCILLATING: "oscillating after 2 of 3 attempts (the same findings come and go)",
    Outcome.NO_PROGRESS: (
        "no progress after 2 of 3 attempts (another answer with the same findings as the one before)"
    ),
    Outcome.REGRESSED: "regressed after 2 of 3 attempts (the last answer breaks what an earlier one had right)",
    Outcome.FALSE_CONVERGENCE: "false convergence after 2 of 3 attempts (the valid answer was copied)",
    Outcome.REJECTED: "rejected after 2 of 3 attempts (a finding that a retry must not follow)",
    Outcome.STOPPED: "stopped after 2 of 3 attempts (the app stopped while its last answer was invalid)",
    Outcome.ESCALATED: "escalated after 2 of 3 attempts (handed over, as declared)",
    Outcome.STALE: "stale after 2 of 3 attempts (the cassette no longer fits what is sent)",
    Outcome.AMBIGUOUS: (
        "ambiguous after 2 of 3 attempts (the traffic does not show which conversation a request belongs to)"
    ),
}
RED, GREEN, YELLOW, DIM = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[2m"
SHORT = replace(STEPS, span=None)


def told(grade: Grade, how: Firmness | None = None, evidence: str | None = None, reason: str | None = None) -> FedBack:
    """What became of a finding in the next request."""
    return FedBack(SHORT, 1, grade, how, evidence, reason)


def line_of(fed_back: FedBack, *, color: bool = False) -> str:
    """The line below the finding."""
    attempts = (attempt(1, verdict(BAD, SHORT), fed_back), attempt(2, verdict(GOOD)))
    shown = render_conversation(replace(lost_retry(), checks=(), attempts=attempts), color=color)
    return next(line.strip() for line in shown.split("\n") if "->" in line)


@pytest.mark.parametrize("outcome", Outcome)
def test_the_headline_of_every_outcome(outcome: Outcome) -> None:
    """The outcome, the attempts, and what it means."""
    shown = render_conversation(replace(lost_retry(), outcome=outcome))
    assert shown.split("\n")[0] == f"Ticket, conversation 1: {OUTCOMES[outcome]}"


def test_a_conversation_that_passes_has_no_but() -> None:
    """It converged, and no check failed."""
    shown = render_conversation(replace(lost_retry(), checks=(), max_attempts=1, attempts=(attempt(1, verdict(GOOD)),)))
    assert shown == (
        "Ticket, conversation 1: converged after 1 of 1 attempt (the last answer meets the contract)\n\n"
        "attempt 1 (exchange 1, m-1, finish stop): valid"
    )


@pytest.mark.parametrize(
    ("fed_back", "line"),
    [
        (told(Grade.MISSING, reason="no word of it"), "MISSING: no word of it"),
        (told(Grade.MISSING), "MISSING"),
        (told(Grade.WRONG, reason="another value"), "WRONG: another value"),
        (told(Grade.NOT_JUDGED, reason="no text"), "not judged: no text"),
        (told(Grade.UNCLEAR, evidence="x", reason="two readings"), "unclear: two readings"),
        (told(Grade.FED_BACK, Firmness.REACTS, "Hm."), 'reacts in words that were not understood "Hm."'),
        (told(Grade.FED_BACK, Firmness.REACTS), "reacts in words that were not understood"),
        (told(Grade.FED_BACK, Firmness.PROVEN, "two"), 'fed back (proven) "two"'),
        (told(Grade.FED_BACK, Firmness.VERBATIM), "fed back (verbatim)"),
        (told(Grade.FED_BACK, Firmness.LOCATED), "fed back (located)"),
        (told(Grade.FED_BACK, Firmness.WEAK, "more"), 'fed back (weak) "more"'),
        (told(Grade.PARTIAL, None, "steps", "without the number"), 'fed back (partial) "steps": without the number'),
    ],
)
def test_what_became_of_a_finding(fed_back: FedBack, line: str) -> None:
    """The grade, the words of the request, and the reason."""
    assert line_of(fed_back) == f"-> request of attempt 2: {line}"


@pytest.mark.parametrize(
    ("fed_back", "painted"),
    [
        (told(Grade.MISSING), f"{RED}MISSING"),
        (told(Grade.WRONG), f"{RED}WRONG"),
        (told(Grade.NOT_JUDGED), f"{DIM}not judged"),
        (told(Grade.UNCLEAR), f"{YELLOW}unclear"),
        (told(Grade.FED_BACK, Firmness.REACTS), f"{GREEN}reacts"),
        (told(Grade.FED_BACK, Firmness.VERBATIM), f"{GREEN}fed back (verbatim)"),
        (told(Grade.FED_BACK, Firmness.WEAK), f"{YELLOW}fed back (weak)"),
        (told(Grade.PARTIAL), f"{YELLOW}fed back (partial)"),
    ],
)
def test_the_colour_of_a_grade(fed_back: FedBack, painted: str) -> None:
    """Red for a loss, yellow for doubt, green for what was told."""
    assert line_of(fed_back, color=True).startswith(f"-> request of attempt 2: {painted}\x1b[0m")


def test_a_finding_of_the_last_attempt_has_no_next_request() -> None:
    """Whatever its grade."""
    last = (attempt(1, verdict(BAD, SHORT), told(Grade.MISSING)),)
    assert "->" not in render_conversation(replace(lost_retry(), attempts=last))


def test_findings_of_one_place_have_a_line_each() -> None:
    """In their order, with what stands beside the finding below."""
    both = (told(Grade.MISSING, reason="one"), told(Grade.UNCLEAR, reason="other"))
    attempts = (attempt(1, verdict(BAD, SHORT, SHORT), *both), attempt(2, verdict(GOOD)))
    shown = render_conversation(
        replace(lost_retry(), checks=(), attempts=attempts), beside={(1, SHORT.identity): "kept in a.yaml"}
    )
    assert shown.split("\n\n")[1] == (
        "attempt 1 (exchange 1, m-1, finish stop): 2 findings\n"
        "  x steps: expected at least 1 item; got 0  [length]\n"
        "    -> request of attempt 2: MISSING: one\n"
        "       kept in a.yaml\n"
        "  x steps: expected at least 1 item; got 0  [length]\n"
        "    -> request of attempt 2: unclear: other\n"
        "       kept in a.yaml"
    )


def test_checks_stand_by_gravity_and_passed_ones_are_left_out() -> None:
    """Failed in capitals, then warned, then not judged, each with its evidence; four lines of evidence are shown."""
    checks = (
        Check("copied", CheckStatus.NOT_JUDGED, "no text"),
        Check("stops", CheckStatus.PASS, "it stops"),
        Check("task_kept", CheckStatus.NOT_APPLICABLE, "no task"),
        Check("fresh", CheckStatus.WARN, "an old answer", tuple("abcd")),
        Check("clean", CheckStatus.FAIL, "markup", tuple("abcde")),
        Check("valid", CheckStatus.FAIL, "not valid", ("hidden",)),
        Check("feedback", CheckStatus.FAIL, "lost", ("hidden",)),
    )
    shown = render_conversation(replace(lost_retry(), checks=checks))
    blanks = 13 * " "
    assert shown.split("\n\n")[0].split("\n")[1:] == [
        "  FAIL       clean: markup",
        *(f"{blanks}{line}" for line in ("a", "b", "c", "d", "and 1 more")),
        "  FAIL       valid: not valid",
        "  FAIL       feedback: lost",
        "  warn       fresh: an old answer",
        *(f"{blanks}{line}" for line in "abcd"),
        "  not judged copied: no text",
    ]
    painted = render_conversation(replace(lost_retry(), checks=checks), color=True)
    for color, status in ((RED, "FAIL      "), (YELLOW, "warn      "), (DIM, "not judged")):
        assert f"  {color}{status}\x1b[0m " in painted


@pytest.mark.parametrize(
    ("made", "notes"),
    [
        (Attempt(1, Exchange(0, "raw"), verdict(GOOD)), "attempt 1 : valid"),
        (Attempt(1, Exchange(3, "raw"), verdict(GOOD)), "attempt 1 (exchange 3): valid"),
        (Attempt(1, Exchange(0, "raw", model="m"), verdict(GOOD)), "attempt 1 (m): valid"),
        (Attempt(1, Exchange(0, "raw", finish=Finish.LENGTH), verdict(GOOD)), "attempt 1 (finish length): valid"),
        (
            Attempt(1, Exchange(0, "raw"), verdict(GOOD), transport_retries=1),
            "attempt 1 (1 transport retry before): valid",
        ),
        (
            Attempt(1, Exchange(9, "raw"), verdict(GOOD), steps=(Exchange(8, "raw"),), transport_retries=2),
            "attempt 1 (exchange 9, 2 transport retries before, 1 tool step before): valid",
        ),
        (
            Attempt(1, Exchange(0, "raw"), verdict(GOOD), steps=(Exchange(1, "raw"), Exchange(2, "raw"))),
            "attempt 1 (2 tool steps before): valid",
        ),
    ],
)
def test_the_facts_of_an_attempt(made: Attempt, notes: str) -> None:
    """What is unknown or as usual is left out."""
    shown = render_conversation(replace(lost_retry(), checks=(), attempts=(made,)))
    assert shown.split("\n")[-1] == notes


def test_eight_findings_are_shown_and_a_ninth_is_counted() -> None:
    """In words for one."""
    found = [replace(SHORT, path=("steps", n)) for n in range(9)]
    eight, nine = (
        render_conversation(replace(lost_retry(), checks=(), attempts=(attempt(1, verdict(BAD, *found[:n])),)))
        for n in (8, 9)
    )
    assert "more" not in eight
    assert nine.endswith("\n  and 1 more finding")


def reason(*checks: Check, attempts: tuple[Attempt, ...] = (), outcome: Outcome = Outcome.EXHAUSTED) -> str:
    """Why a conversation fails, on one line."""
    return failure_reason(Convergence("1", "T", outcome, attempts or (attempt(1, verdict(BAD)),), checks))


def _graded(number: int, *grades: tuple[Grade, int]) -> Attempt:
    told = (FedBack(replace(SHORT, path=("steps", n)), number, grade) for grade, n in grades)
    return attempt(number, verdict(BAD), *told)


def test_the_reason_of_a_lost_finding() -> None:
    """What is missing comes before what is wrong or unclear, in whatever attempt; five places are named."""
    lost = Check("feedback", CheckStatus.FAIL, "the request lacks something")
    later = (_graded(1, (Grade.UNCLEAR, 0)), _graded(2, (Grade.MISSING, 1)), attempt(3, verdict(BAD)))
    assert reason(lost, attempts=later) == "missing on the way to attempt 3: steps[1]"
    assert reason(lost, attempts=(_graded(1, (Grade.WRONG, 0)),)) == "wrong on the way to attempt 2: steps[0]"
    assert reason(lost, attempts=later[:1]) == "unclear on the way to attempt 2: steps[0]"
    assert reason(lost, attempts=(_graded(1, (Grade.PARTIAL, 0)),)) == "feedback: the request lacks something"
    five = ", ".join(f"steps[{n}]" for n in range(5))
    for number, more in ((5, ""), (6, " and 1 more")):
        many = (_graded(1, *((Grade.MISSING, n) for n in range(number))),)
        assert reason(lost, attempts=many) == f"missing on the way to attempt 2: {five}{more}"


def test_the_reason_of_any_other_failure() -> None:
    """The only answer, the last of several, the first failed check, or the meaning of the outcome."""
    invalid = Check("valid", CheckStatus.FAIL, "the last answer breaks the contract")
    assert reason(invalid, attempts=(attempt(1, verdict(BAD, SHORT)),)) == "the answer is not valid: steps [length]"
    both = (attempt(1, verdict(BAD, PRIORITY)), attempt(2, verdict(BAD, SHORT)))
    assert reason(invalid, attempts=both) == "the last answer (attempt 2) is not valid: steps [length]"
    assert reason(Check("stops", CheckStatus.WARN, "x"), Check("clean", CheckStatus.FAIL, "markup"), invalid) == (
        "clean: markup"
    )
    assert all(f"({reason(outcome=outcome)}" in OUTCOMES[outcome] for outcome in Outcome)


def test_the_headline_is_painted_by_the_result() -> None:
    """Green for a conversation that is good, red for any other; findings are in colour too."""
    good = replace(lost_retry(), checks=())
    first = [render_conversation(each, color=True).split("\n")[0] for each in (good, lost_retry())]
    start = "\x1b[1mTicket, conversation 1\x1b[0m: "
    assert first[0].startswith(f"{start}{GREEN}converged\x1b[0m after")
    assert first[1].startswith(f"{start}{RED}converged\x1b[0m after")
    assert f"  {RED}x\x1b[0m " in render_conversation(good, color=True)
