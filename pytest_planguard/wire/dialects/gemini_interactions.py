"""Gemini's interactions: an `input` in, `steps` out; the server may hold the history.

Source: https://ai.google.dev/api/interactions-api
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialect import (
    AnswerView,
    ApiDialect,
    Body,
    RequestView,
    called,
    finishes,
    role_of,
    sampling_of,
    settings,
)
from ..exchange import Item, Role, Usage
from ..provider_shapes import call_item, choice_of, provider_error, result_item, text_items, tool_schemas
from ..untrusted_json import JsonObject, mapping, name_of, objects, sequence, whole, words
from .gemini import json_schema

_SPEAKERS = {"user_input": Role.USER, "model_output": Role.ASSISTANT}


class GeminiInteractions(ApiDialect):
    """One interaction; it can continue an earlier one by id."""

    name = "gemini.interactions"
    sampling = settings(
        "temperature top_p top_k seed presence_penalty frequency_penalty", max_output_tokens="max_tokens",
        stop_sequences="stop",
    )  # fmt: skip
    finishes = finishes(
        stop="completed", length="incomplete", tool_calls="requires_action", error="failed cancelled budget_exceeded"
    )

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the path is this API's and the body has an input."""
        return path.endswith("/interactions") and "input" in body

    def read_request(self, body: Body) -> RequestView:
        """Read system instruction, input, tools, schema and sampling."""
        config = mapping(body.get("generation_config"))
        return RequestView(
            model=name_of(body.get("model")),
            items=tuple(text_items(Role.SYSTEM, body.get("system_instruction")) + _input(body.get("input"))),
            tools=tool_schemas(body.get("tools")),
            tool_choice=choice_of(config.get("tool_choice")),
            output_schema=_schema(body.get("response_format")),
            sampling=sampling_of(config, self.sampling),
            previous_id=name_of(body.get("previous_interaction_id")),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the steps; None for anything else, unless the body reports an error."""
        if not isinstance(body.get("steps"), list) and not provider_error(body):
            return None
        items = [item for step in objects(body.get("steps")) for item in step_items(step)]
        usage = _tokens(mapping(body.get("usage")))
        return self.answer(body, items, called(self.finish(body.get("status")), items), usage=usage)

    def join(self, objects: Sequence[Body]) -> JsonObject:
        """Join the deltas of the steps; arguments are the JSON text as the model wrote it."""
        body: JsonObject = {}
        steps: dict[int, JsonObject] = {}
        for event in objects:
            kind, index = words(event.get("event_type")), whole(event.get("index")) or 0
            if kind == "step.start":
                begun = mapping(event.get("step"))
                steps[index] = {**begun, "content": list(sequence(begun.get("content")))}
            elif kind == "step.delta":
                _add(steps.setdefault(index, {"type": "model_output", "content": []}), mapping(event.get("delta")))
            body |= {key: value for key, value in mapping(event.get("interaction")).items() if value is not None}
            body |= {"error": event["error"]} if event.get("error") else {}
        if steps and not body.get("steps"):
            body["steps"] = [_written(steps[index]) for index in sorted(steps)]
        return body


_PIECES = "arguments' pieces"
"""Key for the pieces in a streamed step; no step of the API has such a member."""


def _add(step: JsonObject, delta: Body) -> None:
    """Add a piece of text, or of the arguments' JSON, to a streamed step; any other delta changes nothing."""
    if isinstance(delta.get("arguments"), str):
        step.setdefault(_PIECES, []).append(delta["arguments"])
    elif delta.get("type") == "text":
        step["content"].append({"type": "text", "text": words(delta.get("text"))})


def _written(step: JsonObject) -> JsonObject:
    """Return a streamed step in the form of an answer that was not streamed."""
    arguments = "".join(step.pop(_PIECES, ()))
    return {**step, "arguments": arguments} if arguments else step


def step_items(step: Body) -> list[Item]:
    """Return the items of one step. Thoughts, and tools that the provider ran, are left out."""
    kind = words(step.get("type"))
    if kind == "function_call":
        return [call_item(step.get("name"), step.get("arguments") or {}, step.get("id"))]
    if kind == "function_result":
        failed = step.get("is_error") is True
        return [result_item(step.get("result"), step.get("call_id"), step.get("name"), is_error=failed)]
    speaker = _SPEAKERS.get(kind)
    return text_items(speaker, step.get("content")) if speaker else []


def _input(value: object) -> list[Item]:
    """Return the items of an input: one text, one content, a list of contents, turns with a role, or steps."""
    items: list[Item] = []
    for entry in value if isinstance(value, list) else [value]:
        known = mapping(entry)
        if words(known.get("type")) in _SPEAKERS or words(known.get("type")).startswith("function_"):
            items += step_items(known)
        elif "role" in known:
            items += text_items(role_of(known["role"]), known.get("content"))
        else:
            items += text_items(Role.USER, [entry])
    return items


def _schema(formats: object) -> JsonObject | None:
    """Return the JSON Schema that the text format demands; None if it demands none."""
    for output in objects(formats if isinstance(formats, list) else [formats]):
        if output.get("type", "text") == "text" and isinstance(output.get("schema"), dict):
            return mapping(json_schema(output["schema"]))
    return None


def _tokens(usage: Body) -> Usage:
    """Return input and output tokens. Thoughts are counted separately here, but they are output."""
    counts = [whole(usage.get(key)) for key in ("total_output_tokens", "total_thought_tokens")]
    known = [count for count in counts if count is not None]
    return Usage(whole(usage.get("total_input_tokens")), sum(known) if known else None)
