"""The text of a failure, and what each kind of failing conversation is advised."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.outcome.failure import Problem, conversation_problem, failure_text
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.proof import Proof, ProofResult
from pytest_planguard.retry.results import Check, Convergence, FedBack
from pytest_planguard.runs.model.run import LiveCheckRow

from ...support.verdicts import BAD, GOOD, PRIORITY, STEPS, attempt, lost_retry, verdict
from .conftest import SPEC, MakeCase


@pytest.fixture
def cassette(tmp_path: Path) -> str:
    """A cassette that is there."""
    file = tmp_path / "own.yaml"
    file.write_text("")
    return str(file)


def ended(outcome: Outcome, *failed: str, finding: Finding = PRIORITY) -> Convergence:
    """Return a conversation of one bad answer that ended so, with these failed checks."""
    checks = tuple(Check(name, CheckStatus.FAIL, "it failed") for name in failed)
    return Convergence("1", "Ticket", outcome, (attempt(1, verdict(BAD, finding)),), checks)


def test_all_problems_are_one_text(make_case: MakeCase) -> None:
    """The first line counts the others, facts follow their headline at once, and each advice is given once."""
    case = make_case()
    one, other = Problem("one", "  a fact", "do this"), Problem("other", "# A talk", "do this")
    assert failure_text(case, [one]) == "planguard: one\n  a fact\n\nnext: do this"
    assert failure_text(case, [one, other]) == (
        "planguard: one (and 1 more problem)\n  a fact\n\nother\n\n# A talk\n\nnext: do this"
    )
    assert failure_text(case, [Problem("bare")] * 3) == "planguard: bare (and 2 more problems)\n\nbare\n\nbare"
    case.recording = PlayedCassette(notes=("it was old",))
    assert failure_text(case, [other, Problem("last", "", "do that")]) == (
        "planguard: other (and 1 more problem)\n\n# A talk\n\nlast\n\nnote: it was old\nnext: do this\nnext: do that"
    )


def test_the_cassette_of_a_conversation_is_named_once(make_case: MakeCase, cassette: str) -> None:
    """If it is there, and no problem names it."""
    case = make_case(SPEC._replace(cassette=cassette))
    one = Problem("one")
    assert failure_text(case, [one]) == "planguard: one"
    case.conversations = (lost_retry(),)
    assert failure_text(case, [one]) == f"planguard: one\n\ncassette: {case.shown_path}"
    named = Problem("one", f"  recording: {case.shown_path}")
    assert failure_text(case, [named]) == f"planguard: one\n  recording: {case.shown_path}"
    Path(cassette).unlink()
    assert failure_text(case, [one]) == "planguard: one"


FEEDBACK = "put what was wrong into the next request, for example validation_feedback(CONTRACT.check(answer))"
FIRST = '\n      if the app names one error at a time on purpose: coverage="first"'
CHANGE = "change the prompt, the contract or the model"


def test_a_lost_finding_is_put_into_the_request(make_case: MakeCase, cassette: str) -> None:
    """A recorded one may be there in other words, which a rerun shows."""
    told = conversation_problem(make_case(), lost_retry())
    assert told.reason == "Ticket: missing on the way to attempt 2: steps"
    assert told.advice == FEEDBACK + FIRST
    case = make_case(SPEC._replace(cassette=cassette))
    prove = case.record_command("none").replace("--planguard-record=none", "--planguard-prove")
    assert conversation_problem(case, lost_retry()).advice == (
        f"{FEEDBACK}{FIRST}\n      if your own wording says it: {prove}"
    )


@pytest.mark.parametrize("result", [*ProofResult])
def test_a_loss_that_an_experiment_has_shown(make_case: MakeCase, cassette: str, result: ProofResult) -> None:
    """It is no matter of words. With experiments on request, the command runs them again."""
    proof = Proof("1", 1, 1, STEPS, result, "so it is")
    case, always = (make_case(SPEC._replace(cassette=cassette), prove=prove) for prove in ("auto", "always"))
    case.proofs = always.proofs = (proof,)
    advice, again = (conversation_problem(one, lost_retry()).advice for one in (case, always))
    shown = result in (ProofResult.MISSING, ProofResult.WRONG)
    assert (advice == FEEDBACK + FIRST) is shown
    assert again.startswith(f"{FEEDBACK}{FIRST}; then again: pytest ") is shown
    assert again.endswith(" --planguard-prove")


@pytest.mark.parametrize(
    ("grades", "first"),
    [
        ((Grade.MISSING, Grade.FED_BACK), True),
        ((Grade.WRONG, Grade.PARTIAL), True),
        ((Grade.MISSING, Grade.UNCLEAR, Grade.NOT_JUDGED), True),
        ((Grade.MISSING, Grade.FED_BACK, Grade.FED_BACK), False),
        ((Grade.MISSING, Grade.NOT_JUDGED), False),
        ((Grade.FED_BACK,), False),
    ],
)
def test_an_app_may_name_one_error_at_a_time(make_case: MakeCase, grades: tuple[Grade, ...], first: bool) -> None:
    """A retry that names exactly one and drops others looks like that."""
    told = [FedBack(PRIORITY, 1, grade, Firmness.LOCATED if grade is Grade.FED_BACK else None) for grade in grades]
    attempts = (attempt(1, verdict(BAD, PRIORITY), *told), attempt(2, verdict(GOOD)))
    check = Check("feedback", CheckStatus.FAIL, "it failed")
    found = Convergence("1", "Ticket", Outcome.CONVERGED, attempts, (check,))
    assert conversation_problem(make_case(), found).advice == FEEDBACK + (FIRST if first else "")


def test_stale_words_have_the_same_advice(make_case: MakeCase, cassette: str) -> None:
    """Old findings in a new request are no matter of wording, nor of one error at a time."""
    case = make_case(SPEC._replace(cassette=cassette))
    assert conversation_problem(case, ended(Outcome.STUCK, "fresh")).advice == FEEDBACK


def test_an_app_that_judges_by_other_rules(make_case: MakeCase) -> None:
    """Its rule belongs into the contract, or the contract has to read as the app does."""
    good = Convergence(
        "1", "T", Outcome.CONVERGED, (attempt(1, verdict(GOOD)),), (Check("agreed", CheckStatus.FAIL, "no"),)
    )
    rule = "put the app's own rule into the contract (a constraint, or a validator of the model)"
    lenient = make_case(SPEC._replace(contracts=(Contract(None),)))
    whole = make_case(SPEC._replace(contracts=(Contract(None, extract="whole"),)))
    assert conversation_problem(lenient, good).advice == (
        f'Contract(..., extract="whole") if the app parses the whole answer; otherwise {rule}'
    )
    assert conversation_problem(whole, good).advice == rule
    assert conversation_problem(lenient, ended(Outcome.STUCK, "agreed")).advice == ""


def test_a_search_step_has_its_own_advice(make_case: MakeCase) -> None:
    """Its request is made of the step's context."""
    case, found = make_case(), lost_retry()
    case.told.append(found)
    assert conversation_problem(case, found).advice == (
        "put the step's feedback into its request, for example context.messages(prompt)"
    )


