"""The protocol of a gate: pause, wait, resume, abort, time out, restart."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import Contract, UsageError
from pytest_planguard.errors import RunError
from pytest_planguard.pipeline.conditions import parse_conditions
from pytest_planguard.pipeline.gate import Gate, GateOutcome, GateResult, checked_url, send
from pytest_planguard.pipeline.state_files import Decision, read_pause, write_decision

from ..support.commands import run
from ..support.cost import no_hang
from .webhook_server import Webhook, webhook

CONDITIONS = parse_conditions("go:Do Not Execute,RedlineGateTask:blocked")
ANSWER = {"go": "Do Not Execute"}
PIPELINE = """
import sys
from pytest_planguard.pipeline.conditions import parse_conditions
from pytest_planguard.pipeline.gate import Gate

gate = Gate(sys.argv[1], parse_conditions("go:Do Not Execute"), poll_s=0.02, timeout_s=60)
result = gate.check("ExpertTask", {"go": "Do Not Execute"})
print(result.outcome, result.note, result.pause.id)
"""


class Clock:
    """A clock that only sleeping moves, and things that happen at a time."""

    def __init__(self) -> None:
        self.now = 1_000_000.0
        self.slept: list[float] = []
        self.events: dict[int, Callable[[], object]] = {}

    def __call__(self) -> float:
        """The time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass, then let happen what is due."""
        self.slept.append(seconds)
        self.now += seconds
        event = self.events.pop(len(self.slept), None)
        if event is not None:
            event()


class SetClock(Clock):
    """A clock that somebody sets an hour back or on between two looks."""

    def __init__(self, by: float) -> None:
        super().__init__()
        self.by = by

    def __call__(self) -> float:
        """The time, an hour off the last one."""
        self.now += self.by
        return self.now


def gate(run_dir: Path, clock: Clock, **options: Any) -> Gate:
    """A gate that waits by a fake clock."""
    given = {"wait": True, "poll_s": 1, "timeout_s": 100, "environ": {}, **options}
    return Gate(run_dir, CONDITIONS, clock=clock, sleep=clock.sleep, **given)


def checked(run_dir: Path, clock: Clock, **options: Any) -> GateResult:
    """What becomes of the answer that meets a condition."""
    result = gate(run_dir, clock, **options).check("ExpertTask", ANSWER)
    assert result is not None
    return result


def test_a_gate_waits_until_somebody_resumes(tmp_path: Path) -> None:
    """A gate waits until somebody resumes."""
    clock = Clock()
    clock.events[5] = lambda: write_decision(tmp_path, Decision(True, "go on"))
    result = checked(tmp_path, clock)
    assert (result.outcome, result.note, clock.slept) == (GateOutcome.RESUMED, "go on", [1] * 5)
    assert [path.name for path in tmp_path.iterdir()] == [f"gate-{result.pause.id}.json"]
    kept = json.loads((tmp_path / f"gate-{result.pause.id}.json").read_text("utf-8"))
    assert (kept["outcome"], kept["note"], kept["value"]) == ("resumed", "go on", "Do Not Execute")


def test_pause_json_says_why_and_how_to_go_on(tmp_path: Path) -> None:
    """Pause json says why and how to go on."""
    findings = Contract(dict[str, int]).check('{"go": "x"}').findings
    gate(tmp_path, Clock(), timeout_s=0).check("ExpertTask", ANSWER, findings=findings)
    data = json.loads((tmp_path / "pause.json").read_text("utf-8"))
    assert (data["condition"], data["task"], data["value"]) == ("go:Do Not Execute", "ExpertTask", "Do Not Execute")
    assert data["paused_at"] == "1970-01-12T13:46:40+00:00"
    assert [finding["path"] for finding in data["findings"]] == [["go"]]
    assert data["how_to_go_on"]["resume"] == f"planguard gate resume --run-dir {tmp_path}"


def test_a_command_of_pause_json_can_be_copied(tmp_path: Path) -> None:
    """A folder with a blank is quoted for the shell."""
    folder = tmp_path / "my run"
    gate(folder, Clock(), timeout_s=0).check("ExpertTask", ANSWER)
    data = json.loads((folder / "pause.json").read_text("utf-8"))
    assert shlex.split(data["how_to_go_on"]["abort"]) == ["planguard", "gate", "abort", "--run-dir", str(folder)]


def test_a_task_that_comes_into_a_state_pauses(tmp_path: Path) -> None:
    """A task that comes into a state pauses."""
    result = gate(tmp_path, Clock(), wait=False).check("RedlineGateTask", state="Blocked")
    assert result is not None
    assert (result.outcome, result.pause.condition) == (GateOutcome.PAUSED, "RedlineGateTask:blocked")


@pytest.mark.parametrize(
    ("task", "answer", "state"), [("T", {"go": "Go"}, None), ("T", None, "blocked"), ("T", [], "")]
)
def test_a_gate_lets_pass_what_meets_no_condition(tmp_path: Path, task: str, answer: Any, state: str | None) -> None:
    """A gate lets pass what meets no condition."""
    assert gate(tmp_path, Clock()).check(task, answer, state=state) is None
    assert list(tmp_path.iterdir()) == []


def test_an_abort_is_another_outcome(tmp_path: Path) -> None:
    """An abort is another outcome."""
    clock = Clock()
    clock.events[1] = lambda: write_decision(tmp_path, Decision(False))
    assert checked(tmp_path, clock).outcome is GateOutcome.ABORTED


def test_with_both_files_present_the_abort_counts(tmp_path: Path) -> None:
    """With both files present the abort counts."""
    clock = Clock()

    def decide() -> None:
        write_decision(tmp_path, Decision(True))
        write_decision(tmp_path, Decision(False))

    clock.events[1] = decide
    result = checked(tmp_path, clock)
    assert result.outcome is GateOutcome.ABORTED
    assert not (tmp_path / "resume.json").exists()


def test_nobody_decides_in_time(tmp_path: Path) -> None:
    """Nobody decides in time."""
    clock = Clock()
    result = checked(tmp_path, clock, timeout_s=2.5)
    assert (result.outcome, clock.slept) == (GateOutcome.TIMED_OUT, [1, 1, 0.5])
    assert read_pause(tmp_path) == result.pause


def test_a_decision_after_the_timeout_counts_when_the_pipeline_starts_again(tmp_path: Path) -> None:
    """A decision after the timeout counts when the pipeline starts again."""
    late = checked(tmp_path, Clock(), timeout_s=1)
    write_decision(tmp_path, Decision(True))
    again = checked(tmp_path, Clock())
    assert (again.outcome, again.pause) == (GateOutcome.RESUMED, late.pause)


def test_a_stale_answer_is_refused_and_named(tmp_path: Path) -> None:
    """An answer to an earlier pause does not open this gate."""
    (tmp_path / "resume.json").write_text('{"pause": "0123"}', "utf-8")
    result = checked(tmp_path, Clock(), timeout_s=3)
    assert result.outcome is GateOutcome.TIMED_OUT
    (refused,) = result.refused
    assert refused == (
        f"resume.json is refused: got the answer to pause '0123', not to {result.pause.id!r}; "
        "remove it, or run `planguard gate resume` or `planguard gate abort`"
    )


def test_a_file_that_is_older_than_the_pause_is_refused(tmp_path: Path) -> None:
    """A file that is older than the pause is refused."""
    (tmp_path / "abort.json").write_text("{}", "utf-8")
    os.utime(tmp_path / "abort.json", (1, 1))
    result = checked(tmp_path, Clock(), timeout_s=3)
    (refused,) = result.refused
    assert refused == (
        "abort.json is refused: got a file older than pause.json; "
        "remove it, or run `planguard gate resume` or `planguard gate abort`"
    )


@pytest.mark.parametrize(("text", "got"), [("", "no JSON"), ("{", "no JSON"), ("[]", "JSON that is list, no object")])
def test_a_malformed_answer_is_refused_until_it_is_mended(tmp_path: Path, text: str, got: str) -> None:
    """An editor may write in two steps: what is half-written now may be whole at the next look."""
    clock = Clock()
    clock.events[1] = lambda: (tmp_path / "resume.json").write_text(text, "utf-8")
    clock.events[3] = lambda: (tmp_path / "resume.json").write_text('{"note": "by hand"}', "utf-8")
    result = checked(tmp_path, clock)
    assert (result.outcome, result.note, len(clock.slept)) == (GateOutcome.RESUMED, "by hand", 3)
    assert result.refused == (f"resume.json is refused: got {got}; write a JSON object, or {{}}",)


WHOLE = (
    '{"condition": "a:b", "task": "T", "value": "b", "paused_at": "1970-01-12T13:46:40+00:00", '
    '"id": "1", "findings": %s}'
)


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 1}', WHOLE % "3", WHOLE % "[3]"])
def test_a_malformed_pause_is_named(tmp_path: Path, text: str) -> None:
    """A malformed pause is named."""
    (tmp_path / "pause.json").write_text(text, "utf-8")
    with pytest.raises(RunError, match=r"pause\.json .*; remove it, and the pipeline writes it again$"):
        checked(tmp_path, Clock())


def test_below_pytest_a_gate_never_waits_and_sends_nothing(tmp_path: Path, hook: Webhook) -> None:
    """The environment of this very test says so; the event is there to be asserted."""
    with no_hang():
        result = Gate(tmp_path, CONDITIONS, webhook=hook.url).check("ExpertTask", ANSWER)
    assert result is not None
    assert result.outcome is GateOutcome.PAUSED
    assert hook.events == []
    assert result.event is not None
    assert (result.event["event"], result.event["id"]) == ("pipeline.paused", result.pause.id)


def test_an_async_pipeline_waits_without_blocking(tmp_path: Path) -> None:
    """An async pipeline waits without blocking."""

    async def both() -> GateResult | None:
        waiting = Gate(tmp_path, CONDITIONS, wait=True, poll_s=0.01, timeout_s=20)
        task = asyncio.create_task(waiting.acheck("ExpertTask", ANSWER))
        while not (tmp_path / "pause.json").exists():
            await asyncio.sleep(0.01)
        write_decision(tmp_path, Decision(True))
        return await task

    result = asyncio.run(both())
    assert result is not None
    assert result.outcome is GateOutcome.RESUMED


def start_pipeline(run_dir: Path) -> subprocess.Popen[str]:
    """A real process that waits at a gate."""
    environ = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
    process = subprocess.Popen(
        [sys.executable, "-c", PIPELINE, str(run_dir)], stdout=subprocess.PIPE, text=True, env=environ
    )
    ends = time.monotonic() + 30
    while not (run_dir / "pause.json").exists():
        assert time.monotonic() < ends
        time.sleep(0.02)
    return process


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    code = "from pytest_planguard.cli.main import main; main()"
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second"), [("resume", "resume"), ("abort", "abort"), ("abort", "resume"), ("resume", "abort")]
)
def test_a_decision_is_made_once(tmp_path: Path, first: str, second: str) -> None:
    """Its note isn't lost. A resume after an abort, which would change nothing, is refused; an abort may follow."""
    clock = Clock()
    clock.events[1] = lambda: answers.extend(
        run("gate", verb, "--run-dir", str(tmp_path), "--note", verb) for verb in (first, second)
    )
    answers: list[Any] = []
    result = checked(tmp_path, clock)
    allowed = (first, second) == ("resume", "abort")
    outcome = GateOutcome.RESUMED if first == second == "resume" else GateOutcome.ABORTED
    assert [answer.exit_code for answer in answers] == [0, 0 if allowed else 3]
    assert allowed or f"is already decided, by {first}.json" in answers[1].stderr
    assert (result.outcome, result.note) == (outcome, "abort" if allowed else first)


