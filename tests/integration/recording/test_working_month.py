"""A working month: a prompt gets worse and better, a failure is accepted and expires, model and contract change."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_planguard.testing.example import Example, Run

from ...support.git import git
from ...support.lookalike import Lookalike
from ...support.warm import inner_environment, run_module
from ..projects import PRINTER, TOMATO, app, run

TEST = """
import raising

@pytest.mark.planguard(TICKET)
def test_printer():
    raising.create(ask.plain, "printer on fire")

@pytest.mark.planguard(TICKET)
def test_tomato():
    raising.create(ask.plain, "the tomato wilts")
"""
RAISING = """
import apps

class NoTicket(RuntimeError):
    pass

def create(ask, task):
    text = apps.careful(ask, task, attempts=2)
    if text is None:
        raise NoTicket("no ticket")
    return text
"""
BAD = {**PRINTER, "priority": "urgent"}
CASE = "test_app.py::test_printer"
RECORDING = "cassettes/test_app/default/test_printer-cda921d3.yaml"
WRONG = 'priority (line 1, column 34): expected one of "low", "medium", "high"; got "urgent"'
BROKEN = f"breaks enum at priority%0A{WRONG}%0Apriority: high → urgent (breaks enum)"
LISTED = "--planguard-baseline=known.json"
GATE = ("diff", "--git", "main", "-c", "contracts.py:TICKET")
PASSED_DAY = "2026-01-31"


@dataclass
class Project:
    """A repository with a project in it, and the summary of its CI job."""

    folder: Path
    server: Lookalike
    example: Example

    def pytest(self, *arguments: str) -> Run:
        """Run the tests in a process of their own, and go on with what they leave."""
        self.summary.unlink(missing_ok=True)
        done = run(self.example, self.server, *arguments, GITHUB_STEP_SUMMARY=str(self.summary))
        self.example = done.example
        return done

    @property
    def summary(self) -> Path:
        """Where the summary of the job goes."""
        return self.folder.parent / "summary.md"

    def commit(self, what: str) -> None:
        """Commit the project as it is, without what a run keeps for itself."""
        self.example.write(self.folder)
        git(self.folder, "add", "-A", "--", ".", ":!.planguard")
        git(self.folder, "commit", "-qm", what)

    def gate(self) -> tuple[int, list[str]]:
        """Gate the branch against main as a CI job does: the exit code and the lines."""
        code, output = self.planguard(*GATE, "--format", "github")
        return code, output.splitlines()

    def planguard(self, *words: str) -> tuple[int, str]:
        """Run a command in its own process: the exit code and what it prints."""
        # The contract may be edited within a second and keep its length: byte code of before would pass for it.
        shutil.rmtree(self.folder / "__pycache__", ignore_errors=True)
        environment = inner_environment(PYTEST_PLUGINS="pytest_planguard.plugin", LOOKALIKE=self.server.origin)
        done = run_module(["pytest_planguard", *words], self.folder, environment)
        output = (done.stdout + done.stderr).decode()
        assert "could not be looked at" not in output
        return done.returncode, output

    def edit(self, before: str, after: str) -> None:
        """Edit the project's files."""
        self.example = self.example.replaced(before, after)

    def expire(self, day: str) -> None:
        """Write a day into every entry of the list of known failures, as a person does."""
        known = json.loads(self.example.read("known.json"))
        entries = [{**entry, "expires": day} for entry in known["failures"]]
        self.example = self.example.with_files({"known.json": json.dumps({**known, "failures": entries})})


