"""Convert a recorded request and response to a provider-neutral exchange."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlsplit

from .body import MAX_BODY, Stream, looks_streamed, read_stream, to_text, unpack
from .dialect import AnswerView, Dialect, role_of
from .dialects.dialect_table import matching
from .exchange import Exchange, Finish, Item, ItemKind, Message, Role, latency_of, state_of
from .provider_shapes import http_error
from .untrusted_json import mapping, objects, parse_json, parsed_or_none, sequence, words

UNKNOWN_STREAM = "a stream that no dialect knows"
PLACE_LIMIT = 200
"""Maximum number of characters of a method and URL in a note."""


def decode(number: int, request: Message, response: Message) -> Exchange:
    """Read an exchange in the dialect of its bodies.

    Arguments:
        number: 1-based position in the cassette.
        request: the recorded request. Remaining chunking and compression are undone.
        response: the recorded response, treated in the same way.

    Never raises. If no dialect can read the bodies, the exchange has the dialect "raw", its texts, and a `note` that
    says why.
    """
    asked, answered = read_payload(request), read_payload(response, streams=True)
    raw = Exchange(
        number,
        "raw",
        request.url,
        response.status,
        latency_s=latency_of(response),
        state=state_of(request),
        raw_request=asked.text,
        raw_response=answered.text,
    )
    try:
        return _decode(raw, request, asked, answered)
    except Exception as error:  # a registered dialect may fail on a hostile body; one exchange must not end the run
        return replace(raw, note=f"reading it failed: {type(error).__name__}: {error}")


def decode_request(number: int, request: Message) -> Exchange:
    """Read a request whose answer is not known yet. The linker ignores failed requests, so this one counts as sent."""
    return replace(decode(number, request, Message(status=503)), status=200, error=None, finish=None)


def decode_bodies(
    number: int, asked: object, answered: object, *, url: str, status: int = 200, latency_s: float | None = None
) -> Exchange:
    """Read an exchange as `decode` does, from bodies that are already JSON values; the raw texts stay empty."""
    raw = Exchange(number, "raw", url, status, latency_s=latency_s)
    try:
        read = Payload("", asked), Payload("", answered, _array_stream(answered))
        return _decode(raw, Message(url=url), *read)
    except Exception as error:  # as above
        return replace(raw, note=f"reading it failed: {type(error).__name__}: {error}")


def _decode(raw: Exchange, request: Message, asked: Payload, answered: Payload) -> Exchange:
    where = _Place.of(request.method, request.url)
    if request.method.upper() != "POST" or not isinstance(asked.value, dict):
        return replace(raw, note=where.unread(asked.problem))
    first: Dialect | None = None
    for dialect in matching(where.path, asked.value):
        # The likeliest one: it is named if no dialect reads the answer.
        first = first or dialect
        if raw.status >= 400:
            return _failed(raw, dialect, where, asked.value, answered)
        answer = _answer(dialect, answered)
        if answer is not None:
            return _merged(raw, dialect, where, asked.value, answer, answered)
    streamed = answered.stream is not None
    if first is None:
        problem = template_name(where.path) or (f"{UNKNOWN_STREAM} answers it" if streamed else None)
        return replace(raw, note=where.unread(problem))
    return replace(raw, note=where.unanswered(first.name, answered.problem or (UNKNOWN_STREAM if streamed else None)))


def _answer(dialect: Dialect, answered: Payload) -> AnswerView | None:
    if answered.stream is not None:
        return dialect.read_stream(answered.stream.objects)
    return dialect.read_answer(answered.value) if isinstance(answered.value, dict) else None


def _failed(raw: Exchange, dialect: Dialect, where: _Place, body: Mapping[str, object], answered: Payload) -> Exchange:
    """Return an exchange for a response with status >= 400.

    Its answer cannot confirm the dialect, so a path that belongs to another API rules the dialect out.
    """
    if endpoint_name(where.path):
        return replace(raw, note=where.unread(None))
    reported = answered.value if answered.stream is None else list(answered.stream.objects)
    error = http_error(raw.status, reported, answered.text)
    answer = AnswerView(finish=Finish.ERROR, error=error.message, rejected_text=error.rejected_text)
    return _merged(raw, dialect, where, body, answer, answered)


def _merged(
    raw: Exchange,
    dialect: Dialect,
    where: _Place,
    body: Mapping[str, Any],
    answer: AnswerView,
    answered: Payload,
) -> Exchange:
    name, request = dialect.name, dialect.read_request(body)
    items, begun = without_prefill(name, body, request.items, answer.items)
    return replace(
        raw,
        dialect=name,
        model=request.model or model_in(where.path) or answer.model,
        request=items,
        answer=continued(name, begun, answer.items),
        prefill=begun,
        streamed=answered.stream is not None and (answered.value is None or where.streams),
        skipped_lines=answered.stream.skipped_lines if answered.stream else answer.skipped_lines,
        **{name: getattr(request, name) for name in _ASKED},
        **{name: getattr(answer, name) for name in _ANSWERED},
    )


_ASKED = ("tools", "tool_choice", "output_schema", "sampling", "previous_id", "thread")
_ANSWERED = ("response_id", "finish", "refusal", "usage", "error", "rejected_text", "others", "pending")
"""What an exchange takes over from the views of a dialect as it is."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The target of a request, for detection and for notes."""

    method: str
    host: str
    path: str

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, method: str, address: str) -> _Place:
        try:
            url = urlsplit(address)
            return cls(method, url.hostname or "", unquote(url.path).rstrip("/"))
        except ValueError:
            return cls(method, "", address)

    def __str__(self) -> str:
        place = f"{self.method} {self.host}{self.path}"
        return place if len(place) <= PLACE_LIMIT else place[: PLACE_LIMIT - 1] + "…"

    @property
    def streams(self) -> bool:
        """True if the path itself asks for a stream, which may then be one JSON array."""
        return "stream" in self.path.rpartition("/")[2].lower()

    def unread(self, problem: str | None) -> str:
        known = endpoint_name(self.path)
        if self.method.upper() != "POST" and not known:
            return f"not a request to a model ({self})"
        if known:
            return f"no dialect reads {known} ({self})"
        return f"the request is unread: {problem} ({self})" if problem else f"no dialect knows this request ({self})"

    def unanswered(self, dialect: str, problem: str | None) -> str:
        known = endpoint_name(self.path)
        if known:
            return self.unread(None)
        return f"the request is {dialect}, its answer is not: {problem or 'unknown shape'} ({self})"


