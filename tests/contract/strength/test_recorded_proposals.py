"""Contracts proposed from recordings of others accept the answers that they have not seen."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.strength.proposal import propose

from .recorded_examples import (
    SHARED,
    accepted,
    agreement,
    assessments,
    cassettes,
    kept_aside,
    run_module,
    tickets,
    with_schemas,
)

NEEDS = pytest.mark.skipif(not (SHARED / "recordings").is_dir(), reason="needs the cassettes in ../shared/data")


@NEEDS
def test_good_answers_kept_aside_are_accepted() -> None:
    """Of the local model's tickets and of the assessments: 95 % or more, learnt on every other one."""
    figures = [kept_aside(tickets()), kept_aside(assessments())]
    assert sum(number for _, number in figures) >= 28
    assert sum(others for others, _ in figures) >= 0.95 * sum(number for _, number in figures)


@pytest.mark.slow
@NEEDS
def test_fifty_recordings_give_modules_that_accept_their_answers() -> None:
    """And the types agree with the schemas of the requests, which were hidden."""
    counted = [(accepted(run_module(propose(answers).module), answers), len(answers)) for answers in cassettes(50)]
    assert len(counted) == 50
    assert all(good == number for good, number in counted)
    pairs = [agreement(schema, answers) for schema, answers in with_schemas(10)]
    assert len(pairs) == 10
    assert sum(agreed for agreed, _ in pairs) >= 0.9 * sum(known for _, known in pairs)
