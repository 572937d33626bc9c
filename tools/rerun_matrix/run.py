"""Run the project with and without reruns, and compare pytest's reports of both."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.integration.proving import apps
from tests.integration.proving.test_apps import recorded

from ..sessions import Start, environment, rows

PROJECT = Path(__file__).parent / "project"
INI = """[pytest]
python_files = test_*.py django_tests.py
planguard_allowed_hosts = 127.0.0.1 localhost
planguard_prove_seconds = 60
asyncio_default_fixture_loop_scope = function
"""
WRITING = {"test_commits", "test_commits_when_torn_down"}
"""Tests that write shared state, so they are not rerun."""
SHARING = {"test_shared_server"}
"""Tests that use a shared server."""
VERDICTS = {"test_lossy"}
"""The test that the reruns are for: its verdict and text differ, and its fixtures could notice."""
SHOWN = 3_000
"""Characters of a difference that are shown."""


def files() -> dict[str, str]:
    """Return the files of the project with its cassettes."""
    own = {file.name: file.read_text(encoding="utf-8") for file in PROJECT.glob("*.py") if file.name != "__init__.py"}
    return {
        **own,
        "apps.py": Path(apps.__file__).read_text(encoding="utf-8"),
        "summary.yaml": recorded(apps.summary),
        "lossy.yaml": recorded(apps.summary, "steps"),
        "pytest.ini": INI,
    }


def write(folder: Path) -> None:
    """Write the project into a folder."""
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Told:
    """The reports of one session."""

    reports: Mapping[tuple[str, str, str], tuple[str, ...]]
    """Test, phase and kind of report to the report's contents."""
    rows: Mapping[str, dict[str, Any]]
    """Test to its row."""
    output: str

    @property
    def gradings(self) -> Counter[str]:
        """The number of findings for each result."""
        return Counter(proof["result"] for row in self.rows.values() for proof in row["proofs"])

    @property
    def off(self) -> set[str]:
        """The names of the tests that were not rerun, without their classes and parameters."""
        start = "planguard does not run the app again"
        return {
            test.rpartition("::")[2].partition("[")[0]
            for test, row in self.rows.items()
            if any(proof["reason"].startswith(start) for proof in row["proofs"])
        }


def run(folder: Path, start: Start, prove: str, *args: str, **env: str) -> Told:
    """Run the project in a folder, with the given `planguard_prove`."""
    told = folder / "told.jsonl"
    told.unlink(missing_ok=True)
    (folder / ".planguard" / "last.jsonl").unlink(missing_ok=True)
    command = ["pytest", "-p", "no:cacheprovider", "-o", f"planguard_prove={prove}", *args]
    done = start(command, folder, {**environment(), "TOLD": str(told), **env})
    output = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in (0, 1):
        raise RuntimeError(output[-6000:])
    return Told(_reports(told), rows(folder), output)


def differences(without: Told, with_them: Told) -> Iterator[str]:
    """Yield the differences of two sessions, except the verdicts that the reruns are for."""
    for key in sorted({*without.reports, *with_them.reports}):
        one, other = without.reports.get(key, ()), with_them.reports.get(key, ())
        if one != other and not any(name in key[0] for name in VERDICTS):
            yield f"{key}\n  without: {one}\n  with:    {other}"[:SHOWN]


def _reports(told: Path) -> dict[tuple[str, str, str], tuple[str, ...]]:
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for line in told.read_text(encoding="utf-8").splitlines():
        what = json.loads(line)
        found[what["test"], what["when"], what.get("kind", "")].append(_steady(line))
    return {key: tuple(sorted(lines)) for key, lines in found.items()}


def _steady(line: str) -> str:
    """Remove what differs in every session: addresses, ports, the number of the temporary folder, the worker."""
    line = re.sub(r"0x[0-9a-f]+|(?<=localhost:)\d+|(?<=127\.0\.0\.1:)\d+", "0", line)
    return re.sub(r"(pytest-\d+(/popen-gw\d+)?|gw\d)", "pytest-N", line)  # pytest-7/popen-gw0
