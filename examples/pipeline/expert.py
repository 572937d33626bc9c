"""One task of the pipeline: ask, feed back what is wrong, and leave a "Do Not Execute" to a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_planguard import Gate, converge

from .tasks import CONTRACTS, ExpertDetails


class Stopped(Exception):
    """A person has to decide, or has decided against the plan."""


def assess(ask: Callable[[list[dict[str, Any]]], str], gate: Gate, plan: str) -> ExpertDetails:
    """Return what the expert says. Raises Stopped where the gate does not let the plan through."""
    found = converge(ask, f"Assess this plan: {plan}", CONTRACTS.contract("ExpertTask"))
    verdict = found.attempts[-1].verdict
    held = gate.check("ExpertTask", findings=verdict.findings)
    if held is not None and not held.resumed:
        raise Stopped(f"{held.pause.value}: {held.outcome.value}")
    return ExpertDetails.model_validate_json(verdict.text)
