"""Decide what format an answer is in, and read it as that."""

from __future__ import annotations

from .json_answer import read_json
from .line_index import LineIndex
from .reading import Answer, Reading
from .wrapper import find_fences, find_thinking


def read_as(text: str, format_name: str) -> Reading:
    """Read the document of an answer as the format asked for; "auto" decides by content, see `answer.read`."""
    thinking = find_thinking(text)
    answer = Answer(text, LineIndex(text), thinking, find_fences(text, thinking.end))
    return read_json(answer)
