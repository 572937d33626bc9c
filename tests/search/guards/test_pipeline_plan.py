"""A pipeline as a plan that the plan rules judge."""

import pytest

from pytest_planguard import SearchConfig, level_guards, pipeline_plan

from ..pipelines import NAMES, Scripted


@pytest.mark.parametrize("level", ["minimal", "medium", "expansive"])
def test_a_pipeline_is_a_sound_plan(level: str) -> None:
    """On every level, with its own steps as the catalogue."""
    assert level_guards(NAMES)[level].check(pipeline_plan(Scripted({}).steps)).findings == ()


def test_budgets_that_do_not_fit() -> None:
    """Nine answers, one to each prefix at its budget, do not fit into eight calls; nine do."""
    guard = level_guards()["medium"]
    eight, nine = (pipeline_plan(Scripted({}).steps, SearchConfig(max_total_calls=n)) for n in (8, 9))
    assert [finding.code for finding in guard.check(eight).errors] == ["budget-sum"]
    assert guard.check(nine).ok


def test_steps_of_one_name() -> None:
    """The rule about ids finds what a search refuses."""
    steps = Scripted({}).steps
    assert "id-unique" in [f.code for f in level_guards()["minimal"].check(pipeline_plan([steps[0], steps[0]])).errors]
