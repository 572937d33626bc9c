"""`planguard gate resume`, `abort` and `status`: a person's answer to a waiting pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from ..printable import visible
from .commands import LazyGroup, epilog
from .output import say

EXAMPLES = """
  planguard gate status --run-dir run/7
  planguard gate resume --run-dir run/7 --note "the budget was raised"
  planguard gate abort --run-dir run/7
"""
EXIT_CODES = {
    0: "the answer is written",
    2: "the command itself is wrong",
    3: "the run does not wait, or is already decided",
}
STATUS_CODES = {
    0: "the run does not wait",
    1: "the run waits for a person",
    2: "the command itself is wrong",
    3: "pause.json cannot be read",
}
RUN_DIR = click.option(
    "--run-dir",
    metavar="DIR",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the run: the one with pause.json.",
)
COMMANDS = {
    "abort": ("gate_command:abort", "Stop a pipeline that waits at a gate."),
    "resume": ("gate_command:resume", "Resume a pipeline that waits at a gate."),
    "status": ("gate_command:status", "Show whether a pipeline waits at a gate, and why."),
}
NOTE = click.option("--note", metavar="WORDS", default="", help="A note for later readers of the run.")


@click.group(cls=LazyGroup, table=COMMANDS)
def gate() -> None:
    """Resume or stop a pipeline that waits for a decision."""


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@RUN_DIR
@NOTE
def resume(run_dir: Path, note: str) -> None:
    """Resume a pipeline that waits at a gate."""
    _decide(run_dir, note, go_on=True)


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@RUN_DIR
@NOTE
def abort(run_dir: Path, note: str) -> None:
    """Stop a pipeline that waits at a gate."""
    _decide(run_dir, note, go_on=False)


@click.command(epilog=epilog(EXAMPLES, STATUS_CODES))
@RUN_DIR
def status(run_dir: Path) -> None:
    """Say if a pipeline waits at a gate, why, which answers it refused, and which tasks must be asked again."""
    from ..pipeline.state_files import read_decision, read_pause

    pause = read_pause(run_dir)
    if pause is None:
        say(f"{_shown(str(run_dir))} does not wait")
        _tell_tasks(run_dir)
        return
    say(f"paused since {_shown(pause.paused_at)}: {_shown(pause.task)}, {_shown(pause.condition)}")
    say(f"value: {_shown(pause.value)}")
    for finding in pause.findings:
        say(f"finding: {_shown(_place(finding))}: {_shown(str(finding.get('message') or finding.get('code')))}")
    decision, refused = read_decision(run_dir, pause)
    for line in refused:
        say(_shown(line))
    if decision is not None:
        say("answered: " + ("resume" if decision.resume else "abort") + ", not yet read by the pipeline")
    _tell_tasks(run_dir)
    click.get_current_context().exit(1)


def _tell_tasks(run_dir: Path) -> None:
    """Print how many tasks have answered and which must be asked again; nothing for a run without a state."""
    from ..pipeline.state_files import RunState

    state = RunState(run_dir)
    if state.tasks:
        number = len(state.tasks)
        say(f"{number:,} {'task has' if number == 1 else 'tasks have'} answered")
    for task, why in state.invalid().items():
        say(f"invalid: {_shown(task)}, since {_shown(' and '.join(why))} changed")


def _decide(run_dir: Path, note: str, *, go_on: bool) -> None:
    from ..pipeline.state_files import Decision, write_decision

    path = write_decision(run_dir, Decision(go_on, note))
    say(f"{_shown(str(path))} is written")


def _place(finding: Mapping[str, object]) -> str:
    """Return the place of a finding in pause.json, which anyone can edit."""
    from ..document.path import to_dotted
    from ..runs.model.codec import RowError, path_of

    try:
        return to_dotted(path_of(dict(finding)))
    except RowError as error:
        return str(error)


def _shown(text: str) -> str:
    return visible(text, keep="")