def test_a_working_month(lookalike: Lookalike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case is red for its true reason and green for no reason but its own; each message names what to do next."""
    lookalike.script(BAD, BAD, when="Politely write a ticket as JSON with title, priority and steps. Task: printer")
    lookalike.script(PRINTER, PRINTER, when="printer")
    lookalike.script(TOMATO, TOMATO, when="tomato")
    (tmp_path / "repository").mkdir()
    project = Project(tmp_path / "repository", lookalike, app(TEST).with_files({"raising.py": RAISING}))
    monkeypatch.chdir(project.folder)
    git(project.folder, "init", "-q", "-b", "main")

    # Week 1: the app and its cassettes are on main.
    recorded = project.pytest("--planguard-record=missing")
    assert dict(recorded.outcomes) == {"passed": 2}, recorded.output
    project.commit("The app and its cassettes")

    # A polite prompt is worse for one case. The app raises because it gave up, and the report says why it did.
    git(project.folder, "switch", "-qc", "politely")
    project.edit("Write a ticket as JSON", "Politely write a ticket as JSON")
    worse = project.pytest("--planguard-record=stale")
    assert dict(worse.outcomes) == {"failed": 1, "passed": 1}, worse.output
    assert "E           raising.NoTicket: no ticket\n" in worse.stdout
    assert "planguard: Ticket: the last answer (attempt 2) is not valid: priority [enum]\n" in worse.stdout
    assert f"  x {WRONG}  [enum]\n" in worse.stdout
    assert f"note: the cassette before this one is kept: planguard cassette restore {RECORDING}\n" in worse.stdout
    assert f"then record again: pytest {CASE} --planguard-record=all\n" in worse.stdout
    failing = f"| `{CASE}` | breaks `enum at priority`, `gave_up:raising.NoTicket` |\n|  | `{WRONG}` |\n"
    assert failing in project.summary.read_text()

    # The gate of its pull request fails by the new failure, at its cassette and in the finding's own words.
    project.commit("A polite prompt")
    code, lines = project.gate()
    assert code == 1
    assert lines == [
        f"::error file={RECORDING},title=planguard%3A new failure::{CASE}: {BROKEN}",
        "::error title=planguard::1 new failure",
        "::notice title=planguard::FAIL: 1 new failure, 1 unchanged",
    ]

    # Week 2: the failure is accepted, the exception that follows from it with it. Tests and gate pass.
    accepted = project.pytest(LISTED, "--planguard-baseline-update")
    assert "known.json: 2 added, 0 removed, 2 listed; this run still fails by the old list\n" in accepted.stdout
    known = project.pytest(LISTED)
    assert (known.returncode, dict(known.outcomes)) == (0, {"passed": 1, "xfailed": 1}), known.output
    entries = f"  {CASE}: enum at priority\n  {CASE}: gave_up:raising.NoTicket\n"
    assert f"\n2 failed as listed:\n{entries}" in known.stdout
    assert "✅ **planguard: PASS** 0 of 2 cases fail, 1 known failure\n" in project.summary.read_text()
    project.commit("Accept it")
    code, gated = project.planguard(*GATE, "--baseline", "known.json")
    assert code == 0
    assert f"new failure (1)\n  {CASE} (known)\n    {WRONG}\n" in gated
    assert gated.endswith(f"\n1 failed as listed:\n  {CASE}: enum at priority\n\nPASS\n")

    # Week 3: its day has passed. Tests and gate fail again, and say that it was known.
    project.expire(PASSED_DAY)
    expired = project.pytest(LISTED)
    assert dict(expired.outcomes) == {"failed": 1, "passed": 1}
    until = entries.replace("\n", f" (until {PASSED_DAY})\n")
    advice = '2 known failures have expired: fix the failure, or extend the "expires" date of its entry'
    assert f"\n2 listed, and expired:\n{until}{advice}\n" in expired.stdout
    assert f"- {advice}\n" in project.summary.read_text()
    project.commit("Months later")
    code, gated = project.planguard(*GATE, "--baseline", "known.json")
    assert code == 1
    assert gated.endswith("FAIL: 1 new failure; 1 known failure has expired\n")

    # The prompt is fixed. What is listed no longer fails, so the list is put right by the command that the run names.
    project.edit("Politely write", "Kindly write")
    fixed = project.pytest("--planguard-record=stale", LISTED, "--planguard-baseline-prune")
    assert dict(fixed.outcomes) == {"passed": 2}
    assert f"\n2 listed, and gone:\n{until}" in fixed.stdout
    assert "known.json: 0 added, 2 removed, 0 listed; this run still fails by the old list\n" in fixed.stdout
    assert json.loads(project.example.read("known.json"))["failures"] == []

    # Week 4: another model. It is one change with one command; recorded, it passes the gate, which names it.
    project.edit('{"model": "m"', '{"model": "m-2"')
    swapped = project.pytest("--planguard-stale=fail")
    assert dict(swapped.outcomes) == {"failed": 2}
    change = "request 1 differs from recorded interaction 1 in model: [-m-]{+m-2+}"
    assert f"planguard: the cassette is stale: it no longer fits what is sent\n  {change}\n" in swapped.stdout
    command = "pytest test_app.py --planguard-record=stale # about 2 calls, 36 tokens"
    assert f"  1 change in 2 cassettes, model: [-m-]{{+m-2+}}\n    {command}\n" in swapped.stdout
    assert project.summary.read_text().count(f"`stale cassette: {change}`") == 2
    recorded = project.pytest("--planguard-record=stale", LISTED)
    assert (recorded.returncode, dict(recorded.outcomes)) == (0, {"passed": 2}), recorded.output
    project.commit("Another model")
    code, gated = project.planguard(*GATE, "--baseline", "known.json")
    assert code == 0
    assert "differs in model: m → m-2\n" in gated
    assert "The prompt changed: user message, for example in test_app.py::test_printer:\n" in gated
    assert "  [-Write-] {+Kindly write+} a ticket as JSON with …\n" in gated
    assert gated.endswith("\nbaseline known.json: nothing listed\n\nPASS\n")

    # A tightened contract rejects a recorded answer, so the app asks once more than was recorded.
    project.edit("title: str = Field(min_length=3)", "title: str = Field(min_length=7)")
    tightened = project.pytest()
    assert dict(tightened.outcomes) == {"failed": 1, "passed": 1}, tightened.output
    short = 'title (line 1, column 11): expected at least 7 characters; got "Tomato"'
    assert f"fits this request.\n  rejected:  recorded answer 1: {short}\n" in tightened.stdout
    assert "  to record: pytest test_app.py::test_tomato --planguard-record=stale # about 1 call" in tightened.stdout
    assert "  (the app asks more often than was recorded)\n" in tightened.stdout
    # Both sides are judged by the contract of now: no answer got worse, and the tests, not the gate, are red.
    project.commit("A stricter contract")
    assert project.gate() == (0, ["::notice title=planguard::PASS: 1 still failing, 1 unchanged"])
