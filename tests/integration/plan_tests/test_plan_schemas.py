"""The schema of a plan format in plan-file tests and in the contracts of marked tests."""

from ...support.plans import EIGHT_ERRORS
from ...support.warm import WarmExample

MARKED = """
from pathlib import Path

import pytest

from pytest_planguard import Contract
from pytest_planguard.plans.judging.contract_rules import plan_rules

SPEC = Contract(None, name="spec", rules=plan_rules("autospec-spec"))


@pytest.mark.planguard(SPEC)
def test_spec(planguard):
    planguard.check(Path("specs/spec.yaml").read_text())


@pytest.mark.planguard(SPEC)
def test_file(planguard):
    planguard.check(Path("specs/spec.yaml"))
"""


def ini(words: str) -> str:
    """Settings of a project whose YAML plans are tests."""
    return f"[pytest]\nplanguard_plan_files = specs/*.yaml\nplanguard_plan_rules = {words}\n"


def test_plan_files_keep_the_schema_of_their_format():
    """Eight errors of a spec fail its test; `schema=off` leaves the schema out."""
    project = WarmExample({"pytest.ini": ini("autospec-spec"), "specs/spec.yaml": EIGHT_ERRORS})
    run = project.run_pytest()
    assert run.outcomes == {"failed": 1}
    assert "planguard: not a valid autospec-spec plan: 8 findings" in run.stdout
    without = WarmExample({"pytest.ini": ini("autospec-spec schema=off"), "specs/spec.yaml": EIGHT_ERRORS}).run_pytest()
    assert without.outcomes == {"passed": 1}


def test_marked_tests_keep_the_schema_of_their_contract():
    """An answer as text and as a file fails for the fields that are missing."""
    run = WarmExample({"specs/spec.yaml": EIGHT_ERRORS, "test_spec.py": MARKED}).run_pytest()
    assert run.outcomes == {"failed": 2}
    for word in ("requirements", "branch", "created", "as_a", "i_want", "so_that"):
        assert f"missing required field {word}" in run.stdout
