"""The history of kept runs: oldest first, each session once, what judged nothing left out."""

from pathlib import Path

from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.store.store import RunPoint, Store, kept_history
from pytest_planguard.statistics import Rate

from ...support.runs import bad, good


def day(number: int) -> str:
    """A time of November."""
    return f"2026-11-{number:02}T10:00:00+00:00"


def test_kept_runs_are_told_oldest_first_and_each_session_once(tmp_path: Path) -> None:
    """The last run was kept as "new" too; one without a judged case and one that cannot be read say nothing."""
    store = Store(tmp_path)
    store.save("new", RunHeader("x", run="s2", created=day(9)), [good("a"), bad("b")])
    store.save("last", RunHeader("x", run="s2", created=day(9)), [good("a"), bad("b")])
    store.save("old", RunHeader("x", run="s1", created=day(3)), [good("a")])
    store.save("empty", RunHeader("x", run="s3", created=day(4)), [])
    store.path("broken").write_text("no record\n")
    assert kept_history(store) == (RunPoint("old", day(3), Rate(1, 1)), RunPoint("new", day(9), Rate(1, 2)))


def test_the_newest_ones_are_shown(tmp_path: Path) -> None:
    """Up to the number that is asked for."""
    store = Store(tmp_path)
    for number in range(1, 8):
        store.save(f"r{number}", RunHeader("x", run=f"s{number}", created=day(number)), [good("a")])
    assert [point.name for point in kept_history(store, 3)] == ["r5", "r6", "r7"]


def test_twenty_runs_are_shown_and_those_of_one_session_are_one(tmp_path: Path) -> None:
    """A run without a session's id is one by its name and time; one without a time is the oldest."""
    store = Store(tmp_path)
    for number in range(1, 22):
        store.save(f"r{number:02}", RunHeader("x", created=day(number)), [good("a")])
    assert [point.name for point in kept_history(store)] == [f"r{number:02}" for number in range(2, 22)]
    store.save("r21", RunHeader("x"), [good("a")])
    assert [point.created for point in kept_history(store, 21)][:2] == [None, day(1)]


def test_nothing_kept_is_no_history(tmp_path: Path) -> None:
    """A folder without runs."""
    assert kept_history(Store(tmp_path)) == ()


def test_files_that_are_no_kept_runs_are_left_out(tmp_path: Path) -> None:
    """A copy made by hand has no name that a command takes, and a link may lead nowhere."""
    store = Store(tmp_path)
    kept = store.save("main", RunHeader("x", run="s1", created=day(3)), [good("a")])
    kept.with_name("main (copy).jsonl").write_bytes(kept.read_bytes())
    kept.with_name("gone.jsonl").symlink_to("nowhere")
    kept.with_name("last.jsonl").write_bytes(kept.read_bytes())
    assert store.names() == ("main",)
    assert kept_history(store) == (RunPoint("main", day(3), Rate(1, 1)),)
