"""Put feedback into the messages of the next request. Takes and returns chat messages without modifying them.

Messages are dicts with a `role` and a `content` (a text or a list of parts), the form of nearly all hosts, or Gemini's
with `parts`. See `provider_messages` for tool calls and their results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from ...errors import UsageError
from ..phrasing import offered
from ..verdict import Verdict
from .command_style import AUTOSPEC, COMMAND, SEED
from .feedback import STYLES, build_feedback
from .prompt_template import fill_content, has_variables
from .provider_messages import Answer, answered
from .style import Template

Placement = Literal["dialogue", "inject", "command", "blind"]
Chat = Mapping[str, Any]
"""One chat message."""

PLACEMENTS = ("dialogue", "inject", "command", "blind")
# "/plan make it short": the command and its argument.
_SLASH_COMMAND = re.compile(r"(/\S+)\s*(.*)", re.DOTALL)
_HEADED = ("command", "autospec", "seed")
"""Styles whose text begins with a RETRY header, which comes after a slash command."""


def next_messages(
    messages: Sequence[Chat],
    answer: Answer,
    verdict: Verdict,
    *,
    placement: Placement = "dialogue",
    attempt: int,
    max_attempts: int,
    style: str | None = None,
    template: Template | None = None,
) -> list[dict[str, Any]]:
    """Return the messages of the next request.

    Args:
        messages: the messages of the request that was answered.
        answer: the bad answer: its text, the assistant message with its tool calls, or the items of a response's
            `output`; None or "" for nothing.
        verdict: the verdict on it.
        placement: "dialogue": the bad answer as assistant turn, then the feedback as user turn (or as a result for
            every tool call in the answer, in the answer's own form); "inject": feedback at the end of the last user
            turn, without the bad answer; "command": feedback before the last user turn's text, separated by a blank
            line; "blind": the same messages again, the control. If that turn names `$RETRY_INFO` and
            `$VALIDATION_ERRORS`, "inject" and "command" fill them in.
        attempt: the 1-based number of the attempt that failed.
        max_attempts: the total number of attempts allowed, including the first.
        style: the wording. Defaults to "command" for the placement "command", and to "default" otherwise.
        template: your own template around the wording.

    Raises:
        UsageError: an unknown placement or style, a bad template, or no user turn to put feedback into.
    """
    if placement == "blind":
        return [dict(message) for message in messages]
    style = wording_of(placement, style)
    text = build_feedback(verdict, attempt=attempt, max_attempts=max_attempts, style=style, template=template).text
    return placed(messages, answer, text, placement=placement, style=style)


def wording_of(placement: Placement, style: str | None) -> str:
    """Return the given style, or the placement's default. Raises UsageError for an unknown placement."""
    if placement not in PLACEMENTS:
        raise UsageError(f"unknown placement {placement!r}{offered(placement, PLACEMENTS, 'Valid placements')}")
    return style or ("command" if placement == "command" else "default")


def placed(
    messages: Sequence[Chat], answer: Answer, text: str, *, placement: Placement, style: str
) -> list[dict[str, Any]]:
    """Return the messages of the next request, including the feedback unless the placement is "blind".

    A dialogue keeps the earlier turns unchanged, so that caches for them stay valid.
    """
    if placement == "dialogue":
        return [
            *(message if isinstance(message, dict) else dict(message) for message in messages),
            *answered(messages, answer, text),
        ]
    kept = [dict(message) for message in messages]
    return kept if placement == "blind" else _with_last_user(kept, text, style, before=placement == "command")


def _with_last_user(messages: list[dict[str, Any]], text: str, style: str, *, before: bool) -> list[dict[str, object]]:
    last = next((index for index in reversed(range(len(messages))) if messages[index].get("role") == "user"), None)
    if last is None:
        raise UsageError("there is no user message to put the feedback into; use the placement dialogue")
    message = messages[last]
    key = "parts" if "parts" in message else "content"
    message[key] = _combined(message.get(key), text, style, before)
    return messages


def _combined(content: object, text: str, style: str, before: bool) -> object:
    if isinstance(content, list):
        return _combined_parts(own_parts(content), text, before)
    known = own_text(content) if isinstance(content, str) else ""
    if has_variables(known):
        return WithFeedback(fill_content(known, text), known)
    own = known if known is not content else _after_block(known) if before else _without_block(known)
    return WithFeedback(_around(own, text, style) if before else f"{own}\n\n{text}", own)


def _around(own: str, text: str, style: str) -> str:
    """Return the feedback before a prompt, or after the slash command at the prompt's start."""
    command = _SLASH_COMMAND.fullmatch(own) if style in _HEADED else None
    if command:
        return f"{command[1]} {text}" + (f"\n\n{command[2]}" if command[2] else "")
    return f"{text}\n\n{own}"


def _combined_parts(content: list[Any], text: str, before: bool) -> list[object]:
    if has_variables(content):
        filled = zip(fill_content(content, text), content, strict=True)
        return [
            now if now is then else {**now, "text": WithFeedback(now["text"], then["text"])} for now, then in filled
        ]
    parts = [part for part in content if not _is_block(part)]
    block = _text_part(parts, WithFeedback(text, ""))
    return [block, *parts] if before else [*parts, block]


def _text_part(parts: Sequence[object], text: str) -> dict[str, object]:
    """Return a text part in the same form as the other parts, since APIs name the types of parts differently."""
    known = [part for part in parts if isinstance(part, Mapping)]
    typed = [part["type"] for part in known if isinstance(part.get("text"), str) and "type" in part]
    if not typed and known and not any("type" in part for part in known):
        return {"text": text}
    return {"type": typed[0] if typed else "text", "text": text}


def _block() -> re.Pattern[str]:
    """Return a pattern for the start of a feedback text in any style, at the start of a line."""
    return re.compile(rf"^(?:{'|'.join(style.opening for style in STYLES if style.opening)})", re.MULTILINE)


def _is_block(part: object) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("text"), str) and bool(_block().match(part["text"]))


def _without_block(text: str) -> str:
    """Return the text without an earlier feedback block at its end, so that blocks do not accumulate."""
    found = _block().search(text)
    # Without an empty line before it, the words are the prompt's own: planguard puts one before feedback.
    cut = found is not None and text[: found.start()].endswith("\n\n")
    return text[: found.start() - 2] if found is not None and cut else text


def _after_block(text: str) -> str:
    """Return the text without an earlier feedback block at its start."""
    rests = (form.without(text) for form in (COMMAND, SEED, AUTOSPEC))
    return next((rest for rest in rests if rest is not None), text)


# A prompt that remembers its text without feedback, so that new feedback replaces the old. The text alone cannot show
# this, because a user's template may have any wording.


class WithFeedback(str):
    """A prompt that contains feedback. It behaves like a plain string when compared, joined or dumped."""

    own: str

    def __new__(cls, text: str, own: str) -> Self:
        """Remember the text before any feedback was added."""
        made = super().__new__(cls, text)
        made.own = own_text(own)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy with the original text."""
        return WithFeedback, (str(self), self.own)


def own_text(text: str) -> str:
    """Return a prompt without its added feedback; the prompt itself if it has none."""
    return text.own if isinstance(text, WithFeedback) else text


def own_parts(parts: list[Any]) -> list[Any]:
    """Return the parts of a message without feedback; omit a part that is only feedback."""
    own = []
    for part in parts:
        text = part.get("text") if isinstance(part, Mapping) else None
        if not isinstance(text, WithFeedback):
            own.append(part)
        elif text.own:
            own.append({**part, "text": text.own})
    return own
