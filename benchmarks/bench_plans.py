"""How much judging a plan costs, as ratios to the bare parse of its text. Run: python benchmarks/bench_plans.py.

Ratios of one process on one machine; absolute times mean nothing elsewhere. With networkx installed, its find_cycle is
compared too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import yaml
from markdown_it import MarkdownIt

from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.model.graph import components, cycle_through
from pytest_planguard.plans.model.plan import Edge, Plan, Task
from pytest_planguard.plans.rules.judge_plan import check_plan

FIXTURES = Path(__file__).parents[1] / "fixtures" / "plans"
LIMITS = {"yaml": 3.0, "markdown": 3.0, "json": 5.0}
"""What the ratio of a clean plan is meant to be at most."""
SMALL_JSON = 10.0
"""The same for JSON below 100 kB: there json.loads takes less than telling the format and asking every rule."""
YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
BLOCKS = MarkdownIt("commonmark").disable(["inline", "text_join"])


def best(run: Callable[[], object], repeat: int = 5) -> float:
    """Seconds of processor time of the fastest of several runs."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


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


def markdown_plan(tasks: int) -> str:
    """A clean spec-kit task list."""
    lines = ["# Tasks: Everything", "", "## Phase 1: Everything", ""]
    lines += [f"- [ ] T{n:04d} [US1] Write part {n} of the thing in src/part{n}.py" for n in range(1, tasks + 1)]
    return "\n".join(lines) + "\n"


def ratio(name: str, text: str, bare: Callable[[str], object], path: str) -> None:
    """Print the cost of a clean plan as a multiple of its bare parse."""
    report = check_text(text, path=path)
    assert report.ok, report.findings[:3]
    parse = best(lambda: bare(text))
    judge = best(lambda: check_text(text, path=path))
    size = f"{len(text) / 1000:,.0f} kB"
    syntax = path.rpartition(".")[2].replace("md", "markdown")
    limit = SMALL_JSON if syntax == "json" and len(text) < 100_000 else LIMITS[syntax]
    print(
        f"{name:<28} {size:>9}  parse {parse * 1000:8.2f} ms  judge {judge * 1000:8.2f} ms  "
        f"{judge / parse:5.2f}x (at most {limit:.0f}x)"
    )


def ring(tasks: int) -> Plan:
    """A plan whose tasks wait for each other in one circle."""
    names = [f"T{n}" for n in range(tasks)]
    following = [*names[1:], names[0]]
    return Plan("ring", tasks=tuple(Task(a, a, edges=(Edge(b, b),)) for a, b in zip(names, following, strict=True)))


def cycles() -> None:
    """Print the cost of 10,000 and 100,000 tasks with a circle."""
    seconds = {}
    for count in (1_000, 10_000, 100_000):
        plan = ring(count)
        seconds[count] = best(lambda plan=plan: check_plan(plan), 3)  # type: ignore[misc]
        print(f"all rules, {count:>7,} tasks in a circle {seconds[count]:8.3f} s")
    print(f"100,000 tasks cost {seconds[100_000] / seconds[10_000]:.1f} times 10,000 tasks")


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
        group = next(group for group in components(graph) if len(group) > 1)
        return cycle_through(graph.__getitem__, min(group))

    own, other = best(ours), best(lambda: nx.find_cycle(theirs), 3)
    print(
        f"a circle among {tasks:,} tasks: ours {own * 1000:.2f} ms, networkx {other * 1000:.2f} ms, {other / own:.0f}x"
    )


def main() -> None:
    """Print every figure."""
    parse_yaml = lambda text: yaml.load(text, YAML_LOADER)  # noqa: E731 - the safe loader in C
    for tasks in (20, 3_000):
        ratio(f"yaml, {tasks:,} tasks", yaml_plan(tasks), parse_yaml, "tasks.yaml")
        ratio(f"json, {tasks:,} tasks", json_plan(tasks), json.loads, "tasks.json")
        ratio(f"markdown, {tasks:,} tasks", markdown_plan(tasks), BLOCKS.parse, "tasks.md")
    cycles()
    against_networkx()


if __name__ == "__main__":
    main()
