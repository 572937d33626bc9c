"""Ollama's API, `/api/chat` and `/api/generate`, whole and as one JSON object per line.

Source: https://docs.ollama.com/api
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialect import (
    AnswerView,
    Body,
    RequestView,
    answer_of,
    called,
    sampling_of,
    settings,
    usage_of,
)
from ..exchange import Finish, Item, Role
from ..provider_shapes import provider_error, text_items, tool_schemas
from ..untrusted_json import JsonObject, mapping, name_of, objects, sequence, words
from .openai_chat import message_items

FINISHES = {"stop": Finish.STOP, "length": Finish.LENGTH}
"""`load` and `unload` are left out on purpose: they end a request that asks nothing."""
SAMPLING = settings(
    "temperature top_p top_k min_p seed stop frequency_penalty presence_penalty", num_predict="max_tokens",
    repeat_penalty="repetition_penalty",
)  # fmt: skip
_OWN = {"options", "keep_alive", "think"}


class OllamaChat:
    """`messages` in, one `message` out."""

    name = "ollama.chat"

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the body has chat messages and a key of this API; without a key, the path decides."""
        return bool(objects(body.get("messages"))) and _is_own(path, "/api/chat", body)

    def read_request(self, body: Body) -> RequestView:
        """Read messages, tools, schema and options."""
        # Ollama names a tool in its result; a call has no id to find it by.
        messages = [{**m, "name": m.get("tool_name") or m.get("name")} for m in objects(body.get("messages"))]
        items = [item for message in messages for item in message_items(message)]
        return _request(body, items, tool_schemas(body.get("tools")))

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the only object of a whole answer as a stream with one object."""
        return self.read_stream([body])

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Join the pieces of the message; None if no object has a message or an error."""
        found = [mapping(line.get("message")) for line in objects if _is_answer(line)]
        calls = [call for message in found for call in sequence(message.get("tool_calls")) if isinstance(call, dict)]
        message = {"role": "assistant", "content": "".join(words(m.get("content")) for m in found), "tool_calls": calls}
        return _answer(objects, message_items(message), known=any(found))


class OllamaGenerate:
    """`prompt` in, `response` out."""

    name = "ollama.generate"

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the body has a prompt and a key of this API; without a key, the path decides."""
        return isinstance(body.get("prompt"), str) and _is_own(path, "/api/generate", body)

    def read_request(self, body: Body) -> RequestView:
        """Read system text, prompt, schema and options."""
        items = text_items(Role.SYSTEM, body.get("system")) + text_items(Role.USER, body.get("prompt"))
        return _request(body, items)

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the only object of a whole answer as a stream with one object."""
        return self.read_stream([body])

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Join the pieces; None if no object has a response or an error."""
        pieces = [words(line.get("response")) for line in objects if _is_answer(line) and "response" in line]
        return _answer(objects, text_items(Role.ASSISTANT, "".join(pieces)), known=bool(pieces))


def _is_own(path: str, endpoint: str, body: Body) -> bool:
    return path.endswith(endpoint) or (not path.endswith("/completions") and not _OWN.isdisjoint(body))


def _is_answer(line: Body) -> bool:
    return "done" in line and "model" in line


def _request(body: Body, items: Sequence[Item], tools: JsonObject | None = None) -> RequestView:
    demanded = body.get("format")
    return RequestView(
        model=name_of(body.get("model")),
        items=tuple(items),
        tools=tools or {},
        output_schema=demanded if isinstance(demanded, dict) else None,
        sampling=sampling_of(mapping(body.get("options")), SAMPLING),
    )


def _answer(lines: Sequence[Body], items: list[Item], *, known: bool) -> AnswerView | None:
    error = provider_error(list(lines))
    if not known and not error:
        return None
    last: Body = next((line for line in reversed(lines) if line.get("done") is True), {})
    model = next((name for line in lines if (name := name_of(line.get("model")))), None)
    usage = usage_of(last, "prompt_eval_count", "eval_count")
    return answer_of({"model": model}, items, _finish(last, items), error, usage)


def _finish(last: Body, items: Sequence[Item]) -> Finish | None:
    """Return why the answer ended; None if the stream broke off. Servers before 0.1.40 gave no reason."""
    return called(FINISHES.get(words(last.get("done_reason")) or "stop") if last else None, items)