@pytest.mark.parametrize(("verb", "outcome"), [("resume", "resumed"), ("abort", "aborted")])
def test_a_second_process_decides(tmp_path: Path, verb: str, outcome: str) -> None:
    """A second process decides."""
    pipeline = start_pipeline(tmp_path)
    done = command("gate", verb, "--run-dir", str(tmp_path), "--note", "looked at it")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / f'{verb}.json'} is written\n")
    output, _ = pipeline.communicate(timeout=30)
    assert output.startswith(f"{outcome} looked at it ")


@pytest.mark.slow
def test_a_pipeline_that_was_killed_goes_on_where_it_waited(tmp_path: Path) -> None:
    """The decision that was made while nothing ran counts for the same pause."""
    first = start_pipeline(tmp_path)
    pause = read_pause(tmp_path)
    assert pause is not None
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=30)
    assert command("gate", "resume", "--run-dir", str(tmp_path)).returncode == 0
    output, _ = start_pipeline(tmp_path).communicate(timeout=30)
    assert output.split() == ["resumed", pause.id]


@pytest.fixture
def hook() -> Iterator[Webhook]:
    """A webhook on this machine."""
    with webhook() as started:
        yield started


def test_the_webhook_gets_the_event_once(tmp_path: Path, hook: Webhook) -> None:
    """A restart does not send it again."""
    for _ in range(2):
        result = checked(tmp_path, Clock(), webhook=hook.url, timeout_s=1)
        assert result.webhook_problem is None
    assert [event["event"] for event in hook.events] == ["pipeline.paused"]
    assert hook.events[0]["value"] == "Do Not Execute"


