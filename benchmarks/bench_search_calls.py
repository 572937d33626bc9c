"""What a call of a plan search costs over recorded steps: python benchmarks/bench_search_calls.py.

Ratios, each of the best of some rounds: 20,000 calls over 10,000, their memory, and a call over what its recording
needs anyway, one canonical JSON and one hash of its answer, by the size of the answer. The guards of a replay look a
finished verdict up, so that what is left is the search.
"""

from __future__ import annotations

import gc
import hashlib
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
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
ROUNDS = 5
MANY = 10**6
BAR = 3
"""Canonical JSONs and hashes of its answer that a call may cost."""
SHAPES = {
    "wide at the end": [StepBudget(1, 0), StepBudget(MANY, 0)],
    "wide at the start": [StepBudget(MANY, MANY), StepBudget(2, 2), StepBudget(1, 0)],
    "four steps": [StepBudget(40, MANY)] * 3 + [StepBudget(5, 0)],
    "all open, all blamed": [StepBudget(1, 0), StepBudget(MANY, MANY), StepBudget(9, 0)],
}
"""Budgets under which the agenda grows in different ways."""
BLAME = BlameTable(tuple(BlameRule(f"back{n}", n) for n in range(4)), stagnation=None)


SIZES = (1, 5, 15)
"""How many times the steps of the plan are in an answer."""


def steps_of(budgets: Sequence[StepBudget], times: int = 1) -> list[Step]:
    """Steps whose answers are numbered plans."""
    count, steps = 0, [step for _ in range(times) for step in PLAN["steps"]]

    def ask(_: StepContext) -> str:
        nonlocal count
        count += 1
        return json.dumps({**PLAN, "plan_id": f"plan-{count}", "steps": steps}, sort_keys=True)

    guard = partial(judged, last=len(budgets) - 1)
    return [Step(f"s{n}", ask, guard, budget) for n, budget in enumerate(budgets)]


def judged(path: Sequence[Artifact], answer: str, *, last: int) -> Verdict:
    """Every second answer passes, but never one of the last step."""
    start = answer.index('"plan-') + 6
    number = int(answer[start : answer.index('"', start)])
    if number % 2 and len(path) < last:
        return Verdict("", answer)
    return Verdict("", answer, (Finding(f"back{number // 2 % 4}", (), "no", FailureKind.RULE),))


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one run."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def recorded(budgets: Sequence[StepBudget], calls: int, times: int = 1) -> CallTape:
    """The tape of a search of that many calls."""
    return CallTape.of([search(steps_of(budgets, times), SearchConfig(max_total_calls=calls, blame=BLAME)).tree])


def replayed(tape: CallTape, budgets: Sequence[StepBudget]) -> list[Step]:
    """Steps over a tape, and guards that know its answers."""
    last = len(budgets) - 1
    levels = {f"s{n}": [None] * n for n in range(len(budgets))}
    known = {answer: judged(levels[key.step], answer, last=last) for key, answer in tape.answers.items()}
    return [replace(step, guard=lambda _, answer: known[answer]) for step in tape.replay(steps_of(budgets))]


def replay(steps: Sequence[Step], calls: int) -> None:
    """Search over recorded steps."""
    result = search(steps, SearchConfig(max_total_calls=calls, blame=BLAME))
    assert (result.total_calls, result.misses) == (calls, 0)


def growth() -> bool:
    """Print what twice the calls cost; whether a ratio is above its bar of 2.3."""
    print("\n| budgets | time, 20,000 calls over 10,000 | memory |\n|---|---|---|")
    worst = 0.0
    for name, budgets in SHAPES.items():
        steps = replayed(recorded(budgets, 2 * CALLS), budgets)
        one, two = partial(replay, steps, CALLS), partial(replay, steps, 2 * CALLS)
        rounds = [(seconds(one), seconds(two)) for _ in range(ROUNDS)]
        ratios = (min(t[1] for t in rounds) / min(t[0] for t in rounds), memory(two) / memory(one))
        worst = max(worst, *ratios)
        print(f"| {name} | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)
    return worst > 2.3


def call_cost() -> bool:
    """Print what a call costs by the size of its answer; whether one is above its bar of 3."""
    print("| characters of an answer | a call over its canonical JSON and hash |\n|---|---|")
    budgets, calls, worst = SHAPES["four steps"], CALLS // 2, 0.0
    for times in SIZES:
        tape = recorded(budgets, calls, times)
        values = [json.loads(answer) for answer in tape.answers.values()]
        work = partial(replay, replayed(tape, budgets), calls), partial(bare, values)
        rounds = [(seconds(work[0]), seconds(work[1])) for _ in range(3 * ROUNDS)]
        ratio = BAR * min(t[0] for t in rounds) / min(t[1] for t in rounds)
        worst = max(worst, ratio)
        print(f"| {len(next(iter(tape.answers.values()))):,} | {ratio:.2f} |", flush=True)
    return worst > BAR


def bare(values: Sequence[Any]) -> None:
    """As many canonical JSONs and hashes of each value as the bar allows a call to cost.

    One of each would take a third of the time of a call, and a busy machine would disturb it less often.
    """
    for _ in range(BAR):
        for value in values:
            hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def main() -> int:
    """Print both tables; 1 where a bar is missed."""
    slow = call_cost()
    return int(growth() or slow)


def memory(work: Callable[[], Any]) -> int:
    """Peak bytes of one run."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


if __name__ == "__main__":
    sys.exit(main())
