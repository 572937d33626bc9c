"""The compact style: under 200 tokens, names field and model, for small models and tight prompts."""

from __future__ import annotations

from .correction import Correction, Style, Worded, fitted
from .entries import entry

TOKEN_LIMIT = 200
"""Tokens that the text stays under, counted as `tokens` does."""
_CHARS = TOKEN_LIMIT * 4 - 4
_MORE = 16  # characters kept free for "- and 1,234 more"


def tokens(text: str) -> float:
    """An estimate from above for English: four characters or one word a token, whichever gives more."""
    return max(len(text) / 4, len(text.split()))


def word_compact(correction: Correction) -> Worded:
    """Two fixed lines around as many findings as fit; each has the field's path, the rule, and the model's name."""
    head = "Your previous answer failed validation:"
    foot = f"Return the complete corrected {correction.document}."
    lines = [f"- {entry(finding, owner=True)}" for finding in correction.findings]
    shown = fitted(lines, len(lines), _CHARS - len(head) - len(foot) - _MORE - 2)
    while shown > 0 and tokens(" ".join([head, *lines[:shown], foot])) >= TOKEN_LIMIT - _MORE:
        shown -= 1
    more = len(lines) - shown
    middle = [*lines[:shown], f"…and {more} more"] if more else lines
    return Worded("\n".join([head, *middle, foot]), shown)


COMPACT = Style("compact", word_compact, opening="Your previous answer failed validation:")
