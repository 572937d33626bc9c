"""Secrets leave an interaction before it reaches the disk. What was found is told by place and kind, never by value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ...wire.untrusted_json import parse_json
from ..files.interaction import Headers, Interaction
from .redact_stream import clean_stream, is_stream
from .secrets import PLACEHOLDER, find_secrets, without_secrets

_HEADERS = frozenset({
    "authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "x-goog-user-project", "cookie",
    "set-cookie", "openai-organization", "openai-project", "anthropic-organization-id", "x-amz-security-token",
    "x-auth-token", "x-access-token", "x-csrf-token", "www-authenticate", "ocp-apim-subscription-key", "cf-ray",
})  # fmt: skip
_HEADER_WORDS = re.compile(
    r"(?:^|[-_])(?:token|secret|api-?key|password|authorization|cookie|credential)(?:[-_]|$)", re.I
)
_BEARER = re.compile("bearer", re.I)
_QUERY = frozenset({
    "key", "api_key", "api-key", "apikey", "token", "access_token", "auth_token", "client_secret", "password", "secret",
    "sig", "signature", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "subscription-key", "code",
})  # fmt: skip
_FIELDS = frozenset({
    "api_key", "apikey", "x_api_key", "access_token", "refresh_token", "id_token", "auth_token", "session_token",
    "bearer_token", "client_secret", "secret", "secret_key", "secret_access_key", "password", "passwd", "private_key",
    "authorization", "token",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Redaction:
    """What is taken out besides everything that looks like a key. All names in lower case."""

    headers: frozenset[str] = _HEADERS
    """Header names that are dropped; headers whose name speaks of a token, key or cookie are dropped as well."""
    query: frozenset[str] = _QUERY
    """URL parameters whose value is replaced."""
    fields: frozenset[str] = _FIELDS
    """JSON members whose value is replaced where it is a string; `-` in a name counts as `_`."""


@dataclass(frozen=True, slots=True)
class SecretFound:
    """A secret that was about to be recorded."""

    place: str
    """Where it stood, for example "request body messages[0].content"."""
    kind: str
    """What it looked like, for example "GitHub token"."""

    def __str__(self) -> str:
        return f"{self.place}: {self.kind}"


@dataclass(frozen=True, slots=True)
class Redacted:
    """An interaction that may be written, and what was taken out of places where no secret belongs."""

    interaction: Interaction
    secrets: tuple[SecretFound, ...]


def redact(interaction: Interaction, redaction: Redaction) -> Redacted:
    """Take every secret out. Credentials in headers are expected there and only dropped; all else is reported."""
    found: list[SecretFound] = []

    def note(place: str, kind: str) -> None:
        if SecretFound(place, kind) not in found:
            found.append(SecretFound(place, kind))

    url = _clean_url(interaction.url, redaction, note)
    request_headers = _clean_headers(interaction.request_headers, redaction, "request", note)
    response_headers = _clean_headers(interaction.response_headers, redaction, "response", note)
    request = clean_body(interaction.request_body, redaction, "request body", note)
    response = clean_body(interaction.response_body, redaction, "response body", note)
    cleaned = replace(
        interaction,
        url=url,
        request_headers=request_headers,
        response_headers=response_headers,
        request_body=request,
        response_body=response,
        reason=without_secrets(interaction.reason, lambda kind: note("response reason", kind)),
    )
    return Redacted(cleaned, tuple(found))


Note = Callable[[str, str], None]
"""Told the place and the kind of a secret."""


def clean_body(body: bytes, redaction: Redaction, place: str, note: Note) -> bytes:
    """Return the body without secrets; the very same bytes where it has none. Binary parts are kept byte for byte."""
    try:
        text, coding = body.decode(), "utf-8"
    except UnicodeDecodeError:
        text, coding = body.decode("latin-1"), "latin-1"
    cleaned = _clean_json(text, redaction, place, note)
    if is_stream(cleaned):
        cleaned = clean_stream(cleaned, lambda value, path: clean_value(value, redaction, _at(place, path), note))
    # Once more over the text itself: a duplicate key or a broken document hides from the parser.
    cleaned = without_secrets(cleaned, lambda kind: note(place, kind))
    return body if cleaned == text else cleaned.encode(coding, "surrogatepass" if coding == "utf-8" else "strict")


def is_clean(text: str, redaction: Redaction) -> bool:
    r"""Whether one look at a JSON text shows that `clean_value` would change nothing. False where it cannot be told.

    Escapes can hide a key from the text (`\u0073k-`), and a token may stand on the line after its word.
    """
    hidden = "\\u" in text or "\\/" in text or _BEARER.search(text) or _field_names(redaction.fields).search(text)
    return not hidden and not find_secrets(text)


@lru_cache(maxsize=8)
def _field_names(fields: frozenset[str]) -> re.Pattern[str]:
    """Return a member whose name is that of a field, "-" and "_" being the same."""
    names = "|".join(re.escape(name).replace("_", "[_-]") for name in sorted(fields))
    return re.compile(rf'"(?:{names})"\s*:' if names else r"(?!)", re.IGNORECASE)


def clean_value(value: Any, redaction: Redaction, place: str, note: Note) -> Any:
    """Return a JSON value without secrets: key-like strings anywhere, and the strings in fields named for a secret."""
    if isinstance(value, str):
        return without_secrets(value, lambda kind: note(place, kind))
    if isinstance(value, list):
        return [clean_value(item, redaction, f"{place}[{index}]", note) for index, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    return {_key(k, place, note): _member(value, k, redaction, place, note) for k in value}


def _key(key: str, place: str, note: Note) -> str:
    return without_secrets(key, lambda kind: note(f"{place} (a member's name)", kind))


def _member(owner: dict[str, Any], key: str, redaction: Redaction, place: str, note: Note) -> Any:
    value, here = owner[key], _at(place, key)
    named = key.lower().replace("-", "_") in redaction.fields and isinstance(value, str) and value != PLACEHOLDER
    # A list of likely tokens spells each one as {"token": …, "logprob": …}: words of the answer, not credentials.
    if named and value and "logprob" not in owner:
        note(here, f'field "{key}"')
        return PLACEHOLDER
    return clean_value(value, redaction, here, note)


def _at(place: str, path: str) -> str:
    return f"{place} {path}" if place.endswith(" body") else f"{place}.{path}"


def _clean_json(text: str, redaction: Redaction, place: str, note: Note) -> str:
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return text
    try:
        value = parse_json(text)
    except ValueError:
        return text
    cleaned = clean_value(value, redaction, place, note)
    return text if cleaned == value else json.dumps(cleaned, ensure_ascii=False)


def _clean_headers(headers: Headers, redaction: Redaction, side: str, note: Note) -> Headers:
    kept = []
    for name, values in headers:
        if name.lower() in redaction.headers or _HEADER_WORDS.search(name):
            continue
        place = f"{side} header {name.lower()}"
        kept.append((name, tuple(without_secrets(v, lambda kind, p=place: note(p, kind)) for v in values)))  # type: ignore[misc]
    return tuple(kept)


def _clean_url(url: str, redaction: Redaction, note: Note) -> str:
    parts = urlsplit(url)
    if parts.query:
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        hidden = [(k, PLACEHOLDER if v and k.lower() in redaction.query else v) for k, v in pairs]
        if hidden != pairs:
            url = urlunsplit(parts._replace(query=urlencode(hidden, safe="[]")))
    return without_secrets(url, lambda kind: note("request url", kind))
