"""A recording is complete, however many threads ask at once: every exchange is kept, and the recording replays."""

import http.client
import json
import re
import ssl
import threading
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
import requests
import urllib3
import vcr
from vcr.stubs import VCRConnection

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.nightly import drawn
from ...support.paths import ROOT

AUTHORITY = ROOT / "tests" / "support" / "authority"
"""A certificate authority of the tests, and the certificate and key of its server at 127.0.0.1 and localhost."""
CA = str(AUTHORITY / "authority.pem")
AT_ONCE = 8
"""Requests that the endpoint holds back until so many are there."""

Ask = Callable[[str], str]
Client = Callable[[str, ExitStack], Ask]
"""Makes what asks the endpoint at a base URL; what it opens is closed with the stack."""


class _Endpoint(ThreadingHTTPServer):
    """Answers each chat with its last message, once `at_once` requests are in flight."""

    request_queue_size = 128
    daemon_threads = True

    def __init__(self, at_once: int, *, secure: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.all_there = threading.Barrier(at_once)
        self.number = 0
        self.scheme = "https" if secure else "http"
        if secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(AUTHORITY / "server.pem")
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that clients close."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 20

    def log_message(self, *args: object) -> None:
        """Keep the test output quiet."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.all_there.wait(10)  # type: ignore[attr-defined]
        message = {"role": "assistant", "content": f"to {asked['messages'][-1]['content']}"}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        answer = {"id": f"c{id(asked)}", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def endpoint(at_once: int, *, secure: bool) -> Iterator[_Endpoint]:
    """A running endpoint."""
    server = _Endpoint(at_once, secure=secure)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def chat_of(prompt: str) -> dict[str, Any]:
    """The body of a request."""
    return {"model": "m", "messages": [{"role": "user", "content": prompt}]}


def said(answer: Any) -> str:
    """The answer's text."""
    return str(answer["choices"][0]["message"]["content"])


def by_requests(url: str, opened: ExitStack) -> Ask:
    """A connection for each request."""
    return lambda prompt: said(requests.post(f"{url}/chat/completions", json=chat_of(prompt), verify=CA).json())


def by_session(url: str, opened: ExitStack) -> Ask:
    """One session for all threads, whose connections are used again."""
    session = opened.enter_context(requests.Session())
    session.trust_env, session.verify = False, CA  # a variable of the environment comes before `verify`
    return lambda prompt: said(session.post(f"{url}/chat/completions", json=chat_of(prompt)).json())


def by_urllib3(url: str, opened: ExitStack) -> Ask:
    """One pool for all threads."""
    pool = opened.enter_context(urllib3.PoolManager(ca_certs=CA, maxsize=4))
    return lambda prompt: said(pool.request("POST", f"{url}/chat/completions", json=chat_of(prompt)).json())


def by_http_client(url: str, opened: ExitStack) -> Ask:
    """A connection for each request."""
    place = url.split("/")[2]

    def ask(prompt: str) -> str:
        secure = url.startswith("https")
        context = ssl.create_default_context(cafile=CA)
        connection = (
            http.client.HTTPSConnection(place, context=context) if secure else http.client.HTTPConnection(place)
        )
        with closing(connection):
            connection.request("POST", "/v1/chat/completions", json.dumps(chat_of(prompt)))
            return said(json.loads(connection.getresponse().read()))

    return ask


def by_urllib(url: str, opened: ExitStack) -> Ask:
    """A connection for each request."""

    def ask(prompt: str) -> str:
        request = urllib.request.Request(f"{url}/chat/completions", json.dumps(chat_of(prompt)).encode())
        context = ssl.create_default_context(cafile=CA)
        with urllib.request.urlopen(request, context=context if url.startswith("https") else None) as answer:
            return said(json.loads(answer.read()))

    return ask


def by_httpx(url: str, opened: ExitStack) -> Ask:
    """One client for all threads."""
    client = opened.enter_context(httpx2.Client(verify=ssl.create_default_context(cafile=CA)))
    return lambda prompt: said(client.post(f"{url}/chat/completions", json=chat_of(prompt)).json())


def by_openai(url: str, opened: ExitStack) -> Ask:
    """One client for all threads."""
    http = opened.enter_context(httpx2.Client(verify=ssl.create_default_context(cafile=CA)))
    client = openai.OpenAI(base_url=url, api_key="unused", http_client=http, max_retries=0)
    return lambda prompt: str(client.chat.completions.create(**chat_of(prompt)).choices[0].message.content)


CLIENTS = [by_requests, by_session, by_urllib3, by_http_client, by_urllib, by_httpx, by_openai]


def in_threads(make: Client, url: str, prompts: list[str], threads: int) -> list[str]:
    """The answers, of which `threads` are asked for at a time."""
    with ExitStack() as opened, ThreadPoolExecutor(threads) as pool:
        return list(pool.map(make(url, opened), prompts))


def is_whole(make: Client, path: Path, prompts: list[str], threads: int, *, secure: bool) -> None:
    """Record and replay, and look whether each exchange was kept and found again."""
    expected = [f"to {prompt}" for prompt in prompts]
    with endpoint(min(threads, AT_ONCE), secure=secure) as live:
        url = live.url
        with open_cassette(path, mode="all") as session:
            assert in_threads(make, url, prompts, threads) == expected
        assert (len(session.recorded), session.bypasses) == (len(prompts), ())
    kept = [exchange.answer_text for exchange in read_cassette(path).exchanges]
    assert sorted(kept) == sorted(expected)
    with open_cassette(path) as session:
        assert in_threads(make, url, prompts, threads) == expected
    assert (session.misses, session.bypasses, session.unplayed) == ([], (), ())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "secure"), drawn([(make, (n + half) % 2 == 1) for n, make in enumerate(CLIENTS) for half in (0, 1)], 2)
)
def test_eight_threads_are_recorded_and_replayed(make: Client, secure: bool, tmp_path: Path) -> None:
    """Sixteen requests of each client, eight of them in flight at any time; by day over HTTP or over HTTPS."""
    is_whole(make, tmp_path / "a.yaml", [f"Room {n}" for n in range(16)], 8, secure=secure)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "secure", "threads"), drawn([*product(CLIENTS, [False, True], [2, 32])], 9))
