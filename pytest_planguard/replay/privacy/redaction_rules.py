"""Rules for removing secrets from an interaction: by the name of a place, by shape, and by a project's own words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import PurePath
from urllib.parse import quote, quote_plus

from ...errors import UsageError
from .secret_names import (
    Speaks,
    header_speaks,
    holds_secret,
    is_coined,
    is_stand_in,
    looks_random,
    name_speaks,
    parameter_speaks,
)
from .secrets import Named


@dataclass(frozen=True, slots=True)
class Keep:
    """Places, names and values that are not redacted."""

    places: tuple[str, ...] = ()
    """Patterns of places in lower case: `request body errors*`."""
    names: frozenset[str] = frozenset()
    """Names in lower case, with `-` written as `_`."""
    texts: tuple[re.Pattern[str], ...] = ()
    """Patterns that a whole value must match."""

    def place(self, place: str) -> bool:
        """Return True if nothing in a place is redacted."""
        return any(fnmatchcase(place.lower(), pattern) for pattern in self.places)

    def name(self, name: str) -> bool:
        """Return True if values under this name are not redacted."""
        return name.lower().replace("-", "_") in self.names

    def text(self, text: str) -> bool:
        """Return True if this value is not redacted."""
        return any(pattern.fullmatch(text) for pattern in self.texts)


NOTHING = Keep()
"""The exceptions of a project that sets none."""


def own_keep(words: Iterable[str]) -> Keep:
    """Return a project's exceptions: `/PATTERN/` is a value, words with a blank or a star are a place, others a name.

    Raises:
        UsageError: a pattern is not a regular expression.
    """
    places, names, texts = [], set(), []
    for word in (word.strip() for word in words):
        if len(word) > 2 and word.startswith("/") and word.endswith("/"):
            texts.append(compiled(word[1:-1], "planguard_keep"))
        elif " " in word or "*" in word:
            places.append(word.lower().replace("[", "[[]"))  # a place has indices: "messages[0].content"
        elif word:
            names.add(word.lower().replace("-", "_"))
    return Keep(tuple(places), frozenset(names), tuple(texts))


def compiled(pattern: str, option: str) -> re.Pattern[str]:
    """Return a project's own pattern. Raises UsageError if it is not a regular expression."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(
            f"a pattern of {option} is not a regular expression ({error}): got /{pattern}/; correct it"
        ) from None


CREDENTIALS = frozenset({"authentication", "auth", "credential", "credentials"})
"""Members whose own `key`, `token` or `value` is a secret: `"authentication": {"type": "api_key", "key": "..."}`."""
MIN_VALUE = 16
"""Minimum length of a value to search for, in characters. A shorter one may be a word: `none-needed`, `false`."""
# A value needs both to be searched for elsewhere: "a8Kq0ZkR17pWm2Xc" does, "none-needed-at-all" does not.
_LETTER, _DIGIT = re.compile("[A-Za-z]"), re.compile("[0-9]")


def environment_secrets(environment: Mapping[str, str] | None = None) -> re.Pattern[str] | None:
    """Return a pattern of the secret values of an environment, at word boundaries; None without any.

    A value counts if the variable's name indicates a secret, and it has 16 characters or more with letters and digits
    and is not a path, an address or a sentence. The default is the current environment of the process.
    """
    variables = os.environ if environment is None else environment
    values = {value for name, value in variables.items() if _is_secret(name, value)}
    if not values:
        return None
    # As they are, escaped for JSON, and encoded for a URL. The longest first, since one may begin with another.
    found = {form for v in values for form in (v, json.dumps(v)[1:-1], quote(v, safe=""), quote_plus(v))}
    forms = sorted(found, key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, forms))})(?![A-Za-z0-9_])")


def _is_secret(name: str, value: str) -> bool:
    speaks = name_speaks(name) is not Speaks.NOTHING
    return speaks and len(value) >= MIN_VALUE and bool(_LETTER.search(value) and _DIGIT.search(value)) and _plain(value)


def _plain(value: str) -> bool:
    r"""Return True if a value is not a path (`/run/secrets/key1`, `C:\keys`), an address or a sentence."""
    path = value.startswith(("/", "~", "./", "../", "file:")) or PurePath(value).suffix in (".json", ".pem", ".key")
    return not (path or "://" in value or value[1:3] == ":\\" or any(char.isspace() for char in value))


