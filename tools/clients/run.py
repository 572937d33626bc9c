"""Record and replay the clients in other languages: `python -m tools.clients.run [NAME...]`, or `make clients`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pytest_planguard import Outcome
from pytest_planguard.testing import AnswerFault, ScriptedConversation, ScriptedModel
from pytest_planguard.testing.example import Run
from tests.support.lookalike import Lookalike

from ..environments import ROOT
from ..frameworks.project import LAST
from ..frameworks.task import TICKET
from .environment import PYTHON, Client, build, clients
from .project import WAYS, client_project, with_cassettes

CASSETTES = ROOT / "cassettes" / "clients"
SCRIPT = ScriptedConversation(
    "mends", LAST, (AnswerFault("unlisted_value", ("priority",), "hi"), AnswerFault("fewer_items", ("steps",), []))
)
"""The script for a client beside the look-alike: it fixes one fault for each request that names it."""
MISSING = (
    "missing feedback: the retry feeds back no finding of the attempt before it",
    "  missing:   priority",
    "  missing:   steps",
)
"""Lines that the failure of a blind client must contain."""


def main(names: list[str]) -> int:
    """Run the named clients, or all of them; return 1 if one fails."""
    build()
    CASSETTES.mkdir(parents=True, exist_ok=True)
    wrong, versions = [], {}
    for client in clients():
        if names and client.name not in names:
            continue
        if shutil.which(client.needs) is None:
            print(f"{client.name}: left out, {client.needs} is not on this machine")
            continue
        problems = _problems(client)
        well = "recorded, replayed without the upstream, missing findings named, and led by a scripted model"
        print(f"{client.name}: {'; '.join(problems) or well}", flush=True)
        wrong += problems
        versions[client.name] = _version(client)
    _keep(versions)
    if not names:
        offline = [str(PYTHON), "-m", "pytest", "-p", "no:cacheprovider", "tests/integration/test_offline.py"]
        wrong += ["a way around is silent"] if subprocess.run(offline, cwd=ROOT, check=False).returncode else []
    return int(bool(wrong))


def _problems(client: Client) -> list[str]:
    """Run a client in all three ways, and return the problems."""
    server = Lookalike()
    server.script(LAST, {**LAST, "priority": "hi", "steps": []})
    upstream = {"OPENAI_BASE_URL": server.base_url, "ANTHROPIC_BASE_URL": server.origin}
    example = client_project(client.name, client.command, client.environment)
    recorded = example.run_pytest("--planguard-record=missing", env=upstream, plugins=("planguard",))
    server.stop()
    if dict(recorded.outcomes) != {"passed": len(WAYS)}:
        return [f"not recorded:\n{recorded.output}"]
    for how in WAYS:
        text = recorded.example.read(f"{client.name}-{how}.yaml")
        (CASSETTES / f"{client.name}-{how}.yaml").write_text(text, encoding="utf-8")
    kept = with_cassettes(example, client.name, CASSETTES)
    replayed = kept.run_pytest("-n", "2", plugins=("planguard", "xdist"))
    blind = kept.run_pytest(env={"BLIND": "1"}, plugins=("planguard",))
    good = [] if dict(replayed.outcomes) == {"passed": len(WAYS)} else [f"not replayed:\n{replayed.output}"]
    return good + _blind_problems(blind) + _scripted_problems(client)


def _scripted_problems(client: Client) -> list[str]:
    """Run a client against a scripted model: it must converge, and without its feedback it must not."""
    problems = []
    for how in WAYS:
        for blindly, outcome in (([], Outcome.CONVERGED), (["blind"], Outcome.STUCK)):
            with ScriptedModel(TICKET, SCRIPT) as model:
                env = {**os.environ, **client.environment, **model.environment()}
                subprocess.run([*client.command, how, *blindly], env=env, check=False, capture_output=True)
                came = model.judge().outcome if model.turns() else None
            if came is not outcome:
                problems.append(f"with a scripted model, {how} {' '.join(blindly)}: {came} and not {outcome}")
    return problems


def _blind_problems(blind: Run) -> list[str]:
    """Return the problems of a run without feedback: both forms must fail, and say why."""
    told = all(blind.stdout.count(words) >= len(WAYS) for words in MISSING)
    return [] if told and dict(blind.outcomes) == {"failed": len(WAYS)} else [f"blind, but not told:\n{blind.output}"]


def _version(client: Client) -> str:
    """Return '6.49.0' for '-- openai@6.49.0', 'go version go1.19.8', 'curl 7.88.1 (…)' or 'Version: 6.49.0'."""
    shown = subprocess.run(client.version, check=False, capture_output=True, text=True).stdout
    number = re.search(r"(?:@|\bgo|^curl |^Version: )(\d+(?:\.\d+)+)", shown, re.MULTILINE)
    return number[1] if number else "unknown"


def _keep(versions: dict[str, str]) -> None:
    file = Path(CASSETTES / "versions.json")
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps(known | versions, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
