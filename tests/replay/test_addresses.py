"""Which addresses stand for which, what is refused in which words, and what children get."""

from __future__ import annotations

import base64
import http.client
import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.replay import endpoint_exchange as exchange
from pytest_planguard.replay.endpoint_children import equipped_children
from pytest_planguard.replay.endpoint_exchange import HOP_BY_HOP, Reply, Route, refusal, reply_to
from pytest_planguard.replay.endpoint_server import Endpoint, EndpointServer, upstream_of, with_own
from pytest_planguard.replay.network.contacts import BASE_URLS
from pytest_planguard.replay.network.hooks import OWN_PORTS
from pytest_planguard.replay.session.responder import Responder


@pytest.fixture(scope="module")
def server() -> Iterator[EndpointServer]:
    """One server for all tests of this file, as a session has one."""
    server = EndpointServer()
    yield server
    server.stop()
    assert server.port not in OWN_PORTS


def responder(*urls: str, recording: bool = False) -> Any:
    """Return what a route asks of a cassette."""
    return SimpleNamespace(recording=recording, urls=urls)


def test_every_variable_has_its_upstream() -> None:
    """As clients know them."""
    assert dict(BASE_URLS) == {
        "OPENAI_BASE_URL": "https://api.openai.com/v1",
        "OPENAI_API_BASE": "https://api.openai.com/v1",
        "AZURE_OPENAI_ENDPOINT": "",
        "ANTHROPIC_BASE_URL": "https://api.anthropic.com",
        "GOOGLE_GEMINI_BASE_URL": "https://generativelanguage.googleapis.com",
        "OLLAMA_HOST": "http://127.0.0.1:11434",
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "https://bedrock-runtime.{region}.amazonaws.com",
    }


def test_an_own_variable_that_is_none_is_named() -> None:
    """Schemes of http alone; the text is shown as it was given."""
    assert with_own(["A=http://h//", "B=https://h/p"]).items() >= {"A": "http://h", "B": "https://h/p"}.items()
    for wrong in ("A=ftp://h", "1A=http://h", "A-B"):
        with pytest.raises(UsageError) as error:
            with_own([wrong])
        assert str(error.value) == (
            f"planguard_endpoint_variables: got {wrong!r}; write NAME=https://HOST/PATH, or NAME alone"
        )


@pytest.mark.parametrize(
    ("environment", "upstream"),
    [
        ({}, "https://us-east-1.a"),
        ({"AWS_REGION": "eu-1", "AWS_DEFAULT_REGION": "eu-2"}, "https://eu-1.a"),
        ({"AWS_REGION": "", "AWS_DEFAULT_REGION": "eu-2"}, "https://eu-2.a"),
        ({"NAME": " https://b/c// "}, "https://b/c"),
        ({"NAME": " / "}, "https://us-east-1.a"),
        ({"NAME": "b:1"}, "http://b:1"),
    ],
)
def test_where_a_variable_leads(environment: dict[str, str], upstream: str) -> None:
    """To what the user has set, else to the default, in the user's region."""
    assert upstream_of("NAME", "https://{region}.a", environment) == upstream


def test_a_slot_stands_for_one_upstream() -> None:
    """The same one for the same upstream; what there is not leads nowhere."""
    route = Route(responder())
    slots = [route.slot(one) for one in ("https://a", "", "https://a")]
    assert slots == [f"/{route.token}/0", f"/{route.token}/1", f"/{route.token}/0"]
    assert route.url("0", "/x?a=1") == "https://a/x?a=1"
    assert [route.url(slot, "/x") for slot in ("1", "2", "", "-1", "x")] == [None] * 5


@pytest.mark.parametrize(
    ("rest", "url"),
    [
        ("/chat?b=2", "http://own:1/v2/chat?b=2"),
        ("/other", "https://a/v1/other"),
        ("", "https://a/v1"),
        ("/", "https://a/v1/"),
        ("/mine", "https://a/v1/mine"),
    ],
)
def test_a_replay_takes_the_recorded_place_of_the_same_end(rest: str, url: str) -> None:
    """With the request's own parameters; a path that was recorded as it is stays at its upstream."""
    recorded = ("http://own:1/v2/chat?a=1#x", "https://b/v1/mine", "https://c/x/mine")
    assert _url("https://a/v1", rest, *recorded) == url
    assert _url("https://a/v1", rest, *recorded, recording=True) == f"https://a/v1{rest}"