def test_a_slow_webhook_does_not_hold_the_pipeline(tmp_path: Path, hook: Webhook) -> None:
    """A slow webhook does not hold the pipeline."""
    hook.answer.clear()
    with no_hang():  # the webhook never answers before the line below
        assert send(hook.url, {}, 0.3) is not None
    hook.answer.set()


def test_a_webhook_that_is_down_does_not_end_the_pipeline(tmp_path: Path) -> None:
    """A webhook that is down does not end the pipeline."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    clock = Clock()
    clock.events[1] = lambda: write_decision(tmp_path, Decision(True))
    result = checked(tmp_path, clock, webhook=f"http://127.0.0.1:{port}/")
    assert result.outcome is GateOutcome.RESUMED
    assert (result.webhook_problem or "").startswith("the webhook cannot be reached: URLError")


@pytest.mark.parametrize("by", [-3_600, 3_600])
def test_a_clock_that_is_set_changes_no_wait(tmp_path: Path, by: float) -> None:
    """The gate waits a hundred seconds, neither none nor for ever."""
    clock = SetClock(by)
    assert checked(tmp_path, clock).outcome is GateOutcome.TIMED_OUT
    assert sum(clock.slept) == 100


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(tmp_path: Path, hook: Webhook, status: int) -> None:
    """A redirect to another host is not followed."""
    with webhook() as other:
        hook.status, hook.location = status, other.url
        result = checked(tmp_path, Clock(), webhook=hook.url, timeout_s=0)
        assert len(hook.events) == 1
        assert other.events == []
    assert result.outcome is GateOutcome.TIMED_OUT
    assert (result.webhook_problem or "").startswith(f"the webhook answered {status}:")


def test_a_host_that_is_not_called_this_machine_is_not_left_either(hook: Webhook) -> None:
    """127.1 is this machine by an address that does not look like it, so it is asked as any host of the web is."""
    with webhook() as other:
        hook.status, hook.location = 302, other.url
        problem = send(hook.url.replace("127.0.0.1", "127.1"), {})
        assert (len(hook.events), other.events) == (1, [])
    assert (problem or "").startswith("the webhook answered 302: it redirects to another host")


def test_a_server_error_is_told(hook: Webhook) -> None:
    """A server error is told."""
    hook.status = 500
    assert send(hook.url, {}) == "the webhook answered 500: Internal Server Error"


@pytest.mark.parametrize(
    "url", ["https://example.org/hook", "http://127.0.0.1:9/x", "http://localhost/x", "http://[::1]/"]
)
def test_a_webhook_is_https_or_on_this_machine(url: str) -> None:
    """A webhook is https or on this machine."""
    assert checked_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "x",
        "http://127.0.0.1.example.org",
        "https://[::1",
    ],
)
def test_any_other_webhook_is_refused(url: str) -> None:
    """Any other webhook is refused."""
    with pytest.raises(UsageError) as caught:
        checked_url(url)
    assert str(caught.value) == f"wrong webhook: got {url!r}; give an https URL, or http to 127.0.0.1 or localhost"


def test_the_status_of_a_run_that_waits(tmp_path: Path) -> None:
    """The status of a run that waits."""
    checked(tmp_path, Clock(), timeout_s=0)
    (tmp_path / "resume.json").write_text("[", "utf-8")
    done = run("gate", "status", "--run-dir", str(tmp_path))
    assert (done.exit_code, done.stdout.splitlines()) == (
        1,
        [
            "paused since 1970-01-12T13:46:40+00:00: ExpertTask, go:Do Not Execute",
            "value: Do Not Execute",
            "resume.json is refused: got no JSON; write a JSON object, or {}",
        ],
    )


def test_the_status_names_the_places_of_findings(tmp_path: Path) -> None:
    """As every other text does; a path that somebody has edited into something else is said to be none.

    A finding without a message has its code.
    """
    findings = Contract(dict[str, dict[str, int]]).check('{"go": {"2024": "x"}}').findings
    gate(tmp_path, Clock(), timeout_s=0).check("ExpertTask", ANSWER, findings=findings)
    told = [line for line in run("gate", "status", "--run-dir", str(tmp_path)).stdout.splitlines() if "finding" in line]
    assert told == ['finding: go["2024"]: expected an integer; got "x"']
    data = json.loads((tmp_path / "pause.json").read_text("utf-8"))
    data["findings"][0] |= {"path": "/go/2024", "message": None}
    (tmp_path / "pause.json").write_text(json.dumps(data), "utf-8")
    edited = run("gate", "status", "--run-dir", str(tmp_path)).stdout
    assert "finding: the field 'path' must be a list, got '/go/2024': type\n" in edited


def test_a_run_that_does_not_wait_cannot_be_resumed(tmp_path: Path) -> None:
    """A run that does not wait cannot be resumed."""
    done = run("gate", "resume", "--run-dir", str(tmp_path))
    assert done.exit_code == 3
    assert done.stderr == (
        f"planguard: {tmp_path} does not wait: got no pause.json in it; name the folder of a run that is paused\n"
    )
    assert run("gate", "status", "--run-dir", str(tmp_path)).stdout == f"{tmp_path} does not wait\n"
