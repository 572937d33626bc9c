"""Two shells that record one stale cassette at once: the first records it, the second is refused, nothing is lost."""

import time
from pathlib import Path

from pytest_planguard.replay.files.reader import read_cassette

from ...support.lookalike import Lookalike
from ...support.warm import inner_environment, run_module
from ..projects import app, run, script
from ..results.test_run_survives import started

TEST = """
import os, pathlib, time

@pytest.mark.planguard(TICKET)
def test_printer():
    said = "the printer is on fire"
    assert apps.careful(ask.plain, said + os.environ.get("NEWS", ""))
    if "WAIT" in os.environ:
        pathlib.Path("recorded").touch()
        while not pathlib.Path("go").exists():
            time.sleep(0.01)
"""


def test_the_second_shell_is_refused(lookalike: Lookalike, tmp_path: Path) -> None:
    """The cassette has the first shell's exchanges, and the second sends nothing."""
    script(lookalike)
    run(app(TEST), lookalike, "--planguard-record=missing").example.write(tmp_path)
    (cassette,) = (tmp_path / "cassettes").rglob("*.yaml")
    old = cassette.read_bytes()
    option, where = "--planguard-record=stale", {"LOOKALIKE": lookalike.origin}
    first = started(tmp_path, option, NEWS=" again", WAIT="yes", **where)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "recorded").exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        sent = len(lookalike.received)
        words = ["pytest", "-q", "-p", "planguard", option]
        second = run_module(words, tmp_path, inner_environment(NEWS=" still", **where))
        assert b"another session records this test now" in second.stdout
        assert second.returncode == 1
        assert len(lookalike.received) == sent
        assert cassette.read_bytes() == old
        (tmp_path / "go").touch()
        said, _ = first.communicate(timeout=60)
        assert first.returncode == 0, said
    finally:
        first.kill()
        first.wait()
    asked = [one.request.body for one in read_cassette(cassette).interactions]
    assert len(asked) == 2
    assert all(b"on fire again" in body for body in asked)
    assert not list((tmp_path / "cassettes").rglob("*.part*"))
