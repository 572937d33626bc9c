"""While recording, traffic to a recorded host that is not in the cassette is named."""

import socket
from pathlib import Path

import pytest

from pytest_planguard.replay.network.contacts import around, beside, is_among, leads_back, place_of, unexplained
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.exchanges import send, user
from ...support.lookalike import Lookalike

URL = "https://api.example.com/v1/chat/completions"


def test_a_place_is_host_and_port() -> None:
    """The port is that of the scheme where the URL names none."""
    assert place_of("HTTPS://API.example.com/v1") == ("api.example.com", 443)
    assert place_of("http://127.0.0.1:8080") == ("127.0.0.1", 8080)
    assert place_of("http://a.test") == ("a.test", 80)
    assert place_of("ftp://a.test") == ("a.test", None)
    assert place_of("command") == ("", None)


def test_a_host_is_allowed_with_or_without_its_port() -> None:
    """The port of the scheme counts as named."""
    for allowed in ("a.test", "a.test:443"):
        assert is_among(frozenset({"b.test", allowed}), "https://A.test/v1")
    for allowed in ("a.test:80", "test", "b.a.test"):
        assert not is_among(frozenset({allowed}), "https://a.test/v1")


def test_a_host_of_which_nothing_is_recorded_is_unexplained(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy stands for others; bare addresses count only if nothing is recorded, except for this machine's own."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    contacted = ["b.test", "a.test", "10.0.0.1", "127.0.0.1", "::1", "2001:db8::1"]
    assert unexplained(contacted, []) == ["10.0.0.1", "127.0.0.1", "2001:db8::1", "::1", "a.test", "b.test"]
    assert unexplained(contacted, ["a.test"]) == ["127.0.0.1", "::1", "b.test"]
    monkeypatch.setenv("HTTPS_PROXY", "http://b.test:3128")
    assert unexplained(contacted, ["a.test"]) == ["127.0.0.1", "::1"]


def test_senders_around_the_clients_of_a_recording_are_told() -> None:
    """At the places of the recording only, sorted."""
    senders = {("b.test", 443): "app", ("a.test", 80): "python", ("a.test", 443): "other"}
    assert around(senders, ["https://b.test/v1", "http://a.test/"]) == [
        (("a.test", 80), "python"),
        (("b.test", 443), "app"),
    ]


@pytest.mark.parametrize(
    ("asked", "recorded", "own_path", "variables"),
    [
        ("https://api.openai.com/v1/models", "https://a.test/v1/chat/completions?b=1", "/chat/completions?b=1", [
            "OPENAI_BASE_URL=https://a.test/v1"
        ]),
        ("https://api.anthropic.com/v1/x", "http://a.test:81/p/v1/messages", "/v1/messages", [
            "ANTHROPIC_BASE_URL=http://a.test:81/p"
        ]),
        ("http://127.0.0.1:11434/api/tags", "http://a.test/api/chat", "/api/chat", ["OLLAMA_HOST=http://a.test"]),
        ("https://api.openai.com/v1/models", "https://api.openai.com/v1/chat/completions", "/chat/completions", []),
        ("https://b.test/v1/models", "https://a.test/v1/chat/completions", "/chat/completions", []),
        ("/v1/models", "https://a.test/v1/chat/completions", "/chat/completions", []),
    ],
)  # fmt: skip
def test_the_variable_that_leads_to_the_recorded_host_is_named(
    asked: str, recorded: str, own_path: str, variables: list[str]
) -> None:
    """If an app asks the default host of a provider, and another one was recorded."""
    assert list(leads_back(asked, recorded, own_path)) == [
        f"it was recorded at another base URL; to send the same requests again, set {variable}"
        for variable in variables
    ]


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
    assert beside({("api.example.com", 80): {"python"}}, [URL]) == [(("api.example.com", 80), "python")]


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
