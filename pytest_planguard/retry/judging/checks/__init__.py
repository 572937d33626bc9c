"""The named checks over one conversation: one function each, and the table that runs them."""

from __future__ import annotations

from collections.abc import Callable

from ...results import Check
from .answer_checks import accounted, agreed, copied, shrinking, stops, valid
from .feedback_checks import bounded, clean, feedback, task_kept
from .request_checks import addressed, fresh
from .view import View

CHECKS: tuple[Callable[[View], Check], ...] = (
    feedback,
    stops,
    valid,
    agreed,
    fresh,
    addressed,
    clean,
    bounded,
    shrinking,
    task_kept,
    accounted,
    copied,
)
"""Every check, in the order of reports."""
CHECK_NAMES = tuple(check.__name__ for check in CHECKS)
"""The names of the checks, as reports and files of expectations write them: "feedback"."""


def run_checks(view: View) -> tuple[Check, ...]:
    """The result of every check."""
    return tuple(check(view) for check in CHECKS)
