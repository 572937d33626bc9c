"""Decide how strongly a name indicates a secret, and what the value next to it must look like to be one."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from ...document.secrets import RANDOM, is_hex, stands_in, surprise

NAME_LIMIT = 80
"""Maximum length of a name, in characters. Anything longer is not the name of a field."""


class Speaks(Enum):
    """How strongly a name indicates a secret."""

    NOTHING = "nothing"
    MAYBE = "maybe"
    """A secret if the value looks random: `vendor_token`."""
    SECRET = "secret"
    """A secret with any value: `client_secret`."""
    PASSWORD = "password"
    """A secret that may also be a number or several words: `db_password`."""


# "clientSecret" is client, secret; "AWSAccessKeyId" is AWS, Access, Key, Id; "x-functions-key" is x, functions, key.
# Digits belong to the word before them: "oauth2_token" is oauth2, token, and "x509key" is x509, key.
# A small s ends a plural: "API_KEYs" is api, key.
_WORD = re.compile(r"(?:[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+)\d*")
_PASSWORDS = frozenset({"password", "passwd", "pwd", "pgpassword"})
_SECRETS = frozenset({
    "secret", "credential", "jwt", "mnemonic", "cvv", "authorization", "otp", "totp", "cookie", "dsn", "sas",
})  # fmt: skip
"""Last words of names that hold a secret after any first words: `db_credentials`."""
_MAYBE = frozenset({"auth", "pass", "bearer", "hmac", "pat", "passphrase", "passcode"})
"""Last words of names that may hold a secret: a passphrase also occurs in stories."""
_KEY_OWNERS = frozenset({
    "api", "access", "secret", "private", "account", "subscription", "master", "signing", "encryption", "shared",
    "auth", "function", "service", "storage", "virtual", "admin", "ssh", "deploy", "webhook", "license", "client",
    "azure", "openai", "anthropic", "mistral", "groq", "cohere", "google", "gemini", "aws", "openrouter", "together",
    "fireworks", "deepseek", "app", "consumer", "hmac",
})  # fmt: skip
"""Words before `key` that make it a secret: `api_key`. A `primary_key` or a `sort_key` does not count."""
_TOKEN_OWNERS = frozenset({
    "access", "refresh", "id", "auth", "session", "bearer", "security", "api", "csrf", "xsrf", "bot", "github",
    "gitlab", "slack", "hf", "oauth", "jwt", "personal", "deploy", "private", "secret", "login", "vault", "npm",
    "pypi", "service", "user", "gh", "registration", "device", "invite", "magic",
})  # fmt: skip
"""Words before `token` that make it a secret: `access_token`, but not `stop_token` or `next_page_token`."""
_PASS_OWNERS = frozenset({
    "db", "user", "smtp", "mail", "mysql", "pg", "admin", "root", "ftp", "redis", "auth", "login", "database", "proxy",
})  # fmt: skip
"""Words before `pass` that make it a password."""
_PLAIN_OWNERS = frozenset({
    "primary", "foreign", "sort", "partition", "public", "cache", "idempotency", "group", "case", "map", "object",
    "row", "lookup", "unique", "natural", "dedup", "hash", "entry", "route", "routing", "translation", "message",
    "issue", "project", "ticket", "index", "surrogate", "websocket", "shard", "order", "next", "page", "continuation",
    "continue", "sync", "cursor", "previous", "prev", "stop", "eos", "bos", "pad", "unk", "mask", "sep", "cls", "end",
    "start", "special", "first", "last", "top", "text", "resume", "max", "min", "per", "image", "audio", "cached",
    "input", "output", "prompt", "completion", "total", "reasoning", "num", "new",
})  # fmt: skip
"""Words before `key` and `token` that make them harmless: `sort_key`, `next_token`."""
_TAILS = frozenset({
    "value", "text", "base64", "plain", "prod", "production", "dev", "test", "staging", "live", "old", "new",
    "current", "main", "raw", "str", "string", "b64", "encoded", "env", "default", "backup", "primary", "secondary",
    "id", "header", "var",
})  # fmt: skip
"""Last words that do not change the meaning of a name: `openai_api_key_prod`, `token_value`, `private_key_id`."""
_PLAIN = frozenset({"is", "has", "no", "max", "min", "num", "require", "need", "use", "with", "show"})
"""First words of names for a flag or a number: `is_secret`, `max_tokens`, `needs_password`."""
_SINGULAR = frozenset({"has", "sas", "cls", "bos", "eos", "aws", "fireworks"})
_NO_PLURAL = ("ss", "us", "is")
"""Ends of words in the singular: "access", "previous", "is"."""
# "apitoken", "sharedsecret", "sessionid", "authtoken": two words that are written as one.
_JOINED = re.compile(r"(x|api|access|auth|shared|session|client|refresh|id|app|user|bot|db|my|admin|private|secret)"
                     r"(token|secret|password|passwd|pwd|pass|key|id|credential)")  # fmt: skip
# "acmetoken", "ACMESECRET", "acmeapikey": any word before one that shows a secret.
_COMPOUND = re.compile(r"([a-z]{3,20})(token|secret|password|apikey)")
_QUERY_ENDS = frozenset({"auth", "signature", "sig"})
"""More last words that mark a URL parameter as a secret: `X-Goog-Signature`."""


@lru_cache(maxsize=8192)
def name_speaks(name: str) -> Speaks:
    """Return how strongly a name indicates a secret, by its last words and the one before them."""
    words = _words(name)
    if not words or words[0] in _PLAIN:
        return Speaks.NOTHING
    ended = len(words)
    while len(words) > 1 and words[-1] in _TAILS:
        words.pop()
    last, owner = words[-1], words[-2] if len(words) > 1 else ""
    # An id is part of a secret for keys and sessions only: `private_key_id`, but neither `token_id` nor `secret_id`.
    if ended > len(words) and _words(name)[-1] == "id" and last not in ("key", "session"):
        return Speaks.NOTHING
    if last in _PASSWORDS or (last == "pass" and owner in _PASS_OWNERS):
        return Speaks.PASSWORD
    if last in _SECRETS:
        return Speaks.SECRET
    if last == "key":
        return _owned(owner, _KEY_OWNERS, Speaks.NOTHING)
    if last == "token":
        return _owned(owner, _TOKEN_OWNERS, Speaks.MAYBE)
    if last == "session":
        return Speaks.MAYBE if ended > len(words) else Speaks.NOTHING
    return Speaks.MAYBE if last in _MAYBE else Speaks.NOTHING


def _owned(owner: str, secret: frozenset[str], alone: Speaks) -> Speaks:
    if owner in secret:
        return Speaks.SECRET
    return alone if not owner else Speaks.NOTHING if owner in _PLAIN_OWNERS else Speaks.MAYBE


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case and singular, without numbers: "API_KEYS_2" is api, key."""
    found: list[str] = []
    for word in _WORD.findall(name) if len(name) <= NAME_LIMIT else ():
        # The digits of these two are part of the word; without them, "key_b64" would end in "b".
        word = word.lower() if word.lower() in ("base64", "b64") else word.lower().rstrip("0123456789")
        if word.endswith("s") and not word.endswith(_NO_PLURAL) and word not in _SINGULAR:
            word = word[:-1]
        joined = (_JOINED.fullmatch(word) or _COMPOUND.fullmatch(word)) if word not in _SECRETS | _PASSWORDS else None
        found += [joined[1], *joined[2].replace("apikey", "api key").split()] if joined else [word]
    return found


