"""Plan search on simulated pipelines: python benchmarks/bench_search.py [--instances N] [--first N].

No data of a model: an assumption set, stated here. Four steps; an answer is latently good or bad; the guards of the
first three steps miss 80 to 90 % of the bad ones, the last guard sees a bad one anywhere on the path; 5 % of good
answers are rejected by mistake; 8 % of the problems are misclassified, so that the first step rarely gets them right.
With feedback each item told closes 30 % of the gap to certain success.

An instance is a whole number, and every draw a function of it. An earlier simulation, written apart from this package,
drew instances 0 to 2,999 by the same functions: `--first 0` meets its very instances, so that only the search can
differ. By default other instances are drawn as well, whose numbers were fixed before any of them was run: then both
differ by chance too, and `agreement` says by how much two samples of one simulation do.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from agreement import Agreement, agreement
from smoke import size, verdict

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.context import Artifact, StepContext
from pytest_planguard.plan_search.experiment import Experiment, Problem, run_experiment
from pytest_planguard.plan_search.step import SearchConfig, Step, StepBudget
from pytest_planguard.plan_search.strategies import STRATEGIES, Strategy

NAMES = ("g_analysis", "g_recon", "g_strategy", "g_plan")
RMAX, WIDE = (3, 2, 3, 4), (8, 8, 8, 8)
MISS = (0.9, 0.8, 0.9, 0.0)
"""Chance that the guard of a step does not see a bad answer."""
FALSE_ALARM = 0.05
TOLERANCE = 0.02
BUDGETS = (4, 10, 20, 30)
NEVER_BINDS = 10**6
REFERENCE, REFERENCE_SIZE = 0, size(3_000, 5)
"""First of the instances that the earlier simulation drew, and how many it drew."""
SAME = 0.002
"""Largest difference on the same instances: 0.0005 for the rounding of a stated rate, and four instances of 3,000."""
CHANCE = 0.01
"""Least p value with which differences on other instances are still put down to chance."""
INDEPENDENT = 20_261_122
"""First of the others. A date, chosen before any of them was run, and to stay whatever they give."""
CONFIG = SearchConfig(blame=tuple(BlameRule(f"back{n}", n) for n in range(4)), escalates=False)


Place = tuple[int, int, bool]
"""An answer: its level, its index among the answers to its prefix, and whether it is good."""


class Instance:
    """One simulated pipeline. Every draw is a function of its number and the answers before it."""

    def __init__(self, number: int, *, closes: float, accuracy: float, rmax: Sequence[int], forgets: bool) -> None:
        self.number, self.closes, self.accuracy, self.forgets = number, closes, accuracy, forgets
        drawn = random.Random(number)
        self.skill = [drawn.betavariate(*shape) for shape in ((6, 1.5), (8, 1.2), (3, 2), (3, 2.5))]
        if drawn.random() < 0.08:
            self.skill[0] *= 0.1
        budgets = [StepBudget(count, NEVER_BINDS) for count in rmax]
        self.steps = [Step(n, self.ask, self.guard, b) for n, b in zip(NAMES, budgets, strict=True)]

    def ask(self, context: StepContext) -> str:
        """The level and index of the answer, and whether it is good."""
        level, told = len(context.path), len(context.own) + len(context.downstream)
        chance = 1 - (1 - self.skill[level]) * (1 - self.closes) ** told
        path = tuple(_place(artifact.answer) for artifact in context.path)
        index = context.key.index
        good = self._draw("l", *self._prefix(path, index), level, 0 if self.forgets else index) < chance
        return f"{level} {index} {good}"

    def _prefix(self, path: tuple[Place, ...], index: int) -> tuple[object]:
        """The answers before one. A pipeline that begins again each time forgets all but which pass it is."""
        if not self.forgets:
            return (path,)
        number = path[0][1] if path else index
        return ((*self._without_passes(path), ("r", number)),)

    def _without_passes(self, path: tuple[Place, ...]) -> tuple[Place, ...]:
        return tuple((level, 0, good) for level, _, good in path) if self.forgets else path

    def guard(self, path: Sequence[Artifact], answer: str) -> Verdict:
        """Passes, or blames a step; the finding's code says how many levels back."""
        answers = self._without_passes((*(_place(artifact.answer) for artifact in path), _place(answer)))
        bad = next((level for level, _, good in answers if not good), None)
        last = len(path)
        if bad is None or (last < len(NAMES) - 1 and answers[-1][2]):
            return self._verdict(None if self._draw("fr", answers) > FALSE_ALARM else 0)
        if last < len(NAMES) - 1:
            return self._verdict(None if self._draw("m", answers) < MISS[last] else 0)
        if bad != last and self._draw("a", answers) >= self.accuracy:
            bad = int(self._draw("b", answers) * len(NAMES))
        return self._verdict(last - bad)

    def _draw(self, *what: object) -> float:
        return random.Random(str((self.number, *what))).random()

    @staticmethod
    def _verdict(back: int | None) -> Verdict:
        found = () if back is None else (Finding(f"back{back}", (), "bad", FailureKind.RULE),)
        return Verdict("simulated", "", found)


