"""The error that a body reports, whatever the provider's shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..untrusted_json import as_json, mapping, name_of, objects

ERROR_LIMIT = 2_000
"""Characters of an error message that are kept."""


@dataclass(frozen=True, slots=True)
class ProviderError:
    """What the provider says went wrong."""

    message: str
    rejected_text: str | None = None
    """What the model wrote where the provider itself rejected it (`failed_generation`)."""


def provider_error(body: Any) -> ProviderError | None:
    """Return the error of a parsed body; None where it reports none.

    Shapes: `{"error": {"message"}}` (OpenAI, Anthropic, most hosts), `{"error": "…"}`, `{"message"}`, `{"detail"}`,
    and a list with one of these.
    """
    if isinstance(body, list):
        return next((found for found in map(provider_error, objects(body)) if found), None)
    whole = mapping(body)
    error = whole.get("error")
    if not error:
        return None
    inner = mapping(error)
    rejected = name_of(inner.get("failed_generation")) or name_of(whole.get("failed_generation"))
    return ProviderError(_clipped(_message(inner) or as_json(error)), rejected)


def http_error(status: int, body: Any, text: str) -> ProviderError:
    """Return the error of an answer with status >= 400, which has one whatever its body looks like."""
    known = provider_error(body)
    if known:
        return known
    message = _message(mapping(body)) or " ".join(text[: 2 * ERROR_LIMIT].split())
    return ProviderError(_clipped(message) or f"HTTP {status}")


def _message(body: Mapping[str, Any]) -> str | None:
    for key in ("message", "detail", "msg"):
        if body.get(key):
            return as_json(body[key])
    return None


def _clipped(message: str) -> str:
    return message if len(message) <= ERROR_LIMIT else message[: ERROR_LIMIT - 1] + "…"
