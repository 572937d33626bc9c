"""The stream monitor: reads an answer chunk by chunk, and reports problems before it ends."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING

from .conditions import switched_on
from .stream_deltas import Channel, Delta, deltas_of
from .stream_detectors import CHARACTERS_PER_TOKEN, StreamFinding, StreamThresholds, Track, refusal_finding

if TYPE_CHECKING:
    from ..contract.contract import Contract


# `stream.log` in a run's folder shows a model's text while the model writes it.

STREAM_LOG = "stream.log"


class StreamLog:
    """Appends the text of answers to a file for `tail -f`. A disk error stops the log, but not the run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem: OSError | None = None
        """The error that stopped the log, if any."""
        self._file: IO[str] | None = None

    def write(self, text: str) -> None:
        """Write a piece and flush it."""
        if self.problem is not None:
            return
        try:
            if self._file is None:
                self._file = self._open()
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            self.problem = error

    def close(self) -> None:
        """Close the file; a later `write` reopens it, and begins a new line."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> IO[str]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("a", encoding="utf-8", errors="backslashreplace", newline="")
        if file.tell():  # the answer before ends without a line break
            file.write("\n")
        return file


def stream_log(run_dir: str | os.PathLike[str] | None) -> StreamLog | None:
    """Return the log in a run's folder if `PLANGUARD_STREAM_LOG=true`, else None; without a folder, None.

    `PLANEXE_STREAM_LOG` is a synonym. The first piece of text creates the file.
    """
    return (
        StreamLog(Path(run_dir) / STREAM_LOG) if run_dir is not None and switched_on(os.environ, "STREAM_LOG") else None
    )


class StreamMonitor:
    """Watches one answer, whose chunks may come from any source.

    Args:
        contract: the contract for the answer; without one, only loops, refusals and length are watched.
        thresholds: when the detectors fire.
        log: receives the text while it arrives; None writes no log.
    """

    def __init__(
        self,
        contract: Contract | None = None,
        *,
        thresholds: StreamThresholds | None = None,
        log: StreamLog | None = None,
    ) -> None:
        self._contract = contract
        self._thresholds = thresholds or StreamThresholds()
        self._log = log
        self._judges_text = contract is None or contract.tool is None
        self._found: list[StreamFinding] = []
        self._words = Track(contract if self._judges_text else None, self._thresholds, self._found)
        self._calls: dict[int, Track] = {}
        self._output: int | None = None
        self._refused = False

    @property
    def findings(self) -> tuple[StreamFinding, ...]:
        """The findings so far, in the order of detection."""
        return tuple(self._found)

    @property
    def text(self) -> str:
        """The text of the answer so far, without tool calls."""
        return self._words.text

    @property
    def arguments(self) -> Mapping[int, str]:
        """The arguments of each tool call so far. The keys are the provider's call indices."""
        return {call: track.text for call, track in self._calls.items()}

    @property
    def judged_text(self) -> str:
        """The judged text: the arguments of the output tool if there are any, else the answer's text."""
        return self.text if self._output is None else self._calls[self._output].text

    def feed(self, item: object) -> tuple[StreamFinding, ...]:
        """Take a piece of text, an SDK's object or a parsed event, and return its new findings."""
        before = len(self._found)
        for delta in deltas_of(item):
            if delta.channel is Channel.TEXT:
                self._take_text(delta)
            else:
                self._take(delta)
        return tuple(self._found[before:])

    def finish(self) -> tuple[StreamFinding, ...]:
        """End the answer, and return findings that show only at the end."""
        before = len(self._found)
        for track in (self._words, *self._calls.values()):
            track.finish()
        return tuple(self._found[before:])

    def _take(self, delta: Delta) -> None:
        """Take a piece that is not text."""
        if delta.channel is Channel.REFUSAL and not self._refused:
            at = self._words.length + len(delta.text)
            self._found.append(StreamFinding(refusal_finding(delta.text), at, -(-at // CHARACTERS_PER_TOKEN)))
            self._refused = True
        elif delta.channel is Channel.ARGUMENTS:
            self._take_arguments(delta)

    def _take_text(self, delta: Delta) -> None:
        if delta.text:
            self._words.add(delta.text)
            if self._log is not None:
                self._log.write(delta.text)
        if delta.output_tokens is not None:
            self._words.count(delta.output_tokens)

    def _take_arguments(self, delta: Delta) -> None:
        """Take a piece of a call. The provider's own tools, such as its web search, do not start a call here."""
        number = len(self._calls) if delta.call is None else delta.call
        if number not in self._calls and delta.tool is not None:
            # Only the first call of the contract's tool is judged.
            judged = self._output is None and self._contract is not None and delta.tool == self._contract.tool
            self._output = number if judged else self._output
            self._calls[number] = Track(self._contract if judged else None, self._thresholds, self._found)
        if number in self._calls:
            self._calls[number].add(delta.text)
            if self._log is not None:
                self._log.write(delta.text)
