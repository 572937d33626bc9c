"""What recording may take, how old a cassette may be, and the live check, which asks live and writes nothing."""

import re

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..projects import PRINTER, TOMATO, app, rows, run, script

TWO = """
@pytest.mark.planguard(TICKET)
def test_printer():
    assert apps.careful(ask.plain, "the printer is on fire")

@pytest.mark.planguard(TICKET)
def test_tomato():
    apps.careful(ask.plain, "the tomato")
"""
DATE = r"- .*, \d\d \w{3} 20\d\d .* GMT"


@pytest.fixture(scope="module")
def recorded() -> Example:
    """Two recorded conversations of two attempts each."""
    server = Lookalike()
    done = run(app(TWO), script(server), "--planguard-record=missing")
    server.stop()
    assert dict(done.outcomes) == {"passed": 2}, done.output
    return done.example


def cassettes(example: Example) -> dict[str, str]:
    """All cassettes of a project by path."""
    return {path: example.read(path) for path in example.paths(".yaml")}


def test_the_canary_says_what_got_worse_and_writes_nothing(recorded: Example, lookalike: Lookalike) -> None:
    """A model that no longer manages the tomato fails that test alone; better, changed and same verdicts pass."""
    lookalike.script(PRINTER, PRINTER, when="printer")
    lookalike.script({**TOMATO, "title": "T"}, {**TOMATO, "title": "T"}, when="tomato")
    done = run(recorded, lookalike, "--planguard-record=verify")
    assert dict(done.outcomes) == {"passed": 1, "failed": 1}, done.output
    assert done.returncode == 1
    assert cassettes(done.example) == cassettes(recorded)
    assert (
        "planguard: the live answers are worse than the recorded ones (and 1 more problem)\n"
        "  recorded: converged after 2 attempts\n"
        "  live:     stuck after 3 attempts\n"
    ) in done.stdout
    assert (
        "2 cassettes compared with live answers: 1 worse, 1 changed\n"
        "  test_app.py::test_printer: changed: "
        "converged after 2 attempts when recorded, converged after 1 attempt now\n"
        "  test_app.py::test_tomato: worse: converged after 2 attempts when recorded, stuck after 3 attempts now\n"
    ) in done.stdout
    assert [row["live_check"]["change"] for row in rows(done.example)] == ["changed", "worse"]
    assert done.stdout.count("--planguard-record=all") == 1, "the command is said once"


def test_an_outage_is_no_worse_model(recorded: Example, lookalike: Lookalike) -> None:
    """An endpoint that answers errors fails the live check in words of its own, and nobody is told to record that."""
    lookalike.script(TOMATO, TOMATO, when="tomato", failures=((500, {}),) * 3)
    done = run(recorded, lookalike, "--planguard-record=verify", "-k", "tomato")
    assert dict(done.outcomes)["failed"] == 1, done.output
    assert (
        "planguard: the live endpoint gave no answer to judge; the cassette stays as it is\n"
        "  recorded: converged after 2 attempts\n"
        "  live:     1 exchange, none with an answer to judge ("
    ) in done.stdout
    assert "1 cassette compared with live answers: 1 unanswered\n" in done.stdout
    assert "worse" not in done.stdout
    assert "--planguard-record=all" not in done.stdout


def test_the_canary_asks_nothing_that_is_not_recorded(recorded: Example, lookalike: Lookalike) -> None:
    """A new test is told how to be recorded, and costs nothing; the same verdicts say so."""
    script(lookalike)
    new = recorded.replaced("def test_tomato", "def test_vegetable")
    done = run(new, lookalike, "--planguard-record=verify")
    assert dict(done.outcomes) == {"passed": 1, "failed": 1}, done.output
    assert len(lookalike.received) == 2
    assert "1 cassette compared with live answers: 1 same\n" in done.stdout
    assert "pytest test_app.py::test_vegetable --planguard-record=missing" in done.stdout


