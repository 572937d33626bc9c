"""What a call of a plan search costs over recorded steps: python benchmarks/bench_search_calls.py.

Two ratios, each the best of some rounds: 20,000 calls over 10,000, and one call over what its recording needs anyway,
one canonical JSON and one hash of its answer. The guards do nothing, so that what is left is the search.
"""

from __future__ import annotations

import gc
import hashlib
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.search.agenda.search import search
from pytest_planguard.search.blame.blame_table import BlameRule, BlameTable
from pytest_planguard.search.context.step_context import Artifact, StepContext
from pytest_planguard.search.model.budget import StepBudget
from pytest_planguard.search.model.config import SearchConfig
from pytest_planguard.search.model.step import Step
from pytest_planguard.search.tapes.call_tape import CallTape

PLAN = json.loads((Path(__file__).parents[1] / "fixtures" / "plans" / "atomicguard.json").read_text("utf-8"))
CALLS = 10_000
MANY = 10**6
SHAPES = {
    "wide at the end": [StepBudget(1, 0), StepBudget(MANY, 0)],
    "wide at the start": [StepBudget(MANY, MANY), StepBudget(2, 2), StepBudget(1, 0)],
    "four steps": [StepBudget(40, MANY)] * 3 + [StepBudget(5, 0)],
    "all open, all blamed": [StepBudget(1, 0), StepBudget(MANY, MANY), StepBudget(9, 0)],
}
"""Budgets under which the agenda grows in different ways."""
BLAME = BlameTable(tuple(BlameRule(f"back{n}", n) for n in range(4)), stagnation=None)


def steps_of(budgets: Sequence[StepBudget]) -> list[Step]:
    """Steps whose answers are plans. Every second answer passes, but never one of the last step."""
    count = 0

    def ask(_: StepContext) -> str:
        nonlocal count
        count += 1
        return json.dumps({**PLAN, "plan_id": f"plan-{count}"}, sort_keys=True)

    def guard(path: Sequence[Artifact], answer: str) -> Verdict:
        number = int(answer[answer.index('"plan-') + 6 :].split('"')[0])
        if number % 2 and len(path) < len(budgets) - 1:
            return Verdict("", answer)
        return Verdict("", answer, (Finding(f"back{number // 2 % 4}", (), "no", FailureKind.RULE),))

    return [Step(f"s{n}", ask, guard, budget) for n, budget in enumerate(budgets)]


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one run."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    """Print a line for each shape; 1 where a ratio is above its bar."""
    print("| shape | 20,000 calls over 10,000 | a call over JSON and hash | memory, 20,000 over 10,000 |")
    print("|---|---|---|---|")
    bad = 0
    for name, budgets in SHAPES.items():
        live = search(steps_of(budgets), SearchConfig(max_total_calls=2 * CALLS, blame=BLAME))
        tape = CallTape.of([live.tree])

        def run(calls: int, budgets: Sequence[StepBudget] = budgets, tape: CallTape = tape) -> None:
            result = search(tape.replay(steps_of(budgets)), SearchConfig(max_total_calls=calls, blame=BLAME))
            assert (result.total_calls, result.misses) == (calls, 0)

        answers = [json.loads(node.answer) for node in live.tree.nodes]

        def floor(answers: Sequence[Any] = answers) -> None:
            for answer in answers:
                hashlib.sha256(json.dumps(answer, sort_keys=True).encode()).hexdigest()

        rounds = [(seconds(lambda: run(CALLS)), seconds(lambda: run(2 * CALLS)), seconds(floor)) for _ in range(5)]
        one, two, bare = (min(times) for times in zip(*rounds, strict=True))
        ratios = (two / one, two / bare, memory(lambda: run(2 * CALLS)) / memory(lambda: run(CALLS)))
        bad |= any(ratio > bar for ratio, bar in zip(ratios, (2.3, 3.0, 2.3), strict=True))
        print(f"| {name} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |", flush=True)
    return int(bad)


def memory(work: Callable[[], Any]) -> int:
    """Peak bytes of one run."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


if __name__ == "__main__":
    sys.exit(main())
