"""A bad answer and its correction as turns of the next request, in the form of the messages' API.

Sources: https://platform.openai.com/docs/guides/function-calling, https://docs.anthropic.com/en/api/messages,
https://ai.google.dev/api/caching#FunctionResponse,
https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Turn = Mapping[str, Any]
"""One message of a request, or one item if the API has items."""
Answer = str | Turn | Sequence[Turn] | None

NOT_RUN = "Not run: another call of this answer failed validation."
_ITEMS = ("function_call", "custom_tool_call")
_FUNCTION = (("functionCall", "functionResponse"), ("function_call", "function_response"))
"""Gemini's words, as the API and its Python SDK spell them."""


@dataclass(frozen=True, slots=True)
class Form:
    """How one API writes turns."""

    says: Callable[[str, str], dict[str, Any]]
    """Returns a text turn for the role "user" or "assistant" and a text."""
    calls: Callable[[Turn], list[Turn]]
    """Returns the calls in a turn that the client must answer."""
    results: Callable[[Sequence[Turn], Sequence[str]], list[dict[str, Any]]]
    """Returns turns that answer the calls, each with its text, as failed."""


def answered(messages: Sequence[Turn], answer: Answer, text: str) -> list[dict[str, Any]]:
    """Return the bad answer and the correction: as a result of its first tool call, or as a user turn.

    Every other call gets a result too, or providers refuse the request.

    Args:
        messages: the messages of the request that was answered; they give the form for a text answer.
        answer: its text, the assistant turn, or several items (a response's `output`); None or "" for nothing.
        text: the correction.
    """
    if answer is None or isinstance(answer, str):
        form = form_of(messages) or CHAT
        said = [form.says("assistant", answer)] if answer else []  # some hosts refuse an empty turn
    else:
        said = [dict(turn) for turn in ([answer] if isinstance(answer, Mapping) else answer)]
        form = form_of(said) or form_of(messages) or CHAT
    calls = [call for turn in said for call in form.calls(turn)]
    if calls:
        return [*said, *form.results(calls, [text, *[NOT_RUN] * (len(calls) - 1)])]
    # Hosts refuse an assistant turn without content, such as one that only thought.
    return [*[turn for turn in said if turn.get("content") or turn.get("parts")], form.says("user", text)]


def form_of(messages: Sequence[Turn]) -> Form | None:
    """Return the form of the messages; None for plain ones with a role and a text, which most APIs take."""
    return next((form for message in messages if (form := _form(message)) is not None), None)


def _form(message: Turn) -> Form | None:
    if "parts" in message:
        return GEMINI
    if message.get("tool_calls") or message.get("role") == "tool":
        return CHAT
    if "role" not in message and "type" in message:
        return RESPONSES
    content = message.get("content")
    blocks = _blocks(content) if isinstance(content, list) else ()
    if any("type" not in block for block in blocks):
        return CONVERSE
    return ANTHROPIC if any(block["type"] in ("tool_use", "tool_result") for block in blocks) else None


def _blocks(content: object) -> list[Turn]:
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list | tuple) else []


def _chat_results(calls: Sequence[Turn], texts: Sequence[str]) -> list[dict[str, object]]:
    """Return one message for each call. Ollama's calls have no id, so name the tool."""

    def result(call: Turn, text: str) -> dict[str, Any]:
        known = call.get("function")
        name = known.get("name") if isinstance(known, Mapping) else None
        about = {"tool_call_id": call["id"]} if call.get("id") else {"tool_name": name}
        return {"role": "tool", **about, "content": text}

    return list(map(result, calls, texts))


def _in_one_turn(
    result: Callable[[Turn, str], dict[str, Any]], key: str = "content"
) -> Callable[[Sequence[Turn], Sequence[str]], list[dict[str, Any]]]:
    """Return a function that puts the results of all calls into one turn of the user."""
    return lambda calls, texts: [{"role": "user", key: list(map(result, calls, texts))}]


def _gemini_calls(turn: Turn) -> list[Turn]:
    """Return the parts that hold a call; the result uses the same spelling."""
    parts = _blocks(turn.get("parts"))
    return [part for part in parts if any(isinstance(part.get(call), Mapping) for call, _ in _FUNCTION)]


def _gemini_result(part: Turn, text: str) -> dict[str, object]:
    called, returned = next(pair for pair in _FUNCTION if isinstance(part.get(pair[0]), Mapping))
    about = {key: part[called][key] for key in ("id", "name") if part[called].get(key)}
    return {returned: {**about, "response": {"error": text}}}


CHAT = Form(
    says=lambda role, text: {"role": role, "content": text},
    calls=lambda turn: _blocks(turn.get("tool_calls")),
    results=_chat_results,
)
"""Chat messages of OpenAI-compatible hosts, Mistral, Cohere and Ollama."""
ANTHROPIC = Form(
    says=CHAT.says,
    calls=lambda turn: [block for block in _blocks(turn.get("content")) if block.get("type") == "tool_use"],
    results=_in_one_turn(
        lambda call, text: {"type": "tool_result", "tool_use_id": call.get("id"), "content": text, "is_error": True}
    ),
)
RESPONSES = Form(
    says=CHAT.says,
    calls=lambda turn: [turn] if turn.get("type") in _ITEMS else [],
    results=lambda calls, texts: [
        {"type": f"{call['type']}_output", "call_id": call.get("call_id"), "output": text}
        for call, text in zip(calls, texts, strict=True)
    ],
)
"""Items of OpenAI's responses."""
GEMINI = Form(
    says=lambda role, text: {"role": "model" if role == "assistant" else role, "parts": [{"text": text}]},
    calls=_gemini_calls,
    results=_in_one_turn(_gemini_result, "parts"),
)
CONVERSE = Form(
    says=lambda role, text: {"role": role, "content": [{"text": text}]},
    calls=lambda turn: [
        block["toolUse"] for block in _blocks(turn.get("content")) if isinstance(block.get("toolUse"), Mapping)
    ],
    results=_in_one_turn(
        lambda call, text: {
            "toolResult": {"toolUseId": call.get("toolUseId"), "content": [{"text": text}], "status": "error"}
        }
    ),
)
"""Bedrock's messages."""
