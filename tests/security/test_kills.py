"""A small part of `make kills`: killed sessions lose nothing, and overlapping ones do not mix."""

import pytest

from tools.kills import run


@pytest.mark.slow
def test_killed_and_overlapping_sessions() -> None:
    """Six kills and four pairs; the whole run has 200 and 50."""
    tally = run(6, 4, seed=1)
    assert (tally["kills"], tally["pairs"]) == (6, 4)
    assert tally["answered"] > 0
    assert {name: tally[name] for name in ("missing", "bad", "foreign", "refused in other words")} == dict.fromkeys(
        ("missing", "bad", "foreign", "refused in other words"), 0
    )
