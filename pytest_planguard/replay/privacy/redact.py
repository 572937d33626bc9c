"""Secrets leave an interaction before it reaches the disk. What was found is told by place and kind, never by value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, quote_plus, unquote_plus, urlencode, urlsplit, urlunsplit

from ...wire.untrusted_json import parse_json
from ..files.interaction import Headers, Interaction
from .redact_stream import clean_stream, is_stream
from .redaction import CREDENTIALS, Redaction
from .secret_names import Speaks, name_speaks
from .secrets import PLACEHOLDER, find_secrets, may_name_secrets, without_secrets

_BEARER = re.compile("bearer", re.I)
# The name of a member, as in `"client_secret": `.
_NAME = re.compile(r'"([^"\\]{1,80})"\s*:')
# A name that ends in an escaped quote is a member of JSON within a text: `api_key\":`.
_INNER_NAME = re.compile(r'(?i)(?:key|token|secret|pass|pwd|credential|auth|jwt)[^"\\]{0,80}\\{1,15}"')
_LINKS = frozenset({"location", "content-location", "referer", "origin", "link"})
"""Headers that hold an address."""
_INNER = ("key", "token", "value", "secret")


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
    found: dict[SecretFound, None] = {}

    def note(place: str, kind: str) -> None:
        found[SecretFound(place, kind)] = None

    cleaner = Cleaner(redaction.with_environment(), note)
    cleaned = replace(
        interaction,
        url=cleaner.url(interaction.url, "request url"),
        request_headers=cleaner.headers(interaction.request_headers, "request"),
        response_headers=cleaner.headers(interaction.response_headers, "response"),
        request_body=cleaner.body(interaction.request_body, "request body"),
        response_body=cleaner.body(interaction.response_body, "response body"),
        reason=cleaner.text(interaction.reason, "response reason"),
    )
    return Redacted(cleaned, tuple(found))


def first_secret(text: str, redaction: Redaction) -> tuple[int, str] | None:
    """Return the line, from 1, and the kind of the first secret in the text of a cassette; None where it has none."""
    found = find_secrets(text, redaction.with_environment().more)
    return (text.count("\n", 0, found[0].start) + 1, found[0].kind) if found else None


def is_clean(text: str, redaction: Redaction) -> bool:
    r"""Whether one look at a JSON text shows that `Cleaner.value` would change nothing. False where it cannot be told.

    Escapes can hide a key from the text (`\u0073k-`), and a token may stand on the line after its word.
    """
    hidden = "\\u" in text or "\\/" in text or _BEARER.search(text)
    if hidden or any(map(redaction.may_hide, _NAME.findall(text))):
        return False
    return not (may_name_secrets(text) and _INNER_NAME.search(text)) and not find_secrets(text, redaction.more)


_SMALL = 999
"""A number up to this under a password's name is a length or a count."""


