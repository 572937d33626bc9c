"""Errors in the fixed words of one validator, a pattern each, and sentences of frameworks that name no place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import ErrorEntry, parse_place
from .lines import plain

_PATTERNS = (
    # pydantic: "tasks.0.id", and indented below "Field required [type=missing, input_value=1, input_type=int]"; its
    # first version writes "tasks -> 0 -> id" and "field required (type=value_error.missing)". A message may have more
    # lines.
    re.compile(
        r"^(?P<indent>[ \t]*)(?P<place>\S.*)\n(?P<message>(?:(?P=indent)[ \t].*\n){0,20}?(?P=indent)[ \t].*?)"
        r" ?[\[(]type=(?P<code>[\w.-]{1,80})(?:, input_value=|[;\])]).*",
        re.MULTILINE,
    ),
    # jsonschema: "417 is not of type 'string'", "Failed validating 'type' in schema['properties']['number']:", the
    # lines of that schema, "On instance['number']:".
    re.compile(
        r"^[ \t]*(?P<message>\S.*)\n\s*Failed validating ['\"](?P<code>[\w$]{1,60})['\"] in .*\n"
        r"(?:.*\n){0,200}?[ \t]*On \w+(?P<place>(?:\[[^\[\]\n]{1,100}\]){0,40}):",
        re.MULTILINE,
    ),
    # jsonschema names a property in the message: "'goal' is a required property", "('note' was unexpected)".
    re.compile(
        r"(?P<message>['\"`](?P<place>[^'\"`\n]{1,200})['\"`] (?:is a required property|was unexpected))(?P<code>)"
    ),
    # Go: "Key: 'Invoice.Lines[1].No' Error:Field validation for 'No' failed on the 'min' tag".
    re.compile(
        r"\bKey: '(?P<place>[^'\n]{1,300})' Error:\s?"
        r"(?P<message>[^'\n]{0,60}'[^'\n]{1,200}' failed on the '(?P<code>[\w|-]{1,60})' tag)"
    ),
    # TypeChat: "Validation path `tasks.0.id` failed for value `1` because:", and the message on the next line.
    re.compile(
        r"Validation path `(?P<place>[^`\n]{0,300})` failed for value `[^\n]{0,2000}` because:\s+"
        r"(?P<message>.{1,1000})(?P<code>)"
    ),
)
_HEADER = re.compile(r"validation errors? for ")
"""In the line above pydantic's error about the whole answer, which has no line for its place."""


def validator_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each error in a validator's own words."""
    text = plain(text)
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            path = () if _HEADER.search(found["place"]) else parse_place(found["place"])
            yield ErrorEntry(path, found["code"] or None, " ".join(found["message"].split()), *found.span())


# Sentences of single frameworks, which change between releases.

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
