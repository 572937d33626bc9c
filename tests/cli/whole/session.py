"""Command lines with what they print, as a reader of a terminal sees them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ...support.commands import run

_READ = ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "COLUMNS", "NO_COLOR", "FORCE_COLOR")
"""Variables of the environment that change what commands print."""


def printed(lines: str) -> str:
    """Return the sessions of command lines, one below the other."""
    return "\n".join(map(session, filter(None, map(str.strip, lines.splitlines()))))


def session(line: str, stdin: str | None = None) -> str:
    """Return a command line with its exit code and what it prints on both streams."""
    with pytest.MonkeyPatch.context() as patch:
        for name in _READ:  # a review does nothing in CI, for example
            patch.delenv(name, raising=False)
        done = run(*shlex.split(line), stdin=stdin)
    errors = f"\n--- errors\n{done.stderr}" if done.stderr else ""
    text = f"$ planguard {line}\n{done.stdout}{errors}exit {done.exit_code}\n".replace(str(Path.cwd()), "FOLDER")
    text = re.sub(r"(Try 'planguard [a-z ]+)-h'", r"\1--help'", text)  # click 8.1 names the shorter option
    return re.sub(r"20\d\d-\d\d-\d\d[ T]\d\d:\d\d[\d:.+]*", "TIME", text)
