"""The stages of a pipeline in order, and selections of stages: letters (`-spt`), a set (`prep`) or a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..contract.contract import Contract
from ..errors import UsageError
from .agent_command import StageFailed, StageOutcome

Prompt = str | Callable[[Mapping[str, Any]], str]
"""A prompt, or a function that builds one. It gets a mapping from the name of each earlier stage to its validated
value."""
ALL = "all"
"""The selection of every stage; `-a` is short for it."""


@dataclass(frozen=True, slots=True)
class AgentStage:
    """One stage: the prompt for the agent, and the contract of its file."""

    name: str
    contract: Contract[Any]
    """The contract for the stage's file. Its `judged` is the file's path, as `file(path)` or a string."""
    prompt: Prompt
    letter: str = ""
    """The stage's letter in a selection such as `-spt`. Defaults to the first letter of its name."""

    def __post_init__(self) -> None:
        if self.contract.tool is None or self.contract.part in ("text", "tool"):
            judged = self.contract.judged
            raise UsageError(f"stage {self.name} names no file: got judged={judged!r}; write judged='plan.md'")
        if not self.letter:
            object.__setattr__(self, "letter", self.name[:1])
        if len(self.letter) != 1 or not self.letter.isalnum():
            raise UsageError(f"stage {self.name!r} needs a letter of its own: got {self.letter!r}; write letter='s'")

    @property
    def file(self) -> str:
        """The path of the stage's file, relative to the command's working directory."""
        return self.contract.tool or ""


@dataclass(frozen=True)
class AgentPipeline:
    """Stages that one command works through, each with a file that the later ones build on."""

    command: tuple[str, ...]
    """The command line, as a tuple of arguments. `{prompt}` is a placeholder for the prompt."""
    stages: tuple[AgentStage, ...]
    """The stages in the order in which they run; the order of letters in a selection does not matter."""
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Named selections of stages: `{"prep": ("specify", "plan")}`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "command", tuple(self.command))
        object.__setattr__(self, "stages", tuple(self.stages))
        object.__setattr__(self, "sets", {name: tuple(of) for name, of in self.sets.items()})
        for what in ("name", "letter", "file"):
            values = [getattr(stage, what) for stage in self.stages]
            twice = next((value for value in values if values.count(value) > 1), None)
            if twice is not None:
                raise UsageError(f"two stages have one {what}: got {twice!r} twice; give each a {what} of its own")
        for name, of in self.sets.items():
            for stage in of:
                if stage not in self.names:
                    raise UsageError(f"set {name!r} names no stage: got {stage!r}; write one of {self._offer}")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the stages."""
        return tuple(stage.name for stage in self.stages)

    @property
    def _offer(self) -> str:
        return ", ".join(self.names)

    def selected(self, selection: str) -> tuple[AgentStage, ...]:
        """Return the stages of a selection, in the pipeline's order.

        Args:
            selection: letters (`-spt`), the name of a set or a stage, or `all` (short `-a`).

        Raises:
            UsageError: the selection matches no stage.
        """
        chosen = self._chosen(selection)
        return tuple(stage for stage in self.stages if stage.name in chosen)

    def before(self, stage: AgentStage) -> tuple[AgentStage, ...]:
        """Return the stages before this one, whose files it builds on."""
        return self.stages[: self.stages.index(stage)]

    def _chosen(self, selection: str) -> frozenset[str]:
        letters = {stage.letter: stage.name for stage in self.stages}
        if selection == ALL or (selection == "-a" and "a" not in letters):
            return frozenset(self.names)
        if selection in self.sets:
            return frozenset(self.sets[selection])
        if selection in self.names:
            return frozenset({selection})
        if len(selection) > 1 and selection[0] == "-" and set(selection[1:]) <= letters.keys():
            return frozenset(letters[letter] for letter in selection[1:])
        known = ", ".join(f"{letter} ({name})" for letter, name in letters.items())
        sets = "".join(f", {name}" for name in self.sets)
        raise UsageError(f"no such selection of stages: got {selection!r}; write letters of {known}, or all{sets}")


def file_value(stage: AgentStage, folder: Path) -> Any:
    """Return the validated value of an earlier stage's file, for later stages to build on.

    Raises:
        StageFailed: the file is missing, empty, or breaks its contract.
    """
    try:
        text = (folder / stage.file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        raise _no_ground(stage, "is missing") from None
    if not text.strip():
        raise _no_ground(stage, "is empty")
    verdict = stage.contract.check(text)
    if not verdict.ok:
        raise _no_ground(stage, "breaks its contract")
    return verdict.value


def _no_ground(stage: AgentStage, why: str) -> StageFailed:
    text = f"is blocked: {stage.file} of stage {stage.name} {why}; select that stage, too"
    return StageFailed(StageOutcome.BLOCKED, text)
