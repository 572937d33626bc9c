"""A gate: pauses a pipeline where a condition is met, and waits until a person decides."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...contract.finding import Severity, finding_data
from ...document.path import to_dotted
from ..compat import setting
from .conditions import Condition, pause_on
from .gate_files import Pause, end_pause, read_decision, read_pause, write_pause
from .webhook import checked_url, send

if TYPE_CHECKING:
    from ...contract.finding import Finding

POLL_S = 1.0
TIMEOUT_S = 24 * 3600.0
EVENT = "pipeline.paused"


class GateOutcome(StrEnum):
    """What became of a pause."""

    RESUMED = "resumed"
    ABORTED = "aborted"
    TIMED_OUT = "timed out"
    """Nobody decided; pause.json stays, and a decision still counts after a restart."""
    PAUSED = "paused"
    """The gate does not wait, as in a test: the caller decides."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """One pause and what became of it."""

    outcome: GateOutcome
    pause: Pause
    note: str = ""
    """What the person wrote."""
    refused: tuple[str, ...] = ()
    """Stale and malformed files that were passed over, with the reason."""
    event: Mapping[str, Any] | None = None
    """The event for the webhook, also where it was not sent because nothing waits."""
    webhook_problem: str | None = None
    """Why the webhook did not take the event; None where it did, or where there is none."""


class Gate:
    """Asks of each answer and each task whether a person must look at it.

    Args:
        run_dir: folder of the run; pause.json, resume.json and abort.json stand in it.
        conditions: when to pause; those of `PLANGUARD_PAUSE_ON` by default.
        webhook: URL that gets the event `pipeline.paused`; that of `PLANGUARD_PAUSE_WEBHOOK` by default.
        wait: whether `check` waits for a person. By default it does, but never below pytest.
        timeout_s: seconds after which it stops waiting.
        poll_s: seconds between two looks at the folder.
        clock: returns the time in seconds since 1970.
        sleep: waits for seconds.
        environ: where settings are read from.

    Raises:
        UsageError: a malformed list of conditions, or a webhook that is neither https nor on this machine.
    """

    def __init__(
        self,
        run_dir: str | os.PathLike[str],
        conditions: Iterable[Condition] | None = None,
        *,
        webhook: str | None = None,
        wait: bool | None = None,
        timeout_s: float = TIMEOUT_S,
        poll_s: float = POLL_S,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.run_dir = Path(run_dir)
        self.conditions = pause_on(environ) if conditions is None else tuple(conditions)
        url = webhook or setting(environ, "PAUSE_WEBHOOK")
        self._webhook = checked_url(url) if url else None
        self._waits = "PYTEST_CURRENT_TEST" not in environ if wait is None else wait
        self._timeout_s = timeout_s
        self._poll_s = poll_s
        self._clock = clock
        self._sleep = sleep

    def check(
        self, task: str, data: Any = None, *, state: str | None = None, findings: Sequence[Finding] = ()
    ) -> GateResult | None:
        """Pause where an answer or a task meets a condition; None where none is met.

        Args:
            task: the task's name.
            data: the answer as plain data, for `field:value`.
            state: what became of the task, for `Task:state`.
            findings: those of the answer; they go into pause.json. One of severity fail, such as that of a `redline`,
                pauses by itself.

        Raises:
            RunError: the folder of the run cannot be written, or its pause.json is malformed.
        """
        waiting = self._start(task, data, state, findings)
        if waiting is None:
            return None
        for seconds in waiting:
            self._sleep(seconds)
        return waiting.result

    async def acheck(
        self,
        task: str,
        data: Any = None,
        *,
        state: str | None = None,
        findings: Sequence[Finding] = (),
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> GateResult | None:
        """`check` with a sleep that is awaited. The webhook is called in a thread."""
        waiting = await asyncio.to_thread(self._start, task, data, state, findings)
        if waiting is None:
            return None
        for seconds in waiting:
            await sleep(seconds)
        return waiting.result

    def _start(self, task: str, data: Any, state: str | None, findings: Sequence[Finding]) -> _Waiting | None:
        hit = self._hit(task, data, state) or _forbidden(findings)
        if hit is None:
            return None
        condition, value = hit
        now = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="seconds")
        pause = Pause(str(condition), task, value, now, tuple(map(finding_data, findings)))
        earlier = read_pause(self.run_dir)
        if earlier is not None and earlier.is_same(pause):
            pause = earlier  # a restart: the person knows already, and may have decided
            event, problem = None, None
        else:
            write_pause(self.run_dir, pause)
            event = {"event": EVENT, **pause.data(self.run_dir)}
            problem = send(self._webhook, event) if self._webhook and self._waits else None
        started = GateResult(GateOutcome.PAUSED, pause, event=event, webhook_problem=problem)
        return _Waiting(self.run_dir, started, self._clock, self._poll_s, self._timeout_s if self._waits else None)

    def _hit(self, task: str, data: Any, state: str | None) -> tuple[Condition, str] | None:
        for condition in self.conditions:
            if state is not None and condition.matches_task(task, state):
                return condition, state
            value = condition.matching_value(data) if data is not None else None
            if value is not None:
                return condition, value
        return None


def _forbidden(findings: Sequence[Finding]) -> tuple[Condition, str] | None:
    """Return the first finding of severity fail as a condition: where it is, and what stands there."""
    finding = next((finding for finding in findings if finding.severity is Severity.FAIL), None)
    if finding is None:
        return None
    value = finding.actual or finding.message
    return Condition(to_dotted(finding.path), value), value


class _Waiting:
    """One wait: yields the seconds to sleep before each further look, and ends with a result."""

    def __init__(
        self, run_dir: Path, started: GateResult, clock: Callable[[], float], poll_s: float, timeout_s: float | None
    ) -> None:
        self.result = started
        self._run_dir = run_dir
        self._clock = clock
        self._poll_s = poll_s
        self._timeout_s = timeout_s

    def __iter__(self) -> Iterator[float]:
        if self._timeout_s is None:
            return
        ends = self._clock() + self._timeout_s
        while not self._is_decided():
            left = ends - self._clock()
            if left <= 0:
                self._end(GateOutcome.TIMED_OUT)
                return
            yield min(self._poll_s, left)

    def _is_decided(self) -> bool:
        pause = self.result.pause
        decision, refused = read_decision(self._run_dir, pause)
        known = (*self.result.refused, *(text for text in refused if text not in self.result.refused))
        self._end(self.result.outcome, refused=known)
        if decision is None:
            return False
        end_pause(self._run_dir, pause, decision)
        self._end(GateOutcome.RESUMED if decision.resume else GateOutcome.ABORTED, note=decision.note)
        return True

    def _end(self, outcome: GateOutcome, *, note: str = "", refused: tuple[str, ...] | None = None) -> None:
        was = self.result
        told = was.refused if refused is None else refused
        self.result = GateResult(outcome, was.pause, note, told, was.event, was.webhook_problem)
