"""What a call of a plan search costs over recorded steps: python benchmarks/bench_search_calls.py [--plans FOLDER].

Ratios, each of the best of some rounds: 20,000 calls over 10,000, their memory, and a call over what its cassette
needs anyway, one canonical JSON and one hash of its answer, by the size of the answer. The guards of a replay look a
finished verdict up, so that what is left is the search. `--plans` adds the plan of median size of a folder, as written.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from smoke import size, verdict

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.call_tape import CallTape
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.step import SearchConfig, Step, StepBudget

ROOT = Path(__file__).parents[1]
PLAN = json.loads((ROOT / "fixtures" / "plans" / "atomicguard.json").read_text("utf-8"))
CALLS, ROUNDS = size((10_000, 5), (20, 1))
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
BLAME: dict[str, Any] = {"blame": tuple(BlameRule(f"back{n}", n) for n in range(4)), "escalates": False}


SIZES = (1, 5, 15)
"""How many times the steps of the plan are in an answer."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the answers of a search are, but for a number in each."""

    what: str
    value: Mapping[str, Any]
    indent: int | None = None

    def text(self, number: int) -> str:
        """The answer of a number."""
        return json.dumps({**self.value, "plan_id": f"plan-{number}"}, sort_keys=True, indent=self.indent)


SMALL = Document("a plan of three steps", PLAN)


def documents(plans: Path | None) -> list[Document]:
    """The answers whose calls are measured."""
    sizes = [Document(f"its steps {times} times", {**PLAN, "steps": PLAN["steps"] * times}) for times in SIZES[1:]]
    tapes = [json.loads(path.read_text("utf-8")) for path in (ROOT / "examples" / "planning" / "tapes").glob("*.json")]
    recorded = median(filter(parses, (call["answer"] for tape in tapes for call in tape["calls"])))
    measured = [SMALL, *sizes, Document("the median document of examples/planning", json.loads(recorded))]
    if plans is not None:
        middle = median(path.read_text("utf-8") for path in plans.glob("*.json"))
        measured.append(Document(f"the median plan of {plans.name}, as written", json.loads(middle), indent=2))
    return measured


def parses(text: str) -> bool:
    """Whether it is JSON: a small model cuts some answers off."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def median(texts: Iterable[str]) -> str:
    """The text of median length."""
    by_length = sorted(texts, key=len)
    return by_length[len(by_length) // 2]


def steps_of(budgets: Sequence[StepBudget], document: Document = SMALL) -> list[Step]:
    """Steps whose answers are numbered plans."""
    numbers = count(1)
    last = len(budgets) - 1
    return [
        Step(f"s{n}", lambda _: document.text(next(numbers)), lambda path, text: judged(text, len(path) < last), budget)
        for n, budget in enumerate(budgets)
    ]


def judged(answer: str, may_pass: bool) -> Verdict:
    """Every second answer passes, but never one of the last step."""
    start = answer.index('"plan-') + 6
    number = int(answer[start : answer.index('"', start)])
    if number % 2 and may_pass:
        return Verdict("", answer)
    return Verdict("", answer, (Finding(f"back{number // 2 % 4}", (), "no", FailureKind.RULE),))


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one run."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def recorded(budgets: Sequence[StepBudget], calls: int, document: Document = SMALL) -> CallTape:
    """The tape of a search of that many calls."""
    config = SearchConfig(max_total_calls=calls, **BLAME)
    return CallTape.of([search(steps_of(budgets, document), config).tree])


def replayed(tape: CallTape, budgets: Sequence[StepBudget]) -> list[Step]:
    """Steps over a tape, and guards that know its answers."""
    last = f"s{len(budgets) - 1}"
    known = {answer: judged(answer, key.step != last) for key, answer in tape.answers.items()}
    return [replace(step, guard=lambda _, answer: known[answer]) for step in tape.replay(steps_of(budgets))]


def replay(steps: Sequence[Step], calls: int) -> None:
    """Search over recorded steps."""
    result = search(steps, SearchConfig(max_total_calls=calls, **BLAME))
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


def call_cost(plans: Path | None) -> bool:
    """Print what a call costs by the size of its answer; whether one is above its bar of 3."""
    print("| answer | characters | a call over its canonical JSON and hash |\n|---|---|---|")
    budgets, calls, worst = SHAPES["four steps"], CALLS // 2, 0.0
    for document in documents(plans):
        tape = recorded(budgets, calls, document)
        values = [json.loads(answer) for answer in tape.answers.values()]
        work = partial(replay, replayed(tape, budgets), calls), partial(bare, values)
        rounds = [(seconds(work[0]), seconds(work[1])) for _ in range(3 * ROUNDS)]
        ratio = BAR * min(t[0] for t in rounds) / min(t[1] for t in rounds)
        worst = max(worst, ratio)
        print(f"| {document.what} | {len(document.text(1)):,} | {ratio:.2f} |", flush=True)
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plans", type=Path, help="a folder of plans in JSON, of which the median one is measured too")
    slow = call_cost(parser.parse_args().plans)
    return verdict(growth() or slow)


def memory(work: Callable[[], Any]) -> int:
    """Peak bytes of one run."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


if __name__ == "__main__":
    sys.exit(main())
