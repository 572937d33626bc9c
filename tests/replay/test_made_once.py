"""What is made once and kept for the whole process, made again: what is kept was made before any test."""

from __future__ import annotations

import http.client
import os
import subprocess
from typing import Any

from pytest_planguard.replay import endpoint_children as children
from pytest_planguard.replay import endpoint_exchange as exchange
from pytest_planguard.replay.files import safe_yaml


def again(made_once: Any) -> Any:
    """Call a cached function past its cache."""
    return made_once.__wrapped__()


def test_a_loader_of_plain_values() -> None:
    """It reads numbers and bytes; everything else is built from its events."""
    kind = again(safe_yaml._plain_loader)
    for text, value in (("12:30", "12:30"), ("!!python/bytes YWI=", b"ab"), ("!!int 5", 5)):
        loader = kind(text)
        assert loader.get_single_data() == value
        loader.dispose()


def test_a_client_of_our_own() -> None:
    """A copy of the module, which no tool has patched."""
    client = again(exchange._client)
    assert client is not http.client
    assert client.HTTPConnection is not http.client.HTTPConnection
    assert issubclass(client.HTTPSConnection, client.HTTPConnection)


def test_what_starts_children() -> None:
    """Every function of the standard library that this system has."""
    assert [(owner, name) for owner, name, _ in again(children._targets)] == [
        *((subprocess.Popen, "__init__"), (os, "posix_spawn"), (os, "posix_spawnp"), (os, "system")),
    ]
    ((lower, name, wrap),) = again(children._lower_targets)
    assert (lower.__name__, name) == ("_posixsubprocess", "fork_exec")
    assert wrap(lambda *words: words)(["a"], 1) == (["a"], 1)
