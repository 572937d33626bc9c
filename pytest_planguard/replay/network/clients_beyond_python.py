"""Clients that open their connections below Python: nothing replays or refuses what they send, so they are named."""

from __future__ import annotations

import sys

BEYOND_PYTHON = {
    "grpc": "gRPC, a core in C",
    "pycurl": "libcurl",
    "curl_cffi": "libcurl",
    "tls_client": "a client in Go",
    "primp": "a client in Rust",
    "rnet": "a client in Rust",
    "baml_py": "a client in Rust",
}
"""Top-level module -> what opens its connections."""


def loaded_clients() -> tuple[str, ...]:
    """Return those that are loaded, whoever imported them: 'grpc (gRPC, a core in C)'."""
    if sys.modules.keys().isdisjoint(BEYOND_PYTHON):
        return ()  # nearly always, and asked for each test
    return tuple(f"{name} ({what})" for name, what in BEYOND_PYTHON.items() if name in sys.modules)
