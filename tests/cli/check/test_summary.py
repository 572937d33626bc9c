"""The figures at the end of `planguard check`: what is counted, and how it reads."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from pytest_planguard.cli.check.file_report import FileReport
from pytest_planguard.cli.check.tally import Tally, summary, weakest
from pytest_planguard.cli.inputs.answers import CheckedAnswer
from pytest_planguard.report.forms.text import block_lines
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.results import Check

from .conversations import conversation, verdict


def render(tally: Tally) -> str:
    """Return the summary as text."""
    return "\n".join(block_lines([summary(tally)]))


def tally_of(*reports: FileReport) -> Tally:
    """The figures of these files."""
    tally = Tally()
    for report in reports:
        tally.add(report)
    return tally


CONVERGED = conversation(["bad", "ok"], Outcome.CONVERGED, [Firmness.LOCATED])
STUCK = conversation(
    ["bad", "worse", "worse", "bad"], Outcome.STUCK, [Grade.MISSING, Firmness.WEAK, Grade.MISSING], ["feedback"]
)
CASSETTE = FileReport(
    Path("a.yaml"), conversations=(CONVERGED, STUCK), cassette=True, exchanges=8, raw=Counter({"an embedding": 2})
)


def test_figures_of_recordings_as_text() -> None:
    """Everything that was counted stands in the summary, one figure a line."""
    assert render(tally_of(CASSETTE)).splitlines() == [
        "read              1 cassette with 8 exchanges",
        "conversations     2: 1 converged, 1 stuck",
        "valid by attempt  0/1/1/1 of 2 (by attempt 1/2/3/4)",
        "retries           1/4 repeat the answer before, 2 any earlier answer",
        "feedback          1 located, 1 weak, 2 missing",
        "                    located: the next request names its place, and its rule or message",
        "                    weak: the next request has only keywords of it",
        "                    missing: the next request does not mention it",
        "by retry          2 missing, 1 located, 1 weak (each by the worst of its findings)",
        "judged            by reading alone: experiments run in tests, and what a kept run has of them is shown",
        "checks failed     feedback in 1",
        "bad answers       5 missing",
        "kept as raw text  2 exchanges",
        "                      2 × an embedding",
    ]


def test_figures_of_answers_as_text() -> None:
    """Answers outside a cassette have their own line, and what could not be read is counted."""
    good, bad = CheckedAnswer(verdict("ok")), CheckedAnswer(verdict("bad"))
    answers = FileReport(Path("a.jsonl"), answers=(good, bad))
    broken = FileReport(Path("b.yaml"), errors=("b.yaml is empty",))
    assert render(tally_of(answers, broken)).splitlines() == [
        "read         2 answers, 1 could not be read or judged",
        "answers      1 of 2 meet the contract",
        "bad answers  1 missing",
    ]


def test_files_left_out_are_named() -> None:
    """The first ones by name, the rest counted."""
    others = [FileReport(Path(f"{name}.md"), skipped="no cassette") for name in "abcde"]
    assert render(tally_of(*others)).splitlines() == [
        "read      nothing",
        "left out  5 other files: a.md, b.md, c.md and 2 more (-v says why)",
    ]


def test_nothing_read_is_said() -> None:
    """A summary over nothing says so."""
    assert render(Tally()) == "read  nothing"


def test_valid_by_attempt_is_cumulative_and_has_at_least_four_figures() -> None:
    """A conversation counts from its first valid attempt on."""
    late = conversation(["bad"] * 5 + ["ok"], Outcome.CONVERGED)
    assert tally_of(CASSETTE).valid_by_attempt == [0, 1, 1, 1]
    assert tally_of(FileReport(Path("a"), conversations=(late,))).valid_by_attempt == [0, 0, 0, 0, 0, 1]
    long = conversation(["bad"] * 9 + ["ok"], Outcome.CONVERGED)
    assert "valid by attempt  0/0/0/0/0/0/0/0 … 1 of 1 (by attempt 1/2/3/4/5/6/7/8 … 10)\n" in render(
        tally_of(FileReport(Path("a"), conversations=(long,), cassette=True))
    )


def test_a_conversation_that_is_valid_and_goes_on_counts_once() -> None:
    """The first valid attempt counts; a later one does not count again."""
    twice = conversation(["ok 1", "ok 2"], Outcome.CONVERGED)
    assert tally_of(FileReport(Path("a"), conversations=(twice,))).valid_by_attempt == [1, 1, 1, 1]


def test_the_weakest_grade_stands_for_a_retry() -> None:
    """One missing finding makes the retry a missing one; what nobody could judge decides only where all is such."""
    assert weakest([Firmness.VERBATIM, Grade.MISSING, Grade.NOT_JUDGED]) == Grade.MISSING
    assert weakest([Grade.NOT_JUDGED, Firmness.LOCATED]) == Firmness.LOCATED
    assert weakest([Grade.NOT_JUDGED]) == Grade.NOT_JUDGED


def test_a_warning_says_what_it_is_about() -> None:
    """The words "1 clean" read as praise: how many conversations, where, and what was seen stand there."""
    checks = (
        Check(
            "clean",
            CheckStatus.WARN,
            "the feedback leaks",
            ("request 2: a URL", "request 3: a URL"),
        ),
        Check("bounded", CheckStatus.WARN, "request 2 grows too much"),
    )
    warned = replace(CONVERGED, checks=checks)
    reports = [FileReport(Path("a.yaml"), conversations=(warned,)), FileReport(Path("b.yaml"), conversations=(warned,))]
    said = render(tally_of(*reports, FileReport(Path("c.yaml"), conversations=(CONVERGED,)))).splitlines()
    assert said[8:10] == [
        "checks warned     clean in 2 conversations, first: a.yaml: the feedback leaks: request 2: a URL",
        "                  bounded in 2 conversations, first: a.yaml: request 2 grows too much",
    ]


def test_retries_without_findings_have_no_grades() -> None:
    """No line stands there without figures."""
    blind = conversation(["ok", "ok"], Outcome.CONVERGED)
    said = render(tally_of(FileReport(Path("a.yaml"), conversations=(blind,), cassette=True, exchanges=2)))
    assert "feedback          no finding to feed back" in said
    assert "by retry" not in said


def test_figures_for_programs() -> None:
    """The same figures under names that a program can rely on."""
    values = tally_of(CASSETTE).values()
    assert values["valid_by_attempt"] == [0, 1, 1, 1]
    assert (values["retries"], values["repeats_of_the_answer_before"], values["repeats_of_any_earlier_answer"]) == (
        4,
        1,
        2,
    )
    between = {"partial": 0, "unclear": 0}
    assert values["findings_fed_back"] == {
        "verbatim": 0,
        "wrong": 0,
        "located": 1,
        "weak": 1,
        **between,
        "missing": 2,
        "not judged": 0,
    }
    assert values["outcomes"] == {"converged": 1, "stuck": 1}
    assert values["checks_failed"] == {"feedback": 1}
