"""Command-line agents: recorded with the program, replayed without it, judged by what they write."""

import stat
import tempfile
from pathlib import Path

from pytest_planguard.testing.example import Example, Run

from ..support.lookalike import Lookalike
from .projects import project, rows, run

AGENT = r"""#!/bin/sh
# A stand-in for a logged-in agent: it writes what the prompt asks for, and gets it right once it is told the errors.
[ -z "$OPENAI_BASE_URL" ] || exit 9  # a real agent gets the environment of its user, not the endpoint of the test
file=$(printf '%s' "$2" | sed -n 's/.*Write \([a-z/]*\.json\).*/\1/p' | head -n 1)
mkdir -p "$(dirname "$file")"
case "$2" in
  *priority*steps*|*steps*priority*) echo '{"title": "Printer", "priority": "high", "steps": ["look"]}' > "$file" ;;
  *"goal"*) echo '{"goal": "Print again"}' > "$file" ;;
  *plan.json*) echo '{}' > "$file" ;;
  *) echo '{"title": "Printer", "priority": "hi", "steps": []}' > "$file" ;;
esac
echo "wrote $file"
"""
PIPELINE = """
import subprocess, os

SPEC = Contract(Ticket, judged="spec.json", name="Spec")
THE_PLAN = Contract(Plan, judged="plan.json", name="Plan")
TASKS = Contract(Ticket, judged="out/tasks.json", name="Tasks")
COMMAND = ["./blind.sh", "{prompt}"] if os.environ.get("BLIND") else ["agent", "-p", "{prompt}"]

@pytest.mark.planguard(SPEC, THE_PLAN, TASKS, commands="agent")
def test_pipeline(planguard, tmp_path):
    (tmp_path / "blind.sh").write_text('#!/bin/sh\\nexec agent -p "$(printf %s "$1" | tail -n 1)"\\n')
    (tmp_path / "blind.sh").chmod(0o755)
    spec = planguard.stage(COMMAND, "Write spec.json for the printer.", contract=SPEC, cwd=tmp_path)
    plan = planguard.stage(COMMAND, f"Write plan.json for {spec.title}.", contract=THE_PLAN, cwd=tmp_path)
    tasks = planguard.stage(COMMAND, f"Write out/tasks.json: {plan.goal}.", contract=TASKS, cwd=tmp_path)
    assert tasks.steps == ["look"]
    assert (tmp_path / "out" / "tasks.json").is_file()
"""


def with_agent(test: str, *args: str, server: Lookalike, script: str = AGENT, **env: str) -> Run:
    """Run a project whose PATH has the program `agent`."""
    return agent_run(project(test), server, *args, script=script, **env)


def agent_run(example: Example, server: Lookalike, *args: str, script: str = AGENT, **env: str) -> Run:
    """Run it with the program, and remove the program afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder, "agent")
        agent.write_text(script, encoding="utf-8")
        agent.chmod(agent.stat().st_mode | stat.S_IXUSR)
        return run(example, server, *args, PATH=f"{folder}:/usr/bin:/bin", **env)


def test_a_pipeline_of_three_stages(lookalike: Lookalike) -> None:
    """It replays without the program, converges as recorded, and fails if a script drops the errors."""
    live = with_agent(PIPELINE, "--planguard-record=missing", server=lookalike)
    assert dict(live.outcomes) == {"passed": 1}, live.output
    assert [part["outcome"] for part in rows(live.example)[0]["pipeline"]] == ["converged"] * 3
    for workers in ((), ("-n", "2")):
        plugins = ("planguard", "xdist") if workers else ("planguard",)
        again = run(live.example, lookalike, *workers, plugins=plugins, PATH="/usr/bin:/bin")
        assert dict(again.outcomes) == {"passed": 1}, again.output
        (row,) = rows(again.example)
        assert [len(one["attempts"]) for one in row["judged"]] == [2, 2, 2]
        assert row["untracked"] == []
    blind = run(live.example, lookalike, PATH="/usr/bin:/bin", BLIND="1")
    assert dict(blind.outcomes) == {"failed": 1}
    assert "missing feedback: the retry feeds back no finding of the attempt before it" in blind.stdout
    for place in ("priority", "steps"):
        assert f"  missing:   {place}" in blind.stdout


ENDS = {
    "failed": "echo no credit >&2; exit 7",
    "killed": "kill -9 $$",
    "timed_out": "echo begun; sleep 60",
    "missing": "echo done",
    "empty": ": > plan.json",
    "untouched": "true",
    "half_written": 'printf \'{"goal": "Pr\' > plan.json',
    "invalid": "echo '{}' > plan.json",
}
OUTCOMES = """
from pytest_planguard.errors import ContractFailed

