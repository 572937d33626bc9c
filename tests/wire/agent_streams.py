"""Event streams as `claude -p --output-format stream-json` and `codex exec --json` print them."""

import json
from typing import Any


def lines(*events: Any) -> str:
    """The events, one a line; a text stands for a line that is no event."""
    return "".join((event if isinstance(event, str) else json.dumps(event)) + "\n" for event in events)


def claude(text: str, *calls: tuple[str, dict[str, Any]], prints: str | None = None) -> str:
    """A run of Claude that makes calls, each answered "ok", and ends with words."""
    messages = []
    for number, (name, given) in enumerate(calls, 1):
        block = {"type": "tool_use", "id": f"t{number}", "name": name, "input": given}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "ok"}
        messages.append({"type": "assistant", "message": {"role": "assistant", "content": [block]}})
        messages.append({"type": "user", "message": {"role": "user", "content": [result]}})
    said = {"role": "assistant", "model": "claude-x", "content": [{"type": "text", "text": text}]}
    usage = {"input_tokens": 5, "output_tokens": 7}
    return lines(
        {"type": "system", "subtype": "init", "session_id": "s1", "model": "claude-x", "tools": ["Bash"]},
        *messages,
        *([] if prints is None else [prints]),
        {"type": "assistant", "message": said},
        {"type": "result", "subtype": "success", "is_error": False, "result": text, "usage": usage},
    )


def codex(text: str, *calls: tuple[str, dict[str, Any]], prints: str | None = None) -> str:
    """The same run of Codex, its calls by way of an MCP server."""
    items = [
        {
            "id": f"t{n}",
            "type": "mcp_tool_call",
            "server": "fs",
            "tool": name,
            "arguments": given,
            "status": "completed",
        }
        for n, (name, given) in enumerate(calls, 1)
    ]
    result = {"content": [{"type": "text", "text": "ok"}]}
    return lines(
        {"type": "thread.started", "thread_id": "s1"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "r", "type": "reasoning", "text": "hm"}},
        *({"type": "item.completed", "item": {**item, "result": result}} for item in items),
        *([] if prints is None else [prints]),
        {"type": "item.completed", "item": {"id": "m", "type": "agent_message", "text": text}},
        {"type": "turn.completed", "usage": {"input_tokens": 5, "cached_input_tokens": 2, "output_tokens": 7}},
    )


AGENTS = {"claude": claude, "codex": codex}
