"""Texts without end in what commands print, and how much of each is left."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_planguard.cli.cassette.show_command import headline, render_exchange
from pytest_planguard.cli.check.check_output import NORMAL, TextOutput, plan_values
from pytest_planguard.cli.check.file_report import BadCall, FileReport
from pytest_planguard.cli.check.log_words import log_lines
from pytest_planguard.cli.check.tally import Tally, summary
from pytest_planguard.cli.inputs.answers import JudgedLines
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.report.forms.text import block_lines
from pytest_planguard.retry.judging.retry_listing import ListedRetry
from pytest_planguard.retry.outcomes import CheckStatus, Grade, Known, Outcome
from pytest_planguard.retry.results import Check
from pytest_planguard.runs.logs.summary import Figures, LogSummary
from pytest_planguard.runs.model.run import ProofRow, RunHeader
from pytest_planguard.runs.store.kept_proofs import KeptProof
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ..support.commands import run
from ..support.plans import text_of
from .check.conversations import MISSING, conversation

A, B, C, D, E = (letter * 9_000 for letter in "ABCDE")
"""Texts without end, each of its own letter."""


def lengths(text: str) -> dict[str, int]:
    """Return how many characters of each letter's longest row are left."""
    rows = {letter: max(map(len, re.findall(f"{letter}{{3,}}", text)), default=0) for letter in "ABCDE"}
    return {letter: length for letter, length in rows.items() if length}


def printed(report: FileReport, *, partial: bool = False) -> str:
    """Return what `planguard check` prints of a file, with the figures."""
    output, tally = TextOutput(NORMAL, (), partial=partial, color=False), Tally()
    output.add(report)
    tally.add(report)
    return output.end(tally)


STUCK = conversation(["bad", "bad"], Outcome.STUCK, [Grade.MISSING], ["feedback"])
FILE = FileReport(Path("a.yaml"))


def test_errors_notes_and_what_was_left_out() -> None:
    """An error may be a long list of advice; a note and a name are shorter."""
    assert lengths(printed(replace(FILE, errors=(A,), doubts=(B,)))) == {"A": 598, "B": 298}
    skipped = FileReport(Path(A), skipped=B)
    assert lengths("\n".join(block_lines([summary(tally_of(skipped))]))) == {"A": 158}


def tally_of(*reports: FileReport) -> Tally:
    """Return the figures of files."""
    tally = Tally()
    for report in reports:
        tally.add(report)
    return tally


def test_retries_and_calls() -> None:
    """Each error that a retry quotes, why it is not judged, and the name of a tool."""
    retry = ListedRetry(2, 1, Known.ERRORS, (A, B), why_not=C)
    found = replace(FILE, retries=(retry,), bad_calls=(BadCall(1, D, (MISSING,)),), calls=1)
    assert lengths(printed(found, partial=True)) == {"A": 238, "B": 238, "C": 238, "D": 58}


def test_a_conversation_and_its_settled_findings() -> None:
    """Its name, and the place and the code of each finding."""
    bad = replace(STUCK, conversation=A, checks=(Check("feedback", CheckStatus.FAIL, B),))
    proof = KeptProof(ProofRow(A, 1, C, (D,), "proven", "left out"), "bad", "d", RunHeader("main"))
    shown = lengths(printed(replace(FILE, conversations=(bad,), cassette=True, proofs=(proof,))))
    assert (shown["A"], shown["C"], shown["D"]) == (58, 38, 58)


def test_figures() -> None:
    """Checks that warn, fields that were read, and reasons."""
    warned = replace(STUCK, checks=(Check("bounded", CheckStatus.WARN, A),))
    lines = JudgedLines(answers=1, answer_field=D)
    found = replace(FILE, conversations=(warned,), lines=lines, raw=Counter({B: 1}), unjudged=Counter({C: 1}))
    shown = lengths("\n".join(block_lines([summary(tally_of(found))])))
    assert shown == {"A": 298 - len("a.yaml: "), "B": 158, "C": 158, "D": 58}


def test_figures_of_logs() -> None:
    """Reasons, and names of models."""
    found = LogSummary(calls=1, records=1, conversations=1, unread=Counter({A: 1}), by={f"model:{B}": Figures(1)})
    assert lengths("\n".join(text for _, text in log_lines(found))) == {"A": 298, "B": 58}


def test_plans() -> None:
    """Title and goal in JSON, and remarks in the figures."""
    read = policy_of([]).judge({"plan.md": text_of("superpowers")[1]})["plan.md"]
    assert read.plan is not None
    assert read.plan.goal is not None
    long = replace(read.plan, title=A, goal=replace(read.plan.goal, name=B))
    assert lengths(json.dumps(plan_values(replace(read, plan=long)), ensure_ascii=False)) == {"A": 198, "B": 498}
    guessed = policy_of([]).judge({"t.md": "## 1. Group\n\n- [ ] 1.1 Do this\n- [] 1.2 Do that\n"})["t.md"]
    remarks = tuple(replace(finding, message=C) for finding in guessed.unsure)
    tally = tally_of(FileReport(Path("t.md"), plan=replace(guessed, findings=remarks)))
    (line,) = [line for line in block_lines([summary(tally)]) if "C" * 9 in line]
    assert len(line.strip()) == 200


def test_an_exchange() -> None:
    """The headline on one line; a system prompt shorter than other messages, and raw bodies in between."""
    assert len(headline(Exchange(1, "openai.chat", model=A))) == 160
    items = tuple(
        Item(ItemKind.TEXT, role, text) for role, text in ((Role.SYSTEM, A), (Role.USER, B), (Role.ASSISTANT, C))
    )
    shown = Exchange(1, "openai.chat", request=items[:2], answer=items[2:], refusal=D, error=E)
    assert lengths(render_exchange(shown)) == {"A": 200, "B": 4_000, "C": 4_000, "D": 4_000, "E": 4_000}
    assert lengths(render_exchange(replace(shown, rejected_text=A), whole=True)) == {
        "A": 9_000,
        "B": 9_000,
        "C": 9_000,
        "D": 4_000,
        "E": 4_000,
    }
    raw = Exchange(1, "raw", raw_request=A, raw_response=B)
    assert lengths(render_exchange(raw)) == {"A": 400, "B": 400}


def test_a_cassette_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of `planguard cassette secrets` names a long path, and leaves room for the others."""
    monkeypatch.chdir(tmp_path)
    folder = Path(*("A" * 250 for _ in range(3)))
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text("interactions: [", encoding="utf-8")
    first = run("cassette", "secrets", "A" * 250).stdout.splitlines()[0]
    assert len(first) == len("error: ") + 600
