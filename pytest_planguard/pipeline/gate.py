"""A gate pauses a pipeline when a condition is met, notifies a webhook, and waits for a person's decision."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..contract.finding import Severity, finding_data
from ..document.path import to_dotted
from ..errors import UsageError
from .conditions import Condition, pause_on, setting
from .state_files import Pause, end_pause, read_decision, read_pause, write_pause

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from urllib.request import Request

    from ..contract.finding import Finding


# The event `pipeline.paused` goes to a webhook. The pipeline goes on even if that fails.

WEBHOOK_TIMEOUT_S = 3.0
"""Maximum number of seconds for a webhook: the pipeline waits for it, and pause.json holds the same information."""


def checked_url(url: str) -> str:
    """Return a webhook's URL. Raises UsageError unless it is https, or http to this machine."""
    with suppress(ValueError):  # "https://[::1" lacks a bracket
        parts = urlsplit(url)
        if parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))):
            return url
    raise UsageError(f"wrong webhook: got {url!r}; give an https URL, or http to 127.0.0.1 or localhost")


def send(url: str, event: Mapping[str, Any], timeout_s: float = WEBHOOK_TIMEOUT_S) -> str | None:
    """Post an event as JSON. Return the reason for a failure, or None after success.

    Waits at most `timeout_s` seconds in total, even for a server that sends a byte at a time. Redirects to another host
    are not followed.
    """
    problems: list[str | None] = []
    worker = threading.Thread(target=lambda: problems.append(_post(url, event, timeout_s)), daemon=True)
    worker.start()
    worker.join(timeout_s)
    return problems[0] if problems else f"the webhook did not answer within {timeout_s:g} s"


