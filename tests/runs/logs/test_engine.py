"""Logs judged in partitions, by workers that may die: the same figures as in one piece."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import judge_logs
from pytest_planguard.cli.check.log_options import engine_of
from pytest_planguard.cli.check.log_words import log_lines
from pytest_planguard.runs.logs import engine
from pytest_planguard.runs.logs.engine import LogJob, judge_files
from pytest_planguard.runs.logs.grouping import Grouping, packed
from pytest_planguard.runs.logs.judging import LogJudge
from pytest_planguard.runs.logs.summary import KeptPartitions, LogSummary, summed
from pytest_planguard.wire.logs.logged import Logged, LogReader

from ...wire.logs.forms import litellm
from .judges import TICKET, Make, Stopped


def rows(groups: int) -> list[str]:
    """Return the lines of so many conversations, half of them without feedback."""
    said = ("priority: expected one of low, medium, high; got 'urgent'\nsteps: at least 2 items", "try again")
    return [
        json.dumps({**row, "trace_id": f"t{number}", "id": f"{number}-{row['id']}"})
        for number in range(groups)
        for row in litellm(said[number % 2])
    ]


@pytest.fixture
def logs(tmp_path: Path) -> tuple[Path, ...]:
    """Return two files, each with a half of every conversation."""
    lines = rows(8)
    for number in (0, 1):
        (tmp_path / f"{number}.jsonl").write_text("\n".join(lines[number::2]))
    return tmp_path / "0.jsonl", tmp_path / "1.jsonl"


def values(found: LogSummary) -> str:
    """Return figures and rows as text."""
    return json.dumps([found.values(), found.listed])


def test_calls_without_a_readable_time_are_counted_if_a_time_is_asked_for(tmp_path: Path) -> None:
    """They may be old ones, so the summary says how many are left in."""
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(json.dumps({**json.loads(row), "startTime": "soon"}) for row in rows(1)))
    late = judge_files(LogJob((log,), Make(), Grouping(since=2**62)))
    assert (late.calls, late.older, late.undated) == (2, 0, 2)
    assert ("undated", "2 calls without a time that --since can compare, left in") in log_lines(late)
    assert judge_files(LogJob((log,), Make())).undated == 0


class Counting(LogJudge):
    """Counts the records of each group, and judges none."""

    def group(self, key: str, parts: Iterable[Logged], into: LogSummary) -> None:
        """Count."""
        into.calls += sum(1 for _ in parts)


@pytest.mark.parametrize("size", [2_000, 2_001])
def test_a_group_without_an_end_is_read_in_part(tmp_path: Path, size: int) -> None:
    """Its first 2,000 records are judged, in memory as in a partition; the others are counted with the way out."""
    log = tmp_path / "log.jsonl"
    log.write_text("1\n" * size)
    reader = LogReader("own", lambda record: True, lambda record: [Logged("", "a")])
    lines = [packed("a", Logged("", "a"))] * size
    for found in (
        judge_files(LogJob((log,), Counting, mapped=reader)),
        engine.judge_partition_lines(Counting, lines),
    ):
        more = found.unjudgeable["its group has more than 2000 records: name a key that ties fewer with --group-by"]
        assert (found.calls, more) == (size, size - 2_000)


def test_partitions_and_workers_change_nothing(logs: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither files in place of memory, nor partitions of partitions, nor workers of another kind."""
    whole = judge_files(LogJob(logs, Make()))
    assert (whole.conversations, whole.ok, whole.calls) == (8, 4, 16)
    monkeypatch.setattr(engine, "PARTITION", 500)
    run = lambda make, files: (engine.judge_partition(make, file) for file in files)  # noqa: E731
    assert values(judge_files(LogJob(logs, Make(), run=run))) == values(whole)


