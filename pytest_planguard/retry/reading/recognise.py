"""Read feedback: find the errors that a text names. Extensions add wordings to `WORDINGS`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from ...contract.feedback.command_style import parse_bullets
from ...contract.feedback.entry_lines import parse_entries
from ...contract.feedback.feedback import parse_problems
from ...registry import Registry
from .entry import ErrorEntry, parse_place, place
from .lines import line_entries, plain
from .structures import structure_entries


def own_entries(text: str) -> Iterator[ErrorEntry]:
    """Yield the entries of all our own styles."""
    for path, code, message in [*parse_entries(text), *parse_bullets(text)]:
        start = max(text.find(message), 0)
        yield ErrorEntry(place(path), code, message, start, start + len(message))
    for path, code, message, start, end in parse_problems(text):
        yield ErrorEntry(place(path), code, message, start, end)


_PATTERNS = (
    # pydantic: "tasks.0.id", and indented below "Field required [type=missing, input_value=1, input_type=int]". Its
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
    # TypeChat: "Validation path `tasks.0.id` failed for value `1` because:", with the message on the next line.
    re.compile(
        r"Validation path `(?P<place>[^`\n]{0,300})` failed for value `[^\n]{0,2000}` because:\s+"
        r"(?P<message>.{1,1000})(?P<code>)"
    ),
)
_HEADER = re.compile(r"validation errors? for ")
"""Part of the line above pydantic's error about the whole answer, which has no line for its place."""


def validator_entries(text: str) -> Iterator[ErrorEntry]:
    """Yield an entry for each error in a validator's own words."""
    text = plain(text)
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            path = () if _HEADER.search(found["place"]) else parse_place(found["place"])
            yield ErrorEntry(path, found["code"] or None, " ".join(found["message"].split()), *found.span())


# Sentences of specific frameworks, which change between releases.
_SENTENCES = {
    "no_tool_call": r"Validation Error due to no tool invocation"  # instructor
    r"|Please (?:include your response in a tool call|call a tool)",  # pydantic-ai
    "unknown_tool": r"Unknown tool name: ",
    "empty": r"You MUST populate ALL required fields|Please return text",
    "json_invalid": r"could not be executed - arguments were malformed or truncated"  # LangChain
    r"|no valid JSON object was found"  # mirascope
    r"|I was given the following response, which was not parseable as JSON",  # guardrails
    "value_error": r"Recall the function correctly, fix the errors|Correct your JSON ONLY RESPONSE"  # instructor
    r"|<pyai:(?:validation_errors|retry_feedback)>|Fix the errors and try again\."  # pydantic-ai
    r"|Failed to parse structured output for tool|Please fix your mistakes\."  # LangChain
    r"|Your response failed schema validation:"  # mirascope
    r"|JSON response, which had problems due to incorrect values"  # guardrails
    r"|Previous attempt failed validation: |I did it wrong\. Invalid Format: "  # crewAI
    r"|I encountered an error while trying to use the tool"
    r"|The above JSON object is invalid for the following reason"  # TypeChat
    r"|RETRY \d{1,3}/\d{1,3}\s+Schema validation failed:",  # command-line agents: the header of a retry
}


def sentence_entries(text: str) -> Iterator[ErrorEntry]:
    """Yield an entry without a path for each sentence that planguard knows."""
    for code, pattern in _SENTENCES.items():
        for found in re.finditer(pattern, text):
            yield ErrorEntry(None, code, found[0], *found.span())


READ_LIMIT = 400_000
"""Maximum number of characters of one text to read; the largest real feedback had 201,850."""
_MOST = 2_000
"""Maximum number of errors of one wording to read in a text: twice as many as are compared with findings."""

Recogniser = Callable[[str], Iterable[ErrorEntry]]
"""A pure function that finds the errors in a text. It must never raise, and must take linear time."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One way of wording errors."""

    name: str
    read: Recogniser
    framework: bool = False
    """True if the wording belongs to a framework; `known_wordings=False` skips it."""


_BUILT_IN = (
    Wording("own styles", own_entries),
    Wording("validators", validator_entries),
    Wording("structures", structure_entries),
    Wording("lines", line_entries),
    Wording("framework sentences", sentence_entries, framework=True),
)
WORDINGS = Registry("wording", {wording.name: wording for wording in _BUILT_IN})


def recognise(text: str, *, known_wordings: bool = True) -> tuple[ErrorEntry, ...]:
    """Return every error that the text names, without duplicates, in the order of the text.

    Without `known_wordings`, those of frameworks are not read.
    """
    readers = (one for one in WORDINGS if known_wordings or not one.framework)
    entries = dict.fromkeys(entry for one in readers for entry in islice(one.read(text[:READ_LIMIT]), _MOST))
    return tuple(sorted(entries, key=lambda entry: (entry.start, entry.end)))
