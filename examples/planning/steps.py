"""The pipeline: analysis and reconnaissance by a real small model, strategy and plan by a simulated one."""

from __future__ import annotations

from functools import partial

from pytest_planguard import Step, StepBudget, level_guards

from .contracts import ANALYSIS, RECON, STRATEGY
from .simulated_model import ask_plan, ask_strategy
from .small_model import ask_analysis, ask_recon

PROBLEMS = {
    "printer": ("the printer stops after every second page", "bug fix"),
    "backup": ("the nightly backup fails when the disk is full", "bug fix"),
    "export": ("let customers download their invoices as one file", "feature"),
}
"""Name to the problem in words and its category."""


def pipeline(problem: str) -> list[Step]:
    """The steps for one problem."""
    return [
        Step("g_analysis", partial(ask_analysis, problem), ANALYSIS, StepBudget(rmax=3, backtrack_budget=1)),
        Step("g_recon", ask_recon, RECON, StepBudget(rmax=3, backtrack_budget=2)),
        Step("g_strategy", ask_strategy, STRATEGY, StepBudget(rmax=2, backtrack_budget=3)),
        Step("g_plan", ask_plan, level_guards(), StepBudget(rmax=3, backtrack_budget=0)),
    ]


STEPS = pipeline("")
"""For `planguard search`, which asks nobody: the answers come from a tape."""
