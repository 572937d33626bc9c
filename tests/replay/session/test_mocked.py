"""What a mock answers in place of a client is recorded and replayed, whichever of mock and cassette comes first."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpcore2
import httpx2
import pytest
import requests
from requests.adapters import HTTPAdapter

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.session.cassette import open_cassette, refusing_loaded
from pytest_planguard.replay.session.playback import Mode
from pytest_planguard.replay.session.responder import ClosedCassette

URL = "http://127.0.0.1:9/v1/chat/completions"
"""A port at which no server listens: a live call is an error."""
ANSWER = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "mocked"}}]}
BODY = {"model": "m", "messages": [{"role": "user", "content": "x"}]}

Asking = Callable[[], object]
"""Asks by a client, and returns the decoded answer."""


class _Inherited(httpx2.MockTransport):
    """A mock of an app."""


TRANSPORTS = {"transport": httpx2.MockTransport, "inherited": _Inherited}


def transport(asked: list[str], kind: type[httpx2.MockTransport] = httpx2.MockTransport) -> httpx2.MockTransport:
    """Return a MockTransport that counts its requests."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        return httpx2.Response(200, json=ANSWER)

    return kind(answer)


@contextmanager
def mocked(kind: str, asked: list[str]) -> Iterator[Asking]:
    """Mock a client as a tool of this kind does."""
    if kind == "requests":  # as responses does

        def send(_: HTTPAdapter, request: requests.PreparedRequest, **__: object) -> requests.Response:
            asked.append(str(request.url))
            found = requests.Response()
            found.status_code, found._content = 200, json.dumps(ANSWER).encode()
            return found

        with patch.object(HTTPAdapter, "send", send):
            yield lambda: requests.post(URL, json=BODY, timeout=5).json()
    elif kind == "connections":  # as respx does

        def connect(_: object, request: httpcore2.Request) -> httpcore2.Response:
            asked.append(URL)
            return httpcore2.Response(200, content=json.dumps(ANSWER).encode())

        with patch.object(httpcore2.ConnectionPool, "handle_request", connect):
            yield lambda: httpx2.post(URL, json=BODY).json()
    elif kind in TRANSPORTS:
        yield lambda: httpx2.Client(transport=transport(asked, TRANSPORTS[kind])).post(URL, json=BODY).json()
    elif kind == "async":

        async def respond(_: object, request: Any) -> Any:
            return transport(asked).handle_request(request)

        async def ask() -> object:
            async with httpx2.AsyncClient() as client:
                return (await client.post(URL, json=BODY)).json()

        with patch.object(httpx2.AsyncHTTPTransport, "handle_async_request", respond):
            yield lambda: asyncio.run(ask())
    else:  # as pytest-httpx does
        answer = lambda _, request: transport(asked).handle_request(request)  # noqa: E731
        with patch.object(httpx2.HTTPTransport, "handle_request", answer):
            yield lambda: httpx2.post(URL, json=BODY).json()


KINDS = ("httpx", "async", *TRANSPORTS, "connections", "requests")


def test_what_a_mock_answers_is_recorded_and_replayed(tmp_path: Path) -> None:
    """The mock is asked in a replay as well, since it may count its requests; the answer is the recorded one."""
    for kind, mock_first in product(KINDS, (True, False)):
        path = tmp_path / f"{kind}-{mock_first}.yaml"
        modes: tuple[Mode, ...] = ("missing", "none")
        for mode in modes:
            asked: list[str] = []
            with ExitStack() as stack:
                cassette = open_cassette(path, mode=mode)
                if mock_first:
                    ask = stack.enter_context(mocked(kind, asked))
                    session = stack.enter_context(cassette)
                else:
                    session = stack.enter_context(cassette)
                    ask = stack.enter_context(mocked(kind, asked))
                answer = ask()
            assert (answer, asked) == (ANSWER, [URL]), (kind, mock_first, mode)
            seen = [play.exchange.answer_text for play in session.exchanges]
            assert (seen, session.bypasses) == (["mocked"], ()), (kind, mock_first, mode)


def test_a_mock_that_lets_a_request_pass_does_not_fail_its_replay(tmp_path: Path) -> None:
    """The recorded answer is served, and the request that the mock passes on is refused without a trace."""
    path, asked = tmp_path / "passed.yaml", list[str]()
    with mocked("httpx", asked) as ask, open_cassette(path, mode="missing"):
        ask()
    real = httpx2.HTTPTransport.handle_request
    passing = lambda self, request: real(self, request)  # noqa: E731
    with patch.object(httpx2.HTTPTransport, "handle_request", passing), open_cassette(path) as session:
        assert httpx2.post(URL, json=BODY).json() == ANSWER
    assert (session.bypasses, session.misses) == ((), [])


