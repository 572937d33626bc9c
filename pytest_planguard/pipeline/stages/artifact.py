"""The file that a stage is about: what became of it in one run, and the verdict on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...contract.contract import Contract
from ...contract.failure_kinds import FailureKind
from ...contract.verdict import Verdict
from ...document.answer import format_of
from ...document.wrapper import open_at_end
from ...retry.judging.attempt_answers import unwritten, with_demands
from ...wire.agents.agent_run import read_agent_run
from ...wire.dialects.command_line import COMMAND_LINE
from ...wire.exchange import Exchange
from .printed_answer import exchange_of
from .stage_outcome import StageOutcome


@dataclass(frozen=True, slots=True)
class FileState:
    """A file at one moment."""

    content: bytes | None
    """None where it is not there."""
    changed_ns: int = 0
    """When it was last written, in nanoseconds."""

    @classmethod
    def of(cls, path: Path) -> FileState:
        """Look at a file."""
        try:
            return cls(path.read_bytes(), path.stat().st_mtime_ns)
        except OSError:
            return cls(None)


class ArtifactContract(Contract[Any]):
    """A contract on a file, which also knows whether the last run has written it."""

    def __init__(self, contract: Contract[Any], path: Path) -> None:
        self.__dict__.update(contract.__dict__)
        self.judged = "text"  # the loop is handed the file's text
        self.must_call = ()  # no file tells it: demands are held against what the command printed
        self._demands = contract.must_call
        self._run = Exchange(1, COMMAND_LINE)
        self._file = contract.tool or path.name
        self._path = path
        self._before = FileState(None)
        self._text = ""
        self.outcome: StageOutcome | None = None
        """What is wrong with the file as such; None where it was written and has words."""

    def begin(self) -> None:
        """Look at the file before a run."""
        self._before = FileState.of(self._path)

    @property
    def subject(self) -> str:
        """What messages call the file."""
        return self._file

    def end(self, output: str) -> str:
        """Look at the file after a run, which printed `output`. Return its text; "" where it was not written."""
        self._run = exchange_of(output, read_agent_run(output) if self._demands else None)
        after = FileState.of(self._path)
        if after.content is None:
            self.outcome = StageOutcome.MISSING
        elif after == self._before:
            self.outcome = StageOutcome.UNTOUCHED
        else:
            self.outcome = None if after.content.strip() else StageOutcome.EMPTY
            self._text = after.content.decode("utf-8", "replace")
            return self._text
        return ""

    def check(self, answer: Any, **how: Any) -> Verdict[Any]:
        """Return the verdict of the contract, or that the file was not written."""
        if self.outcome in (StageOutcome.MISSING, StageOutcome.UNTOUCHED):
            return unwritten(self.name, self._file)
        return with_demands(super().check(answer, **how), self._demands, self._run)

    def outcome_of(self, verdict: Verdict[Any] | None) -> StageOutcome:
        """Return how the stage ends whose last verdict this is."""
        if verdict is not None and verdict.ok:
            return StageOutcome.CONVERGED
        if self.outcome is not None:
            return self.outcome
        truncated = verdict is not None and verdict.kind is FailureKind.TRUNCATED
        return StageOutcome.HALF_WRITTEN if truncated or self._stops_inside() else StageOutcome.INVALID

    def _stops_inside(self) -> bool:
        """Return whether a Markdown file, which has no syntax to break, leaves something open at its end."""
        return format_of(self._path) == "markdown" and open_at_end(self._text) is not None
