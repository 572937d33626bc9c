"""Decide what format an answer is in, and read it as that. `answer.read` documents the rules of "auto"."""

from __future__ import annotations

import re

from .json.find import is_json_fence, starts_like_json
from .json.json_answer import read_json
from .markdown_answer import MARKDOWN_INFOS, has_structure, read_markdown
from .reading import Answer, Reading
from .span import LineIndex
from .text.prose import classify
from .text.wrapper import find_fences, find_thinking
from .yaml.yaml_answer import has_yaml_lines, is_nested, is_yaml_fence, read_yaml

_READERS = {"json": read_json, "yaml": read_yaml, "markdown": read_markdown}


def read_as(text: str, format_name: str) -> Reading:
    """Read the document of an answer as the format asked for; "auto" decides by content."""
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
            json = read_json(answer)  # words, a colon and broken JSON: what is wrong is wrong with the JSON
            if json.problems and json.problems[0].code not in _NO_DOCUMENT:
                return json
        if not _is_doubtful(reading, text):
            return reading
    json = json or read_json(answer)
    if json.problems and json.problems[0].code in _NO_DOCUMENT and has_structure(text) and classify(text)[0] == "prose":
        return read_markdown(answer)
    return json


# `{"a":` or `["a",`: how JSON begins, and YAML hardly ever.
_HAS_JSON = re.compile(r"[{\[]\s*\"")
_NO_DOCUMENT = frozenset({"prose", "ask_back", "refusal", "empty"})


def _stated(answer: Answer) -> str | None:
    """Return the format that the text's start or its fences state."""
    if starts_like_json(answer.text, answer.thinking.end):
        return "json"
    if answer.fences and answer.fences[0].info in MARKDOWN_INFOS:
        return "markdown"
    if any(is_json_fence(answer.text, fence) for fence in answer.fences):
        return "json"
    return "yaml" if any(is_yaml_fence(answer.text, fence) for fence in answer.fences) else None


def _is_doubtful(reading: Reading, text: str) -> bool:
    """Return lines may look like YAML by chance: flat lines that do not parse, or a Markdown list under a heading."""
    if any(problem.code in _NO_DOCUMENT for problem in reading.problems):
        return True
    if any(problem.code == "invalid_yaml" for problem in reading.problems):
        return not is_nested(text)
    flat_list = isinstance(reading.data, list) and not any(isinstance(item, dict) for item in reading.data)
    return flat_list and text.lstrip().startswith("#")
