"""Constraints on one text: present, long enough, of a form, with or without some words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..phrasing import as_json, choices, did_you_mean, fold, plural
from .patterns import matches
from .scene import Violation, each, each_text, wrong


def _non_empty(value: Any, _: Mapping[str, Any]) -> Iterator[Violation]:
    """Whitespace alone is empty; 0 and false are not."""
    if value is None or (isinstance(value, str) and not value.strip()):
        yield wrong("some text", value)
    elif isinstance(value, (list, dict)) and not value:
        yield wrong("at least 1 item", value)


def _one_of(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    values, match = params["values"], params["match"]
    if not any(_same(value, allowed, match) for allowed in values):
        expected = choices(values) + _MATCH_WORDS[match]
        yield replace(wrong(expected, value, hint=did_you_mean(value, values)), allowed=tuple(values))


_MATCH_WORDS = {
    "exact": "",
    "casefold": " (in any case)",
    "prefix": " as its beginning",
    "contains": " in it",
}


def _same(value: Any, allowed: Any, match: str) -> bool:
    if match == "exact" or not isinstance(value, str) or not isinstance(allowed, str):
        # 1 and 1.0 are one JSON number, but true is none.
        return isinstance(value, bool) is isinstance(allowed, bool) and bool(value == allowed)
    text, wanted = fold(value), fold(allowed)
    if match == "casefold":
        return text == wanted
    # A word boundary must follow: "Go" is no beginning of "Gone".
    return any(
        not text[at + len(wanted) : at + len(wanted) + 1].isalnum()
        for at in _places(text, wanted)
        if at == 0 or (match == "contains" and not text[at - 1].isalnum())
    )


def _places(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _min_length(text: str, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Outer whitespace does not count; characters are code points."""
    has = len(text.strip())
    if has < params["chars"]:
        yield wrong(f"at least {plural(params['chars'], 'character')} (has {has})", text)


def _max_length(text: str, params: Mapping[str, Any]) -> Iterator[Violation]:
    if len(text) > params["chars"]:
        yield wrong(f"at most {plural(params['chars'], 'character')} (has {len(text)})", text)


def _regex(text: str, params: Mapping[str, Any]) -> Iterator[Violation]:
    if not matches(params["pattern"], text, params["match"]):
        yield wrong(f"text matching {params['pattern']}", text)


def _contains(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    lacking = [wanted for wanted in params["values"] if not _holds(value, wanted, params["ignore_case"])]
    if lacking:
        yield wrong(f"{_all(lacking)} in it", value)


def _excludes(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    present = [unwanted for unwanted in params["values"] if _holds(value, unwanted, params["ignore_case"])]
    if present:
        yield wrong(f"no {_all(present)} in it", value)


def _all(values: Sequence[Any]) -> str:
    return " and ".join(as_json(value) for value in values)


def _holds(value: Any, wanted: Any, ignore_case: bool) -> bool:
    """A text holds a piece of text; a list holds an item."""
    if isinstance(value, str) and isinstance(wanted, str):
        return wanted.casefold() in value.casefold() if ignore_case else wanted in value
    if isinstance(value, list):
        return any(_same(item, wanted, "casefold" if ignore_case else "exact") for item in value)
    return False


non_empty = each(_non_empty)
one_of = each(_one_of)
min_length = each_text(_min_length)
max_length = each_text(_max_length)
regex = each_text(_regex)
contains = each(_contains)
excludes = each(_excludes)
