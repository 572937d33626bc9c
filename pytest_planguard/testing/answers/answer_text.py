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


Spoil = Callable[[str, Any, Mapping[str, Any]], str | None]
"""Takes the text, its document and the contract's JSON Schema. Returns the damaged text, or None if this way doesn't
apply."""


@dataclass(frozen=True, slots=True)
class Wrapping:
    """One way to damage a valid answer."""

    kind: NearMissKind
    failure: FailureKind
    spoil: Spoil
    holds: tuple[type, ...] = ()
    """Types of the documents that this way applies to, unless they are empty; () for any document."""
    found_anyway: bool = False
    """True if `extract="embedded"` still finds the document."""

    def spoilt(self, text: str, value: Any, schema: Mapping[str, Any]) -> str | None:
        """Return the damaged text; None if this way doesn't apply."""
        applies = not self.holds or (isinstance(value, self.holds) and value)
        return self.spoil(text, value, schema) if applies else None


def _not_a_number(_: str, value: dict[str, Any], __: Mapping[str, object]) -> str:
    """Set one member of the document to NaN, which is not a JSON number."""
    return json.dumps({**value, next(iter(value)): float("nan")}, ensure_ascii=False)


def _repeated_key(text: str, value: dict[str, Any], _: Mapping[str, object]) -> str:
    name, first = next(iter(value.items()))
    member = f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(first, ensure_ascii=False)}"
    return f"{text[:-1].rstrip()}, {member}}}"


def _wrapped(text: str, value: object, schema: Mapping[str, Any]) -> str | None:
    """Nest the document one key too deep, if the schema requires a member that the wrapper doesn't have."""
    needed = schema.get("required", ())
    return f'{{"result": {text}}}' if isinstance(value, dict) and needed and "result" not in needed else None


_OBJECT, _NESTED = (dict,), (dict, list)
_REMARK = "Let me know if you need anything else."

WRAPPINGS = (
    # Two thirds of the text end inside the document, because its last character closes it.
    Wrapping("truncated", FailureKind.TRUNCATED, lambda text, *_: text[: max(1, len(text) * 2 // 3)], _NESTED),
    Wrapping("fenced", FailureKind.FENCE, lambda text, *_: f"```json\n{text}\n```", found_anyway=True),
    Wrapping(
        "prose_around",
        FailureKind.PROSE,
        lambda text, *_: f"Here is the result:\n\n{text}\n\n{_REMARK}",
        found_anyway=True,
    ),
    Wrapping(
        "thinking",
        FailureKind.THINKING,
        lambda text, *_: f"<think>\nThe fields are clear.\n</think>\n{text}",
        found_anyway=True,
    ),
    Wrapping("trailing_comma", FailureKind.INVALID_JSON, lambda text, *_: f"{text[:-1].rstrip()},{text[-1]}", _NESTED),
    Wrapping(
        "single_quotes",
        FailureKind.INVALID_JSON,
        lambda _, value, __: repr(value) if "'" in repr(value) else None,
        _OBJECT,
    ),
    Wrapping("not_a_number", FailureKind.NON_FINITE, _not_a_number, _OBJECT),
    Wrapping("repeated_key", FailureKind.DUPLICATE_KEY, _repeated_key, _OBJECT),
    Wrapping("two_documents", FailureKind.MULTIPLE, lambda text, *_: f"{text}\n\n{text}", _OBJECT),
    Wrapping(
        "schema_echo",
        FailureKind.SCHEMA_ECHO,
        lambda _, value, schema: json.dumps(schema) if isinstance(value, dict) and "properties" in schema else None,
    ),
    Wrapping("wrapped", FailureKind.WRAPPED, _wrapped),
    Wrapping("encoded", FailureKind.ENCODED, lambda text, _, schema: json.dumps(text) if schema else None, _OBJECT),
    Wrapping("empty", FailureKind.EMPTY, lambda *_: ""),
    Wrapping("ask_back", FailureKind.ASK_BACK, lambda *_: "Could you tell me which version you mean?"),
    Wrapping("refusal", FailureKind.REFUSAL, lambda *_: "I'm sorry, but I can't help with that request."),
)
