"""Decide the format of an answer, and read it. `answer.read` documents the rules of "auto"."""

from __future__ import annotations

import re

from ..positions import LineIndex
from ..prose import classify
from ..wrapper import Fence, find_fences, find_thinking
from .json_answer import is_json_fence, read_json, starts_like_json
from .reading import Answer, Reading, trim, unclosed, without_document, wrapper_notes
from .yaml_answer import has_yaml_lines, is_nested, is_yaml_fence, read_yaml


def read_as(text: str, format_name: str) -> Reading:
    """Read the document of an answer in the given format; "auto" decides by content."""
    thinking = find_thinking(text)
    answer = Answer(text, LineIndex(text), thinking, find_fences(text, thinking.end))
    return _READERS[format_name](answer) if format_name in _READERS else _read_auto(answer)


def _read_auto(answer: Answer) -> Reading:
    text = answer.text[answer.thinking.end :]
    stated = _stated(answer)
    if stated is not None:
        return _READERS[stated](answer)
    json = None
    if has_yaml_lines(text):
        reading = read_yaml(answer)
        if any(problem.code == "invalid_yaml" for problem in reading.problems) and _HAS_JSON.search(text):
            json = read_json(answer)  # words, a colon and broken JSON: report the faults of the JSON
            if json.problems and json.problems[0].code not in _NO_DOCUMENT:
                return json
        if not _is_doubtful(reading, text):
            return reading
    json = json or read_json(answer)
    if json.problems and json.problems[0].code in _NO_DOCUMENT and has_structure(text) and classify(text)[0] == "prose":
        return read_markdown(answer)
    return json


# `{"a":` or `["a",`: common at the start of JSON, and rare in YAML.
_HAS_JSON = re.compile(r"[{\[]\s*\"")
_NO_DOCUMENT = frozenset({"prose", "ask_back", "refusal", "empty"})


def _stated(answer: Answer) -> str | None:
    """Return the format that the text's start or its fences indicate."""
    if starts_like_json(answer.text, answer.thinking.end):
        return "json"
    # Before JSON: another fence, with an example in JSON, may follow a plan in a Markdown fence.
    if answer.fences and answer.fences[0].info in MARKDOWN_INFOS:
        return "markdown"
    if any(is_json_fence(answer.text, fence) for fence in answer.fences):
        return "json"
    return "yaml" if any(is_yaml_fence(answer.text, fence) for fence in answer.fences) else None


def _is_doubtful(reading: Reading, text: str) -> bool:
    """Return True if the lines may look like YAML by chance: flat lines that don't parse, or a list under a heading."""
    if any(problem.code in _NO_DOCUMENT for problem in reading.problems):
        return True
    if any(problem.code == "invalid_yaml" for problem in reading.problems):
        return not is_nested(text)
    flat_list = isinstance(reading.data, list) and not any(isinstance(item, dict) for item in reading.data)
    return flat_list and text.lstrip().startswith("#")


# A Markdown document is the text itself, without a thinking block or a fence around the whole.

MARKDOWN_INFOS = frozenset({"markdown", "md"})
# "## Plan", but not "#hashtag".
_HEADING = re.compile(r"(?<![^\r\n]) {0,3}#{1,6}[ \t]++\S")
# "- one", "2) two", but not "-5 degrees" or "3.5 litres".
_ITEM = re.compile(r"(?<![^\r\n]) {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]++\S")
# The line below the head of a table: "|---|---|", ":--- | ---".
_TABLE = re.compile(r"(?<![^\r\n])[ \t]*+\|?[ \t]*+:?-{3,}+:?[ \t]*+\|")
# "```" alone on its line, which may close any fence.
_BARE_FENCE = re.compile(r"(?<![^\r\n])[ \t]*+(`{3,}+|~{3,}+)[ \t]*+(?=[\r\n]|\Z)")


def read_markdown(answer: Answer) -> Reading:
    """Return the answer as a Markdown document; the data is its text. Only an answer without structure can be prose."""
    fence = _wrapper(answer)
    start, end = (answer.thinking.end, len(answer.text)) if fence is None else (fence.body_start, fence.body_end)
    start, end = trim(answer.text, start, end)
    body = answer.text[start:end]
    if not body or (not has_structure(body) and classify(body)[0] != "prose"):
        return without_document(answer, "markdown", "Markdown document")
    notes = wrapper_notes(answer, start, end, fence)
    return Reading("markdown", start, end, body, unclosed(answer, fence, "Markdown"), notes)


def has_structure(text: str) -> bool:
    """Return True if a text has a heading, a list of two items, or a table."""
    if _HEADING.search(text) or _TABLE.search(text):
        return True
    items = _ITEM.finditer(text)
    return next(items, None) is not None and next(items, None) is not None


def _wrapper(answer: Answer) -> Fence | None:
    """Return the fence marked as Markdown. It ends at the *last* bare fence, since Markdown may contain fences.

    If a heading, a list or a table comes before it, the answer itself is the document, and the fence is an example.
    """
    fence = next((f for f in answer.fences if f.info in MARKDOWN_INFOS), None) or _around_all(answer)
    if fence is None or has_structure(answer.text[answer.thinking.end : fence.start]):
        return None
    mark = answer.text[fence.start]
    # Only marks of the same kind: "~~~" in a plan that is fenced by backticks is text.
    closes = [c for c in _BARE_FENCE.finditer(answer.text, fence.body_start) if c.group(1)[0] == mark]
    if not closes:
        return Fence(fence.start, fence.body_start, len(answer.text), len(answer.text), fence.info, closed=False)
    return Fence(fence.start, fence.body_start, closes[-1].start(), closes[-1].end(), fence.info)


_PLAIN_INFOS = frozenset({"", "text", "txt", "plaintext"})


def _around_all(answer: Answer) -> Fence | None:
    """Return the fence without a language around the whole answer, if there is structure inside it."""
    start, end = trim(answer.text, answer.thinking.end, len(answer.text))
    fence = answer.fences[0] if answer.fences else None
    if fence is None or fence.info not in _PLAIN_INFOS or fence.start != start:
        return None
    is_closed = answer.text.endswith(answer.text[start : start + 3], start, end)
    return fence if is_closed and has_structure(answer.text[fence.body_start : end]) else None


_READERS = {"json": read_json, "yaml": read_yaml, "markdown": read_markdown}