def _post(url: str, event: Mapping[str, object], timeout_s: float) -> str | None:
    from urllib.error import HTTPError
    from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

    class SameHost(HTTPRedirectHandler):
        """Refuses to send an event to another host than the configured one."""

        def redirect_request(
            self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
        ) -> Request | None:
            if _origin(newurl) != _origin(url):
                raise HTTPError(req.full_url, code, f"it redirects to another host, {_origin(newurl)}", headers, fp)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    body = json.dumps(event, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace")
    request = Request(url, body, {"Content-Type": "application/json"}, method="POST")
    handlers = [SameHost(), ProxyHandler({})] if _is_loopback(urlsplit(url).hostname or "") else [SameHost()]
    try:
        with build_opener(*handlers).open(request, timeout=timeout_s):
            return None
    except HTTPError as error:
        error.close()
        return f"the webhook answered {error.code}: {error.reason}"
    except Exception as error:  # the pipeline must go on despite any failure of a foreign server
        return f"the webhook cannot be reached: {type(error).__name__}: {error}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


POLL_S = 1.0
"""Seconds between two checks of the folder; short enough for people."""
TIMEOUT_S = 24 * 3600.0
"""Timeout in seconds: a day, so that a person can decide in the morning about a pause in the evening."""
EVENT = "pipeline.paused"


class GateOutcome(StrEnum):
    """How a pause ended."""

    RESUMED = "resumed"
    ABORTED = "aborted"
    TIMED_OUT = "timed out"
    """No decision came in time. pause.json remains, so a restarted pipeline still accepts a decision."""
    PAUSED = "paused"
    """The gate is configured not to wait, as in a test. The caller decides."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """One pause and its outcome."""

    outcome: GateOutcome
    pause: Pause
    note: str = ""
    """The person's note."""
    refused: tuple[str, ...] = ()
    """Outdated and malformed files that were skipped, with the reasons."""
    event: Mapping[str, Any] | None = None
    """The event for the webhook, even if it was not sent because the gate does not wait."""
    webhook_problem: str | None = None
    """The reason why the webhook did not accept the event; None if it did, or if there is no webhook."""

    @property
    def resumed(self) -> bool:
        """True if a person decided to go on."""
        return self.outcome is GateOutcome.RESUMED


class Gate:
    """Pauses a pipeline when an answer or a task needs a person's decision.

    Args:
        run_dir: folder of the run, for pause.json, resume.json and abort.json.
        conditions: when to pause; `PLANGUARD_PAUSE_ON` by default.
        webhook: URL for the event `pipeline.paused`; `PLANGUARD_PAUSE_WEBHOOK` by default.
        wait: True to let `check` wait for a person. It waits by default, but never in a pytest run.
        timeout_s: seconds after which it stops waiting.
        poll_s: seconds between two checks of the folder.
        clock: returns the time in seconds since 1970.
        sleep: waits for a number of seconds.
        environ: the environment with the settings.

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
        self.waits = "PYTEST_CURRENT_TEST" not in environ if wait is None else wait
        self.timeout_s = timeout_s
        self.poll_s = poll_s
        self.clock = clock
        self._sleep = sleep

    def check(
        self, task: str, data: object = None, *, state: str | None = None, findings: Sequence[Finding] = ()
    ) -> GateResult | None:
        """Pause if an answer or a task meets a condition; return None if none is met.

        Args:
            task: the task's name.
            data: the answer as plain data, for `field:value`.
            state: the task's state, for `Task:state`.
            findings: the answer's findings, for pause.json. One of severity fail, such as that of a `redline`, pauses
                by itself.

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
        data: object = None,
        *,
        state: str | None = None,
        findings: Sequence[Finding] = (),
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> GateResult | None:
        """Do the same as `check`, with an awaited sleep. The webhook is called in a thread."""
        waiting = await asyncio.to_thread(self._start, task, data, state, findings)
        if waiting is None:
            return None
        for seconds in waiting:
            await sleep(seconds)
        return waiting.result

    def _start(self, task: str, data: object, state: str | None, findings: Sequence[Finding]) -> _Waiting | None:
        hit = self._hit(task, data, state) or _forbidden(findings)
        if hit is None:
            return None
        condition, value = hit
        now = datetime.fromtimestamp(self.clock(), UTC).isoformat(timespec="seconds")
        pause = Pause(str(condition), task, value, now, secrets.token_hex(8), tuple(map(finding_data, findings)))
        earlier = read_pause(self.run_dir)
        if earlier is not None and earlier.is_same(pause):
            pause = earlier  # a restart: the person has been notified, and may have decided
            event, problem = None, None
        else:
            write_pause(self.run_dir, pause)
            event = {"event": EVENT, **pause.data(self.run_dir)}
            problem = send(self._webhook, event) if self._webhook and self.waits else None
        started = GateResult(GateOutcome.PAUSED, pause, event=event, webhook_problem=problem)
        return _Waiting(started, self)

    def _hit(self, task: str, data: object, state: str | None) -> tuple[Condition, str] | None:
        for condition in self.conditions:
            if state is not None and condition.matches_task(task, state):
                return condition, state
            value = condition.matching_value(data) if data is not None else None
            if value is not None:
                return condition, value
        return None


def _forbidden(findings: Sequence[Finding]) -> tuple[Condition, str] | None:
    """Return the first finding of severity fail as a condition: its place and its value."""
    finding = next((finding for finding in findings if finding.severity is Severity.FAIL), None)
    if finding is None:
        return None
    value = finding.actual or finding.message
    return Condition(to_dotted(finding.path), value), value


_SHORTEST_S = 0.001
"""Minimum sleep in seconds, so that a wait with `poll_s=0` times out as well."""


@dataclass
class _Waiting:
    """One wait: yields the seconds to sleep before each check, and ends with a result."""

    result: GateResult
    gate: Gate

    def __iter__(self) -> Iterator[float]:
        left = self.gate.timeout_s  # counts the seconds slept, because someone may set the clock
        while self.gate.waits and not self._is_decided():
            if left <= 0:
                self.result = replace(self.result, outcome=GateOutcome.TIMED_OUT)
                return
            seconds = min(max(self.gate.poll_s, _SHORTEST_S), left)
            left -= seconds
            yield seconds

    def _is_decided(self) -> bool:
        pause = self.result.pause
        decision, refused = read_decision(self.gate.run_dir, pause)
        self.result = replace(self.result, refused=tuple(dict.fromkeys([*self.result.refused, *refused])))
        if decision is None:
            return False
        end_pause(self.gate.run_dir, pause, decision)
        outcome = GateOutcome.RESUMED if decision.resume else GateOutcome.ABORTED
        self.result = replace(self.result, outcome=outcome, note=decision.note)
        return True