@pytest.mark.slow
def test_what_was_judged_before_a_stop_is_not_judged_again(
    logs: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is it believed of another contract or of changed logs; at the end it is gone."""
    whole = judge_files(LogJob(logs, Make()))
    monkeypatch.setattr(engine, "PARTITION", 500)
    kept = KeptPartitions(tmp_path / "kept", "one way")
    with pytest.raises(KeyboardInterrupt):
        judge_files(LogJob(logs, Stopped((TICKET,), folder=kept.folder), jobs=2, kept=kept))
    [first, *others] = sorted(kept.folder.iterdir())
    first.write_text(first.read_text().replace('"conversations":', '"conversations":1000'))
    for other in others:
        other.write_text("broken")
    backup = {file: file.read_text() for file in (first, *others)}

    def again(paths: tuple[Path, ...], kept: KeptPartitions) -> LogSummary:
        kept.folder.mkdir(exist_ok=True)
        for file, text in backup.items():
            file.write_text(text)
        run = lambda make, files: (engine.judge_partition(make, file, kept) for file in files)  # noqa: E731
        found = judge_files(LogJob(paths, Make(), jobs=2, run=run, kept=kept))
        assert not kept.folder.exists()
        return found

    assert again(logs, kept).conversations > 1000
    assert values(again(logs, KeptPartitions(kept.folder, "another way"))) == values(whole)
    changed = tuple(path.rename(path.with_suffix(".ndjson")) for path in logs)
    assert again(changed, kept).conversations == whole.conversations


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(
    logs: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was judging is judged again, and a pool judges the rest."""
    whole = judge_files(LogJob(logs, Make()))
    monkeypatch.setattr(engine, "PARTITION", 500)
    assert values(judge_files(LogJob(logs, Make("t3", str(tmp_path / "died")), jobs=2))) == values(whole)


@pytest.mark.slow
def test_a_conversation_that_ends_its_worker_twice_is_counted(tmp_path: Path) -> None:
    """All others are judged."""
    log = tmp_path / "0.jsonl"
    log.write_text("\n".join(rows(4)))
    found = judge_files(LogJob((log,), Make("t3"), jobs=2))
    assert (found.conversations, found.calls) == (3, 8)
    assert [reason for reason in found.unjudgeable if "t3" in reason] == list(found.unjudgeable)


@pytest.mark.slow
@given(cuts=st.lists(st.integers(0, 4), max_size=3), back=st.booleans())
def test_summaries_add_up(cuts: list[int], back: bool) -> None:
    """In whatever parts and order; a group is in one part."""
    lines = rows(4)
    ends = [0, *sorted(cuts), 4]
    parts = [judge_logs(lines[2 * a : 2 * b], contracts=[TICKET]) for a, b in pairwise(ends)]
    whole = judge_logs(lines, contracts=[TICKET])
    total = summed(reversed(parts) if back else parts)
    strip = [found.values() | {"listed": [one.order for one in found.listed]} for found in (whole, total)]
    assert strip[0] == strip[1]


@given(seed=st.integers(0, 99), share=st.floats(0.01, 1))
def test_a_sample_is_the_same_for_the_same_seed(seed: int, share: float) -> None:
    """A larger share has the groups of the smaller one."""
    keys = [f"t{number}" for number in range(60)]
    small, large = ({k for k in keys if Grouping(share=s, seed=seed).takes(k)} for s in (share / 2, share))
    assert small <= large


@pytest.mark.slow
@pytest.mark.parametrize("deadly", ["", "t3"])
def test_dask_gives_the_same_bytes_though_a_worker_dies(logs: tuple[Path, ...], tmp_path: Path, deadly: str) -> None:
    """A cluster of two processes of this machine, of which one is ended in the middle."""
    pytest.importorskip("distributed")
    whole = judge_files(LogJob(logs, Make()))
    make = Make(deadly, str(tmp_path / "died"))
    assert values(judge_files(LogJob(logs, make, run=engine_of("dask://local")))) == values(whole)
    assert (tmp_path / "died").exists() == bool(deadly)
