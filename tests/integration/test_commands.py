"""Tests of command-line agents: recorded with the program, replayed without, judged by what it wrote."""

import stat
import tempfile
from pathlib import Path

from pytest_planguard.testing.example import Example, Run

from ..support.lookalike import Lookalike
from .projects import project, rows, run

AGENT = r"""#!/bin/sh
# A stand-in for a logged-in agent: it writes what the prompt asks for, and gets it right once it is told the errors.
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
    """Run it with the program, which is taken away afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder, "agent")
        agent.write_text(script, encoding="utf-8")
        agent.chmod(agent.stat().st_mode | stat.S_IXUSR)
        return run(example, server, *args, PATH=f"{folder}:/usr/bin:/bin", **env)


def test_a_pipeline_of_three_stages(lookalike: Lookalike) -> None:
    """It replays where no such program is, converges as recorded, and fails with a script that drops the errors."""
    live = with_agent(PIPELINE, "--planguard-record=missing", server=lookalike)
    assert dict(live.outcomes) == {"passed": 1}, live.output
    assert [part["outcome"] for part in rows(live.example)[0]["pipeline"]] == ["converged"] * 3
    for workers in ((), ("-n", "2")):
        plugins = ("planguard", "xdist") if workers else ("planguard",)
        again = run(live.example, lookalike, *workers, plugins=plugins, PATH="/usr/bin:/bin")
        assert dict(again.outcomes) == {"passed": 1}, again.output
        (row,) = rows(again.example)
        assert [len(one["attempts"]) for one in row["conversations"]] == [2, 2, 2]
        assert "unseen" not in row
    blind = run(live.example, lookalike, PATH="/usr/bin:/bin", BLIND="1")
    assert dict(blind.outcomes) == {"failed": 1}
    assert "lost feedback: the retry carries no finding of the attempt before it" in blind.stdout
    for place in ("priority", "steps"):
        assert f"  lost:      {place}" in blind.stdout