THE_PLAN = Contract(Plan, judged="plan.json", name="Plan")

@pytest.mark.planguard(THE_PLAN, commands="agent")
@pytest.mark.parametrize("end", "failed killed timed_out missing empty untouched half_written invalid".split())
def test_end(planguard, tmp_path, end):
    if end == "untouched":
        (tmp_path / "plan.json").write_text('{"goal": "from before"}')
    with pytest.raises(ContractFailed) as failed:
        limit_s = 3.0 if end == "timed_out" else 60.0
        planguard.stage(["agent", end, "{prompt}"], "Write plan.json.", cwd=tmp_path, timeout_s=limit_s)
    assert failed.value.outcome == end
    print(str(failed.value).partition("\\n")[0])
"""


def test_each_end_is_an_outcome_of_its_own(lookalike: Lookalike) -> None:
    """Each ending has a different message and a different word in the row, recorded and replayed alike."""
    cases = "\n".join(f"  {end}) {script} ;;" for end, script in ENDS.items())
    script = f'#!/bin/sh\ncase "$1" in\n{cases}\nesac\n'
    live = with_agent(OUTCOMES, "--planguard-record=missing", "-rP", server=lookalike, script=script)
    workers = ("-n", "2")  # the same command name in two tests at once
    again = run(live.example, lookalike, *workers, "-rP", PATH="/usr/bin:/bin", plugins=("planguard", "xdist"))
    for done in (live, again):
        assert dict(done.outcomes) == {"passed": len(ENDS)}, done.output
        assert [row["pipeline"][0]["outcome"] for row in rows(done.example)] == sorted(ENDS)
    said = [line for line in again.stdout.splitlines() if line.startswith("planguard: stage Plan: ")]
    assert sorted(said) == sorted(
        line for line in live.stdout.splitlines() if line.startswith("planguard: stage Plan: ")
    )
    assert len({*said}) == len(ENDS)


OBSERVED = """
import subprocess

THE_PLAN = Contract(Plan, judged="plan.json", name="Plan")

@pytest.mark.planguard(THE_PLAN, commands=["agent", "no-such-agent"])
def test_app(tmp_path):
    subprocess.run(["agent", "-p", "Write plan.json"], cwd=tmp_path, check=True)
    subprocess.run(["agent", "-p", "Write plan.json. 'goal' is missing: a required field"], cwd=tmp_path, check=True)

@pytest.mark.planguard(THE_PLAN, commands="agent")
def test_overwrites(tmp_path):
    (tmp_path / "plan.json").write_text("mine" if (tmp_path.parent / "mine").exists() or MINE else "")
    subprocess.run(["agent", "-p", "Write plan.json with a goal"], cwd=tmp_path)

@pytest.mark.planguard(THE_PLAN, commands="no-such-agent")
def test_not_installed(tmp_path):
    subprocess.run(["no-such-agent"], cwd=tmp_path)
"""


def test_an_app_that_owns_its_loop(lookalike: Lookalike) -> None:
    """The marker alone judges. A missing program, and work that would be lost, fail their tests by name."""
    live = with_agent(f"MINE = False\n{OBSERVED}", "--planguard-record=missing", server=lookalike)
    assert dict(live.outcomes) == {"passed": 2, "failed": 1}, live.output
    assert "a command was refused: no-such-agent is not installed: got no program of that name on PATH" in live.stdout
    again = run(
        live.example.replaced("MINE = False", "MINE = True"), lookalike, "-k", "not installed", PATH="/usr/bin:/bin"
    )
    assert dict(again.outcomes) == {"passed": 1, "failed": 1, "deselected": 1}, again.output
    assert "plan.json would be overwritten, and was another one when the run was recorded" in again.stdout


def test_a_wrong_name_is_refused(lookalike: Lookalike) -> None:
    """A path is refused as the name of a program."""
    done = run(project("@pytest.mark.planguard(TICKET, commands='./agent')\ndef test_a(): pass\n"), lookalike)
    assert "commands='./agent': expected names of programs without a path" in done.output


def test_what_a_run_is_recorded_with(lookalike: Lookalike) -> None:
    """The ini file lists the files and variables to record, and the marker overrides it."""
    test = """
import subprocess

TASKS = Contract(Ticket, judged="out/tasks.json")

@pytest.mark.planguard(TASKS, commands="agent")
def test_ini(tmp_path):
    subprocess.run(["agent", "-p", "Write out/tasks.json: priority, steps"], cwd=tmp_path, check=True)

@pytest.mark.planguard(TASKS, commands="agent", tape_files="*.json", tape_environment=[])
def test_marker(tmp_path):
    subprocess.run(["agent", "-p", "Write out/tasks.json: priority, steps"], cwd=tmp_path, check=True)
