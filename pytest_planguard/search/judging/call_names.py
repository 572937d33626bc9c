"""The names under which the calls of a search stand in a recording: they tell the step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..context.step_context import StepContext

TITLE = "plan search"
# "plan search 1: g_plan after 3, answer 2"
_CALL = re.compile(rf"{TITLE} \d+: (?P<step>.+?)(?: after \d+)?, answer \d+")


def prefix_name(number: int, context: StepContext) -> str:
    """Return 'plan search 1: g_plan after 3': the answers of g_plan to the path that ends in node 3."""
    after = f" after {context.path[-1].node}" if context.path else ""
    return f"{TITLE} {number}: {context.step}{after}"


def call_name(number: int, context: StepContext) -> str:
    """Return 'plan search 1: g_plan after 3, answer 2': the second of these answers."""
    return f"{prefix_name(number, context)}, answer {context.attempt}"


def step_of(name: str | None) -> str | None:
    """Return the step that a name of a call tells: 'g_plan'; None for the name of another conversation."""
    found = _CALL.fullmatch(name or "")
    return found["step"] if found else None
