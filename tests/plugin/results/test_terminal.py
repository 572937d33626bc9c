"""The section at the end of a run: short where all is well."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.runs.model.judged_answers import AttemptRow, CheckRow, Judged
from pytest_planguard.runs.model.run import BadSample, CaseRow, LiveCheckRow, SamplesRow

from .conftest import Section


def talk(attempts: int, *failed: str, tokens: int | None = None) -> Judged:
    """A conversation of so many attempts with these failed checks; its first answer took so many tokens."""
    answers = tuple(AttemptRow("", ok=True, input_tokens=None if n else tokens) for n in range(attempts))
    return Judged(answers, "x", not failed, checks=tuple(CheckRow(name, "fail") for name in failed))


def row(outcome: str = "converged", attempts: int = 1, **changes: Any) -> CaseRow:
    """A row as a passed case leaves it."""
    plain = CaseRow("t.py::t", "t.py::t", outcome=outcome, result="passed", judged=(talk(attempts, tokens=1000),))
    return replace(plain, **changes)


def test_one_line_says_it_all(section: Section) -> None:
    """Cases by outcome, the most frequent first; attempts; tokens where known."""
    rows = [row(), row(attempts=2), row("stuck", attempts=3)]
    assert section(*rows)[0] == "3 cases: 2 converged, 1 stuck; 6 attempts; 3,000 tokens"


def test_nothing_to_count(section: Section) -> None:
    """Answers that were only checked have neither attempts nor tokens."""
    assert section(row("valid", judged=())) == ["1 case: 1 valid"]


def test_only_what_deserves_a_look_is_listed(section: Section) -> None:
    """A case that was right at once is counted, not listed."""
    assert section(row()) == ["1 case: 1 converged; 1 attempt; 1,000 tokens"]
    assert section(row(attempts=2))[2].endswith("t.py::t")
    assert section(row(result="failed"))[2].endswith("t.py::t")
    assert section(row(stale=("request 1 differs",)))[2].endswith("t.py::t")


def test_the_table(section: Section) -> None:
    """Attempts of each conversation, and the checks that failed."""
    failed = (talk(2, "feedback", tokens=500), talk(2, "feedback", tokens=500))
    assert section(row("stuck", result="failed", judged=failed))[1:] == [
        "outcome  attempts  tokens  result  failed checks  test",
        "stuck        2, 2   1,000  failed  feedback       t.py::t",
    ]


def test_bad_samples_are_named(section: Section) -> None:
    """Number and reason of the first ones."""
    samples = SamplesRow(1, 8, 0.5, tuple(BadSample(n, f"no {n}") for n in range(2, 9)))
    assert section(row(samples=samples))[3:] == [
        (
            "  t.py::t: 1 of 8 (12 %, 95 % interval 2 to 47 %) good; pass@2 0.25, pass^2 0.00; pass@5 0.62, "
            "pass^5 0.00; at least 50 % wanted"
        ),
        *(f"    sample {n}: no {n}" for n in range(2, 7)),
        "    and 2 more that are not good",
    ]


def test_an_outage_is_counted_as_one(section: Section) -> None:
    """What the endpoint did not answer is not counted as a worse model."""
    unanswered = LiveCheckRow("converged after 1 attempt", "nothing was judged", "unanswered")
    assert section(row(live_check=unanswered))[1:] == [
        "",
        "1 cassette compared with live answers: 1 unanswered",
        "  t.py::t: unanswered: converged after 1 attempt when recorded, nothing was judged now",
    ]


def test_pruning_without_anything_to_prune_is_said(
    section: Section, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why nothing was removed: nothing is recorded, or there are no older variants; unasked nothing is said."""
    assert section(row())[1:] == []
    monkeypatch.setattr(pytestconfig.option, "planguard_prune", True)
    way = "--planguard-prune removes only while recording; add --planguard-record=missing, stale or all"
    assert section(row())[1:] == ["", f"nothing was pruned: {way}"]
    monkeypatch.setitem(pytestconfig.stash, SETTINGS, Settings(record="missing"))
    none = "no case that this run recorded has cassettes in variants that its test no longer has"
    assert section(row())[1:] == ["", f"nothing was pruned: {none}"]
    assert section(row(pruned=("a/x.yaml",)))[2] == "1 cassette of older variants removed:"


