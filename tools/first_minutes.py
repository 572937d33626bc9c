"""Try the first minutes of a new user: a built wheel, a fresh environment, and the commands of one page.

`python -m tools.first_minutes` runs each command of docs/quick-start.md unchanged, except that the wheel's file
replaces the package's name. It fails if an exit code differs from the page.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.docs.console import commands, repaired
from tests.docs.pages import DOCS, ROOT, Block, blocks

PAGE = DOCS / "quick-start.md"
PACKAGE = "pytest-planguard"
LIMIT_S = 300
"""Five minutes for one command, so that a hanging one ends."""


def main() -> int:
    """Print each command with its exit code and time; return 0 if every result matches the page."""
    with tempfile.TemporaryDirectory(prefix="first-minutes-") as temporary:
        folder = Path(temporary)
        wheel = build_wheel(folder / "wheel")
        run([sys.executable, "-m", "venv", str(folder / "venv")], folder, dict(os.environ))
        project = folder / "project"
        project.mkdir()
        start, number, good = time.perf_counter(), 0, True
        for block in blocks(PAGE):
            write(block, project)
            for command, _ in commands(block.text) if block.language == "console" else ():
                number += 1
                good &= tried(number, command, block, project, wheel)
        print(
            f"{number} commands in {time.perf_counter() - start:.0f} s: {'as the page says' if good else 'NOT as told'}"
        )
    return int(not good)


def build_wheel(folder: Path) -> Path:
    """Return the wheel of this checkout, built without its dependencies."""
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), "."], ROOT, dict(os.environ))
    (wheel,) = folder.glob("*.whl")
    return wheel


def write(block: Block, project: Path) -> None:
    """Write the file of a block, or change the existing one."""
    name = block.value("file")
    if name is None:
        return
    path = project / name
    text = repaired(path.read_text(encoding="utf-8"), block.text) if "replace" in block.words else block.text
    path.write_text(text, encoding="utf-8")


def tried(number: int, command: str, block: Block, project: Path, wheel: Path) -> bool:
    """Run a command of the page in the fresh environment; return True if it ended as the page says."""
    programs = project.parent / "venv" / ("Scripts" if os.name == "nt" else "bin")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI", "PYTEST", "PYTHON", "VIRTUAL_ENV"))}
    env = {**kept, "PATH": f"{programs}{os.pathsep}{kept.get('PATH', '')}"}
    words = shlex.split(command.replace(f"pip install {PACKAGE}", f"pip install {wheel}"))
    words[0] = str(programs / words[0])
    start = time.perf_counter()
    done = run(words, project, env)
    expected = int(block.value("exit") or 0)
    print(f"{number}. {command}\n   exit {done.returncode}, {time.perf_counter() - start:.1f} s", flush=True)
    if done.returncode != expected:
        print(f"   expected exit {expected}\n{done.stdout}{done.stderr}")
    return done.returncode == expected


def run(words: list[str], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command and capture its output."""
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=LIMIT_S, check=False)


if __name__ == "__main__":
    sys.exit(main())
