"""Read the YAML document of an answer, bare or embedded, and report all its faults."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from .json_answer import JSON_INFOS
from .reading import (
    Answer,
    Reading,
    problem_of,
    several,
    trim_lines,
    unclosed,
    without_document,
    wrapper_notes,
)
from .yaml_events import Loaded, YamlFailure
from .yaml_load import load_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..wrapper import Fence


YAML_INFOS = frozenset({"yaml", "yml", "application/yaml"})


def read_yaml(answer: Answer) -> Reading:
    """Return the one YAML document of the answer with its problems."""
    start, end = trim_lines(answer.text, answer.thinking.end, len(answer.text))
    bare = _bare(answer.text, start, end)
    if bare is not None:
        return _finished(answer, start, end, None, bare)
    fences = _yaml_fences(answer)
    if len(fences) > 1:
        return several(answer, "YAML", len(fences), [(fence.start, fence.end) for fence in fences])
    if fences:
        return _reading(answer, *trim_lines(answer.text, fences[0].body_start, fences[0].body_end), fences[0])
    region = yaml_region(answer.text, start, end)
    if region is None:
        return without_document(answer, "yaml", "YAML document")
    return _reading(answer, *region, None)


def _bare(text: str, start: int, end: int) -> Loaded | None:
    """Return the whole answer as YAML, if it reads as a mapping or list and does not open with prose."""
    if text.startswith(("```", "~~~"), start):
        return None
    try:
        loaded = load_yaml(text[start:end])
    except YamlFailure:
        return None
    return loaded if isinstance(loaded.data, (dict, list)) and not _opens_with_prose(loaded.data) else None


def _opens_with_prose(data: object) -> bool:
    """Return True if a line before a mapping, such as 'Here is the plan:', was read as a key without a value."""
    if not isinstance(data, dict) or len(data) < 2:
        return False
    key, value = next(iter(data.items()))
    return value is None and len(key.split()) > 2


def _yaml_fences(answer: Answer) -> list[Fence]:
    """Return the fences marked as YAML; else those marked as JSON, a subset of YAML; else those that look like YAML."""
    for infos in (YAML_INFOS, JSON_INFOS):
        found = [f for f in answer.fences if f.info in infos]
        if found:
            return found
    return [f for f in answer.fences if is_yaml_fence(answer.text, f)]


def is_yaml_fence(text: str, fence: Fence) -> bool:
    """Return True if a fence is marked as YAML, or is unmarked and every line in it looks like YAML."""
    unnamed = fence.info == "" and has_yaml_lines(text[fence.body_start : fence.body_end])
    return fence.info in YAML_INFOS or unnamed


def _reading(answer: Answer, start: int, end: int, fence: Fence | None) -> Reading:
    """Parse text[start:end]."""
    try:
        loaded = load_yaml(answer.text[start:end])
    except YamlFailure as failure:
        fault = failure.fault
        if fault.code == "truncated" and end < len(answer.text.rstrip()):
            # The model went on after the document: it forgot a quote or bracket, and was not cut off.
            message = "a quote or bracket is never closed, though the answer goes on"
            fault = replace(fault, code="invalid_yaml", message=message)
        problem = problem_of(answer, start, fault)
        return Reading("yaml", start, end, None, (problem,), wrapper_notes(answer, start, end, fence))
    if loaded.is_prose or (loaded.data is None and not loaded.faults):
        return without_document(answer, "yaml", "YAML document")
    return _finished(answer, start, end, fence, loaded)


def _finished(answer: Answer, start: int, end: int, fence: Fence | None, loaded: Loaded) -> Reading:
    problems = (*(problem_of(answer, start, fault) for fault in loaded.faults), *unclosed(answer, fence, "YAML"))
    return Reading("yaml", start, end, loaded.data, problems, wrapper_notes(answer, start, end, fence))


# Lines that look like YAML distinguish YAML from prose and Markdown, and from prose around it.

# A line without its end: LF, CRLF or a lone CR.
_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n|\Z)")
# "---", "- item", "key: x", `"a key": x`, "[1,"; not "Note that: x", which has several words before the colon.
_STRUCTURE = re.compile(
    r"""---(?:\s|\Z)|\.\.\.\s*\Z|-(?:[ \t]|\Z)|[\[{\]}]|\?[ ]|"[^"]*"[ \t]*:|'[^']*'[ \t]*:"""
    r"""|[^\s:#\-][^\s:]*:(?:[ \t]|\Z)"""
)
# "title: x" and "- x" are keys and items; "Summary: x" alone may be prose.
_LOWER_KEY = re.compile(r"""[-"'a-z0-9_]""")
# "  steps:", an indented line.
_NESTED = re.compile(r"(?<![^\r\n])[ \t]++\S")
# "## Steps" is a heading of Markdown; "# x" may be a comment.
_SUBHEADING = re.compile(r"(?<![^\r\n])#{2,6}[ \t]++\S")


def has_yaml_lines(text: str) -> bool:
    """Return True if a text is YAML line by line, and not prose with colons.

    Every line that starts at column 1 must be a one-word key, a list item, a marker or a comment. One of them must be a
    lower-case key or a list item, unless some line is indented. "##" headings are Markdown.
    """
    some = keyed = False
    for _, line in top_lines(text):
        if not is_structure(line) or line[0] in "[{":
            return False
        some, keyed = True, keyed or _LOWER_KEY.match(line) is not None
    return some and not _SUBHEADING.search(text) and (keyed or is_nested(text))


def is_nested(text: str) -> bool:
    """Return True if a line is indented."""
    return _NESTED.search(text) is not None


def is_structure(line: str) -> bool:
    """Return True if a line that starts at column 1 is a one-word key, a list item, a marker or a bracket."""
    return _STRUCTURE.match(line) is not None


def top_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield start and content of each line that starts at column 1 and is not a comment."""
    for found in _LINE.finditer(text):
        if found.group(1)[:1] not in ("", " ", "\t", "#"):
            yield found.start(), found.group(1)


def yaml_region(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the range from the first line of YAML in text[start:end] to the prose after the last; None without YAML.

    The prose after it is a separate paragraph of several words: half a key at the end is not prose.
    """
    piece = text[start:end]
    first: int | None = None
    following: tuple[int, str] | None = None
    for at, line in top_lines(piece):
        if is_structure(line):
            first, following = at if first is None else first, None
        elif following is None:
            following = at, line
    if first is None:
        return None
    if following is not None and len(following[1].split()) > 1 and _follows_blank_line(piece, following[0]):
        return start + first, start + following[0]
    return start + first, end


def _follows_blank_line(text: str, at: int) -> bool:
    before = text[:at].replace("\r\n", "\n").replace("\r", "\n")
    return not before.removesuffix("\n").rpartition("\n")[2].strip()
