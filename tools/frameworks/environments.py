"""Build one environment for each app and run the app in it: `python -m tools.frameworks.environments [NAME...]`.

Frameworks pin conflicting versions, so each has a separate environment, `.venv-fw-NAME` in the project's root. A new
one gets the newest versions. Telemetry is off, and apps contact 127.0.0.1 only.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from ..environments import ROOT, environment

APPS = Path(__file__).parent / "apps"
SCRIPTED = "scripted"
"""No app: the loops of two frameworks against scripted models."""


def main(names: list[str]) -> int:
    """Run the named apps, or all of them; return 1 if one fails."""
    every = [*sorted(path.stem for path in APPS.rglob("*.py")), SCRIPTED]
    wrong = [name for name in names or every if not _run(name)]
    if wrong:
        print("went wrong:", *wrong)
    return int(bool(wrong))


def _run(name: str) -> bool:
    python = environment(ROOT / f".venv-fw-{name}", "--editable", str(ROOT), *_packages(name))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [f"tools.frameworks.{name}"] if name == SCRIPTED else ["tools.frameworks.run", name]
    return subprocess.run([python, "-m", *command], cwd=ROOT, env=env, check=False).returncode == 0


def _packages(name: str) -> list[str]:
    path = Path(__file__).with_name(f"{name}.py") if name == SCRIPTED else next(APPS.rglob(f"{name}.py"))
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "PACKAGES":
            return list(ast.literal_eval(node.value))
    raise SystemExit(f"{name}.py names no PACKAGES")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
