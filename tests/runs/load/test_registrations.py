"""What an extension registers lasts for the process, or for the session that it names."""

from collections.abc import Callable, Iterator
from typing import Any

from pytest_planguard.extend import Logged, Registrations
from pytest_planguard.wire.logs.readers import LOG_READERS, reader_of


class Session:
    """A session that has not ended yet."""

    def __init__(self) -> None:
        self.ends: list[Callable[[], None]] = []

    def add_cleanup(self, func: Callable[[], None]) -> None:
        """As `pytest.Config` does."""
        self.ends.append(func)


def read(record: Any) -> Iterator[Logged]:
    """One call for each record."""
    yield Logged(str(record["ours"]))


def test_a_log_format_lasts_as_long_as_its_session() -> None:
    """Without a session it stays, until it is taken out by name."""
    session = Session()
    Registrations(session).log_reader("ours", lambda record: "ours" in record, read)
    found = reader_of({"ours": 1})
    assert found is not None
    assert (found.name, [end() for end in session.ends], reader_of({"ours": 1})) == ("ours", [None], None)
    Registrations().log_reader("ours", lambda record: "ours" in record, read)
    assert reader_of({"ours": 1}) is not None
    LOG_READERS.unregister("ours")
