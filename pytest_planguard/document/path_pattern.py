"""Path patterns such as `levers[*].options`: parsing, matching, and the fields that a user names."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..errors import UsageError
from .formats.json_load import string_end
from .path import WHOLE_ANSWER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .path import Path


@dataclass(frozen=True, slots=True)
class Wildcard:
    """Any item of a list ("[*]") or any value of an object (".*")."""

    lists: bool


@dataclass(frozen=True, slots=True)
class Either:
    """A number in a JSON pointer: an index in a list, a key in an object."""

    number: int


@dataclass(frozen=True, slots=True)
class Named:
    """A key that an answer may spell in several ways: a field's name and its aliases. The first that exists counts."""

    names: tuple[str, ...]

    def in_object(self, members: Mapping[str, object]) -> str:
        """Return the name that an object has; the first one if it has none."""
        return next((name for name in self.names if name in members), self.names[0])


Step = str | int | Wildcard | Either | Named
_ANY_ITEM: Final = Wildcard(lists=True)
_ANY_VALUE: Final = Wildcard(lists=False)


class Gap(NamedTuple):
    """A place that a pattern asks for and a document does not have."""

    path: Path
    wanted: str | None = None
    """"a list" or "an object" if something else is there; None if nothing is there."""
    value: object = None
    """The other value there."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A path whose steps may be wildcards. Matching never raises. A step of the wrong type matches nothing."""

    steps: tuple[Step, ...]
    text: str
    """As the user wrote it."""

    def select(self, value: object) -> Iterator[tuple[Path, Any]]:
        """Return every matching path with its value, in document order."""
        return _select(self.steps, value)

    def fits(self, path: Path) -> bool:
        """Return True if the pattern names this path: "[*]" is any index, ".*" any key."""
        return len(self.steps) == len(path) and all(map(_fits, self.steps, path))

    def missing(self, value: object) -> Iterator[Path]:
        """Yield every path whose parent exists in the document, but whose last key does not.

        Only a pattern that ends in a key can yield paths: a list without items lacks nothing.
        """
        last = self.steps[-1] if self.steps else None
        if isinstance(last, str):
            for parent, found in _select(self.steps[:-1], value):
                if isinstance(found, dict) and last not in found:
                    yield (*parent, last)

    def gaps(self, value: object) -> Iterator[Gap]:
        """Yield every place at which a document ends before the pattern does: no such key, object or list.

        An empty list has no gap: it lacks no field.
        """
        for depth, step in enumerate(self.steps):
            for path, found in _select(self.steps[:depth], value):
                gap = _gap(step, path, found)
                if gap is not None:
                    yield gap

    def also_named(self, names: Mapping[str, tuple[str, ...]]) -> PathPattern:
        """Return the pattern with every name that a key may have.

        Args:
            names: the names of each field that has several, by each of them.
        """
        steps = (Named(names[step]) if isinstance(step, str) and step in names else step for step in self.steps)
        return PathPattern(tuple(steps), self.text)

    def __str__(self) -> str:
        return self.text


def _fits(step: Step, part: str | int) -> bool:
    if isinstance(step, Wildcard):
        return isinstance(part, int) is step.lists
    if isinstance(step, Named):
        return part in step.names
    # The pointer "/0" fits the index 0 and the key "0", but not "00".
    return str(step.number) == str(part) if isinstance(step, Either) else step == part


def _gap(step: Step, path: Path, value: object) -> Gap | None:
    """Return the gap of a value that should have a step; None if it has it, or if the step fits other values, too."""
    if isinstance(step, Wildcard):
        fits = isinstance(value, list if step.lists else dict)
        return None if fits else Gap(path, "a list" if step.lists else "an object", value)
    if isinstance(step, (str, Named)):
        key = step if isinstance(step, str) else step.in_object(value if isinstance(value, dict) else {})
        if value is None or (isinstance(value, dict) and key not in value):
            return Gap((*path, key))
        return None if isinstance(value, dict) else Gap(path, "an object", value)
    if isinstance(step, int) and isinstance(value, list) and step >= len(value):
        return Gap((*path, step))
    return None


def children(value: object) -> list[tuple[str | int, Any]]:
    """Return the keys or indices of a dict or list with their values, in order; nothing for a scalar."""
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def walk(value: object) -> Iterator[tuple[Path, Any]]:
    """Yield every path of a document with its value, in document order, parents first. Any depth."""
    stack: list[tuple[Path, object]] = [((), value)]
    while stack:
        path, current = stack.pop()
        yield path, current
        stack.extend(((*path, part), child) for part, child in reversed(children(current)))


def texts_in(value: object) -> Iterator[tuple[Path, str]]:
    """Yield every string of a document with its path, in document order, but not the names of members."""
    return ((path, inner) for path, inner in walk(value) if isinstance(inner, str))


def _select(steps: tuple[Step, ...], value: object) -> Iterator[tuple[Path, object]]:
    """Yield matches depth first, with an explicit stack, so that a long pattern cannot exhaust Python's."""
    stack: list[tuple[Path, object]] = [((), value)]
    while stack:
        path, current = stack.pop()
        if len(path) == len(steps):
            yield path, current
        else:
            found = _matches(steps[len(path)], current)
            stack.extend(((*path, part), child) for part, child in reversed(found))


