"""The figures at the end of `planguard check`: what is counted, and how it reads."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("attempts", "shown"),
    [
        (8, "0/0/0/0/0/0/0/1 of 1 (by attempt 1/2/3/4/5/6/7/8)"),
        (9, "0/0/0/0/0/0/0/0 … 1 of 1 (by attempt 1/2/3/4/5/6/7/8 … 9)"),
        (10, "0/0/0/0/0/0/0/0 … 1 of 1 (by attempt 1/2/3/4/5/6/7/8 … 10)"),
    ],
)
def test_the_tail_of_a_long_conversation_is_one_figure(attempts: int, shown: str) -> None:
    """Eight figures are shown, and the last one if there are more."""
    long = conversation(["bad"] * (attempts - 1) + ["ok"], Outcome.CONVERGED)
    said = render(tally_of(FileReport(Path("a"), conversations=(long,), cassette=True)))
    assert f"valid by attempt  {shown}\n" in said


def test_each_grade_of_feedback_is_explained() -> None:
    """In the order from the firmest to the weakest, each with the number of findings."""
    without = (Firmness.PROVEN, Firmness.REACTS, Grade.FED_BACK)
    read = [grade for grade in (*Firmness, *Grade) if grade not in without]
    talk = conversation([f"bad {at}" for at in range(len(read) + 1)], Outcome.STUCK, read)
    lines = [line.strip() for line in render(tally_of(FileReport(Path("a"), conversations=(talk,)))).splitlines()]
    assert lines[4:13] == [
        "feedback          1 verbatim, 1 located, 1 weak, 1 partial, 1 unclear, 1 wrong, 1 missing, 1 not judged",
        "verbatim: the next request quotes its message verbatim",
        "located: the next request names its place, and its rule or message",
        "weak: the next request has only keywords of it",
        "partial: the next request names its place, in words that planguard does not understand",
        "unclear: the next request has new words that may be about it",
        "wrong: the next request says something else about it",
        "missing: the next request does not mention it",
        "not judged: cannot be determined",
    ]


def test_the_other_figures_of_recordings_as_text() -> None:
    """Failures on purpose, retries that were found, tool calls, and exchanges that were left out."""
    tally = Tally(
        cassettes=3,
        exchanges=1_000,
        unreadable=2_000,
        conversations=2,
        ok=1,
        outcomes=Counter({"converged": 1, "gave_up": 1}),
        on_purpose=1,
        surprises=1,
        retries_found=1_500,
        recordings_with_retries=2,
        retries_judged=400,
        known_by=Counter({"findings": 1_400, "errors": 60, "words": 40}),
        steps=Counter({"search": 2, "expansion": 1_000}),
        calls_checked=1,
        calls_with_bad_arguments=1,
        kinds=Counter({"auth": 1, "missing_key": 2}),
        raw=Counter({f"reason {at:02}": 1 for at in range(11)}),
        not_judged=Counter({"no contract": 1_000}),
    )
    assert render(tally).splitlines() == [
        "read               3 cassettes with 1,000 exchanges, 2,000 could not be read or judged",
        "conversations      2: 1 converged, 1 gave up",
        "on purpose         1 fail as expected.yaml says; 1 cassette does not",
        "valid by attempt   0/0/0/0 of 2 (by attempt 1/2/3/4)",
        "retries            none",
        "retries found      1,500 in 2 cassettes: 400 judged, 1,100 not",
        "                   1,400 findings: a contract or the request's own schema rejects the answer",
        "                      60 errors: the feedback names a place and a validator's code",
        "                      40 words: the feedback is free text",
        "steps              1,000 expansion, 2 search",
        "tool arguments     1 of 1 call with arguments that break their schema",
        "bad or no answers  2 missing key, 1 auth",
        "kept as raw text   11 exchanges",
        *(f"                       1 × reason {at:02}" for at in range(10)),
        "                         and 1 more reason",
        "not judged         1,000 exchanges",
        "                   1,000 × no contract",
    ]


def test_the_other_figures_of_answers_and_plans_as_text() -> None:
    """The fields that were read, and plans whose format is named or guessed."""
    tally = Tally(
        answers=1_200,
        answers_ok=1_000,
        plans=3,
        plans_ok=2,
        plans_read_in_part=1,
        fields_read=Counter({"text": 1_199, None: 1}),
        plan_remarks=Counter({"id-unique": 2, "dep-cycle": 1}),
        plans_unsure=2,
        strongest_remarks=[(3, "a.md:1: the id T1 is used twice [id-unique]")],
        plan_findings=Counter({"dep-self": 1, "dep-cycle": 2}),
        kinds=Counter({"transport": 1}),
        new_rules=("a.b missing", "c type"),
    )
    unsure = "--verbose lists them, --rules FORMAT judges them"
    assert render(tally).splitlines() == [
        "new failures       a.b missing, c type",
        "read               1,200 answers, 3 plans",
        "answers            1,000 of 1,200 meet the contract",
        "field read         text in 1,199, the line itself in 1 (--field names another)",
        "plans              2 of 3 keep the rules, 1 of them read in part",
        f"not sure           2 id-unique, 1 dep-cycle in 2 plans whose format was guessed: {unsure}",
        "                   a.md:1: the id T1 is used twice [id-unique]",
        "found in plans     2 dep-cycle, 1 dep-self",
        "bad or no answers  1 transport",
    ]
    one = Tally(answers=1, fields_read=Counter({"text": 1}), new_rules=(), on_purpose=0, surprises=2)
    assert render(one).splitlines() == [
        "new failures  none",
        "read          1 answer",
        "answers       0 of 1 meet the contract",
        "field read    text (--field names another)",
    ]


@pytest.mark.parametrize(("surprises", "ending"), [(0, ""), (2, "; 2 cassettes do not")])
def test_cassettes_that_fail_on_purpose_are_counted(surprises: int, ending: str) -> None:
    """Those that do not are named as such."""
    tally = Tally(conversations=3, on_purpose=2, surprises=surprises, outcomes=Counter({"stuck": 3}))
    assert f"on purpose        2 fail as expected.yaml says{ending}\n" in render(tally)


def test_a_conversation_that_is_valid_and_goes_on_counts_once() -> None:
    """The first valid attempt counts; a later one does not count again."""
    twice = conversation(["ok 1", "ok 2"], Outcome.CONVERGED)
    assert tally_of(FileReport(Path("a"), conversations=(twice,))).valid_by_attempt == [1, 1, 1, 1]


def test_the_weakest_grade_stands_for_a_retry() -> None:
    """One missing finding makes the retry a missing one; what nobody could judge decides only where all is such."""
    assert weakest([Firmness.VERBATIM, Grade.MISSING, Grade.NOT_JUDGED]) == Grade.MISSING
    assert weakest([Grade.NOT_JUDGED, Firmness.LOCATED]) == Firmness.LOCATED
    assert weakest([Grade.NOT_JUDGED]) == Grade.NOT_JUDGED
    ordered = ["verbatim", "located", "weak", "partial", "unclear", "wrong", "missing"]
    assert [weakest(ordered[:number]) for number in range(1, 8)] == ordered


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
