"""Update a cassette's requests if only their envelope changed: headers, or members with a default value.

An upgraded SDK sends other headers, and may send defaults that it used to leave out. The recorded answers are still
valid for these requests, so the requests are rewritten offline. Any other difference is refused. A stale replay saves
its requests beside the run's rows, for `planguard show --rekey`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...errors import CassetteError
from ...wire.exchange import MODEL_HEADER, STATE_HEADER, Message
from ...wire.untrusted_json import parse_json
from ..files.cassette_text import render
from ..files.interaction import Headers, Interaction, collect, find_mark, with_mark
from ..files.reader import read_cassette
from ..matching.cassette_index import CONVERSATION_HEADER
from ..matching.semantic import semantic_hash
from ..paths import replace_file
from ..privacy.redact import redact
from ..privacy.redaction_rules import Redaction

NOTE_HEADER = "x-planguard-rekeyed"
"""The request header in which a cassette notes such updates. It was never sent."""
_KEPT = (CONVERSATION_HEADER, MODEL_HEADER, STATE_HEADER)
DEFAULTS: dict[str, tuple[Any, ...]] = {
    "n": (1,), "temperature": (1, 1.0), "top_p": (1, 1.0), "presence_penalty": (0, 0.0), "frequency_penalty": (0, 0.0),
    "logprobs": (False,), "parallel_tool_calls": (True,), "tool_choice": ("auto", {"type": "auto"}), "tools": ([],),
    "response_format": ({"type": "text"},), "truncation": ("disabled",), "stream": (False,), "modalities": (["text"],),
}  # fmt: skip
"""Maps a member of a request body to the default values that providers document (OpenAI's chat completions and
responses, Anthropic's messages). Sending a default doesn't change the question."""


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request that a replay sent (without secrets), and the position of the interaction that answered it."""

    position: int
    """1-based position in the cassette."""
    request: Message


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """The result of comparing a sent request with the recorded one."""

    position: int
    changes: tuple[str, ...]
    """"header user-agent changed", "parallel_tool_calls added: true"; () without changes."""
    allowed: bool
    """True if only the envelope changed."""


def rekeyed(recorded: Message, sent: SentRequest) -> Rekeyed:
    """Compare a recorded request with the one that was sent."""
    same = semantic_hash(_without_defaults(recorded)) == semantic_hash(_without_defaults(sent.request))
    return Rekeyed(sent.position, tuple(_changes(recorded, sent.request)), same)


def rekey(path: Path, sent: Sequence[SentRequest]) -> str:
    """Return the text of a cassette with its requests replaced by those in `sent`. Answers are not changed.

    Raises CassetteError if more than the envelope changed, or if planguard did not write the file, because rewriting it
    might lose data.
    """
    found = read_cassette(path).interactions
    interactions = [raw.as_recorded for raw in found]
    before, text = render(interactions), path.read_bytes().decode("utf-8", "replace")
    mark = find_mark(text)
    if mark is None or with_mark(before, mark) != text:
        raise CassetteError(
            f"{path}: the cassette was not written by planguard, so it cannot be rewritten; record the test again"
        )
    for one in sent:
        told = rekeyed(found[one.position - 1].request, one)
        if not told.allowed:
            raise CassetteError(f"{path}: request {one.position} has changed; record the test again")
        if told.changes:
            interactions[one.position - 1] = _taken_over(interactions[one.position - 1], one.request, told)
    after = render(interactions)
    return after if before == text else with_mark(after, mark)  # manual edits remain detectable


def write_rekeyed(path: Path, text: str) -> None:
    """Replace the text of a cassette atomically. Raises CassetteError."""
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise CassetteError(f"{path}: cannot be written ({error.strerror or error}); nothing was changed") from error


def _taken_over(interaction: Interaction, request: Message, told: Rekeyed) -> Interaction:
    own = [(name, values) for name, values in interaction.request_headers if name.lower() in _KEPT]
    headers: Headers = (*collect(request.headers.items()), *own, (NOTE_HEADER, ("; ".join(told.changes)[:1_000],)))
    return replace(interaction, url=request.url, request_headers=headers, request_body=request.body)


def _without_defaults(message: Message) -> Message:
    body = _object(message)
    if body is None:
        return message
    kept = {name: value for name, value in body.items() if not _is_default(name, value)}
    return replace(message, body=json.dumps(kept).encode("utf-8", "surrogatepass"))


def _is_default(name: str, value: object) -> bool:
    return any(
        # For Python, true equals 1: `n: true` is no default.
        value == known and isinstance(value, bool) == isinstance(known, bool)
        for known in DEFAULTS.get(name, ())
    )


def _object(message: Message) -> dict[str, object] | None:
    try:
        value = parse_json(message.body.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _changes(recorded: Message, sent: Message) -> Iterator[str]:
    if recorded.url != sent.url:
        yield f"url changed: {sent.url}"
    known = {name: value for name, value in recorded.headers.items() if name not in (*_KEPT, NOTE_HEADER)}
    yield from (f"header {line}" for line in _members(known, sent.headers, tell=False))
    yield from _members(_object(recorded) or {}, _object(sent) or {}, tell=True)


def _members(before: Any, after: Any, *, tell: bool) -> Iterator[str]:
    for name in sorted({*before, *after}):
        if name not in after:
            yield f"{name} removed"
        elif name not in before:
            yield f"{name} added" + (f": {json.dumps(after[name])[:80]}" if tell else "")
        elif before[name] != after[name]:
            yield f"{name} changed"


FOLDER = Path(".planguard", "sent")
"""The folder for saved requests, relative to the root folder of the tests."""
# Maps each byte to one character, so that any body can be text of JSON and comes back byte for byte.
_LIKE = "latin-1"


def keep_sent(root: Path, cassette: Path, sent: Sequence[SentRequest], redaction: Redaction) -> list[SentRequest]:
    """Remove secrets from the requests, save them, and return them. Raises OSError."""
    cleaned = [SentRequest(one.position, _clean(one.request, redaction)) for one in sent]
    requests = [
        {
            "position": one.position,
            "method": one.request.method,
            "url": one.request.url,
            "headers": dict(one.request.headers),
            "body": one.request.body.decode(_LIKE),
        }
        for one in cleaned
    ]
    file = _file(root, cassette)
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, json.dumps({"cassette": _digest(cassette), "requests": requests}).encode())
    return cleaned


def read_sent(cassette: Path) -> list[SentRequest]:
    """Return the requests of the last replay of a cassette.

    Raises CassetteError if there are no saved requests, or the cassette has changed since.
    """
    here = Path.cwd()
    for root in (*cassette.resolve().parents, here, *here.parents):
        file = _file(root, cassette)
        if file.is_file():
            return _read(file, cassette)
    raise CassetteError(
        f"{cassette}: no replayed requests found; run its test in replay mode, then run this command again"
    )


def _read(file: Path, cassette: Path) -> list[SentRequest]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["cassette"] != _digest(cassette):
            raise CassetteError(
                f"{cassette}: the cassette has changed since the replay; run its test, then this command again"
            )
        return [
            SentRequest(int(r["position"]), Message(r["headers"], r["body"].encode(_LIKE), r["method"], r["url"]))
            for r in data["requests"]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CassetteError(f"{file}: the list of replayed requests is damaged ({error}); run the test again") from None


def _clean(request: Message, redaction: Redaction) -> Message:
    whole = Interaction(request.method, request.url, collect(request.headers.items()), request.body, 200, "", (), b"")
    return redact(whole, redaction).interaction.request


def _file(root: Path, cassette: Path) -> Path:
    """Return the file for a cassette. Use the path below the root if possible, so that the checkout can be moved."""
    whole = cassette.resolve()
    place = whole.relative_to(root.resolve()) if whole.is_relative_to(root.resolve()) else whole
    name = hashlib.sha256(place.as_posix().encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return root / FOLDER / f"{name}.json"


def _digest(cassette: Path) -> str:
    return hashlib.sha256(cassette.read_bytes()).hexdigest()