def _matches(step: Step, value: object) -> list[tuple[str | int, object]]:
    if isinstance(step, Wildcard):
        return children(value) if isinstance(value, list if step.lists else dict) else []
    if isinstance(step, Either):
        step = step.number if isinstance(value, list) else str(step.number)
    if isinstance(step, Named):
        step = step.in_object(value) if isinstance(value, dict) else step.names[0]
    if isinstance(step, int):
        return [(step, value[step])] if isinstance(value, list) and step < len(value) else []
    return [(step, value[step])] if isinstance(value, dict) and step in value else []


# "title" or "größe"; a key with a dot, a bracket, a quote, a star or a blank must be quoted.
_KEY = re.compile(r"[^\s.\[\]\"'*$/][^\s.\[\]\"'*]*")
# "[0]", "[12]"; "[-1]" and "[01]" are not indices.
_INDEX = re.compile(r"\[(0|[1-9][0-9]{0,8})\]")


def parse_path(text: str) -> PathPattern:
    """Read a path or a path pattern.

    Accepted: "levers[*].options", "tasks[0].id", `a["b c"]`, "map.*", each with or without a leading "$"; a JSON
    pointer "/tasks/0/id" (no wildcards; a number matches an index as well as a key); "", "$" and "(whole answer)" for
    the root.

    Raises:
        UsageError: the text is not a path; the message quotes it and gives the position, counted from 1.
    """
    if not isinstance(text, str):
        raise UsageError(f'a path is a text: got {text!r:.80}; write it as in "tasks[0].id"')
    if text in ("", "$", WHOLE_ANSWER):
        return PathPattern((), text)
    if text.startswith("/"):
        return PathPattern(tuple(_pointer_step(part) for part in text[1:].split("/")), text)
    steps: list[Step] = []
    position = 1 if text.startswith("$") else 0
    while position < len(text):
        step, position = _step(text, position)
        steps.append(step)
    return PathPattern(tuple(steps), text)


def _pointer_step(part: str) -> Step:
    if re.fullmatch("0|[1-9][0-9]{0,8}", part):
        return Either(int(part))
    # "~1" first: "~01" is the key "~1", and would become "/".
    return part.replace("~1", "/").replace("~0", "~")


def _step(text: str, position: int) -> tuple[Step, int]:
    """Return one step and the position after it."""
    if text.startswith("[*]", position):
        return _ANY_ITEM, position + 3
    if text[position] == "[":
        return _bracket(text, position)
    start = position
    if text[position] == ".":
        start += 1
    elif position:
        raise _wrong(text, position, '"." or "["')
    if text.startswith("*", start):
        return _ANY_VALUE, start + 1
    key = _KEY.match(text, start)
    if key is None:
        raise _wrong(text, start, "a key")
    return key.group(), key.end()


def _bracket(text: str, position: int) -> tuple[Step, int]:
    index = _INDEX.match(text, position)
    if index:
        return int(index.group(1)), index.end()
    if text[position + 1 : position + 2] not in ('"', "'"):
        raise _wrong(text, position + 1, "an index from 0, * or a quoted key")
    try:
        key, end = _quoted_key(text, position + 1)
    except json.JSONDecodeError as error:
        raise _wrong(text, error.pos, "a quoted key with its closing quote") from None
    if text[end : end + 1] != "]":
        raise _wrong(text, end, '"]"')
    return key, end + 1


def _quoted_key(text: str, position: int) -> tuple[str, int]:
    """Return a key in double quotes with JSON escapes, or in single quotes without."""
    if text[position] == '"':
        return string_end(text, position + 1)
    end = text.find("'", position + 1)
    if end < 0:
        raise json.JSONDecodeError("Unterminated string", text, position)
    return text[position + 1 : end], end + 1


def _wrong(text: str, position: int, expected: str) -> UsageError:
    seen = json.dumps(text[position], ensure_ascii=False) if position < len(text) else "the end"
    quoted = json.dumps(text, ensure_ascii=False)
    return UsageError(
        f"{quoted} is not a path: expected {expected} at position {position + 1}, got {seen}; "
        'paths look like "tasks[0].id", "levers[*].options" or "/tasks/0/id"'
    )


# The field of a parsed line that a user names on the command line: "output", "response.text".

SHOWN = 8
"""Maximum number of fields to list in a message."""


# "0", "-1". Nine digits: a longer number is no index, and Python refuses to read one of thousands.
_ITEM = re.compile(r"-?[0-9]{1,9}")


class NoFieldError(LookupError):
    """The line has no such field; the message lists the fields that it has."""


def named_field(value: object, name: str) -> Any:
    """Return the value at a dotted name, in which numbers are list indices: "choices.0.message.content".

    Indices start at 0, and -1 is the last item. A key with a dot cannot be named.

    Raises:
        NoFieldError: a step of the name leads nowhere.
    """
    for step in name.split("."):
        if isinstance(value, list) and _ITEM.fullmatch(step) and -len(value) <= int(step) < len(value):
            value = value[int(step)]
            continue
        if not (isinstance(value, dict) and step in value):
            if not isinstance(value, dict):
                raise NoFieldError(f"no field {step!r}: its parent is not an object, but a {type(value).__name__}")
            raise NoFieldError(f"no field {step!r}; it has: {', '.join(list(value)[:SHOWN]) or 'nothing'}")
        value = value[step]
    return value
