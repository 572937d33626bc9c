"""Each reason for which a search ends, with a scripted case, and the order in which they are given."""

import pytest

from pytest_planguard.errors import NoRecordedAnswer, UsageError
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.context import StepContext
from pytest_planguard.plan_search.frame import BFS, DFS, Policy
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import StepError, TerminationReason
from pytest_planguard.plan_search.step import SearchConfig, Step, StepBudget

from ..pipelines import BUDGETS, NAMES, Scripted, verdict

FAILS = {"g_plan": ["x"]}
ONE = (StepBudget(1, 0),) * 4
UNBOUND = SearchConfig(max_total_calls=1_000, escalates=False)


def test_success() -> None:
    """The straight way takes one call a step."""
    scripted = Scripted({})
    result = search(scripted.steps)
    assert (result.succeeded, result.termination_reason) == (True, TerminationReason.SUCCESS)
    assert (result.total_calls, result.bound_by) == (4, ())
    assert [node.step for node in result.path] == list(NAMES)


def test_the_common_case_takes_six_calls() -> None:
    """The plan blames the strategy, and passes on the second strategy: A, R, S, P, S, P."""
    scripted = Scripted({"g_plan": ["goal-reachable", "ok"]})
    result = search(scripted.steps)
    assert scripted.asked == list("arspsp")
    assert (result.succeeded, result.total_calls) == (True, 6)
    assert [node.number for node in result.path] == [1, 2, 5, 6]


def test_the_ceiling_of_all_calls() -> None:
    """The worked example stops at 30 calls, whatever it would take."""
    result = search(Scripted(FAILS).steps)
    assert (result.total_calls, result.termination_reason) == (30, TerminationReason.BUDGET_EXHAUSTED)
    assert result.bound_by[0] == "max_total_calls"


def test_the_backtrack_ceiling() -> None:
    """Steps before the last one have answers left, and no reopenings."""
    result = search(Scripted(FAILS).steps, UNBOUND)
    assert result.termination_reason is TerminationReason.BACKTRACK_CEILING
    assert result.bound_by == ("backtrack_budget of g_strategy",)
    budgets = (StepBudget(2, 0), StepBudget(1, 0), StepBudget(1, 0), StepBudget(1, 0))
    result = search(Scripted(FAILS, budgets).steps, UNBOUND)
    assert (result.termination_reason, result.total_calls) == (TerminationReason.BACKTRACK_CEILING, 4)
    assert result.bound_by == ("backtrack_budget of g_analysis",)


def test_the_worst_case_is_reached() -> None:
    """35 calls: the fourth strategy fails its own guard once, so that it needs no reopening for its second answer."""
    scripted = Scripted({**FAILS, "g_strategy": ["ok"] * 6 + ["x", "ok"]}, BUDGETS)
    result = search(scripted.steps, UNBOUND, Policy("blind", DFS, blame=False))
    assert result.total_calls == 35
    assert result.calls_by_step == {"g_analysis": 2, "g_recon": 4, "g_strategy": 8, "g_plan": 21}
    assert result.reopenings == {"g_analysis": 1, "g_recon": 2, "g_strategy": 3, "g_plan": 0}


def test_the_step_ceiling() -> None:
    """A step has answers left for its prefix, and no calls."""
    budgets = (*ONE[:3], StepBudget(5, 0, calls=2))
    result = search(Scripted(FAILS, budgets).steps, UNBOUND)
    assert (result.termination_reason, result.total_calls) == (TerminationReason.STEP_CEILING, 5)
    assert result.bound_by == ("calls of g_plan",)


def test_all_pruned() -> None:
    """Every answer of every open prefix was given."""
    result = search(Scripted(FAILS, ONE).steps, UNBOUND)
    assert (result.termination_reason, result.total_calls) == (TerminationReason.ALL_PRUNED, 4)
    assert result.bound_by == ()


def test_all_pruned_at_the_last_call() -> None:
    """More calls would not help, so the total is not what bound."""
    result = search(Scripted(FAILS, ONE).steps, SearchConfig(max_total_calls=4))
    assert result.termination_reason is TerminationReason.ALL_PRUNED


def test_gave_up() -> None:
    """Blame of -1 ends the search at once, with budget left."""
    config = SearchConfig(blame=(BlameRule("x", -1),))
    result = search(Scripted(FAILS).steps, config)
    assert (result.termination_reason, result.total_calls) == (TerminationReason.GAVE_UP, 4)
    assert result.tree.nodes[-1].blamed is None
    at_the_end = search(Scripted(FAILS, ONE).steps, config)
    assert at_the_end.termination_reason is TerminationReason.ALL_PRUNED


def test_an_ask_that_raises() -> None:
    """The step is named, and the tree as far as it went is kept."""
    result = search(Scripted({"g_strategy": ["raise"]}).steps)
    assert result.termination_reason is TerminationReason.ERROR
    assert result.error == StepError("g_strategy", "ask", "RuntimeError: no connection")
    assert str(result.error) == "ask of step 'g_strategy' raised RuntimeError: no connection"
    assert [node.step for node in result.tree.nodes] == ["g_analysis", "g_recon"]
    assert (result.total_calls, [node.step for node in result.path]) == (3, ["g_analysis", "g_recon"])


