"""An answer that is wrong in one known way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from ...contract.failure_kinds import FailureKind
from ...document.path import Path, to_dotted

NearMissKind = Literal[
    "drop_required",
    "null",
    "wrong_type",
    "unlisted_value",
    "too_short",
    "too_long",
    "below",
    "above",
    "not_a_multiple",
    "pattern",
    "format",
    "extra_key",
    "fewer_items",
    "more_items",
    "repeated_item",
    "lost_text",
    "forbidden_text",
    "unequal_lists",
    "unknown_ref",
    "self_reference",
    "cycle",
    "repeated_id",
    "truncated",
    "fenced",
    "prose_around",
    "thinking",
    "trailing_comma",
    "single_quotes",
    "not_a_number",
    "repeated_key",
    "two_documents",
    "schema_echo",
    "wrapped",
    "encoded",
    "empty",
    "ask_back",
    "refusal",
]
"""What is wrong: first with one value of the document, from "truncated" on with the text around it."""

KINDS: tuple[NearMissKind, ...] = get_args(NearMissKind)


@dataclass(frozen=True, slots=True)
class NearMiss:
    """One answer that a contract must reject, and why."""

    text: str
    """The answer as a model would write it."""
    kind: NearMissKind
    path: Path
    """Where it was made wrong: keys and 0-based indices; () for the whole answer."""
    failure: FailureKind
    """The kind of finding that the contract must report at `path` or above it."""
    value: Any = None
    """The document; None where the text is none."""
    code: str | None = None
    """The code of that finding, for a plan: the rule that the plan breaks."""

    def __str__(self) -> str:
        """Say what is wrong: 'too_short at tasks[0].title'."""
        return f"{self.kind} at {to_dotted(self.path)}"
