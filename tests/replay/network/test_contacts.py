"""While recording, traffic to a recorded host that is not in the cassette is named."""

import socket
from pathlib import Path

from pytest_planguard.replay.network.contacts import beside, place_of
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.exchanges import send, user
from ...support.lookalike import Lookalike

URL = "https://api.example.com/v1/chat/completions"


def test_a_place_is_host_and_port() -> None:
    """The port is that of the scheme where the URL names none."""
    assert place_of("HTTPS://API.example.com/v1") == ("api.example.com", 443)
    assert place_of("http://127.0.0.1:8080") == ("127.0.0.1", 8080)


def test_another_port_and_another_protocol_are_beside_the_recording() -> None:
    """The client that says most is named; hosts of which nothing was recorded are told elsewhere."""
    contacted = {
        ("api.example.com", 443): {"python", "httpcore"},
        ("api.example.com", 8443): {"python", "app"},
        ("other.example.com", 8443): {"app"},
    }
    assert beside(contacted, [URL]) == [(("api.example.com", 8443), "app")]
    for client in ("websockets", "websocket", "httpx_ws", "picows", "autobahn"):
        realtime = {("api.example.com", 443): {"httpcore", client}}
        assert beside(realtime, [URL]) == [(("api.example.com", 443), client)]
    assert beside({("api.example.com", 443): {"httpcore", "aiohttp"}}, [URL]) == []


def test_a_recording_names_what_went_to_another_port(tmp_path: Path, lookalike: Lookalike) -> None:
    """The host is recorded, the connection to its other port is not: a replay would refuse it."""
    lookalike.script({"a": 1}, {"a": 1})
    with socket.create_server(("127.0.0.1", 0)) as other, open_cassette(tmp_path / "a.yaml", mode="all") as session:
        send([user("x")], f"{lookalike.base_url}/chat/completions")
        assert session.bypasses == ()
        socket.create_connection(other.getsockname(), timeout=5).close()
        port = other.getsockname()[1]
    assert [str(b) for b in session.bypasses] == [
        f"tests opened a connection to 127.0.0.1:{port} that no cassette can answer"
    ]
