"""`planguard diff` in every form: on the terminal, in files, in the summary of a CI job."""

import json
import sys
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from pytest_planguard.cli.diff.diff_formats import SUMMARY_BYTES, Output
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.gate.gate import FailOn, gate

from ...support import reviews
from ...support.commands import run
from ...support.runs import bad, good
from ...support.runs import run as run_of
from .contract_module import CONTRACT

COUNTS = "2 new failures, 1 fixed, 4 still failing, 1 changed but valid, 12 unchanged"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a contract and two files of reviews; no CI around it."""
    (tmp_path / "contract.py").write_text(CONTRACT, encoding="utf-8")
    reviews.write_lines(tmp_path / "a.jsonl", reviews.base())
    reviews.write_lines(tmp_path / "b.jsonl", reviews.candidate())
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def diff(*arguments: str) -> Result:
    """The two files of reviews, judged; an exception that escapes fails the test."""
    named = ["diff", "a.jsonl", "b.jsonl", "-c", "contract.py:REVIEW", "--extract", "whole", *arguments]
    return run(*named)


def test_all_forms_agree(here: Path) -> None:
    """The same counts and the same exit code, whatever the form."""
    found = {form: diff("--format", form) for form in ("text", "markdown", "html", "json", "github", "sarif", "junit")}
    assert {result.exit_code for result in found.values()} == {1}
    assert COUNTS in found["text"].stdout.splitlines()[0]
    assert found["markdown"].stdout.splitlines()[0] == f"❌ **planguard: FAIL** {COUNTS}"
    assert f"<strong>FAIL</strong> {COUNTS}</p>" in found["html"].stdout
    assert found["github"].stdout.splitlines()[-1] == f"::notice title=planguard::FAIL: {COUNTS}"
    data = json.loads(found["json"].stdout)
    run = json.loads(found["sarif"].stdout)["runs"][0]
    assert run["properties"]["counts"] == data["counts"]
    assert run["properties"]["verdict"] == f"FAIL: {COUNTS}"
    assert ET.fromstring(found["junit"].stdout).findtext("testsuite/system-out") == f"FAIL: {COUNTS}"


def test_files_take_the_form_that_their_name_says(here: Path) -> None:
    """One comparison, several files, and the terminal has its text."""
    result = diff(
        *(part for name in ("d.html", "d.md", "d.json", "d.sarif", "d.xml", "d.txt") for part in ("-o", name))
    )
    assert (result.exit_code, COUNTS in result.stdout.splitlines()[0]) == (1, True)
    assert (here / "d.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (here / "d.md").read_text(encoding="utf-8").startswith("❌")
    assert json.loads((here / "d.json").read_text())["schema"] == 1
    assert json.loads((here / "d.sarif").read_text())["version"] == "2.1.0"
    assert (here / "d.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert (here / "d.txt").read_text(encoding="utf-8") == result.stdout


def test_a_form_that_went_into_a_file_is_not_printed_too(here: Path) -> None:
    """`--format json -o out` fills the file; another form than the file's is printed."""
    result = diff("--format", "json", "-o", "out")
    assert json.loads((here / "out").read_text())["schema"] == 1
    assert COUNTS in result.stdout.splitlines()[0]
    assert diff("--format", "github", "-o", "d.html").stdout.startswith("::error ")


def test_colours_are_for_the_terminal_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file never gets them, nor does a terminal where NO_COLOR is set."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    told = []
    output = Output("text", (here / "d.txt",))
    output.write(lambda form, color: told.append(color) or form)
    monkeypatch.setenv("NO_COLOR", "1")
    output.write(lambda form, color: told.append(color) or form)
    assert told == [False, True, False, False]


def test_a_file_that_cannot_be_written_is_said(here: Path) -> None:
    """A clear message and exit code 2, and no half file."""
    (here / "file").write_text("")
    result = diff("-o", "file/d.html")
    assert result.exit_code == 2
    assert "the report was not written" in result.stderr
    assert diff("-o", "d.html", "-o", "./d.html").exit_code == 2


def test_the_summary_of_a_job_is_written_where_there_is_one(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Markdown form is added to what other steps wrote, whatever the form on the terminal."""
    summary = here / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert diff("--format", "github").exit_code == 1
    assert summary.read_text(encoding="utf-8").startswith(f"before\n❌ **planguard: FAIL** {COUNTS}\n")


def test_a_summary_that_cannot_be_written_fails_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told on stderr; the gate decides the exit code."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here))
    result = diff("--fail-on", "none")
    told = f"planguard: the job's summary was not written to {here}: Is a directory\n"
    assert (result.exit_code, result.stderr) == (0, told)


def test_a_summary_that_is_too_long_says_only_that(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many cases of a bucket are listed as fit; if even one is too much, none is."""
    summary = here / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    names = "abcdefgh"
    found = compare(run_of("a", [good(name) for name in names]), run_of("b", [bad(name) for name in names]))
    report = DiffReport(found, gate(found, (FailOn.NEW,), date(2026, 1, 1)))

    def written(limit: int) -> str:
        monkeypatch.setattr("pytest_planguard.cli.diff.diff_formats.SUMMARY_BYTES", limit)
        summary.unlink(missing_ok=True)
        Output("text").deliver(report, lambda _: "")
        return summary.read_text(encoding="utf-8")

    whole = written(SUMMARY_BYTES)
    size = len(whole.encode()) - 1
    assert written(size) == whole
    for cases in (5, 1):  # as the texts for 50 and for 20 are the same here
        shorter = written(size - 1)
        assert shorter.startswith("❌ **planguard: FAIL** 8 new failures\n")
        assert sum(f"| `{name}` |" in shorter for name in names) == cases
        size = len(shorter.encode()) - 1
    assert written(10) == "planguard: the summary is too long to be shown\n"


@pytest.mark.parametrize(
    ("form", "passes", "printed"),
    [
        ("text", True, "no base\n"),
        ("text", False, ""),
        ("json", True, "no base\n"),
        ("github", True, "::notice title=planguard::no base\n"),
        ("github", False, "::error title=planguard::no base\n"),
    ],
)
def test_why_nothing_was_compared_is_said(
    form: str,
    passes: bool,
    printed: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An error is printed by the command itself, except for a build log; a job's summary has both."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    Output(form).say("no base", passes=passes)
    assert capsys.readouterr() == (printed, "")
    mark = "✅" if passes else "❌"
    summary = (here / "summary.md").read_text(encoding="utf-8")
    assert summary == f"{mark} **planguard: nothing was compared** no base\n"


@pytest.mark.slow
def test_a_long_summary_lists_fewer_cases(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job's summary has a limit, beyond which nothing of it would be shown."""
    long = {number: json.dumps({"x": "y" * 90, **{f"{'é' * 200}{n}": n for n in range(9)}}) for number in range(900)}
    reviews.write_lines(here / "b.jsonl", long)
    reviews.write_lines(here / "a.jsonl", {**dict.fromkeys(range(900), "{}"), **reviews.base()})
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    diff()
    assert 0 < (here / "summary.md").stat().st_size <= SUMMARY_BYTES


def test_annotations_lead_into_the_repository(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tests stand below the checkout, the path says so."""
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here.parent))
    assert f"::error file={here.name}/b.jsonl,line=6," in diff("--format", "github").stdout
    for workspace in (here, here / "elsewhere", ""):
        monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace))
        assert "::error file=b.jsonl,line=6," in diff("--format", "github").stdout
