"""`planguard review`: on a real terminal, without one, and in CI."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pytest_planguard.errors import RunError
from pytest_planguard.report.change_text import changed_rows
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure, read_baseline, write_baseline
from pytest_planguard.runs.gate.review_items import Reviewer
from pytest_planguard.runs.model.judged_answers import CheckRow, FedBackRow
from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.snapshots import PendingSnapshot, PendingStore, expected_text
from pytest_planguard.runs.store.store import Store

from ...support.commands import run
from ...support.runs import attempt, bad, case, finding, good
from .pty_session import Terminal

SNAPSHOT = "__snapshots__/test_a/test_x.pgsnap"
OTHER = "__snapshots__/test_a/test_y.pgsnap"
ROWS = "1 field changed\n  recommendation: Go → Proceed (breaks one_of)"
KEYS = "[a] accept  [r] reject  [s] skip  [d] diff  [q] quit"
FAILURE_KEYS = KEYS.replace("diff", "answer")
"""A failure has nothing to be compared with."""
LIST = Path("planguard-baseline.json")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, outside of CI."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def changed(path: str = SNAPSHOT, test: str = "test_a.py::test_x", rows: str = ROWS) -> PendingSnapshot:
    """A snapshot on disk, and another text that its test made."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{\n  "recommendation": "Go"\n}\n')
    pending = PendingSnapshot(test, path, file.read_text(), '{\n  "recommendation": "Proceed"\n}\n', rows)
    PendingStore(Path()).keep(pending)
    return pending


def last_run_with_a_list() -> None:
    """Four cases: a failure that is new, one that has expired, one that is gone, one that is known."""
    Store(Path()).save("last", RunHeader("last"), [bad("new"), bad("old"), good("gone"), bad("known")])
    listed = [
        KnownFailure("old", "missing", ("a",), expires="2026-01-01"),
        KnownFailure("gone", "missing", ("a",)),
        KnownFailure("known", "missing", ("a",)),
    ]
    write_baseline(LIST, Baseline(tuple(listed)))


def entries() -> dict[str, KnownFailure]:
    """The list by case."""
    return {entry.case: entry for entry in read_baseline(LIST).entries}


def pending() -> list[str]:
    """Paths of the snapshots that wait."""
    return [found.path for found in PendingStore(Path()).all()]


def test_without_a_terminal_the_commands_are_printed_and_nothing_changes(here: Path) -> None:
    """Each item with what changed and what accepts it, snapshots first; every file stays as it is."""
    changed()
    PendingStore(Path()).keep(PendingSnapshot("test_a.py::test_z[a b]", OTHER, None, "1\n", "  1"))
    last_run_with_a_list()
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    result = run("review")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "1 of 5: snapshot changed: test_a.py::test_x\n"
        f"  {SNAPSHOT}\n"
        "  1 field changed\n"
        "    recommendation: Go → Proceed (breaks one_of)\n"
        "  accept: pytest test_a.py::test_x --snapshot-update\n"
        "2 of 5: new snapshot: test_a.py::test_z[a b]\n"
        f"  {OTHER}\n"
        "    1\n"
        "  accept: pytest 'test_a.py::test_z[a b]' --snapshot-update\n"
        "3 of 5: failure that is not listed: new: missing at a\n"
        "  wrong\n"
        "  accept: pytest test_x.py::new --planguard-baseline=planguard-baseline.json --planguard-baseline-update\n"
        "4 of 5: listed failure that has expired: old: missing at a\n"
        "  expires: 2026-01-01\n"
        "  wrong\n"
        '  accept: edit planguard-baseline.json: extend the "expires" date of the entry, or fix the failure\n'
        "5 of 5: listed failure that no longer fails: gone: missing at a\n"
        "  accept: pytest --planguard-baseline=planguard-baseline.json --planguard-baseline-prune\n"
        "no terminal: nothing was changed\n"
    )
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == before


