"""The server of the endpoint: who may ask, what is answered, what is recorded."""

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.endpoint_children import equipped_children
from pytest_planguard.replay.endpoint_server import (
    HOST,
    IDLE_S,
    Endpoint,
    EndpointServer,
    _Handler,
    upstream_of,
    with_own,
)
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.network.contacts import BASE_URLS
from pytest_planguard.replay.network.guard import NetworkGuard
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.replay.session.playback import CassetteSettings, Mode
from pytest_planguard.replay.session.session import CassetteSession, begin, finishing, kept_cassette

from ..support.exchanges import URL, chat, user, write
from ..support.lookalike import Lookalike


@pytest.fixture(scope="module")
def server() -> Iterator[EndpointServer]:
    """One server for all tests of this file, as a session has one."""
    server = EndpointServer()
    yield server
    server.stop()


def session_of(path: Path, mode: Mode = "none") -> CassetteSession:
    """Return a session as `open_cassette` begins it, without its patches: a client of this process is not replayed."""
    kept = kept_cassette(path, mode)
    session = CassetteSession(path, kept.interactions if kept else (), CassetteSettings(mode), NetworkGuard())
    begin(session, mode, None, lambda: 0.0)
    return session


def opened(
    server: EndpointServer, session: CassetteSession, own: Mapping[str, str] | None = None
) -> tuple[Endpoint, dict[str, str]]:
    """Return an endpoint with one route, and the variables of it."""
    endpoint = Endpoint(lambda: server)
    return endpoint, endpoint.environment(endpoint.open(session), own or {})


