"""Find secrets in a stream.

A key that the model writes in pieces is complete in no event, only in their joined texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...document.path import Path, put_at
from ...document.path_pattern import texts_in
from ...wire.untrusted_json import parsed_or_none
from .secrets import Secret

_LINE = re.compile(r"(data: ?|)([{\[].*)", re.DOTALL)


@dataclass
class _Line:
    number: int
    prefix: str
    value: Any


def is_stream(text: str) -> bool:
    """Return True if a body is server-sent events or one JSON document a line."""
    start = text.lstrip("\ufeff\r\n")
    return start.startswith(("data:", "event:", "id:", "retry:", ":")) or ("\n{" in start and start[0] == "{")


def clean_stream(
    text: str, clean: Callable[[Any, str], object], find: Callable[[str], list[Secret]], note: Callable[[str], None]
) -> str:
    """Return the stream with each event's JSON cleaned by `clean(value, path)`, and without keys cut into pieces.

    `find` finds the secrets of a text; `note` is called with the kind of each that ran over several events.
    """
    lines = text.split("\n")
    parsed = list(_parsed(lines))
    # First over all events: cleaning a single event may remove the first part of a key that ends in the next one.
    changed = _clean_across_lines(parsed, find, note)
    changed |= {line.number for line in parsed if _clean_line(line, clean)}
    for line in parsed:
        if line.number in changed:
            end = "\r" if lines[line.number].endswith("\r") else ""
            lines[line.number] = f"{line.prefix}{json.dumps(line.value, ensure_ascii=False)}{end}"
    return "\n".join(lines)


def _parsed(lines: list[str]) -> Iterator[_Line]:
    for number, line in enumerate(lines):
        match = _LINE.fullmatch(line.rstrip("\r"))
        value = parsed_or_none(match[2]) if match else None
        if match and value is not None:
            yield _Line(number, match[1], value)


def _clean_line(line: _Line, clean: Callable[[Any, str], object]) -> bool:
    before, line.value = line.value, clean(line.value, f"line {line.number + 1}")
    return bool(before != line.value)


def _clean_across_lines(
    lines: list[_Line], find: Callable[[str], list[Secret]], note: Callable[[str], None]
) -> set[int]:
    """Replace keys that run over several events. Return the numbers of the lines that changed."""
    threads: dict[tuple[object, ...], list[tuple[_Line, Path, str]]] = {}
    for line in lines:
        where = tuple(_indices(line.value))
        for path, text in texts_in(line.value):
            threads.setdefault((path, where), []).append((line, path, text))
    changed: set[int] = set()
    for pieces in threads.values():
        changed |= _redact_pieces(pieces, find, note)
    return changed


def _redact_pieces(
    pieces: list[tuple[_Line, Path, str]], find: Callable[[str], list[Secret]], note: Callable[[str], None]
) -> set[int]:
    joined = "".join(text for _, _, text in pieces)
    secrets = find(joined) if len(pieces) > 1 else []
    changed, at = set(), 0
    for line, path, text in pieces:
        kept = text
        for secret in reversed(secrets):
            start, end = max(secret.start - at, 0), min(secret.end - at, len(text))
            if start < end:
                first = secret.start >= at
                kept = kept[:start] + (secret.instead if first else "") + kept[end:]
        if kept != text:
            put_at(line.value, path, kept)
            changed.add(line.number)
        at += len(text)
    for secret in secrets:
        note(secret.kind)
    return changed


def _indices(value: object) -> Iterator[object]:
    """Yield the members that distinguish parallel texts of one stream: `index`, `output_index`, …, at any depth."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key.endswith("index"):
                yield member if isinstance(member, int) else None
            else:
                yield from _indices(member)
    elif isinstance(value, list):
        for item in value:
            yield from _indices(item)
