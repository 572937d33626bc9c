"""Paths into a document: the tuple form that findings use, its spellings."""

from __future__ import annotations

import json
import re
from typing import Any

Path = tuple[str | int, ...]
"""Keys and 0-based list indices from the root; () is the root. The key "0" and the index 0 are two steps.

As data (in rows, lists of known failures, JSON output) a path is a list of texts and whole numbers: a spelling such as
the pointer "/years/0" does not tell the two apart.
"""

WildcardPath = tuple[str | None, ...]
"""A path with None, any item of a list, in place of every index; null in JSON, so that "*" stays a key like others."""

WHOLE_ANSWER = "(whole answer)"
"""How `to_dotted` spells the root."""

# "title", "due_date", "a-b"; any other is quoted: `years["2024"]`, `a["b c"]`.
_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*", re.UNICODE)


def to_pointer(path: Path) -> str:
    """JSON pointer (RFC 6901): `("tasks", 0, "id")` is "/tasks/0/id"; the root is ""."""
    return "".join(["/" + str(part).replace("~", "~0").replace("/", "~1") for part in path])


def wildcard(path: Path) -> WildcardPath:
    """Return the path of a field in any item: ("tasks", 0, "id") becomes ("tasks", None, "id"). Keys stay, "0" too."""
    return tuple([None if isinstance(part, int) else part for part in path])


def to_dotted(path: Path | WildcardPath) -> str:
    """Return the spelling for people: "tasks[0].id", "tasks[*].id" for any item.

    A key that is no plain word is quoted: `a["b c"]`, `years["2024"]`. Different paths have different spellings.
    """
    return _join(path, "") if path else WHOLE_ANSWER


def to_jsonpath(path: Path) -> str:
    """JSONPath (RFC 9535): "$.tasks[0].id"; the root is "$"."""
    return _join(path, "$")


def value_at(value: Any, path: Path) -> Any:
    """Return the value that stands at `path`. Raises LookupError where the path leads nowhere."""
    for part in path:
        fits = isinstance(value, list) if isinstance(part, int) else isinstance(value, dict)
        if not fits:
            raise LookupError(to_dotted(path))
        value = value[part]
    return value


def put_at(value: Any, path: Path, new: Any) -> None:
    """Put a new value at `path`, which is not the root and leads somewhere, in place of the one that is there."""
    *parents, last = path
    for part in parents:
        value = value[part]
    value[last] = new


def _join(path: Path | WildcardPath, start: str) -> str:
    out = start
    for part in path:
        if part is None:
            out += "[*]"
        elif isinstance(part, int):
            out += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            out += f".{part}" if out else part
        else:
            out += f"[{json.dumps(part, ensure_ascii=False)}]"
    return out
