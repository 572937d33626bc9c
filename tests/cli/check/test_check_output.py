"""What `planguard check` prints of one file: cut lists, settled findings, surprises, files that cannot be judged."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import Contract
from pytest_planguard.cli.check.check_command import OutputArguments
from pytest_planguard.cli.check.check_output import NORMAL, QUIET, VERBOSE, JsonOutput, TextOutput
from pytest_planguard.cli.check.check_rows import GatedOutput
from pytest_planguard.cli.check.file_report import FileReport
from pytest_planguard.cli.check.judge_file import Judge, reports
from pytest_planguard.cli.check.log_options import NamedJudge
from pytest_planguard.cli.check.own_process import Watch
from pytest_planguard.cli.check.tally import Tally
from pytest_planguard.cli.commands import BaselineFile
from pytest_planguard.cli.inputs.answers import CheckedAnswer, JudgedLines, Listing
from pytest_planguard.cli.inputs.sources import Source
from pytest_planguard.document.answer import Extract
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.request_contracts import AutoContracts
from pytest_planguard.retry.outcomes import Grade, Outcome
from pytest_planguard.runs.logs.summary import LogSummary
from pytest_planguard.runs.model.run import ProofRow, RunHeader
from pytest_planguard.runs.store.kept_proofs import KeptProof
from pytest_planguard.wire.exchange import Exchange

from .conversations import conversation, verdict

STUCK = conversation(["bad", "bad"], Outcome.STUCK, [Grade.MISSING], ["feedback"])


def printed(report: FileReport, level: int = NORMAL, *specs: str) -> list[str]:
    """Return the lines about one file, without the figures."""
    output, tally = TextOutput(level, specs, partial=False, color=False), Tally()
    output.add(report)
    tally.add(report)
    return output.end(tally).rstrip("\n").split("\n")


def test_a_long_list_of_answers_says_how_many_are_left_out() -> None:
    """Listed answers are counted, and so are the other bad ones and the lines without an answer."""
    listed = [CheckedAnswer(verdict("bad"), 1), CheckedAnswer(verdict("ok"), 2)]
    lines = JudgedLines(listed, answers=2_000, good=499, problems=["line 3: it is empty"], problem_count=1_234)
    shown = printed(FileReport(Path("a.jsonl"), lines=lines))
    assert shown[:2] == ["a.jsonl: error: line 3: it is empty", "a.jsonl: error: 1,233 more lines have no answer"]
    assert "a.jsonl: 1,500 more bad answers are not listed: the list ends after 2" in shown
    whole = FileReport(Path("a.jsonl"), lines=JudgedLines(listed[:1], answers=1, problems=["x"], problem_count=1))
    assert not [line for line in printed(whole) if "more" in line]


@pytest.mark.parametrize(
    ("number", "rest"), [(4, []), (5, ["a.yaml:   and 1 more finding that experiments have settled (-v)"])]
)
def test_findings_that_experiments_settled_are_listed_up_to_four(number: int, rest: list[str]) -> None:
    """Each with its attempt, its place and its code, below the line of its conversation."""
    run = RunHeader("main", created="2026-11-20T08:00:00+00:00", commit="abc1234def")
    proofs = tuple(
        KeptProof(ProofRow("1", at, "missing", ("steps", 0), "proven", "it was left out"), "bad", "d", run)
        for at in range(1, number + 1)
    )
    shown = printed(FileReport(Path("a.yaml"), conversations=(STUCK,), cassette=True, proofs=proofs))
    said = "proven by an experiment in the run of 2026-11-20, commit abc1234: it was left out"
    assert shown[1:5] == [f"a.yaml:   attempt {at}, steps[0] [missing]: {said}" for at in range(1, 5)]
    assert [line for line in shown if "more finding" in line] == rest


def test_the_next_command_has_the_contracts_that_were_named() -> None:
    """It shows the first bad conversation, and is left out where everything is printed anyway."""
    report = FileReport(Path("a.yaml"), conversations=(STUCK,), cassette=True)
    command = "Attempt by attempt: planguard show a.yaml -c app.py:TICKET -c b:C"
    assert command in printed(report, NORMAL, "app.py:TICKET", "b:C")
    assert "Attempt by attempt: planguard show a.yaml" in printed(report)
    for level in (QUIET, VERBOSE):
        assert not [line for line in printed(report, level) if line.startswith("Attempt by attempt")]


def test_a_surprise_and_a_doubt_are_printed_unless_quiet() -> None:
    """Errors are printed always, and what was left out only with -v."""
    report = FileReport(Path("a.yaml"), errors=("broken",), doubts=("edited",), surprise="it holds", skipped="none")
    error, note, surprise = "a.yaml: error: broken", "a.yaml: note: edited", "a.yaml: it holds"
    assert printed(report, QUIET)[:2] == [error, ""]
    assert printed(report)[:3] == [error, note, surprise]
    assert printed(report, VERBOSE)[:4] == [error, "a.yaml: left out: none", note, surprise]


def test_failures_on_purpose_are_printed_only_with_verbose() -> None:
    """They are not bad, so no command about them follows."""
    report = FileReport(Path("a.yaml"), conversations=(STUCK,), cassette=True, on_purpose=True)
    assert printed(report)[0].startswith("read  ")
    assert printed(report, VERBOSE)[0] == "a.yaml:"


def test_lines_have_their_own_figures_in_json() -> None:
    """With the field that was read; another file has neither."""
    output, tally = JsonOutput(), Tally()
    listed = [CheckedAnswer(verdict("bad"), 1, "a")]
    lines = JudgedLines(listed, answers=7, good=4, problem_count=5, answer_field="text")
    for report in (FileReport(Path("a.jsonl"), lines=lines), FileReport(Path("b.yaml"))):
        output.add(report)
        tally.add(report)
    first, second = json.loads(output.end(tally))["files"]
    assert (first["field"], first["lines"]) == (
        "text",
        {"answers": 7, "ok": 4, "bad_not_listed": 2, "without_answer": 5},
    )
    assert not {"field", "lines", "logs"} & second.keys()


JUDGE = Judge((Contract({"type": "object"}),), JudgeOptions(), AutoContracts("embedded"))


def test_a_file_that_is_gone_is_an_error_with_advice(tmp_path: Path) -> None:
    """It may have been removed since it was found."""
    for name in ("gone.json", "gone.jsonl"):
        path = tmp_path / name
        assert JUDGE.file(Source(path, named=True)).errors == (
            "cannot be read: No such file or directory. Check the path and its permissions.",
        )


def _exhausted(_: Judge, __: Source) -> FileReport:
    raise MemoryError


def test_a_file_that_needs_too_much_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are still judged."""
    monkeypatch.setattr(Judge, "file", _exhausted)
    sources = [Source(Path(name), named=True) for name in "ab"]
    found = [report.errors for report in reports(JUDGE, sources, Watch(ended={Path("b"): "it ended"}))]
    assert found == [("cannot be judged: it needs more memory than is available.",), ("it ended",)]