def test_errors_of_a_mock_are_raised_as_while_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time-out, and then an answer: the app's next request gets the answer, in a replay as well."""

    def failing_once(first: Exception, then: Callable[..., Any]) -> Callable[..., Any]:
        errors = [first]

        def send(self: object, request: Any, **how: object) -> Any:
            if errors:
                raise errors.pop()
            return then(self, request, **how)

        return send

    kinds: tuple[tuple[str, type[Any], str, Exception], ...] = (
        ("httpx", httpx2.HTTPTransport, "handle_request", httpx2.ReadTimeout("slow")),
        ("requests", HTTPAdapter, "send", requests.Timeout("slow")),
    )
    modes: tuple[Mode, ...] = ("missing", "none")
    for (kind, owner, name, error), mode in product(kinds, modes):
        asked: list[str] = []
        with open_cassette(tmp_path / f"{kind}.yaml", mode=mode), mocked(kind, asked) as ask:
            monkeypatch.setattr(owner, name, failing_once(error, getattr(owner, name)))
            with pytest.raises(type(error)):
                ask()
            assert (ask(), asked) == (ANSWER, [URL]), (kind, mode)
            monkeypatch.undo()


class _Retrying(httpx2.HTTPTransport):
    """A transport of an app, which inherits all methods that send."""


class _Adapted(HTTPAdapter):
    """An adapter of an app, likewise."""


def test_a_transport_of_the_app_is_no_mock(tmp_path: Path) -> None:
    """Its request would be sent in a replay, too, if connections are not refused."""
    sent: list[str] = []

    def connect(*_: object) -> None:
        sent.append("live")
        raise ConnectionError

    session = requests.Session()
    session.mount("http://", _Adapted())
    asking: dict[str, Asking] = {
        "httpx": lambda: httpx2.Client(transport=_Retrying()).post(URL, json=BODY).json(),
        "requests": lambda: session.post(URL, json=BODY, timeout=5).json(),
    }
    for kind, ask in asking.items():
        path = tmp_path / f"{kind}.yaml"
        with mocked(kind, []), open_cassette(path, mode="missing"):
            ask()
        with open_cassette(path, block_network=False), patch("socket.socket.connect", connect):
            assert (ask(), sent) == (ANSWER, []), kind


def test_a_mock_gets_a_body_that_can_be_read_only_once(tmp_path: Path) -> None:
    """An upload to another service, from a file or a generator."""
    bodies: list[bytes] = []

    def send(_: HTTPAdapter, request: Any, **__: object) -> requests.Response:
        bodies.append(b"".join(request.body))
        found = requests.Response()
        found.status_code = 200
        return found

    with open_cassette(tmp_path / "a.yaml", mode="missing"), patch.object(HTTPAdapter, "send", send):
        for body in (BytesIO(b"abc"), iter([b"a", b"bc"])):
            requests.post("http://127.0.0.1:9/files", data=body, timeout=5)
    assert bodies == [b"abc", b"abc"]


def test_a_mock_answers_where_requests_are_refused() -> None:
    """While a fixture is set up, and in a test without a cassette: nothing is sent."""
    asked: list[str] = []

    def refuse(_: object) -> None:
        raise AssertionError

    for kind in KINDS:
        closed = refusing_loaded(ClosedCassette(refuse), lambda _: False)  # type: ignore[arg-type]  # it never returns
        with mocked(kind, asked) as ask, closed:
            assert ask() == ANSWER
    assert asked == [URL] * len(KINDS)


def test_the_mock_of_another_service_answers_as_it_likes(tmp_path: Path) -> None:
    """A weather service beside the model: its answers are not in the cassette, and may change."""
    modes: tuple[Mode, ...] = ("missing", "none")
    for mode in modes:
        asked: list[str] = []
        with open_cassette(tmp_path / "a.yaml", mode=mode) as session, mocked("httpx", asked):
            httpx2.get("http://127.0.0.1:9/weather")
        assert (session.exchanges, session.misses, len(asked)) == ((), [], 1)


@pytest.mark.parametrize("state", [partial(int, "gone"), lambda: None])
def test_a_state_that_cannot_be_read_is_kept_as_the_failure(tmp_path: Path, state: Any) -> None:
    """An app or an SDK may catch the error, and try again or name it a connection error."""

    def record() -> None:
        cassette = open_cassette(tmp_path / "a.yaml", mode="missing", state=state)
        with mocked("httpx", []) as ask, cassette, suppress(CassetteError):
            ask()

    with pytest.raises(CassetteError, match=r"^planguard\.state: "):
        record()
