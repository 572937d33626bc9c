"""The loop that is recorded: the agent writes a ticket, and what is wrong with it goes into the next prompt."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from pytest_planguard import Contract

TASKS = {
    "printer": "Write a ticket: the printer on the second floor is on fire.",
    "lift": "Write a ticket: the lift stops between two floors.",
    "window": "Write a ticket: a window of the meeting room does not close.",
    "alarm": "Write a ticket: the alarm goes off every night at three.",
    "server": "Write a ticket: the backup of the file server has failed for a week.",
    "coffee": "Write a ticket: the coffee machine gives hot water only.",
}
"""Name to what the agent is asked."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "priority", "steps"],
    "properties": {
        "title": {"type": "string", "minLength": 3, "maxLength": 80},
        "priority": {"enum": ["low", "medium", "high"]},
        "steps": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 6, "uniqueItems": True},
    },
}
TICKET = Contract(SCHEMA, name="Ticket", judged="ticket.json")
MAX_RUNS = 4


def write_ticket(folder: Path, task: str, *, tells: bool = True) -> int | None:
    """Run the agent until ticket.json is good. Return the number of runs; None where none of them left a good one.

    With `tells=False` the loop forgets what was wrong.
    """
    prompt = task
    for number in range(1, MAX_RUNS + 1):
        done = subprocess.run(["ticket-agent", "-p", prompt], cwd=folder, capture_output=True, check=False)
        if done.returncode:
            return None
        verdict = TICKET.check((folder / "ticket.json").read_text(encoding="utf-8"))
        if verdict.ok:
            return number
        if tells:
            errors = "\n".join(f"- {'.'.join(map(str, one.path))}: {one.message}" for one in verdict.errors)
            prompt = f"{task}\nThe last ticket was wrong:\n{errors}"
    return None
