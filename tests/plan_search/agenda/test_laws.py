"""The laws of the search, under adversarial guards and blame."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.plan_search.frame import BEST, BFS, CBJ, DFS, Policy
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import Edge, SearchResult, TerminationReason
from pytest_planguard.plan_search.step import SearchConfig, StepBudget

from ..bounds import worst_case
from ..pipelines import Adversary, World

MANY = 8 * settings.default.max_examples  # faults of these laws are rare among made-up inputs
BUDGETS = st.builds(StepBudget, st.integers(1, 4), st.integers(0, 4), st.none() | st.integers(0, 12))
POLICIES = st.builds(
    Policy,
    order=st.sampled_from([CBJ, DFS, BEST]),
    blame=st.booleans(),
    own=st.booleans(),
    downstream=st.booleans(),
    grow=st.sampled_from([None, None, "children", "reopenings"]),
    restart_after=st.none() | st.integers(1, 6),
) | st.builds(Policy, order=st.just(BFS), width=st.integers(1, 3))


def check_budgets(result: SearchResult, adversary: Adversary, budgets: list[StepBudget], total: int) -> None:
    """No budget is passed, and what is counted is what was asked."""
    assert result.total_calls == len(adversary.asked) + adversary.classified <= total
    assert result.classify_calls == adversary.classified
    calls, reopenings = list(result.calls_by_step.values()), list(result.reopenings.values())
    assert sum(calls) == len(adversary.asked) <= worst_case(budgets)
    for level, budget in enumerate(budgets):
        assert calls[level] <= (budget.calls if budget.calls is not None else total)
        assert reopenings[level] <= budget.backtrack_budget
        assert calls[level] <= budget.rmax * (1 + sum(reopenings[:level]))
        assert all(node.index < budget.rmax for node in result.tree.nodes if node.level == level)


def check_success(result: SearchResult, count: int) -> None:
    """A success has a whole path of answers that passed; without one the tree holds no such path."""
    whole = [node for node in result.tree.nodes if node.level == count - 1 and node.passed]
    assert result.succeeded == bool(whole) == (result.termination_reason is TerminationReason.SUCCESS)
    if result.succeeded:
        assert [node.level for node in result.path] == list(range(count))
        assert all(node.passed for node in result.path)
    for node in result.path[:-1]:
        assert node.passed


def check_tree(result: SearchResult) -> None:
    """Each answer follows on one that passed, and knows the one before it."""
    for place, node in enumerate(result.tree.nodes):
        assert node.number == place + 1
        parent = result.tree.nodes[node.parent - 1] if node.parent else None
        assert node.level == (parent.level + 1 if parent else 0)
        assert parent is None or (parent.passed and parent.number < node.number)
        assert (node.previous_attempt_id is None) == (node.index == 0) == (node.edge is Edge.FORWARD)
        if node.previous_attempt_id is not None:
            before = result.tree.nodes[node.previous_attempt_id - 1]
            assert (before.parent, before.index, before.level) == (node.parent, node.index - 1, node.level)
        assert node.blamed is None or 0 <= node.blamed <= node.level


@pytest.mark.slow
@settings(max_examples=MANY)
@given(
    seed=st.integers(0, 2**32),
    budgets=st.lists(BUDGETS, min_size=1, max_size=5),
    total=st.integers(0, 40),
    policy=POLICIES,
    classifies=st.booleans(),
    gives_up=st.booleans(),
)
def test_the_invariants(
    seed: int, budgets: list[StepBudget], total: int, policy: Policy, classifies: bool, gives_up: bool
) -> None:
    """The search ends within every budget, asks nothing twice, and succeeds exactly where every guard passed.

    The same answers and verdicts give the same result.
    """

    def searched() -> tuple[Adversary, SearchResult]:
        asked = Adversary(seed, budgets, gives_up=gives_up)
        classify = asked.classify if classifies else None
        return asked, search(
            asked.steps, SearchConfig(max_total_calls=total, **asked.going_back, classify=classify), policy
        )

    adversary, result = searched()
    assert searched()[1] == result
    check_budgets(result, adversary, budgets, total)
    check_success(result, len(budgets))
    check_tree(result)
    assert len(set(adversary.asked)) == len(adversary.asked)
    assert (result.termination_reason is TerminationReason.GAVE_UP) <= (gives_up and policy.blame)


@pytest.mark.slow
@settings(max_examples=MANY)
@given(seed=st.integers(0, 2**32))
def test_blame_in_coupled_worlds(seed: int) -> None:
    """Right blame never takes more calls than none, and wrong blame loses no solution; neither needs feedback."""
    world = World(seed)
    config = SearchConfig(max_total_calls=10**6, **world.going_back)
    blind = search(world.steps(), config, Policy("blind", DFS, blame=False))
    informed = search(world.steps(), config)
    assert blind.succeeded == informed.succeeded == world.solvable()
    if blind.succeeded:
        assert informed.total_calls <= blind.total_calls
    misled = search(World(seed, accuracy=0.5).steps(), config)
    assert misled.succeeded == blind.succeeded


@pytest.mark.slow
@settings(max_examples=MANY)
@given(seed=st.integers(0, 2**32), budgets=st.lists(BUDGETS, min_size=1, max_size=4), total=st.integers(0, 30))
def test_more_calls_only_continue_a_search(seed: int, budgets: list[StepBudget], total: int) -> None:
    """The tree within a smaller total is the beginning of the tree within a larger one."""
    trees = []
    for calls in (total, total + 7):
        adversary = Adversary(seed, budgets)
        result = search(adversary.steps, SearchConfig(max_total_calls=calls, **adversary.going_back))
        trees.append([replace(node, findings=()) for node in result.tree.nodes])
    assert trees[1][: len(trees[0])] == trees[0]
