"""Experiments: figures by hand, censored trials, paired comparisons."""

from collections.abc import Sequence
from itertools import count

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.call_tape import CallTape
from pytest_planguard.plan_search.experiment import Experiment, Problem, Trial, blame_outcomes, run_experiment
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.step import SearchConfig, Step, StepBudget
from pytest_planguard.plan_search.strategies import STRATEGIES

from .pipelines import Scripted

ROOMY = (StepBudget(4, 9),) * 4
TABLE: dict[str, object] = {"blame": tuple(BlameRule(f"back{n}", n) for n in range(4)), "escalates": False}
CONFIG = SearchConfig(**TABLE)


def trial(problem: str, policy: str, calls: int | None, number: int = 0, **more: object) -> Trial:
    """A trial that succeeded with so many calls; None for a failure after 30."""
    succeeded = calls is not None
    return Trial(
        problem, policy, number, succeeded, calls or 30, "success" if succeeded else "budget_exhausted", **more
    )  # type: ignore[arg-type]


HAND = Experiment((
    trial("a", "cbj", 4), trial("b", "cbj", 8, jumps=(1, 2)), trial("c", "cbj", None, jumps=(1,)), trial("d", "cbj", 6),
    trial("a", "full", 4), trial("b", "full", None), trial("c", "full", None), trial("d", "full", None),
))  # fmt: skip


@pytest.mark.parametrize(("budget", "within"), [(5, False), (6, True), (7, True)])
def test_a_budget_is_kept_by_as_many_calls(budget: int, within: bool) -> None:
    """Six calls are within six."""
    assert trial("a", "cbj", 6).within(budget) is within


def test_rates_within_budgets() -> None:
    """By hand, with Wilson's interval: 3 of 4 are within .3006 and .9544."""
    assert [HAND.epsilon("cbj", budget).hits for budget in (1, 5, 10, 20, 30)] == [0, 1, 3, 3, 3]
    share = HAND.epsilon("cbj", 10)
    assert share.value == 0.75
    assert [round(bound, 4) for bound in share.interval] == [0.3006, 0.9544]
    assert HAND.epsilon("nobody", 10).value is None


def test_calls_count_failures_as_the_whole_budget() -> None:
    """(4 + 8 + 30 + 6) / 4 = 12; within 5 calls (4 + 5 + 5 + 5) / 4 = 4.75."""
    assert HAND.mean_calls("cbj", 30) == 12
    assert HAND.mean_calls("cbj", 5) == 4.75
    assert HAND.mean_calls("nobody", 5) is None


def test_backtracks() -> None:
    """Two of four trials went back; once by two levels, twice by one."""
    assert HAND.backtrack_rate("cbj").value == 0.5
    assert HAND.depths("cbj") == {1: 2, 2: 1}


def test_a_paired_comparison() -> None:
    """Two problems better, none worse: a difference of one half, and no evidence."""
    delta = HAND.delta("cbj", "full", 30)
    assert delta is not None
    assert (delta.difference, delta.better, delta.worse, delta.problems) == (0.5, 2, 0, 4)
    assert (delta.p, delta.evidence) == (0.5, False)


def test_nine_of_fifty_pairs_are_evidence() -> None:
    """Intervals overlap, the paired test does not: p = .0039 for 0 against 9."""
    trials = [trial(str(n), "cbj", 5 if n < 37 else None) for n in range(50)]
    trials += [trial(str(n), "blind", 5 if n < 28 else None) for n in range(50)]
    experiment = Experiment(tuple(trials))
    delta = experiment.delta("cbj", "blind", 10)
    assert delta is not None
    assert (delta.better, delta.worse, round(delta.p, 4), delta.evidence) == (9, 0, 0.0039, True)
    ours, theirs = (experiment.epsilon(name, 10).interval for name in ("cbj", "blind"))
    assert [round(bound, 2) for bound in (*ours, *theirs)] == [0.6, 0.84, 0.42, 0.69]


def test_trials_of_one_problem_count_once() -> None:
    """By the sign of their difference."""
    trials = [trial("a", "cbj", 5, n) for n in range(10)] + [trial("a", "blind", None, n) for n in range(10)]
    delta = Experiment(tuple(trials)).delta("cbj", "blind", 10)
    assert delta is not None
    assert (delta.better, delta.problems, delta.p, delta.difference) == (1, 1, 1.0, 1.0)


