"""What the event stream of a command-line agent says, free of the agent's own form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..exchange import Finish, Item, ItemKind, Role, Usage
from ..untrusted_json import objects, parsed_or_none
from .claude_events import claude_turns, is_claude_event
from .codex_events import codex_turns, is_codex_event
from .turns import Turns

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
