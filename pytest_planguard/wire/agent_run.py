"""Read the output of a command-line agent (claude, codex) as one run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from .dialect import usage_of
from .exchange import Finish, Item, ItemKind, Role, Usage
from .provider_shapes import call_item, result_item
from .untrusted_json import JsonObject, as_json, mapping, name_of, objects, parsed_or_none, sequence, whole, words

MAX_LINE = 10_000_000
"""Maximum length of a line. A longer line is skipped and counted."""


@dataclass(slots=True)
class AgentRun:
    """One run of an agent, read so far."""

    agent: str = ""
    """The agent that wrote the events: "claude" or "codex"."""
    items: list[Item] = field(default_factory=list)
    """Messages, tool calls and their results, in order."""
    model: str | None = None
    session: str | None = None
    """The id of the session or thread."""
    result: str | None = None
    """The text that the agent reports as its result."""
    finish: Finish | None = None
    """Why the run ended; None if the stream is incomplete."""
    error: str | None = None
    """The error that the agent reported, if any."""
    usage: Usage = field(default_factory=Usage)
    skipped_lines: int = 0
    """Number of lines that are not a JSON object."""

    @property
    def text(self) -> str:
        """The agent's result or, without one, its last message."""
        if self.result is not None:
            return self.result
        return next((item.text for item in reversed(self.items) if item.kind is ItemKind.TEXT), "")

    @property
    def calls(self) -> tuple[Item, ...]:
        """The tool calls."""
        return tuple(item for item in self.items if item.kind is ItemKind.CALL)

    @property
    def answer(self) -> tuple[Item, ...]:
        """The tool calls and the final answer, for an exchange that represents the whole run."""
        return (*self.calls, *([Item(ItemKind.TEXT, Role.ASSISTANT, self.text)] if self.text else []))

    def say(self, text: str) -> None:
        """Add a message of the agent, unless it is blank."""
        if text.strip():
            self.items.append(Item(ItemKind.TEXT, Role.ASSISTANT, text))

    def call(self, name: object, arguments: object, call_id: object) -> None:
        """Add a tool call. Without an id, use its position as the id. Written files have other ids."""
        self.items.append(call_item(name, arguments, call_id or f"call-{len(self.items) + 1}"))

    def answer_call(self, content: object, call_id: object, *, is_error: bool) -> None:
        """Add the result of a tool call."""
        self.items.append(result_item(content, call_id or f"call-{len(self.items)}", is_error=is_error))


# Events of `claude -p --output-format stream-json`: messages of the Anthropic API in envelopes, then a result.
# Source: https://docs.claude.com/en/docs/claude-code/headless

_ENVELOPES = frozenset({"assistant", "user"})
_STOPS = {"max_tokens": Finish.LENGTH, "model_context_window_exceeded": Finish.LENGTH, "refusal": Finish.REFUSAL}
"""Maps abnormal stop reasons to finish reasons."""


def is_claude_event(event: JsonObject) -> bool:
    """Return True for an event of Claude: the start of a session, a message in an envelope, or a result."""
    kind = words(event.get("type"))
    if kind in _ENVELOPES:
        return isinstance(event.get("message"), dict)
    return (kind == "system" and "subtype" in event) or (kind == "result" and ("result" in event or "subtype" in event))


def claude_run(events: Sequence[JsonObject]) -> AgentRun:
    """Return the run in the events.

    Partial messages (`stream_event`) are skipped, because the complete message follows.
    """
    run = AgentRun()
    for event in events:
        kind = words(event.get("type"))
        run.session = run.session or name_of(event.get("session_id"))
        if kind == "system":
            run.model = run.model or name_of(event.get("model"))
        elif kind in _ENVELOPES:
            _message(run, event, mapping(event.get("message")))
        elif kind == "result":
            _ending(run, event)
    return run


def _message(run: AgentRun, event: JsonObject, message: JsonObject) -> None:
    is_own = event.get("type") == "assistant"
    inner = name_of(event.get("parent_tool_use_id")) is not None  # from a subagent, whose text is not the answer
    content = message.get("content")
    if is_own and not inner:
        run.model = run.model or name_of(message.get("model"))
        run.finish = _STOPS.get(words(message.get("stop_reason")))
        run.say(content if isinstance(content, str) else "")
    for block in objects(content):
        kind = words(block.get("type"))
        if kind == "text" and is_own and not inner:
            run.say(words(block.get("text")))
        elif kind == "tool_use":
            run.call(block.get("name"), block.get("input"), block.get("id"))
        elif kind == "tool_result":
            failed = block.get("is_error") is True
            run.answer_call(block.get("content"), block.get("tool_use_id"), is_error=failed)