@lru_cache(maxsize=2048)
def header_speaks(name: str) -> bool:
    """Return True if a header of an answer names a secret: `x-auth-token`, `x-functions-key`, `x-signature`."""
    lower = name.lower()
    if lower.startswith("access-control-"):
        return False  # "access-control-allow-credentials: true" says what a browser may send
    return parameter_speaks(lower)  # not "x-time-per-token", "x-token-usage", "x-ratelimit-limit-tokens"


@lru_cache(maxsize=2048)
def parameter_speaks(name: str) -> bool:
    """Return True if the name of a URL parameter indicates a secret: `id_token`, `X-Goog-Signature`, `pwd`."""
    words = _words(name)
    return name_speaks(name) in (Speaks.SECRET, Speaks.PASSWORD) or bool(words and words[-1] in _QUERY_ENDS)


# Placeholders for an expected secret: "string", "<your key>", "${KEY}", "os.environ", "not-needed".
_STAND_IN = re.compile(
    r"(?:str(?:ing)?|text|number|int(?:eger)?|none|null|true|false|any|required|optional|missing|invalid|valid|wrong|"
    r"weak|strong|empty|hidden|secret|token|password|passwd|pwd|yes|no|bearer|basic|api[-_]?key|ok|sha\d+|bcrypt|"
    r"(?:os|process|env|self|settings|config)\..*|[*x.•…-]+|[<\[{(%].*|\$.*|your[-_ ].*|"
    r"(?:none|not)[-_ ]needed)",
    re.IGNORECASE | re.DOTALL,
)
# A path, not a password, under `pwd` and the like: "/home/user/project1", "~/work", "C:\\work", "./a",
# "https://a.test".
_PATH = re.compile(r"(?:~|\.{0,2}/|[A-Za-z]:\\|file:)[^\n]*")
# Words of a validator or a label: "String should have at least 8 characters", "may not be blank", "Passwort eingeben".
_SAYS = re.compile(
    r"(?i)\b(?:should|must|may|not|is|are|was|be|required?|least|most|characters?|invalid|blank|missing|field|short|"
    r"long|weak|match|need|needs|please|enter|the|of|for|your|too|cannot|can't|expected|got|value|string)\b|[.!?:…]\Z"
)


