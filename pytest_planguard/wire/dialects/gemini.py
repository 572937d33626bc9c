"""Gemini's and Vertex' generateContent, whole and streamed.

Source: https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dialect import AnswerView, Body, RequestView, left_over, sampling_of
from ..exchange import Finish, Item, ItemKind, Role, Usage
from ..provider_shapes.provider_error import provider_error
from ..untrusted_json import mapping, name_of, objects, whole, words
from .gemini_content import (
    camel,
    contents_items,
    demanded_schema,
    function_remarks,
    function_schemas,
    part_items,
    tool_choice,
    turn_items,
)

_BLOCKED = frozenset({
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
})  # fmt: skip
_FAILED = frozenset({
    "OTHER", "IMAGE_OTHER", "NO_IMAGE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE",
})  # fmt: skip
_NUMBERS = ("FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER")
"""Finish reasons where enumerations are sent as numbers; from 6 on the two APIs number differently."""
SAMPLING = {
    "maxOutputTokens": "max_tokens",
    "temperature": "temperature",
    "topP": "top_p",
    "topK": "top_k",
    "seed": "seed",
    "stopSequences": "stop",
    "candidateCount": "n",
    "frequencyPenalty": "frequency_penalty",
    "presencePenalty": "presence_penalty",
}
_CONFIGURED = (*SAMPLING, "responseSchema", "responseJsonSchema", "_responseJsonSchema")
_READ = ("model", "contents", "systemInstruction", "tools", "toolConfig", "generationConfig")


class Gemini:
    """`contents` in, `candidates` out. Keys may be in camel case or, as some clients send them, in snake case."""

    name = "gemini"

    def matches(self, path: str, body: Body) -> bool:
        """Return whether the body has contents made of parts, or contents at all where the path names the method."""
        if path.endswith("enerateContent"):
            return "contents" in body
        return any("parts" in content for content in objects(body.get("contents")))

    def read_request(self, body: Body) -> RequestView:
        """Read system instruction, contents, tools, schema and sampling; the URL has the model."""
        known = camel(body)
        config = camel(known.get("generationConfig"))
        cache = name_of(known.get("cachedContent"))
        return RequestView(
            model=name_of(words(known.get("model")).rpartition("/")[2]),
            items=tuple(
                turn_items(known.get("systemInstruction"), Role.SYSTEM) + contents_items(known.get("contents"))
            ),
            tools=function_schemas(known.get("tools")),
            tool_choice=tool_choice(camel(known.get("toolConfig")).get("functionCallingConfig")),
            output_schema=demanded_schema(config),
            sampling=sampling_of(config, SAMPLING),
            extra=_extra(known, config),
            unseen=f"cached content {cache}" if cache else None,
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read one whole answer: a stream of one."""
        return self.read_stream([body])

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Put the first candidate together; None where no object has candidates, a blocked prompt or an error."""
        answer = _Answer()
        for chunk in objects:
            answer.add(chunk)
        return answer.view() if answer.known else None


class _Answer:
    """The first candidate of an answer. Neighbouring text of later chunks belongs to the text before it."""

    def __init__(self) -> None:
        self.known = False
        self._parts: list[Any] = []
        self._meta: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._more = 0

    def add(self, chunk: Body) -> None:
        """Take the next chunk, or the whole answer."""
        known = camel(chunk)
        found = [c for c in map(camel, objects(known.get("candidates"))) if _is_own(c)]
        blocked = camel(known.get("promptFeedback")).get("blockReason")
        error = provider_error(known)
        self.known = self.known or bool(found or blocked or error)
        self._note(model=known.get("modelVersion"), id=known.get("responseId"), blocked=blocked, error=error)
        self._usage.update(camel(known.get("usageMetadata")))
        self._more = max(self._more, len(found) - 1)
        for first in found[:1]:
            self._parts += objects(mapping(first.get("content")).get("parts"))
            self._note(finish=first.get("finishReason"), message=first.get("finishMessage"))

    def _note(self, **known: Any) -> None:
        self._meta.update({key: value for key, value in known.items() if value})

    def view(self) -> AnswerView:
        """Return the answer as far as it came."""
        meta = self._meta
        items = tuple(part_items(Role.ASSISTANT, self._parts))
        reason = _reason(meta.get("finish"))
        malformed = name_of(meta.get("message")) if reason == "MALFORMED_FUNCTION_CALL" else None
        error = meta["error"].message if "error" in meta else malformed
        return AnswerView(
            items=items,
            model=name_of(meta.get("model")),
            response_id=name_of(meta.get("id")),
            finish=_finish(reason, items, blocked="blocked" in meta, failed=error is not None),
            usage=_tokens(self._usage),
            error=error,
            rejected_text=malformed,
            alternatives=self._more,
        )


def _is_own(candidate: Body) -> bool:
    """Return whether it is a candidate of this API, and not of an app's own election."""
    return isinstance(candidate.get("content"), dict) or "finishReason" in candidate


def _finish(reason: str, items: Sequence[Item], *, blocked: bool, failed: bool) -> Finish | None:
    if failed or reason in _FAILED:
        return Finish.ERROR
    if blocked or reason in _BLOCKED:
        return Finish.CONTENT_FILTER
    if reason == "STOP":
        return Finish.TOOL_CALLS if any(item.kind is ItemKind.CALL for item in items) else Finish.STOP
    return Finish.LENGTH if reason == "MAX_TOKENS" else None


def _reason(value: Any) -> str:
    number = whole(value)
    if number is None:
        return words(value)
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else ""


def _tokens(usage: Body) -> Usage:
    """Tokens in and out; thoughts are counted apart here and count as output, as other providers count them."""
    said, thought = whole(usage.get("candidatesTokenCount")), whole(usage.get("thoughtsTokenCount"))
    output = None if said is None and thought is None else (said or 0) + (thought or 0)
    return Usage(whole(usage.get("promptTokenCount")), output)


def _extra(body: Body, config: Body) -> dict[str, Any]:
    extra = left_over(body, _READ)
    if settings := left_over(config, _CONFIGURED):
        extra["generationConfig"] = settings
    if remarks := function_remarks(body.get("tools")):
        extra["tools"] = remarks
    return extra