def test_few_and_many_threads(make: Client, secure: bool, threads: int, tmp_path: Path) -> None:
    """Two and thirty-two threads, each prompt twice."""
    is_whole(make, tmp_path / "a.yaml", [f"Room {n // 2}" for n in range(2 * threads)], threads, secure=secure)


def test_a_class_that_was_imported_by_name_is_told(tmp_path: Path) -> None:
    """What is no longer looked up cannot be replaced: its exchange is missing, so its client and thread are named."""
    imported = http.client.HTTPConnection

    def around(url: str, opened: ExitStack) -> Ask:
        def ask(prompt: str) -> str:
            connection = opened.enter_context(closing(imported(url.split("/")[2])))
            connection.request("POST", "/v1/chat/completions", json.dumps(chat_of(prompt)))
            return said(json.loads(connection.getresponse().read()))

        return ask

    with endpoint(1, secure=False) as live:
        with open_cassette(tmp_path / "a.yaml", mode="all") as session:
            in_threads(by_requests, live.url, ["Room 1"], 1)
            assert session.bypasses == ()
            in_threads(around, live.url, ["Room 2"], 1)
        port = live.server_address[1]
    assert len(session.recorded) == 1
    assert [(b.host, b.port) for b in session.bypasses] == [("127.0.0.1", port)]
    assert re.match(r"tests in thread 'ThreadPoolExecutor-\d+_0' opened a connection", str(session.bypasses[0]))


def test_a_connection_from_before_is_told(tmp_path: Path) -> None:
    """It was opened when nothing was recorded, and what it sends is not in the cassette."""
    with endpoint(1, secure=False) as live, closing(http.client.HTTPConnection(live.url.split("/")[2])) as before:
        before.connect()
        with open_cassette(tmp_path / "a.yaml", mode="all") as session:
            in_threads(by_requests, live.url, ["Room 1"], 1)
            before.request("POST", "/v1/chat/completions", json.dumps(chat_of("Room 2")))
            before.getresponse().read()
        port = live.server_address[1]
    assert [str(b) for b in session.bypasses] == [
        f"tests opened a connection to 127.0.0.1:{port} that no cassette can answer"
    ]


def test_nothing_stays_replaced(tmp_path: Path) -> None:
    """Neither the classes nor the methods that are bound to them; plain vcrpy in the same process takes its own way."""
    replaced = (http.client.HTTPConnection, http.client.HTTPSConnection, http.client.HTTPSConnection.__init__)
    with open_cassette(tmp_path / "a.yaml"):
        assert http.client.HTTPSConnection is not replaced[1]
        with vcr.VCR(record_mode="none").use_cassette(str(tmp_path / "theirs.yaml")):
            inner = http.client.HTTPSConnection("a.test")
            assert type(inner).getresponse is VCRConnection.getresponse
        assert type(http.client.HTTPSConnection("a.test")).getresponse is not VCRConnection.getresponse
    assert (http.client.HTTPConnection, http.client.HTTPSConnection, http.client.HTTPSConnection.__init__) == replaced
