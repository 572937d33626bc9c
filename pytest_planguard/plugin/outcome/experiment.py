"""Decide by an experiment what reading alone could not: run the body of a test again, or say why it is not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...retry.proof import Fate, Proof
from ...retry.proving.intervention import every_finding, required_findings
from ..recording.rerunnable import obstacle, prove_mode
from .doubt import in_doubt
from .proving import Limit, prove_by_body

if TYPE_CHECKING:
    from ..case import Case


def decide(case: Case) -> None:
    """Run the app of a test again for the findings in doubt; with "always" for all of them, and without a limit."""
    if not case.recording.exchanged:
        return
    settings = case.settings
    if prove_mode(case) == "always":
        prove_by_body(case.item, case, every_finding, Limit())
        return
    why = obstacle(case)
    if why is None:
        prove_by_body(case.item, case, in_doubt, Limit(settings.prove_reruns, settings.prove_seconds))
    else:
        case.proofs = tuple(
            Proof(conversation, attempt, exchange, finding, Fate.UNPROVEN, why)
            for conversation, attempt, exchange, finding in required_findings(
                case.conversations, case.spec.options, in_doubt
            )
        )