def ask(base: str, text: str, path: str = "/chat/completions", **extra: object) -> tuple[int, dict[str, str], str]:
    """Post a chat and return status, headers and body."""
    body = json.dumps({"model": "m", "messages": [user(text)], **extra}).encode()
    request = urllib.request.Request(f"{base}{path}", body, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


def raw(server: EndpointServer, path: str, host: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    """Send a request with any Host header."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.putrequest("POST", path, skip_host=True)
    for name, value in {"host": host, "content-length": str(len(body)), **headers}.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_a_recorded_answer_is_served_once(server: EndpointServer, tmp_path: Path) -> None:
    """Through the gate: the same request again finds all answers used, and no SDK is to send it a third time."""
    session = session_of(write(tmp_path / "a.yaml", chat([user("one")], "first")))
    _, variables = opened(server, session)
    status, _, text = ask(variables["OPENAI_BASE_URL"], "one")
    assert (status, json.loads(text)["choices"][0]["message"]["content"]) == (200, "first")
    status, headers, text = ask(variables["OPENAI_BASE_URL"], "one")
    assert (status, headers["x-should-retry"]) == (424, "false")
    assert json.loads(text)["error"]["message"].startswith("unexpected request: all matching recorded answers")
    assert [play.request.url for play in session.played] == [URL.replace("api.example", "api.openai")]
    assert len(session.misses) == 1


def test_a_recording_of_another_address_is_found(server: EndpointServer, tmp_path: Path) -> None:
    """The machine that replays may not know the address, and so not the path, that was recorded."""
    session = session_of(write(tmp_path / "a.yaml", chat([user("one")], "first")))
    _, variables = opened(server, session, {"OPENAI_BASE_URL": "http://10.0.0.1/proxy/v3"})
    assert ask(variables["OPENAI_BASE_URL"], "one")[0] == 200
    assert session.played[0].request.url == URL


@pytest.mark.parametrize("host", ["evil.example.com", "127.0.0.1", ""])
def test_other_hosts_are_turned_away(server: EndpointServer, tmp_path: Path, host: str) -> None:
    """A page that a browser was led to by its name reaches nothing."""
    session = session_of(write(tmp_path / "a.yaml", chat([user("one")], "first")))
    _, variables = opened(server, session)
    path = f"{urlsplit(variables['OPENAI_BASE_URL']).path}/chat/completions"
    assert raw(server, path, host)[0] == 421
    assert session.misses == []


@pytest.mark.parametrize("path", ["/", "/guess/0/chat/completions", "/{token}/99/chat", "/{token}/x/chat", "/{token}"])
def test_an_unknown_prefix_leads_nowhere(server: EndpointServer, tmp_path: Path, path: str) -> None:
    """Neither does a slot that was not given, nor any prefix once its test is over."""
    session = session_of(write(tmp_path / "a.yaml", chat([user("one")], "first")))
    endpoint, variables = opened(server, session)
    base = variables["OPENAI_BASE_URL"]
    token = urlsplit(base).path.split("/")[1]
    assert len(token) >= 20
    assert raw(server, path.format(token=token), f"localhost:{server.port}")[0] == 404
    endpoint.close()
    assert ask(base, "one")[0] == 404
    assert session.misses == []


def test_a_stream_is_sent_in_its_events(server: EndpointServer, tmp_path: Path) -> None:
    """In chunks of HTTP, and whole to a client that knows none."""
    events = [b'data: {"a": 1}\n\n', b"data: [DONE]\n\n"]
    asked = json.dumps({"model": "m", "messages": [user("x")], "stream": True}).encode()
    kind = (("content-type", ("application/json",)),)
    stream = (("content-type", ("text/event-stream",)), ("content-length", ("99",)))
    path = write(tmp_path / "a.yaml", *[Interaction("POST", URL, kind, asked, 200, "OK", stream, b"".join(events))] * 2)
    session = session_of(path)
    endpoint, variables = opened(server, session)
    address = urlsplit(variables["OPENAI_BASE_URL"])
    connection = http.client.HTTPConnection(address.netloc)
    connection.request("POST", f"{address.path}/chat/completions", asked, {"content-type": "application/json"})
    answer = connection.getresponse()
    assert answer.getheader("content-length") is None
    assert [answer.read1(), answer.read1(), answer.read1()] == [*events, b""]
    connection.close()
    with socket.create_connection((address.hostname, address.port)) as old:
        head = f"POST {address.path}/chat/completions HTTP/1.0\r\nHost: {address.netloc}\r\n"
        old.sendall(f"{head}content-type: application/json\r\nContent-Length: {len(asked)}\r\n\r\n".encode() + asked)
        assert b"".join(iter(lambda: old.recv(4096), b"")).partition(b"\r\n\r\n")[2] == b"".join(events)
    endpoint.close()


def test_an_answer_to_head_has_no_body(server: EndpointServer, tmp_path: Path) -> None:
    """A client that asks again on the same connection would take it for the beginning of the next answer."""
    session = session_of(write(tmp_path / "a.yaml", chat([user("one")], "first")))
    address = urlsplit(opened(server, session)[1]["OPENAI_BASE_URL"])
    with socket.create_connection((HOST, server.port)) as client:
        client.sendall(
            f"HEAD {address.path}/x HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n".encode()
        )
        head, _, body = b"".join(iter(lambda: client.recv(4096), b"")).partition(b"\r\n\r\n")
    assert (head.split()[1], body) == (b"424", b"")


def test_head_is_recorded_without_a_content_length(server: EndpointServer, tmp_path: Path) -> None:
    """As clients of Ollama ask whether it runs; the end of the body is what records an answer."""

    class Running(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            self.end_headers()

    with HTTPServer((HOST, 0), Running) as upstream:
        thread = threading.Thread(target=upstream.handle_request)
        thread.start()
        session = session_of(tmp_path / "a.yaml", "all")
        _, variables = opened(server, session, {"OLLAMA_HOST": f"http://{HOST}:{upstream.server_port}"})
        with finishing(session):
            request = urllib.request.Request(variables["OLLAMA_HOST"], method="HEAD")
            with urllib.request.urlopen(request) as answer:
                assert (answer.status, answer.read()) == (200, b"")
        thread.join()
    (recorded,) = read_cassette(tmp_path / "a.yaml").interactions
    assert (recorded.request.method, recorded.as_recorded.status) == ("HEAD", 200)


def test_a_request_in_chunks_is_read(server: EndpointServer, tmp_path: Path) -> None:
    """As some clients of other languages send every request."""
    session = session_of(write(tmp_path / "a.yaml", chat([user("one")], "first")))
    _, variables = opened(server, session)
    address = urlsplit(variables["OPENAI_BASE_URL"])
    body = json.dumps({"model": "m", "messages": [user("one")]}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    statuses = []
    for pieces in ([body[:9], body[9:]], [body]):  # the connection stays open
        connection.request("POST", f"{address.path}/chat/completions", iter(pieces), encode_chunked=True)
        answer = connection.getresponse()
        answer.read()
        statuses.append((answer.status, len(session.misses)))
    assert statuses == [(200, 0), (424, 1)]
    connection.close()


@pytest.mark.parametrize("stream", [False, True])
def test_the_upstream_is_asked_and_recorded(
    server: EndpointServer, tmp_path: Path, lookalike: Lookalike, stream: bool
) -> None:
    """Under its real address; the file serves Python's patched clients as well."""
    lookalike.script({"a": 1}, {"a": 1})
    session = session_of(tmp_path / "a.yaml", "all")
    _, variables = opened(server, session, {"OPENAI_BASE_URL": f"{lookalike.base_url}/"})
    assert "HTTP_PROXY" not in variables
    extra = {"stream": True} if stream else {}
    with finishing(session):
        live = ask(variables["OPENAI_BASE_URL"], "one", **extra)
    assert live[0] == 200
    assert f"{lookalike.base_url}/chat/completions" in (tmp_path / "a.yaml").read_text()
    with open_cassette(tmp_path / "a.yaml"):
        again = ask(lookalike.base_url, "one", **extra)[2]
    assert "".join(again.split()) == "".join(live[2].split())
    assert len(lookalike.received) == 1
    assert lookalike.received[0].headers["host"] == urlsplit(lookalike.origin).netloc


def test_an_upstream_that_is_not_there_is_told(server: EndpointServer, tmp_path: Path, lookalike: Lookalike) -> None:
    """Nothing is recorded then."""
    lookalike.stop()
    session = session_of(tmp_path / "a.yaml", "all")
    _, variables = opened(server, session, {"OPENAI_BASE_URL": lookalike.base_url})
    status, _, text = ask(variables["OPENAI_BASE_URL"], "one")
    assert (status, session.recorded) == (502, [])
    assert f"{lookalike.base_url}/chat/completions could not be reached" in text
    session.finish(complete=False)


def test_a_signed_request_is_not_forwarded(server: EndpointServer, tmp_path: Path, lookalike: Lookalike) -> None:
    """Its signature holds for the endpoint's own address: AWS would refuse it."""
    session = session_of(tmp_path / "a.yaml", "all")
    endpoint, variables = opened(server, session, {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": lookalike.origin})
    address = urlsplit(variables["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"])
    path = f"{address.path}/model/m/converse"
    assert raw(server, path, address.netloc, b"{}", authorization="AWS4-HMAC-SHA256 Credential=x")[0] == 424
    (note,) = endpoint.notes
    assert note == (
        "a request that is signed for its host cannot be recorded through the endpoint: got an AWS signature; "
        "use a bearer token (AWS_BEARER_TOKEN_BEDROCK), or record from Python"
    )
    assert lookalike.received == []
    session.finish(complete=False)


def test_upstreams_of_variables() -> None:
    """What the user has set wins; a region is filled in; a host without a scheme is completed."""
    assert upstream_of("OPENAI_BASE_URL", BASE_URLS["OPENAI_BASE_URL"], {}) == "https://api.openai.com/v1"
    assert upstream_of("OPENAI_BASE_URL", "", {"OPENAI_BASE_URL": "https://a.b/c/"}) == "https://a.b/c"
    assert upstream_of("OLLAMA_HOST", "", {"OLLAMA_HOST": "10.0.0.1:1"}) == "http://10.0.0.1:1"
    bedrock = BASE_URLS["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"]
    assert upstream_of("A", bedrock, {"AWS_DEFAULT_REGION": "eu-west-1"}).startswith(
        "https://bedrock-runtime.eu-west-1."
    )
    assert upstream_of("A", bedrock, {}) == "https://bedrock-runtime.us-east-1.amazonaws.com"


def test_own_variables() -> None:
    """They add to the table; a text of another form is refused."""
    table = with_own(["OWN_URL=https://a.b/", "OTHER"])
    assert (table["OWN_URL"], table["OTHER"], len(table)) == ("https://a.b", "", len(BASE_URLS) + 2)
    for wrong in ("=https://a.b", "A=a.b", "A B=https://a.b", ""):
        with pytest.raises(UsageError, match=r"write NAME=https://HOST/PATH, or NAME alone$"):
            with_own([wrong])


STARTS = {
    "subprocess": lambda words, out: subprocess.run(words, check=True),
    "shell": lambda words, out: subprocess.run(" ".join(f"'{w}'" for w in words), shell=True, check=True),
    "explicit": lambda words, out: subprocess.run(words, check=True, env={"PATH": "", "OUT": str(out)}),
    "bytes": lambda words, out: subprocess.run(words, check=True, env={b"OUT": os.fsencode(out)}),
    "positional": lambda words, out: subprocess.Popen(
        words, -1, None, None, None, None, None, True, False, None, {"OUT": str(out)}
    ).wait(),
    "posix_spawn": lambda words, out: os.waitpid(os.posix_spawn(words[0], words, {"OUT": str(out)}), 0),
    "system": lambda words, out: os.system(" ".join(f"'{w}'" for w in words)),
}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX starts")
@pytest.mark.parametrize("how", STARTS)
def test_every_child_is_equipped(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts it; this process keeps its environment, also for what C code reads."""
    from contextlib import contextmanager

    given = {"PLANGUARD_A": "1", "PLANGUARD_B": "2"}

    @contextmanager
    def equip(command: object, own: object) -> Iterator[dict[str, str]]:
        yield given

    out = tmp_path / "out"
    monkeypatch.setenv("OUT", str(out))
    monkeypatch.setenv("PLANGUARD_B", "own")
    code = "import os; open(os.environ['OUT'], 'w').write(os.environ['PLANGUARD_A'] + os.environ['PLANGUARD_B'])"
    words = [sys.executable, "-c", code.replace("'", '"')]
    with equipped_children(equip):
        STARTS[how](words, out)
        assert "PLANGUARD_A" not in os.environ
    assert out.read_text() == "12"
    left = subprocess.run(["/bin/sh", "-c", 'echo "$PLANGUARD_A/$PLANGUARD_B"'], capture_output=True, text=True)
    assert left.stdout == "/own\n"


def test_half_a_request_holds_no_thread_for_ever(server: EndpointServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that says no more is left, in its headers and in its body."""
    assert _Handler.timeout is IDLE_S
    monkeypatch.setattr("pytest_planguard.replay.endpoint_server._Handler.timeout", 0.05)
    for begun in (b"", b"GET /x HTTP/1.1\r\nHost:", b"POST /x HTTP/1.1\r\nContent-Length: 9\r\n"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
            link.sendall(begun)
            assert link.recv(100) == b""
