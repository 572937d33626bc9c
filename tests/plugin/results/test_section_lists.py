"""What the section at the end of a run lists and counts: bounds, numbers, plurals and colours."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.comparison.score import Score
from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.runs.model.judged_answers import AttemptRow, FedBackRow, Judged
from pytest_planguard.runs.model.run import BadSample, CaseRow, LiveCheckRow, SamplesRow

from .conftest import Section
from .test_terminal import row, talk


def test_a_long_list_is_cut_and_a_verbose_one_is_not(section: Section) -> None:
    """30 cases are listed. -v lists all of them, and the good ones too."""
    rows = [row(test=f"t.py::t{n:02}", attempts=2) for n in range(31)]
    shown = section(*rows, row(test="t.py::good"))
    assert [line[-3:] for line in shown[2:-1]] == [f"t{n:02}" for n in range(30)]
    assert shown[-1] == "and 1 more; -v lists all"
    assert section(*rows[:30])[-1].endswith("t.py::t29")
    assert section(*rows, row(test="t.py::good"), verbose=1)[-1].endswith("t.py::good")


def test_quiet_runs(section: Section) -> None:
    """-q still has the section; -qq leaves it out."""
    assert section(row(), verbose=-1) == ["1 case: 1 converged; 1 attempt; 1,000 tokens"]
    assert section(row(result="failed"), orphans=("a.yaml",), verbose=-2) == []


def test_what_a_case_came_to_is_said_in_words(section: Section) -> None:
    """A case whose answers are good may fail all the same; what is unknown is a dash. The commonest comes first."""
    rows = [
        row("gave_up", attempts=3, result="failed"),
        row("converged", result="error"),
        row("valid", result="failed", judged=(talk(1),)),
        row("converged", result="failed"),
        row("unjudged", result=None, judged=(Judged((), "", ok=False),)),
    ]
    shown = section(*rows, row("skipped", result="skipped", judged=()))
    assert shown[0] == (
        "6 cases: 2 converged but failed, 1 gave up, 1 skipped, 1 unjudged, 1 valid but failed; "
        "6 attempts; 3,000 tokens"
    )
    assert shown[1:8] == [
        "outcome               attempts  tokens  result   failed checks  test",
        "gave up                      3   1,000  failed   -              t.py::t",
        "converged but failed         1   1,000  error    -              t.py::t",
        "valid but failed             1       -  failed   -              t.py::t",
        "converged but failed         1   1,000  failed   -              t.py::t",
        "unjudged                     0       -  -        -              t.py::t",
        "skipped                      -       -  skipped  -              t.py::t",
    ]


RED, YELLOW = "\x1b[31m", "\x1b[33m"


@pytest.mark.parametrize(
    ("changes", "colour"),
    [
        ({"result": "failed"}, RED),
        ({"result": "error"}, RED),
        ({"result": "failed", "stale": ("changed",)}, RED),
        ({"stale": ("changed",)}, YELLOW),
        ({"result": None, "judged": (talk(1, "valid"),)}, YELLOW),
        ({"result": None, "judged": (talk(2),)}, ""),
        ({"judged": (talk(2),)}, ""),
        ({"result": "xfailed"}, ""),
    ],
)
def test_a_line_has_the_colour_of_its_case(section: Section, changes: dict[str, Any], colour: str) -> None:
    """Red for a failure, yellow for what may be wrong; the head of the table has none."""
    head, line = section(row(**changes), colour=True)[1:3]
    assert head.startswith("outcome")
    assert line.startswith(f"{colour}converged")


def test_a_warning_is_yellow(section: Section) -> None:
    """What is left to do stands out."""
    assert section(row(), orphans=("a.yaml",), colour=True)[-1].startswith(f"{YELLOW}  a.yaml")


def test_a_score_below_the_bound_is_red(
    section: Section, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scores come before the table; at the bound they pass."""
    scored = row("valid", expected=(Score(0.5),))
    first, *_, last = section(scored, row(result="failed", expected=(Score(1.0),)), colour=True)[1:]
    assert (first.startswith(RED), last.endswith("t.py::t\x1b[0m")) == (False, True)
    for bound, red in ((0.5, False), (0.51, True)):
        monkeypatch.setitem(pytestconfig.stash, SETTINGS, Settings(fail_under=bound))  # type: ignore[arg-type]
        assert section(scored, colour=True)[1].startswith(RED) is red


