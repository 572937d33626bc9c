"""Where feedback goes: the messages of the next request. Chat messages in, chat messages out, nothing changed in place.

Messages are dicts as OpenAI-compatible hosts take them: `role`, `content` (a text or a list of parts), `tool_calls`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..errors import UsageError
from .compat.autospec import AUTOSPEC, SEED
from .feedback import build_feedback
from .feedback_styles import STYLES
from .prompt_variables import fill_variables, has_variables
from .styles.command import COMMAND
from .template import Template
from .verdict import Verdict
from .wording import nearest

Placement = Literal["dialogue", "inject", "command", "blind"]
Chat = Mapping[str, Any]
"""One chat message."""

PLACEMENTS = ("dialogue", "inject", "command", "blind")
_NOT_RUN = "Not run: another call of this answer failed validation."
_BLOCK = re.compile(rf"^(?:{'|'.join(style.opening for style in STYLES.values() if style.opening)})", re.MULTILINE)
_SLASH_COMMAND = re.compile(r"(/\S+)\s*(.*)", re.DOTALL)
_HEADED = ("command", "autospec", "seed")
"""Styles whose text begins with a RETRY header, which belongs behind a slash command."""


def next_messages(
    messages: Sequence[Chat],
    answer: str | Chat | None,
    verdict: Verdict,
    *,
    placement: Placement = "dialogue",
    attempt: int,
    max_attempts: int,
    style: str | None = None,
    template: Template | None = None,
) -> list[dict[str, Any]]:
    """The messages of the next request.

    Args:
        messages: those of the request that was answered.
        answer: the bad answer: its text, or the assistant message with its `tool_calls`; None or "" for nothing.
        verdict: what is wrong with it.
        placement: "dialogue": the bad answer as assistant turn, then the feedback as user turn (as a result for every
            tool call, where the answer calls tools, in OpenAI's form or in Anthropic's); "inject": feedback at the end
            of the last user turn, the bad answer left out; "command": feedback before the last user turn's own text,
            which follows after a blank line; "blind": the same messages again, the control. Where that turn names
            `$RETRY_INFO` and `$VALIDATION_ERRORS`, both put it there.
        attempt: the attempt that failed, from 1.
        max_attempts: attempts allowed in all, the first included.
        style: wording; "command" for the placement command, else "default".
        template: an own frame around the wording.

    Raises:
        UsageError: an unknown placement or style, a bad template, or no user turn to put feedback into.
    """
    if placement == "blind":
        return [dict(message) for message in messages]
    style = wording_of(placement, style)
    text = build_feedback(verdict, attempt=attempt, max_attempts=max_attempts, style=style, template=template).text
    return placed(messages, answer, text, placement=placement, style=style)


def wording_of(placement: Placement, style: str | None) -> str:
    """The style that a placement is worded in: the given one, else its own. Raises UsageError for no placement."""
    if placement not in PLACEMENTS:
        near = nearest(placement, PLACEMENTS)
        hint = f"; did you mean {near!r}?" if near else ""
        raise UsageError(f"unknown placement {placement!r}{hint} Valid placements: {', '.join(PLACEMENTS)}")
    return style or ("command" if placement == "command" else "default")


def placed(
    messages: Sequence[Chat], answer: str | Chat | None, text: str, *, placement: Placement, style: str
) -> list[dict[str, Any]]:
    """The messages of the next request with a feedback text in its place; the blind placement leaves it out.

    A dialogue shares the earlier turns with the request before, so that what was read of them can be kept.
    """
    if placement == "dialogue":
        return [
            *(message if isinstance(message, dict) else dict(message) for message in messages),
            *_turns(answer, text),
        ]
    kept = [dict(message) for message in messages]
    return kept if placement == "blind" else _with_last_user(kept, text, style, before=placement == "command")


def _turns(answer: str | Chat | None, text: str) -> list[dict[str, Any]]:
    """The bad answer and its correction. Every tool call gets a result, or providers refuse the request."""
    said = {"role": "assistant", "content": answer} if answer is None or isinstance(answer, str) else dict(answer)
    uses = _tool_uses(said.get("content"))
    if uses:
        return [said, {"role": "user", "content": [_tool_result(use, text, n) for n, use in enumerate(uses)]}]
    calls = said.get("tool_calls") or ()
    if calls:
        contents = [text, *[_NOT_RUN] * (len(calls) - 1)]
        results = [
            {"role": "tool", "tool_call_id": call.get("id"), "content": content}
            for call, content in zip(calls, contents, strict=True)
        ]
        return [said, *results]
    correction = {"role": "user", "content": text}
    return [said, correction] if said.get("content") else [correction]  # an empty turn is refused by some hosts


def _tool_uses(content: Any) -> list[Mapping[str, Any]]:
    """The tool calls of an assistant turn in Anthropic's form."""
    parts = content if isinstance(content, list) else []
    return [part for part in parts if isinstance(part, Mapping) and part.get("type") == "tool_use"]


def _tool_result(use: Mapping[str, Any], text: str, number: int) -> dict[str, Any]:
    content = _NOT_RUN if number else text
    return {"type": "tool_result", "tool_use_id": use.get("id"), "content": content, "is_error": True}


def _with_last_user(messages: list[dict[str, Any]], text: str, style: str, *, before: bool) -> list[dict[str, Any]]:
    last = next((index for index in reversed(range(len(messages))) if messages[index].get("role") == "user"), None)
    if last is None:
        raise UsageError("there is no user message to put the feedback into; use the placement dialogue")
    message = messages[last]
    message["content"] = _combined(message.get("content"), text, style, before)
    return messages


def _combined(content: Any, text: str, style: str, before: bool) -> Any:
    if isinstance(content, list):
        parts = [part for part in content if not _is_block(part)]
        block = {"type": "text", "text": text}
        return [block, *parts] if before else [*parts, block]
    own = str(content or "")
    if has_variables(own):
        return fill_variables(own, text)
    if not before:
        return f"{_without_block(own)}\n\n{text}"
    own = _after_block(own)
    command = _SLASH_COMMAND.fullmatch(own) if style in _HEADED else None
    if command:
        return f"{command[1]} {text}" + (f"\n\n{command[2]}" if command[2] else "")
    return f"{text}\n\n{own}"


def _is_block(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("text"), str) and bool(_BLOCK.match(part["text"]))


def _without_block(text: str) -> str:
    """The text without an earlier feedback block at its end, so that blocks do not pile up."""
    found = _BLOCK.search(text)
    cut = found is not None and text[: found.start()].endswith("\n\n")
    return text[: found.start() - 2] if found is not None and cut else text


def _after_block(text: str) -> str:
    """The text without an earlier feedback block at its beginning."""
    rests = (form.without(text) for form in (COMMAND, SEED, AUTOSPEC))
    return next((rest for rest in rests if rest is not None), text)