def holds_secret(name: str, value: str) -> bool:
    """Return True if a text under a name is a secret. A placeholder for one (`<your key>`) does not count."""
    how = name_speaks(name)
    if how is Speaks.NOTHING or len(value) < 4 or is_stand_in(value):
        return False
    if how is Speaks.MAYBE:
        return looks_random(value) or (name.lower() in ("token", "pass") and is_coined(value))
    if any(map(str.isspace, value)):
        return how is Speaks.PASSWORD and not _is_said(value)
    # "weak" and "admin" are words of a test; "swordfish" is a password.
    return len(value) > 7 or not (value.isalpha() and value.islower()) or surprise(value) > 0


def is_stand_in(value: str) -> bool:
    """Return True if a value is only a placeholder for a secret, or a path: `<your key>`, `changeme123`, `/home/me`."""
    return (
        _STAND_IN.fullmatch(value) is not None
        or stands_in(value)
        or (_PATH.fullmatch(value) is not None and surprise(value) < RANDOM)
    )


def _is_said(value: str) -> bool:
    """Return True if words are a sentence or a label, not a passphrase such as "correct horse battery staple"."""
    first, *rest = value.split()
    return _SAYS.search(value) is not None or (first[:1].isupper() and all(word.islower() for word in rest))


def looks_random(value: str) -> bool:
    """Return True for 12 or more characters without blanks that are not a word, a digest or an id."""
    return (
        len(value) >= 12
        and not is_hex(value)
        and not any(map(str.isspace, value))
        and any(map(str.isdigit, value))
        and (surprise(value) > 3 or surprise(max(re.split(r"[^A-Za-z0-9]", value), key=len)) > 3)
    )


def is_drawn(value: str) -> bool:
    """Return True if a string looks random: unlike any word, with or without digits."""
    return len(value) >= 12 and not is_hex(value) and not any(map(str.isspace, value)) and surprise(value) > RANDOM


def is_coined(value: str) -> bool:
    """Return True if a text was made up and is not a word of any language: "hunter2!", "a8Kq0ZkR17", never "page2"."""
    letter, digit = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return len(value) > 5 and letter and digit and not any(map(str.isspace, value))
