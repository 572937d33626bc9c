"""`make lowest` holds each dependency at the lowest version that pyproject.toml allows on that Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.lowest import lowest


def pyproject(folder: Path, *lines: str) -> Path:
    """A project with these requirements and an extra."""
    path = folder / "pyproject.toml"
    path.write_text(
        f'[project]\nname = "mine"\ndependencies = {list(lines)}\n'
        'optional-dependencies = {some = ["extra[a,b]>=2.0,<3"], all = ["mine[some]"]}\n',
        encoding="utf-8",
    )
    return path


def test_a_bound_for_newer_pythons_counts_there_alone(tmp_path: Path) -> None:
    """The highest bound that holds is the lowest version; 3.9 is older than 3.13, and 2.9 than 2.12."""
    path = pyproject(tmp_path, "one>=2.9", "one>=2.12; python_version >= '3.13'", "two>=1")
    assert lowest(path, "3.9") == ["extra==2.0", "one==2.9", "two==1"]
    assert lowest(path, "3.13") == lowest(path, "3.14") == ["extra==2.0", "one==2.12", "two==1"]


@pytest.mark.parametrize("line", ["one", "one<3", "one>=1; sys_platform == 'win32'", "one; python_version >= '3.13'"])
def test_what_cannot_be_held_is_refused(tmp_path: Path, line: str) -> None:
    """A requirement without a lower bound would be tested at its newest version."""
    with pytest.raises(SystemExit, match="write it as name>=version"):
        lowest(pyproject(tmp_path, line))


def test_every_supported_python_has_its_versions() -> None:
    """The project's own requirements can be held on each."""
    for minor in range(11, 15):
        assert {"pydantic", "pytest", "PyYAML"} <= {pin.partition("==")[0] for pin in lowest(python=f"3.{minor}")}