def test_orphans(section: Section) -> None:
    """Nothing is said where there are none."""
    assert section(row())[1:] == []
    assert section(row(), orphans=("a.yaml", "b\x1b.yaml"))[1:] == [
        "",
        "2 cassettes are used by no test; remove or rename:",
        "  a.yaml",
        "  b\\x1b.yaml",
    ]


def test_the_table_names_lost_feedback(section: Section) -> None:
    """A retry that dropped its findings got no answer, so no check of the row says it; the table does."""
    told = ("missing feedback: the retry feeds back none",)
    missing = row("stopped", result="failed", judged=(talk(1, "valid"),), misses=told)
    assert "failed  feedback, valid  t.py::t" in section(missing)[2]
    assert "failed  valid  " in section(replace(missing, misses=("stale cassette: changed",)))[2]


def stale(test: str, change: str, **more: Any) -> CaseRow:
    """A row whose cassette no longer fits, with the command that records it again."""
    reason = f"request 1 differs from recorded interaction 1 in messages[0].content: {change}"
    again = RerecordHint(f"pytest {test} --planguard-record=stale", 2, 10)
    return row("stale", test=test, stale=(reason,), rerecord=again, **more)


def test_one_change_is_told_once(section: Section) -> None:
    """The words around it differ by case; one command, and what all of it takes. Another change stands by itself."""
    rows = [stale(f"t.py::t[{task}]", f"Ticket [-as-]{{+in+}} JSON: {task} …") for task in "abcd"]
    shown = section(*rows, stale("t.py::other", "Be [-brief-]{+kind+}"))
    assert shown[shown.index("5 stale cassettes: convergence is unproven") :] == [
        "5 stale cassettes: convergence is unproven",
        "  (the request has changed since it was recorded)",
        "  1 change in 4 cassettes, messages[0].content: Ticket [-as-]{+in+} JSON: a …",
        "    pytest t.py::t --planguard-record=stale # about 8 calls, 40 tokens",
        "    t.py::t[a], t.py::t[b], t.py::t[c] and 1 more",
        "  t.py::other: request 1 differs from recorded interaction 1 in messages[0].content: Be [-brief-]{+kind+}",
        "    pytest t.py::other --planguard-record=stale # about 2 calls, 10 tokens",
    ]


def test_what_has_another_way_out_is_not_put_together(section: Section) -> None:
    """An envelope is repaired without a call, and a bug in the retry is not recorded."""
    rows = [stale(f"t.py::t[{n}]", "[-1-]{+2+}", rekey=f"planguard show {n}.yaml --rekey") for n in "ab"]
    assert sum("without a call" in line for line in section(*rows)) == 2
    rows = [replace(stale(f"t.py::t[{n}]", "[-1-]{+2+}"), rerecord=None) for n in "ab"]
    assert not any("1 change in" in line for line in section(*rows))


def test_tests_without_a_recording_have_one_command(section: Section) -> None:
    """The smallest that records all of them: a function, a file, or everything."""
    one, two = (row("unrecorded", test=test, result="failed") for test in ("a.py::t[x]", "a.py::t[y]"))
    assert section(one, two)[-2:] == [
        "2 tests have no cassette yet; all of them are recorded by",
        "  pytest a.py::t --planguard-record=missing",
    ]
    assert section(one, replace(two, test="a.py::u"))[-1] == "  pytest a.py --planguard-record=missing"
    assert section(one, replace(two, test="b.py::u"))[-1] == "  pytest --planguard-record=missing"
    assert "no cassette yet" not in "\n".join(section(one))


def test_lost_feedback_in_several_cases_is_one_line(section: Section) -> None:
    """They have one cause more often than not; recording again is not offered."""
    missing = (talk(2, "feedback"),)
    rows = [row("converged", test=f"t.py::{n}", result="failed", judged=missing) for n in "ab"]
    assert section(*rows)[-2:] == [
        "2 cases dropped feedback: fix the retry first; recording again would keep the bug",
        "  t.py::a, t.py::b",
    ]
