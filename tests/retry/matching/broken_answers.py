"""Answers that no parser reads as a whole, by the ways in which models break good ones, and what parsers say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from hypothesis import strategies as st
from pydantic import ValidationError

from ...support.conversations import Plan

_GOALS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=3, max_size=20)
_TASKS = st.lists(st.fixed_dictionaries({"id": st.integers(1, 99), "status": st.sampled_from(["Draft", "Approved"])}))
_PLANS = st.fixed_dictionaries({"goal": _GOALS, "tasks": _TASKS})


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A plan as JSON, on one line or on several, with and without escapes."""
    indent = draw(st.sampled_from([None, 2]))
    return json.dumps(draw(_PLANS), indent=indent, ensure_ascii=draw(st.booleans()))


def _spliced(text: str, at: int, piece: str, skipped: int = 0) -> str:
    at %= len(text)
    return text[:at] + piece + text[at + skipped :]


WAYS: dict[str, Callable[[str, int], str]] = {
    "begins with a quotation mark": lambda text, _: f'"{text}',
    "begins with a quotation mark, cut off": lambda text, at: f'"{text}'[: at % len(text) + 1],
    "quoted prose in front": lambda text, _: f'"Plan" {text}',
    "prose in front": lambda text, _: f"Sure! {text}",
    "prose on the line above": lambda text, _: f"Here is the plan:\n{text}",
    "prose above what is broken": lambda text, _: f"Here is the plan:\n{text.replace(':', '', 1)}",
    "two documents": lambda text, _: f"{text}\n{text}",
    "two documents, a comma between": lambda text, _: f"{text}, {text}",
    "two documents, the second broken": lambda text, _: f"{text}, {{\n {text[1:].replace(':', '', 1)}",
    "cut off": lambda text, at: text[: at % len(text)],
    "a fence": lambda text, _: f"```json\n{text}\n```",
    "a fence, cut off": lambda text, at: f"```json\n{text[: at % len(text)]}",
    "a fence around what is broken": lambda text, at: f"```json\n{_spliced(text, at, '', 1)}\n```",
    "text after": lambda text, _: f"{text}\n\nLet me know.",
    "text right after": lambda text, _: f"{text} // done",
    "a sign too few": lambda text, at: _spliced(text, at, "", 1),
    "a bracket too many": lambda text, at: _spliced(text, at, "}"),
    "a comma too many": lambda text, _: f"{text[:-1]},}}",
    "a line break in a string": lambda text, _: text.replace('"goal": "', '"goal": "\n', 1),
    "a bad escape": lambda text, _: text.replace('"goal": "', '"goal": "\\q', 1),
    "single quotes": lambda text, _: text.replace('"', "'"),
    "white space in front": lambda text, _: f" \n\t{text.replace(':', '', 1)}",
    "a byte order mark": lambda text, _: f"\ufeff{text}",
    "a JSON string, cut off": lambda text, _: json.dumps(text)[:-1],
    "prose alone": lambda text, at: f"I cannot plan that, sorry. {at}",
}


@st.composite
def broken_answers(draw: st.DrawFn) -> str:
    """A broken answer that Python's parser does not read."""
    text = WAYS[draw(st.sampled_from(sorted(WAYS)))](draw(documents()), draw(st.integers(0, 500)))
    return text if python(text) else f"{text} {{"


def python(text: str) -> str:
    """Return what Python's parser says of a text; "" where it reads it."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return str(error)
    return ""


def pydantic(text: str) -> str:
    """Return what a model says of a text: its parser's words, or "" where that reads it."""
    try:
        Plan.model_validate_json(text)
    except ValidationError as error:
        return next((found["msg"] for found in error.errors() if found["type"] == "json_invalid"), "")
    return ""


PARSERS = {"python": python, "pydantic": pydantic}
TRIMMED: dict[str, Callable[[str], str]] = {"as it came": str, "stripped": str.strip}
WORDED: dict[str, Callable[[str], str]] = {
    "introduced": lambda error: f"Invalid JSON: {error.removeprefix('Invalid JSON: ')}\nAnswer with the JSON alone.",
    "listed": lambda error: f"That answer was rejected:\n- (whole answer): {error}\nAnswer the same task again.",
    "in German": lambda error: f"Die Antwort konnte nicht gelesen werden ({error}). Bitte noch einmal.",
}


def place(error: str) -> tuple[int, int]:
    """Return the line and the column that a parser names."""
    found = re.search(r"line (\d+) column (\d+)", error)
    assert found
    return int(found[1]), int(found[2])