KEPT_HEADERS = (
    "content-*", "accept", "accept-*", "user-agent", "host", "openai-beta", "anthropic-version", "anthropic-beta",
    "x-stainless-*", "x-planguard-*", "x-amz-target", "x-goog-api-client", "mcp-protocol-version", "transfer-encoding",
)  # fmt: skip
"""The only request headers that are recorded: what is asked, in which form, by which client."""
_HIDDEN_HEADERS = frozenset({
    "openai-organization", "openai-project", "anthropic-organization-id", "x-goog-user-project", "cf-ray",
    "www-authenticate", "set-cookie", "set-cookie2",
})  # fmt: skip
"""Response headers whose value names the account or its session, besides those whose name indicates a secret."""
_QUERY = frozenset({
    "key", "token", "sig", "signature", "x-amz-signature", "x-amz-credential", "x-amz-security-token",
    "subscription-key", "code", "auth", "pwd",
})  # fmt: skip
"""Additional URL parameters to redact, besides those whose name indicates a secret."""


@dataclass(frozen=True)
class Redaction:
    """Rules for what to remove besides everything that looks like a key, and what to keep.

    All names are in lower case.
    """

    headers: frozenset[str] = _HIDDEN_HEADERS
    """Response headers whose value is replaced, besides those whose name indicates a secret (`x-functions-key`)."""
    kept_headers: tuple[str, ...] = KEPT_HEADERS
    """Headers of requests that are recorded, as patterns: `x-stainless-*`."""
    query: frozenset[str] = _QUERY
    """URL parameters whose value is replaced, besides those whose name indicates a secret."""
    fields: frozenset[str] = frozenset()
    """A project's own names: any value under them is replaced. `-` in a name counts as `_`."""
    patterns: tuple[re.Pattern[str], ...] = ()
    """A project's own patterns of secrets."""
    values: re.Pattern[str] | None = None
    """Values of environment variables that must not be recorded."""
    keep: Keep = NOTHING
    """Apparent secrets that are not redacted."""

    @cached_property
    def more(self) -> tuple[Named, ...]:
        """The kinds of secrets to find in addition to the known ones."""
        own = tuple(("pattern of planguard_redact", pattern) for pattern in self.patterns)
        return own if self.values is None else (*own, ("value of an environment variable", self.values))

    def with_environment(self) -> Redaction:
        """Return the same redaction, which also removes the secrets in the current environment of the process."""
        values = environment_secrets()
        return self if values is None else replace(self, values=values)

    def keeps_header(self, name: str) -> bool:
        """Return True if a header of a request is recorded."""
        lower = name.lower()
        if lower in self.headers:
            return False
        return any(fnmatchcase(lower, pattern) for pattern in self.kept_headers)

    def hides_header(self, name: str) -> bool:
        """Return True if the value of an answer's header is replaced."""
        return name.lower() in self.headers or header_speaks(name)

    def hides_parameter(self, name: str, value: str = "") -> bool:
        """Return True if the value of a URL parameter is replaced; if no value is given, True if any value would be."""
        always = name.lower() in self.query or self.is_own(name) or parameter_speaks(name)
        return always or (bool(value) and holds_secret(name, value))

    def hides_form_field(self, name: str, value: str) -> bool:
        """Return True if the value of a form field is replaced."""
        known = name.lower() in self.query and (is_coined(value) or looks_random(value))
        return bool(value) and ((known and not is_stand_in(value)) or self.hides_text(name, value))

    def hides_text(self, name: str, value: str) -> bool:
        """Return True if a text under a member's or a field's name is replaced."""
        return bool(value) and (self.is_own(name) or holds_secret(name, value))

    def may_hide(self, name: str) -> bool:
        """Return True if redaction may replace a value under this name."""
        return self.is_own(name) or name.lower() in CREDENTIALS or name_speaks(name.strip("-")) is not Speaks.NOTHING

    def is_own(self, name: str) -> bool:
        """Return True if the project's own settings name it."""
        return name.lower().replace("-", "_") in self.fields


def own_redaction(words: Iterable[str], keep: Iterable[str] = (), keep_headers: Iterable[str] = ()) -> Redaction:
    """Return the usual redaction with a project's own words: names, and patterns between slashes (`/CUST-[0-9]{8}/`).

    A name counts everywhere: as a header, a URL parameter, a form field, a JSON member. `keep` are places, names and
    texts that stay, `keep_headers` are more request headers to record.

    Raises:
        UsageError: a pattern is not a regular expression.
    """
    usual, names, patterns = Redaction(), set(), []
    for word in (word.strip() for word in words):
        if len(word) > 1 and word.startswith("/") and word.endswith("/"):
            patterns.append(compiled(word[1:-1], "planguard_redact"))
        elif word:
            names.add(word.lower())
    return replace(
        usual,
        headers=usual.headers | names | {name.replace("_", "-") for name in names},
        kept_headers=(*KEPT_HEADERS, *(name.strip().lower() for name in keep_headers)),
        query=usual.query | names,
        fields=frozenset(name.replace("-", "_") for name in names),
        patterns=tuple(patterns),
        keep=own_keep(keep),
    )
