"""Text of unknown origin on one line of feedback: it must not look like a line, a fence or a turn of its own."""

from __future__ import annotations

import re

from ..wording import clip

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_FENCE = re.compile(r"`{3,}|~{3,}")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, limit: int) -> str:
    """The text on one line of at most `limit` characters: control and direction marks as escapes, no fence in it."""
    text = text[: limit * 2]
    if not text.isprintable():
        text = _UNSEEN.sub(_escaped, text)
    return clip(without_fences(text), limit)


def without_fences(text: str) -> str:
    """The text with runs of three or more back-ticks or tildes as escapes, which JSON strings understand too."""
    if "```" not in text and "~~~" not in text:
        return text
    return _FENCE.sub(lambda found: f"\\u{ord(found[0][0]):04x}" * len(found[0]), text)


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    return _SHORT.get(char, f"\\u{ord(char):04x}")
