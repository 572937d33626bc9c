"""Prints the lowest versions that pyproject.toml allows, as pip constraints: python tools/lowest.py > lowest.txt."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
BOUND = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,-]*\])?\s*>=\s*(?P<version>[\w.]+)")


def requirements(project: dict[str, object]) -> Iterator[str]:
    """The requirements of the package and of its extras, but for the extras that name the package itself."""
    extras = project["optional-dependencies"]
    assert isinstance(extras, dict)
    for group in (project["dependencies"], *extras.values()):
        assert isinstance(group, list)
        yield from (line for line in group if not line.startswith(f"{project['name']}["))


def lowest(pyproject: Path = PYPROJECT) -> list[str]:
    """One `name==version` a requirement; one without a lower bound is an error, since nothing could hold it."""
    pins = set()
    for line in requirements(tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]):
        bound = BOUND.match(line)
        if bound is None:
            raise SystemExit(f"{pyproject.name}: {line!r} names no lower bound; write it as name>=version")
        pins.add(f"{bound['name']}=={bound['version']}")
    return sorted(pins, key=str.lower)


if __name__ == "__main__":
    print(*lowest(), sep="\n")
