"""The generateContent API of Gemini and Vertex, whole and streamed.

Source: https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..dialect import (
    AnswerView,
    Body,
    RequestView,
    called,
    other_choices,
    role_of,
    sampling_of,
    settings,
)
from ..exchange import Finish, Item, Role, Usage
from ..provider_shapes import call_item, declared, mixed_items, provider_error, result_item
from ..untrusted_json import JsonObject, as_json, mapping, name_of, objects, sequence, whole, words

# Contents as items.

_SNAKE = re.compile(r"_([a-z])")
"""The `_o` and the `_t` in `max_output_tokens`."""
_ERRORS = ("error", "call_error")
"""Members of a function response that mark a failed call: Google's name, and that of older clients."""


def camel(value: object) -> JsonObject:
    """Return an object with its top-level keys in camel case, as in the API; some clients send snake case."""
    return {_SNAKE.sub(lambda letter: letter[1].upper(), key): inner for key, inner in mapping(value).items()}


def turn_items(turn: object, speaker: Role) -> list[Item]:
    """Return the items of one content. Without a role it is the speaker's. A function's turn holds its responses."""
    if isinstance(turn, str):
        return part_items(speaker, [turn])
    content = mapping(turn)
    role = role_of(content["role"]) if content.get("role") else speaker
    return part_items(role, content.get("parts"))


def part_items(role: Role, parts: object) -> list[Item]:
    """Return the items of parts, in order. Thoughts, and code that the provider ran, are left out."""
    return mixed_items(role, [_plain(part) for part in sequence(parts)], _tool_item)


def _plain(part: object) -> Any:
    """Return a part in the form that `content` reads: with a type, text under `text`."""
    if not isinstance(part, dict):
        return part
    known = camel(part)
    if known.get("thought") is True:
        return {"type": "thinking"}
    if "functionCall" in known or "functionResponse" in known:
        return known
    if isinstance(known.get("text"), str):
        return {"type": "text", "text": known["text"]}
    return {"type": next((key for key in known if key != "thoughtSignature"), "thinking")}


def _tool_item(part: JsonObject) -> Item | None:
    if isinstance(part.get("functionCall"), dict):
        call = part["functionCall"]
        return call_item(call.get("name"), call.get("args") or {}, call.get("id"))
    if isinstance(part.get("functionResponse"), dict):
        return _result(part["functionResponse"])
    return None


def _result(response: Body) -> Item:
    """Return a function response. Its text is the value of an error key, or of a lone `output` or `result`."""
    value = response.get("response")
    known = mapping(value)
    failed = next((known[key] for key in _ERRORS if known.get(key)), None)
    lone = next((known[key] for key in ("output", "result", "return_value") if list(known) == [key]), value)
    media = "".join(f"\n<{words(next(iter(part), ''))}>" for part in objects(response.get("parts")))
    text = as_json(failed if failed is not None else lone) + media
    return result_item(text, response.get("id"), response.get("name"), is_error=failed is not None)


# Gemini's declared functions, tool choice and demanded schema; its OpenAPI subset as JSON Schema.

