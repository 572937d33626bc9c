"""`planguard_redact`, `planguard_keep` and `planguard_keep_headers`: what a project's recordings hold and lack."""

from __future__ import annotations

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..projects import project, run, script

APP = """
import os

import httpx2

BODY = {
    "model": "m",
    "messages": [{"role": "user", "content": "the printer of ACME-123456 is on fire"}],
    "customer": "Jane-Doe-42",
    "session_token": "9fQ2-Zk7L-w8Xp",
}
HEADERS = {"x-trace": "trace-0815", "x-tenant": "tenant-0815"}

@pytest.mark.planguard(TICKET)
def test_printer():
    httpx2.post(os.environ["LOOKALIKE"] + "/v1/chat/completions", json=BODY, headers=HEADERS, verify=False)
"""
SENT = ("ACME-123456", "Jane-Doe-42", "9fQ2-Zk7L-w8Xp", "trace-0815", "tenant-0815")
"""What the app sends: a customer's number and name, a token, and two headers."""


@pytest.fixture(scope="module")
def server() -> Lookalike:
    """A server that answers."""
    return script(Lookalike())


def recorded(server: Lookalike, *settings: str) -> list[str]:
    """Return which of the texts a recording with these settings holds."""
    ini = "\n".join(("[pytest]", *settings))
    example: Example = project(APP).with_files({"pytest.ini": ini})
    done = run(example, server, "-q", "--planguard-record=missing").example
    (path,) = done.paths(".yaml")
    return [text for text in SENT if text in done.read(path)]


@pytest.mark.parametrize(
    ("settings", "held"),
    [
        ((), SENT[:2]),
        (("planguard_redact =", "    customer", r"    /ACME-\d{6}/"), ()),
        (("planguard_redact = customer",), SENT[:1]),
        (("planguard_keep = session_token",), SENT[:3]),
        (("planguard_keep_headers = x-trace",), (*SENT[:2], SENT[3])),
        (("planguard_keep_headers = x-t*",), (*SENT[:2], *SENT[3:])),
    ],
)
def test_what_a_recording_holds(settings: tuple[str, ...], held: tuple[str, ...], server: Lookalike) -> None:
    """Names, patterns and headers of the project are added to those that every project has."""
    assert recorded(server, *settings) == list(held)
