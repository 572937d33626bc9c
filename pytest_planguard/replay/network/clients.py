"""Which HTTP clients are there: those that vcrpy patches, and those below Python that nothing replays or refuses.

vcrpy would try to import each of its clients again for every cassette.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.util import find_spec

_PACKAGE = {
    "requests": "urllib3",  # what vcrpy patches for requests is urllib3 below it
    "urllib3": "urllib3",
    "boto3": "botocore",
    "httplib2": "httplib2",
    "tornado": "tornado",
    "aiohttp": "aiohttp",
    "httpx": "httpx",
    "httpx2": "httpx2",
}
"""vcrpy's name of a group of patches -> the package without which it patches nothing."""
_BEYOND_PYTHON = {
    "grpc": "gRPC, a core in C",
    "pycurl": "libcurl",
    "curl_cffi": "libcurl",
    "tls_client": "a client in Go",
    "primp": "a client in Rust",
    "rnet": "a client in Rust",
    "baml_py": "a client in Rust",
}
"""Top-level module -> what opens its connections: what it sends is named, since nothing can answer it."""


def absent_clients() -> tuple[str, ...]:
    """Return the clients that cannot be imported, by the names that vcrpy's `skip_patchers` takes.

    They are looked for again when `sys.path` changes; one that is put into `sys.modules` counts at once.
    """
    absent = _absent(tuple(sys.path))
    return tuple(name for name in absent if _PACKAGE[name] not in sys.modules) if absent else ()


def unloaded_clients() -> tuple[str, ...]:
    """Return the clients that nobody has loaded, by the same names.

    Nobody has a connection of such a client, and one that is loaded later has to open its connections.
    """
    return tuple(name for name, package in _PACKAGE.items() if package not in sys.modules)


def any_loaded() -> bool:
    """Return whether any client is loaded that vcrpy patches."""
    return not sys.modules.keys().isdisjoint(_PACKAGE.values())


@lru_cache(maxsize=1)
def _absent(_path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name, package in _PACKAGE.items() if not _importable(package))


def _importable(package: str) -> bool:
    return package in sys.modules or find_spec(package) is not None  # a stand-in module may have no spec


def loaded_beyond_python() -> tuple[str, ...]:
    """Return the clients below Python that are loaded, whoever imported them: 'grpc (gRPC, a core in C)'."""
    if sys.modules.keys().isdisjoint(_BEYOND_PYTHON):
        return ()  # nearly always, and asked for each test
    return tuple(f"{name} ({what})" for name, what in _BEYOND_PYTHON.items() if name in sys.modules)
