"""A stage ends with a good file, or with an outcome of its own for each way in which it does not."""

from pathlib import Path

import pytest

from pytest_planguard import Contract, plan_rules
from pytest_planguard.errors import UsageError
from pytest_planguard.pipeline.agent_pipeline import AgentCommand, StageFailed, StageOutcome
from pytest_planguard.pipeline.stage import StageResult, message_of, run_stage
from pytest_planguard.retry.budget import Budget

from ..support.cost import no_hang

TITLE = {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}
TICKET = Contract(TITLE, name="Ticket", judged="ticket.json")


def staged(
    folder: Path, script: str, *, timeout_s: float = 60.0, words: tuple[str, ...] = ("{prompt}",)
) -> StageResult:
    """Run a script for the shell as a stage of three attempts; `$1` is its prompt."""
    command = AgentCommand(("/bin/sh", "-c", script, "agent", *words), folder, timeout_s)
    return run_stage(command, "Write ticket.json.", TICKET, budget=Budget(attempts=3))


GOOD = 'echo \'{"title": "Printer"}\' > ticket.json'


def test_the_errors_are_in_the_next_prompt(tmp_path: Path) -> None:
    """The second run gets them in front of its task, and what it writes is the stage's value."""
    script = f'echo "$1" >> prompts; case "$1" in *title*) {GOOD};; *) echo \'{{}}\' > ticket.json;; esac'
    result = staged(tmp_path, script)
    assert result.outcome is StageOutcome.CONVERGED
    assert result.convergence.value == {"title": "Printer"}
    assert (tmp_path / "prompts").read_text(encoding="utf-8") == (
        "Write ticket.json.\n"
        "RETRY 2/3\n"
        "The last answer failed validation (automated check):\n"
        "- line 1: missing required field 'title'\n"
        "\n"
        "Fix these errors and keep everything else.\n"
        "\n"
        "Write ticket.json.\n"
    )


def test_a_slow_command_reads_its_whole_prompt(tmp_path: Path) -> None:
    """Its prompt is larger than the buffer of a pipe, and planguard has looked after the command by then."""
    command = AgentCommand(("/bin/sh", "-c", "sleep 0.3; wc -c; sleep 0.3"), tmp_path, 60.0)
    assert command.run("x" * 300_000, lambda: False).strip() == "300000"


@pytest.mark.parametrize(
    ("script", "outcome", "runs", "message"),
    [
        (
            "echo '{\"title\": 1}' > ticket.json",
            "invalid",
            2,
            "ticket.json breaks its contract after 2 runs of /bin/sh",
        ),
        (
            'printf \'{"title": "Prin\' > ticket.json',
            "half_written",
            1,
            "ticket.json is half written after 1 run of /bin/sh: it stops inside the document",
        ),
        (": > ticket.json", "empty", 2, "ticket.json is empty after 2 runs of /bin/sh"),
        ("echo done", "missing", 2, "ticket.json is missing after 2 runs of /bin/sh: no run wrote it"),
    ],
)
def test_a_bad_file_is_asked_for_again(tmp_path: Path, script: str, outcome: str, runs: int, message: str) -> None:
    """Until asking cannot help: the same answer twice, or nothing twice."""
    result = staged(tmp_path, script)
    assert (result.outcome.value, len(result.convergence.attempts)) == (outcome, runs)
    assert message_of(result, "/bin/sh") == message


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("# Plan\\n\\n## Goal\\n\\nSee [the sp", "half_written"), ("# Plan\\n\\n## Goal\\n\\nShip it.\\n", "invalid")],
)
def test_a_markdown_file_stops_where_something_is_open(tmp_path: Path, text: str, outcome: str) -> None:
    """Markdown has no syntax to break: only a bad file that leaves something open at its end is half written."""
    plan = Contract(None, format="markdown", rules=plan_rules("superpowers"), judged="plan.md")
    command = AgentCommand(("/bin/sh", "-c", f"printf '{text}' > plan.md"), tmp_path, 60.0)
    assert run_stage(command, "Write plan.md.", plan, budget=Budget(attempts=2)).outcome.value == outcome