def test_an_old_recording_is_stale(recorded: Example, lookalike: Lookalike) -> None:
    """By the date of its newest answer; a warning, or a failure, with the command and what it takes."""
    lookalike.stop()
    aged = {p: re.sub(DATE, "- Wed, 01 Jan 2020 00:00:00 GMT", t) for p, t in cassettes(recorded).items()}
    old = recorded.with_files(aged)
    marked = old.replaced("planguard(TICKET)\ndef test_tomato", 'planguard(TICKET, max_age="9999w")\ndef test_tomato')
    ini = marked.with_files({"pytest.ini": "[pytest]\nplanguard_max_age = 90d\n"})
    warned = run(ini, lookalike)
    assert dict(warned.outcomes) == {"passed": 2}, warned.output
    assert "2 cases: 1 converged, 1 stale; 4 attempts" in warned.stdout
    told = re.search(r"test_printer: its newest answer is ([\d,]+) days old \(max_age is 90 days\)\n", warned.stdout)
    assert told, warned.output
    command = "pytest test_app.py::test_printer --planguard-record=stale # about 2 calls"
    assert command in warned.stdout
    failed = run(ini, lookalike, "--planguard-stale=fail", "-k", "printer")
    assert dict(failed.outcomes)["failed"] == 1, failed.output
    assert f"planguard: the cassette has expired: its newest answer is {told[1]} days old" in failed.stdout
    dated = {p: t.replace("Wed, 01 Jan 2020", "Fri, 01 Jan 2100") for p, t in aged.items()}
    ahead = run(ini.with_files(dated), lookalike, "--planguard-stale=fail", "-k", "printer")
    assert re.search(r"its newest answer is dated [\d,]+ days in the future \(max_age", ahead.stdout), ahead.output
    assert f"next: {command}" in failed.stdout


def test_an_old_recording_that_is_bad_anyway_is_no_stale_one(recorded: Example, lookalike: Lookalike) -> None:
    """What the answers break is the news: age is not told beside it, and the case does not count as stale."""
    lookalike.stop()
    aged = {p: re.sub(DATE, "- Wed, 01 Jan 2020 00:00:00 GMT", t) for p, t in cassettes(recorded).items()}
    limits = "[pytest]\nplanguard_max_age = 90d\nplanguard_max_attempts = 1\n"
    done = run(recorded.with_files({**aged, "pytest.ini": limits}), lookalike, "--planguard-stale=fail")
    assert dict(done.outcomes) == {"failed": 2}, done.output
    assert "planguard: Ticket: stops: the loop did not stop in time" in done.stdout
    assert "             2 attempts were made, 1 is allowed\n" in done.stdout
    advice = "next: let the loop end after attempt 1, or allow more with max_attempts=2"
    assert f"{advice} (a framework's max_retries=1 asks 2 times)\n" in done.stdout
    assert "days old" not in done.stdout
    assert "stale" not in done.stdout
    assert {row["outcome"] for row in rows(done.example)} == {"converged"}


def test_a_cap_stops_recording_and_keeps_what_was_paid_for(lookalike: Lookalike) -> None:
    """Three calls: the first conversation is recorded, the second is cut off after its first answer, which is kept."""
    done = run(app(TWO), script(lookalike), "--planguard-record=missing", "--planguard-record-max-calls=3")
    assert dict(done.outcomes) == {"passed": 1, "failed": 1}, done.output
    assert len(lookalike.received) == 3
    (whole,) = done.example.paths(".yaml")
    (part,) = done.example.paths(".part")
    assert "test_printer" in whole
    assert done.example.read(part).count("- request:") == 1
    assert "Recording has stopped: the cap of 3 calls is reached (3 calls," in done.stdout
    path = f"{part.removesuffix('.part').rpartition('.')[0]}"
    assert f"  recording: {path} stays as it was; new exchanges of this test are kept in a .part file beside it\n" in (
        done.stdout
    )
    assert "pytest test_app.py::test_tomato --planguard-record=missing" in done.stdout


def test_a_capped_recording_of_everything_is_recorded_again_in_the_same_way(
    recorded: Example, lookalike: Lookalike
) -> None:
    """The cassette that stays is not stale, so the command that only fixes stale ones would do nothing."""
    cap = "--planguard-record-max-calls=1"
    done = run(recorded, script(lookalike), "--planguard-record=all", cap, "-k", "printer")
    assert dict(done.outcomes)["failed"] == 1, done.output
    assert "  pytest test_app.py::test_printer --planguard-record=all\n" in done.stdout


def test_a_wrong_limit_ends_the_run(recorded: Example, lookalike: Lookalike) -> None:
    """Before any test, with what is needed."""
    refused = run(recorded, lookalike, "--planguard-record-max-tokens=many")
    assert refused.returncode == 4
    assert "--planguard-record-max-tokens = 'many': expected a whole number of tokens" in refused.stderr
