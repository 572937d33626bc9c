"""The options of the judgement of a conversation."""

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
"""The default status of a violated check. Real, correct clients break naive versions of the lower seven."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How strictly to judge. The defaults suit a correct client of any framework."""

    max_attempts: int = 3
    """Maximum number of attempts, including the first; at least 1."""
    coverage: Literal["all", "first", "any"] = "all"
    """How many of an attempt's findings its retry must feed back: all, the first one, or any."""
    must_feed_back: Literal["app", "contract"] = "app"
    """"app": findings that the app could know, one phase at a time (a parse error hides schema findings, a schema error
    hides content constraints); "contract": every bad finding of our contract."""
    weakest: Firmness = Firmness.WEAK
    """The minimum firmness that counts. A partial finding counts as weak."""
    unclear: CheckStatus = CheckStatus.WARN
    """The status of the check "feedback" if findings are unclear and none is missing: WARN or FAIL."""
    statuses: Mapping[str, CheckStatus] = field(default_factory=lambda: DEFAULT_STATUS)
    """The status of a violated check, by check name."""
    known_wordings: bool = True
    """True if planguard uses the wordings of known frameworks to recognise feedback."""
    proofs: tuple[Proof, ...] = ()
    """Results of experiments. They take precedence over reading the requests."""
    escalates: tuple[str, ...] = ()
    """Declared handovers: names of models and tools, or words of a final message. A conversation that ends with one of
    them has the outcome escalated, which warns."""
    partial: bool = False
    """True if the contracts are only the schemas in the requests. The app may then have more rules and another budget,
    so a further request is never an error."""
    copy_check: bool = False
    """True if a valid last answer that copies an example or the feedback has the outcome false_convergence, even if
    the contract has no `not_copied` constraint. If False, the check "copied" warns and the outcome is converged, since
    the answers of many tasks should repeat given texts."""
