"""What the search asks, in which order, and what a step is told."""

from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.frame import BEST, CBJ, DFS, Policy, luby
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import Edge
from pytest_planguard.plan_search.step import Failure, SearchConfig, Step, StepBudget

from ..pipelines import NAMES, Scripted, verdict

ROOMY = (StepBudget(4, 9),) * 4
BACK3: dict[str, object] = {"blame": tuple(BlameRule(f"back{n}", n) for n in range(4)), "escalates": False}


def asked(script: dict[str, list[str]], policy: Policy, **options: object) -> str:
    """The steps asked, one letter each."""
    scripted = Scripted(script, ROOMY)
    search(scripted.steps, SearchConfig(**BACK3, **options), policy)  # type: ignore[arg-type]
    return "".join(scripted.asked)


def test_blame_jumps_over_the_steps_between() -> None:
    """A plan that blames the analysis goes back to it at once; depth first would ask the plan again."""
    script = {"g_plan": ["back3", "ok"]}
    assert asked(script, Policy("cbj", CBJ)) == "arsparsp"
    assert asked(script, Policy("dfs", DFS)) == "arspp"
    assert asked(script, Policy("blind", DFS, blame=False)) == "arspp"


def test_blame_never_prunes() -> None:
    """Where the blamed step has no answers left, the subtree that is to blame is searched all the same."""
    scripted = Scripted({"g_plan": ["back3"]}, (StepBudget(1, 0), StepBudget(1, 0), StepBudget(1, 0), StepBudget(3, 0)))
    search(scripted.steps, SearchConfig(**BACK3))
    assert "".join(scripted.asked) == "arsppp"


def test_best_first_takes_the_better_strategy() -> None:
    """The second strategy has the better score; when the plan blames it once, the first one's turn has come."""

    def score(of: object) -> float:
        return {"low": 0.1, "high": 1.0}[getattr(of, "text", "").split()[0]]

    answers = iter(["low 1", "high 2"])
    strategy = Step("s", lambda _: next(answers), lambda path, text: verdict(text), StepBudget(2, 1), score)
    plans = Scripted({"p": ["back1", "back0", "back0", "back0"]}, (StepBudget(3, 0),), ("p",))
    search([strategy, *plans.steps], SearchConfig(**BACK3), Policy("best", BEST))
    paths = [context.path[0].answer for context in plans.contexts]
    assert paths == ["low 1", "high 2", "high 2", "high 2", "low 1", "low 1"]


def test_own_feedback_dies_with_the_prefix() -> None:
    """The second plan of one strategy is told of the first; the first plan of the next strategy of none."""
    scripted = Scripted({"g_plan": ["back0", "back1", "ok"]}, ROOMY)
    search(scripted.steps, SearchConfig(**BACK3))
    plans = [context for context in scripted.contexts if context.step == "g_plan"]
    assert [[failure.attempt for failure in context.own] for context in plans] == [[], [1], []]
    assert all(not context.downstream for context in plans)


def test_downstream_failures_go_to_the_step_that_is_blamed() -> None:
    """And to no other; the step is asked again, and told the path."""
    scripted = Scripted({"g_plan": ["back1", "back2", "ok"]}, ROOMY)
    search(scripted.steps, SearchConfig(**BACK3))
    assert "".join(scripted.asked) == "arspsprsp"
    told = {number: list(context.downstream) for number, context in enumerate(scripted.contexts) if context.downstream}
    assert sorted(told) == [4, 6]
    (failure,) = told[4]
    assert (failure.failed_step, failure.node) == ("g_plan", 4)
    assert [step for step, _ in failure.path] == list(NAMES)
    assert [finding.code for finding in failure.findings] == ["back1"]
    assert [finding.code for finding in told[6][0].findings] == ["back2"]


def test_the_history_survives_a_backtrack() -> None:
    """A strategy that failed its own guard, then passed and was blamed, is told both, in two channels."""
    scripted = Scripted({"g_strategy": ["back0", "ok"], "g_plan": ["back1", "back1", "ok"]}, ROOMY)
    search(scripted.steps, SearchConfig(**BACK3))
    strategies = [context for context in scripted.contexts if context.step == "g_strategy"]
    assert [(len(context.own), len(context.downstream)) for context in strategies] == [(0, 0), (1, 0), (1, 1), (1, 2)]
    assert [context.previous for context in strategies] == [None, 3, 4, 6]


def test_the_channels_can_be_switched_off_and_cut() -> None:
    """Open question 9.4 of the design: without downstream feedback, and with the last failures only."""
    script = {"g_plan": ["back0", "back0", "back1", "back1", "ok"]}
    for policy, window, told in (
        (Policy(), None, [2, 2]),
        (Policy(), 1, [1, 1]),
        (Policy(downstream=False), None, [2, 0]),
        (Policy(own=False), None, [0, 2]),
    ):
        scripted = Scripted(script, ROOMY)
        search(scripted.steps, SearchConfig(**BACK3, feedback_window=window), policy)
        assert [max(len(c.own) for c in scripted.contexts), max(len(c.downstream) for c in scripted.contexts)] == told