@dataclass(frozen=True, slots=True)
class Cleaner:
    """Takes secrets out of the parts of an interaction. Each part has a place: "request body", "response reason"."""

    redaction: Redaction
    note: Callable[[str, str], None] = lambda _place, _kind: None
    """Told the place and the kind of each secret."""

    def text(self, text: str, place: str) -> str:
        """Return a plain text without what looks like a secret."""
        return without_secrets(text, lambda kind: self.note(place, kind), self.redaction.more)

    def body(self, body: bytes, place: str) -> bytes:
        """Return a body without secrets; the very same bytes where it has none. Binary parts are kept byte for byte."""
        try:
            text, coding = body.decode(), "utf-8"
        except UnicodeDecodeError:
            text, coding = body.decode("latin-1"), "latin-1"
        cleaned = self.body_text(text, place)
        return body if cleaned == text else cleaned.encode(coding, "surrogatepass" if coding == "utf-8" else "strict")

    def body_text(self, text: str, place: str) -> str:
        """Return the text of a body without secrets, whether it is JSON, a stream, a form or anything else."""
        cleaned = self._json(text, place)
        if is_stream(cleaned):
            cleaned = clean_stream(
                cleaned,
                lambda value, path: self.value(value, _at(place, path)),
                lambda joined: find_secrets(joined, self.redaction.more),
                lambda kind: self.note(_at(place, "(over several events)"), kind),
            )
        cleaned = clean_form(
            cleaned,
            self.redaction.hides_form_field,
            PLACEHOLDER,
            lambda name: self.note(place, f'form field "{name}"'),
            lambda value: self.text(value, place),
        )
        # Once more over the text itself: a duplicate key or a broken document hides from the parser.
        return self.text(cleaned, place)

    def value(self, value: Any, place: str) -> Any:
        """Return a JSON value without secrets: key-like strings anywhere, and strings in fields named for a secret."""
        if isinstance(value, str):
            return self.text(value, place)
        if isinstance(value, list):
            return [self.value(item, f"{place}[{index}]") for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        return {self.text(k, f"{place} (a member's name)"): self._member(value, k, place) for k in value}

    def url(self, url: str, place: str) -> str:
        """Return an address without its secrets; one that no parser takes apart is cleaned as text."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return self.text(url, place)
        for half in ("query", "fragment"):
            pairs = parse_qsl(getattr(parts, half), keep_blank_values=True)
            hidden = [(k, PLACEHOLDER if v and self.redaction.hides_parameter(k) else v) for k, v in pairs]
            if hidden != pairs:
                parts = parts._replace(**{half: urlencode(hidden, safe="[]")})
                url = urlunsplit(parts)
        return self.text(url, place)

    def headers(self, headers: Headers, side: str) -> Headers:
        """Return the headers that may be recorded. `side` is "request" or "response"."""
        kept = []
        for name, values in headers:
            if not self.redaction.drops_header(name):
                clean = self.url if name.lower() in _LINKS else self.text
                kept.append((name, tuple(clean(value, f"{side} header {name.lower()}") for value in values)))
        return tuple(kept)

    def _json(self, text: str, place: str) -> str:
        if text.lstrip()[:1] not in ("{", "[", '"'):
            return text
        try:
            value = parse_json(text)
        except ValueError:
            return text
        cleaned = self.value(value, place)
        return text if cleaned == value else json.dumps(cleaned, ensure_ascii=False)

    def _member(self, owner: dict[str, Any], key: str, place: str) -> Any:
        """Return what stands under a name, its secret replaced by a value of the same type: a schema still fits.

        A mapping is looked into and never replaced: the schema of a property that is called `password` stays.
        """
        value, here = owner[key], _at(place, key)
        # A list of likely tokens spells each one as {"token": …, "logprob": …}: words of the answer, not credentials.
        if "logprob" in owner:
            return self.value(value, here)
        hidden = self._hidden(key, value)
        if hidden != value:
            self.note(here, f'field "{key}"')
        if isinstance(value, dict) and key.lower() in CREDENTIALS:
            hidden = dict(value)
            for name in _INNER:
                if isinstance(value.get(name), str) and value[name] not in ("", PLACEHOLDER):
                    hidden[name] = PLACEHOLDER
                    self.note(_at(here, name), f'field "{name}"')
        return self.value(hidden, here)

    def _hidden(self, key: str, value: Any) -> Any:
        """Return what is kept of a value under a name, its own secrets aside."""
        hides = self.redaction.hides_text
        if isinstance(value, str):
            return PLACEHOLDER if hides(key, value) else value
        if isinstance(value, list) and self.redaction.may_hide(key):
            # A list of sentences under a name is what a validator says of it: {"password": ["Missing data."]}.
            return [PLACEHOLDER if isinstance(v, str) and " " not in v and hides(key, v) else v for v in value]
        long_number = isinstance(value, int) and not isinstance(value, bool) and value > _SMALL
        return 0 if long_number and name_speaks(key) is Speaks.PASSWORD else value


def _at(place: str, path: str) -> str:
    return f"{place} {path}" if place.endswith(" body") else f"{place}.{path}"


# "grant_type=client_credentials&client_secret=abc": a form, whatever its content type says. No line break, no blank.
_FORM = re.compile(r"[\w.\[\]%+-]{1,200}=[^\s=&\"{}]*=?=?(?:&[\w.\[\]%+-]{1,200}=[^\s&\"{}]*)*", re.ASCII)
_PART_NAME = re.compile(r'(?i)content-disposition: ?form-data;[^\r\n]{0,200}?\bname="([^"\r\n]{1,80})"[^\r\n]*\r?\n')

IsSecret = Callable[[str, str], bool]
"""Whether the value of a field, given by name and value, is a secret."""


def clean_form(
    text: str,
    is_secret: IsSecret,
    placeholder: str,
    note: Callable[[str], None],
    clean: Callable[[str], str] = lambda value: value,
) -> str:
    """Return a form or multipart body with a placeholder for every secret; any other text as it is.

    `note` is called with the name of each field that held one. `clean` cleans the text of a field that may hold secrets
    among other words; what it says of them is its own.
    """
    if "form-data" in text:
        return _clean_multipart(text, is_secret, placeholder, note)
    if "=" not in text[:201] or not _FORM.fullmatch(text.strip()):
        return text
    pieces = []
    for piece in text.split("&"):
        name, equals, value = piece.partition("=")
        told = unquote_plus(name.strip())
        if equals and value.strip() != placeholder and is_secret(told, unquote_plus(value.strip())):
            note(told)
            piece = f"{name}={placeholder}"
        elif "%" in value or "+" in value:  # an encoded text hides its secrets from every other look
            plain = unquote_plus(value)
            cleaned = clean(plain)
            piece = piece if cleaned == plain else f"{name}={quote_plus(cleaned, safe='[]')}"
        pieces.append(piece)
    return "&".join(pieces)


def _clean_multipart(text: str, is_secret: IsSecret, placeholder: str, note: Callable[[str], None]) -> str:
    out, at = [], 0
    for match in _PART_NAME.finditer(text):
        span = _value_span(text, match.end())
        if span is None or match.start() < at:
            continue
        start, end = span
        if text[start:end] != placeholder and is_secret(match[1], text[start:end]):
            note(match[1])
            out += [text[at:start], placeholder]
            at = end
    return "".join([*out, text[at:]])


def _value_span(text: str, at: int) -> tuple[int, int] | None:
    """Return where a part's value stands: behind its headers' empty line, up to the next boundary."""
    while (end := text.find("\n", at)) >= 0 and text[at:end].strip():
        at = end + 1
    start = at if end < 0 else end + 1
    stop = text.find("\n--", start - 1)
    if end < 0 or stop < start - 1:
        return None
    return start, max(start, stop - 1 if text[stop - 1] == "\r" else stop)
