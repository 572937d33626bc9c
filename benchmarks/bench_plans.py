"""How much judging a plan costs, as ratios to the bare parse of its text. Run: python benchmarks/bench_plans.py.

Ratios of one process on one machine; absolute times mean nothing elsewhere. With networkx installed, its find_cycle is
compared too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median

import yaml
from markdown_it import MarkdownIt
from smoke import size

from pytest_planguard.plans.graph_algorithms import cycle_through, cyclic_components
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.plan import Edge, Plan, Task
from pytest_planguard.plans.rules.judge_plan import check_plan

LIMITS = {"yaml": 3.0, "markdown": 3.0, "json": 5.0}
"""What the ratio of a clean plan is meant to be at most."""
SMALL_JSON = 10.0
"""The same for JSON below 100 kB: there json.loads takes less than telling the format and asking every rule."""
YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SIZES = size((20, 3_000), (20,))
"""Tasks of a plan."""
CIRCLES = size((10_000, 100_000), (10, 100))
"""Tasks that wait for each other."""
ROUNDS, CHARACTERS = size((9, 300_000), (1, 1))
"""How often both sides of a ratio run, and how much text each of them reads in a round."""
BLOCKS = MarkdownIt("commonmark").disable(["inline", "text_join"])


def seconds(run: Callable[[], object], times: int = 1) -> float:
    """Seconds of processor time of one run, by so many."""
    start = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - start) / times


def best(run: Callable[[], object], repeat: int = 5) -> float:
    """Seconds of processor time of the fastest of several runs."""
    return min(seconds(run) for _ in range(repeat))


def in_turn(
    first: Callable[[], object], second: Callable[[], object], *, rounds: int = ROUNDS, each: tuple[int, int] = (1, 1)
) -> tuple[float, float, float, float]:
    """Run two things in turn, so that whatever else the machine does meets both.

    Args:
        first: what the other is compared with.
        second: the other.
        rounds: how often both run.
        each: how often each runs within a round.

    Returns:
        Seconds of the fastest first and second, the ratio of these, and the median of the ratios of the rounds.
    """
    pairs = [(seconds(first, each[0]), seconds(second, each[1])) for _ in range(rounds)]
    low, high = min(a for a, _ in pairs), min(b for _, b in pairs)
    return low, high, high / low, median(b / a for a, b in pairs)


def yaml_plan(tasks: int) -> str:
    """A clean autospec task list."""
    lines = ["tasks:", "  branch: b", "summary:", f"  total_tasks: {tasks}", "  total_phases: 1", "phases:"]
    lines += ["  - number: 1", "    title: Everything", "    tasks:"]
    for n in range(1, tasks + 1):
        lines += [f"      - id: T{n:04d}", f"        title: Write part {n} of the thing", "        status: Pending"]
        lines += ["        type: implementation", "        parallel: false", f"        file_path: src/part{n}.py"]
        lines += [f"        dependencies: [{f'T{n - 1:04d}' if n > 1 else ''}]"]
        lines += ["        acceptance_criteria:", f"          - part {n} is written", "          - it is tested"]
    return "\n".join(lines) + "\n"


def json_plan(tasks: int) -> str:
    """A clean Task Master file."""
    listed = [
        {
            "id": n,
            "title": f"Write part {n}",
            "description": "What it does and why it is needed, in a sentence or two.",
            "details": "How it is done, step by step, with what is known so far about the parts around it. " * 4,
            "testStrategy": "Run the tests of this part and those of the parts that use it.",
            "status": "pending",
            "priority": "medium",
            "dependencies": [n - 1] if n > 1 else [],
            "subtasks": [],
        }
        for n in range(1, tasks + 1)
    ]
    return json.dumps({"master": {"tasks": listed}}, indent=2)


def steps_plan(tasks: int) -> str:
    """A clean AtomicGuard plan in JSON."""
    steps = [
        {
            "step_id": f"s{n}",
            "name": f"Write part {n} of the thing and its tests",
            "generator": "code",
            "guard": "syntax",
            "retry_budget": 3,
            "preconditions": [f"p{n - 1}"] if n > 1 else [],
            "effects": [f"p{n}"],
            "dependencies": [f"s{n - 1}"] if n > 1 else [],
        }
        for n in range(1, tasks + 1)
    ]
    ends = {"initial_state": [], "goal_state": [f"p{tasks}"], "total_retry_budget": 3 * tasks}
    return json.dumps({"plan_id": "p", **ends, "steps": steps}, indent=2)


def two_sided_plan(tasks: int) -> str:
    """A clean task list of Claude Code, which states each dependency from both sides."""
    listed = [
        {
            "id": str(n),
            "subject": f"Write part {n} of the thing",
            "description": "What it does and why it is needed, in a sentence or two.",
            "status": "pending",
            "blocks": [str(n + 1)] if n < tasks else [],
            "blockedBy": [str(n - 1)] if n > 1 else [],
        }
        for n in range(1, tasks + 1)
    ]
    return json.dumps({"tasks": listed}, indent=2)


def dependencies_plan(tasks: int) -> str:
    """A clean list of PlanExe's dependencies, with their explanations."""
    listed = [
        {
            "dependent_task_id": f"task-{n:08d}-0000-4000-8000-000000000000",
            "depends_on_task_id_list": [f"task-{n - 1:08d}-0000-4000-8000-000000000000"],
            "depends_on_task_explanation_list": ["The part before it gives what this one builds on, with its tests."],
        }
        for n in range(2, tasks + 1)
    ]
    return json.dumps({"task_dependency_details": listed}, indent=2)


