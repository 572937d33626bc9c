"""What a forked child misses reaches the process that forked it."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_planguard.replay.network.guard import ChildReports
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.exchanges import chat, send, user, write
from ...support.lookalike import Lookalike

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no forks")


def forked(run: Callable[[], object]) -> None:
    """Run a function in a forked child, which swallows every error."""
    pid = os.fork()
    if not pid:
        with suppress(BaseException):
            run()
        os._exit(0)
    os.waitpid(pid, 0)


def test_reports_arrive_once() -> None:
    """Of children and grandchildren; the process itself reports nothing to itself."""
    reports = ChildReports()
    reports.send("a", "before any file")
    reports.open()
    reports.send("a", "from the process itself")
    forked(lambda: (reports.send("a", "x\ny", 1), reports.send("a", "x\ny", 1), forked(lambda: reports.send("a", "z"))))
    assert reports.received("a") == (("x\ny", 1), ("z",))
    assert reports.received("b") == ()
    assert not reports.in_child


def test_a_refused_connection_of_a_child_is_a_bypass(tmp_path: Path, lookalike: Lookalike) -> None:
    """As if it were the parent's own."""
    port = int(lookalike.origin.rpartition(":")[2])
    with open_cassette(write(tmp_path / "a.yaml", chat([user("one")], "first"))) as session:
        forked(lambda: socket.create_connection(("127.0.0.1", port)))
    assert [(b.host, b.port) for b in session.bypasses] == [("127.0.0.1", port)]


def test_a_miss_of_a_child_is_told(tmp_path: Path) -> None:
    """With the explanation that the child got, though it swallowed the error."""
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    with open_cassette(recorded, match="strict") as session:
        forked(lambda: send([user("another thing")]))
    assert session.misses == []
    ((kind, text),) = session.child_misses
    assert kind == "changed"
    assert text.startswith("stale cassette: the request has changed")


def test_a_child_records_nothing(tmp_path: Path, lookalike: Lookalike) -> None:
    """Its exchange would be missing without a word; now its parent says so, and its own exchanges stay whole."""
    lookalike.script({"a": 1}, {"a": 1})
    url = f"{lookalike.base_url}/chat/completions"
    with open_cassette(tmp_path / "a.yaml", mode="all") as session:
        send([user("own")], url)
        forked(lambda: send([user("child's")], f"{url}?key=secret"))
    ((_, text),) = session.child_misses
    assert text == (
        "a forked child asked a model, and its exchange was not recorded\n"
        f"  sent:      POST {url}\n"
        "  to do:     ask from this process or from a thread of it while recording"
    )
    assert (tmp_path / "a.yaml").read_text().count("uri:") == 1
