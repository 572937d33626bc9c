"""What a user may decide about the judgement of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .convergence import CheckStatus, Grade

DEFAULT_STATUS: Mapping[str, CheckStatus] = {
    "carried": CheckStatus.FAIL,
    "stops": CheckStatus.FAIL,
    "valid": CheckStatus.FAIL,
    "fresh": CheckStatus.FAIL,
    "addressed": CheckStatus.WARN,
    "clean": CheckStatus.WARN,
    "bounded": CheckStatus.WARN,
    "shrinking": CheckStatus.WARN,
    "task_kept": CheckStatus.WARN,
    "accounted": CheckStatus.WARN,
}
"""What a violated check counts as: real, correct clients break naive versions of the lower six."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How strictly to judge. The defaults hold for a correct client of any framework."""

    max_attempts: int = 3
    """Attempts in all, the first included; at least 1."""
    coverage: Literal["all", "first", "any"] = "all"
    """How many of an attempt's findings its retry must carry: all, the first one, or any."""
    must_carry: Literal["app", "contract"] = "app"
    """"app": what the app could know (one phase at a time: a parse error hides schema findings, a schema error hides
    content constraints); "contract": every bad finding of our contract."""
    weakest: Grade = Grade.WEAK
    """The weakest grade that still counts as carried."""
    statuses: Mapping[str, CheckStatus] = field(default_factory=lambda: DEFAULT_STATUS)
    """What a violated check counts as, by check name."""
    known_wordings: bool = True
    """Whether framework wordings may be used to recognise feedback; off, only entries and fields count."""