def test_a_guard_that_raises() -> None:
    """As with an ask."""
    result = search(Scripted({"g_recon": ["guard-raises"]}).steps)
    assert str(result.error) == "guard of step 'g_recon' raised ValueError: broken guard"
    assert len(result.tree.nodes) == 1


def test_a_guard_without_a_verdict() -> None:
    """What it gave is named."""
    step = Step("only", lambda context: "text", lambda path, answer: True)  # type: ignore[arg-type,return-value]
    result = search([step])
    assert str(result.error) == "guard of step 'only' raised no verdict: got bool; return a Verdict"


def test_an_answer_that_is_no_data() -> None:
    """The ask is to blame."""
    result = search([Step("only", lambda context: object(), lambda path, answer: verdict(answer))])
    assert str(result.error).startswith("ask of step 'only' raised UsageError: ask (")
    assert str(result.error).endswith("parsed value, or the response of an SDK")
    assert "returned object, which is not an answer" in str(result.error)


def test_a_classifier_and_a_score_that_raise() -> None:
    """Both are named apart from the guard."""

    def breaks(_: object) -> int:
        raise LookupError("no model")

    result = search(Scripted(FAILS).steps, SearchConfig(classify=breaks))
    assert str(result.error) == "classify of step 'g_plan' raised LookupError: no model"
    step = Step("only", lambda context: "text", lambda path, answer: verdict(answer), score=breaks)
    assert str(search([step]).error) == "score of step 'only' raised LookupError: no model"


def test_an_interrupt_passes_through() -> None:
    """A person who stops a search gets it stopped."""

    def interrupted(_: StepContext) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search([Step("only", interrupted, lambda path, answer: verdict(answer))])


def _unrecorded(_: StepContext) -> str:
    raise NoRecordedAnswer("not there")


def test_censored() -> None:
    """A call that no cassette has is no failure and no call."""
    steps = Scripted({}).steps
    result = search([*steps[:3], Step("g_plan", _unrecorded, steps[3].guard)], UNBOUND)
    assert result.termination_reason is TerminationReason.CENSORED
    assert not result.succeeded
    assert result.misses > 0
    assert result.calls_by_step["g_plan"] == 0


def test_a_success_beside_a_censored_branch() -> None:
    """A missing branch ends alone; what else is open goes on."""
    asked = []

    def ask(context: StepContext) -> str:
        asked.append(context.path[-1].answer)
        if len(asked) == 1:
            raise NoRecordedAnswer("not there")
        return "ok"

    steps = Scripted({}).steps
    result = search([*steps[:3], Step("g_plan", ask, steps[3].guard)])
    assert (result.succeeded, result.misses, result.miss_rate) == (True, 1, 1 / 6)
    assert asked == ["ok 3", "ok 4"]


def test_a_total_that_ends_a_search_with_misses() -> None:
    """Something else was open: the total bound, and the misses are told."""
    steps = Scripted({}).steps
    result = search([*steps[:3], Step("g_plan", _unrecorded, steps[3].guard)], SearchConfig(max_total_calls=4))
    assert (result.termination_reason, result.misses) == (TerminationReason.BUDGET_EXHAUSTED, 1)


def test_no_calls_at_all() -> None:
    """A total of 0 asks nothing."""
    scripted = Scripted({})
    result = search(scripted.steps, SearchConfig(max_total_calls=0))
    assert (result.termination_reason, result.path) == (TerminationReason.BUDGET_EXHAUSTED, ())
    assert scripted.asked == []


def test_a_beam_says_that_it_dropped_prefixes() -> None:
    """All pruned is then no word about the problem."""
    budgets = (StepBudget(3, 9),) * 4
    result = search(Scripted(FAILS, budgets).steps, UNBOUND, Policy("beam", BFS, blame=False, width=1))
    assert (result.termination_reason, result.bound_by) == (TerminationReason.ALL_PRUNED, ("policy beam",))
    assert result.total_calls == 12


def test_bad_input() -> None:
    """Each message says what to do."""
    step = Scripted({}).steps[0]
    with pytest.raises(UsageError, match=r"^a search needs at least one step: got none; pass the steps of the pip"):
        search([])
    with pytest.raises(UsageError, match=r"^the names of steps must differ: got 'g_analysis' twice; rename one$"):
        search([step, step])
    with pytest.raises(UsageError, match=r"^max_total_calls must be at least 0: got -1; raise it$"):
        SearchConfig(max_total_calls=-1)
    with pytest.raises(UsageError, match=r"^feedback_window must be at least 1: got 0; raise it$"):
        SearchConfig(feedback_window=0)
    with pytest.raises(
        UsageError, match=r"^step_budgets has a budget for 'g_plam', which is not a step of the pipeline"
    ):
        search([step], SearchConfig(step_budgets={"g_plam": StepBudget()}))
    with pytest.raises(UsageError, match=r"^width of policy 'p' must be at least 1: got 0; raise it$"):
        Policy("p", width=0)
    levelled = Step("only", step.ask, {"minimal": step.guard})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match=r"^step 'only' has no guard of level 'medium'; its levels: minimal$"):
        search([levelled])
    assert search([levelled], SearchConfig(target_guard_level="minimal")).succeeded
