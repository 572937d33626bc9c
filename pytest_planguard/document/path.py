"""Paths in a document, their spellings and the values that they lead to, and places in the text of the document."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from annotated_types import Interval

MOST = 2**53
"""The largest index or count to accept: every integer up to it is exact as a float."""
Count = Annotated[int, Interval(ge=0, le=MOST)]
"""A whole number from 0 to `MOST`; pydantic enforces the bounds when it reads data."""

Path = tuple[str | Count, ...]
"""Keys and 0-based list indices from the root; () is the root. The key "0" and the index 0 are different steps.

As data (in run files, lists of known failures, JSON output) a path is a list of strings and whole numbers: a spelling
such as the pointer "/years/0" does not distinguish key and index.
"""

WildcardPath = tuple[str | None, ...]
"""A path with None, any item of a list, in place of every index; null in JSON, so that "*" remains an ordinary key."""

WHOLE_ANSWER = "(whole answer)"
"""The root, as `to_dotted` spells it."""

# "title", "due_date", "a-b"; other keys are quoted: `years["2024"]`, `a["b c"]`.
_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*", re.UNICODE)


def to_pointer(path: Path) -> str:
    """Return the JSON pointer (RFC 6901): `("tasks", 0, "id")` is "/tasks/0/id"; the root is ""."""
    # "~" first: after it, the key "a/b" would become "a~01b", which reads back as "a~1b".
    return "".join(["/" + str(part).replace("~", "~0").replace("/", "~1") for part in path])


def wildcard(path: Path) -> WildcardPath:
    """Return the path of a field in any item: ("tasks", 0, "id") becomes ("tasks", None, "id"). Keys stay, even "0"."""
    return tuple([None if isinstance(part, int) else part for part in path])


def to_dotted(path: Path | WildcardPath) -> str:
    """Return the spelling for people: "tasks[0].id", "tasks[*].id" for any item.

    A key that is not a plain word is quoted: `a["b c"]`, `years["2024"]`. Different paths have different spellings.
    """
    return _join(path, "") if path else WHOLE_ANSWER


def value_at(value: Any, path: Path) -> Any:
    """Return the value at `path`. Raises LookupError if the path leads nowhere."""
    for part in path:
        fits = isinstance(value, list) if isinstance(part, int) else isinstance(value, dict)
        if not fits:
            raise LookupError(to_dotted(path))
        value = value[part]
    return value


def get_at(value: object, path: Path, otherwise: object = None) -> Any:
    """Return the value at `path`; `otherwise` if the path leads nowhere."""
    try:
        return value_at(value, path)
    except LookupError:
        return otherwise


def leading(value: object, path: Path) -> Path:
    """Return the longest part of `path` that exists: ("steps",) of ("steps", 4) if there are three steps."""
    for depth, part in enumerate(path):
        try:
            value = value_at(value, (part,))
        except LookupError:
            return path[:depth]
    return path


def put_at(value: Any, path: Path, new: Any) -> None:
    """Replace the value at `path`, which must exist and not be the root."""
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
