"""The way to the real endpoint while recording, by a client that no tool patches in this process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec, module_from_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

TIMEOUT_S = 600.0
"""Seconds without a byte after which a model is given up: as long as SDKs wait."""
_PIECE = 65_536


@lru_cache(maxsize=1)
def _client() -> Any:
    """Return a copy of `http.client` of our own: vcrpy and others replace the classes of the one that all share."""
    spec = find_spec("http.client")
    if spec is None or spec.loader is None:
        raise AssertionError("the standard library has no http.client")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Answer(NamedTuple):
    """A response of `http.client` of which no body is read yet, and its connection, which `pieces` closes."""

    response: Any
    connection: Any


def send(method: str, url: str, headers: list[tuple[str, str]], body: bytes) -> Answer:
    """Send a request to a real endpoint. Raises OSError. Proxies of the environment are used."""
    parts = urlsplit(url)
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    connection, absolute = _connection(parts.scheme, parts.hostname or "", parts.port)
    connection.putrequest(method, url if absolute else target, skip_host=True, skip_accept_encoding=True)
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
    """Return a connection, and whether it leads to a proxy that wants whole URLs."""
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
