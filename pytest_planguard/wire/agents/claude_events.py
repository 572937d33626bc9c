"""Events of `claude -p --output-format stream-json`: messages of the Anthropic API in envelopes, then a result.

Source: https://docs.claude.com/en/docs/claude-code/headless
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..exchange import Finish, Usage
from ..untrusted_json import as_json, mapping, name_of, objects, sequence, whole, words
from .turns import Turns

_ENVELOPES = frozenset({"assistant", "user"})
_STOPS = {"max_tokens": Finish.LENGTH, "model_context_window_exceeded": Finish.LENGTH, "refusal": Finish.REFUSAL}
"""Why an answer ended, where that is no good end."""


def is_claude_event(event: dict[str, Any]) -> bool:
    """Return whether an event is one of Claude's: a session that begins, a message in its envelope, or a result."""
    kind = words(event.get("type"))
    if kind in _ENVELOPES:
        return isinstance(event.get("message"), dict)
    return (kind == "system" and "subtype" in event) or (kind == "result" and ("result" in event or "subtype" in event))


def claude_turns(events: Sequence[dict[str, Any]]) -> Turns:
    """Return what the events say. Parts of messages (`stream_event`) are passed over: the whole message follows."""
    turns = Turns()
    for event in events:
        kind = words(event.get("type"))
        turns.session = turns.session or name_of(event.get("session_id"))
        if kind == "system":
            turns.model = turns.model or name_of(event.get("model"))
        elif kind in _ENVELOPES:
            _message(turns, event, mapping(event.get("message")))
        elif kind == "result":
            _result(turns, event)
    return turns


def _message(turns: Turns, event: dict[str, Any], message: dict[str, Any]) -> None:
    is_own = event.get("type") == "assistant"
    inner = name_of(event.get("parent_tool_use_id")) is not None  # of a subagent: its words are no answer
    content = message.get("content")
    if is_own and not inner:
        turns.model = turns.model or name_of(message.get("model"))
        turns.finish = _STOPS.get(words(message.get("stop_reason")))
        turns.say(content if isinstance(content, str) else "")
    for block in objects(content):
        kind = words(block.get("type"))
        if kind == "text" and is_own and not inner:
            turns.say(words(block.get("text")))
        elif kind == "tool_use":
            turns.call(block.get("name"), block.get("input"), block.get("id"))
        elif kind == "tool_result":
            failed = block.get("is_error") is True
            turns.answer_call(block.get("content"), block.get("tool_use_id"), is_error=failed)


def _result(turns: Turns, event: dict[str, Any]) -> None:
    subtype, usage = words(event.get("subtype")), mapping(event.get("usage"))
    turns.usage = Usage(whole(usage.get("input_tokens")), whole(usage.get("output_tokens")))
    if event.get("is_error") is True or subtype.startswith("error"):
        told = [words(event.get("result")), *map(as_json, sequence(event.get("errors")))]
        turns.finish, turns.error = Finish.ERROR, "; ".join(text for text in told if text) or subtype or "an error"
        return
    structured = event.get("structured_output")
    turns.result = as_json(structured) if structured is not None else name_of(event.get("result"))
    turns.finish = turns.finish or _STOPS.get(words(event.get("stop_reason"))) or Finish.STOP
