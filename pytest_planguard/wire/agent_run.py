"""What a command-line agent prints: the events of claude, codex and others as one run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .exchange import Finish, Item, ItemKind, Role, Usage
from .provider_shapes import call_item, result_item
from .untrusted_json import as_json, mapping, name_of, objects, parsed_or_none, sequence, whole, words


@dataclass
class Turns:
    """What was read so far."""

    items: list[Item] = field(default_factory=list)
    model: str | None = None
    session: str | None = None
    result: str | None = None
    """What the agent itself calls its result."""
    finish: Finish | None = None
    error: str | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def final_text(self) -> str:
        """The result, else the last message."""
        if self.result is not None:
            return self.result
        said = (item.text for item in reversed(self.items) if item.kind is ItemKind.TEXT)
        return next(said, "")

    def say(self, text: str) -> None:
        """Add a message of the agent; blank ones are none."""
        if text.strip():
            self.items.append(Item(ItemKind.TEXT, Role.ASSISTANT, text))

    def call(self, name: Any, arguments: Any, call_id: Any) -> None:
        """Add a tool call. One without an id gets its place as its id, so that it is told from a written file."""
        self.items.append(call_item(name, arguments, call_id or f"call-{len(self.items) + 1}"))

    def answer_call(self, content: Any, call_id: Any, *, is_error: bool) -> None:
        """Add the result of a tool call."""
        self.items.append(result_item(content, call_id or f"call-{len(self.items)}", is_error=is_error))


# Events of `claude -p --output-format stream-json`: messages of the Anthropic API in envelopes, then a result.
# Source: https://docs.claude.com/en/docs/claude-code/headless

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
            _tool_result(turns, event)
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


def _tool_result(turns: Turns, event: dict[str, Any]) -> None:
    subtype, usage = words(event.get("subtype")), mapping(event.get("usage"))
    turns.usage = Usage(whole(usage.get("input_tokens")), whole(usage.get("output_tokens")))
    if event.get("is_error") is True or subtype.startswith("error"):
        told = [words(event.get("result")), *map(as_json, sequence(event.get("errors")))]
        turns.finish, turns.error = Finish.ERROR, "; ".join(text for text in told if text) or subtype or "an error"
        return
    structured = event.get("structured_output")
    turns.result = as_json(structured) if structured is not None else name_of(event.get("result"))
    turns.finish = turns.finish or _STOPS.get(words(event.get("stop_reason"))) or Finish.STOP


# Events of `codex exec --json`: a thread, its turns, and the items in them, of which the finished ones count.
# Source: https://github.com/openai/codex/blob/main/docs/exec.md

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


# What the event stream of a command-line agent says, free of the agent's own form.

MAX_LINE = 10_000_000
"""Characters of a line that is read as an event; a longer one is skipped and counted."""


@dataclass(frozen=True, slots=True)
class AgentRun:
    """One run of an agent."""

    agent: str
    """"claude" or "codex": whose events they are."""
    items: tuple[Item, ...] = ()
    """Messages, tool calls and their results, in order."""
    text: str = ""
    """The final answer: what the agent reports as its result, else its last message."""
    model: str | None = None
    session: str | None = None
    """Id of the session or thread."""
    finish: Finish | None = None
    """Why it ended; None where the stream breaks off."""
    error: str | None = None
    """What went wrong, where the agent says so."""
    usage: Usage = field(default_factory=Usage)
    skipped_lines: int = 0
    """Lines that are no JSON object."""

    @property
    def calls(self) -> tuple[Item, ...]:
        """The tool calls."""
        return tuple(item for item in self.items if item.kind is ItemKind.CALL)

    @property
    def answer(self) -> tuple[Item, ...]:
        """The tool calls and the final answer: what one exchange has that stands for the whole run."""
        return (*self.calls, *([Item(ItemKind.TEXT, Role.ASSISTANT, self.text)] if self.text else []))


_FORMS: tuple[tuple[str, Callable[[dict[str, Any]], bool], Callable[[Sequence[dict[str, Any]]], Turns]], ...] = (
    ("claude", is_claude_event, claude_turns),
    ("codex", is_codex_event, codex_turns),
)


def read_agent_run(output: str) -> AgentRun | None:
    """Read what an agent printed; None where it is no event stream. Bad lines are skipped and counted. Never raises.

    Args:
        output: one JSON object a line, as `claude -p --output-format stream-json` and `codex exec --json` print it;
            the single object or list of `claude -p --output-format json` will do as well.
    """
    events, skipped = _events(output)
    for agent, knows, read in _FORMS:
        if any(knows(event) for event in events):
            turns = read(events)
            return AgentRun(
                agent,
                tuple(turns.items),
                turns.final_text,
                turns.model,
                turns.session,
                turns.finish,
                turns.error,
                turns.usage,
                skipped,
            )
    return None


def _events(output: str) -> tuple[list[dict[str, Any]], int]:
    if '"type"' not in output:  # nearly every other output; it is not searched line by line
        return [], 0
    if output.lstrip()[:1] == "[":
        return objects(parsed_or_none(output)), 0
    lines = [line for line in output.split("\n") if line.strip()]
    values = [parsed_or_none(line) if len(line) <= MAX_LINE and _opens(line) else None for line in lines]
    events = [value for value in values if isinstance(value, dict)]
    return events, len(lines) - len(events)


def _opens(line: str) -> bool:
    return line.lstrip(" \t\ufeff")[:1] == "{"