CUT = Finding("truncated", (), "the answer is cut off", FailureKind.TRUNCATED)
REFUSED = Finding("refusal", (), "the model refuses", FailureKind.REFUSAL)
UNWRITTEN = Finding("file_not_written", (), "no file", FailureKind.RULE)


def test_a_conversation_that_ended_with_a_bad_answer(make_case: MakeCase, cassette: str) -> None:
    """More tokens, another try, or another answer: what helps depends on what was wrong."""
    case = make_case(SPEC._replace(cassette=cassette))
    again = case.record_command("all")

    def advice(outcome: Outcome, finding: Finding) -> str:
        return conversation_problem(case, ended(outcome, "valid", finding=finding)).advice

    assert advice(Outcome.STOPPED, CUT) == (
        "the answer ends early, though at no token limit: let the app ask for less, or find what cuts it off"
    )
    assert advice(Outcome.STOPPED, PRIORITY) == (
        f"{CHANGE}; or let the app ask again and say what was wrong, up to max_attempts=3"
    )
    assert advice(Outcome.STOPPED, REFUSED) == f"{CHANGE}, then record again: {again}"
    assert advice(Outcome.STUCK, PRIORITY) == f"{CHANGE}, then record again: {again}"
    assert advice(Outcome.STUCK, UNWRITTEN) == (
        f"let the command write the file, or let tape_files record it if it does, then record again: {again}"
    )


@pytest.mark.parametrize("change", ["worse", "unanswered", "changed", None])
def test_the_command_is_given_once(make_case: MakeCase, cassette: str, change: str | None) -> None:
    """A worse live answer has it already, and without a cassette nothing was recorded."""
    case: Case = make_case(SPEC._replace(cassette=cassette))
    case.live_check = None if change is None else LiveCheckRow("a", "b", change)  # type: ignore[arg-type]
    assert (conversation_problem(case, ended(Outcome.STUCK, "valid")).advice == "") is (change == "worse")
    assert conversation_problem(make_case(), ended(Outcome.STUCK, "valid")).advice == ""
