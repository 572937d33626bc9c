"""A placeholder in a cassette equals whatever stands there in a request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...document.possessive import possessive
from ..privacy.secrets import PLACEHOLDER

if TYPE_CHECKING:
    from .semantic import SemanticRequest

# What may stand for a placeholder: text within one JSON string, or within one line of any other text.
_IN_STRING = re.compile(possessive(r'[^"\\]++|\\.'), re.DOTALL)
_IN_LINE = re.compile(r"[^\r\n]*")
_IN_PATH = re.compile(r"[^&]*")


def same_but_for_secrets(recorded: SemanticRequest, sent: SemanticRequest) -> bool:
    """Return whether a request is a recorded one, whatever stands in it for the placeholders of the recorded one."""
    within = _IN_LINE if isinstance(recorded.body, str) else _IN_STRING
    return (
        recorded.method == sent.method
        and fits(recorded.path, sent.path, _IN_PATH)
        and fits(recorded.text, sent.text, within)
    )


def fits(pattern: str, text: str, within: re.Pattern[str]) -> bool:
    """Return whether a text is the pattern with something in the place of each placeholder. Linear in the text.

    Each piece between placeholders is looked for from left to right, and the first place counts.
    """
    first, *rest = pattern.split(PLACEHOLDER)
    if not rest:
        return pattern == text
    if not text.startswith(first):
        return False
    at = len(first)
    for number, piece in enumerate(rest, start=1):
        last = number == len(rest)
        end = _last(text, piece, at) if last else text.find(piece, at)
        if end < 0 or not within.fullmatch(text, at, end):
            return False
        at = end + len(piece)
    return at == len(text)


def _last(text: str, piece: str, at: int) -> int:
    end = len(text) - len(piece)
    return end if end >= at and text.endswith(piece) else -1
