"""What the end of a run says of cassettes to record again, of lost feedback and of experiments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.plugin.results.sections import unrecorded_lines
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.runs.model.run import ProofRow

from .conftest import Section
from .test_terminal import row, stale, talk


def test_drifted_tests_are_recorded_again_by_the_tool_that_recorded_them(section: Section) -> None:
    """Each has its change, and the command of pytest-recording, which a shell takes as it stands."""
    rows = [row("stale", test=f"t.py::t[{n}]", stale=(f"a request {n} changed",)) for n in "ab"]
    assert section(rows[0])[3:] == [
        "",
        "1 drifted cassette: the code no longer sends what was recorded",
        "  t.py::t[a]: a request a changed",
        "    pytest 't.py::t[a]' --record-mode=rewrite",
    ]
    assert section(*rows)[5] == "2 drifted cassettes: the code no longer sends what was recorded"
    assert section(*rows)[-2:] == [
        "  t.py::t[b]: a request b changed",
        "    pytest 't.py::t[b]' --record-mode=rewrite",
    ]


def test_an_app_that_asks_more_often_is_told_from_a_changed_request(section: Section) -> None:
    """Only if that holds for all of them."""
    more = row("stale", test="t.py::m", stale=("unexpected request 3",))
    assert section(more)[3:] == [
        "",
        "1 stale cassette: convergence is unproven",
        "  (the app asks more often than was recorded)",
        "  t.py::m: unexpected request 3",
        "    pytest t.py::m --planguard-record=stale",
    ]
    assert "  (the request has changed since it was recorded)" in section(more, stale("t.py::t", "[-a-]{+b+}"))


def test_a_stale_case_says_what_repairs_it(section: Section) -> None:
    """A retry without feedback is mended first, and an envelope is repaired without a call."""
    lost = row("stale", stale=("changed",), result="failed", misses=("missing feedback: none",))
    assert section(lost)[-1] == ("    fix the retry first; re-recording would only capture the same missing feedback")
    rekeyed = row(
        "stale", stale=("changed",), rerecord=RerecordHint("pytest x", 0), rekey="planguard show a.yaml --rekey"
    )
    assert section(rekeyed)[-2:] == [
        "    pytest x",
        "    or, since only the envelope changed, without a call: planguard show a.yaml --rekey",
    ]


def test_one_change_in_several_files(section: Section) -> None:
    """-v names all cases. The command selects the smallest common part; a cost that is not known is left out."""
    rows = [stale(f"{file}.py::t", f"{file} [-a-]{{+b+}} {file}") for file in "abcde"]
    free = [replace(one, rerecord=RerecordHint("pytest", 0)) for one in rows]
    names = ", ".join(f"{file}.py::t" for file in "abcde")
    assert section(*free)[-3:] == [
        "  1 change in 5 cassettes, messages[0].content: a [-a-]{+b+} a",
        "    pytest --planguard-record=stale",
        "    a.py::t, b.py::t, c.py::t and 2 more",
    ]
    assert section(*rows, verbose=1)[-2:] == [
        "    pytest --planguard-record=stale # about 10 calls, 50 tokens",
        f"    {names}",
    ]
    assert section(*rows[:3])[-1] == "    a.py::t, b.py::t, c.py::t"
    assert section(*[stale("a.py::t[x]", "[-a-]{+b+}")] * 2)[-2].startswith(
        "    pytest 'a.py::t[x]' --planguard-record"
    )


def test_other_words_at_another_place_are_another_change(section: Section) -> None:
    """Removed and added words count, and where they are."""
    one, other = stale("t.py::a", "[-a-]{+b+}"), stale("t.py::b", "[-a-]{+c+}")
    moved = replace(one, test="t.py::c", stale=(one.stale[0].replace("messages[0]", "messages[1]"),))
    vague = [replace(stale(f"t.py::{n}", "it is longer"), test=f"t.py::{n}") for n in "de"]
    assert not any("1 change in" in line for line in section(one, other, moved, *vague))


def test_tests_without_a_cassette_are_counted_from_two_on(section: Section, pytestconfig: pytest.Config) -> None:
    """A page of CI names a single one too."""
    one = row("unrecorded", test="a.py::t", result="failed")
    assert [*unrecorded_lines([one, row()], pytestconfig)] == []
    assert [*unrecorded_lines([one, row()], pytestconfig, least=1)] == [
        "",
        "1 test has no cassette yet; it is recorded by",
        "  pytest a.py::t --planguard-record=missing",
    ]
    many = [replace(one, test=f"a.py::t{n}") for n in range(1000)]
    assert [*unrecorded_lines(many, pytestconfig)][1] == "1,000 tests have no cassette yet; all of them are recorded by"


def test_lost_feedback_is_counted_in_what_did_not_pass(section: Section) -> None:
    """Three cases are named, even with -v; one alone has its own failure."""
    rows = [row(test=f"t.py::{n}", result="failed", judged=(talk(2, "feedback"),)) for n in "abcd"]
    for verbose in (0, 1):
        assert section(*rows, verbose=verbose)[-2:] == [
            "4 cases dropped feedback: fix the retry first; recording again would keep the bug",
            "  t.py::a, t.py::b, t.py::c and 1 more",
        ]
    assert "dropped" not in "".join(section(rows[0], replace(rows[1], result="passed")))


OFF = "planguard does not run the app again, since "


def proof(result: str, *, number: int = 1, reason: str = "so it is") -> ProofRow:
    """An experiment with this result."""
    return ProofRow("1", number, "type", ("items", 0, "n"), result, reason)


def test_experiments_are_counted_and_open_ones_listed(section: Section) -> None:
    """The worst first, and expected losses last; a failure shows its own, and -v all of them."""
    every = ("proven", "reacts", "wrong", "missing", "unclear", "unproven", "not judged")
    passed = row(test="t.py::p", proofs=tuple(map(proof, every)))
    failed = row(test="t.py::f", result="failed", proofs=(proof("missing"), proof("proven")))
    expected = row(test="t.py::x", result="xfailed", proofs=(proof("missing", number=2),))
    counted = "2 proven, 1 reacts, 1 wrong, 3 missing, 1 unclear, 1 unproven, 1 not judged"

    def told(result: str, test: str, number: int = 1) -> list[str]:
        return [f"  {result}: {test}: conversation 1, attempt {number}, items[0].n [type]", "    so it is"]

    shown = section(failed, expected, passed)
    assert shown[shown.index("") :] == [
        "",
        f"10 findings tried by experiment: {counted}",
        *told("wrong", "t.py::p"),
        *told("missing", "t.py::x", 2),
        *told("missing", "t.py::p"),
        *told("unclear", "t.py::p"),
        *told("unproven", "t.py::p"),
        *told("not judged", "t.py::p"),
    ]
    verbose = section(failed, passed, verbose=1)
    assert told("missing", "t.py::f")[0] in verbose
    assert section(row(proofs=(proof("proven"),)))[1:] == ["", "1 finding tried by experiment: 1 proven"]


def test_a_long_list_of_experiments_is_cut(section: Section) -> None:
    """Ten are listed, and -v lists all."""
    rows = [row(test=f"t.py::t{n:02}", proofs=(proof("unclear"),)) for n in range(12)]
    assert section(*rows)[-1] == "  and 2 more; -v lists all"
    assert sum("unclear:" in line for line in section(*rows)) == 10
    assert section(*rows[:10])[-1] == "    so it is"
    assert sum("unclear:" in line for line in section(*rows, verbose=1)) == 12
    assert "-v" not in section(*rows, verbose=1)[-1]


def test_tests_that_were_not_run_again_are_grouped_by_the_reason(section: Section) -> None:
    """What differs in each test is that of the first."""
    child = [
        row(test=f"t.py::{name}", proofs=(proof("not judged", reason=f"{OFF}a child ran: {what}; say so"),) * 2)
        for name, what in (("a", "curl"), ("b", "node"))
    ]
    hook = row(test="t.py::c", proofs=(proof("not judged", reason=f"{OFF}a hook uses it"),))
    said = "not run again, so judged by reading alone"
    assert section(*child, hook)[1:] == [
        "",
        f"{said}: 2 tests (t.py::a, …), since a child ran: curl; say so",
        f"{said}: t.py::c, since a hook uses it",
    ]
