"""A failed conversation says first what went wrong, then shows it."""

from dataclasses import replace

from pytest_planguard.report.conversation import failure_reason, render_conversation
from pytest_planguard.retry.outcomes import CheckStatus, Grade, Outcome
from pytest_planguard.retry.results import Check, Convergence, FedBack

from ...support.verdicts import BAD, PRIORITY, STEPS, attempt, lost_retry, verdict


def test_a_lost_finding():
    """The check that failed stands on top; each finding says what became of it in the next request."""
    assert (
        render_conversation(lost_retry())
        == """\
Ticket, conversation 1: converged after 2 of 3 attempts (the last answer meets the contract, but a check failed)
  FAIL       feedback: the request of attempt 2 lacks 1 of 2 findings of attempt 1

attempt 1 (exchange 1, m-1, finish stop): 2 findings
  x priority (line 3, column 15): expected one of "low", "high"; got "hi"  [enum]
    1 | {
    2 |   "title": "Printer",
    3 |   "priority": "hi",
      |               ^^^^
    4 |   "steps": []
    5 | }
    hint: did you mean "high"?
    -> request of attempt 2: fed back (located) "1. /priority (line 3): expected one of "low", "high""
  x steps (line 4, column 12): expected at least 1 item; got 0  [length]
    2 |   "title": "Printer",
    3 |   "priority": "hi",
    4 |   "steps": []
      |            ^^
    5 | }
    -> request of attempt 2: MISSING: no entry of the new request names /steps

attempt 2 (exchange 2, m-1, finish stop): valid"""
    )


def test_the_reason_on_one_line():
    """What was missing, or what is wrong with the last answer; else the first failed check or the outcome in words."""
    failed = (Check("valid", CheckStatus.FAIL, "the last answer breaks the contract"),)
    attempts = (attempt(1, verdict(BAD, STEPS)), attempt(2, verdict(BAD, PRIORITY, STEPS)))
    assert failure_reason(lost_retry()) == "missing on the way to attempt 2: steps"
    assert failure_reason(replace(lost_retry(), checks=failed, attempts=attempts)) == (
        "the last answer (attempt 2) is not valid: priority [enum], steps [length]"
    )
    assert failure_reason(replace(lost_retry(), checks=failed)) == "valid: the last answer breaks the contract"
    assert failure_reason(replace(lost_retry(), checks=(), outcome=Outcome.STUCK)) == (
        "an answer repeats an earlier one and is still not valid"
    )


def test_not_judged_is_shown_as_such():
    """What nobody can know is never shown as a pass."""
    first = attempt(1, verdict(BAD, STEPS), FedBack(STEPS, 1, Grade.NOT_JUDGED, reason="the server holds the state"))
    unjudged = Check("feedback", CheckStatus.NOT_JUDGED, "1 finding cannot be judged")
    shown = render_conversation(
        Convergence("1", "Ticket", Outcome.EXHAUSTED, (first, attempt(2, verdict(BAD, STEPS))), (unjudged,), 2)
    )
    assert "  not judged feedback: 1 finding cannot be judged" in shown
    assert "-> request of attempt 2: not judged: the server holds the state" in shown


def test_evidence_is_bounded():
    """A check with many places shows four and counts the rest."""
    check = Check("accounted", CheckStatus.FAIL, "missing", tuple(f"place {n}" for n in range(9)))
    shown = render_conversation(replace(lost_retry(), checks=(check,)))
    assert "place 3" in shown
    assert "place 4" not in shown
    assert "and 5 more" in shown


def test_an_answer_that_repeats_is_not_shown_twice():
    """The second time a finding is one line, without its frame, and the attempt says what it repeats."""
    again = replace(attempt(2, verdict(BAD, STEPS)))
    shown = render_conversation(replace(lost_retry(), attempts=(attempt(1, verdict(BAD, STEPS)), again)))
    assert "attempt 2 (exchange 2, m-1, finish stop): 1 finding, the same answer as attempt 1" in shown
    assert shown.count('4 |   "steps": []') == 1


def test_more_attempts_than_allowed():
    """Too many attempts are said as such."""
    shown = render_conversation(replace(lost_retry(), max_attempts=1))
    assert "converged after 2 attempts, 1 allowed (" in shown


def test_every_outcome_has_words():
    """Each outcome is explained, so that a new one cannot be shown bare."""
    for outcome in Outcome:
        assert render_conversation(replace(lost_retry(), outcome=outcome)).split("\n")[0].endswith(")")


def test_a_hostile_answer_is_not_obeyed():
    """Nothing that the model or a header said moves the cursor."""
    evil = replace(lost_retry(), conversation="\x1b[2J1", contract="T\u202e")
    shown = render_conversation(evil)
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_findings_beyond_the_shown_ones_are_counted():
    """An answer with twenty findings shows eight and says how many more there are."""
    many = verdict(BAD, *[replace(PRIORITY, path=("p", n)) for n in range(20)])
    shown = render_conversation(replace(lost_retry(), attempts=(attempt(1, many),)))
    assert shown.count("[enum]") == 8
    assert shown.endswith("  and 12 more findings")
