"""The policies by name, and what the control strategies make of a pipeline."""

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.step import SearchConfig, StepBudget
from pytest_planguard.plan_search.strategies import STRATEGIES, strategy_named

from ..support.one_item import in_one_item
from .pipelines import Scripted

CONFIG = SearchConfig(blame=(BlameRule("x", 2),), escalates=False, max_total_calls=10)
BUDGETS = (StepBudget(2, 3),) * 4
FIRST_CALLS = {
    "dfs": "arsppspprs",
    "cbj": "arsprspars",
    "best": "arsprspars",
    "beam": "aarrrrssss",
    "broadening": "arsprspars",
    "deepening": "arspprspar",
    "restarts": "arsprspars",
    "single": "p",
    "classify-then-plan": "ap",
    "full": "arsp",
    "retry_last": "arsppppppp",
    "blind": "arsppspprs",
    "blind_resample": "arsparspar",
}


@in_one_item
@pytest.mark.parametrize("name", STRATEGIES)
def test_the_first_calls_of_each_policy(name: str) -> None:
    """On a plan that always blames the recon."""
    scripted = Scripted({"g_plan": ["x"]}, BUDGETS)
    result = STRATEGIES[name].run(scripted.steps, CONFIG)
    assert "".join(scripted.asked) == FIRST_CALLS[name]
    assert (result.policy, result.total_calls <= 10) == (name, True)


def test_a_failing_step_ends_an_arm_without_retries() -> None:
    """Only the last step is asked again by retry_last; nothing is by full."""
    for name, asked in (("full", "ar"), ("retry_last", "ar"), ("blind_resample", "arararararar"[:10])):
        scripted = Scripted({"g_recon": ["x"]}, BUDGETS)
        STRATEGIES[name].run(scripted.steps, CONFIG)
        assert "".join(scripted.asked) == asked


def test_what_the_arms_tell() -> None:
    """Resampling tells nothing, blind search only a step's own failures."""
    told = {}
    for name in STRATEGIES:
        scripted = Scripted({"g_plan": ["y", "x"]}, BUDGETS)
        STRATEGIES[name].run(scripted.steps, CONFIG)
        told[name] = (any(c.own for c in scripted.contexts), any(c.downstream for c in scripted.contexts))
    assert told["blind_resample"] == (False, False)
    assert told["blind"] == told["retry_last"] == (True, False)
    assert told["cbj"] == told["dfs"] == (True, True)


def test_budgets_of_the_configuration_reach_an_arm() -> None:
    """Also where it runs fewer steps."""
    config = SearchConfig(step_budgets={"g_analysis": StepBudget(1, 0)}, blame=CONFIG.blame, escalates=CONFIG.escalates)
    assert STRATEGIES["single"].run(Scripted({}, BUDGETS).steps, config).total_calls == 1
    assert STRATEGIES["cbj"].run(Scripted({"g_plan": ["x"]}, BUDGETS).steps, config).calls_by_step["g_analysis"] == 1


def test_an_unknown_policy() -> None:
    """The nearest name is offered."""
    assert strategy_named("cbj") is STRATEGIES["cbj"]
    with pytest.raises(UsageError, match=r"^unknown policy 'cjb'\. Did you mean 'cbj'\? Policies: dfs, cbj, best"):
        strategy_named("cjb")


def test_controls_are_marked() -> None:
    """Those of the plan-search design and its critique."""
    assert [strategy.name for strategy in STRATEGIES.values() if strategy.control] == [
        "single", "classify-then-plan", "full", "retry_last", "blind", "blind_resample",
    ]  # fmt: skip
