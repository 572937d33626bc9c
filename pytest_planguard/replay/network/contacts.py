"""Name the traffic that a recorded cassette lacks: hosts that were contacted, and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from ipaddress import ip_address
from urllib.parse import urlsplit

OTHER_PROTOCOLS = frozenset({"websockets", "websocket", "httpx_ws", "picows", "autobahn"})
"""Top-level packages that speak another protocol than HTTP on HTTP's port. Their traffic is not recorded."""
_PORTS = {"http": 80, "https": 443}

Place = tuple[str, int]
"""Host and port."""


def place_of(url: str) -> tuple[str, int | None]:
    """Return host and port of a URL, with the default port of its scheme if it has none."""
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme)


def is_among(hosts: AbstractSet[str], url: str) -> bool:
    """Return True if a URL leads to one of the hosts, which may include a port."""
    host, port = place_of(url)
    return host in hosts or f"{host}:{port}" in hosts


def proxies() -> set[str | None]:
    """Return the hosts of the proxies in the environment, which are contacted instead of others."""
    from urllib.request import getproxies  # imports HTTP and TLS, which a replay does not need

    return {urlsplit(url).hostname for url in getproxies().values()}


def unexplained(contacted: Iterable[str], recorded: Iterable[str]) -> list[str]:
    """Return the hosts that were contacted although nothing was recorded of them, sorted.

    A proxy is contacted instead of the recorded host. Clients that resolve names themselves contact bare addresses,
    which count only if nothing was recorded at all.
    """
    known, between = set(recorded), proxies()
    return sorted(h for h in contacted if h not in known and h not in between and not (known and _is_remote_address(h)))


def beside(contacted: Mapping[Place, AbstractSet[str]], recorded: Iterable[str]) -> list[tuple[Place, str]]:
    """Return places at recorded hosts whose own traffic was not recorded, each with a client, sorted.

    `contacted` maps each place to the packages that contacted it, `recorded` are the URLs of the cassette. A port that
    no recorded URL has is such a place, and so is one that a client of another protocol contacted.
    """
    known = {place_of(url) for url in recorded}
    hosts = {host for host, _ in known} - proxies()
    return sorted(
        (place, _named(clients))
        for place, clients in contacted.items()
        if place[0] in hosts and (place not in known or clients & OTHER_PROTOCOLS)
    )


def around(unrecorded: Mapping[Place, str], recorded: Iterable[str]) -> list[tuple[Place, str]]:
    """Return recorded places to which other senders than the cassette's clients sent, each with its sender, sorted.

    `unrecorded` maps each place to its first sender, `recorded` are the URLs of the cassette.
    """
    known = {place_of(url) for url in recorded}
    return sorted((place, client) for place, client in unrecorded.items() if place in known)


def _named(clients: AbstractSet[str]) -> str:
    """Return the most specific client. A lookup in a thread of asyncio shows only Python."""
    return min(clients & OTHER_PROTOCOLS or clients - {"python"} or {"python"})


def _is_remote_address(host: str) -> bool:
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return False


# The environment variables in which SDKs look for a provider's base URL.

BASE_URLS: Mapping[str, str] = {
    "OPENAI_BASE_URL": "https://api.openai.com/v1",
    "OPENAI_API_BASE": "https://api.openai.com/v1",
    "AZURE_OPENAI_ENDPOINT": "",
    "ANTHROPIC_BASE_URL": "https://api.anthropic.com",
    "GOOGLE_GEMINI_BASE_URL": "https://generativelanguage.googleapis.com",
    "OLLAMA_HOST": "http://127.0.0.1:11434",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "https://bedrock-runtime.{region}.amazonaws.com",
}
"""Maps each variable to its upstream if the user sets none; "" if only the user knows it."""


def leads_back(asked: str, recorded: str, own_path: str) -> Iterator[str]:
    """Yield the variable that leads an app to the recorded base URL, if it uses the provider's default instead.

    Some apps send other requests to the default, such as a token count first.

    Args:
        asked: the URL of the request.
        recorded: the URL of the first recorded request.
        own_path: the part of its path that belongs to the endpoint: "/chat/completions".
    """
    host, _ = place_of(asked)
    name = next((name for name, url in BASE_URLS.items() if host and place_of(url)[0] == host), None)
    if name is not None and place_of(recorded)[0] != host:
        base = recorded.partition("?")[0].removesuffix(own_path.partition("?")[0])
        yield f"it was recorded at another base URL; to send the same requests again, set {name}={base}"
