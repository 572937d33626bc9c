"""The stages of a pipeline, selections of them (`-spt`, `prep`, a name), and one run of the agent for a stage."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from ..contract.contract import Contract
from ..errors import ContractFailed, UsageError

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


# One run of a command-line agent: pass the prompt, enforce a time limit, and report how it ended.


class StageOutcome(StrEnum):
    """How a stage ended."""

    CONVERGED = "converged"
    """The file satisfies its contract."""
    INVALID = "invalid"
    """The file breaks its contract, and no attempt is left that could help."""
    HALF_WRITTEN = "half_written"
    """The file ends in the middle of the document."""
    EMPTY = "empty"
    """The file exists but is empty."""
    MISSING = "missing"
    """The command succeeded, but did not create the file."""
    UNTOUCHED = "untouched"
    """The file existed before the command ran, and the command did not write it."""
    FAILED = "failed"
    """The command ended with an exit code other than 0."""
    KILLED = "killed"
    """A signal ended the command."""
    TIMED_OUT = "timed_out"
    """The stage's time limit ended the command."""
    NOT_STARTED = "not_started"
    """The command does not exist or cannot run."""
    BLOCKED = "blocked"
    """An earlier stage of the pipeline left no valid file, so this one did not run."""
    EXHAUSTED = "exhausted"
    """Earlier runs of the pipeline have used up all attempts, so this one did not run."""
    REFUSED = "refused"
    """The command's cassette has no answer to a request."""


class StageFailed(ContractFailed):
    """A stage did not end with a valid file."""

    def __init__(self, outcome: StageOutcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome


PROMPT = "{prompt}"
"""Placeholder for the prompt in the words of a command."""
_LOOK_S = 0.1
"""Seconds between two checks for a cassette that was cut off."""


@dataclass(frozen=True, slots=True)
class AgentCommand:
    """A command and the way to pass its prompt: in words that contain `{prompt}`, in a file, or on standard input."""

    words: tuple[str, ...]
    cwd: Path
    """Its working directory."""
    timeout_s: float
    """Seconds after which it is killed."""
    prompt_file: str | None = None
    """The file to which the prompt is written before each run, relative to `cwd`."""

    @property
    def name(self) -> str:
        """The first word."""
        return self.words[0]

    def run(self, prompt: str, has_no_end: Callable[[], bool]) -> str:
        """Run the command to its end, and return its standard output.

        `has_no_end` returns True if its cassette was cut off, so that waiting is pointless.

        Raises:
            StageFailed: it cannot be started, or did not end with exit code 0.
        """
        words = [word.replace(PROMPT, prompt) for word in self.words]
        if self.prompt_file is not None:
            (self.cwd / self.prompt_file).write_text(prompt, encoding="utf-8")
        given = "" if words != list(self.words) or self.prompt_file is not None else prompt
        process = self._started(words, given.encode())
        output, errors, ended = self._communicated(process, has_no_end)
        self._refuse_bad_end(process.returncode, errors if errors.strip() else output, ended=ended)
        return output.decode("utf-8", "replace")

    def _started(self, words: Sequence[str], given: bytes) -> subprocess.Popen[bytes]:
        try:
            with TemporaryFile() as file:  # `communicate` cannot write to a pipe any more once it has timed out
                file.write(given)
                file.seek(0)
                return subprocess.Popen(
                    words,
                    cwd=self.cwd,
                    stdin=file,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # its own process group, so that a kill at the time limit ends its children
                )
        except OSError as error:
            reason = error.strerror or str(error)
            raise StageFailed(
                StageOutcome.NOT_STARTED,
                f"{self.name} cannot be started: got {reason}; install it, or name it in commands= and replay it",
            ) from None

    def _communicated(
        self, process: subprocess.Popen[bytes], has_no_end: Callable[[], bool]
    ) -> tuple[bytes, bytes, bool]:
        """Return its output, its error output, and True if it ended in time."""
        until = time.monotonic() + self.timeout_s
        while True:
            left = until - time.monotonic()
            try:
                return *process.communicate(timeout=max(min(_LOOK_S, left), 0.001)), True
            except subprocess.TimeoutExpired:
                if left <= 0 or has_no_end():
                    _kill(process)
                    return *process.communicate(), False

    def _refuse_bad_end(self, code: int, output: bytes, *, ended: bool) -> None:
        lines = output.decode("utf-8", "replace").strip().splitlines()
        said = f', last line "{lines[-1][:200]}"' if lines else ""
        if not ended:
            text = f"{self.name} was killed after its time limit of {self.timeout_s:g} s{said}; raise timeout_s"
            raise StageFailed(StageOutcome.TIMED_OUT, text)
        if code < 0:
            name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
            raise StageFailed(
                StageOutcome.KILLED, f"{self.name} was killed: got {name}{said}; look at why it was ended"
            )
        if code:
            text = f"{self.name} failed: got exit code {code}{said}; repair the command, its file was not judged"
            raise StageFailed(StageOutcome.FAILED, text)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        process.kill()
