"""A cassette of one request twice, and the same request in other envelopes: other headers, other members."""

import json
from pathlib import Path
from typing import Any

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.wire.exchange import Message

URL = "https://api.example.com/v1/chat/completions"
BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Write"}], "temperature": 0}
HEADERS = {"content-type": "application/json", "user-agent": "sdk/1"}


def message(headers: dict[str, str] | None = None, url: str = URL, **members: Any) -> Message:
    """Return the recorded request with other members; None removes a member."""
    body = {k: v for k, v in {**BODY, **members}.items() if v is not None}
    return Message({**HEADERS, **(headers or {})}, json.dumps(body).encode(), "POST", url)


def write_twice(folder: Path) -> Path:
    """Write a cassette of two interactions with one request."""
    headers = tuple((name, (value,)) for name, value in HEADERS.items())
    answer = (("date", ("Thu, 01 Jan 2026 00:00:00 GMT",)), ("x-empty", ("",)))
    body = json.dumps(BODY).encode()
    two = [Interaction("POST", URL, headers, body, 200, "OK", answer, f'{{"n": {n}}}'.encode()) for n in (1, 2)]
    path = folder / "a.yaml"
    path.write_text(render(two), encoding="utf-8")
    return path
