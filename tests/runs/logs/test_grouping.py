"""Records as calls of groups: what cannot be read is counted, and stops nothing."""

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.runs.logs.grouping import Grouping, checked_key, packed, parts_of, slot, unpacked
from pytest_planguard.runs.logs.records import Broken
from pytest_planguard.runs.logs.summary import LogSummary
from pytest_planguard.wire.logs.logged import Event, Fidelity, Logged, LogReader
from pytest_planguard.wire.logs.readers import reader_of

from ...support.one_item import in_one_item
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


def test_a_call_of_an_unknown_format_names_the_way_to_read_it() -> None:
    """Its request and its answer have places."""
    counted = LogSummary()
    assert list(parts_of([(1, {"a": 1})], "log.jsonl", Grouping(), counted)) == []
    assert counted.unread == {
        "no known format: name where it has request and answer with --map request=PATH --map response=PATH": 1
    }


def test_a_call_at_the_given_time_is_taken() -> None:
    """One before it is older; one without a time is counted if a time was given, and taken."""
    reader = LogReader("own", lambda record: True, lambda record: [Logged("c", "t", at=record["at"])])

    def counts(at: int, since: int) -> tuple[int, int, int]:
        counted = LogSummary()
        found = list(parts_of([(1, {"at": at})], "log", Grouping(since=since), counted, reader))
        assert counted.formats == {"own": 1}
        return len(found), counted.older, counted.undated

    assert [counts(at, 5) for at in (4, 5, 6, 0)] == [(0, 1, 0), (1, 0, 0), (1, 0, 0), (1, 0, 1)]
    assert counts(0, 0) == (1, 0, 0)


FIELDS = {"custom_id": "task-12-b", "n": 7, "list": [1], "no": None, "meta": {"job": "j"}}
CALL = Logged("c", "trace", "session", fields=FIELDS)


@in_one_item
@pytest.mark.parametrize(
    ("by", "key"),
    [
        ("trace", "trace"), ("session", "session"), ("custom_id", "task-12-b"), ("n", "7"), ("list", "[1]"),
        ("meta.job", "j"), ("custom_id:task-[0-9]+", "task-12"), ("custom_id:task-([0-9]+)-(.)", "12"),
        ("custom_id:x", "trace"), ("no", "trace"), ("missing", "trace"), ("n:[0-9]", "7"),
    ],
)  # fmt: skip
def test_the_group_of_a_call(by: str, key: str) -> None:
    """Its trace, its session, or a value in its record; the first group of a pattern counts, else the whole match."""
    assert Grouping(by).key(CALL) == key


def test_a_call_without_the_named_id_has_the_other() -> None:
    """By the trace if nothing is said; a call with neither is grouped by the beginning of its task, or alone."""
    for by in ("trace", "session"):
        assert Grouping(by).key(Logged("c", "t")) == "t"
        assert Grouping(by).key(Logged("c", session="s")) == "s"
        assert Grouping(by).key(Logged("c")) == "call-c"
    assert Grouping().key(CALL) == "trace"
    assert Grouping().key(Logged("c", session="s", fields=FIELDS)) == "s"
    assert Grouping("missing").key(Logged("c", session="s")) == "call-c"
    assert Grouping("custom_id").key(Logged("c", fields={"custom_id": "x" * 501})) == "x" * 500
    assert Grouping("id:y").key(Logged("c", fields={"id": "x" * 500 + "y"})) == "call-c"


def test_a_whole_call_alone_in_its_trace_is_grouped_by_its_task() -> None:
    """Such a trace ties nothing: retries of one task within an hour, or of one session, belong together."""
    hour = 3600 * 10**9

    def key(at: int = 0, text: str = "hi", **other: Any) -> str:
        asked = {"messages": [{"role": "user", "content": text}]}
        given: dict[str, Any] = {"request": asked, "response": {}, "alone": True, **other}
        return Grouping().key(Logged("c", "t", at=at, **given))

    assert key(hour - 1) == key(0) != key(hour)
    assert key(hour).startswith("1-task-")
    assert key(hour, session="s") == key(0, session="s")
    assert key(session="s").startswith("s-task-")
    assert key() != key(text="other")
    assert key(alone=False) == key(response=None) == key(request=None) == "t"
    assert len(key(session="s" * 600)) == 500


def test_the_beginning_of_a_task_ends_with_the_first_message_of_the_user() -> None:
    """All retries of a task share it, whatever the provider calls its parts."""

    def opening(**request: Any) -> str:
        return Grouping().key(Logged("c", request=request))

    def said(*words: str, name: str = "messages", text: str = "content") -> dict[str, Any]:
        return {name: [dict(zip(("role", text), each.split(":"), strict=True)) for each in words]}

    first = opening(**said("system:a", "user:b"))
    assert first.startswith("task-")
    assert len(first) == len("task-") + 16
    assert opening(**said("system:a", "user:b", "assistant:c", "user:d")) == first
    assert opening(**said("system:a", "user:b", "user:d")) == first
    assert opening(**said("system:a", "user:b", name="contents", text="parts")) == first
    assert opening(**said("system:a", "user:b", name="input")) == first
    assert opening(**said("system:x", "user:b")) != first
    for role in ("assistant", "model", "tool"):
        assert opening(**said("system:a", f"{role}:c", "user:b")) == opening(**said("system:a"))
    different = {opening(**{name: "be brief"}) for name in ("system", "instructions", "systemInstruction")}
    assert len(different) == 3
    assert all(one.startswith("task-") for one in different)
    assert opening(prompt="x") == opening() == "call-c"
    assert opening(system="a", prompt="x") != opening(system="a", prompt="y")


def test_a_share_of_the_groups_is_drawn_by_the_seed() -> None:
    """All of them, none, or about as many as asked for."""
    keys = [f"t{number}" for number in range(400)]
    assert all(map(Grouping(share=1.0).takes, keys))
    assert not any(map(Grouping(share=0.0).takes, keys))
    assert 60 < sum(map(Grouping(share=0.25).takes, keys)) < 140
    one, other = ([key for key in keys if Grouping(share=0.25, seed=seed).takes(key)] for seed in (0, 1))
    assert one != other
    assert Grouping(share=0.5).takes("\ud800") in (True, False)


def test_a_key_is_checked_before_the_logs_are_read() -> None:
    """A pattern must be one; the names of ids in most formats stand for trace and session."""
    names = {"trace_id": "trace", "session_id": "session", "trace": "trace", "custom_id:(a)": "custom_id:(a)"}
    assert {by: checked_key(by) for by in names} == names
    with pytest.raises(UsageError, match=r"^--group-by 'id:\(': the pattern is none: missing \), unterminated"):
        checked_key("id:(")


def test_a_call_on_a_line_is_the_same_call() -> None:
    """All but its record, which only its group needs. A partition is the same in every process."""
    logged = Logged(
        "c", "t", "s", "p", 1, 2, "o", {"a": "\t"}, [1], "/v1", 429, Fidelity.WIRE, "why", "m",
        [Event("e", {"b": 1}, 3)], {"temperature": 0}, True, "log:1",
    )  # fmt: skip
    line = packed("a\tkey", logged)
    key, _, rest = line.partition(b"\t")
    assert (key, line.count(b"\n"), unpacked(rest)) == (b'"a\\tkey"', 1, logged)
    assert (slot(b"123456789", 2**32), slot(b"123456789", 10)) == (0xCBF43926, 0xCBF43926 % 10)
    assert slot(b"t1", 1000, 1) != slot(b"t1", 1000, 2)
