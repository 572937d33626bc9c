"""Regular expressions that cannot hang a run, whatever text they meet.

They run on the linear-time engine inside pydantic-core (Rust's `regex`), not on Python's backtracking `re`. The price:
no lookaround and no back-references, and "$" is the very end, never before a last newline.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ...errors import UsageError

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

PatternMode = Literal["search", "fullmatch"]


def matches(pattern: str, text: str, how: PatternMode = "search") -> bool:
    """Return whether the pattern fits somewhere in the text ("search") or the whole text ("fullmatch"). Linear time."""
    compiled = compile_pattern(pattern, how)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which no UTF-8 engine takes
        text = text.encode("utf-8", "replace").decode()
    return compiled.isinstance_python(text)


@lru_cache(maxsize=512)
def compile_pattern(pattern: str, how: PatternMode = "search") -> SchemaValidator:
    """Return the compiled pattern.

    Raises:
        UsageError: the engine does not take the pattern; the message names the part.
    """
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    whole = pattern if how == "search" else rf"\A(?:{pattern})\z"
    try:
        return SchemaValidator(core_schema.str_schema(pattern=whole, regex_engine="rust-regex"))
    except SchemaError as exc:
        raise UsageError(_refused(pattern, str(exc))) from exc


def _refused(pattern: str, reason: str) -> str:
    lines = [line.strip() for line in reason.splitlines()]
    cause = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), lines[-1])
    part = _marked(reason)
    where = f" (at {part!r})" if part else ""
    message = f"the pattern {pattern!r} cannot be used: {cause}{where}"
    if "look-around" in cause or "backreference" in cause:
        message += "; such patterns can take exponential time. Use excludes, contains or a custom check instead"
    return message


def _marked(reason: str) -> str | None:
    """Return the part that the engine underlines with carets."""
    lines = reason.splitlines()
    for above, below in pairwise(lines):
        if below.strip() and not below.strip().strip("^"):
            start = below.index("^")
            return above[start : start + below.count("^")]
    return None
