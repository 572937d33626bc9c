"""The results of a run: its rows in order, its exit code, and the page of a job."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.plugin.recording.unused_cassettes import ORPHANS
from pytest_planguard.plugin.results.results import Results, add_to_summary, fail
from pytest_planguard.runs.model.codec import row_text
from pytest_planguard.runs.model.run import Run, RunHeader

from .test_terminal import row, stale


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED),
        (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.TESTS_FAILED),
        (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERRUPTED),
        (pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.NO_TESTS_COLLECTED),
    ],
)
def test_only_a_run_that_passed_is_made_to_fail(before: pytest.ExitCode, after: pytest.ExitCode) -> None:
    """Any other exit code says more."""
    session: Any = SimpleNamespace(exitstatus=before)
    fail(session)
    assert session.exitstatus is after


def results(folder: Path, **settings: Any) -> Results:
    """Return the results of a run in this folder."""
    stash = pytest.Stash()
    stash[SETTINGS] = Settings(**settings)
    return Results(SimpleNamespace(stash=stash, rootpath=folder))  # type: ignore[arg-type]


def test_rows_are_in_the_order_of_their_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rerun replaces its row."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    found = results(tmp_path)
    for test, outcome in (("t.py::b", "valid"), ("t.py::a", "valid"), ("t.py::b", "stuck")):
        found.add(test, row_text(row(outcome, test=test)))
    assert [(one.test, one.outcome) for one in found.rows] == [("t.py::a", "valid"), ("t.py::b", "stuck")]
    assert found.orphans == []
    found._config.stash[ORPHANS] = ["a.yaml"]
    assert found.orphans == ["a.yaml"]
    found.finish(SimpleNamespace(exitstatus=pytest.ExitCode.OK))  # type: ignore[arg-type]


@pytest.mark.parametrize("settings", [{}, {"save": "main", "match": "strict", "record": "missing"}])
def test_a_run_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]) -> None:
    """As the last one, and by its name; its header says how it matched and recorded."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    found = results(tmp_path, default_match="lenient", **settings)
    found.add("t.py::t", row_text(row()))
    session: Any = SimpleNamespace(exitstatus=pytest.ExitCode.OK)
    found.finish(session)
    assert (session.exitstatus, found.problems) == (pytest.ExitCode.OK, [])
    last = (tmp_path / ".planguard/last.jsonl").read_text()
    match = settings.get("match", "lenient")
    assert f'"match":"{match}"' in last.split("\n")[0]
    assert ('"record":"missing"' in last) is ("record" in settings)
    assert (tmp_path / ".planguard/runs/main.jsonl").exists() is ("save" in settings)


def test_the_page_of_a_job_is_added_to_its_file(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    """With what is to be recorded, even if that is one test; a file that cannot be written is a message."""
    file = tmp_path / "summary.md"
    file.write_text("before\n")
    rows = (row("unrecorded", test="a.py::t", result="failed"), stale("a.py::u", "[-a-]{+b+}"))
    run = Run(RunHeader("last", "0123", "2026-01-31T00:00:00+00:00"), rows)
    assert add_to_summary(str(file), run, False, None, pytestconfig) is None
    said = file.read_text()
    assert said.startswith("before\n")
    assert said.endswith("\n")
    for line in ("pytest a.py::t --planguard-record=missing", "pytest a.py::u --planguard-record=stale"):
        assert line in said
    assert add_to_summary(str(tmp_path), run, True, None, pytestconfig) == (
        f"the job's summary was not written to {tmp_path}: Is a directory"
    )
