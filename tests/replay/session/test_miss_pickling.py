"""A miss in a child process reaches its parent with its text."""

import pickle
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette

from ...support.exchanges import chat, send, user, write


def test_a_miss_travels_as_its_text(tmp_path: Path) -> None:
    """What it holds of the cassette stays behind."""
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    with open_cassette(recorded), pytest.raises(CassetteMiss) as raised:
        send([user("another thing altogether")])
    travelled = pickle.loads(pickle.dumps(raised.value))  # our own
    assert type(travelled) is CassetteError
    assert str(travelled) == str(raised.value)