def test_what_lies_below_a_changed_answer_is_asked_again() -> None:
    """After the recon changed, strategy and plan are asked with the new path, as the first of their prefix."""
    scripted = Scripted({"g_plan": ["back2", "ok"]}, ROOMY)
    result = search(scripted.steps, SearchConfig(**BACK3))
    assert "".join(scripted.asked) == "arsprsp"
    assert [context.path[1].answer for context in scripted.contexts[2:] if len(context.path) > 1] == [
        "ok 2", "ok 2", "ok 5", "ok 5",
    ]  # fmt: skip
    assert [node.edge for node in result.tree.nodes] == [Edge.FORWARD] * 4 + [Edge.BACKTRACK] + [Edge.FORWARD] * 2
    assert result.tree.nodes[4].previous_attempt_id == 2
    assert len({node.key.prefix for node in result.tree.nodes if node.step == "g_plan"}) == 2


def test_a_repeated_answer_is_not_judged_and_leads_one_step_further_back() -> None:
    """It is a call, its guard is not run, and each repetition goes one level further."""
    scripted = Scripted({"g_plan": ["back1", "ok"], "g_strategy": ["same"]}, ROOMY)
    result = search(scripted.steps, SearchConfig(**BACK3))
    repeated = result.tree.nodes[4]
    assert (repeated.step, repeated.duplicate, repeated.passed, repeated.blamed) == ("g_strategy", True, False, 1)
    assert [finding.code for finding in repeated.findings] == ["duplicate-artifact"]
    assert repeated.findings[0].message == "the answer repeats an earlier one that led nowhere; give a different one"
    assert "".join(scripted.asked) == "arspsrsp"


def test_a_classifier_is_asked_before_the_table_and_counts() -> None:
    """Its opinion wins, None leaves it to the table, and no call is left at the end of the budget."""
    seen: list[Failure] = []

    def classify(failure: Failure) -> int | None:
        seen.append(failure)
        return 3 if len(seen) == 1 else None

    scripted = Scripted({"g_plan": ["back1", "back2", "ok"]}, ROOMY)
    result = search(scripted.steps, SearchConfig(**BACK3, classify=classify))
    assert "".join(scripted.asked) == "arsparsprsp"
    assert (result.total_calls, result.classify_calls) == (13, 2)
    assert (seen[0].step, seen[0].attempt, len(seen[0].path)) == ("g_plan", 1, 3)
    assert [finding.code for finding in seen[0].findings] == ["back1"]
    short = search(Scripted({"g_plan": ["back0"]}).steps, SearchConfig(max_total_calls=4, classify=classify))
    assert (short.total_calls, short.classify_calls) == (4, 0)


def test_broadening_and_deepening() -> None:
    """One answer to each prefix first, or no reopening first; nothing is asked twice."""
    script = {"g_plan": ["back0"]}
    assert asked(script, Policy("broadening", grow="children"), max_total_calls=8) == "arsppspp"
    assert asked(script, Policy("deepening", grow="reopenings"), max_total_calls=13) == "arsppppsppppr"


def test_restarts() -> None:
    """After 4 · luby(r) calls the search begins again at the first step, without feedback."""
    scripted = Scripted({"g_plan": ["back0"]}, ROOMY)
    result = search(scripted.steps, SearchConfig(max_total_calls=16, **BACK3), Policy("restarts", restart_after=4))  # type: ignore[arg-type]
    assert "".join(scripted.asked) == "arsparsparspppps"
    assert result.reopenings["g_analysis"] == 2
    assert not any(context.own for context in scripted.contexts if context.step != "g_plan")


def test_lubys_sequence() -> None:
    """The first fifteen terms."""
    assert [luby(n) for n in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_budgets_of_the_configuration_replace_those_of_the_steps() -> None:
    """By name; the others stay."""
    scripted = Scripted({"g_plan": ["back0"]}, ROOMY)
    config = SearchConfig(step_budgets={"g_plan": StepBudget(2, 0)}, max_total_calls=5)
    result = search(scripted.steps, config)
    assert result.calls_by_step["g_plan"] == 2
    assert {context.max_attempts for context in scripted.contexts} == {4, 2}


def test_the_best_failed_path() -> None:
    """The deepest one; among those the answer with the fewest findings, then the earliest."""
    plans = iter([3, 1, 1])

    def guard(_: object, answer: str) -> object:
        from ..pipelines import finding

        return verdict(answer, *(finding("x", n) for n in range(next(plans))))

    first = Scripted({}).steps[0]
    step = Step("g_plan", lambda context: str(context.attempt), guard, StepBudget(3, 0))  # type: ignore[arg-type]
    result = search([first, step], SearchConfig(escalates=False, max_total_calls=4))
    assert [(node.step, node.answer) for node in result.path] == [("g_analysis", "ok 1"), ("g_plan", "2")]
