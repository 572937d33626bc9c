"""The loopback server of the endpoint: HTTP and server-sent events on 127.0.0.1, one for a whole session."""

from __future__ import annotations

import base64
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from ..errors import UsageError
from .endpoint_exchange import HOP_BY_HOP, Reply, Route, refusal, reply_to
from .files.interaction import collect
from .network.contacts import BASE_URLS, is_among
from .network.hooks import OWN_PORTS
from .session.responder import Responder

HOST = "127.0.0.1"
IDLE_S = 60.0
"""Seconds without a byte after which a connection is closed, because a client that sent half a request holds a thread.
Clients open a new connection for the next request after a pause, as with any server."""


class EndpointServer:
    """Listens on a free port or the given one from its creation on. Raises OSError if the port is taken."""

    def __init__(self, port: int = 0) -> None:
        self.routes: dict[str, Route] = {}
        """Routes by token. A request with another token gets an error."""
        self._server = _Server((HOST, port), _Handler)
        self._server.routes = self.routes
        try:
            threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True, name="planguard").start()
        except BaseException:  # no thread could start
            self._server.server_close()
            raise
        self.port = int(self._server.server_address[1])
        self._pid = os.getpid()
        OWN_PORTS.add(self.port)

    @property
    def is_here(self) -> bool:
        """False in a forked child."""
        return self._pid == os.getpid()

    @property
    def origin(self) -> str:
        """'http://127.0.0.1:PORT'."""
        return f"http://{HOST}:{self.port}"

    def stop(self) -> None:
        """Close the port."""
        OWN_PORTS.discard(self.port)
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    routes: dict[str, Route]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore it: a child may leave in the middle of an answer."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_S
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Print nothing: the output belongs to the test."""

    @property
    def _listening(self) -> _Server:
        assert isinstance(self.server, _Server)
        return self.server

    def send_response(self, code: int, message: str | None = None) -> None:
        """Send the recorded status, without headers from this server."""
        self.send_response_only(code, message or None)

    def _handle(self) -> None:
        if self.command == "CONNECT" or "://" in self.path:  # as to a proxy: a whole URL, or a tunnel for TLS
            self._reply(self._around())
            return
        port = self._listening.server_port
        if self.headers.get("Host") not in (f"{HOST}:{port}", f"localhost:{port}"):
            self._reply(refusal("this endpoint only serves 127.0.0.1", 421))  # a web page may lead a browser here
            return
        _, token, slot, rest = [*self.path.split("/", 3), "", "", ""][:4]
        slot, mark, query = slot.partition("?")
        route = self._listening.routes.get(token)
        url = None if route is None else route.url(slot, f"/{rest}" if rest else f"{mark}{query}")
        if route is None or url is None:
            self._reply(refusal("no test has this address: its prefix holds for one child of one test", 404))
            return
        headers, body = collect(self.headers.items()), self._body()
        self._reply(route.context.copy().run(reply_to, route, self.command, url, headers, body))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = do_CONNECT = _handle  # noqa: N815

    def _around(self) -> Reply:
        """Refuse a request that was sent here as to a proxy, because no base URL leads to its host."""
        given = self.headers.get("Proxy-Authorization", "").partition(" ")[2]
        try:
            token = base64.b64decode(given).decode().partition(":")[0]
        except ValueError:
            token = ""
        route = self._listening.routes.get(token)
        where = self.path.partition("://")[2].partition("/")[0] or self.path
        text = f"a child process asked {where}, which was refused: no cassette answers it"
        if route is not None:
            route.note(f"{text} (to let it pass: planguard_allowed_hosts = {where.rpartition(':')[0] or where})")
        return refusal(text)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():  # trailers
            pass
        return b"".join(chunks)

    def _reply(self, reply: Reply) -> None:
        if self.command == "HEAD":
            deque(reply.body, maxlen=0)  # the end of a body that streams records the exchange
        whole = isinstance(reply.body, bytes)
        old = self.request_version == "HTTP/1.0"
        self.send_response(reply.status, reply.reason)
        for name, values in reply.headers:
            for value in values if name.lower() not in HOP_BY_HOP else ():
                self.send_header(name, value)
        if isinstance(reply.body, bytes):
            self.send_header("Content-Length", str(len(reply.body)))
        elif not old:
            self.send_header("Transfer-Encoding", "chunked")
        if not whole and old:
            self.close_connection = True
        self.end_headers()
        if self.command == "HEAD":  # the client would take a body for the beginning of the next answer
            return
        for piece in _framed(reply.body, chunked=not whole and not old):
            self.wfile.write(piece)


def _framed(body: bytes | Iterator[bytes], *, chunked: bool) -> Iterator[bytes]:
    if isinstance(body, bytes):
        yield body
        return
    for piece in body:
        yield b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece
    if chunked:
        yield b"0\r\n\r\n"


_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")


def with_own(variables: Iterable[str]) -> dict[str, str]:
    """Return the table with more variables, each 'NAME=URL' or 'NAME' alone. Raises UsageError for any other text."""
    table = dict(BASE_URLS)
    for text in variables:
        name, _, url = text.partition("=")
        if not name.isidentifier() or (url and not url.startswith(("http://", "https://"))):
            raise UsageError(f"planguard_endpoint_variables: got {text!r}; write NAME=https://HOST/PATH, or NAME alone")
        table[name] = url.rstrip("/")
    return table


def upstream_of(name: str, default: str, environment: Mapping[str, str]) -> str:
    """Return the upstream of a variable: the value that the user has set, else the default; "" without either."""
    own = environment.get(name, "").strip().rstrip("/")
    if own:
        return own if "://" in own else f"http://{own}"  # OLLAMA_HOST may be host and port alone
    region = next((environment[name] for name in _REGIONS if environment.get(name)), "us-east-1")
    return default.replace("{region}", region)


_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


class Endpoint:
    """Gives children their variables, and remembers which of them asked."""

    def __init__(
        self, server: Callable[[], EndpointServer], variables: Iterable[str] = (), allowed_hosts: Iterable[str] = ()
    ) -> None:
        """`server` returns the server of the session, which starts at the first call."""
        self._server = server
        self._variables = with_own(variables)
        self._allowed = frozenset(host.lower() for host in allowed_hosts)
        self._routes: list[Route] = []

    def open(self, responder: Responder) -> Route:
        """Open a route to the current responder."""
        route = Route(responder)
        self._server().routes[route.token] = route
        self._routes.append(route)
        return route

    def close(self) -> None:
        """Close all routes; the server stays."""
        for route in self._routes:
            self._server().routes.pop(route.token, None)

    @property
    def notes(self) -> tuple[str, ...]:
        """Requests of children that bypassed the base URLs, one line each."""
        return tuple(dict.fromkeys(note for route in self._routes for note in route.notes))

    def environment(self, route: Route, own: Mapping[str, str]) -> dict[str, str]:
        """Return the variables for a child: base URLs, and in a replay proxies that refuse any other request.

        `own` is the environment that the child would have; a base URL in it is the upstream. Variables are left out if
        their upstream is an allowed host or the endpoint itself, and, while recording, if they have no upstream.
        """
        origin, recording = self._server().origin, route.responder.recording
        upstreams = {name: upstream_of(name, default, own) for name, default in self._variables.items()}
        urls = {
            name: origin + route.slot(real)
            for name, real in upstreams.items()
            if not (real and (real.startswith(f"{origin}/") or self._allows(real))) and (real or not recording)
        }
        return urls if recording else {**urls, **self._proxies(route)}

    def _proxies(self, route: Route) -> dict[str, str]:
        server = self._server()
        login = f"{route.token}:planguard"  # urllib sends no name without a password
        proxy = f"http://{login}@{HOST}:{server.port}"
        past = ",".join(["127.0.0.1", "localhost", "::1", *sorted(self._allowed)])
        return {**dict.fromkeys(_PROXIES, proxy), "NO_PROXY": past, "no_proxy": past}

    def _allows(self, url: str) -> bool:
        return is_among(self._allowed, url) or urlsplit(url).netloc in self._allowed
