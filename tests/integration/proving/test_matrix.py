"""A part of `python -m tools.apps_matrix`: every kind of app, with its errors and its words at one place each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tools.apps_matrix.project import feedback
from tools.apps_matrix.run import CANNOT_RUN, LOOPS, Result, cases, one_wording_each, run, table

from ...support.warm import run_module


@pytest.fixture(scope="module")
def results() -> list[Result]:
    """What came of them, recorded and replayed."""
    apps = one_wording_each(LOOPS)
    positions = list(feedback.POSITIONS)
    chosen = [case for case in apps if case[1] == positions[LOOPS.index(case[0]) % len(positions)]]
    recorded, replayed = run(chosen, start=run_module)
    return [*recorded, *replayed]


def named(wrong: Sequence[Result]) -> list[str]:
    """The cases with what their rows say, for a failure."""
    return ["; ".join(("-".join(result.case), *result.failed, *result.reasons)) for result in wrong]


def test_no_right_app_is_red(results: list[Result]) -> None:
    """Whoever says what is wrong passes, in whatever words and by whatever loop."""
    right = [r for r in results if r.case[3] == "right"]
    assert len(right) == 2 * len(LOOPS)
    assert named([r for r in right if not r.passed]) == []


@pytest.mark.parametrize("variant", ["dropping", "constant"])
def test_no_lossy_app_is_green(variant: str, results: list[Result]) -> None:
    """Whoever leaves a finding out, or always says the same, fails, recorded and replayed."""
    lossy = [r for r in results if r.case[3] == variant]
    assert len(lossy) == 2 * len(LOOPS)
    assert named([r for r in lossy if r.passed]) == []


def test_nothing_stays_undecided(results: list[Result]) -> None:
    """Each finding is proven, lost, or read in its own words."""
    assert named([r for r in results if r.undecided]) == []


def test_a_fixture_of_the_project_leaves_it_to_reading() -> None:
    """Nobody said that it may be used twice: nothing is proven, and the reason names it."""
    recorded, _ = run(cases(CANNOT_RUN, ["middle"], ["chinese"], ["right"]), start=run_module)
    assert "proven" not in recorded[0].grades
    assert all("the fixture database" in reason for reason in recorded[0].reasons)
    assert any("the fixture database" in line or "wrong" in line for line in table(recorded))