def _place(answer: str) -> Place:
    level, index, good = answer.split()
    return int(level), int(index), good == "True"


ROWS: tuple[tuple[str, Strategy, float, float, Sequence[int], tuple[float, ...]], ...] = (
    ("single pass", STRATEGIES["full"], 0.0, 1.0, RMAX, (0.179, 0.179, 0.179, 0.179, 25.3)),
    ("retry last step only, feedback", STRATEGIES["retry_last"], 0.3, 1.0, RMAX, (0.179, 0.328, 0.328, 0.328, 21.7)),
    ("full restarts, no feedback", STRATEGIES["blind_resample"], 0.0, 1.0, RMAX, (0.166, 0.300, 0.490, 0.573, 19.5)),
    ("blind, feedback", STRATEGIES["blind"], 0.3, 1.0, RMAX, (0.179, 0.495, 0.621, 0.700, 15.6)),
    ("cbj, blame right, feedback", STRATEGIES["cbj"], 0.3, 1.0, RMAX, (0.179, 0.770, 0.943, 0.951, 8.9)),
    ("cbj, blame 70 % right, feedback", STRATEGIES["cbj"], 0.3, 0.7, RMAX, (0.179, 0.724, 0.931, 0.949, 9.3)),
    ("cbj, blame 40 % right, feedback", STRATEGIES["cbj"], 0.3, 0.4, RMAX, (0.179, 0.674, 0.904, 0.939, 10.1)),
    ("cbj, blame 70 % right, no effect", STRATEGIES["cbj"], 0.0, 0.7, RMAX, (0.179, 0.590, 0.807, 0.851, 12.3)),
    ("blind, 8 answers each", STRATEGIES["blind"], 0.3, 1.0, WIDE, (0.179, 0.414, 0.543, 0.606, 17.2)),
    ("cbj, 70 % right, 8 answers each", STRATEGIES["cbj"], 0.3, 0.7, WIDE, (0.179, 0.742, 0.968, 0.997, 8.6)),
)
"""Name, policy, effect of one feedback, accuracy of blame, answers to a prefix; then rates within 4, 10, 20 and 30
calls and E[min(calls, 30)] of an earlier simulation of the same assumptions, to which this one is held."""


def pipeline(number: int, options: dict[str, Any], _: int) -> Sequence[Step]:
    """The steps of one instance, for its only trial."""
    return Instance(number, **options).steps


def simulate(instances: int, first: int) -> Iterator[tuple[str, Experiment]]:
    """All rows over the same instances."""
    for name, strategy, closes, accuracy, rmax, _ in ROWS:
        forgets = name.startswith("full restarts")
        options = {"closes": closes, "accuracy": accuracy, "rmax": rmax, "forgets": forgets}
        problems = [Problem(str(n), partial(pipeline, n, options)) for n in range(first, first + instances)]
        yield name, run_experiment(problems, [replace(strategy, name=name)], CONFIG)


