"""What a user may decide about the judgement of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..outcomes import CheckStatus, Firmness

if TYPE_CHECKING:
    from ..proof import Proof

DEFAULT_STATUS: Mapping[str, CheckStatus] = {
    **dict.fromkeys(("feedback", "stops", "valid", "agreed", "fresh"), CheckStatus.FAIL),
    **dict.fromkeys(("addressed", "clean", "bounded", "shrinking"), CheckStatus.WARN),
    **dict.fromkeys(("task_kept", "accounted", "copied"), CheckStatus.WARN),
}
"""What a violated check counts as: real, correct clients break naive versions of the lower seven."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How strictly to judge. The defaults hold for a correct client of any framework."""

    max_attempts: int = 3
    """Attempts in all, the first included; at least 1."""
    coverage: Literal["all", "first", "any"] = "all"
    """How many of an attempt's findings its retry must feed back: all, the first one, or any."""
    must_feed_back: Literal["app", "contract"] = "app"
    """"app": what the app could know (one phase at a time: a parse error hides schema findings, a schema error hides
    content constraints); "contract": every bad finding of our contract."""
    weakest: Firmness = Firmness.WEAK
    """How firmly a finding has to be found at least. A partial one counts as weak."""
    unclear: CheckStatus = CheckStatus.WARN
    """What the check "feedback" comes to where findings are unclear and none is missing: WARN or FAIL."""
    statuses: Mapping[str, CheckStatus] = field(default_factory=lambda: DEFAULT_STATUS)
    """What a violated check counts as, by check name."""
    known_wordings: bool = True
    """Whether framework wordings may be used to recognise feedback; off, only entries and fields count."""
    proofs: tuple[Proof, ...] = ()
    """What experiments have shown; it outweighs what the requests look like."""
    escalates: tuple[str, ...] = ()
    """Whom or what a task may be handed over to: names of models and tools, or words of a final message. A conversation
    that ends so is the outcome escalated, which warns."""
    partial: bool = False
    """Whether the contracts are only the schemas that the requests carry. The app may have more rules than these and
    another budget: nothing that it asks once more is held against it."""
    copy_check: bool = False
    """Whether a valid last answer that copies an example or the feedback is the outcome false_convergence even where
    the contract has no `not_copied` constraint. Off, the check "copied" warns and the outcome stays converged: many
    tasks rightly repeat given texts, and whether an answer is valid is the contract's word alone."""