def markdown_plan(tasks: int) -> str:
    """A clean spec-kit task list."""
    lines = ["# Tasks: Everything", "", "## Phase 1: Everything", ""]
    lines += [f"- [ ] T{n:04d} [US1] Write part {n} of the thing in src/part{n}.py" for n in range(1, tasks + 1)]
    return "\n".join(lines) + "\n"


def ratio(name: str, text: str, bare: Callable[[str], object], path: str) -> None:
    """Print the cost of a clean plan as a multiple of its bare parse."""
    report = check_text(text, path=path)
    assert report.ok, report.findings[:3]
    each = max(1, CHARACTERS // len(text))
    parse, judge, low, middle = in_turn(lambda: bare(text), lambda: check_text(text, path=path), each=(each, each))
    size = f"{len(text) / 1000:,.0f} kB"
    syntax = path.rpartition(".")[2].replace("md", "markdown")
    limit = SMALL_JSON if syntax == "json" and len(text) < 100_000 else LIMITS[syntax]
    print(
        f"{name:<28} {size:>9}  parse {parse * 1000:8.2f} ms  judge {judge * 1000:8.2f} ms  "
        f"{low:5.2f}x, median {middle:5.2f}x (at most {limit:.0f}x)"
    )


def ring(tasks: int) -> Plan:
    """A plan whose tasks wait for each other in one circle."""
    names = [f"T{n}" for n in range(tasks)]
    following = [*names[1:], names[0]]
    return Plan("ring", tasks=tuple(Task(a, a, edges=(Edge(b, b),)) for a, b in zip(names, following, strict=True)))


def cycles() -> None:
    """Print the cost of 10,000 and 100,000 tasks with a circle."""
    small, large = map(ring, CIRCLES)
    one, ten, low, middle = in_turn(
        lambda: check_plan(small), lambda: check_plan(large), rounds=size(5, 1), each=(10, 1)
    )
    print(f"all rules, {CIRCLES[0]:7,} tasks in a circle {one:8.3f} s")
    print(f"all rules, {CIRCLES[1]:7,} tasks in a circle {ten:8.3f} s, {low:.1f}x, median {middle:.1f}x (at most 10x)")


def against_networkx(tasks: int = 1_000) -> None:
    """Compare with networkx on a plan whose tasks wait for the five before them and whose last two are a circle.

    Where the search happens to start on the circle, both find it at once.
    """
    try:
        import networkx as nx
    except ImportError:
        print("networkx is not installed: no comparison")
        return
    edges = [(n, m) for n in range(tasks) for m in range(max(0, n - 5), n)] + [(tasks - 2, tasks - 1)]
    graph: list[list[int]] = [[] for _ in range(tasks)]
    for a, b in edges:
        graph[a].append(b)
    theirs = nx.DiGraph(edges)

    def ours() -> list[int]:
        group = next(iter(cyclic_components(graph)))
        return cycle_through(graph.__getitem__, min(group))

    own, other = best(ours), best(lambda: nx.find_cycle(theirs), 3)
    print(
        f"a circle among {tasks:,} tasks: ours {own * 1000:.2f} ms, networkx {other * 1000:.2f} ms, {other / own:.0f}x"
    )


def main() -> None:
    """Print every figure."""
    parse_yaml = lambda text: yaml.load(text, YAML_LOADER)  # noqa: E731 - the safe loader in C
    for tasks in SIZES:
        ratio(f"yaml, {tasks:,} tasks", yaml_plan(tasks), parse_yaml, "tasks.yaml")
        ratio(f"json, {tasks:,} tasks", json_plan(tasks), json.loads, "tasks.json")
        ratio(f"json steps, {tasks:,} tasks", steps_plan(tasks), json.loads, "plan.json")
        ratio(f"json two-sided, {tasks:,} tasks", two_sided_plan(tasks), json.loads, "tasks.json")
        ratio(f"json dependencies, {tasks:,} tasks", dependencies_plan(tasks), json.loads, "dependencies.json")
        ratio(f"markdown, {tasks:,} tasks", markdown_plan(tasks), BLOCKS.parse, "tasks.md")
    cycles()
    against_networkx()


if __name__ == "__main__":
    main()
