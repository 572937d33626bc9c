"""The table that decides what follows from the runs of an app."""

from __future__ import annotations

from itertools import product

import pytest

from pytest_planguard.retry.proof import ProofResult
from pytest_planguard.retry.proving.experiment import TABLE, Evidence, decide
from pytest_planguard.retry.proving.meaning import ELSEWHERE, Meaning
from pytest_planguard.retry.proving.moved_fault import Item
from pytest_planguard.retry.proving.request_diff import Difference

EVERY = [Evidence(*found) for found in product(Difference, Meaning, (None, *Item))]
GREEN = (ProofResult.PROVEN, ProofResult.REACTS)


def test_each_row_decides_something() -> None:
    """None stands behind another one that holds wherever it does."""
    deciding = {next(at for at, row in enumerate(TABLE) if row.holds(one)) for one in EVERY}
    assert deciding == {*range(len(TABLE))}


@pytest.mark.parametrize("change", [Difference.NONE, Difference.COUNT])
def test_no_words_are_a_loss(change: Difference) -> None:
    """Whatever else is known."""
    assert {decide(one) for one in EVERY if one.change is change} == {ProofResult.MISSING}


def test_who_tells_something_else_is_never_green() -> None:
    """Another place, problem or bound, or another item."""
    wrong = [one for one in EVERY if one.meaning in ELSEWHERE or one.item is Item.STRAYS]
    assert not {decide(one) for one in wrong} & {*GREEN}


def test_only_own_words_are_proven() -> None:
    """And never a number alone, unless it goes with the item."""
    proven = [one for one in EVERY if decide(one) is ProofResult.PROVEN]
    assert {one.meaning for one in proven} == {Meaning.OWN}
    assert all(one.change is Difference.WORDS or one.item is Item.FOLLOWS for one in proven)


def test_words_that_nobody_reads_react() -> None:
    """They are neither red nor a warning."""
    assert decide(Evidence(Difference.WORDS, Meaning.NOTHING)) is ProofResult.REACTS
