"""The bad answer as the next request quotes it: whole, as the API that gave it wants it back.

What goes with a tool call (a thinking block with its signature, a reasoning item) has to go back with it, or the API
refuses the request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...contract.feedback.turns import ANTHROPIC, CONVERSE, GEMINI, RESPONSES, Answer, Form, Turn, form_of
from ...wire.untrusted_json import mapping, objects, words

if TYPE_CHECKING:
    from .reply import Reply

_PARSED = frozenset({"parsed", "parsed_arguments", "parsed_output"})
"""What SDKs add to an answer for their callers; APIs do not take it back."""
_FUNCTION = ("function_call", "functionCall")


def quoted(reply: Reply, messages: Sequence[Turn]) -> Answer:
    """The answer as the turns that follow on `messages`: its text, or turns with its tool calls.

    Messages in Gemini's and Bedrock's own form get such turns; plain messages, which several APIs take, those of the
    API that answered. Everything else, among it messages that somebody translates between two APIs, gets OpenAI's.
    """
    if not reply.calls:
        return reply.text
    form, whole = _WHOLE.get(reply.dialect, (None, None))
    spoken = form_of(messages)
    fits = spoken is form or (spoken is None and form in (ANTHROPIC, RESPONSES))
    return whole(reply.body) if whole is not None and fits else _chat(reply)


def _chat(reply: Reply) -> Turn:
    """Ollama takes no ids, and arguments as objects."""
    if reply.dialect == "ollama.chat":
        functions: list[Any] = [{"name": call.name, "arguments": mapping(call.arguments)} for call in reply.calls]
        calls = [{"function": function} for function in functions]
    else:
        calls = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
            for call in reply.calls
        ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _anthropic(body: Turn) -> Turn:
    blocks = [_filled(block) for block in objects(body.get("content"))]
    return {"role": "assistant", "content": [b for b in blocks if b.get("type") != "text" or words(b.get("text"))]}


def _responses(body: Turn) -> Sequence[Turn]:
    items = [_filled(item) for item in objects(body.get("output"))]
    return [{**i, "content": [_filled(p) for p in objects(i["content"])]} if "content" in i else i for i in items]


def _gemini(body: Turn) -> Turn:
    first = next(iter(objects(body.get("candidates"))), {})
    parts = [_filled(part) for part in objects(mapping(first.get("content")).get("parts"))]
    whole = [{**p, **{key: _filled(mapping(p[key])) for key in _FUNCTION if key in p}} for p in parts]
    return {"role": "model", "parts": whole}


def _converse(body: Turn) -> Turn:
    return mapping(mapping(body.get("output")).get("message"))


def _filled(block: Turn) -> dict[str, Any]:
    """Without what an SDK's `model_dump` adds: members that are null, and parsed copies."""
    return {key: value for key, value in block.items() if value is not None and key not in _PARSED}


_WHOLE: Mapping[str | None, tuple[Form, Callable[[Turn], Answer]]] = {
    "anthropic.messages": (ANTHROPIC, _anthropic),
    "openai.responses": (RESPONSES, _responses),
    "gemini": (GEMINI, _gemini),
    "bedrock.converse": (CONVERSE, _converse),
}