def test_a_file_from_before_is_untouched(tmp_path: Path) -> None:
    """A good file that no run wrote is no answer; one that is written again with the same words is."""
    (tmp_path / "ticket.json").write_text('{"title": "Printer"}\n', encoding="utf-8")
    result = staged(tmp_path, "true")
    assert result.outcome is StageOutcome.UNTOUCHED
    assert message_of(result, "agent") == (
        "ticket.json is untouched after 2 runs of agent: it was there before, and the last run did not write it"
    )
    assert [f.code for a in result.convergence.attempts for f in a.verdict.findings] == ["file_not_written"] * 2
    assert staged(tmp_path, GOOD).outcome is StageOutcome.CONVERGED


@pytest.mark.parametrize(
    ("script", "outcome", "message"),
    [
        (
            f"{GOOD}; echo out of credit >&2; exit 7",
            "failed",
            '/bin/sh failed: got exit code 7, last line "out of credit"; repair the command, its file was not judged',
        ),
        (f"{GOOD}; kill -9 $$", "killed", "/bin/sh was killed: got SIGKILL; look at why it was ended"),
        (
            f"{GOOD}; echo begun; sleep 60",
            "timed_out",
            '/bin/sh was killed after its time limit of 0.5 s, last line "begun"; raise timeout_s',
        ),
    ],
)
def test_a_run_that_does_not_end_well_is_no_answer(tmp_path: Path, script: str, outcome: str, message: str) -> None:
    """It is not judged, though its file is good, and the command is not run again."""
    with no_hang(), pytest.raises(StageFailed) as failed:
        staged(tmp_path, f"echo run >> runs; {script}", timeout_s=0.5 if outcome == "timed_out" else 60)
    assert (failed.value.outcome.value, str(failed.value)) == (outcome, message)
    assert (tmp_path / "runs").read_text(encoding="utf-8") == "run\n"


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    """Named, with the two ways out."""
    command = AgentCommand(("no-such-agent", "{prompt}"), tmp_path, 60)
    with pytest.raises(StageFailed) as failed:
        run_stage(command, "Write it.", TICKET, budget=Budget())
    assert failed.value.outcome is StageOutcome.NOT_STARTED
    assert str(failed.value) == (
        "no-such-agent cannot be started: got No such file or directory; "
        "install it, or name it in commands= and replay it"
    )


def test_where_the_prompt_goes(tmp_path: Path) -> None:
    """Into a word, into a file, or to standard input; a template has its errors where it wants them."""
    save = f'cat > given; echo "$1" > word; {GOOD}'
    staged(tmp_path, save, words=("say {prompt}",))
    assert (tmp_path / "word").read_text(encoding="utf-8") == "say Write ticket.json.\n"
    assert not (tmp_path / "given").read_bytes()
    staged(tmp_path, save, words=())
    assert (tmp_path / "given").read_text(encoding="utf-8") == "Write ticket.json."
    (tmp_path / "ticket.json").unlink()
    script = f"cat prompt.md >> seen; [ -f ticket.json ] && {GOOD}; touch ticket.json; true"
    command = AgentCommand(("/bin/sh", "-c", script), tmp_path, 60, "prompt.md")
    template = "Write it. $RETRY_INFO\n## Retry Context\n$VALIDATION_ERRORS\n"
    run_stage(command, template, TICKET, budget=Budget())
    first, _, second = (tmp_path / "seen").read_text(encoding="utf-8").partition("Context\n\n")
    assert first == "Write it. \n## Retry "
    assert second.startswith("Write it. RETRY 2/3\n## Retry Context\nThe last answer failed validation")


def test_a_contract_without_a_file(tmp_path: Path) -> None:
    """The stage cannot know what to judge."""
    with pytest.raises(UsageError, match=r"^Ticket names no file: got judged='auto'; write judged='plan\.md'$"):
        run_stage(AgentCommand(("true",), tmp_path, 1), "x", Contract(TITLE, name="Ticket"), budget=Budget())
