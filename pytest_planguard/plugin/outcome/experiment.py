"""Decide by an experiment what reading alone could not: run a test again, or say why it is not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...retry.proving.planning import every_finding
from ..rerun.obstacles import obstacle, prove_mode
from ..rerun.reason import reason
from .doubt import in_doubt
from .proving import Limit, leave_unproven, prove_by_body

if TYPE_CHECKING:
    from ..case import Case

DEBUGGED = reason("a debugger waits for its failure (--pdb)")
"""It looks at the fixtures of the run that failed."""


def decide(case: Case, error: BaseException | None) -> None:
    """Run the app of a test again for the findings in doubt; with "always" for all of them, and without a limit.

    `error` is what its body raised.
    """
    if not case.recording.exchanged:
        return
    settings, always = case.settings, prove_mode(case) == "always"
    wanted = every_finding if always else in_doubt
    why = obstacle(case)
    if why is not None:
        leave_unproven(case, wanted, str(why))
    elif error is not None and case.item.config.getoption("usepdb", False):
        leave_unproven(case, wanted, DEBUGGED)
    else:
        limit = Limit() if always else Limit(settings.prove_reruns, settings.prove_seconds)
        prove_by_body(case, error, wanted, limit)
