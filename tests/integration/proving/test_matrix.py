"""A part of `python -m tools.apps_matrix`: every kind of app, with its errors and its words at one place each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tools.apps_matrix.project.app import feedback
from tools.apps_matrix.project.app.subjects import POSITIONS
from tools.apps_matrix.run import CANNOT_RUN, LOOPS, Case, Result, apps, run, versions

from ...support.nightly import drawn
from ...support.warm import run_module

TURNS = len(drawn(range(4), 4))
"""Broken versions of an app that are run, four at night: those that the loops before had least often."""


def chosen() -> list[Case]:
    """Return one position and wording of each loop, right and broken in some ways."""
    found, turns = [], Counter[str]()
    for number, loop in enumerate(LOOPS):
        mine = [app for app in apps(LOOPS) if app[0] == loop]
        right, *broken = versions(*mine[number % len(mine)])
        some = sorted(broken, key=lambda case: turns[case[4]])[:TURNS]
        turns.update(case[4] for case in some)
        found += [right, *some]
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def results() -> list[Result]:
    """What came of them, recorded and replayed."""
    recorded, replayed = run(chosen(), start=run_module)
    return [*recorded, *replayed]


def named(wrong: Sequence[Result]) -> list[str]:
    """The cases with what their rows say, for a failure."""
    return ["; ".join(("-".join(result.case), *result.failed, *result.reasons)) for result in wrong]


def test_every_version_has_its_turn() -> None:
    """Each broken version is run, and errors at every position are."""
    assert {case[4] for case in chosen()} == set(feedback.VERSIONS)
    assert {case[2] for case in chosen()} == set(POSITIONS)


def test_no_right_app_is_red(results: list[Result]) -> None:
    """Whoever says what is wrong passes, in whatever words and by whatever loop."""
    right = [r for r in results if r.version == "right"]
    assert len(right) == 2 * len(LOOPS)
    assert named([r for r in right if not r.passed]) == []


def test_no_lossy_app_is_green(results: list[Result]) -> None:
    """Whoever leaves a finding out, or says the same whatever is wrong, fails, recorded and replayed."""
    assert named([r for r in results if r.version in feedback.LOSSY and r.passed]) == []


def test_no_misdirected_app_is_green_if_its_words_hold_a_name(results: list[Result]) -> None:
    """Another field, another item, the errors of the answer before: whatever of it can be told by its words."""
    told = [r for r in results if r.version in ("wrong field", "wrong item", "stale") and r.names]
    assert named([r for r in told if r.passed]) == []


def test_free_words_that_say_something_else_prove_nothing(results: list[Result]) -> None:
    """Nobody can read them: the app reacts, and no more is claimed."""
    told = [r for r in results if r.version in feedback.WRONG and r.version != "stale" and not r.names]
    assert named([r for r in told if "proven" in r.grades]) == []


def test_nothing_stays_undecided(results: list[Result]) -> None:
    """Each finding of a right or lossy app is proven, reacted to, missing, or read in its own words."""
    assert named([r for r in results if r.undecided and r.version != "other rule"]) == []


def test_a_fixture_of_the_project_leaves_it_to_reading() -> None:
    """Nobody said that it may be used twice: nothing is proven, and the reason names it."""
    case = (*CANNOT_RUN, "stay", "middle", "chinese", "right")
    recorded, _ = run([case], start=run_module)
    assert "proven" not in recorded[0].grades
    assert all("the fixture database" in reason for reason in recorded[0].reasons)
