"""The endpoint of a test: variables that lead its children there, and their routes on the session's only server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from ...errors import UsageError
from ..network.base_urls import VARIABLES
from ..network.contacts import place_of
from ..session.responder import Responder
from .exchange import Route
from .server import HOST, EndpointServer

_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")


def with_own(variables: Iterable[str]) -> dict[str, str]:
    """Return the table with more variables, each 'NAME=URL' or 'NAME' alone. Raises UsageError for any other text."""
    table = dict(VARIABLES)
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
        host, port = place_of(url)
        return host in self._allowed or f"{host}:{port}" in self._allowed or urlsplit(url).netloc in self._allowed
