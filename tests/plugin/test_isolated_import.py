"""What a process may do that imports the code of one tree."""

import pytest

from pytest_planguard.plugin import probe


@pytest.mark.parametrize(
    ("event", "arguments", "refused"),
    [
        ("socket.connect", (None, ("192.0.2.1", 80)), True),
        ("socket.connect", (None, ("127.0.0.1", 80)), False),
        ("socket.connect", (None, "/run/some.sock"), False),
        ("socket.sendto", (None, ("2001:db8::1", 53, 0, 0)), True),
        ("socket.getaddrinfo", ("example.com", 443, 0, 0, 0), True),
        ("socket.getaddrinfo", ("localhost", 443, 0, 0, 0), False),
        ("socket.bind", (None, ("0.0.0.0", 0)), False),
        ("open", ("x", "r", 0), False),
    ],
)
def test_only_other_machines_are_out_of_reach(event: str, arguments: tuple[object, ...], refused: bool) -> None:
    """Loops of asyncio connect to this machine, and plugins bind sockets."""
    if not refused:
        probe._refuse(event, arguments)
        return
    with pytest.raises(OSError, match=r"without network$"):
        probe._refuse(event, arguments)
