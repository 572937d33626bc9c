"""What an experiment has shown, in the place of what was read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard import Contract
from pytest_planguard.retry.outcomes import Grade, ReasonCode
from pytest_planguard.retry.proof import Fate, Proof, by_proof
from pytest_planguard.retry.results import Carried

(FINDING,) = Contract(int).check('"x"').errors
PROOF = Proof("1", 1, 1, FINDING, Fate.UNPROVEN, "the app is not run again")


def settled(grade: Grade, proof: Proof) -> Carried:
    """What becomes of a finding that was read so."""
    (found,) = by_proof([Carried(FINDING, 1, grade, reason="nobody reads it")], 1, [proof])
    return found


SETTLED = {
    Fate.PROVEN: (Grade.PROVEN, None),
    Fate.REACTS: (Grade.REACTS, None),
    Fate.MISDIRECTED: (Grade.LOST, ReasonCode.MISDIRECTED),
    Fate.NOT_CARRIED: (Grade.LOST, ReasonCode.NOT_CARRIED),
    Fate.UNREAD: (Grade.UNREAD, ReasonCode.OTHER_FAULT),
}


@pytest.mark.parametrize("fate", SETTLED)
@pytest.mark.parametrize("grade", list(Grade))
def test_what_goes_with_the_finding_outweighs_what_all_words_say(grade: Grade, fate: Fate) -> None:
    """Both ways, whatever was read of all new words: the proof has read those that are about this finding."""
    found = settled(grade, replace(PROOF, fate=fate))
    assert (found.grade, found.reason_code) == SETTLED[fate]


@pytest.mark.parametrize("grade", [g for g in Grade if g not in (Grade.LOST, Grade.UNREAD)])
def test_an_open_experiment_takes_nothing_back(grade: Grade) -> None:
    """What was read as carried stays so."""
    for proof in (PROOF, replace(PROOF, undecided=True), replace(PROOF, passed_on=True)):
        assert settled(grade, proof).grade is grade


def test_a_loss_that_a_run_might_have_refuted_is_unread() -> None:
    """The limit was reached, or something changed that nobody can weigh: reading alone fails no test then."""
    found = settled(Grade.LOST, replace(PROOF, undecided=True))
    assert (found.grade, found.reason) == (Grade.UNREAD, "the app is not run again")
    assert settled(Grade.LOST, PROOF).grade is Grade.LOST


def test_what_is_unread_names_what_stands_in_the_way() -> None:
    """What was understood stands first."""
    assert settled(Grade.UNREAD, PROOF).reason == "nobody reads it; the app is not run again"


@pytest.mark.parametrize("grade", [Grade.LOST, Grade.UNREAD])
def test_what_the_app_passes_on_nobody_can_judge(grade: Grade) -> None:
    """A call of its own has worded it again."""
    assert settled(grade, replace(PROOF, passed_on=True)).grade is Grade.NOT_JUDGED


def whole(grade: Grade, reason: str | None, **known: object) -> tuple[str, str | None, str | None]:
    """Return grade, evidence and reason of a finding that was read so, after an experiment."""
    proof = replace(PROOF, **known)  # type: ignore[arg-type]
    (found,) = by_proof([Carried(FINDING, 1, grade, "some words", reason)], 1, [proof])
    return found.grade.value, found.evidence, found.reason


WHY = "the app is not run again"
CASES: dict[str, tuple[tuple[str, str | None, str | None], tuple[str, str | None, str | None]]] = {
    "proven": (whole(Grade.UNREAD, "dark", fate=Fate.PROVEN), ("proven", WHY, None)),
    "proven, read as lost": (whole(Grade.LOST, "gone", fate=Fate.PROVEN), ("proven", WHY, None)),
    "proven, with words": (whole(Grade.LOST, "gone", fate=Fate.PROVEN, said="too long"), ("proven", "too long", None)),
    "reacts": (whole(Grade.LOST, "gone", fate=Fate.REACTS, said="so long"), ("reacts", "so long", None)),
    "misdirected": (whole(Grade.VERBATIM, None, fate=Fate.MISDIRECTED, said="guest"), ("lost", None, WHY)),
    "unread": (whole(Grade.PLACED, "x", fate=Fate.UNREAD, said="we need it"), ("unread", "we need it", WHY)),
    "not carried": (whole(Grade.VERBATIM, None, fate=Fate.NOT_CARRIED), ("lost", None, WHY)),
    "unproven, read": (whole(Grade.WEAK, "why", undecided=True), ("weak", "some words", "why")),
    "passed on": (whole(Grade.LOST, "gone", passed_on=True), ("not judged", "some words", WHY)),
    "undecided, lost": (whole(Grade.LOST, "gone", undecided=True), ("unread", "some words", WHY)),
    "undecided, unread": (whole(Grade.UNREAD, "dark", undecided=True), ("unread", "some words", WHY)),
    "unproven, unread": (whole(Grade.UNREAD, "dark"), ("unread", "some words", f"dark; {WHY}")),
    "unproven, unread without a reason": (whole(Grade.UNREAD, None), ("unread", "some words", WHY)),
    "unproven, lost": (whole(Grade.LOST, "gone"), ("lost", "some words", "gone")),
    "not judged, unread": (whole(Grade.UNREAD, "dark", fate=Fate.NOT_JUDGED), ("unread", "some words", "dark")),
    "not judged, undecided": (
        whole(Grade.LOST, "x", fate=Fate.NOT_JUDGED, undecided=True),
        ("unread", "some words", WHY),
    ),
    "of another exchange": (
        whole(Grade.UNREAD, "dark", fate=Fate.PROVEN, exchange=2),
        ("unread", "some words", "dark"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_a_finding_after_an_experiment(name: str) -> None:
    """Grade, evidence and reason."""
    found, expected = CASES[name]
    assert found == expected


def test_the_words_of_a_proof() -> None:
    """They are written into reports."""
    assert [fate.value for fate in Fate] == [
        "proven",
        "reacts",
        "misdirected",
        "not carried",
        "unread",
        "unproven",
        "not judged",
    ]
    assert Proof("1", 1, 1, FINDING, Fate.UNPROVEN, WHY, passed_on=False, undecided=False) == PROOF
