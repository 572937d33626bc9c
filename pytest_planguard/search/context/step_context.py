"""What a step is asked with, and its place in a recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .channels import DownstreamFailure, OwnFailure
from .wording import with_feedback


class TapeKey(NamedTuple):
    """What identifies one call of a search in a recording.

    A tuple, since every call of a search makes one and looks it up: it is hashed and compared without Python code.
    """

    step: str
    prefix: str
    """16 hex digits over the answers before it."""
    feedback: str
    """16 hex digits over both channels as sets of codes and paths; "" where nothing was fed back."""
    index: int  # type: ignore[assignment]  # hides `tuple.index`, which nobody asks of a key
    """From 0, among the answers to the same prefix."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """An answer that passed its guard."""

    step: str
    answer: str
    """As text; a parsed value in canonical JSON."""
    value: Any = None
    """The validated value of the verdict."""
    node: int = 0
    """Number of the search node."""


@dataclass(frozen=True, slots=True)
class StepContext:
    """Everything that a step may build its request from."""

    key: TapeKey
    path: tuple[Artifact, ...]
    """The answers of the steps before it, first step first."""
    own: Sequence[OwnFailure]
    """Rejected answers of this step to this path, oldest first."""
    downstream: Sequence[DownstreamFailure]
    """Failures of later steps that this step is blamed for, oldest first."""
    max_attempts: int
    """Answers that the budget allows for this path."""
    previous: int | None = None
    """Number of the search node of the answer to the same path before this one."""

    @property
    def step(self) -> str:
        """Name of the step."""
        return self.key.step

    @property
    def attempt(self) -> int:
        """Which answer to this path is asked for, from 1."""
        return self.key.index + 1

    def messages(self, messages: Sequence[Mapping[str, Any]] | str, *, style: str = "default") -> list[dict[str, Any]]:
        """Return chat messages with both channels behind the last user turn, each in its own words.

        Args:
            messages: the request without feedback; a text is one user message.
            style: the feedback style of the step's own failures.

        Raises:
            UsageError: an unknown style, or no user turn to put the feedback into.
        """
        return with_feedback(messages, self.own, self.downstream, style, self.max_attempts)
