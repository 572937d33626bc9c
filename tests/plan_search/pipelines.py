"""Pipelines for tests of the search: scripted steps, an adversary, and worlds with hidden causes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.context import Artifact, StepContext
from pytest_planguard.plan_search.step import Step, StepBudget

NAMES = ("g_analysis", "g_recon", "g_strategy", "g_plan")
BUDGETS = (StepBudget(2, 1), StepBudget(2, 2), StepBudget(2, 3), StepBudget(3, 0))
"""The worked example of the plan-search design."""


def finding(code: str, *path: str | int, severity: Severity = Severity.RETRY, message: str = "no") -> Finding:
    """A finding of a structural rule."""
    return Finding(code, path, message, FailureKind.RULE, severity)


def verdict(answer: Any, *findings: Finding) -> Verdict:
    """A verdict of a test's guard."""
    return Verdict("test", str(answer), findings, value=answer)


Script = Mapping[str, Sequence[str]]
"""For each step what its calls bring, in order: "ok", "raise", or the code of the finding; the last one repeats."""


class Scripted:
    """Steps that answer by a script, and remember what they were asked with."""

    def __init__(self, script: Script, budgets: Sequence[StepBudget] = BUDGETS, names: Sequence[str] = NAMES) -> None:
        self.script = script
        self.contexts: list[StepContext] = []
        self._calls: Counter[str] = Counter()
        self.steps = [Step(n, self._ask, self._guard(n), b) for n, b in zip(names, budgets, strict=True)]

    def _ask(self, context: StepContext) -> str:
        self.contexts.append(context)
        script = self.script.get(context.step, ["ok"])
        said = script[min(self._calls[context.step], len(script) - 1)]
        self._calls[context.step] += 1
        if said == "raise":
            raise RuntimeError("no connection")
        return said if said == "same" else f"{said} {len(self.contexts)}"

    def _guard(self, name: str) -> Callable[[Sequence[Artifact], Any], Verdict]:
        def guard(path: Sequence[Artifact], answer: str) -> Verdict:
            code = answer.split()[0]
            if code == "guard-raises":
                raise ValueError("broken guard")
            return verdict(answer) if code in ("ok", "same") else verdict(answer, finding(code))

        return guard

    @property
    def asked(self) -> list[str]:
        """The first letter after "g_" of each step asked, in order."""
        return [context.step[2] for context in self.contexts]


class Adversary:
    """Steps whose guards say anything, with findings that blame anything."""

    def __init__(self, seed: int, budgets: Sequence[StepBudget], *, gives_up: bool = False) -> None:
        self.random = random.Random(seed)
        self.gives_up = gives_up
        self.asked: list[tuple[str, tuple[int, ...], int]] = []
        self.passed: dict[int, bool] = {}
        self.classified = 0
        self.going_back: dict[str, Any] = {"blame": tuple(BlameRule(f"back{n}", n) for n in range(-1, 8))}
        self.steps = [
            Step(f"s{n}", self._ask, self._guard, budget, score=lambda _: self.random.random())
            for n, budget in enumerate(budgets)
        ]

    def _ask(self, context: StepContext) -> str:
        self.asked.append((context.step, tuple(artifact.node for artifact in context.path), context.key.index))
        assert len(context.own) <= context.key.index
        return "again" if self.random.random() < 0.1 else f"answer {len(self.asked)}"

    def _guard(self, path: Sequence[Artifact], answer: str) -> Verdict:
        if self.random.random() < 0.5:
            return verdict(answer)
        least = -1 if self.gives_up and self.random.random() < 0.2 else 0
        return verdict(answer, finding(f"back{self.random.randint(least, 7)}", self.random.randint(0, 1)))

    def classify(self, _: object) -> int | None:
        """Levels that no pipeline has, too."""
        self.classified += 1
        return self.random.choice([None, -7, 0, 1, 2, 99])


class World:
    """A pipeline in which an answer is latently good or bad, and its own guard sees most of it late.

    Everything is a function of the seed and the path of indices, so that two policies meet the same world. Feedback
    changes nothing in it. Blame is right with a probability of `accuracy`, else any step.
    """

    def __init__(self, seed: int, accuracy: float = 1.0) -> None:
        chance = random.Random(seed)
        self.seed, self.accuracy = seed, accuracy
        self.count = chance.randint(2, 4)
        self.rmax = [chance.randint(1, 3) for _ in range(self.count)]
        self.good = chance.choice([0.4, 0.6, 0.8])
        self.going_back: dict[str, Any] = {
            "blame": tuple(BlameRule(f"back{n}", n) for n in range(9)),
            "escalates": False,
        }

    def steps(self) -> list[Step]:
        """The pipeline, whose budgets of reopenings do not bind."""
        return [
            Step(f"s{n}", lambda context: context.key.index, self._guard, StepBudget(rmax, 10**6))
            for n, rmax in enumerate(self.rmax)
        ]

    def solvable(self) -> bool:
        """Whether a path on which every guard passes is in the tree."""

        @cache
        def below(path: tuple[int, ...]) -> bool:
            if len(path) == self.count:
                return True
            return any(self._passes((*path, n)) and below((*path, n)) for n in range(self.rmax[len(path)]))

        return below(())

    def _guard(self, path: Sequence[Artifact], answer: str) -> Verdict:
        indices = (*(int(artifact.answer) for artifact in path), int(answer))
        if self._passes(indices):
            return verdict(answer)
        return verdict(answer, finding(f"back{len(path) - self._cause(indices)}"))

    def _passes(self, path: tuple[int, ...]) -> bool:
        sound = len(path) < self.count or all(self._latent(path[: n + 1]) for n in range(self.count))
        return self._chance("guard", path) < 0.8 and sound

    def _cause(self, path: tuple[int, ...]) -> int:
        last = len(path) - 1
        bad = next((n for n in range(last) if not self._latent(path[: n + 1])), last)
        if last < self.count - 1 or bad == last or self._chance("aim", path) < self.accuracy:
            return bad if last == self.count - 1 else last
        return int(self._chance("miss", path) * (last + 1))

    def _latent(self, path: tuple[int, ...]) -> bool:
        return self._chance("latent", path) < self.good

    def _chance(self, what: str, path: tuple[int, ...]) -> float:
        return random.Random(f"{self.seed} {what} {path}").random()
