"""What an experiment has shown, in the place of what was read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard import Contract
from pytest_planguard.retry.outcomes import DROPPED, Firmness, Grade, ReasonCode
from pytest_planguard.retry.proof import Proof, ProofResult, by_proof, says_nothing
from pytest_planguard.retry.results import FedBack

from ..support.one_item import in_one_item

(FINDING,) = Contract(int).check('"x"').errors
PROOF = Proof("1", 1, 1, FINDING, ProofResult.UNPROVEN, "the app is not run again")


def read_as(label: Grade | Firmness, reason: str | None, evidence: str | None = None) -> FedBack:
    """A finding that was read so."""
    if isinstance(label, Firmness):
        return FedBack(FINDING, 1, Grade.FED_BACK, label, evidence, reason)
    return FedBack(FINDING, 1, label, None, evidence, reason)


def settled(label: Grade | Firmness, proof: Proof) -> FedBack:
    """What becomes of a finding that was read so."""
    (found,) = by_proof([read_as(label, "nobody reads it")], 1, [proof])
    return found


SETTLED = {
    ProofResult.PROVEN: (Firmness.PROVEN, None),
    ProofResult.REACTS: (Firmness.REACTS, None),
    ProofResult.WRONG: (Grade.WRONG, ReasonCode.SOMETHING_ELSE),
    ProofResult.MISSING: (Grade.MISSING, ReasonCode.NO_REACTION),
    ProofResult.UNCLEAR: (Grade.UNCLEAR, ReasonCode.OTHER_FAULT),
}


READ = (*Firmness, *(grade for grade in Grade if grade is not Grade.FED_BACK))


@in_one_item
@pytest.mark.parametrize("result", SETTLED)
@pytest.mark.parametrize("grade", READ)
def test_what_goes_with_the_finding_outweighs_what_all_words_say(grade: Grade | Firmness, result: ProofResult) -> None:
    """Both ways, whatever was read of all new words: the proof has read those that are about this finding."""
    found = settled(grade, replace(PROOF, result=result))
    assert (found.label, found.reason_code) == SETTLED[result]


@pytest.mark.parametrize("grade", [g for g in READ if g not in (*DROPPED, Grade.UNCLEAR)])
def test_an_open_experiment_takes_nothing_back(grade: Grade | Firmness) -> None:
    """What was read as fed back stays so."""
    for proof in (PROOF, replace(PROOF, undecided=True), replace(PROOF, passed_on=True)):
        assert settled(grade, proof).label == grade


def test_a_loss_that_a_run_might_have_refuted_is_unread() -> None:
    """The limit was reached, or something changed that nobody can weigh: reading alone fails no test then."""
    found = settled(Grade.MISSING, replace(PROOF, undecided=True))
    assert (found.label, found.reason) == (Grade.UNCLEAR, "the app is not run again")
    assert settled(Grade.MISSING, PROOF).label == Grade.MISSING


def test_what_is_unread_names_what_stands_in_the_way() -> None:
    """What was understood stands first."""
    assert settled(Grade.UNCLEAR, PROOF).reason == "nobody reads it; the app is not run again"


@pytest.mark.parametrize("grade", [Grade.MISSING, Grade.UNCLEAR])
def test_what_the_app_passes_on_nobody_can_judge(grade: Grade) -> None:
    """A call of its own has worded it again."""
    assert settled(grade, replace(PROOF, passed_on=True)).label == Grade.NOT_JUDGED


def whole(
    grade: Grade | Firmness, reason: str | None, words: str = "", code: ReasonCode | None = None, **known: object
) -> tuple[str, str | None, str | None]:
    """Return grade, evidence and reason of a finding that was read so, after an experiment."""
    proof = replace(PROOF, **known)  # type: ignore[arg-type]
    (found,) = by_proof([replace(read_as(grade, reason, "some words"), reason_code=code)], 1, [proof], words)
    return found.label, found.evidence, found.reason


WHY = "the app is not run again"
CASES: dict[str, tuple[tuple[str, str | None, str | None], tuple[str, str | None, str | None]]] = {
    "proven": (whole(Grade.UNCLEAR, "dark", result=ProofResult.PROVEN), ("proven", WHY, None)),
    "proven, read as missing": (whole(Grade.MISSING, "gone", result=ProofResult.PROVEN), ("proven", WHY, None)),
    "proven, with words": (
        whole(Grade.MISSING, "gone", result=ProofResult.PROVEN, said="too long"),
        ("proven", "too long", None),
    ),
    "reacts": (whole(Grade.MISSING, "gone", result=ProofResult.REACTS, said="so long"), ("reacts", "so long", None)),
    "wrong": (whole(Firmness.VERBATIM, None, result=ProofResult.WRONG, said="guest"), ("wrong", None, WHY)),
    "unclear": (
        whole(Grade.PARTIAL, "x", result=ProofResult.UNCLEAR, said="we need it"),
        ("unclear", "we need it", WHY),
    ),
    "missing": (whole(Firmness.VERBATIM, None, result=ProofResult.MISSING), ("missing", None, WHY)),
    "unproven, read": (whole(Firmness.WEAK, "why", undecided=True), ("weak", "some words", "why")),
    "passed on": (whole(Grade.MISSING, "gone", passed_on=True), ("not judged", "some words", WHY)),
    "undecided, missing": (whole(Grade.MISSING, "gone", undecided=True), ("unclear", "some words", WHY)),
    "undecided, unclear": (whole(Grade.UNCLEAR, "dark", undecided=True), ("unclear", "some words", WHY)),
    "unproven, unclear": (whole(Grade.UNCLEAR, "dark"), ("unclear", "some words", f"dark; {WHY}")),
    "unproven, unclear without a reason": (whole(Grade.UNCLEAR, None), ("unclear", "some words", WHY)),
    "unproven, missing": (whole(Grade.MISSING, "gone"), ("missing", "some words", "gone")),
    "not reached, in own words": (
        whole(Grade.MISSING, "nothing", "How many do they want?", ReasonCode.NOTHING_NAMED, unreached=True),
        ("unclear", "some words", f"nothing; {WHY}"),
    ),
    "not reached, in words that say nothing": (
        whole(Grade.MISSING, "nothing", "That was wrong. Try again.", ReasonCode.NOTHING_NAMED, unreached=True),
        ("missing", "some words", "nothing"),
    ),
    "not reached, and another field was named": (
        whole(Grade.WRONG, "guest", "guest: how many?", ReasonCode.OTHER_PLACE, unreached=True),
        ("wrong", "some words", "guest"),
    ),
    "not judged, unclear": (
        whole(Grade.UNCLEAR, "dark", result=ProofResult.NOT_JUDGED),
        ("unclear", "some words", "dark"),
    ),
    "not judged, undecided": (
        whole(Grade.MISSING, "x", result=ProofResult.NOT_JUDGED, undecided=True),
        ("unclear", "some words", WHY),
    ),
    "of another exchange": (
        whole(Grade.UNCLEAR, "dark", result=ProofResult.PROVEN, exchange=2),
        ("unclear", "some words", "dark"),
    ),
}


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_a_finding_after_an_experiment(name: str) -> None:
    """Grade, evidence and reason."""
    found, expected = CASES[name]
    assert found == expected


def test_the_words_of_a_proof() -> None:
    """They are written into reports."""
    assert [result.value for result in ProofResult] == [
        "proven",
        "reacts",
        "wrong",
        "missing",
        "unclear",
        "unproven",
        "not judged",
    ]
    assert Proof("1", 1, 1, FINDING, ProofResult.UNPROVEN, WHY, passed_on=False, undecided=False) == PROOF


OPEN = {
    "proven": (False, False),
    "reacts": (False, False),
    "wrong": (False, True),
    "missing": (False, True),
    "unclear": (False, False),
    "unproven": (True, True),
    "not judged": (True, True),
}
"""By result: whether it leaves everything to reading, and whether a finding that reading calls missing stays so."""


@in_one_item
@pytest.mark.parametrize("result", ProofResult)
def test_what_a_result_leaves_to_reading(result: ProofResult) -> None:
    """An app that passed the finding on, or a run that might have shown something, refutes that it is missing."""
    proof = replace(PROOF, result=result)
    assert (proof.settles_nothing, proof.leaves_missing) == OPEN[result.value]
    for open_run in (replace(proof, passed_on=True), replace(proof, undecided=True)):
        assert (open_run.settles_nothing, open_run.leaves_missing) == (OPEN[result.value][0], False)
    assert replace(proof, unreached=True).leaves_missing is OPEN[result.value][1]


@pytest.mark.parametrize(
    ("words", "nothing"),
    [
        ("That is still wrong. Please try again!", True),
        ("Das ist leider falsch, bitte noch einmal.", True),
        ("ยังไม่ถูกต้อง กรุณาลองใหม่อีกครั้ง", True),
        ("还是不对，请再试一次", True),
        ("もう一度お願いします", True),
        ("The title is still wrong. Please try again!", False),
        ("标题不对，请再试一次", False),
        ("ยังไม่ถูกต้อง title", False),
        ("...", False),
    ],
)
def test_words_that_only_say_that_something_is_wrong(words: str, nothing: bool) -> None:
    """In scripts with spaces and without."""
    assert says_nothing(words) is nothing