"""
    example = project(test)
    ini = ("-o", "planguard_tape_files=!*.json", "-o", "planguard_tape_environment=AGENT_MODEL")
    done = agent_run(example, lookalike, "--planguard-record=missing", *ini, AGENT_MODEL="small")
    recorded = {Path(path).name[:9]: str(text) for path, text in done.example.files.items() if "cassettes/" in path}
    contents = {name: ("AGENT_MODEL" in text, '"path":' in text) for name, text in recorded.items()}
    assert contents == {"test_ini-": (True, False), "test_mark": (False, True)}, done.output
    assert "next: let the command write the file, or let tape_files record it if it does, then record" in done.output


STAGES = """
from pytest_planguard import AgentPipeline, AgentStage
from pytest_planguard.errors import ContractFailed

SPEC = Contract(Ticket, judged="spec.json", name="Spec")
THE_PLAN = Contract(Plan, judged="plan.json", name="Plan")
TASKS = Contract(Ticket, judged="out/tasks.json", name="Tasks")
PIPELINE = AgentPipeline(
    ("agent", "-p", "{prompt}"),
    (
        AgentStage("specify", SPEC, "Write spec.json for the printer."),
        AgentStage("plan", THE_PLAN, lambda values: f"Write plan.json for {values['specify'].title}."),
        AgentStage("tasks", TASKS, "Write out/tasks.json."),
    ),
    {"prep": ("specify", "plan")},
)

@pytest.mark.planguard(SPEC, THE_PLAN, TASKS, commands="agent")
def test_selections(planguard, tmp_path):
    values = planguard.pipeline(PIPELINE, "prep", cwd=tmp_path)
    assert list(values) == ["specify", "plan"]
    assert not (tmp_path / "out").exists()
    tasks = planguard.pipeline(PIPELINE, "-t", cwd=tmp_path)
    assert tasks["tasks"].steps == ["look"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "plan.json", "spec.json"]  # no count is left

@pytest.mark.planguard(SPEC, THE_PLAN, TASKS, commands="agent")
def test_blocked(planguard, tmp_path):
    (tmp_path / "spec.json").write_text("{}")
    with pytest.raises(ContractFailed) as failed:
        planguard.pipeline(PIPELINE, "-pt", cwd=tmp_path)
    print(failed.value, failed.value.outcome)

@pytest.mark.planguard(SPEC, THE_PLAN, TASKS, commands="agent")
def test_counted(planguard, tmp_path):
    for select in ("-spt", "-p", "-p", "-s"):
        with pytest.raises(ContractFailed) as failed:
            planguard.pipeline(PIPELINE, select, cwd=tmp_path, max_attempts=1)
        print(select, str(failed.value).splitlines()[:2], failed.value.outcome)
        if select == "-spt":
            (tmp_path / "spec.json").write_text('{"title": "Printer", "priority": "high", "steps": ["look"]}')
    assert (tmp_path / ".planguard-retry.json").read_text().split() == (
        '{ "version": 1, "bad_answers": { "specify": 1 } }'.split()
    )
"""


COUNTED = (
    "-spt ['planguard: stage Spec: spec.json breaks its contract after 1 run of agent', 'blocked: plan, tasks'] inv",
    "-p ['planguard: stage Plan: plan.json breaks its contract after 1 run of agent', ''] invalid",
    "-p ['planguard: stage plan has no attempt left: got 1 of 1 used; select the first stage, or remove .planguard",
    ".planguard-retry.json'] exhausted",
    "-s ['planguard: stage Spec: spec.json breaks its contract after 1 run of agent', ''] invalid",
)


def test_a_pipeline_of_named_stages(lookalike: Lookalike) -> None:
    """A stage without input, or whose predecessor failed, is blocked and never run."""
    done = with_agent(STAGES, "--planguard-record=missing", "-rP", server=lookalike)
    assert dict(done.outcomes) == {"passed": 3}, done.output
    again = run(done.example, lookalike, "-rP", PATH="/usr/bin:/bin")
    assert dict(again.outcomes) == {"passed": 3}, again.output
    for shown in (done.stdout, again.stdout):
        assert (
            "planguard: stage plan is blocked: spec.json of stage specify breaks its contract; select that stage, too\n"
            "blocked: tasks blocked\n"
        ) in shown
        for line in COUNTED:
            assert line in shown
    outcomes = [[part["outcome"] for part in row["pipeline"]] for row in rows(again.example)]
    assert outcomes == [
        ["blocked", "blocked"],
        ["invalid", "blocked", "blocked", "invalid", "exhausted", "invalid"],
        ["converged"] * 3,
    ]
