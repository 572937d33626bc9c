"""Remove secrets from an interaction before it reaches the disk. Report them by place and kind, never by value."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from ...wire.exchange import STATE_HEADER
from ...wire.untrusted_json import parse_json
from ..files.interaction import Headers, Interaction
from .redact_bodies import clean_form, clean_stream, is_stream
from .redaction_rules import CREDENTIALS, Redaction
from .secret_names import Speaks, holds_secret, looks_random, name_speaks
from .secrets import PLACEHOLDER, Secret, find_secrets, may_name_secrets

# The user and the host, as in "https://[redacted]@a.test" and "https://[redacted].a.test". There, Python takes the
# placeholder's brackets for those of an IPv6 address and reads no such URL, so they are encoded.
_SERVER = re.compile(r"\A[\w+.-]+://[^/?#]*")
_LINKS = re.compile("location|referer|origin|link|url|callback|operation")
"""Response headers that hold a URL contain one of these words in their name."""
# Places of ids, which are as random as keys: "response body responseId", "request body log_id", "header x-amz-cf-id".
_OF_ID = re.compile(r"(?:[a-z]Id|ID|[ ._-](?:id|etag))s?(?:\[\d+\])?\Z")
_INNER = ("key", "token", "value", "secret")
_NAMES, _VALUES = ("name", "key", "variable", "header", "field"), ("value", "val", "content", "default")
"""Members of a pair: {"name": "DB_PASSWORD", "value": "…"}."""


@dataclass(frozen=True, slots=True)
class SecretFound:
    """A secret found in something that was about to be recorded."""

    place: str
    """Its place, for example "request body messages[0].content"."""
    kind: str
    """Its kind, for example "GitHub token"."""

    def __str__(self) -> str:
        return f"{self.place}: {self.kind}"


@dataclass(frozen=True, slots=True)
class Redacted:
    """An interaction that may be written, and the secrets that were removed from unexpected places."""

    interaction: Interaction
    secrets: tuple[SecretFound, ...]
    kept: tuple[SecretFound, ...] = ()
    """Apparent secrets that were not removed, because the project keeps them."""


def redact(interaction: Interaction, redaction: Redaction) -> Redacted:
    """Remove every secret.

    Credentials in headers are expected there and only dropped; all other secrets are reported.
    """
    found: dict[SecretFound, None] = {}
    kept: dict[SecretFound, None] = {}
    cleaner = Cleaner(
        redaction.with_environment(),
        lambda place, kind: found.update({SecretFound(place, kind): None}),
        lambda place, kind: kept.update({SecretFound(place, kind): None}),
    )
    cleaned = replace(
        interaction,
        url=cleaner.url(interaction.url, "request url"),
        request_headers=cleaner.request_headers(interaction.request_headers),
        response_headers=cleaner.response_headers(interaction.response_headers),
        request_body=cleaner.body(interaction.request_body, "request body"),
        response_body=cleaner.body(interaction.response_body, "response body"),
        reason=cleaner.text(interaction.reason, "response reason"),
    )
    return Redacted(cleaned, tuple(found), tuple(kept))


def first_secret(text: str, redaction: Redaction) -> tuple[int, str] | None:
    """Return line (1-based) and kind of the first secret in a cassette's text; None if it has no secret.

    This looks only for values of the environment, the project's own patterns, and keys. Everything else was judged in
    its place, which the text of a whole cassette does not show. If the project keeps places, one of them may hold a
    key, so only values of the environment count: those are real secrets anywhere.
    """
    redaction = redaction.with_environment()
    if redaction.keep.places:
        match = redaction.values.search(text) if redaction.values is not None else None
        return (text.count("\n", 0, match.start()) + 1, "value of an environment variable") if match else None
    found = [
        secret
        for secret in find_secrets(text, redaction.more, alone=False, named=False)
        if not redaction.keep.text(text[secret.start : secret.end])
    ]
    return (text.count("\n", 0, found[0].start) + 1, found[0].kind) if found else None


_SMALL = 999
"""Maximum value of a number under the name of a password that is a length or a count."""


@dataclass(frozen=True, slots=True)
class Cleaner:
    """Removes secrets from the parts of an interaction. Each part has a place: "request body", "response reason"."""

    redaction: Redaction
    note: Callable[[str, str], None] = lambda _place, _kind: None
    """Called with the place and the kind of each secret."""
    note_kept: Callable[[str, str], None] = lambda _place, _kind: None
    """Called with the place and kind of each apparent secret that is not redacted."""

    def text(self, text: str, place: str, *, alone: bool = True) -> str:
        """Return a plain text without apparent secrets; `alone` as for `find_secrets`."""
        out, at = [], 0
        for secret in self.find(text, alone=alone and not _OF_ID.search(place)):
            if self.redaction.keep.place(place):
                self.note_kept(place, secret.kind)
                continue
            self.note(place, secret.kind)
            out += [text[at : secret.start], secret.instead]
            at = secret.end
        return "".join([*out, text[at:]]) if out else text

    def find(self, text: str, *, alone: bool = True) -> list[Secret]:
        """Return the secrets in a string, except those that the project keeps by value or name."""
        keep, found = self.redaction.keep, find_secrets(text, self.redaction.more, alone=alone)
        if not found or not (keep.texts or keep.names):
            return found
        return [s for s in found if not (keep.text(text[s.start : s.end]) or keep.name(s.name))]

    def body(self, body: bytes, place: str) -> bytes:
        """Return a body without secrets; the same bytes if it has none. Binary parts are kept byte for byte."""
        coding = _coding(body)
        try:
            text = body.decode(coding)
        except UnicodeDecodeError:
            coding = "latin-1"
            text = body.decode(coding)
        cleaned = self.body_text(text, place)
        return body if cleaned == text else cleaned.encode(coding, "strict" if coding == "latin-1" else "surrogatepass")

    def body_text(self, text: str, place: str) -> str:
        """Return the text of a body without secrets: JSON, a stream, a form or anything else."""
        parsed, cleaned = self._json(text, place)
        # The search of the whole text below knows no places inside the document, and so no places to keep.
        if parsed and self.redaction.keep.places:
            return cleaned
        structured = parsed or is_stream(cleaned)
        if structured and not parsed:
            cleaned = clean_stream(
                cleaned,
                lambda value, path: self.value(value, _at(place, path)),
                self.find,
                lambda kind: self.note(_at(place, "(over several events)"), kind),
            )
        cleaned = clean_form(
            cleaned,
            lambda name, value: self._hides(name, value, place, self.redaction.hides_form_field),
            PLACEHOLDER,
            lambda name: self.note(place, f'form field "{name}"'),
            lambda value: self.text(value, place),
        )
        # Check the text itself once more: the parser misses secrets in duplicate keys and broken documents.
        return self.text(cleaned, place, alone=not structured)

    def value(self, value: Any, place: str) -> Any:
        """Return a JSON value without secrets: key-like strings anywhere, and strings in fields named like a secret."""
        if isinstance(value, str):
            return self._string(value, place)
        if isinstance(value, list):
            return self._list(value, place)
        if not isinstance(value, dict):
            return value
        if value.keys() == {"base64"} and isinstance(value["base64"], str):
            return {"base64": self._base64(value["base64"], place)}  # a binary file of a command
        cleaned = {self.text(k, f"{place} (a member's name)"): self._member(value, k, place) for k in value}
        name = next((value[n] for n in _NAMES if isinstance(value.get(n), str)), "")
        for held in _VALUES if name else ():
            if isinstance(value.get(held), str) and self._hides(name, value[held]):
                self._note_name(_at(place, held), name)
                cleaned[held] = PLACEHOLDER
        if cleaned != value and cleaned.get("logprobs"):
            cleaned["logprobs"] = [] if isinstance(cleaned["logprobs"], list) else None  # the same text, in pieces
        return cleaned

    def _string(self, text: str, place: str) -> str:
        """Return a text without secrets. JSON within it is searched, and rewritten only if it had a secret."""
        if len(text) > 1 and text.lstrip()[:1] in ("{", "[") and may_name_secrets(text):
            parsed, cleaned = self._json(text, place)
            return cleaned if parsed else self.text(text, place)
        return self.text(text, place)

    def _base64(self, text: str, place: str) -> str:
        try:
            content = b64decode(text, validate=True)
        except ValueError:
            return self.text(text, place)
        cleaned = self.body(content, place)
        return text if cleaned == content else b64encode(cleaned).decode()

    def _list(self, items: list[Any], place: str) -> list[Any]:
        """Return a list without secrets: ["--token", "…"] and ["Authorization", "…"] are pairs of name and value."""
        cleaned = [self.value(item, f"{place}[{index}]") for index, item in enumerate(items)]
        for index, (name, value) in enumerate(pairwise(items), 1):
            if isinstance(name, str) and isinstance(value, str) and self._is_pair(name, value, len(items)):
                self._note_name(f"{place}[{index}]", name.strip("-"))
                cleaned[index] = PLACEHOLDER
        words = [item if isinstance(item, str) else "" for item in cleaned]
        return self._command(words, place) if any(w.startswith("-") for w in words) and words == cleaned else cleaned

    def _is_pair(self, name: str, value: str, length: int) -> bool:
        if value == PLACEHOLDER or value.startswith("-") or not self.redaction.may_hide(name):
            return False
        if name.startswith("-"):
            return self._hides(name.strip("-"), value)
        return length == 2 and looks_random(value) and self._hides(name, value)

    def _command(self, words: list[str], place: str) -> list[str]:
        """Return the words of a command line without secrets that only the whole line shows: ["curl", "-u", "me:…"]."""
        line, at = " ".join(words), 0
        secrets, shown = self.find(line), []
        for secret in secrets:
            self.note(place, secret.kind)
        for word in words:
            shown.append(_without(word, at, secrets))
            at += len(word) + 1
        return shown

    def _note_name(self, place: str, name: str) -> None:
        self.note(place, f'field "{name}"')

    def _hides(self, name: str, value: str, place: str = "", hides: Callable[[str, str], bool] | None = None) -> bool:
        """Return True if redaction replaces a text under this name, and the project does not keep it."""
        keep = self.redaction.keep
        if value == PLACEHOLDER or not (hides or self.redaction.hides_text)(name, value):
            return False
        kept = keep.name(name) or keep.text(value) or keep.place(place)
        if kept:
            self.note_kept(place or name, f'field "{name}"')
        return not kept

    def url(self, url: str, place: str) -> str:
        """Return an address without its secrets; one that cannot be parsed is cleaned as text."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return self.text(url, place)
        for half in ("query", "fragment"):  # OAuth's implicit flow puts the token behind "#"
            pairs = parse_qsl(getattr(parts, half), keep_blank_values=True)
            hidden = [
                (k, PLACEHOLDER if v and self._hides(k, v, place, self.redaction.hides_parameter) else v)
                for k, v in pairs
            ]
            if hidden != pairs:
                parts = parts._replace(**{half: urlencode(hidden, safe="[]")})
                url = urlunsplit(parts)
        return _SERVER.sub(lambda server: server[0].replace(PLACEHOLDER, quote(PLACEHOLDER)), self.text(url, place))

    def request_headers(self, headers: Headers) -> Headers:
        """Return the headers of a request that are recorded."""
        return tuple(
            (name, tuple(self._request_header(name.lower(), value) for value in values))
            for name, values in headers
            if name == STATE_HEADER or self.redaction.keeps_header(name)
        )

    def _request_header(self, name: str, value: str) -> str:
        clean = self.body_text if name == STATE_HEADER else self.text
        return clean(value, f"request header {name}")

    def response_headers(self, headers: Headers) -> Headers:
        """Return the headers of an answer: all names, and the values without secrets."""
        return tuple((name, tuple(self._header(name, value) for value in values)) for name, values in headers)

    def _header(self, name: str, value: str) -> str:
        keep = self.redaction.keep
        if self.redaction.hides_header(name) and not keep.name(name) and not value.isdigit():
            named = name.lower() in self.redaction.headers or (len(value) > 7 and holds_secret(name, value))
            return PLACEHOLDER if named or looks_random(value) else value
        place = f"response header {name.lower()}"
        if _LINKS.search(name.lower()) and not keep.place(place):
            return self.url(value, place)
        return self.text(value, place)

    def _json(self, text: str, place: str) -> tuple[bool, str]:
        """Return True if a text is JSON without a duplicate key, and the text without its secrets."""
        if text.lstrip()[:1] not in ("{", "[", '"'):
            return False, text
        try:
            value = parse_json(text)
        except ValueError:
            return False, text
        cleaned = self.value(value, place)
        return True, text if cleaned == value else json.dumps(cleaned, ensure_ascii=False)

    def _member(self, owner: dict[str, Any], key: str, place: str) -> object:
        """Return the value under a name. A secret is replaced by a value of the same type, so a schema still fits."""
        value, here = owner[key], _at(place, key)
        # A list of likely tokens spells each one as {"token": …, "logprob": …}: words of the answer, not credentials.
        if "logprob" in owner:
            return self.value(value, here)
        hidden = self._hidden(key, value, here)
        if hidden != value:
            self._note_name(here, key)
        if isinstance(value, dict) and key.lower() in CREDENTIALS:
            hidden = dict(value)
            for name in _INNER:
                if isinstance(value.get(name), str) and value[name] not in ("", PLACEHOLDER):
                    hidden[name] = PLACEHOLDER
                    self._note_name(_at(here, name), name)
        return self.value(hidden, here)

    def _hidden(self, key: str, value: object, here: str) -> object:
        """Return a value under a name, with secrets replaced that only the name reveals."""
        if isinstance(value, str):
            return PLACEHOLDER if self._hides(key, value, here) else value
        if not isinstance(value, list | dict | int) or isinstance(value, bool) or not self.redaction.may_hide(key):
            return value
        if isinstance(value, int):
            return 0 if value > _SMALL and name_speaks(key) is Speaks.PASSWORD else value
        if isinstance(value, list):
            # A list of sentences under a name is a validator's message about it: {"password": ["Missing data."]}.
            return [
                PLACEHOLDER if isinstance(v, str) and " " not in v and self._hides(key, v, here) else v for v in value
            ]
        # {"api_keys": {"prod": "…"}}; the schema of a property with the name `password` stays.
        if _SCHEMA & value.keys():
            return value
        return {k: PLACEHOLDER if isinstance(v, str) and self._hides(key, v, here) else v for k, v in value.items()}


_SCHEMA = frozenset({"type", "$ref", "anyOf", "oneOf", "allOf", "properties", "enum", "description", "msg", "message"})
"""A mapping with one of these keys describes a value."""


def _at(place: str, path: str) -> str:
    return f"{place} {path}" if place.endswith(" body") else f"{place}.{path}"


def _without(word: str, at: int, secrets: list[Secret]) -> str:
    """Return a word, which begins at `at`, without the parts that are secrets."""
    for secret in reversed(secrets):
        start, end = max(secret.start - at, 0), min(secret.end - at, len(word))
        if start < end:
            word = word[:start] + PLACEHOLDER + word[end:]
    return word


def _coding(body: bytes) -> str:
    """Return the encoding of a body. UTF-16 shows in its byte order mark, or in the zeros beside ASCII."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if len(body) > 3 and len(body) % 2 == 0 and b"\0" in body[:2]:
        return "utf-16-le" if body[1] == 0 else "utf-16-be"
    return "utf-8"
