"""Text that models write around a document (fences, prose, thinking blocks), or instead of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ...contract.failure_kinds import FailureKind
from .near_miss import NearMissKind

TextWrapping = Literal[
    "bare", "fenced", "prose_around", "thinking", "truncated", "schema_echo", "two_documents", "empty", "refusal",
    "ask_back",
]  # fmt: skip
"""How a model wraps or damages a document, or what it writes instead of one."""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """A text that a model might write, and the document that it contains."""

    text: str
    wrapping: TextWrapping
    value: Any
    """The document as plain data. It satisfies the contract."""
    readable: bool
    """True if a parser should find exactly this document in the text; False if it should fail."""


TEXT_WRAPPINGS: Mapping[TextWrapping, bool] = {
    name: name in ("bare", "fenced", "prose_around", "thinking") for name in get_args(TextWrapping)
}
"""Maps each wrapping to True if the document can be read from it. Hypothesis shrinks to the first wrapping."""


@dataclass(frozen=True, slots=True)
class Wrapping:
    """One way to damage a valid answer."""

    kind: NearMissKind
    failure: FailureKind
    spoil: Callable[[str, Any, Mapping[str, Any]], str | None]
    """Takes the text, its document and the contract's JSON Schema. Returns the damaged text, or None if this way
    doesn't apply."""
    found_anyway: bool = False
    """True if `extract="embedded"` still finds the document."""


def _truncated(text: str, value: object, _: Mapping[str, object]) -> str | None:
    """Cut the text at two thirds of its length, which is inside the document because its last character closes it."""
    return text[: max(1, len(text) * 2 // 3)] if isinstance(value, dict | list) and value else None


def _fenced(text: str, _: object, __: Mapping[str, object]) -> str:
    return f"```json\n{text}\n```"


def _prose(text: str, _: object, __: Mapping[str, object]) -> str:
    return f"Here is the result:\n\n{text}\n\nLet me know if you need anything else."


def _thinking(text: str, _: object, __: Mapping[str, object]) -> str:
    return f"<think>\nThe fields are clear.\n</think>\n{text}"


def _trailing_comma(text: str, value: object, _: Mapping[str, object]) -> str | None:
    return f"{text[:-1].rstrip()},{text[-1]}" if isinstance(value, dict | list) and value else None


def _single_quotes(_: str, value: object, __: Mapping[str, object]) -> str | None:
    return repr(value) if isinstance(value, dict) and value and "'" in repr(value) else None


def _not_a_number(_: str, value: object, __: Mapping[str, object]) -> str | None:
    """Set one member of the document to NaN, which is not a JSON number."""
    if not isinstance(value, dict) or not value:
        return None
    name = next(iter(value))
    return json.dumps({**value, name: float("nan")}, ensure_ascii=False)


def _repeated_key(text: str, value: object, _: Mapping[str, object]) -> str | None:
    if not isinstance(value, dict) or not value:
        return None
    name = next(iter(value))
    member = f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(value[name], ensure_ascii=False)}"
    return f"{text[:-1].rstrip()}, {member}}}"


def _two_documents(text: str, value: object, _: Mapping[str, object]) -> str | None:
    return f"{text}\n\n{text}" if isinstance(value, dict) and value else None


def _schema_echo(_: str, value: object, schema: Mapping[str, object]) -> str | None:
    return json.dumps(schema) if isinstance(value, dict) and "properties" in schema else None


def _wrapped(text: str, value: Any, schema: Mapping[str, Any]) -> str | None:
    """Nest the document one key too deep, if the schema requires a member that the wrapper doesn't have."""
    needed = schema.get("required", ())
    return f'{{"result": {text}}}' if isinstance(value, dict) and needed and "result" not in needed else None


def _encoded(text: str, value: object, schema: Mapping[str, object]) -> str | None:
    return json.dumps(text) if isinstance(value, dict) and value and schema else None


WRAPPINGS = (
    Wrapping("truncated", FailureKind.TRUNCATED, _truncated),
    Wrapping("fenced", FailureKind.FENCE, _fenced, found_anyway=True),
    Wrapping("prose_around", FailureKind.PROSE, _prose, found_anyway=True),
    Wrapping("thinking", FailureKind.THINKING, _thinking, found_anyway=True),
    Wrapping("trailing_comma", FailureKind.INVALID_JSON, _trailing_comma),
    Wrapping("single_quotes", FailureKind.INVALID_JSON, _single_quotes),
    Wrapping("not_a_number", FailureKind.NON_FINITE, _not_a_number),
    Wrapping("repeated_key", FailureKind.DUPLICATE_KEY, _repeated_key),
    Wrapping("two_documents", FailureKind.MULTIPLE, _two_documents),
    Wrapping("schema_echo", FailureKind.SCHEMA_ECHO, _schema_echo),
    Wrapping("wrapped", FailureKind.WRAPPED, _wrapped),
    Wrapping("encoded", FailureKind.ENCODED, _encoded),
    Wrapping("empty", FailureKind.EMPTY, lambda *_: ""),
    Wrapping("ask_back", FailureKind.ASK_BACK, lambda *_: "Could you tell me which version you mean?"),
    Wrapping("refusal", FailureKind.REFUSAL, lambda *_: "I'm sorry, but I can't help with that request."),
)
