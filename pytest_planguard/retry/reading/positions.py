"""Which item of a list prose speaks of: by position ("the second line", "Line 2") or by its own name ("sku B-7").

A sentence that names another item than the finding's speaks of that one, whatever field and rule it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .entry import step

if TYPE_CHECKING:
    from ...document.path import Path

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = rf"\b({'|'.join(_ORDINALS)}|last|\d{{1,4}}(?:st|nd|rd|th))\b"
_ITEM = "item|entry|element|row|object"
_ITEMS_LIMIT = 200
"""Items of a list whose own names are looked for."""
_NAME_LIMIT = 80
_CACHED = 512
"""Sentences that are kept: every finding asks about the same ones."""


def item_named(path: Path, words: str, text: str, data: Any) -> bool | None:
    """Whether `words`, a part of `text`, name the finding's own items, not others; None where they name none.

    `data` is the parsed answer; the lists on the path are looked at.
    """
    told: list[bool | None] = []
    for name, index, items in _lists(path, data):
        told += [_by_position(name, index, len(items), words, text), _by_name(index, items, path[-1], words)]
    known = [own for own in told if own is not None]
    return all(known) if known else None


def _lists(path: Path, data: Any) -> Iterator[tuple[str, int, Sequence[Any]]]:
    """(name, index, list) of every list on the path."""
    for at, segment in enumerate(path):
        if isinstance(segment, int) and isinstance(data, list) and at and isinstance(path[at - 1], str):
            yield str(path[at - 1]), segment, data
        data = step(data, str(segment))[1]


def _by_position(name: str, index: int, length: int, words: str, text: str) -> bool | None:
    """Digits count from 0 where a 0 is said, from 1 where the list's length is; else either may be meant."""
    said = {n - 1 for n in _ordinals(name, words, text, length)}
    numbers, everywhere = _numbers(name, words), _numbers(name, text)
    if 0 not in everywhere:
        said |= {n - 1 for n in numbers}
    if length not in everywhere:
        said |= numbers
    return index in said if said else None


@lru_cache(maxsize=64)
def _stem(name: str) -> str:
    """`order_lines` is spoken of as "line"."""
    return re.escape(re.split(r"[_\W]", name)[-1].removesuffix("s") or name)


@lru_cache(maxsize=_CACHED)
def _ordinals(name: str, words: str, text: str, length: int) -> frozenset[int]:
    """The noun may be left out ("the second") where the text has it once."""
    noun = rf"\s+(?:{_ITEM}|{_stem(name)}\w{{0,2}})\b"
    named = list(re.finditer(_ORDINAL + noun, words, re.IGNORECASE))
    if not named and _says(_ORDINAL + noun, text):
        named = list(re.finditer(r"\bthe " + _ORDINAL, words, re.IGNORECASE))
    return frozenset(_number(found[1].lower(), length) for found in named)


def _number(ordinal: str, length: int) -> int:
    if ordinal == "last":
        return length
    return _ORDINALS.index(ordinal) + 1 if ordinal in _ORDINALS else int(ordinal[:-2])


@lru_cache(maxsize=64)
def _says(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


@lru_cache(maxsize=_CACHED)
def _numbers(name: str, words: str) -> frozenset[int]:
    """Cached, since every sentence of a text asks for the numbers of the whole text."""
    pattern = rf"\b(?:{_ITEM}|{_stem(name)}\w{{0,2}})\s+(?:#|no\.?\s|number\s)?\s?(\d{{1,4}})\b"
    return frozenset(int(found[1]) for found in re.finditer(pattern, words, re.IGNORECASE))


def _by_name(index: int, items: Sequence[Any], field: str | int, words: str) -> bool | None:
    for key in _naming_keys(items[:_ITEMS_LIMIT], field):
        names = [item[key] for item in items[:_ITEMS_LIMIT]]
        said = {n for n in names if n in words and re.search(rf"(?<![\w-]){re.escape(n)}(?![\w-])", words)}
        if said and index < len(names):
            return names[index] in said
    return None


def _naming_keys(items: Sequence[Any], field: str | int) -> list[str]:
    """Keys whose texts tell all items apart, but for the field that the finding is about."""
    if len(items) < 2 or not isinstance(items[0], dict):
        return []
    keys = [key for key in items[0] if key != field]
    if not keys or not all(isinstance(item, dict) for item in items):
        return []
    return [key for key in keys if _tells_apart([item.get(key) for item in items])]


def _tells_apart(values: list[Any]) -> bool:
    texts = {v for v in values if isinstance(v, str) and 1 < len(v) <= _NAME_LIMIT}
    return len(texts) == len(values)
