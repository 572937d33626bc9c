"""What good answers of every kind lead to: a proposed contract, suggested constraints, and their mutants."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard import CheckContext
from pytest_planguard.contract.strength.evidence import GoodAnswer, evidence_of
from pytest_planguard.contract.strength.measure import all_mutants
from pytest_planguard.contract.strength.operators import DROP
from pytest_planguard.contract.strength.proposal import propose
from pytest_planguard.contract.strength.suggestion import suggestions
from pytest_planguard.document.path import to_dotted

from ...support.whole import Outputs
from ..strength.test_proposal import HAND

LONG = "Call the owner of the building first and ask for the key of the cupboard before anything else is done."
PLANS: list[dict[str, Any]] = [
    {
        "id": f"PLAN-{at}",
        "uuid": f"{at}e4eaaaf-d142-11e1-b3e4-080027620cd{at}",
        "url": f"https://example.org/plans/{at}",
        "mail": f"ann{at}@example.org",
        "made": f"2026-03-0{at}",
        "changed": f"2026-03-0{at}T10:00:00Z",
        "version": f"1.{at}",
        "verdict": "Go with caution" if at % 2 else "No-Go: the budget is gone",
        "priority": "high" if at % 2 else "low",
        "cost": 100.5 * at - 300,
        "count": at,
        "done": at % 2 == 0,
        "summary": f"{LONG} Plan number {at} has {at} steps.",
        "steps": [
            {"name": f"Step {n}", "after": [f"Step {n - 1}"] if n > 1 else [], "owner": ("ann", "bob")[n % 2]}
            for n in range(1, at + 2)
        ],
        "labels": ["urgent", "night"][: at % 3],
        "scores": {"risk": at / 10, "value": 1.0},
        **({"note": "Only some plans have one."} if at > 2 else {}),
    }
    for at in range(1, 6)
]


def good(answers: list[Any], **more: Any) -> list[GoodAnswer]:
    """Return values as good answers."""
    return [GoodAnswer(f"answer {at}", value, **more) for at, value in enumerate(answers, 1)]


def _suggested() -> Iterator[str]:
    for one in suggestions(evidence_of(good(PLANS))):
        yield f"{one.place}: {one.python}  # {one.evidence}{f' | {one.helper}' if one.helper else ''}"


def _mutants() -> Iterator[str]:
    answers = good(
        PLANS,
        context=CheckContext(prompt_texts=(f"Write a plan. {LONG}",), feedback_texts=("The summary is too short.",)),
    )
    for group in all_mutants(answers, evidence_of(answers), each=2):
        for mutant in group:
            edits = "; ".join(f"{to_dotted(edit.path)} = {_value(edit.value)}" for edit in mutant.edits)
            size = len(json.dumps(mutant.of(answers[mutant.answer].data)))
            yield f"{mutant.operator} in answer {mutant.answer}: {edits[:400]} ({size} characters)"


def _value(value: object) -> str:
    return "left out" if value is DROP else json.dumps(value)[:120]


def outputs() -> Outputs:
    """Return what makes each output."""
    return {
        "contract-of-plans.txt": lambda: propose(good(PLANS)).module,
        "test-of-plans.txt": lambda: propose(good(PLANS), "plans").test,
        "contract-by-hand.txt": lambda: propose(good(HAND)).module,
        "contract-of-a-list.txt": lambda: propose(good([PLANS[:2], PLANS[2:]])).module,
        "suggestions.txt": lambda: "".join(f"{line}\n" for line in _suggested()),
        "mutants.txt": lambda: "".join(f"{line}\n" for line in _mutants()),
    }
