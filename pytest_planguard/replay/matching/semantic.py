"""Reduce a request to its meaning: messages, tools, schema, model, sampling and path, without host and headers.

Requests with the same meaning have the same hash, on any host and port, with any headers and SDK version.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ...retry.reading.entry import ErrorEntry
from ...retry.reading.recognise import recognise
from ...wire.body import unpack
from ...wire.decode import MAX_PATH
from ...wire.exchange import Message
from ...wire.untrusted_json import parse_json
from ..privacy.redact import Cleaner
from ..privacy.redaction_rules import Redaction
from ..privacy.secrets import without_secrets
from .normalise import NORMALISERS, Normaliser, normalise

ENVELOPE = frozenset({
    "stream_options", "user", "metadata", "safety_identifier", "prompt_cache_key", "prompt_cache_retention",
    "service_tier", "store", "include", "background", "extra_headers", "timeout",
})  # fmt: skip
"""Members of a body that don't change the question to the model."""
_NESTED_ENVELOPE = "cache_control"
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
# 'multipart/form-data; boundary="5f2c"': clients draw one for each request, so it says nothing.
_BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,70})')
_EXACT = 2**53
"""Below this number, a float is the number that was written; 1e300 is not the integer of 301 digits that it prints."""
_DEFAULT = Redaction()
# The endpoint, with the model, deployment, template or thread in its path. A gateway's base path may precede it:
# "/proxy/v1[/chat/completions]", "/openai[/deployments/gpt-4o/chat/completions]",
# "/v1beta[/models/gemini-2.5-pro:generateContent]", "/eu[/model/anthropic.claude-v3/converse]", "/llm[/api/chat]".
_OWN_PATH = re.compile(
    r"(?:/(?:deployments|prompts|threads)/[^/]+)?"
    r"/(?:(?:chat/|agents/|fim/)?completions|responses(?:/[^/]+)?|messages(?:/count_tokens)?|embeddings)$"
    r"|/(?:models|tunedModels)/[^/:]+:[A-Za-z]+$"
    r"|/model/.+/(?:converse|converse-stream|invoke|invoke-with-response-stream)$"
    r"|/(?:api|v\d+)/(?:chat|generate|embed)$"
)


