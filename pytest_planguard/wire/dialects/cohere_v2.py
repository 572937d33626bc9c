"""Cohere chat, version 2: chat messages in, one message of content parts out.

Source: https://docs.cohere.com/reference/chat
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dialect import AnswerView, Body, RequestView, left_over, role_of, sampling_of
from ..exchange import Finish, Item, Role, Usage
from ..provider_shapes.content import result_item
from ..provider_shapes.provider_error import provider_error
from ..provider_shapes.tools import choice_of, demanded_schema, tool_remarks, tool_schemas
from ..untrusted_json import as_json, mapping, name_of, objects, sequence, whole, words
from .openai_chat import ToolCalls, message_items

FINISHES = {
    "COMPLETE": Finish.STOP,
    "STOP_SEQUENCE": Finish.STOP,
    "MAX_TOKENS": Finish.LENGTH,
    "TOOL_CALL": Finish.TOOL_CALLS,
    "ERROR_TOXIC": Finish.CONTENT_FILTER,
    "ERROR_LIMIT": Finish.LENGTH,
    "ERROR": Finish.ERROR,
    "TIMEOUT": Finish.ERROR,
    "USER_CANCEL": Finish.ERROR,
}
SAMPLING = {
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "p": "top_p",
    "k": "top_k",
    "seed": "seed",
    "stop_sequences": "stop",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
}
_READ = ("model", "messages", "tools", "tool_choice", "response_format", *SAMPLING)


class CohereChat:
    """Requests resemble OpenAI's, so only the path tells them apart; answers are of their own shape."""

    name = "cohere.chat"

    def matches(self, path: str, body: Body) -> bool:
        """Return whether the path is this API's and the body has chat messages."""
        return path.endswith("/v2/chat") and bool(objects(body.get("messages")))

    def read_request(self, body: Body) -> RequestView:
        """Read messages, tools, schema and sampling."""
        choice = body.get("tool_choice")
        return RequestView(
            model=name_of(body.get("model")),
            items=tuple(item for message in objects(body.get("messages")) for item in _items(message)),
            tools=tool_schemas(body.get("tools")),
            tool_choice=choice_of(choice.lower() if isinstance(choice, str) else choice),
            output_schema=demanded_schema(body.get("response_format")),
            sampling=sampling_of(body, SAMPLING),
            extra=_extra(body),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the message; None without one, unless the body reports an error. The tool plan counts as a thought."""
        error = provider_error(body)
        if not error and not (isinstance(body.get("message"), dict) and "finish_reason" in body):
            return None
        return AnswerView(
            items=tuple(message_items({**mapping(body.get("message")), "role": "assistant"})),
            response_id=name_of(body.get("id")),
            finish=Finish.ERROR if error else FINISHES.get(words(body.get("finish_reason"))),
            usage=tokens(body.get("usage")),
            error=error.message if error else None,
        )

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Put the message together from its events; None where no event belonged to one."""
        stream = _Stream()
        for event in objects:
            stream.add(event)
        return self.read_answer(stream.body) if stream.known else None


class _Stream:
    """One streamed message; `body` is what the same answer would have been whole."""

    def __init__(self) -> None:
        self.known = False
        self._body: dict[str, Any] = {}
        self._text: list[str] = []
        self._tools = ToolCalls()

    def add(self, event: Body) -> None:
        """Take the next event; an unknown one changes nothing."""
        kind = words(event.get("type"))
        delta = mapping(event.get("delta"))
        message = mapping(delta.get("message"))
        self.known = self.known or kind in ("message-start", "content-delta", "tool-call-start", "message-end")
        if kind in ("content-start", "content-delta"):
            self._text.append(words(mapping(message.get("content")).get("text")))
        elif kind in ("tool-call-start", "tool-call-delta"):
            self._tools.add({**mapping(message.get("tool_calls")), "index": event.get("index")})
        found = {"id": event.get("id"), "error": event.get("error") or delta.get("error")}
        found |= {"finish_reason": delta.get("finish_reason"), "usage": delta.get("usage")}
        self._body.update({key: value for key, value in found.items() if value})

    @property
    def body(self) -> dict[str, Any]:
        """The whole answer's body, as far as it came."""
        message = {"content": "".join(self._text), "tool_calls": self._tools.calls()}
        return {"finish_reason": None, **self._body, "message": message}


def tokens(value: Any) -> Usage:
    """Tokens in and out as the model saw them; those billed where only these are given."""
    usage = mapping(value)
    counted = mapping(usage.get("tokens")) or mapping(usage.get("billed_units"))
    return Usage(_number(counted.get("input_tokens")), _number(counted.get("output_tokens")))


def _number(value: Any) -> int | None:
    """Return a count, which this API may write as a float."""
    return int(value) if isinstance(value, float) and value.is_integer() else whole(value)


def _items(message: Body) -> list[Item]:
    """Return the items of one message; a tool's result may be a list of documents."""
    if role_of(message.get("role")) is not Role.TOOL or isinstance(message.get("content"), str):
        return message_items(message)
    parts = [_document(part) for part in sequence(message.get("content"))]
    return [result_item(parts, message.get("tool_call_id"))]


def _document(part: Any) -> Any:
    data = mapping(mapping(part).get("document")).get("data")
    return part if data is None else {"type": "text", "text": as_json(data)}


def _extra(body: Body) -> dict[str, Any]:
    extra = left_over(body, _READ)
    if remarks := tool_remarks(body.get("tools")):
        extra["tools"] = remarks
    if body.get("response_format") and demanded_schema(body["response_format"]) is None:
        extra["response_format"] = body["response_format"]
    return extra