@dataclass(frozen=True, slots=True)
class Payload:
    """A body, read as far as possible: a JSON value, a stream of JSON objects, or text and the reason."""

    text: str
    value: Any = None
    """The JSON value; None if the body is unreadable or a stream of several objects."""
    stream: Stream | None = None
    problem: str | None = None
    """Why the body is neither a JSON value nor a stream."""


def read_payload(message: Message, *, streams: bool = False) -> Payload:
    """Read a message's body, which may be a stream only if `streams` is true. Never raises."""
    unpacked = unpack(message.headers, message.body)
    text = to_text(unpacked.body)
    if len(unpacked.body) > MAX_BODY:
        return Payload(text, problem=unpacked.problem)
    if not text.strip():
        return Payload(text, problem=unpacked.problem or "the body is empty")
    try:
        value = parse_json(text)
        return Payload(text, value, _array_stream(value) if streams else None)
    except ValueError as error:
        problem = unpacked.problem or f"the body is not JSON: {error}"
    if streams and looks_streamed(message.headers.get("content-type", ""), unpacked.body):
        stream = read_stream(unpacked.body)
        if stream.objects:
            return Payload(text, stream=stream)
    return Payload(text, problem=problem)


def _array_stream(value: object) -> Stream | None:
    """Return an array of objects as a stream. Gemini streams like this unless asked for events."""
    return Stream(found, len(sequence(value)) - len(found)) if (found := tuple(objects(value))) else None


# Information in a URL's path: the kind of an endpoint that no dialect reads, and the model.

MAX_PATH = 2_000
"""Maximum length of a path to examine. No known endpoint has a longer path."""

_KNOWN: tuple[tuple[str, str], ...] = (
    (r"count[_-]?tokens|/input_tokens$|/tokenize$|/detokenize$", "token counting"),
    (r"/cachedContents(/|$)", "Gemini context caches"),
    (r"/(assistants|threads)(/|$)", "OpenAI assistants beside their runs"),
    (r"/agents/[^/]+/agentAliases/", "Bedrock agents"),
    (r"/predictions$", "Replicate predictions; a later request holds the answer"),
    (r"/(traces|spans|telemetry)(/|$)", "telemetry"),
    (r"embed", "embeddings"),
    (
        r"/(moderations|rerank|images|audio|videos|files|batches|uploads|vector_stores|containers|fine_tuning)\b",
        "files and media",
    ),
    (r"/models(/[^/:]*)?$", "model listing"),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in _KNOWN)