def test_censored_trials() -> None:
    """They count nowhere else; above 5 % of unrecorded calls there is no comparison."""
    few = Experiment((*HAND.trials, trial("e", "cbj", None, misses=2)))
    assert (few.epsilon("cbj", 30).total, few.censored("cbj")) == (4, 1)
    assert round(few.miss_rate("cbj"), 4) == 0.025  # 2 of 80
    assert few.delta("cbj", "full", 30) is not None
    many = Experiment((*HAND.trials, trial("e", "cbj", None, misses=5)))
    assert many.miss_rate("cbj") > 0.05
    assert many.delta("cbj", "full", 30) is None
    assert many.delta("full", "cbj", 30) is None
    assert HAND.delta("cbj", "nobody", 30) is None


def test_categories() -> None:
    """Figures of the problems of one category."""
    trials = (trial("a", "cbj", 4, category="bug fix"), trial("b", "cbj", None, category="feature"))
    experiment = Experiment(trials)
    assert experiment.categories == ("bug fix", "feature")
    assert [experiment.of_category(name).epsilon("cbj", 30).value for name in experiment.categories] == [1.0, 0.0]


def test_whether_a_blame_was_right() -> None:
    """Right: the next answer of the blamed step let the failed step pass. Not counted: blame that nobody followed."""
    right = search(Scripted({"g_plan": ["back2", "ok"]}, ROOMY).steps, CONFIG)
    wrong = search(Scripted({"g_plan": ["back1", "back2", "ok"]}, ROOMY).steps, CONFIG)
    alone = search(Scripted({"g_plan": ["back1"]}, (StepBudget(1, 0),) * 4).steps, CONFIG)
    assert [blame_outcomes(result.tree) for result in (right, wrong, alone)] == [(1, 1), (2, 1), (0, 0)]


def problem(name: str, script: dict[str, list[str]], category: str = "") -> Problem:
    """A scripted problem."""

    def pipeline(_: int) -> Sequence[Step]:
        return Scripted(script, ROOMY).steps

    return Problem(name, pipeline, category)


def test_an_experiment_runs_everything() -> None:
    """Problems by policies by trials, in this order, with the time of the search alone."""
    ticks = count()
    problems = [problem("easy", {}, "bug fix"), problem("hard", {"g_plan": ["back2", "ok"]}, "feature")]
    strategies = [STRATEGIES["cbj"], STRATEGIES["full"]]
    experiment = run_experiment(problems, strategies, CONFIG, trials=2, clock=lambda: float(next(ticks)))
    assert [(t.problem, t.policy, t.number) for t in experiment.trials][:3] == [
        ("easy", "cbj", 0), ("easy", "cbj", 1), ("easy", "full", 0),
    ]  # fmt: skip
    assert len(experiment.trials) == 8
    assert experiment.policies == ("cbj", "full")
    assert experiment.epsilon("cbj", 30).value == 1.0
    assert experiment.epsilon("full", 30).value == 0.5
    assert experiment.blame_precision("cbj").value == 1.0
    assert experiment.calls_by_step("cbj") == {"g_analysis": 1.0, "g_recon": 1.5, "g_strategy": 1.5, "g_plan": 1.5}
    assert {t.planning_s for t in experiment.trials} == {1.0}
    assert {t.planning_s for t in run_experiment(problems, strategies, CONFIG).trials} == {None}


def test_an_experiment_over_a_tape() -> None:
    """What the tape lacks is censored."""
    live = search(Scripted({"g_plan": ["back2", "ok"]}, ROOMY).steps, CONFIG)
    tape = CallTape.of([live.tree])
    recorded = Problem("p", lambda _: tape.replay(Scripted({}, ROOMY).steps))
    experiment = run_experiment([recorded], ["cbj", STRATEGIES["blind"]], CONFIG)
    assert (experiment.censored("cbj"), experiment.censored("blind")) == (0, 1)
    assert experiment.delta("cbj", "blind", 30) is None


def test_experiments_that_cannot_be() -> None:
    """Two problems of one name, no trials, a misspelt policy."""
    with pytest.raises(UsageError, match=r"^the names of problems must differ: got 'a' twice; rename one$"):
        run_experiment([problem("a", {}), problem("a", {})], [STRATEGIES["cbj"]])
    with pytest.raises(UsageError, match=r"^an experiment needs at least one trial: got 0; raise it$"):
        run_experiment([], [], trials=0)
    with pytest.raises(UsageError, match=r"^unknown policy 'cjb'. Did you mean 'cbj'"):
        run_experiment([], ["cjb"])