@pytest.mark.parametrize(("named", "read"), [("whole", "whole"), ("embedded", "embedded"), (None, "embedded")])
def test_schemas_of_requests_in_logs_are_read_as_contracts_are(named: Extract | None, read: str) -> None:
    """`--extract` holds for them, too; prose around the answer is allowed without it."""
    judge = NamedJudge(extract=named)()
    assert judge.schemas is not None
    (contract,) = judge.schemas([Exchange(1, "openai.chat", output_schema={"type": "object"})])
    assert contract.extract == read


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({}, "nothing was judged"),
        ({"conversations": 1}, "1 of 1 conversation is bad"),
        ({"conversations": 1, "ok": 1}, "0 of 1 conversation is bad"),
        ({"conversations": 2, "ok": 1}, "1 of 2 conversations is bad"),
        ({"conversations": 2_000, "ok": 1, "on_purpose": 2}, "1,997 of 2,000 conversations are bad"),
        ({"answers": 10, "answers_ok": 7, "plans": 1}, "3 of 10 answers are bad, 1 of 1 plan is bad"),
        (
            {"conversations": 3, "plans": 2, "plans_ok": 2, "answers": 2, "answers_ok": 1},
            "3 of 3 conversations are bad, 1 of 2 answers is bad, 0 of 2 plans are bad",
        ),
    ],
)
def test_a_build_log_ends_with_what_was_judged(figures: dict[str, Any], words: str) -> None:
    """Each kind with its number, and a verb that agrees with it."""
    output = GatedOutput("github", BaselineFile(None, False, False), None, alone=False)
    last = output.end(Tally(**figures)).splitlines()[-1]
    assert last.partition(": ")[2] == words


def test_logs_count_as_conversations_in_a_build_log() -> None:
    """Together with those of cassettes; records that could not be read are named with their number."""
    logs = LogSummary(conversations=3, ok=1, unread=Counter({"no JSON": 2, "no format": 1}))
    output, tally = GatedOutput("github", BaselineFile(None, False, False), None, alone=False), Tally()
    report = FileReport(Path("log.jsonl"), logs=logs)
    output.add(report)
    tally.add(report)
    shown = output.end(replace(tally, conversations=2, ok=1))
    assert shown.splitlines()[-1].endswith(": 3 of 5 conversations are bad")
    assert "2 records: no JSON" in shown
    assert "1 record: no format" in shown
    assert output.fails(tally)


@pytest.mark.parametrize(
    ("changes", "listing"),
    [
        ({}, Listing(good=False, most=100)),
        ({"output": "errors"}, Listing(good=False, most=100)),
        ({"quiet": True}, Listing(good=False, most=0)),
        ({"verbose": True}, Listing(good=True, most=1_000)),
        ({"output": "json"}, Listing(good=True, most=1_000)),
        ({"output": "json", "quiet": True}, Listing(good=True, most=1_000)),
        ({"output": "github"}, Listing(good=True, most=10_000)),
        ({"output": "sarif", "quiet": True}, Listing(good=True, most=10_000)),
        ({"output": "junit", "verbose": True}, Listing(good=True, most=10_000)),
        ({"baseline": Path("known.json"), "quiet": True}, Listing(good=True, most=10_000)),
        ({"fail_on": "warn"}, Listing(good=False, most=100, warned=True)),
        ({"fail_on": "new-failures"}, Listing(good=False, most=100)),
        ({"fail_on": "warn", "output": "json"}, Listing(good=True, most=1_000, warned=True)),
    ],
)
def test_how_many_lines_of_answers_are_listed(changes: dict[str, Any], listing: Listing) -> None:
    """Bad ones for a person, more for a program, most for a list of known failures, which names them one by one."""
    given = OutputArguments(None, False, False, "text", "fail", 60.0, quiet=False, verbose=False)
    assert replace(given, **changes).listing() == listing
