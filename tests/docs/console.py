"""Runs the projects that pages build up, as their reader would: files, then commands, in the order of the page."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from difflib import SequenceMatcher
from pathlib import Path

from pytest_planguard.testing.example import HOST_ONLY, outcomes_of

from ..support.lookalike import Lookalike
from ..support.paths import ROOT
from ..support.warm import run_module
from .pages import Block

TIMEOUT_S = 120
CLOSED = "http://127.0.0.1:9/v1"
"""Nobody answers here: what a replay sees."""
OWN_PLUGIN = Path(__file__).parent / "page_plugin"
"""Folder of the plugin that makes property tests of pages short."""
PLUGINS = {
    "planguard": "-p planguard",
    "hypothesis": "-p planguard -p hypothesispytest -p few_examples --hypothesis-seed=0",
    "syrupy": "-p planguard -p syrupy",
    "all": "",
}
"""Value of a block's `plugins=` to options of pytest. The seed lets Hypothesis find the example that a page shows, and
not another one of the same fault. Only "all" loads every installed plugin, which takes two seconds."""
MODULES = {"pytest": "pytest", "planguard": "pytest_planguard"}
"""Commands to the modules that they run."""
WILD = "[...]"
"""Stands in shown output for text that changes; on a line of its own, for any lines."""


class Console:
    """A project in a folder of its own. Models answer only where the command records."""

    def __init__(self, folder: Path, lookalike: Lookalike) -> None:
        self._folder, self._lookalike = folder, lookalike
        self._excerpts: dict[str, list[str]] = {}

    def announce(self, block: Block) -> None:
        """Keep what a page shows of a command's output before the place where it runs it."""
        self._excerpts |= commands(block.text)

    @property
    def unproven(self) -> list[str]:
        """Commands whose output was announced, and that were not run since."""
        return list(self._excerpts)

    def write(self, block: Block) -> None:
        """Write a block's file in the place of an earlier one of that name; with `replace`, only the lines it fixes."""
        path = self._folder / (block.value("file") or "")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = repaired(path.read_text(encoding="utf-8"), block.text) if "replace" in block.words else block.text
        path.write_text(text, encoding="utf-8")

    def run(self, block: Block) -> None:
        """Run the commands of a block; exit code, outcomes and the shown output must be as the page says."""
        for command, shown in commands(block.text):
            code, output = self._run(command, block)
            report = f"{block.place}: {command}\nexit {code}\n{output}"
            assert code == int(block.value("exit") or 0), report
            _as_promised(block, outcomes_of(output), report)
            for lines in (shown, self._excerpts.pop(command, [])):
                missing = not_shown(lines, output)
                assert missing is None, f"{block.place}: not in the output: {missing!r}\n{report}"

    def _run(self, command: str, block: Block) -> tuple[int, str]:
        words = shlex.split(command)
        settings = [words.pop(0) for _ in list(words) if re.match(r"[A-Z_]+=", words[0])]
        records = any(word.startswith("--planguard-record=") for word in words)
        env = self._environment(records, block.value("plugins") or "planguard")
        env |= dict(word.split("=", 1) for word in settings)
        before = len(self._lookalike.received)
        done = _done(words, self._folder, env)
        assert records or len(self._lookalike.received) == before, f"{block.place}: {command} went to the model"
        return done.returncode, done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")

    def _environment(self, records: bool, plugins: str) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not HOST_ONLY.fullmatch(key)}
        env = {"OPENAI_API_KEY": "none-needed", "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}
        env |= {"OPENAI_BASE_URL": self._lookalike.base_url if records else CLOSED}
        env |= {"PYTEST_ADDOPTS": f"-p no:cacheprovider {PLUGINS[plugins]}"}
        env |= {"PYTHONPATH": str(OWN_PLUGIN)} if plugins == "hypothesis" else {}
        env |= {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}  # what it knows of our modules, once for all
        env |= {} if plugins == "all" else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return {**kept, **env}


def repaired(text: str, piece: str) -> str:
    """The text with a piece instead of the lines from the one most like its first to the one most like its last."""
    old, new = text.splitlines(), piece.splitlines()

    def most_like(line: str, start: int) -> int:
        return max(range(start, len(old)), key=lambda at: SequenceMatcher(None, line, old[at]).ratio())

    first = most_like(new[0], 0)
    last = most_like(new[-1], first)
    return "\n".join([*old[:first], *new, *old[last + 1 :], ""])


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Each `$ command` of a console block with the output lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append(line)
    return found


def not_shown(shown: list[str], output: str) -> str | None:
    """The first shown line that the output does not have after the lines before it; None where all are there."""
    lines = iter([line.strip() for line in output.splitlines()])
    for wanted in (line.strip() for line in shown):
        pattern = re.compile(".*".join(map(re.escape, wanted.split(WILD))))
        if wanted != WILD and not any(pattern.fullmatch(line) for line in lines):
            return wanted
    return None


def _done(words: list[str], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end, warm where that is possible."""
    program, *args = words
    if program in MODULES:
        return run_module([MODULES[program], *args], folder, env)
    if program == "python":
        words = [sys.executable, *args]
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, timeout=TIMEOUT_S, check=False)


def _as_promised(block: Block, outcomes: dict[str, int], report: str) -> None:
    promised = {w.partition("=")[0]: w.partition("=")[2] for w in block.words if "=" in w}
    for noun in ("passed", "failed", "error", "skipped", "xfailed"):
        if noun in promised:
            assert outcomes.get(noun, 0) == int(promised[noun]), report