def _url(upstream: str, rest: str, *recorded: str, recording: bool = False) -> str | None:
    route = Route(responder(*recorded, recording=recording))
    return route.url(route.slot(upstream).rpartition("/")[2], rest)


def test_an_unknown_upstream_is_where_it_was_recorded() -> None:
    """A variable without a default, which only the machine that recorded knew."""
    assert _url("", "/chat", "https://own/v1/chat") == "https://own/v1/chat"
    assert _url("", "/v1/chat", "https://own/v1/chat") == "https://own/v1/chat"
    assert _url("", "/else", "https://own/v1/chat") is None


def test_notes_are_kept_once_and_routes_until_they_are_closed(server: EndpointServer) -> None:
    """In their order."""
    endpoint = Endpoint(lambda: server)
    route = endpoint.open(responder())
    assert server.routes[route.token] is route
    for _ in range(2):
        route.note("one")
        endpoint.close()
    route.note("two")
    assert (endpoint.notes, server.routes.get(route.token), route.asked) == (("one", "two"), None, False)


@pytest.mark.parametrize("recording", [False, True])
def test_base_urls_of_a_route(server: EndpointServer, recording: bool) -> None:
    """None for an allowed host or the endpoint itself; none that lead nowhere while recording."""
    own = ["A=https://a", "B", f"C={server.origin}/x", "D=https://allowed", "E=https://a"]
    endpoint = Endpoint(lambda: server, own, ["allowed"])
    route = endpoint.open(responder(recording=recording))
    given = endpoint.environment(route, {})
    urls = {name: given[name].rpartition("/")[2] for name in "ABCDE" if name in given}
    assert urls.keys() == ({"A", "E"} if recording else {"A", "B", "E"})
    assert urls["A"] == urls["E"] != urls.get("B")
    assert given["A"].startswith(f"{server.origin}/{route.token}/")


