"""Which places were contacted while recording, and by whom: what the cassette does not hold is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from ipaddress import ip_address
from urllib.parse import urlsplit

OTHER_PROTOCOLS = frozenset({"websockets", "websocket", "httpx_ws", "picows", "autobahn"})
"""Top-level packages that speak another protocol than HTTP on the port of HTTP: none of it is recorded."""
_PORTS = {"http": 80, "https": 443}

Place = tuple[str, int]
"""Host and port."""


def place_of(url: str) -> tuple[str, int | None]:
    """Return host and port of a URL, the port of its scheme where it names none."""
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme)


def proxies() -> set[str | None]:
    """Return the hosts of the proxies that the environment names: they are contacted in the place of others."""
    from urllib.request import getproxies  # drags in HTTP and TLS, which a replay does without

    return {urlsplit(url).hostname for url in getproxies().values()}


def unexplained(contacted: Iterable[str], recorded: Iterable[str]) -> list[str]:
    """Return the hosts that were contacted though nothing was recorded of them, sorted.

    A proxy is contacted in the place of the recorded host; so is a bare address, by clients that look names up
    themselves, and that counts only where nothing was recorded at all.
    """
    known, between = set(recorded), proxies()
    return sorted(h for h in contacted if h not in known and h not in between and not (known and _is_remote_address(h)))


def beside(contacted: Mapping[Place, AbstractSet[str]], recorded: Iterable[str]) -> list[tuple[Place, str]]:
    """Return the places at recorded hosts of which nothing was recorded, each with a client, sorted.

    `contacted` maps each place to the packages that contacted it, `recorded` are the URLs of the cassette. A port
    that no recorded URL has is such a place, and so is one that a client of another protocol contacted.
    """
    known = {place_of(url) for url in recorded}
    hosts = {host for host, _ in known} - proxies()
    return sorted(
        (place, _named(clients))
        for place, clients in contacted.items()
        if place[0] in hosts and (place not in known or clients & OTHER_PROTOCOLS)
    )


def _named(clients: AbstractSet[str]) -> str:
    """Return the client that says most: a look-up in a thread of asyncio shows Python alone."""
    return min(clients & OTHER_PROTOCOLS or clients - {"python"} or {"python"})


def _is_remote_address(host: str) -> bool:
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return False
