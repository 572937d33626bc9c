"""Print the lowest versions that pyproject.toml allows, as pip constraints: python tools/lowest.py > lowest.txt."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
BOUND = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,-]*\])?\s*>=\s*(?P<version>[\w.]+)")
FROM_PYTHON = re.compile(r"python_version\s*>=\s*'(?P<version>[\d.]+)'")
"""The only marker that a requirement may have: `PyYAML>=6.0.2; python_version >= '3.13'`."""


def requirements(project: dict[str, object]) -> Iterator[str]:
    """Yield the requirements of the package and of its extras, except extras that name the package itself."""
    extras = project["optional-dependencies"]
    assert isinstance(extras, dict)
    for group in (project["dependencies"], *extras.values()):
        assert isinstance(group, list)
        yield from (line for line in group if not line.startswith(f"{project['name']}["))


def numbers(version: str) -> list[int]:
    """Return a sort key for versions: "3.9" is below "3.14"."""
    return [int(digits) for digits in re.findall(r"\d+", version)]


def bound(line: str, python: str) -> tuple[str, str] | None:
    """Return name and lowest version of a requirement; None on an older Python. Raises SystemExit without a bound."""
    wanted, _, marker = line.partition(";")
    found, since = BOUND.match(wanted), FROM_PYTHON.fullmatch(marker.strip())
    if found is None or (marker and since is None):
        raise SystemExit(f"{line!r}: write it as name>=version or name>=version; python_version >= '3.13'")
    return None if since and numbers(python) < numbers(since["version"]) else (found["name"], found["version"])


def lowest(
    pyproject: Path = PYPROJECT, python: str = f"{sys.version_info.major}.{sys.version_info.minor}"
) -> list[str]:
    """Return one `name==version` for each package: its highest lower bound for this Python."""
    pins: dict[str, str] = {}
    for line in requirements(tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]):
        if found := bound(line, python):
            name, version = found
            pins[name] = max(version, pins.get(name, "0"), key=numbers)
    return sorted((f"{name}=={version}" for name, version in pins.items()), key=str.lower)


if __name__ == "__main__":
    print(*lowest(), sep="\n")