def test_children_of_a_replay_get_proxies_that_refuse(server: EndpointServer) -> None:
    """In both spellings; what is allowed goes past them, by host, by host and port, and by the word as it is."""
    endpoint = Endpoint(
        lambda: server, ["OWN=https://Own.test:8443/x"], ["own.test:8443", "API.anthropic.com", "z.test"]
    )
    route = endpoint.open(responder())
    variables = endpoint.environment(route, {"OPENAI_API_BASE": "https://z.test:1"})
    proxy = f"http://{route.token}:planguard@127.0.0.1:{server.port}"
    names = {name: variables.pop(name) for name in [*variables] if name.lower().endswith("proxy")}
    past = "127.0.0.1,localhost,::1,api.anthropic.com,own.test:8443,z.test"
    spelt = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    assert names == {
        **dict.fromkeys([*spelt, *map(str.lower, spelt)], proxy),
        "NO_PROXY": past,
        "no_proxy": past,
    }
    assert sorted(variables) == [
        *("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "AZURE_OPENAI_ENDPOINT", "GOOGLE_GEMINI_BASE_URL"),
        *("OLLAMA_HOST", "OPENAI_BASE_URL"),
    ]
    endpoint.close()
    assert server.routes.get(route.token) is None


def asked(server: EndpointServer, method: str, path: str, **headers: str) -> tuple[int, dict[str, str], dict[str, Any]]:
    """Send a request and return status, headers and the refusal."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.putrequest(method, path, skip_host=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), json.loads(text)


def test_refusals_in_words(server: EndpointServer) -> None:
    """In the form of every SDK; no header but those of the refusal."""
    status, headers, body = asked(server, "GET", "/a/0/b", Host=f"127.0.0.1:{server.port}")
    words = "no test has this address: its prefix holds for one child of one test"
    assert body == {
        "type": "error",
        "error": {"message": words, "type": "planguard", "code": "planguard_refused"},
    }
    length = str(len(json.dumps(body).encode()))
    assert (status, headers) == (
        404,
        {"content-type": "application/json", "x-should-retry": "false", "Content-Length": length},
    )
    status, _, body = asked(server, "DELETE", "/a", Host="127.0.0.1")
    assert (status, body["error"]["message"]) == (421, "this endpoint only serves 127.0.0.1")


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("method", "path", "where", "host"),
    [
        ("GET", "http://api.test/x/y", "api.test", "api.test"),
        ("POST", "http://api.test:81/x", "api.test:81", "api.test"),
        ("CONNECT", "api.test:443", "api.test:443", "api.test"),
    ],
)
def test_what_comes_as_to_a_proxy_is_refused(
    server: EndpointServer, known: bool, method: str, path: str, where: str, host: str
) -> None:
    """The test learns which host was asked, and how to let it pass."""
    endpoint = Endpoint(lambda: server)
    route = endpoint.open(responder())
    name = base64.b64encode(f"{route.token if known else 'x'}:planguard".encode()).decode()
    status, _, body = asked(server, method, path, Host=where, Proxy_Authorization=f"Basic {name}")
    words = f"a child process asked {where}, which was refused: no cassette answers it"
    assert (status, body["error"]["message"]) == (424, words)
    note = f"{words} (to let it pass: planguard_allowed_hosts = {host})"
    assert endpoint.notes == ((note,) if known else ())
    assert asked(server, method, path, Host=where, Proxy_Authorization="Basic ?")[0] == 424
    assert asked(server, method, path, Host=where)[0] == 424
    endpoint.close()


def test_headers_of_one_connection_are_not_kept() -> None:
    """As HTTP names them, beside those that each message has of its own."""
    assert sorted(HOP_BY_HOP) == [
        *("connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate"),
        *("proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"),
    ]


class _Live(Responder):
    """A responder that records, and whose upstream is a socket of this test."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def replays(self, message: object) -> bool:
        """Return False: every request is forwarded."""
        return False

    def record(self, interaction: Any) -> None:
        """Keep one exchange."""
        self.kept.append(interaction)


@contextmanager
def upstream_says(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Serve one answer as it is; give the address, and what was asked."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                while not asked or not asked[-1].endswith(b"body"):
                    asked.append((asked[-1] if asked else b"") + connection.recv(65_536))
                connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://user:secret@127.0.0.1:{listener.getsockname()[1]}/v1/x?a=1", asked
        thread.join(20)


def forwarded(answer: bytes) -> tuple[Reply, bytes, _Live, list[str]]:
    """Forward one request; return the reply, its body, what was recorded, and the lines that the upstream got."""
    live = _Live()
    with upstream_says(answer) as (url, asked_of_it):
        headers = (("Host", ("endpoint",)), ("Accept-Encoding", ("gzip",)), ("X-A", ("1", "2")), ("Upgrade", ("h2c",)))
        reply = reply_to(Route(live), "POST", url, headers, b"body")
        body = reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)
        port = url.rpartition(":")[2].partition("/")[0]
    return reply, body, live, asked_of_it[-1].decode().replace(port, "PORT").split("\r\n")


def test_a_request_is_forwarded_and_recorded() -> None:
    """Without the headers of the connection, and under the real host, which has no name and password."""
    answer = b"HTTP/1.1 201 Made\r\nX-B: 1\r\nX-B: 2\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
    reply, body, live, lines = forwarded(answer)
    assert lines == [
        "POST /v1/x?a=1 HTTP/1.1",
        *("Host: 127.0.0.1:PORT", "Connection: close", "Content-Length: 4", "X-A: 1", "X-A: 2"),
        *("", "body"),
    ]
    assert (reply.status, reply.reason, reply.headers, body) == (201, "Made", (("X-B", ("1", "2")),), b"ok")
    (one,) = live.kept
    assert (one.method, one.status, one.reason, one.request_body, one.response_body) == (
        *("POST", 201, "Made"),
        *(b"body", b"ok"),
    )
    assert [name for name, _ in one.request_headers] == ["Host", "X-A"]
    assert one.request_headers[0][1][0].startswith("127.0.0.1:")
    assert one.response_headers[0] == ("X-B", ("1", "2"))


def test_an_address_without_a_path_is_asked_for_its_root() -> None:
    """As clients do."""
    with upstream_says(b"HTTP/1.1 204 No Content\r\n\r\n") as (url, asked):
        exchange.send("POST", url.partition("/v1")[0], [], b"body").connection.close()
    assert asked[-1].splitlines()[0] == b"POST / HTTP/1.1"


def test_an_answer_without_a_length_is_passed_on_as_it_comes() -> None:
    """It is recorded once its last piece is read."""
    reply, body, live, _ = forwarded(b"HTTP/1.1 200 OK\r\n\r\nevents")
    assert not isinstance(reply.body, bytes)
    assert (body, live.kept[0].response_body) == (b"events", b"events")


def test_an_upstream_that_speaks_no_http_is_reported() -> None:
    """In the words of the client, as a failure of the way there."""
    reply, body, live, _ = forwarded(b"SSH-2.0\r\n\r\n")
    assert (reply.status, live.kept) == (502, [])
    assert b"could not be reached: SSH-2.0" in body


def test_a_refusal_is_text_as_it_is() -> None:
    """Letters of every language."""
    assert "für".encode() in refusal("für").body  # type: ignore[operator]
    assert refusal("a").status == 424


@pytest.mark.parametrize(
    ("environment", "url", "way"),
    [
        ({}, "https://a.test/x", ("a.test", 443, False, None)),
        ({}, "http://a.test:81/x", ("a.test", 81, False, None)),
        ({"http_proxy": "p.test:3128"}, "http://a.test/x", ("p.test", 3128, True, None)),
        ({"http_proxy": "http://p.test:3128"}, "https://a.test/x", ("a.test", 443, False, None)),
        ({"https_proxy": "http://p.test:3128"}, "https://a.test/x", ("p.test", 3128, False, "a.test")),
        ({"http_proxy": "p.test:3128", "no_proxy": "a.test"}, "http://a.test/x", ("a.test", 80, False, None)),
    ],
)
def test_proxies_of_the_environment_are_used(
    environment: dict[str, str], url: str, way: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tunnel for https, whole URLs for http; nothing is opened for the question."""
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    parts = exchange.urlsplit(url)
    connection, absolute = exchange._connection(parts.scheme, parts.hostname or "", parts.port)
    assert (connection.host, connection.port, absolute, connection._tunnel_host) == way
    assert connection.timeout == exchange.TIMEOUT_S == 600


# Children.


def equipping(given: Mapping[str, str], seen: list[tuple[list[Any], bool]]) -> Any:
    """Return what gives variables to children, and keeps what it is asked with."""

    @contextmanager
    def equip(command: Sequence[Any], own: Mapping[Any, Any]) -> Iterator[Mapping[str, str]]:
        seen.append(([*command], own is os.environ))
        yield given

    return equip


@pytest.mark.parametrize(
    ("start", "command"),
    [
        (lambda: subprocess.run("true", check=True), ["true"]),
        (lambda: subprocess.run(b"true", check=True), [b"true"]),
        (lambda: subprocess.run(Path("/bin/true"), check=True), [Path("/bin/true")]),
        (lambda: subprocess.run("true x", shell=True, check=True), ["sh", "-c", "true x"]),
        (lambda: subprocess.run(("true", "x"), check=True), ["true", "x"]),
        (lambda: os.system("true"), ["sh", "-c", "true"]),
    ],
)
def test_children_are_asked_about_with_their_command(start: Any, command: list[Any]) -> None:
    """And with the environment that they would get; the innermost block is asked, and nobody after it."""
    outer: list[tuple[list[Any], bool]] = []
    seen: list[tuple[list[Any], bool]] = []
    before = (subprocess.Popen.__init__, os.posix_spawn, os.posix_spawnp, os.system)
    with equipped_children(equipping({}, outer)):
        with equipped_children(equipping({"A": "1"}, seen)):
            start()
        assert (seen, outer) == ([(command, True)], [])
        start()
    start()
    assert (len(seen), len(outer)) == (1, 1)
    assert (subprocess.Popen.__init__, os.posix_spawn, os.posix_spawnp, os.system) == before


def test_a_spawned_child_is_found_on_path_and_has_its_number() -> None:
    """`os.posix_spawnp` and `os.posix_spawn` alike."""
    seen: list[tuple[list[Any], bool]] = []
    with equipped_children(equipping({"A": "7"}, seen)):
        for spawn in (os.posix_spawnp, os.posix_spawn):
            pid = spawn("/bin/sh", ["sh", "-c", 'exit "$A$B"'], {"B": "0"})
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 70
        assert os.waitstatus_to_exitcode(os.system('exit "$A"')) == 7
    assert [words for words, _ in seen[:2]] == [["sh", "-c", 'exit "$A$B"']] * 2
    assert "A" not in os.environ