def endpoint_name(path: str) -> str | None:
    """Return the kind of a known endpoint that no dialect reads, by its URL path; otherwise None."""
    if len(path) > MAX_PATH:
        return None
    return next((name for pattern, name in _PATTERNS if pattern.search(path)), None)


# "/v1/prompts/pp-1/completions" (Portkey), ".../model/arn:aws:bedrock:us-east-1:1:prompt/P/converse" (Bedrock); then
# suffixes of paths for which the server holds the prompt if the request has no messages.
_TEMPLATES = re.compile(
    r"/prompts/[^/]+/(?:chat/)?completions$|:prompt/[^/]+/|"
    r"/(?:chat/completions|v1/messages|text/generation(?:_stream)?|text/chat(?:_stream)?|converse(?:-stream)?)$"
)


def template_name(path: str) -> str | None:
    """Return why no dialect reads a request to a generation endpoint: the server holds its prompt; otherwise None."""
    if len(path) > MAX_PATH or not _TEMPLATES.search(path):
        return None
    return "it has no prompt of its own, as with a prompt template that a gateway or the provider holds"


_MODELS = tuple(
    re.compile(pattern)
    for pattern in (
        r"/model/(.+)/(?:converse|converse-stream|invoke|invoke-with-response-stream)$",  # Bedrock
        r"/models/([^:]+):[A-Za-z]+$",  # Gemini, Vertex
        r"/deployments/([^/]+)/",  # Azure OpenAI
    )
)


def model_in(path: str) -> str | None:
    """Return the model in a URL path, if any."""
    if len(path) > MAX_PATH:
        return None
    return next((found[1] for pattern in _MODELS if (found := pattern.search(path))), None)


# Prefill: an assistant's text at the end of a request, which the model continues. The answer holds the rest only, so an
# app that asks for JSON after `{` puts both together.

_CONTINUING = frozenset({"anthropic.messages", "bedrock.converse", "gemini", "ollama.chat"})
"""Dialects whose models continue the assistant's text at the end of every request."""
_CHAT = "openai.chat"


def without_prefill(
    dialect: str, body: Mapping[str, object], items: tuple[Item, ...], answer: Sequence[Item]
) -> tuple[tuple[Item, ...], str]:
    """Return the items of a request without the assistant's text that the model continues, and this text, or "".

    An answer that is a JSON value by itself continues nothing: instructor sends errors to Gemini as the model's words.
    """
    last = items[-1] if len(items) > 1 else None
    if last is None or last.kind is not ItemKind.TEXT or last.role is not Role.ASSISTANT:
        return items, ""
    turn = next(reversed(objects(body.get("messages")) or objects(body.get("contents"))), {})
    asked = dialect == _CHAT and _asks_to_continue(body, turn)
    if not _ends_in_text(turn) or not (asked or (dialect in _CONTINUING and not _is_whole(answer))):
        return items, ""
    return items[:-1], last.text


def continued(dialect: str, begun: str, answer: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items of an answer with the prefill in front of its text.

    Mistral's answers have it already, and some gateways to other hosts.
    """
    first = answer[0] if answer else None
    if not begun or first is None or first.kind is not ItemKind.TEXT:
        return tuple(answer)
    if dialect == _CHAT and first.text.startswith(begun):
        return tuple(answer)
    return (replace(first, text=begun + first.text), *answer[1:])


def _ends_in_text(turn: Mapping[str, object]) -> bool:
    """Return True if an assistant's turn ends in a text, and not in a search that the provider will go on with."""
    content = turn.get("content", turn.get("parts"))
    last = mapping(content[-1]) if isinstance(content, list) and content else {"text": content}
    return role_of(turn.get("role")) is Role.ASSISTANT and bool(words(last.get("text")))


def _is_whole(answer: Sequence[Item]) -> bool:
    text = answer[0].text.lstrip() if answer and answer[0].kind is ItemKind.TEXT else ""
    return text.startswith(("{", "[")) and parsed_or_none(text) is not None


def _asks_to_continue(body: Mapping[str, object], turn: Mapping[str, object]) -> bool:
    """Return True for `prefix` of Mistral and DeepSeek, or `continue_final_message` of vLLM."""
    return turn.get("prefix") is True or body.get("continue_final_message") is True
