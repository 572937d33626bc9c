"""The workflows of the repository run what a contributor runs, on every Python, and give a fork's code nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..support.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CI = ROOT / ".github" / "workflows" / "ci.yml"
PINNED = re.compile(r"\./\.github/\S+|actions/[\w-]+@v\d+|[\w-]+/[\w-]+@[0-9a-f]{40}")
"""Our own, GitHub's at a major version, anybody else's at a commit: `actions/checkout@v6`."""


def loaded(path: Path) -> dict[str, Any]:
    """A workflow; the base loader leaves the key `on` and the version 3.10 as they are written."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)


def jobs(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The jobs of a workflow, each with its name."""
    yield from loaded(path)["jobs"].items()


def commands(path: Path) -> Iterator[str]:
    """What the steps run; `make "$SUITE"` once for each suite of the matrix."""
    for _, job in jobs(path):
        suites = job.get("strategy", {}).get("matrix", {}).get("suite", [""])
        for step in job.get("steps", ()):
            if "run" in step:
                yield from (step["run"].replace('"$SUITE"', suite) for suite in suites)


def targets() -> set[str]:
    """The targets of the Makefile."""
    return set(re.findall(r"(?m)^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_targets_of_the_makefile_alone(path: Path) -> None:
    """What fails there can be run here by the same word."""
    for command in commands(path):
        make = re.fullmatch(r'make ([a-z-]+)(?: [A-Z]+="\$\w+")?', command)
        assert make, command
        assert make[1] in targets()


def test_ci_runs_all_that_make_test_runs_and_the_lowest_versions() -> None:
    """Nothing that must hold before a change lands is left to the contributor."""
    assert set(commands(CI)) == {
        f"make {one}" for one in ("checks", "docs", "unit", "lowest", "release", "first-minutes")
    }


def test_every_python_of_the_package_is_tested() -> None:
    """A version that the classifiers promise is in the matrix."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert loaded(CI)["jobs"]["tests"]["strategy"]["matrix"]["python"] == promised


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_gives_strange_code_nothing(path: Path) -> None:
    """No secret, no rights of the base on a pull request, and no token left in the checkout."""
    text = path.read_text(encoding="utf-8")
    workflow = loaded(path)
    assert "secrets." not in text
    assert "pull_request_target" not in workflow["on"]
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in jobs(path):
        steps = job.get("steps", [])
        checkouts = [step for step in steps if "checkout" in step.get("uses", "")]
        assert all(step["with"]["persist-credentials"] == "false" for step in checkouts), name
        if "permissions" in job:  # more than to read: then none of the code of the repository
            assert not [*checkouts, *(step for step in steps if "run" in step)], name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_ends_and_uses_what_is_pinned(path: Path) -> None:
    """A job that hangs is ended; an action moves to no other major version by itself."""
    assert loaded(path)["concurrency"]["group"]
    for name, job in jobs(path):
        assert "uses" in job or int(job["timeout-minutes"]) <= 30, name
        for used in [job.get("uses"), *(step.get("uses") for step in job.get("steps", ()))]:
            assert used is None or PINNED.fullmatch(used), used
