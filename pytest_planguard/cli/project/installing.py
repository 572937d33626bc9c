"""The line in `planguard ci`'s files that installs the project in this folder."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any

EXAMPLE = "pip install -e . pytest-planguard"
"""The line in the shipped files, which is replaced for a project."""
GROUPS = ("dev", "test", "tests")
"""Names of dependency groups and extras with the requirements of tests."""
REQUIREMENTS = ("requirements.txt", "requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt")


def install_command(folder: Path) -> str:
    """Return the shell command that installs the project in this folder, its test dependencies and planguard.

    A lock file of uv or poetry comes first, then pyproject.toml or setup.py, then files of requirements. Without any,
    only planguard is installed, as for a project from `planguard init`.
    """
    if (folder / "uv.lock").is_file():
        locked = "uv export --quiet --frozen --all-groups --no-hashes --output-file .locked.txt"
        return f"pip install uv && {locked} && pip install -r .locked.txt pytest-planguard"
    if (folder / "poetry.lock").is_file():
        return "pip install poetry && POETRY_VIRTUALENVS_CREATE=false poetry install && pip install pytest-planguard"
    words = ["pip install", *_project(folder), *_requirements(folder), "pytest-planguard"]
    newer = ["pip install --upgrade pip &&"] if any(word.startswith("--group") for word in words) else []  # pip 25.1
    return " ".join([*newer, *words])


def _project(folder: Path) -> Iterator[str]:
    """Yield `-e .` with the extra and group for tests; nothing if pyproject.toml holds only settings."""
    data = pyproject(folder)
    extras = [name for name in table(table(data, "project"), "optional-dependencies") if name in GROUPS]
    if "project" in data or "build-system" in data or (folder / "setup.py").is_file():
        yield f"-e {quote('.[' + ','.join(extras) + ']')}" if extras else "-e ."
    yield from (f"--group {name}" for name in table(data, "dependency-groups") if name in GROUPS)


def _requirements(folder: Path) -> Iterator[str]:
    yield from (f"-r {name}" for name in REQUIREMENTS if (folder / name).is_file())


def pyproject(folder: Path) -> dict[str, Any]:
    """Return the content of pyproject.toml; {} if it can't be read, which a build will report."""
    try:
        return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}


def table(data: object, name: str) -> dict[str, Any]:
    """Return the table of this name inside another table; {} if it is missing."""
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}
