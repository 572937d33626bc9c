"""The ini value planguard_prices: what a case costs stands in its row."""

import json

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..projects import app, project, rows, run, script

TEST = """
@pytest.mark.planguard(TICKET)
def test_retry(planguard):
    planguard.converge(ask.plain, "the printer is on fire")
"""


def with_table(example: Example, table: object) -> Example:
    """The project with a table of prices."""
    return example.with_files(
        {"pytest.ini": "[pytest]\nplanguard_prices = ci/prices.json\n", "ci/prices.json": json.dumps(table)}
    )


def test_a_case_costs_what_the_projects_table_says(lookalike: Lookalike) -> None:
    """Tokens in and out of every attempt, each at its price; without a table the row has no cost."""
    us = {"provider": "us", "date": "2026-11-01", "source": "contract", "models": {"m": [1000, 10_000]}}
    example = with_table(app(TEST), {"planguard": "prices", "format": 1, "providers": [us]})
    recorded = run(example, script(lookalike), "-q", "--planguard-record=all").example
    (row,) = rows(recorded)
    assert row["cost"] == pytest.approx(0.162)
    (row,) = rows(run(recorded.without("pytest.ini"), lookalike, "-q").example)
    assert row["cost"] is None


def test_a_table_that_is_none_ends_the_run_before_any_test() -> None:
    """The message names the ini value and the file."""
    done = with_table(project("def test_a(): pass"), []).run_pytest("-q")
    assert done.returncode == 4
    assert "ini value planguard_prices: " in done.stderr
    assert "ci/prices.json: it is not a table of prices" in done.stderr