_CHOICES = {"AUTO": "auto", "VALIDATED": "auto", "ANY": "required", "NONE": "none"}
_RENAMED = {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
"""Limits that the API writes as numbers in strings (64-bit integers in protobuf's JSON)."""
_DIGITS = 20
"""More digits than such an integer has. Python refuses to read 5,000 digits, and a dialect must not raise."""


def functions(tools: object) -> JsonObject:
    """Return the JSON Schemas of declared functions, by name."""
    known = [camel(one) for tool in objects(tools) for one in objects(camel(tool).get("functionDeclarations"))]
    return declared((one, _arguments(one)) for one in known)


def tool_choice(value: object) -> str | None:
    """Return the function calling mode as "auto", "none", "required", or the only function that is allowed."""
    config = camel(value)
    choice = _CHOICES.get(words(config.get("mode")).upper())
    allowed = [name for name in sequence(config.get("allowedFunctionNames")) if name_of(name)]
    return allowed[0] if choice == "required" and len(allowed) == 1 else choice


def demanded_schema(config: Body) -> JsonObject | None:
    """Return the JSON Schema that the generation config demands; None if it demands none."""
    raw = config.get("responseJsonSchema") or config.get("_responseJsonSchema")
    if isinstance(raw, dict):
        return raw
    described = config.get("responseSchema")
    return json_schema(described) if isinstance(described, dict) and described else None


def json_schema(described: object) -> Any:
    """Return a schema in Google's OpenAPI subset as JSON Schema.

    In the subset, types are in capitals, `nullable` is a separate key, limits may be strings, and keys may be in snake
    case. Property names and allowed values are left alone. The depth is bounded by that of the body.
    """
    if not isinstance(described, dict):
        return described
    schema = {key: _converted(key, value) for key, value in camel(described).items() if key != "nullable"}
    if camel(described).get("nullable") is True and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
    return schema


def _converted(key: str, value: object) -> object:
    if key == "type":
        return value.lower() if isinstance(value, str) else value
    if key in ("properties", "$defs", "defs"):
        return {name: json_schema(inner) for name, inner in mapping(value).items()}
    if key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        return [json_schema(inner) for inner in sequence(value)]
    if key in _RENAMED and isinstance(value, str) and value.isdecimal() and len(value) < _DIGITS:
        return int(value)
    return json_schema(value) if key in ("items", "additionalProperties") else value


def _arguments(declared: Body) -> JsonObject:
    raw = declared.get("parametersJsonSchema")
    return raw if isinstance(raw, dict) else mapping(json_schema(declared.get("parameters")))


# Requests and answers.

_BLOCKED = frozenset({
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
})  # fmt: skip
_FAILED = frozenset({
    "OTHER", "IMAGE_OTHER", "NO_IMAGE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE",
})  # fmt: skip
_NUMBERS = ("FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER")
"""Finish reasons sent as numbers. From 6 on, the two APIs use different numbers."""
SAMPLING = settings(
    "temperature seed", maxOutputTokens="max_tokens", topP="top_p", topK="top_k", stopSequences="stop",
    candidateCount="n", frequencyPenalty="frequency_penalty", presencePenalty="presence_penalty",
)  # fmt: skip


class Gemini:
    """`contents` in, `candidates` out. Keys may be in camel case or, from some clients, in snake case."""

    name = "gemini"

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the body has contents made of parts, or any contents if the path names the method."""
        # Both `generateContent` and `streamGenerateContent`.
        if path.endswith("enerateContent"):
            return "contents" in body
        return any("parts" in content for content in objects(body.get("contents")))

    def read_request(self, body: Body) -> RequestView:
        """Read system instruction, contents, tools, schema and sampling; the model is in the URL."""
        known = camel(body)
        config = camel(known.get("generationConfig"))
        contents = known.get("contents")
        turns = contents if isinstance(contents, list) else [contents]  # one text, one content, or a list of both
        return RequestView(
            model=name_of(words(known.get("model")).rpartition("/")[2]),
            items=(
                *turn_items(known.get("systemInstruction"), Role.SYSTEM),
                *(item for turn in turns for item in turn_items(turn, Role.USER)),
            ),
            tools=functions(known.get("tools")),
            tool_choice=tool_choice(camel(known.get("toolConfig")).get("functionCallingConfig")),
            output_schema=demanded_schema(config),
            sampling=sampling_of(config, SAMPLING),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read a whole answer as a stream with one object."""
        return self.read_stream([body])

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Join the first candidate; None if no object has candidates, a blocked prompt or an error."""
        answer = _Answer()
        for chunk in objects:
            answer.add(chunk)
        others = other_choices(objects, "candidates", self.read_stream)
        return replace(answer.view(), others=others) if answer.known else None


class _Answer:
    """The first candidate of an answer. Adjacent text of later chunks continues the text before it."""

    def __init__(self) -> None:
        self.known = False
        self._parts: list[object] = []
        self._meta: JsonObject = {}
        self._usage: JsonObject = {}

    def add(self, chunk: Body) -> None:
        """Take the next chunk, or the whole answer."""
        known = camel(chunk)
        found = [c for c in map(camel, objects(known.get("candidates"))) if _is_own(c)]
        blocked = camel(known.get("promptFeedback")).get("blockReason")
        error = provider_error(known)
        self.known = self.known or bool(found or blocked or error)
        self._note(model=known.get("modelVersion"), id=known.get("responseId"), blocked=blocked, error=error)
        self._usage.update(camel(known.get("usageMetadata")))
        for first in found[:1]:
            self._parts += objects(mapping(first.get("content")).get("parts"))
            self._note(finish=first.get("finishReason"), message=first.get("finishMessage"))

    def _note(self, **known: object) -> None:
        self._meta.update({key: value for key, value in known.items() if value})

    def view(self) -> AnswerView:
        """Return the answer so far."""
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
        )


def _is_own(candidate: Body) -> bool:
    """Return True for a candidate of this API, not of an election in an app's data."""
    return isinstance(candidate.get("content"), dict) or "finishReason" in candidate


def _finish(reason: str, items: Sequence[Item], *, blocked: bool, failed: bool) -> Finish | None:
    if failed or reason in _FAILED:
        return Finish.ERROR
    if blocked or reason in _BLOCKED:
        return Finish.CONTENT_FILTER
    return called({"STOP": Finish.STOP, "MAX_TOKENS": Finish.LENGTH}.get(reason), items)


def _reason(value: object) -> str:
    number = whole(value)
    if number is None:
        return words(value)
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else ""


def _tokens(usage: Body) -> Usage:
    """Return input and output tokens.

    Thoughts are counted separately here, but they are output, as with other providers.
    """
    said, thought = whole(usage.get("candidatesTokenCount")), whole(usage.get("thoughtsTokenCount"))
    output = None if said is None and thought is None else (said or 0) + (thought or 0)
    return Usage(whole(usage.get("promptTokenCount")), output)