@dataclass(frozen=True)
class SemanticRequest:
    """A request reduced to its meaning."""

    method: str
    path: str
    """The URL's path with sorted parameters, without host, port and credentials."""
    body: Any
    """The JSON body without envelope members, with secrets replaced; the text if the body is not a JSON object or
    array."""
    text: str
    """The text to hash: the body as compact JSON with sorted keys, after normalisation."""

    @cached_property
    def hash(self) -> str:
        """16 hex digits that are the same for two requests if and only if they have the same meaning."""
        return hashlib.sha256(f"{self.method} {self.own_path}\0{self.text}".encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def own_path(self) -> str:
        """The path without a gateway's base path, so that a cassette recorded through a gateway replays without it.

        The path of an unknown endpoint is not shortened.
        """
        path, mark, query = self.path.partition("?")
        found = _OWN_PATH.search(path) if len(path) <= MAX_PATH else None
        return f"{found[0]}{mark}{query}" if found else self.path

    @property
    def streamed(self) -> bool:
        """True if the answer must be a stream."""
        return isinstance(self.body, dict) and bool(self.body.get("stream"))

    @property
    def endpoint(self) -> tuple[str, str, bool]:
        """Method, path, and True for a stream. A recorded answer is usable only if all three match."""
        return (self.method, self.own_path, self.streamed)


def feedback_as_set(body: object) -> Any:
    """Return a request body with every recognised error in its later turns replaced by its place and code.

    Only turns after the model's first answer are rewritten, because the task itself may look like a list of errors. An
    error without a place or a code keeps its words.
    """
    if not isinstance(body, dict):
        return body
    for name in ("messages", "input"):
        turns = body.get(name)
        if isinstance(turns, list):
            first = next((n for n, turn in enumerate(turns) if _is_answer(turn)), len(turns))
            return {**body, name: [*turns[:first], *(_reduced(t) for t in turns[first:])]}
    return body


def _is_answer(turn: object) -> bool:
    return isinstance(turn, dict) and (turn.get("role") == "assistant" or turn.get("type") == "function_call")


def _reduced(value: object) -> object:
    if isinstance(value, str):
        return reduced_text(value)
    if isinstance(value, list):
        return [_reduced(item) for item in value]
    if not isinstance(value, dict) or _is_answer(value):
        return value
    return {key: _reduced(member) for key, member in value.items()}


def reduced_text(text: str) -> str:
    """Return the text without its located errors, followed by the set of their (place, code) pairs."""
    errors = _located(text) if "\n" in text or " " in text else []
    if not errors:
        return text
    rest, at = [], 0
    for error in errors:
        rest.append(text[at : error.start])
        at = error.end
    named = sorted({f"{'.'.join(e.path or ())}={e.code}" for e in errors})
    return " ".join("".join([*rest, text[at:]]).split()) + f" <errors {'; '.join(named)}>"


def _located(text: str) -> list[ErrorEntry]:
    """Return the errors that have a place and a code. If several readings overlap, use the longest."""
    known = [e for e in recognise(text) if e.path is not None and e.code]
    kept: list[ErrorEntry] = []
    for entry in sorted(known, key=lambda e: (e.start, -e.end)):
        if not kept or entry.start >= kept[-1].end:
            kept.append(entry)
    return kept


class Meanings:
    """Reduces requests to their meanings, and keeps these, because a replay mostly sends what was recorded."""

    def __init__(
        self,
        normalisers: Iterable[Normaliser] = NORMALISERS,
        redaction: Redaction = _DEFAULT,
        reduce: Callable[[Any], Any] = feedback_as_set,
    ) -> None:
        """`reduce` rewrites a body before it is hashed."""
        self._normalisers, self._redaction, self._reduce = tuple(normalisers), redaction, reduce
        self._known: dict[tuple[str, str, str], SemanticRequest] = {}

    def __call__(self, message: Message) -> SemanticRequest:
        """Return the meaning of a request. Never raises."""
        text = _text(message)
        key = (message.method, message.url, text)  # everything else that matters is in the text
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._meaning(message, text)
        return found

    def _meaning(self, message: Message, text: str) -> SemanticRequest:
        # The text is cleaned as a recorder cleans it, and read afterwards. Secrets are reported while recording.
        text = Cleaner(self._redaction).body_text(text, "")
        value = _parsed(text)
        body: object = text if value is None else _pruned(value, top=True)
        if value is not None:
            text = json.dumps(self._reduce(body), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        path = _path(message.url, self._redaction)
        return SemanticRequest(message.method.upper(), path, body, normalise(text, self._normalisers))


def semantic_hash(message: Message) -> str:
    """Return the hash of a request's meaning (16 hex digits)."""
    return Meanings()(message).hash


def _text(message: Message) -> str:
    """Return the text of a request's body, without the random boundary of a form."""
    text = unpack(message.headers, message.body).body.decode("utf-8", "surrogateescape")
    boundary = _BOUNDARY.search(message.headers.get("content-type", ""))
    return text.replace(boundary[1], "<boundary>") if boundary else text


def _parsed(text: str) -> Any:
    """Return a JSON object or array; None for anything else."""
    with suppress(ValueError):
        return parse_json(text) if text.lstrip()[:1] in ("{", "[") else None
    return None


def _pruned(value: object, *, top: bool = False) -> object:
    """Return a value without envelope members and empty members.

    A content with a single text part becomes that text.
    """
    if isinstance(value, list):
        return [_pruned(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)  # an SDK that declares `temperature: float` sends 1.0 for 1
    if not isinstance(value, dict):
        return value
    kept = {k: _pruned(v) for k, v in value.items() if k != _NESTED_ENVELOPE and not (top and _is_envelope(k, v))}
    if "content" in kept:
        kept["content"] = _single_text(kept["content"])
    return kept


def _is_envelope(key: str, value: object) -> bool:
    # SDKs write null for an option that is not set, and may send the default of `stream`.
    return key in ENVELOPE or value is None or (key == "stream" and value is False)


def _single_text(content: object) -> object:
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        part = content[0]
        if part.get("type") in _TEXT_PARTS and part.keys() <= {"type", "text", "annotations"}:
            return part.get("text")
    return content


def _path(url: str, redaction: Redaction) -> str:
    parts = urlsplit(url)
    pairs = sorted(p for p in parse_qsl(parts.query, keep_blank_values=True) if not redaction.hides_parameter(p[0]))
    query = "&".join(f"{name}={value}" for name, value in pairs)
    # A base URL that ends in a slash gives "/v1//chat/completions".
    path = re.sub(r"/{2,}", "/", parts.path) or "/"
    return without_secrets(f"{path}?{query}" if query else path, lambda _: None, redaction.more)
