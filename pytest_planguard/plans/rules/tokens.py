"""Rules about plans whose steps need and give tokens (preconditions and effects). No step removes a token.

A step may rely only on tokens that its ancestors in the dependency graph give, not on tokens of earlier steps in the
list. So list order does not matter, and a polynomial check covers every order of execution.
"""

from collections.abc import Iterator
from itertools import islice

from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..index import PlanIndex
from ..plan import NOWHERE, Plan, Ref, Task
from .rule import Hit, Rules

RULES = Rules()


def _known(plan: Plan) -> set[str]:
    """Return the tokens of the initial state, and those that some task gives."""
    return {token.name for tokens in (plan.start or (), *(task.gives for task in plan.tasks)) for token in tokens}


_MAKERS_NAMED = 5  # maximum number of steps that provide a token to name in a message


def _unmet(plan: Plan, index: PlanIndex) -> Iterator[tuple[Task, Ref, list[Task]]]:
    """Yield each needed token that no ancestor of the task gives, with the first of the other tasks that give it."""
    if index.cyclic or not (plan.traits.tokens or plan.start is not None or plan.goals is not None):
        return
    start = {token.name for token in plan.start or ()}
    givers: dict[str, dict[str, Task]] = {}  # by token and key
    for task in plan.tasks:
        for token in task.gives:
            givers.setdefault(token.name, {}).setdefault(task.key, task)
    nodes = {name: {index.node[key] for key in by_key if key in index.node} for name, by_key in givers.items()}
    floors = {name: index.reach.floor(found) for name, found in nodes.items()}
    for task in plan.tasks:
        for token in task.needs:
            found = nodes.get(token.name, set())
            if token.name not in start and not _has_ancestor(index, task, found, floors.get(token.name, 0)):
                makers = (maker for key, maker in givers.get(token.name, {}).items() if key != task.key)
                yield task, token, [*islice(makers, _MAKERS_NAMED)]


def _has_ancestor(index: PlanIndex, task: Task, makers: set[int], floor: int) -> bool:
    """Return True if a task depends on one of the nodes that give a token. It may be one of them itself."""
    node = index.node.get(task.key)
    if node is None or makers <= {node}:
        return False
    if not makers.isdisjoint(index.graph[node]):  # usually the step depends directly on a step that gives the token
        return True
    # the graph has no cycle, so the search never arrives at the node that it starts from
    return bool(index.reach.from_any([node], makers, floor)) or index.reach.spent


@RULES.add(
    Severity.RETRY,
    "A step needs `tested`, but no step provides it.",
    "Correct the token, or add a step that provides it.",
)
def pre_satisfied(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Every precondition is in the initial state or an effect of some step."""
    missing = [(task, token) for task, token, makers in _unmet(plan, index) if not makers]
    tokens = _known(plan) if missing else set()
    for task, token in missing:
        message = f"{task.key} needs {as_json(token.name)}, which no step provides"
        expected = "a token of the initial state, or an effect of an earlier step"
        yield Hit(token.place, message, expected, as_json(token.name), near=(token.name, tokens))


@RULES.add(
    Severity.RETRY, "Step 2 needs `generated` from step 1, but does not depend on step 1.", "Add the dependency."
)
def race(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A precondition comes from the initial state, or from a step that this step depends on, even through others.

    The order of the list doesn't matter.
    """
    for task, token, makers in _unmet(plan, index):
        if makers:
            names = ", ".join(maker.key for maker in makers)
            message = f"{task.key} needs {as_json(token.name)} from {names}, but does not depend on it"
            related = tuple((f"{maker.key} provides it", maker.place) for maker in makers)
            hint = f"add {makers[0].key} to the dependencies of {task.key}"
            yield Hit(token.place, message, f"a dependency on {names}", as_json(token.name), hint, related)


@RULES.add(Severity.RETRY, "The goal is `deployed`, but no step provides it.", "Correct the token, or add the step.")
def goal_reachable(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Every token of the goal is in the initial state or an effect of some step."""
    if plan.goals is None and plan.traits.tokens:
        yield Hit(NOWHERE, "the plan does not state its goal: what must be true at the end", "goal_state")
    if plan.goals is None or index.cyclic:
        return
    known = _known(plan)
    for token in plan.goals:
        if token.name not in known:
            message = f"no step provides {as_json(token.name)}, which the goal requires"
            yield Hit(token.place, message, "an effect of a step", as_json(token.name), near=(token.name, known))


@RULES.add(Severity.WARN, "A step without effects that no other step depends on.", "Remove the step, or connect it.")
def useless_step(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Every step provides something that the goal or another step needs, or another step depends on it."""
    if plan.goals is None:
        return
    wanted = {token.name for token in plan.goals}
    wanted.update(token.name for task in plan.tasks for token in task.needs)
    waited_for = {edge.target for _, edge in index.edges}
    for task in plan.tasks:
        if not any(token.name in wanted for token in task.gives) and task.key not in waited_for:
            message = f"{task.key} provides nothing that the goal or another step needs"
            yield Hit(task.place, message, "an effect that is needed, or a step that depends on it", None)


@RULES.add(
    Severity.WARN, "`total_retry_budget: 10`, and the steps have 3, 4 and 5.", "Raise the total, or lower the others."
)
def budget_sum(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """The retry budgets of the steps add up to no more than the budget of the plan."""
    if plan.budget is None:
        return
    total = sum(task.budget for task in plan.tasks if task.budget is not None)
    if total > plan.budget:
        message = f"the steps may take {total} attempts, but the plan allows {plan.budget}"
        yield Hit(NOWHERE.sub("total_retry_budget"), message, f"at least {total}", str(plan.budget))
