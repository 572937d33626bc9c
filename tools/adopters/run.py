"""Record and replay the loops of real projects, each in an environment: `python -m tools.adopters.run [NAME...]`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.lookalike.model import Answer
from tests.support.lookalike.server import Lookalike, _Handler
from tests.support.lookalike.spelling import Spelling

from ..environments import ROOT, environment
from ..frameworks.project import QUIET as SILENT
from ..sessions import rows

HERE = Path(__file__).parent
CHECKOUTS = Path(os.environ.get("ADOPTERS", ROOT / "build" / "adopters"))
"""Where the contributor's checkouts are of the projects that no package index has."""
QUIET = {**SILENT, "OPENAI_API_KEY": "sk-any", "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "1"}
"""Also a key that clients want, and no waiting between calls that replay refuses."""


def main(names: list[str]) -> int:
    """Run the named loops, or all of them; return 1 if a verdict is not the expected one."""
    projects = tomllib.loads((HERE / "projects.toml").read_text(encoding="utf-8"))
    wrong = [f"{name}: {line}" for name in names or projects for line in _differences(name, projects[name])]
    print("\n".join(wrong) or "every verdict is the expected one")
    return int(bool(wrong))


def _differences(name: str, project: dict[str, Any]) -> Iterator[str]:
    checkout = CHECKOUTS / project.get("checkout", "")
    if "checkout" in project and not checkout.exists():
        yield f"not run: put a checkout into {checkout}"
        return
    python, cases = _environment(name, project), project["cases"]
    with TemporaryDirectory() as folder:
        shutil.copy(HERE / "loops" / f"{name}.py", Path(folder, f"test_{name}.py"))
        Path(folder, "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        answers = [answer for case in cases.values() for answer in case["answers"]]
        model = Lookalike(handler=type("Handler", (_Scripted,), {"answers": answers, "calls": count(1)}))
        env = {**os.environ, **QUIET, "HOME": folder, "PYTHONPATH": str(checkout)}
        env |= dict.fromkeys(("OPENAI_BASE_URL", "OPENAI_API_BASE"), model.base_url)
        recorded = _verdicts(python, folder, env, "--planguard-record=missing")
        model.stop()
        runs = {"recorded": recorded, "replayed": _verdicts(python, folder, env)}
    for run, (verdicts, output) in runs.items():
        wrong = {test: case["verdict"] for test, case in cases.items() if verdicts.get(test) != case["verdict"]}
        print(*(f"{name} {test} {run}: {verdicts.get(test)} ({cases[test]['proof']})" for test in cases), sep="\n")
        print(output if wrong else "", end="", flush=True)
        yield from (f"{test} {run}: expected {verdict}, got {verdicts.get(test)}" for test, verdict in wrong.items())


class _Scripted(_Handler):
    """Gives the answers in order, in the form of any provider. The last one is repeated."""

    answers: Sequence[str | dict[str, str]]
    calls: Iterator[int]

    def _answer(self, _: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        number = next(self.calls)
        given = self.answers[min(number, len(self.answers)) - 1]
        text, tool = (given, None) if isinstance(given, str) else (given["args"], given["tool"])
        self._say(Answer(text, tool, number=number), spelling, body, stream=stream)


def _environment(name: str, project: dict[str, Any]) -> Path:
    python, bare = project.get("python", sys.executable), tuple(project.get("bare", ()))
    folder = ROOT / f".venv-fw-adopter-{name}"
    return environment(folder, "--editable", str(ROOT), *project["packages"], python=python, bare=bare)


def _verdicts(python: Path, folder: str, env: dict[str, str], *options: str) -> tuple[dict[str, str], str]:
    """Return the verdict on the conversations of each test, and what pytest printed."""
    command = [python, "-m", "pytest", "-q", "-W", "ignore", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=600)
    every = rows(Path(folder)).items()
    said = {test.rpartition("::")[2]: " + ".join(map(_said, row["judged"])) for test, row in every if row.get("judged")}
    return said, done.stdout + done.stderr


def _said(judged: dict[str, Any]) -> str:
    graded = [one["grade"] for attempt in judged["attempts"] for one in attempt["fed_back"]]
    fed = f", {sum(grade in ('fed back', 'partial') for grade in graded)} of {len(graded)} fed back" if graded else ""
    failed = ", ".join(check["name"] for check in judged["checks"] if check["status"] == "fail")
    return f"{judged['outcome']}{fed}{failed and ': ' + failed}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
