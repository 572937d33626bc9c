"""What an experiment has shown, in the place of what was read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard import Contract
from pytest_planguard.retry.proof import Fate, Proof, by_proof
from pytest_planguard.retry.results import Carried, Grade

(FINDING,) = Contract(int).check('"x"').errors
PROOF = Proof("1", 1, 1, FINDING, Fate.UNPROVEN, "the app is not run again")


def settled(grade: Grade, proof: Proof) -> Carried:
    """What becomes of a finding that was read so."""
    (found,) = by_proof([Carried(FINDING, 1, grade, reason="nobody reads it")], 1, [proof])
    return found


@pytest.mark.parametrize("grade", list(Grade))
def test_what_the_app_does_outweighs_what_was_read(grade: Grade) -> None:
    """Both ways, whatever was read."""
    assert settled(grade, replace(PROOF, fate=Fate.PROVEN)).grade is Grade.PROVEN
    assert settled(grade, replace(PROOF, fate=Fate.NOT_CARRIED)).grade is Grade.LOST


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
