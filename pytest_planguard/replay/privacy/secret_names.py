"""Tell by its name whether a header, a parameter or a member holds a secret."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

NAME_LIMIT = 80
"""Characters of a name that is looked at; a longer one is no name of a field."""

# "clientSecret" is client, secret; "AWSAccessKeyId" is AWS, Access, Key, Id; "x-functions-key" is x, functions, key.
# Digits belong to the word before them: "oauth2_token" is oauth2, token, and "x509key" is x509, key.
_WORD = re.compile(r"(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)\d*")
_SECRETS = frozenset({
    "password", "passwd", "pwd", "passphrase", "passcode", "secret", "apikey", "authtoken", "accesstoken",
    "refreshtoken", "idtoken", "sessiontoken", "clientsecret", "secretkey", "accesskey", "privatekey", "authkey",
    "credential", "credentials", "jwt", "xpasswd",
})  # fmt: skip
"""Last words of names that hold a secret whatever stands before them: `db_password`."""
_KEY_OWNERS = frozenset({
    "api", "access", "secret", "private", "account", "subscription", "master", "signing", "encryption", "shared",
    "auth", "functions", "function", "service", "storage", "virtual", "admin", "ssh", "deploy", "webhook", "license",
    "azure", "openai", "anthropic", "mistral", "groq", "cohere", "google", "gemini", "aws", "openrouter", "together",
    "fireworks", "deepseek", "client",
})  # fmt: skip
"""Words in front of `key` that make it a secret: `api_key`. A `primary_key` or a `sort_key` is none."""
_TOKEN_OWNERS = frozenset({
    "access", "refresh", "id", "auth", "session", "bearer", "security", "api", "csrf", "xsrf", "bot", "github",
    "gitlab", "slack", "hf", "oauth", "jwt", "personal", "deploy", "private", "secret", "login", "vault", "npm",
    "pypi", "service", "user",
})  # fmt: skip
"""Words in front of `token` that make it a secret: `access_token`. A `stop_token` or a `next_page_token` is none."""
_PLAIN_KEYS = frozenset({
    "primary", "foreign", "sort", "partition", "public", "cache", "idempotency", "group", "case", "map", "object",
    "row", "lookup", "unique", "natural", "dedup", "hash", "entry", "route", "routing", "translation", "message",
    "issue", "project", "ticket", "index", "surrogate", "websocket", "shard", "order",
})  # fmt: skip
"""Words in front of `key` that leave it an ordinary one: `sort_key`; after any other a random value is a secret."""
_PLAIN_TOKENS = frozenset({
    "next", "page", "continuation", "continue", "sync", "cursor", "previous", "prev", "stop", "eos", "bos", "pad",
    "unk", "mask", "sep", "cls", "end", "start", "special", "first", "last", "top", "text", "resume", "max", "min",
    "per", "image", "audio", "cached", "input", "output", "prompt", "completion", "total",
})  # fmt: skip
"""Words in front of `token` that leave it an ordinary one: `next_token`, `max_token`."""
_PASS_OWNERS = frozenset({
    "db", "user", "smtp", "mail", "mysql", "pg", "admin", "root", "ftp", "redis", "auth", "login",
})  # fmt: skip
"""Words in front of `pass` that make it a password."""
_PARTS = frozenset({"id", "value", "text", "base64", "plain"})
"""Last words that leave a name what it is: `private_key_id`, `password_value`."""
_HEADER_WORDS = frozenset({"token", "authorization", "auth", "cookie", "signature", "sig"})
"""Words of header names that hold a secret, beside `_SECRETS`."""
_QUERY_ENDS = frozenset({"auth", "signature", "sig"})
"""Last words of parameters that hold a secret, beside those of any name: `X-Goog-Signature`."""
_PLAIN_HEADERS = frozenset({"idempotency-key", "x-idempotency-key", "surrogate-key", "sec-websocket-key", "cache-key"})
# A random text: sixteen characters or more without white space, with a letter and a digit: "a8Kq0ZkR17pWm2Xc".
_RANDOM = re.compile(r"(?=[^\s\d]*\d)(?=[^\sA-Za-z]*[A-Za-z])\S{16,}")
# A UUID or a digest is an id: "5f4dcc3b5aa765d61d8327deb882cf99".
_ID = re.compile(r"[0-9a-fA-F-]+")
# What stands for a secret without being one: "string", "<your key>", "${KEY}", "***", "your-api-key", "[redacted]".
_STAND_IN = re.compile(
    r"(?:str(?:ing)?|text|number|int(?:eger)?|none|null|true|false|any|required|optional|changeme|example|"
    r"(?:os|process|env|self|settings|config)\..*|[*x.•…-]+|[<\[{(%].*|\$.*|your[-_ ].*|"
    r"none[-_ ]needed|not[-_ ]needed)",
    re.IGNORECASE | re.DOTALL,
)


class Speaks(Enum):
    """How clearly a name speaks of a secret."""

    NOTHING = "nothing"
    MAYBE = "maybe"
    """A secret where the value looks random: `vendor_token`."""
    SECRET = "secret"
    """A secret whatever the value is: `client_secret`."""
    PASSWORD = "password"
    """A secret that may also be a number or a sentence: `db_password`."""


@lru_cache(maxsize=4096)
def name_speaks(name: str) -> Speaks:
    """Return how clearly the name of a member, a form field, an XML element or a variable speaks of a secret."""
    words = _words(name)
    if len(words) > 1 and words[-1] in _PARTS:
        whole = words[-1] == "id"
        words = words[:-1]
        # An id is a secret's own part for keys only: `private_key_id`, but neither `token_id` nor `password_id`.
        if whole and words[-1] != "key":
            return Speaks.NOTHING
    if not words or words[0] in ("is", "has"):  # "is_secret" is a yes or a no
        return Speaks.NOTHING
    last, owner = words[-1], words[-2] if len(words) > 1 else ""
    # "db_pass" is a password, and a "boarding_pass" is none.
    if last in ("password", "passwd", "pwd") or (last == "pass" and owner in _PASS_OWNERS):
        return Speaks.PASSWORD
    if last in ("passphrase", "passcode"):  # often a word of a story or a game
        return Speaks.MAYBE
    if last in _SECRETS:
        return Speaks.SECRET
    if last == "key":
        return _owned(owner, _KEY_OWNERS, _PLAIN_KEYS)
    if last == "token":
        return _owned(owner, _TOKEN_OWNERS, _PLAIN_TOKENS)
    return Speaks.MAYBE if last == "auth" else Speaks.NOTHING


def holds_secret(name: str, value: str) -> bool:
    """Return whether a text under a name is a secret. What only stands for one (`<your key>`) is none."""
    how = name_speaks(name)
    if how is Speaks.NOTHING or len(value) < 4 or _STAND_IN.fullmatch(value):
        return False
    return how is not Speaks.MAYBE or looks_random(value)


def looks_random(value: str) -> bool:
    """Return whether a text is sixteen characters or more with a letter and a digit, without blanks, and no digest."""
    return _RANDOM.fullmatch(value) is not None and not _ID.fullmatch(value)


@lru_cache(maxsize=1024)
def header_speaks(name: str) -> bool:
    """Return whether a header's name speaks of a secret: `x-functions-key`, `Helicone-Auth`, `x-signature`."""
    if name.lower() in _PLAIN_HEADERS or name.lower().startswith("access-control-"):
        return False  # "access-control-allow-credentials: true" says what a browser may send
    words = name.lower().replace("_", "-").split("-")
    # "x-amzn-bedrock-input-token-count", "x-time-per-token"
    if words[-1] in ("count", "limit", "remaining", "reset") or words[-2:] == ["per", "token"]:
        return False
    return words[-1] == "key" or not _HEADER_WORDS.isdisjoint(words) or not _SECRETS.isdisjoint(words)


@lru_cache(maxsize=1024)
def parameter_speaks(name: str) -> bool:
    """Return whether the name of a URL parameter speaks of a secret: `id_token`, `X-Goog-Signature`, `pwd`."""
    words = _words(name)
    return name_speaks(name) in (Speaks.SECRET, Speaks.PASSWORD) or bool(words and words[-1] in _QUERY_ENDS)


def _owned(owner: str, secret: frozenset[str], plain: frozenset[str]) -> Speaks:
    if owner in secret:
        return Speaks.SECRET
    return Speaks.NOTHING if not owner or owner in plain else Speaks.MAYBE


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case, without numbers: "oauth2_token" and "api_key_2" say what they do."""
    words = _WORD.findall(name) if len(name) <= NAME_LIMIT else []
    return [word if word in _PARTS else word.rstrip("0123456789") for word in map(str.lower, words)]
