"""Record and replay the loops of real projects, each in an environment: `python -m tools.adopters.run [NAME...]`."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .scripted_model import ScriptedServer

ROOT = Path(__file__).parents[2]
LOOPS = Path(__file__).parent / "loops"
QUIET = {
    "OPENAI_API_KEY": "sk-any", "CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}  # fmt: skip
"""Keys that clients want, and no telemetry and no download of prices."""
Verdict = tuple[str, list[str]]
"""The outcome of a test's first conversation, and the names of its failed checks."""


def main(names: list[str]) -> int:
    """Run the named loops, or all of them; return 1 if a verdict is not the expected one."""
    wrong = []
    for path in [LOOPS / f"{name}.py" for name in names] or sorted(LOOPS.glob("*.py")):
        wrong += [f"{path.stem}: {line}" for line in _differences(path)]
    print("\n".join(wrong) or "every verdict is the expected one")
    return int(bool(wrong))


def _differences(path: Path) -> list[str]:
    named = dict(_constants(path))
    python = _environment(path.stem, named["PACKAGES"])
    found = []
    for test, expected in named["EXPECTED"].items():
        with TemporaryDirectory() as folder:
            shutil.copy(path, Path(folder, f"test_{path.stem}.py"))
            Path(folder, "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
            model = ScriptedServer(named["ANSWERS"][test])
            runs = {"recorded": _verdict(python, folder, test, model.base_url, "--planguard-record=missing")}
            model.stop()
            runs["replayed"] = _verdict(python, folder, test, model.base_url)
        for run, (verdict, output) in runs.items():
            print(f"{path.stem} {test} {run}: {verdict} ({named['PROOF'][test]})")
            if verdict != (expected[0], list(expected[1])):
                found.append(f"{test} {run}: expected {expected}, got {verdict}\n{output[-3000:]}")
    return found


def _constants(path: Path) -> list[tuple[str, Any]]:
    """Return the module's constants without importing it, since this environment lacks its packages."""
    wanted = ("PACKAGES", "EXPECTED", "PROOF", "ANSWERS")
    nodes = [n for n in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(n, ast.Assign)]
    named = ((getattr(node.targets[0], "id", ""), node.value) for node in nodes)
    return [(name, ast.literal_eval(value)) for name, value in named if name in wanted]


def _environment(name: str, packages: list[str]) -> Path:
    python = ROOT / f".venv-fw-adopter-{name}" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--editable", ROOT, *packages], check=True)
    return python


def _verdict(python: Path, folder: str, test: str, base_url: str, *options: str) -> tuple[Verdict, str]:
    env = {**os.environ, **QUIET, "OPENAI_BASE_URL": base_url, "OPENAI_API_BASE": base_url, "HOME": folder}
    command = [python, "-m", "pytest", "-q", "-W", "ignore", "-p", "no:cacheprovider", "-k", test, *options]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=300)
    kept = Path(folder, ".planguard", "last.jsonl")
    rows = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()] if kept.exists() else []
    of_test = [row["judged"][0] for row in rows if row.get("judged")]
    if not of_test:
        return ("nothing judged", []), done.stdout + done.stderr
    failed = [check["name"] for check in of_test[0]["checks"] if check["status"] == "fail"]
    return (of_test[0]["outcome"], failed), done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
