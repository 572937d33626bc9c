"""What is taken out of an interaction: by the name of its place, by its shape, and by a project's own words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath

from ...errors import UsageError
from .secret_names import Speaks, header_speaks, holds_secret, name_speaks, parameter_speaks
from .secrets import Named

MIN_VALUE = 16
"""Characters of a value that is looked for; a shorter one may be a word: `none-needed`, `false`."""
_LETTER, _DIGIT = re.compile("[A-Za-z]"), re.compile("[0-9]")


def environment_secrets(environment: Mapping[str, str] | None = None) -> re.Pattern[str] | None:
    """Return a pattern of the secret values of an environment, at word boundaries; None where there are none.

    A value counts where the variable's name speaks of a secret, and it has 16 characters or more with letters and
    digits and is no path, no address and no sentence. By default the environment is that of the process as it is now.
    """
    variables = os.environ if environment is None else environment
    values = {value for name, value in variables.items() if _is_secret(name, value)}
    if not values:
        return None
    forms = sorted({form for value in values for form in _forms(value)}, key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, forms))})(?![A-Za-z0-9_])")


def _is_secret(name: str, value: str) -> bool:
    speaks = name_speaks(name) is not Speaks.NOTHING
    return speaks and len(value) >= MIN_VALUE and bool(_LETTER.search(value) and _DIGIT.search(value)) and _plain(value)


def _plain(value: str) -> bool:
    r"""Return whether a value is no path (`/run/secrets/key1`, `C:\keys`), no address and no sentence."""
    path = value.startswith(("/", "~", "./", "../", "file:")) or PurePath(value).suffix in (".json", ".pem", ".key")
    return not (path or "://" in value or value[1:3] == ":\\" or any(char.isspace() for char in value))


def _forms(value: str) -> set[str]:
    """Return the value as it is, and as JSON and a URL write it."""
    import json
    from urllib.parse import quote, quote_plus

    return {value, json.dumps(value)[1:-1], quote(value, safe=""), quote_plus(value)}


_HEADERS = frozenset({
    "x-goog-user-project", "openai-organization", "openai-project", "anthropic-organization-id", "www-authenticate",
    "cf-ray", "cf-access-client-id",
})  # fmt: skip
_QUERY = frozenset({
    "key", "token", "sig", "signature", "x-amz-signature", "x-amz-credential", "x-amz-security-token",
    "subscription-key", "code", "auth", "pwd",
})  # fmt: skip
"""Those that `_FIELDS` and the rules of names do not have already."""
_FIELDS = frozenset({
    "api_key", "apikey", "x_api_key", "access_token", "refresh_token", "id_token", "auth_token", "session_token",
    "bearer_token", "client_secret", "secret", "secret_key", "secret_access_key", "password", "passwd", "private_key",
    "authorization", "token",
})  # fmt: skip
CREDENTIALS = frozenset({"authentication", "auth", "credential", "credentials"})
"""Members whose own `key`, `token` or `value` is a secret: `"authentication": {"type": "api_key", "key": "..."}`."""


@dataclass(frozen=True)
class Redaction:
    """What is taken out besides everything that looks like a key. All names in lower case."""

    headers: frozenset[str] = _HEADERS
    """Header names that are dropped, beside those whose name speaks of a secret (`x-api-key`, `x-functions-key`)."""
    query: frozenset[str] = _QUERY
    """URL parameters and form fields whose value is replaced, beside those whose name speaks of a secret."""
    fields: frozenset[str] = _FIELDS
    """JSON members whose value is replaced where it is a string, beside those whose name speaks of a secret;
    `-` in a name counts as `_`."""
    patterns: tuple[re.Pattern[str], ...] = ()
    """A project's own shapes of secrets."""
    values: re.Pattern[str] | None = None
    """Values of the environment that must not be recorded."""

    @cached_property
    def more(self) -> tuple[Named, ...]:
        """The kinds of secrets beside the known ones."""
        own = tuple(("pattern of planguard_redact", pattern) for pattern in self.patterns)
        return own if self.values is None else (*own, ("value of an environment variable", self.values))

    def with_environment(self) -> Redaction:
        """Return the same redaction that also takes out the secrets of the process' own environment as it is now."""
        values = environment_secrets()
        return self if values is None else replace(self, values=values)

    def drops_header(self, name: str) -> bool:
        """Return whether a header is left out of a cassette."""
        return name.lower() in self.headers or header_speaks(name)

    def hides_parameter(self, name: str) -> bool:
        """Return whether the value of a URL parameter is replaced."""
        return name.lower() in self.query or parameter_speaks(name)

    def hides_form_field(self, name: str, value: str) -> bool:
        """Return whether the value of a form field is replaced."""
        known = name.lower() in self.query or name.lower().replace("-", "_") in self.fields
        return bool(value) and (known or holds_secret(name, value))

    def hides_text(self, name: str, value: str) -> bool:
        """Return whether a text under a member's name is replaced."""
        return bool(value) and (name.lower().replace("-", "_") in self.fields or holds_secret(name, value))

    def may_hide(self, name: str) -> bool:
        """Return whether a member's name alone leaves it open that something under it is replaced."""
        known = name.lower().replace("-", "_") in self.fields or name.lower() in CREDENTIALS
        return known or name_speaks(name) is not Speaks.NOTHING


def own_redaction(words: Iterable[str]) -> Redaction:
    """Return the usual redaction with a project's own words: names, and patterns between slashes (`/CUST-[0-9]{8}/`).

    A name is taken out wherever it names something: a header, a URL parameter, a form field, a JSON member.

    Raises:
        UsageError: a pattern is no regular expression.
    """
    usual, names, patterns = Redaction(), set(), []
    for word in (word.strip() for word in words):
        if len(word) > 1 and word.startswith("/") and word.endswith("/"):
            patterns.append(_compiled(word[1:-1]))
        elif word:
            names.add(word.lower())
    fields = {name.replace("-", "_") for name in names}
    return replace(
        usual,
        headers=usual.headers | names | {name.replace("_", "-") for name in names},
        query=usual.query | names,
        fields=usual.fields | fields,
        patterns=tuple(patterns),
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(
            f"a pattern of planguard_redact is no regular expression ({error}): got /{pattern}/; correct it"
        ) from None
