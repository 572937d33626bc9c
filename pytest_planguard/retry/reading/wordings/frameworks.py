"""Sentences of single frameworks that name no place; they change between releases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import ErrorEntry

_SENTENCES: tuple[tuple[str, re.Pattern[str]], ...] = (
    # instructor
    ("no_tool_call", re.compile(r"Validation Error due to no tool invocation")),
    ("empty", re.compile(r"You MUST populate ALL required fields")),
    ("value_error", re.compile(r"Recall the function correctly, fix the errors|Correct your JSON ONLY RESPONSE")),
    # pydantic-ai
    ("unknown_tool", re.compile(r"Unknown tool name: ")),
    ("no_tool_call", re.compile(r"Please (?:include your response in a tool call|call a tool)")),
    ("empty", re.compile(r"Please return text")),
    ("value_error", re.compile(r"<pyai:(?:validation_errors|retry_feedback)>|Fix the errors and try again\.")),
    # LangChain
    ("json_invalid", re.compile(r"could not be executed - arguments were malformed or truncated")),
    ("value_error", re.compile(r"Failed to parse structured output for tool|Please fix your mistakes\.")),
    # mirascope
    ("json_invalid", re.compile(r"no valid JSON object was found")),
    ("value_error", re.compile(r"Your response failed schema validation:")),
    # guardrails
    ("json_invalid", re.compile(r"I was given the following response, which was not parseable as JSON")),
    ("value_error", re.compile(r"JSON response, which had problems due to incorrect values")),
    # crewAI
    ("value_error", re.compile(r"Previous attempt failed validation: |I did it wrong\. Invalid Format: ")),
    ("value_error", re.compile(r"I encountered an error while trying to use the tool")),
    # TypeChat
    ("value_error", re.compile(r"The above JSON object is invalid for the following reason")),
    # command-line agents: the header of a retry
    ("value_error", re.compile(r"RETRY \d{1,3}/\d{1,3}\s+Schema validation failed:")),
)


def sentence_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry without a path for each known sentence."""
    for code, pattern in _SENTENCES:
        for found in pattern.finditer(text):
            yield ErrorEntry(None, code, found[0], found.start(), found.end())
