"""How a stage ends: with a good file, with a bad one, with none, or with a command that did not end well."""

from __future__ import annotations

from enum import StrEnum

from ...errors import ContractFailed


class StageOutcome(StrEnum):
    """How a stage ended."""

    CONVERGED = "converged"
    """The file keeps its contract."""
    INVALID = "invalid"
    """The file breaks its contract, and no attempt is left that could help."""
    HALF_WRITTEN = "half_written"
    """The file stops inside the document."""
    EMPTY = "empty"
    """The file is there, and nothing is in it."""
    MISSING = "missing"
    """The command ended well, and the file is not there."""
    UNTOUCHED = "untouched"
    """The file is there since before the command ran, which did not write it."""
    FAILED = "failed"
    """The command ended with an exit code other than 0."""
    KILLED = "killed"
    """A signal ended the command."""
    TIMED_OUT = "timed_out"
    """The command was ended by the stage's time limit."""
    NOT_STARTED = "not_started"
    """There is no such command, or it cannot be run."""
    BLOCKED = "blocked"
    """An earlier stage of the pipeline left no good file, so this one did not run."""
    EXHAUSTED = "exhausted"
    """Earlier runs of the pipeline have used up all attempts, so this one did not run."""
    REFUSED = "refused"
    """The command's recording has no answer to what it was asked."""


class StageFailed(ContractFailed):
    """A stage did not end with a good file."""

    def __init__(self, outcome: StageOutcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome
