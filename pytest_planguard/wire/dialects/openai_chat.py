"""OpenAI chat completions, and every host that speaks them.

Azure, Groq, OpenRouter, Together, DeepSeek, Mistral, Ollama's and llama.cpp's `/v1`, vLLM and others do.
Source: https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..exchange import Finish, Item, Role, Usage
from ..shapes import mapping, name_of, objects, sequence, whole, words
from .base import AnswerView, Body, RequestView, left_over, role_of, sampling_of
from .chat_stream import ChoiceStream
from .content import call_item, result_item, text_items
from .provider_error import provider_error
from .tools import choice_of, demanded_schema, tool_remarks, tool_schemas

FINISHES = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "end_turn": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "tool_calls": Finish.TOOL_CALLS,
    "function_call": Finish.TOOL_CALLS,
    "content_filter": Finish.CONTENT_FILTER,
    "error": Finish.ERROR,
    "insufficient_system_resource": Finish.ERROR,
}
SAMPLING = {
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "min_p": "min_p",
    "seed": "seed",
    "random_seed": "seed",
    "stop": "stop",
    "n": "n",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "repetition_penalty": "repetition_penalty",
    "logit_bias": "logit_bias",
    "reasoning_effort": "reasoning_effort",
}
_READ = {"model", "messages", "tools", "functions", "tool_choice", "function_call", "response_format", *SAMPLING}


class OpenAIChat:
    """`messages` in, `choices` out."""

    name = "openai.chat"

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - part of the protocol
        """Whether the body has chat messages; what else it has is free, hosts add their own settings."""
        return bool(objects(body.get("messages")))

    def read_request(self, body: Body) -> RequestView:
        """Read messages, tools, schema and sampling."""
        functions = [{"type": "function", "function": function} for function in objects(body.get("functions"))]
        tools = sequence(body.get("tools")) + functions
        return RequestView(
            model=name_of(body.get("model")),
            items=tuple(item for message in objects(body.get("messages")) for item in message_items(message)),
            tools=tool_schemas(tools),
            tool_choice=choice_of(body.get("tool_choice") or body.get("function_call")),
            output_schema=demanded_schema(body.get("response_format")),
            sampling=sampling_of(body, SAMPLING),
            extra=_extra(body, tools),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the first choice; None without choices, unless the body reports an error (some hosts do, with 200)."""
        choices = objects(body.get("choices"))
        error = provider_error(body) or (provider_error(choices[0]) if choices else None)
        if not any(map(_is_spoken, choices)) and not error:
            return None
        first = next((choice for choice in choices if choice.get("index") == 0), choices[0] if choices else {})
        message = mapping(first.get("message"))
        refusal = name_of(message.get("refusal"))
        return AnswerView(
            items=tuple(message_items({**message, "role": "assistant", "refusal": None})),
            model=name_of(body.get("model")),
            response_id=name_of(body.get("id")),
            finish=finish_of(first.get("finish_reason"), refusal, failed=error is not None),
            refusal=refusal,
            usage=usage_of(body.get("usage")),
            error=error.message if error else None,
            rejected_text=error.rejected_text if error else None,
            alternatives=max(0, len(choices) - 1),
        )

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Put the first choice together from its deltas; None where no object has choices or an error."""
        stream = ChoiceStream()
        for chunk in objects:
            stream.add(chunk)
        whole_answer = stream.answer()
        return self.read_answer(whole_answer) if whole_answer else None


def _is_spoken(choice: Body) -> bool:
    """Whether a choice is one of a chat: text completions have choices, too, and so has many an app's own data."""
    return "message" in choice or ("finish_reason" in choice and "text" not in choice)


def message_items(message: Body) -> list[Item]:
    """The items of one chat message: a result, or text and calls. A refusal in the history counts as text."""
    role = role_of(message.get("role"))
    if role is Role.TOOL:
        return [result_item(message.get("content"), message.get("tool_call_id"), message.get("name"))]
    items = text_items(role, message.get("content"))
    items += text_items(role, message.get("refusal"))
    if not items and role is Role.ASSISTANT:
        items += text_items(role, mapping(message.get("audio")).get("transcript"))
    items += [_call(call) for call in objects(message.get("tool_calls"))]
    if legacy := mapping(message.get("function_call")):
        items.append(call_item(legacy.get("name"), legacy.get("arguments"), None))
    return items


def _call(call: Body) -> Item:
    if custom := mapping(call.get("custom")):
        return call_item(custom.get("name"), custom.get("input"), call.get("id"))
    function = mapping(call.get("function"))
    return call_item(function.get("name"), function.get("arguments"), call.get("id"))


def finish_of(reason: Any, refusal: str | None, *, failed: bool) -> Finish | None:
    """Why the answer ended; None for an unknown word or where the stream broke off."""
    if failed:
        return Finish.ERROR
    return Finish.REFUSAL if refusal else FINISHES.get(words(reason).lower())


def usage_of(value: Any) -> Usage:
    """Tokens as counted by the provider."""
    usage = mapping(value)
    return Usage(whole(usage.get("prompt_tokens")), whole(usage.get("completion_tokens")))


def _extra(body: Body, tools: list[Any]) -> dict[str, Any]:
    extra = left_over(body, _READ)
    if remarks := tool_remarks(tools):
        extra["tools"] = remarks
    if body.get("response_format") and demanded_schema(body["response_format"]) is None:
        extra["response_format"] = body["response_format"]
    return extra
