"""A download beside a model's answers, such as a tokenizer's, is named with the way to keep it out."""

from pathlib import Path

import httpx2
import pytest

from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette

from ...support.exchanges import chat, send, user, write
from ...support.lookalike import Lookalike


def test_a_download_is_noted_while_it_is_recorded(tmp_path: Path, lookalike: Lookalike) -> None:
    """Once a host, however often it is asked; requests to a model are not."""
    lookalike.script({"a": 1}, {"a": 1})
    with open_cassette(tmp_path / "a.yaml", mode="all") as session:
        send([user("x")], f"{lookalike.base_url}/chat/completions")
        for name in ("one", "two"):
            httpx2.get(f"{lookalike.origin}/{name}.tiktoken", verify=False)
    assert session.notes == [
        "127.0.0.1 was asked for something other than an answer; to leave it out: planguard_allowed_hosts = 127.0.0.1"
    ]


def test_a_download_that_is_not_recorded_names_its_host(tmp_path: Path) -> None:
    """The cache was warm when the test was recorded, and is cold now."""
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    with open_cassette(recorded) as session, pytest.raises(CassetteMiss):
        httpx2.get("https://files.example.com/words.tiktoken", verify=False)
    (miss,) = session.misses
    last = "             or, if files.example.com is not a model: planguard_allowed_hosts = files.example.com"
    assert miss.message.splitlines()[-1] == last
