"""Stages whose answer is what a command prints."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract, file, tool_arg
from pytest_planguard.pipeline.agent_pipeline import AgentCommand
from pytest_planguard.pipeline.stage import StageResult, message_of, run_stage
from pytest_planguard.retry.budget import Budget

from ..wire.agent_streams import claude, codex


class Plan(BaseModel):
    """What is asked for."""

    goal: str


GOOD = '{"goal": "x"}'
WRITES = ("write_file", {"content": GOOD})


def staged(tmp_path: Path, printed: str, **contract: Any) -> StageResult:
    """Run a stage of a command that prints the same each time, and something else to standard error."""
    (tmp_path / "printed").write_text(printed, encoding="utf-8")
    command = AgentCommand(("/bin/sh", "-c", "cat printed; echo noise >&2", "{prompt}"), tmp_path, 60.0)
    return run_stage(command, "Write a plan.", Contract(Plan, **contract), budget=Budget(attempts=2))


@pytest.mark.parametrize(
    ("printed", "part", "outcome", "message"),
    [
        (GOOD, "text", "converged", None),
        (codex(GOOD), "text", "converged", None),
        (claude("Done.", WRITES), tool_arg("write_file", "content"), "converged", None),
        ("{}", "text", "invalid", "the answer breaks its contract after 2 runs of /bin/sh"),
        ("", "text", "empty", "the answer is empty after 2 runs of /bin/sh"),
        (
            '{"goal": "x',
            "text",
            "half_written",
            "the answer is half written after 1 run of /bin/sh: it stops inside the document",
        ),
        (
            claude("Done."),
            tool_arg("write_file", "content"),
            "missing",
            "the argument content of write_file is missing after 2 runs of /bin/sh: no run wrote it",
        ),
        (
            claude("Done.", ("save", {"goal": 1})),
            tool_arg("save"),
            "invalid",
            "the call of save breaks its contract after 2 runs of /bin/sh",
        ),
    ],
)
def test_each_end(tmp_path: Path, printed: str, part: Any, outcome: str, message: str | None) -> None:
    """Standard error is no part of the answer."""
    result = staged(tmp_path, printed, judged=part)
    assert result.outcome.value == outcome
    if message is not None:
        assert message_of(result, "/bin/sh") == message


def test_a_demanded_call_beside_a_file(tmp_path: Path) -> None:
    """A good file does not count without it, and does with it."""
    for calls, outcome in (((), "invalid"), ((("Bash", {"command": "make check"}),), "converged")):
        (tmp_path / "events").write_text(claude("Done.", *calls), encoding="utf-8")
        script = f"echo '{GOOD}' > plan.json; cat events"
        command = AgentCommand(("/bin/sh", "-c", script, "{prompt}"), tmp_path, 60.0)
        contract: Contract[Any] = Contract(Plan, judged=file("plan.json"), calls="Bash")
        result = run_stage(command, "Write a plan.", contract, budget=Budget(attempts=2))
        assert result.outcome.value == outcome
