"""A small part of `make kills`: killed sessions lose nothing, and overlapping ones do not mix."""

import pytest

from tools.killed_app import KINDS
from tools.kills import FAULTS, run


@pytest.mark.slow
def test_killed_and_overlapping_sessions() -> None:
    """One kill within each kind of app, and four pairs; the whole run has 200, runs of pytest among them, and 50."""
    tallies = run(len(KINDS), 4, seed=1, kinds=KINDS)
    assert [tallies[kind]["kills"] for kind in KINDS] == [1] * len(KINDS)
    assert all(tallies[kind]["answered"] for kind in KINDS)
    assert tallies["pairs"]["pairs"] == 4
    assert {name for tally in tallies.values() for name in FAULTS if tally[name]} == set()
