"""Records as calls of groups: what cannot be read is counted, and stops nothing."""

from collections.abc import Iterator
from typing import Any

from pytest_planguard.runs.logs.grouping import Grouping, parts_of
from pytest_planguard.runs.logs.records import Broken
from pytest_planguard.runs.logs.summary import LogSummary
from pytest_planguard.wire.logs.logged import Logged, LogReader
from pytest_planguard.wire.logs.readers import reader_of

from ...wire.logs.forms import litellm


def _each(record: dict[str, Any]) -> Iterator[Logged]:
    """Read the calls that a record lists; none of them is an error of the reader."""
    for call in record["calls"] or [1 / 0]:
        reader = reader_of(call)
        assert reader is not None
        yield from reader.read(call)


def test_what_is_left_out_hides_no_later_record() -> None:
    """A broken line, an unknown format, a reader that fails, and a call before --since come first."""
    late, early = sorted(litellm("no"), key=lambda record: -record["startTime"])
    several = LogReader("own", lambda record: isinstance(record, dict) and "calls" in record, _each)
    counted = LogSummary()
    since = Grouping(since=round(late["startTime"] * 1e9) - 1)
    records = [Broken("it is not valid JSON"), {"a": 1}, {"calls": []}, {"calls": [early, late]}]
    found = list(parts_of(enumerate(records, 1), "log.jsonl", since, counted, several))
    assert [(key, logged.place) for key, logged in found] == [("task-1", "log.jsonl:4")]
    assert (counted.records, counted.older, counted.unread.total()) == (3, 1, 3)
    assert counted.unread["reading it as own failed: ZeroDivisionError"] == 1