def test_in_ci_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2 and the reason, whatever there is to review."""
    changed()
    monkeypatch.setenv("CI", "true")
    result = run("review")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "planguard: a review writes files and needs a person, and the environment variable CI is set: nothing is done. "
        "Run it where you work, and commit what it wrote.\n"
    )
    assert pending() == [SNAPSHOT]


def test_an_expected_value_is_shown_by_field_and_written_into_its_case(here: Path) -> None:
    """The other lines, and the other members of the line, stay; one that has changed since is not written over."""
    lines = [
        '{"name": "a", "expected": {"total": 1}}',
        '{"name": "b", "input": "é",  "expected": {"total": 1, "day": "1 May"}}',
    ]
    cases = here / "cases.jsonl"
    cases.write_text("\n".join(lines), encoding="utf-8")
    before, after = map(expected_text, ({"total": 1, "day": "1 May"}, {"total": 2, "day": "1 May"}))
    rows = "\n".join(changed_rows(before, after))
    PendingStore(Path()).keep(PendingSnapshot("test_a.py::test_x[b]", "cases.jsonl", before, after, rows, "b"))
    listed = run("review").stdout
    assert "1 of 1: another value than expected: test_a.py::test_x[b]\n  cases.jsonl\n" in listed
    assert "total: 1 → 2" in listed
    assert "accept: planguard review in a terminal, or edit cases.jsonl, case b\n" in listed
    reviewer = Reviewer(PendingStore(Path()), None, date(2026, 1, 1))
    (item,) = reviewer.items(None)
    assert reviewer.accept(item) == "cases.jsonl, case b: written"
    assert cases.read_text(encoding="utf-8").split("\n") == [
        lines[0],
        '{"name": "b", "input": "é", "expected": {"total": 2, "day": "1 May"}}',
    ]
    assert pending() == []
    PendingStore(Path()).keep(item.subject)  # type: ignore[arg-type]
    (item,) = reviewer.items(None)
    assert item.outdated
    with pytest.raises(RunError, match="the expected value of 'b' has changed since its test ran"):
        reviewer.accept(item)


@pytest.mark.parametrize(("path", "after"), [("conftest.py", "1"), ("cases.jsonl", "no JSON")])
def test_a_made_up_value_is_refused(path: str, after: str) -> None:
    """Only a record of a file of cases can be written by a review, and only as JSON."""
    PendingStore(Path()).keep(PendingSnapshot("t", path, "1", after, "", "b"))
    result = run("review")
    assert result.exit_code == 2
    assert "Delete it, and run the tests again." in result.stderr


def test_nothing_to_review_is_said() -> None:
    """With and without a list; a list without a run of its own is a wrong use."""
    assert run("review").stdout == "no snapshot or expected value to review; for failures name --baseline FILE\n"
    write_baseline(LIST, Baseline())
    result = run("review")
    assert (result.exit_code, "there is no run 'last'" in result.stderr) == (2, True)
    Store(Path()).save("last", RunHeader("last"), [good("a")])
    assert run("review").stdout == "nothing to review\n"


@pytest.mark.slow
def test_keys_accept_reject_and_skip_snapshots(here: Path) -> None:
    """A real terminal: each key does its work at once, another key does nothing, the end counts what was decided."""
    for name in "xyz":
        changed(f"__snapshots__/test_a/test_{name}.pgsnap", f"test_a.py::test_{name}")
    terminal = Terminal(here, "review")
    first = terminal.until(KEYS)
    assert "1 of 3: snapshot changed" in first
    assert "recommendation: Go → Proceed" in first
    terminal.press("?")
    terminal.until(KEYS)
    terminal.press("\x1b[A")  # an arrow: the A in it is no decision
    terminal.until(KEYS)
    terminal.press("d")
    assert '+  "recommendation": "Proceed"' in terminal.until(KEYS)
    terminal.press("a")
    assert f"{SNAPSHOT}: written" in terminal.until(KEYS)
    assert json.loads(Path(SNAPSHOT).read_text()) == {"recommendation": "Proceed"}
    terminal.press("R")
    assert "the snapshot stays" in terminal.until(KEYS)
    terminal.press("s")
    assert terminal.end() == 0
    assert "1 accepted, 1 rejected, 1 skipped" in terminal.screen
    assert json.loads(Path(OTHER).read_text()) == {"recommendation": "Go"}
    assert pending() == ["__snapshots__/test_a/test_z.pgsnap"]


@pytest.mark.slow
def test_keys_decide_about_listed_failures(here: Path) -> None:
    """Accepted: the new one is listed with its day, the expired one gets another month, the one that is gone goes."""
    last_run_with_a_list()
    terminal = Terminal(here, "review")
    assert "failure that is not listed" in terminal.until(FAILURE_KEYS)
    for shown in ("listed failure that has expired", "listed failure that no longer fails"):
        terminal.press("a")
        assert shown in terminal.until(FAILURE_KEYS)
    terminal.press("a")
    assert terminal.end() == 0
    assert "3 accepted" in terminal.screen
    found = entries()
    day = date.fromisoformat(found["new"].first_seen)
    assert datetime.now(UTC).date() - day in (timedelta(0), timedelta(1))  # midnight may pass within the test
    until = (day + timedelta(days=30)).isoformat()
    for said in (f"{LIST}: listed\n", f"{LIST}: listed until {until}\n", f"{LIST}: removed\n"):
        assert said in terminal.screen.replace("\r", "")
    assert found.keys() == {"new", "old", "known"}
    assert found["old"].expires == until


@pytest.mark.slow
def test_lost_feedback_shows_what_the_retry_lacks(here: Path) -> None:
    """Not the last answer, which may be good: the finding that is missing, from which request, of which answer."""
    first = replace(
        attempt('{"p": 1}', finding("enum", ("p",), "expected 2")), fed_back=(FedBackRow("enum", ("p",), "missing"),)
    )
    failed = case("a", first, attempt('{"p": 2}'), outcome="converged")
    failed = replace(failed, judged=(replace(failed.judged[0], checks=(CheckRow("feedback", "fail"),)),))
    Store(Path()).save("last", RunHeader("last"), [failed])
    write_baseline(LIST, Baseline())
    listed = run("review").stdout
    assert "1 of 1: failure that is not listed: a: check:feedback\n" in listed
    assert "  request 2 does not say what was wrong with answer 1:\n    p [enum]: expected 2\n  accept: " in listed
    terminal = Terminal(here, "review")
    terminal.until(FAILURE_KEYS)
    terminal.press("d")
    shown = terminal.until(FAILURE_KEYS).replace("\r", "")
    assert "  request 2 does not say what was wrong with answer 1:\n    p [enum]: expected 2\n" in shown
    assert 'answer 1:\n    {"p": 1}\n' in shown
    assert '{"p": 2}' not in shown
    terminal.press("q")
    assert terminal.end() == 0


@pytest.mark.slow
def test_keys_typed_ahead_count(here: Path) -> None:
    """Somebody who knows what comes need not wait for the screen."""
    for name in "xyz":
        changed(f"__snapshots__/test_a/test_{name}.pgsnap", f"test_a.py::test_{name}")
    terminal = Terminal(here, "review")
    terminal.until(KEYS)
    terminal.press("asa")
    assert terminal.end() == 0
    assert "2 accepted, 1 skipped" in terminal.screen


@pytest.mark.slow
@pytest.mark.parametrize("key", ["q", "\x03", "\x04"])
def test_leaving_keeps_what_was_done_and_leaves_the_rest(here: Path, key: str) -> None:
    """q, Ctrl-C and Ctrl-D: exit code 0, no traceback, and the next review begins where this one ended."""
    changed()
    changed(OTHER, "test_a.py::test_y")
    terminal = Terminal(here, "review")
    terminal.until(KEYS)
    terminal.press("a")
    terminal.until(KEYS)
    terminal.press(key)
    assert terminal.end() == 0
    assert "1 accepted, 1 left" in terminal.screen
    assert "Traceback" not in terminal.screen
    assert pending() == [OTHER]


@pytest.mark.slow
def test_what_cannot_be_written_keeps_the_question(here: Path) -> None:
    """The snapshot changed since its test ran: the reason is told, nothing is written, another key is awaited."""
    changed()
    Path(SNAPSHOT).write_text("3\n")
    terminal = Terminal(here, "review")
    assert "the snapshot has changed since this test ran" in terminal.until(KEYS)
    terminal.press("a")
    assert "the snapshot has changed since its test ran" in terminal.until(KEYS).replace("\r\n", " ")
    terminal.press("r")
    assert terminal.end() == 0
    assert (Path(SNAPSHOT).read_text(), pending()) == ("3\n", [])


@pytest.mark.slow
def test_nothing_that_a_terminal_obeys_comes_through(here: Path) -> None:
    """What a model wrote is shown, not obeyed, in the list, in the box and in the difference."""
    evil = "\x1b[2J\u202e[bold]x"
    file = Path(SNAPSHOT)
    file.parent.mkdir(parents=True)
    file.write_text("1\n")
    PendingStore(Path()).keep(PendingSnapshot(f"test_a.py::test[{evil}]", SNAPSHOT, "1\n", f"{evil}\n", f"  {evil}"))
    assert evil[:4] not in run("review").stdout
    terminal = Terminal(here, "review")
    terminal.until(KEYS)
    terminal.press("d")
    terminal.until(KEYS)
    terminal.press("q")
    assert terminal.end() == 0
    assert "\x1b[2J" not in terminal.screen
    assert "\u202e" not in terminal.screen
    assert terminal.screen.count("[bold]x") >= 3
