"""Classify an answer without a document: a refusal, a question back, a loop, or just prose.

Refusals and questions are recognised by English, German, French and Spanish phrases. Every other language is plain
prose, which asks again.
"""

from __future__ import annotations

import re

from .limits import clip

# "Sorry", "Unfortunately", "As an AI": a refusal only together with _CANNOT in the same line.
_SORRY = r"sorry|apologi[sz]e|afraid|unfortunately|as an ai"
# "can't help", "won't be able to provide", "am not allowed to share": verbs of answering, since "I cannot find the id
# in the data" is about the task.
_CANNOT = (
    r"(?:can(?:no|['’])t|can not|won['’]t|will not|(?:am|['’]m) (?:not able|unable|not allowed)|unable)"
    r" (?:to )?(?:\w+ ){0,3}?(?:help|assist|comply|provide|create|generate|produce|fulfil+|answer|do|discuss|continue|"
    r"support|write|give|share|engage)"
)
# "I'm sorry, I can't assist with that" and, in three more languages, "Das kann ich leider nicht", "No puedo ayudar".
_DECLINES = re.compile(
    rf"(?:\bI(?:\s|['’]m )+(?:\w+ ){{0,4}}?{_CANNOT}\b)|(?:\b(?:{_SORRY})\b[^\n]{{0,80}}\b{_CANNOT}\b)"
    r"|\b(?:Ich kann|Leider kann ich)\b[^\n.]{0,80}\bnicht\b|\bJe ne peux pas\b|\bNo puedo\b",
    re.IGNORECASE,
)
# "Could you please provide the dates?", "Should I continue?"; only with a "?" near the end, since answers quote
# questions.
_ASKS = re.compile(
    r"\b(?:(?:could|can|would) you (?:please )?(?:let me know|provide|clarify|share|specify|confirm|tell)"
    r"|would you like|do you want|shall I|should I|please (?:provide|clarify|specify|share|confirm)"
    r"|let me know (?:whether|which|if|what|how))\b",
    re.IGNORECASE,
)
_HEAD = 400
"""Number of characters at the start to search for a refusal, since models refuse at once. Twice as many at the end are
searched for a question."""
_LOOP_TAIL = 4_000
"""Number of characters at the end to search for a loop."""
_LOOP_PROBE = 24
"""Number of characters at the end that must occur often: a quick test that spares most texts the search."""
_LOOP_TIMES = 8
"""Number of repetitions that count as a loop. Tables and lists may repeat a line a few times."""
_LOOP_LENGTH = 400
"""Minimum number of characters that the repetitions must fill: eight blanks or a row of dashes are not a loop."""


def classify(text: str) -> tuple[str, str]:
    """Return the failure kind and a sentence for a text without a document: loop, refusal, ask_back or prose."""
    stripped = text.strip()
    # First, since a loop may repeat a refusal: "Sorry, I can't help with that." up to the token limit.
    repeated = repeated_end(text)
    if repeated is not None:
        return "loop", loop_message(repeated)
    if _DECLINES.search(stripped[:_HEAD]):
        return "refusal", "the answer declines"
    # The question marks of Chinese and Japanese, and of Arabic, end a question in any words.
    if stripped.endswith(("?", "？", "؟")) or ("?" in stripped[-2 * _HEAD :] and _ASKS.search(stripped[-2 * _HEAD :])):
        return "ask_back", "the answer asks a question"
    return "prose", "the answer is prose"


def loop_message(repeated: str) -> str:
    """Return the message that reports a loop."""
    shown = f'repeats the same text until it ends: "{clip(repeated)}"'
    return f"the answer {shown if repeated.strip() else 'ends in repeated blanks'}"


def repeated_end(text: str) -> str | None:
    """Return the piece that a text repeats at its end, at least 8 times over at least 400 characters; None without one.

    Looks at the last 4,000 characters, in linear time: the prefix function of the reversed tail gives its period.
    """
    tail = text[-_LOOP_TAIL:]
    if len(tail) < _LOOP_LENGTH or tail.count(tail[-_LOOP_PROBE:]) < _LOOP_TIMES:
        return None
    borders = _borders(tail[::-1])
    for length in range(len(tail), _LOOP_LENGTH - 1, -1):
        period = length - borders[length - 1]
        if length >= _LOOP_TIMES * period:
            return tail[-period:]
    return None


def _borders(text: str) -> list[int]:
    """Return the length of the longest proper border of each prefix (Knuth, Morris, Pratt)."""
    borders = [0] * len(text)
    length = 0
    for index in range(1, len(text)):
        while length and text[index] != text[length]:
            length = borders[length - 1]
        if text[index] == text[length]:
            length += 1
        borders[index] = length
    return borders
