"""Run a command-line agent once: pass the prompt, enforce a time limit, and report how it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ..errors import ContractFailed


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
        given = None if words != list(self.words) or self.prompt_file is not None else prompt.encode()
        process = self._started(words, reads=given is not None)
        output, errors, ended = self._communicated(process, given, has_no_end)
        self._refuse_bad_end(process.returncode, errors if errors.strip() else output, ended=ended)
        return output.decode("utf-8", "replace")

    def _started(self, words: Sequence[str], *, reads: bool) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                words,
                cwd=self.cwd,
                stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise StageFailed(
                StageOutcome.NOT_STARTED,
                f"{self.name} cannot be started: got {reason}; install it, or name it in commands= and replay it",
            ) from None

    def _communicated(
        self, process: subprocess.Popen[bytes], given: bytes | None, has_no_end: Callable[[], bool]
    ) -> tuple[bytes, bytes, bool]:
        """Return its output, its error output, and True if it ended in time."""
        until = time.monotonic() + self.timeout_s
        while True:
            left = until - time.monotonic()
            try:
                return *process.communicate(given, timeout=max(min(_LOOK_S, left), 0.001)), True
            except subprocess.TimeoutExpired:
                given = None if process.stdin is None else given
                if left <= 0 or has_no_end():
                    _kill(process)
                    return *process.communicate(), False

    def _refuse_bad_end(self, code: int, output: bytes, *, ended: bool) -> None:
        said = _last_line(output)
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


def _last_line(output: bytes) -> str:
    """Return ', last line "no such model"'; "" if nothing was printed."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return f', last line "{lines[-1][:200]}"' if lines else ""
