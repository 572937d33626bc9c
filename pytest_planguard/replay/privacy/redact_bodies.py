"""Find secrets in bodies that are not one JSON document: streams, forms and multipart bodies.

A key that the model writes in pieces is complete in no event of a stream, only in their joined texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus, unquote_plus

from ...document.path import Path, put_at
from ...document.path_pattern import texts_in
from ...wire.untrusted_json import parsed_or_none
from .secrets import Secret

# A line with JSON, of a stream or of JSON Lines: 'data: {"key": 1}', '{"key": 1}'.
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
    for line in parsed:
        before, line.value = line.value, clean(line.value, f"line {line.number + 1}")
        if before != line.value:
            changed.add(line.number)
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


# Forms and multipart bodies.

# "grant_type=client_credentials&client_secret=abc": a form, for any content type. No line break, no blank.
_FORM = re.compile(r"[\w.\[\]%+-]{1,200}=[^\s=&\"{}]*=?=?(?:&[\w.\[\]%+-]{1,200}=[^\s&\"{}]*)*", re.ASCII)
# The head of a form's part: 'Content-Disposition: form-data; name="client_secret"'.
_PART_NAME = re.compile(r'(?i)content-disposition: ?form-data;[^\r\n]{0,200}?\bname="?([^";\r\n]{1,80})"?[^\r\n]*\r?\n')

IsSecret = Callable[[str, str], bool]
"""Returns True if the value of a field, given by name and value, is a secret."""


def clean_form(
    text: str,
    is_secret: IsSecret,
    placeholder: str,
    note: Callable[[str], None],
    clean: Callable[[str], str],
) -> str:
    """Return a form or multipart body with a placeholder for every secret; any other text as it is.

    `note` is called with the name of each field that held one. `clean` removes secrets from the text of a field with
    other words, and reports them itself.
    """
    if "form-data" in text:
        return _clean_multipart(text, is_secret, placeholder, note)
    if "=" not in text[:201] or not _FORM.fullmatch(text.strip()):
        return text
    pieces = []
    for piece in text.split("&"):
        name, equals, value = piece.partition("=")
        told = unquote_plus(name.strip())
        if equals and value.strip() != placeholder and is_secret(told, unquote_plus(value.strip())):
            note(told)
            piece = f"{name}={placeholder}"
        elif "%" in value or "+" in value:  # an encoded text hides its secrets from every other check
            plain = unquote_plus(value)
            cleaned = clean(plain)
            piece = piece if cleaned == plain else f"{name}={quote_plus(cleaned, safe='[]')}"
        pieces.append(piece)
    return "&".join(pieces)


def _clean_multipart(text: str, is_secret: IsSecret, placeholder: str, note: Callable[[str], None]) -> str:
    out, at = [], 0
    for match in _PART_NAME.finditer(text):
        span = _value_span(text, match.end())
        if span is None or match.start() < at:
            continue
        start, end = span
        if text[start:end] != placeholder and is_secret(match[1], text[start:end]):
            note(match[1])
            out += [text[at:start], placeholder]
            at = end
    return "".join([*out, text[at:]])


def _value_span(text: str, at: int) -> tuple[int, int] | None:
    """Return start and end of a part's value: from the empty line after its headers to the next boundary."""
    while (end := text.find("\n", at)) >= 0 and text[at:end].strip():
        at = end + 1
    stop = text.find("\n--", end) if end >= 0 else -1
    if stop < 0:
        return None
    return end + 1, max(end + 1, stop - 1 if text[stop - 1] == "\r" else stop)