def _ending(run: AgentRun, event: JsonObject) -> None:
    subtype = words(event.get("subtype"))
    run.usage = usage_of(event.get("usage"), "input_tokens", "output_tokens")
    if event.get("is_error") is True or subtype.startswith("error"):
        reasons = [words(event.get("result")), *map(as_json, sequence(event.get("errors")))]
        run.finish, run.error = Finish.ERROR, "; ".join(text for text in reasons if text) or subtype or "an error"
        return
    structured = event.get("structured_output")
    run.result = as_json(structured) if structured is not None else name_of(event.get("result"))
    run.finish = run.finish or _STOPS.get(words(event.get("stop_reason"))) or Finish.STOP


# Events of `codex exec --json`: a thread, its turns, and their items. Only finished items count. Source:
# https://github.com/openai/codex/blob/main/docs/exec.md

_FAMILIES = ("thread.", "turn.", "item.")


def is_codex_event(event: JsonObject) -> bool:
    """Return True for an event of Codex: `thread.started`, `turn.completed`, `item.completed`."""
    return words(event.get("type")).startswith(_FAMILIES)


def codex_run(events: Sequence[JsonObject]) -> AgentRun:
    """Return the run in the events. An item that started but did not finish counts as a call without a result."""
    run = AgentRun()
    done = {_item_id(event) for event in events if event.get("type") == "item.completed"}
    for event in events:
        kind, item = words(event.get("type")), mapping(event.get("item"))
        if kind == "thread.started":
            run.session = name_of(event.get("thread_id"))
        elif kind == "item.completed":
            _item(run, item, finished=True)
        elif kind == "item.started" and _item_id(event) not in done:
            _item(run, item, finished=False)
        elif kind == "turn.completed":  # an earlier error, such as a lost connection, was temporary
            run.finish, run.error = Finish.STOP, None
            run.usage = Usage.together([run.usage, usage_of(event.get("usage"), "input_tokens", "output_tokens")])
        elif kind in ("turn.failed", "error"):
            message = words(mapping(event.get("error")).get("message")) or words(event.get("message"))
            run.finish, run.error = Finish.ERROR, message or "an error"
    return run


def _item_id(event: JsonObject) -> str:
    return words(mapping(event.get("item")).get("id"))


def _item(run: AgentRun, item: JsonObject, *, finished: bool) -> None:
    """Add a message, or a call and its result. Skip reasoning, to-do lists and plans."""
    kind = words(item.get("type")) or words(item.get("item_type"))  # the older name of the member
    if kind in ("agent_message", "assistant_message"):
        run.say(words(item.get("text")))
        return
    call = _call(kind, item)
    if call is None:
        return
    run.call(*call, item.get("id"))
    if finished:
        failed = item.get("status") in ("failed", "declined") or (whole(item.get("exit_code")) or 0) != 0
        run.answer_call(_result(item), item.get("id"), is_error=failed)


def _call(kind: str, item: JsonObject) -> tuple[str, object] | None:
    """Return the name and arguments of a call; None for an item that is not a call."""
    if kind == "mcp_tool_call":
        return words(item.get("tool")), item.get("arguments")
    if kind == "collab_tool_call":
        return words(item.get("tool")), {"prompt": item.get("prompt")}
    members = {"command_execution": "command", "file_change": "changes", "web_search": "query"}
    return (kind, {members[kind]: item.get(members[kind])}) if kind in members else None


def _result(item: JsonObject) -> object:
    """Return the result of a call: its output, the content of an MCP result, or an error's message."""
    error, result = mapping(item.get("error")), mapping(item.get("result"))
    if error:
        return words(error.get("message"))
    if result.get("structured_content") is not None:
        return json.dumps(result["structured_content"], ensure_ascii=False)
    return result.get("content") or item.get("aggregated_output")


def read_agent_run(output: str) -> AgentRun | None:
    """Read an agent's output; return None if it is not an event stream. Bad lines are skipped and counted.

    Never raises.

    Args:
        output: one JSON object per line, as `claude -p --output-format stream-json` and `codex exec --json` print it,
            or the single object or list of `claude -p --output-format json`.
    """
    events, skipped = _events(output)
    for agent, knows, read in (("claude", is_claude_event, claude_run), ("codex", is_codex_event, codex_run)):
        if any(knows(event) for event in events):
            run = read(events)
            run.agent, run.skipped_lines = agent, skipped
            return run
    return None


def _events(output: str) -> tuple[list[JsonObject], int]:
    output = output.removeprefix("\ufeff")  # PowerShell writes one, and no parser reads the first event behind it
    if '"type"' not in output:  # true of nearly every other output, which is then not searched line by line
        return [], 0
    if output.lstrip()[:1] == "[":
        return objects(parsed_or_none(output)), 0
    lines = [line for line in output.split("\n") if line.strip()]
    values = [
        parsed_or_none(line) if len(line) <= MAX_LINE and line.lstrip(" \t")[:1] == "{" else None for line in lines
    ]
    events = [value for value in values if isinstance(value, dict)]
    return events, len(lines) - len(events)
