"""Each reason to end, each row of the blame table and each budget, replayed from a cassette."""

import json

import pytest

from pytest_planguard.plan_search.blame import DEFAULT_RULES
from pytest_planguard.plan_search.call_tape import CallTape
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import SearchResult, TerminationReason

from ...support.one_item import in_one_item
from .cases import BLAME, BUDGET, CASES, FOLDER, REASONS, path_of


def replayed(name: str) -> SearchResult:
    """The search of a case over its file."""
    case = CASES[name]
    tape = CallTape.read(json.loads(path_of(name).read_text("utf-8")))
    return search(tape.replay(case.steps()), case.config)


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_a_recorded_search_ends_as_told(name: str) -> None:
    """Its reason, its calls, their order, and what bound it."""
    case, result = CASES[name], replayed(name)
    assert (result.termination_reason.value, result.total_calls, result.bound_by[: len(case.bound)]) == (
        case.reason,
        case.calls,
        case.bound,
    )
    asked = "".join(node.step[2] for node in result.tree.nodes)
    assert asked.startswith(case.asked)
    assert case.asked in ("", asked)


def test_nothing_is_left_out() -> None:
    """Every reason, every default rule and the one about repeated failures, the four budgets; and no file too many."""
    assert list(REASONS) == [reason.value for reason in TerminationReason]
    assert len(BLAME) == len([rule for rule in DEFAULT_RULES if rule.code != "useless-step"]) + 1 == 8
    assert list(BUDGET) == ["rmax", "backtrack_budget", "calls", "max_total_calls"]
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name).name for name in CASES}


@pytest.mark.parametrize(
    ("name", "codes", "back"),
    [
        ("not parseable", ["invalid_json"], 0),
        ("retry_budget", ["root-shape"], 0),
        ("not satisfiable", ["pre-satisfied"], 1),
        ("goal unreachable", ["goal-reachable"], 1),
        ("total budget", ["budget-sum"], 1),
        ("dead end", ["race"], 2),
        ("too complex", ["exploration-cap"], 1),
        ("repeated", ["invalid_json"], 2),
    ],
)
def test_a_row_of_the_blame_table(name: str, codes: list[str], back: int) -> None:
    """The finding that the real guard gives, and how far the last failure leads back."""
    failed = [node for node in replayed(f"blame {name}").tree.nodes if not node.passed][-1]
    assert set(codes) <= {finding.code for finding in failed.findings}
    assert failed.levels_back == back


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_a_recording_is_what_the_script_says(name: str) -> None:
    """The files are those that `python -m tests.plan_search.recorded.cases` writes."""
    assert json.loads(path_of(name).read_text("utf-8")) == CASES[name].record().data()