def figures(experiment: Experiment) -> tuple[float, ...]:
    """The rates within each budget, and the mean of the calls."""
    (policy,) = experiment.policies
    rates = [experiment.epsilon(policy, budget).value or 0.0 for budget in BUDGETS]
    return (*rates, experiment.mean_calls(policy, 30) or 0.0)


def print_rates(instances: int, first: int) -> tuple[list[tuple[bool, ...]], list[float]]:
    """Print the table. Returns for each instance what each rate counts, and the difference of each rate."""
    print(f"\n{instances:,} instances from {first:,} on\n")
    print(f"| policy | {' | '.join(f'ε({b})' for b in BUDGETS)} | E[min(calls, 30)] | furthest |")
    print("|---|" + "---|" * (len(BUDGETS) + 2))
    solved: list[tuple[bool, ...]] = [()] * instances
    differences: list[float] = []
    for (name, experiment), row in zip(simulate(instances, first), ROWS, strict=True):
        *rates, calls = figures(experiment)
        off_by = [rate - stated for rate, stated in zip(rates, row[-1], strict=False)]
        differences += off_by
        within = [tuple(trial.within(budget) for budget in BUDGETS) for trial in experiment.trials]
        solved = [before + now for before, now in zip(solved, within, strict=True)]
        cells = " | ".join(f"{rate:.3f}" for rate in rates)
        print(f"| {name} | {cells} | {calls:.1f} | {max(map(abs, off_by)):.3f} |", flush=True)
    near = sum(abs(difference) <= TOLERANCE for difference in differences)
    furthest = max(map(abs, differences))
    print(f"\n{near} of {len(differences)} rates within {TOLERANCE} of the stated ones; furthest {furthest:.4f}")
    return solved, differences


def print_agreement(found: Agreement) -> None:
    """Print the z score of each rate, and what two samples of one simulation would show."""
    width = len(BUDGETS)
    print(f"\n| policy | {' | '.join(f'z, ε({b})' for b in BUDGETS)} | largest standard error |")
    print("|---|" + "---|" * (width + 1))
    for place, row in enumerate(ROWS):
        part = slice(place * width, (place + 1) * width)
        cells = " | ".join(f"{score:+.1f}" for score in found.scores[part])
        print(f"| {row[0]} | {cells} | {max(found.errors[part]):.4f} |")
    print(
        f"\nBetween two samples of one simulation {found.expected_outside:.1f} rates are outside {TOLERANCE} on "
        f"average, and at least {found.outside} in {found.p_outside:.0%} of all pairs: here {found.outside}.\n"
        f"Chi-square over {len(found.scores)} rates {found.chi_square:.1f}, p = {found.p:.3f}, by resampling whole "
        "instances:\nall policies meet the same ones, so that the rates are correlated."
    )


def same_instances() -> bool:
    """Compare on the instances of the earlier simulation; whether a rate differs."""
    _, differences = print_rates(REFERENCE_SIZE, REFERENCE)
    return max(map(abs, differences)) > SAME


def other_instances(instances: int, first: int) -> bool:
    """Compare on other instances; whether chance does not explain the differences."""
    solved, _ = print_rates(instances, first)
    stated = [rate for row in ROWS for rate in row[-1][: len(BUDGETS)]]
    found = agreement(solved, stated, REFERENCE_SIZE, TOLERANCE)
    print_agreement(found)
    return found.p < CHANCE


def main() -> int:
    """Print both tables; 1 where the rates differ by more than rounding or chance explains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=REFERENCE_SIZE, help="how many others (default: %(default)s)")
    parser.add_argument(
        "--first", type=int, help=f"number of the first of them (default: {INDEPENDENT}); 0: the stated alone"
    )
    options = parser.parse_args()
    if options.first == REFERENCE:
        return verdict(same_instances())
    other = other_instances(options.instances, options.first or INDEPENDENT)
    return verdict(other or (options.first is None and same_instances()))


if __name__ == "__main__":
    raise SystemExit(main())
