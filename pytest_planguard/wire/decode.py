"""One recorded request and response to one provider-neutral exchange."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote, urlsplit

from .dialects.base import AnswerView, Dialect, RequestView
from .dialects.provider_error import http_error
from .dialects.registry import matching
from .endpoints import endpoint_name, model_in
from .exchange import Exchange, Finish, Message
from .latency import latency_of
from .payload import Payload, read_payload

PLACE_LIMIT = 200
"""Characters of method and URL that a note shows."""


def decode(number: int, request: Message, response: Message) -> Exchange:
    """Read an exchange in the dialect that its bodies speak.

    Arguments:
        number: position in the recording, from 1.
        request: as recorded; compression and chunking are undone where they are left.
        response: the same.

    Never raises. What no dialect can read comes back with dialect "raw", its texts, and a `note` that says why.
    """
    asked, answered = read_payload(request), read_payload(response, streams=True)
    raw = Exchange(
        number,
        "raw",
        request.url,
        response.status,
        latency_s=latency_of(response),
        raw_request=asked.text,
        raw_response=answered.text,
    )
    try:
        return _decoded(raw, request, asked, answered)
    except Exception as error:  # a registered dialect may fail on a hostile body; one exchange must not end the run
        return _noted(raw, f"reading it failed: {type(error).__name__}: {error}")


def _decoded(raw: Exchange, request: Message, asked: Payload, answered: Payload) -> Exchange:
    where = _Place.of(request)
    if request.method.upper() != "POST" or not isinstance(asked.value, dict):
        return _noted(raw, where.unread(asked.problem))
    candidates = list(matching(where.path, asked.value))
    if not candidates:
        return _noted(raw, where.unread(None))
    if raw.status >= 400:
        return _failed(raw, candidates[0], where, asked.value, answered)
    for dialect in candidates:
        answer = _answer(dialect, answered)
        if answer is not None:
            return _merged(raw, dialect.name, where, dialect.read_request(asked.value), answer, answered)
    return _noted(raw, where.unanswered(candidates[0].name, answered.problem))


def _answer(dialect: Dialect, answered: Payload) -> AnswerView | None:
    if answered.stream is not None:
        return dialect.read_stream(answered.stream.objects)
    return dialect.read_answer(answered.value) if isinstance(answered.value, dict) else None


def _failed(raw: Exchange, dialect: Dialect, where: _Place, body: Mapping[str, Any], answered: Payload) -> Exchange:
    """An answer with status >= 400. It cannot confirm the dialect, so the path of another API decides against it."""
    if endpoint_name(where.path):
        return _noted(raw, where.unread(None))
    reported = answered.value if answered.stream is None else list(answered.stream.objects)
    error = http_error(raw.status, reported, answered.text)
    answer = AnswerView(finish=Finish.ERROR, error=error.message, rejected_text=error.rejected_text)
    return _merged(raw, dialect.name, where, dialect.read_request(body), answer, answered)


def _merged(
    raw: Exchange, name: str, where: _Place, request: RequestView, answer: AnswerView, answered: Payload
) -> Exchange:
    return Exchange(
        number=raw.number,
        dialect=name,
        url=raw.url,
        status=raw.status,
        model=request.model or model_in(where.path) or answer.model,
        request=request.items,
        answer=answer.items,
        tools=request.tools,
        tool_choice=request.tool_choice,
        output_schema=request.output_schema,
        sampling=request.sampling,
        request_extra=request.extra,
        previous_id=request.previous_id,
        unseen=request.unseen,
        response_id=answer.response_id,
        finish=answer.finish,
        refusal=answer.refusal,
        usage=answer.usage,
        error=answer.error,
        rejected_text=answer.rejected_text,
        alternatives=answer.alternatives,
        streamed=answered.stream is not None and (answered.value is None or where.streams),
        skipped_lines=answered.stream.skipped_lines if answered.stream else 0,
        latency_s=raw.latency_s,
        raw_request=raw.raw_request,
        raw_response=raw.raw_response,
    )


def _noted(raw: Exchange, note: str) -> Exchange:
    return replace(raw, note=note)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a request went, for detection and for the notes."""

    method: str
    host: str
    path: str

    @classmethod
    def of(cls, request: Message) -> _Place:
        try:
            url = urlsplit(request.url)
            return cls(request.method, url.hostname or "", unquote(url.path).rstrip("/"))
        except ValueError:
            return cls(request.method, "", request.url)

    def __str__(self) -> str:
        place = f"{self.method} {self.host}{self.path}"
        return place if len(place) <= PLACE_LIMIT else place[: PLACE_LIMIT - 1] + "…"

    @property
    def streams(self) -> bool:
        """Whether the path itself asks for a stream, which then may come as one JSON array."""
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
