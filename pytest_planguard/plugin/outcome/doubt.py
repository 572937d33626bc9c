"""Which retries reading alone cannot judge. Every test with a conversation asks, so nothing costly is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rerun.obstacles import prove_mode

if TYPE_CHECKING:
    from ...retry.results import Attempt, Convergence, FedBack
    from ..case import Case

SURE = frozenset({"proven", "verbatim", "not judged"})
"""Grades that no experiment is needed for. Words of the app's own that name the finding may always be the same ones."""


def wants_experiment(case: Case) -> bool:
    """Return whether the app of a test has to be run again to know what its retries feed back."""
    mode = prove_mode(case)
    if mode == "never" or case.proved:
        return False
    retried = any(len(c.attempts) > 1 for c in case.conversations)
    return retried and (mode == "always" or any(map(_is_doubtful, case.conversations)))


def _is_doubtful(conversation: Convergence) -> bool:
    return any(in_doubt(attempt, fed_back) for attempt in conversation.attempts for fed_back in attempt.fed_back)


def in_doubt(_attempt: Attempt, fed_back: FedBack | None) -> bool:
    """Return whether reading alone cannot tell that a finding was fed back, or that it was missing."""
    if fed_back is None or fed_back.label in SURE:
        return False
    from ...retry.results import NOTHING_NEW

    return fed_back.reason != NOTHING_NEW
