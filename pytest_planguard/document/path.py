"""Paths into a document: the tuple form that findings use, its spellings, and patterns with wildcards."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .path_pattern import PathPattern

Path = tuple[str | int, ...]
"""Keys and 0-based list indices from the root; () is the root."""

WHOLE_ANSWER = "(whole answer)"
"""How `to_dotted` spells the root."""

_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*", re.UNICODE)


def to_pointer(path: Path) -> str:
    """JSON pointer (RFC 6901): `("tasks", 0, "id")` is "/tasks/0/id"; the root is ""."""
    return "".join([f"/{part}" if isinstance(part, int) else f"/{_escaped(part)}" for part in path])


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def to_dotted(path: Path) -> str:
    """The spelling for people: "tasks[0].id"; a key that is no plain word is quoted: `a["b c"]`."""
    return _join(path, "") if path else WHOLE_ANSWER


def to_jsonpath(path: Path) -> str:
    """JSONPath (RFC 9535): "$.tasks[0].id"; the root is "$"."""
    return _join(path, "$")


def parse_path(text: str) -> PathPattern:
    """Read a path or a pattern of paths.

    Understood: "levers[*].options", "tasks[0].id", `a["b c"]`, "map.*", each with or without a leading "$"; a JSON
    pointer "/tasks/0/id" (no wildcards; a number fits an index as well as a key); "", "$" and "(whole answer)" for
    the root.

    Raises:
        UsageError: the text is no path; the message quotes it and names the position, counted from 1.
    """
    from .path_pattern import PathPattern, parse

    return PathPattern((), text) if text == WHOLE_ANSWER else parse(text)


def value_at(value: Any, path: Path) -> Any:
    """The value that stands at `path`. Raises LookupError where the path leads nowhere."""
    for part in path:
        fits = isinstance(value, list) if isinstance(part, int) else isinstance(value, dict)
        if not fits:
            raise LookupError(to_dotted(path))
        value = value[part]
    return value


def walk(value: Any) -> Iterator[tuple[Path, Any]]:
    """Every path of a document with its value, in document order, parents first. Any depth."""
    from .path_pattern import children

    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, current = stack.pop()
        yield path, current
        stack.extend(((*path, part), child) for part, child in reversed(children(current)))


def _join(path: Path, start: str) -> str:
    out = start
    for part in path:
        if isinstance(part, int):
            out += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            out += f".{part}" if out else part
        else:
            out += f"[{json.dumps(part, ensure_ascii=False)}]"
    return out


__all__ = [
    "WHOLE_ANSWER",
    "Path",
    "parse_path",
    "to_dotted",
    "to_jsonpath",
    "to_pointer",
    "value_at",
    "walk",
]
