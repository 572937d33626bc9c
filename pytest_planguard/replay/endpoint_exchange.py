"""One request at the endpoint: answered from the cassette through its gate, refused, or forwarded and recorded."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import lru_cache
from importlib.util import find_spec, module_from_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from ..errors import PlanguardError
from ..wire.exchange import Message
from .files.interaction import Headers, Interaction, collect, flat, request_message, unpacked, with_latency
from .matching.refusal import Miss
from .network.senders import recorded
from .session.replayed_response import events_of, served
from .session.responder import Responder


class Route:
    """The target of one prefix: its responder and its real upstreams."""

    def __init__(self, responder: Responder) -> None:
        self.token = secrets.token_urlsafe(16)
        self.responder = responder
        self.context = copy_context()
        """The context in which the child was started. It tells to which conversation requests belong."""
        self.asked = False
        """True once a request has arrived."""
        self.when_asked: Callable[[], None] = lambda: None
        """Called when the first request has arrived."""
        self.notes: list[str] = []
        """Notes for people, one line each."""
        self._upstreams: list[str] = []

    def slot(self, upstream: str) -> str:
        """Return the path that represents an upstream: '/TOKEN/0'."""
        if upstream not in self._upstreams:
            self._upstreams.append(upstream)
        return f"/{self.token}/{self._upstreams.index(upstream)}"

    def url(self, slot: str, rest: str) -> str | None:
        """Return the real URL of a request: '0', '/chat/completions' -> 'https://api.openai.com/v1/chat/completions'.

        A replay uses the recorded URL with the same ending, since the replaying machine may not know the recorded
        address. None for an unknown slot.
        """
        if not slot.isdecimal() or int(slot) >= len(self._upstreams):
            return None
        upstream = self._upstreams[int(slot)]
        return _recorded_place(upstream, rest, self.responder) or (f"{upstream}{rest}" if upstream else None)

    def note(self, text: str) -> None:
        """Keep a note, once."""
        if text not in self.notes:
            self.notes.append(text)


def _recorded_place(upstream: str, rest: str, responder: Responder) -> str | None:
    """Return the URL of a recorded exchange whose path ends like the request's, with the request's own parameters."""
    path, _, query = rest.partition("?")
    recorded = [] if responder.recording or path in ("", "/") else [urlsplit(url) for url in responder.urls]
    own = urlsplit(upstream + path).path
    if any(parts.path == own for parts in recorded) and upstream:
        return None
    same = (parts for parts in recorded if parts.path.endswith(path))
    return next((urlunsplit((p.scheme, p.netloc, p.path, query, "")) for p in same), None)


REFUSED = 424
"""Status of a refusal: "failed dependency", which no SDK takes for a temporary failure."""
HOP_BY_HOP = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade", "content-length", "host", "expect",
})  # fmt: skip
"""Headers that apply to one connection only."""
_SIGNED = "AWS4-"
"""The start of an authorization header that is signed for one host, and invalid for any other."""


class Reply(NamedTuple):
    """The response to send. A body that is not streamed gets a content length."""

    status: int
    reason: str
    headers: Headers
    body: bytes | Iterator[bytes]


def reply_to(route: Route, method: str, url: str, headers: Headers, body: bytes) -> Reply:
    """Return the reply to a request of a child. Errors of planguard become refusals."""
    if not route.asked:
        route.asked = True
        route.when_asked()
    kept = tuple(header for header in headers if header[0].lower() not in HOP_BY_HOP)
    message = request_message(method, url, headers, body)
    try:
        if route.responder.replays(lambda: message):
            return _replayed(route, message)
        return _forwarded(route, method, url, kept, body)
    except PlanguardError as error:
        return refusal(str(error))


def refusal(text: str, status: int = REFUSED) -> Reply:
    """Return a refusal in a form that SDKs show to their users and do not retry."""
    error = {"message": text, "type": "planguard", "code": "planguard_refused"}
    body = json.dumps({"type": "error", "error": error}, ensure_ascii=False).encode()
    return Reply(status, "", (("content-type", ("application/json",)), ("x-should-retry", ("false",))), body)


def _replayed(route: Route, message: Message) -> Reply:
    answer = route.responder.answer(message)
    if isinstance(answer, Miss):
        return refusal(answer.message)
    response = served(answer)
    headers = collect(response["headers"].items())
    events = events_of(response)
    body = response["body"]["string"] if events is None else iter(events)
    return Reply(response["status"]["code"], response["status"]["message"], headers, body)


def _forwarded(route: Route, method: str, url: str, headers: Headers, body: bytes) -> Reply:
    if flat(headers).get("authorization", "").startswith(_SIGNED):
        text = "a request that is signed for its host cannot be recorded through the endpoint: got an AWS signature; "
        route.note(f"{text}use a bearer token (AWS_BEARER_TOKEN_BEDROCK), or record from Python")
        return refusal(route.notes[-1])
    # A child may accept a coding that planguard cannot unpack, and the cassette would hold packed bytes.
    asked = tuple(header for header in headers if header[0].lower() != "accept-encoding")
    began = time.perf_counter()
    try:
        with recorded():
            answer = send(method, url, [(n, v) for n, values in asked for v in values], body)
    except OSError as error:
        return refusal(f"{url} could not be reached: {error}", 502)
    response = answer.response
    answered = collect((n, v) for n, v in response.getheaders() if n.lower() not in HOP_BY_HOP)

    def record(content: bytes) -> None:
        request_headers, request = unpacked((("Host", (urlsplit(url).netloc.rpartition("@")[2],)), *asked), body)
        told, plain = unpacked(answered, content)
        told = with_latency(told, time.perf_counter() - began)
        route.responder.record(
            Interaction(method, url, request_headers, request, response.status, response.reason or "", told, plain)
        )

    passed = _passed_on(pieces(answer), record)
    streams = response.getheader("content-length") is None
    return Reply(response.status, response.reason or "", answered, passed if streams else b"".join(passed))


def _passed_on(body: Iterator[bytes], record: Callable[[bytes], None]) -> Iterator[bytes]:
    """Yield a body as it arrives.

    Record it before the iterator ends, because the reader may be gone right afterwards.
    """
    kept = []
    for piece in body:
        kept.append(piece)
        yield piece
    record(b"".join(kept))


TIMEOUT_S = 600.0
"""Seconds without a byte after which a request is abandoned: as long as SDKs wait."""
_PIECE = 65_536
"""Maximum number of bytes to read at once. A stream gives fewer, as they come."""


@lru_cache(maxsize=1)
def _client() -> Any:
    """Return a private copy of `http.client`: vcrpy and others replace the classes of the shared one."""
    spec = find_spec("http.client")
    if spec is None or spec.loader is None:
        raise AssertionError("the standard library has no http.client")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Answer(NamedTuple):
    """A response of `http.client` whose body is not read yet. `pieces` closes its connection."""

    response: Any
    connection: Any


def send(method: str, url: str, headers: list[tuple[str, str]], body: bytes) -> Answer:
    """Send a request to a real endpoint. Raises OSError. Proxies of the environment are used."""
    parts = urlsplit(url)
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    connection, absolute = _connection(parts.scheme, parts.hostname or "", parts.port)
    connection.putrequest(method, url if absolute else target, skip_host=True, skip_accept_encoding=True)
    # one connection for each request
    own = [("Host", parts.netloc.rpartition("@")[2]), ("Connection", "close"), ("Content-Length", str(len(body)))]
    for name, value in [*own, *headers]:
        connection.putheader(name, value)
    try:
        connection.endheaders(body or None)
        return Answer(connection.getresponse(), connection)
    except _client().HTTPException as error:
        connection.close()
        raise OSError(str(error)) from error
    except OSError:
        connection.close()
        raise


def pieces(answer: Answer) -> Iterator[bytes]:
    """Yield the body of a response as it comes. Raises OSError."""
    try:
        while piece := answer.response.read1(_PIECE):
            yield piece
    except _client().HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        answer.response.close()
        answer.connection.close()


def _connection(scheme: str, host: str, port: int | None) -> tuple[Any, bool]:
    """Return a connection, and True if it leads to a proxy that needs whole URLs."""
    secure = scheme == "https"
    kind = _client().HTTPSConnection if secure else _client().HTTPConnection
    proxy = None if proxy_bypass(host) else getproxies().get(scheme)
    if not proxy:
        return kind(host, port, timeout=TIMEOUT_S), False
    between = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    connection = kind(between.hostname, between.port, timeout=TIMEOUT_S)
    if secure:
        connection.set_tunnel(host, port or 443)
    return connection, not secure