def test_samples_that_are_not_good_are_cut_after_five(section: Section) -> None:
    """Five are named without a further line."""
    bad = tuple(BadSample(n, f"no {n}") for n in range(1, 6))
    assert section(row(samples=SamplesRow(3, 8, 0.5, bad)))[1:3] == ["", "samples"]
    assert section(row(samples=SamplesRow(3, 8, 0.5, bad)))[-1] == "    sample 5: no 5"


def test_live_answers_are_counted_by_how_they_compare(section: Section) -> None:
    """The worst first. A case that stayed the same is counted, not listed."""
    found = [LiveCheckRow("a", "b", change) for change in ("same", "changed", "better", "worse", "same", "unanswered")]
    assert section(*(row(live_check=one) for one in found))[1:] == [
        "",
        "6 cassettes compared with live answers: 1 worse, 1 unanswered, 1 better, 1 changed, 2 same",
        "  t.py::t: changed: a when recorded, b now",
        "  t.py::t: better: a when recorded, b now",
        "  t.py::t: worse: a when recorded, b now",
        "  t.py::t: unanswered: a when recorded, b now",
    ]


def doubtful(test: str, *grades: str) -> CaseRow:
    """A case whose next request handled findings so."""
    fed_back = tuple(FedBackRow("type", ("n",), grade) for grade in grades)
    return row(test=test, judged=(Judged((AttemptRow("", ok=True, fed_back=fed_back),), "x", ok=True),))


def test_unclear_findings_are_counted_by_test(section: Section) -> None:
    """With the setting that fails them."""
    why = "the wording alone does not show whether the retry feeds them back (planguard_unclear = fail lets none pass)"
    assert section(doubtful("t.py::a", "unclear", "fed back"), doubtful("t.py::c", "missing"))[1:] == [
        "",
        f"1 unclear finding: {why}",
        "  t.py::a: 1 unclear",
    ]
    assert section(doubtful("t.py::a", "unclear", "unclear"), doubtful("t.py::b", "unclear"))[1:] == [
        "",
        f"3 unclear findings: {why}",
        "  t.py::a: 2 unclear",
        "  t.py::b: 1 unclear",
    ]


def test_senders_out_of_reach_are_named_with_their_tests(section: Section) -> None:
    """Once each, with the first test and the number of others."""
    rows = [row(test=f"t.py::{n}", untracked=("curl", "node")[: 1 + (n == "b")]) for n in "abc"]
    assert section(*rows)[1:] == [
        "",
        "not replayed or refused: what these send (planguard_processes = fail lets no child process pass)",
        "  curl: t.py::a and 2 more",
        "  node: t.py::b",
    ]


def test_tests_of_a_suite_that_nothing_judges_are_named(section: Section) -> None:
    """The first five, and how to judge them."""
    rows = [row("unjudged", test=f"t.py::t{n}", judged=()) for n in range(6)]
    way = "answers that nothing judges: the requests demand no schema; name a contract in planguard_vcr_contracts"
    assert section(rows[0])[1:] == ["", f"1 test under @pytest.mark.vcr has {way}", "  t.py::t0"]
    five = [f"  t.py::t{n}" for n in range(5)]
    assert section(*rows[:5])[1:] == ["", f"5 tests under @pytest.mark.vcr have {way}", *five]
    assert section(*rows)[1:] == ["", f"6 tests under @pytest.mark.vcr have {way}", *five, "  and 1 more"]


def test_removed_cassettes_are_listed(section: Section) -> None:
    """Those of all cases together."""
    assert section(row(pruned=("a.yaml", "b.yaml")), row(pruned=("c.yaml",)))[1:] == [
        "",
        "3 cassettes of older variants removed:",
        "  a.yaml",
        "  b.yaml",
        "  c.yaml",
    ]
