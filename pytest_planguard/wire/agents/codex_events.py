"""Events of `codex exec --json`: a thread, its turns, and the items in them, of which the finished ones count.

Source: https://github.com/openai/codex/blob/main/docs/exec.md
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..exchange import Finish, Usage
from ..untrusted_json import mapping, name_of, whole, words
from .turns import Turns

_FAMILIES = ("thread.", "turn.", "item.")


def is_codex_event(event: dict[str, Any]) -> bool:
    """Return whether an event is one of Codex: `thread.started`, `turn.completed`, `item.completed`."""
    return words(event.get("type")).startswith(_FAMILIES)


def codex_turns(events: Sequence[dict[str, Any]]) -> Turns:
    """Return what the events say. An item that was begun and not finished counts as a call without a result."""
    turns = Turns()
    done = {_item_id(event) for event in events if event.get("type") == "item.completed"}
    for event in events:
        kind, item = words(event.get("type")), mapping(event.get("item"))
        if kind == "thread.started":
            turns.session = name_of(event.get("thread_id"))
        elif kind == "item.completed":
            _item(turns, item, finished=True)
        elif kind == "item.started" and _item_id(event) not in done:
            _item(turns, item, finished=False)
        elif kind == "turn.completed":
            _complete(turns, mapping(event.get("usage")))
        elif kind in ("turn.failed", "error"):
            _fail(turns, event)
    return turns


def _complete(turns: Turns, usage: dict[str, Any]) -> None:
    """End a turn well: an error before it, such as a lost connection, was passing."""
    turns.finish, turns.error = Finish.STOP, None
    used = Usage(whole(usage.get("input_tokens")), whole(usage.get("output_tokens")))
    turns.usage = Usage.together([turns.usage, used])


def _fail(turns: Turns, event: dict[str, Any]) -> None:
    message = words(mapping(event.get("error")).get("message")) or words(event.get("message"))
    turns.finish, turns.error = Finish.ERROR, message or "an error"


def _item_id(event: dict[str, Any]) -> str:
    return words(mapping(event.get("item")).get("id"))


def _item(turns: Turns, item: dict[str, Any], *, finished: bool) -> None:
    """Add a message, or a call and its result. Thoughts, to-do lists and plans say nothing."""
    kind = words(item.get("type")) or words(item.get("item_type"))  # the older name of the member
    if kind in ("agent_message", "assistant_message"):
        turns.say(words(item.get("text")))
        return
    call = _call(kind, item)
    if call is None:
        return
    turns.call(*call, item.get("id"))
    if finished:
        failed = item.get("status") in ("failed", "declined") or (whole(item.get("exit_code")) or 0) != 0
        turns.answer_call(_result(item), item.get("id"), is_error=failed)


def _call(kind: str, item: dict[str, Any]) -> tuple[str, Any] | None:
    """Return name and arguments of a call; None for an item that is none."""
    if kind == "mcp_tool_call":
        return words(item.get("tool")), item.get("arguments")
    if kind == "collab_tool_call":
        return words(item.get("tool")), {"prompt": item.get("prompt")}
    members = {"command_execution": "command", "file_change": "changes", "web_search": "query"}
    return (kind, {members[kind]: item.get(members[kind])}) if kind in members else None


def _result(item: dict[str, Any]) -> Any:
    """Return what came of a call: its output, the content of an MCP result, or an error's message."""
    error, result = mapping(item.get("error")), mapping(item.get("result"))
    if error:
        return words(error.get("message"))
    if result.get("structured_content") is not None:
        return json.dumps(result["structured_content"], ensure_ascii=False)
    return result.get("content") or item.get("aggregated_output")
