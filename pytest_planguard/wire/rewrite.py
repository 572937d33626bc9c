"""Replace the answer in a recorded response, in any dialect."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from ..document.path import Path, put_at
from ..document.path_pattern import texts_in
from .aws_event_stream import starts_frame, with_objects
from .body import to_text, unpack
from .exchange import Message
from .untrusted_json import parsed_or_none

_DATA = "data:"
_ORDINALS = ("type", "index", "output_index", "content_index", "item_id", "contentBlockIndex")
"""Members that distinguish the texts of an answer in stream events."""
_Place = tuple[int, Path]
"""The index of an object, and a path in it."""


def with_answer(response: Message, old: str, new: str) -> Message | None:
    """Return the response with the answer `old` replaced by `new`; None if `old` is not found in it.

    The answer may be text, or the arguments of a call as text or as an object, even nested in another JSON text. If it
    is split across events of a stream, the first event gets the whole new text. The caller must decode the result and
    check its answer, since a body may contain more than one copy.
    """
    body = unpack(response.headers, response.body).body
    swap = _Swap(old, new)
    if starts_frame(body):
        framed = with_objects(body, lambda objects: _swap_answer(objects, swap))
        return None if framed is None else replace(response, body=framed)
    text = to_text(body)
    whole = parsed_or_none(text)
    if whole is not None:
        found = _swap_answer(whole if isinstance(whole, list) else [whole], swap)
        changed = None if found is None else json.dumps(found if isinstance(whole, list) else found[0])
    else:
        changed = _in_lines(text, swap)
    return None if changed is None else replace(response, body=changed.encode())


class _Swap:
    """The old answer in every form in which it may occur, and the new answer in the same forms."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new
        self._inner = json.dumps(old)[1:-1], json.dumps(new)[1:-1]
        self._plain = json.dumps(old, ensure_ascii=False)[1:-1], json.dumps(new, ensure_ascii=False)[1:-1]
        self._value, self._other = parsed_or_none(old), parsed_or_none(new)
        self.done = 0

    def text(self, value: str) -> str:
        if value == self.old:
            self.done += 1
            return self.new
        for old, new in (self._inner, self._plain):
            # Only in JSON, as in the arguments of a call: a sentence that quotes the answer stays as it is.
            if len(old) > 1 and old in value and value.lstrip()[:1] == "{":
                self.done += 1
                return value.replace(old, new)
        arguments = self.within(value)
        if arguments is None:
            return value
        self.done += 1
        return arguments

    def within(self, text: str) -> str | None:
        """Return the JSON text of a call whose only argument is the answer, with the answer replaced; otherwise None.

        The tool takes {"ticket": {...}}, and the contract judges the ticket.
        """
        value = parsed_or_none(text) if self._is_document and text.lstrip()[:1] == "{" else None
        names = [name for name, inner in value.items() if self.is_object(inner)] if isinstance(value, dict) else []
        return json.dumps({**value, names[0]: self._other}) if isinstance(value, dict) and len(names) == 1 else None

    @property
    def _is_document(self) -> bool:
        return isinstance(self._value, dict | list)

    def is_object(self, value: object) -> bool:
        return isinstance(value, dict | list) and bool(value) and value == self._value

    def object(self) -> Any:
        self.done += 1
        return self._other


def _swap_answer(objects: list[Any], swap: _Swap) -> list[Any] | None:
    """Return the objects with the answer replaced, whether whole or split; None if it does not occur."""
    found = [_swap_within(value, swap.text, swap) for value in objects]
    pieces, text = _pieces(found, swap)
    for number, (which, path) in enumerate(pieces):
        put_at(found[which], path, text if number == 0 else "")
    return found if swap.done or pieces else None


def _swap_within(value: object, text: Callable[[str], str], swap: _Swap) -> object:
    if swap.is_object(value):
        return swap.object()
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        return {key: _swap_within(member, text, swap) for key, member in value.items()}
    return [_swap_within(item, text, swap) for item in value] if isinstance(value, list) else value


def _pieces(objects: list[Any], swap: _Swap) -> tuple[list[_Place], str]:
    """Return the places of the pieces of the answer in all objects, in order, and their new text.

    Without any, return ([], "").
    """
    groups: dict[Hashable, list[tuple[_Place, str]]] = defaultdict(list)
    for number, value in enumerate(objects):
        about = tuple(str(value.get(name)) for name in _ORDINALS) if isinstance(value, dict) else ()
        for path, text in texts_in(value):
            groups[(path, about)].append(((number, path), text))
    for found in groups.values():
        filled = [(place, text) for place, text in found if text]
        whole = "".join(text for _, text in filled) if len(filled) > 1 else ""
        new = swap.new if whole and whole == swap.old else swap.within(whole)
        if new is not None:
            return [place for place, _ in filled], new
    return [], ""


def _in_lines(text: str, swap: _Swap) -> str | None:
    """Return a stream of JSON objects, one per line, bare or as event data, with the answer replaced."""
    lines = text.split("\n")
    places, objects = [], []
    for number, line in enumerate(lines):
        value = parsed_or_none(line.removeprefix(_DATA).strip())
        if isinstance(value, dict):
            places.append(number)
            objects.append(value)
    found = _swap_answer(objects, swap)
    if found is None:
        return None
    for number, value in zip(places, found, strict=True):
        start = f"{_DATA} " if lines[number].startswith(_DATA) else ""
        end = "\r" if lines[number].endswith("\r") else ""
        lines[number] = f"{start}{json.dumps(value)}{end}"
    return "\n".join(lines)
