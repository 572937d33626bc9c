"""Find secrets in text: keys by their shape, other values by the name next to them.

The forms of the keys of each vendor are in `document.secret_forms`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...document.secrets import RANDOM, Place, encoded, is_hex, keys_in, stands_in, surprise
from .secret_names import Speaks, holds_secret, is_coined, is_drawn, looks_random, name_speaks, parameter_speaks

PLACEHOLDER = "[redacted]"
"""Text in a cassette that replaces a secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A place in a text that looks like a secret. The value itself is never kept."""

    start: int
    end: int
    kind: str
    instead: str = PLACEHOLDER
    """The replacement: 0 for a number, so that JSON stays JSON."""
    name: str = ""
    """The name next to it, if the name shows that it is a secret."""


_SHORTEST = 4
"""Minimum number of characters of a text with a secret of a known kind."""
Named = tuple[str, re.Pattern[str]]
"""A kind of secret and its pattern."""


def find_secrets(text: str, more: Sequence[Named] = (), *, alone: bool = True, named: bool = True) -> list[Secret]:
    """Return the secrets in a string, in order, without overlaps. Base64 media is skipped.

    `more` are further kinds, beside keys of known shapes and values under names that indicate a secret. Without
    `alone`, random words of no known shape are skipped; without `named`, values that only their names indicate.
    """
    found = [] if len(text) < _SHORTEST else [*_in(text, alone=alone, named=named), *_encoded(text)]
    found += [Secret(*match.span(), kind) for kind, pattern in more for match in pattern.finditer(text) if match[0]]
    found.sort(key=lambda s: (s.start, -s.end))  # of two that begin together, the longer one stays
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return kept


def _in(text: str, *, alone: bool, named: bool = True) -> Iterator[Secret]:
    yield from (Secret(*key) for key in keys_in(text, prefixed=alone))
    for start, end, kind in named_secrets(text) if named else ():
        number = text[start - 1] != '"' and text[start:end].isdigit() and kind.startswith("field")
        yield Secret(start, end, kind, "0" if number else PLACEHOLDER, _NAME.sub("", kind))
    if alone:
        yield from (Secret(*key) for key in random_secrets(text))


# 'field "db_password"', "value of DB_PASSWORD"
_NAME = re.compile('field "|"|value of ')
# "dXNlcjpwYXNzd29yZA==": a user and a password, as after "Basic".
_USER_AND_PASSWORD = re.compile(r"[\w.@+-]{1,80}:\S{3,200}")
# Before the value: "Authorization: Basic ".
_BASIC = re.compile(r"[Bb]asic \Z")


def _encoded(text: str) -> Iterator[Secret]:
    """Yield each base64 text that hides a secret. It is decoded once and replaced as a whole."""
    for start, end, said in encoded(text):
        if _USER_AND_PASSWORD.fullmatch(said) and _BASIC.search(text, max(0, start - 6), start):
            yield Secret(start, end, "user and password in base64")
        elif any(True for _ in _in(said, alone=False)):
            yield Secret(start, end, "a key in base64")


def without_secrets(text: str, note: Callable[[str], None], more: Sequence[Named] = ()) -> str:
    """Return the text with a placeholder for every secret; call `note` with the kind of each."""
    out, at = [], 0
    for secret in find_secrets(text, more):
        note(secret.kind)
        out += [text[at : secret.start], secret.instead]
        at = secret.end
    return "".join([*out, text[at:]]) if out else text


# Pairs of a name and a value in a text, in any notation: JSON, Python, YAML, XML, shells, argv.

_HINT = re.compile(
    r"(?i)key|token|secret|pass|pwd|cred|auth|jwt|cookie|sess|bearer|otp|sas|sig|mnemonic|cvv|hmac|dsn|_pat\b"
    r"|(?<=[?&])code\b"
)
"""A name that indicates a secret contains one of these; `code` is one in an address only: `?code=…` of OAuth."""
_LONGEST = 100_000
"""Maximum number of characters of a value to remove."""
_NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
# The rest of a name after its telling part: "_value" of "api_key_value".
_REST = re.compile(r"[A-Za-z0-9_-]{0,40}")
# The word before a name that a sign follows belongs to it: "api" in "api key: abc" makes api_key.
_WORD_BEFORE = re.compile(r"([A-Za-z]{2,20}) \Z")
# The text between a name and its value: the quotes that close the name, the sign, the quotes that open the value.
_SIGN = re.compile(
    r"(?P<close>\\{0,15}[\"'`]|)(?P<sign>[ \t]{0,9}(?::=|=>|=(?!=)|:(?!:)|,|>)[ \t]{0,9}| is:? | {1,3})"
    r"(?P<scheme>(?:bearer|basic|token|bot|apikey|ssws|key) +|)(?P<open>\\{0,15}[\"'`]|)(?P<again>)",
    re.IGNORECASE,
)
# A value without quotes ends with a blank, a quote, a comma or a bracket: "abc" in "token=abc, user=me".
_BARE = re.compile(r"[^\s\"'`\\<>&;,(){}\[\]]+")
_LINE = re.compile(r"[^\n]+")
_JUDGED = 200
"""Maximum number of characters of a value to examine."""
# "mysql -pV", "docker login -p V", "sshpass -p V", "redis-cli -a V": short options that hold a password.
_TOOLS = re.compile(
    r"\b(?:mysql\w*|mariadb|sshpass|(?:docker|podman|helm registry|az|oc|skopeo) login|redis-cli|mongo(?:sh)?"
    r"|smbclient)\b[^\n|&;]{0,200}?\s-[pa]\s?[\"']?(?!-)([^\s\"'\\]{4,200})"
)
# "docker run --name mysql -p 3306:3306": a port, or one for another.
_PORT = re.compile(r"[\d.:]+(?:/(?:tcp|udp|sctp))?")
# "curl -u me:V"
_USER = re.compile(
    r"(?<![\w-])(?:-u|--user|--proxy-user)(?: |=|\", ?\"|', ?')[\"']?[^\s:\"'/]{1,80}:([^\s\"'\\]{4,200})"
)
# {"name": "DB_PASSWORD", "value": "V"}, and in YAML, on two lines
_SPLIT = re.compile(
    r"\b(?:name|key|variable|header|field)\\{0,3}[\"']? {0,3}[:=] {0,3}\\{0,3}[\"']?([\w.-]{2,80})\\{0,3}[\"']?,?"
    r"(?:\\n|\s){0,20}\\{0,3}[\"']?(?:value|val)\\{0,3}[\"']? {0,3}[:=] {0,3}\\{0,3}[\"']?([^\s\"'\\,}]{4,4000})"
)
# A random word near one that indicates a secret: "the password for prod is now\na8Kq0ZkR17pWm2Xc".
_NEAR = re.compile(
    r"(?i)(?:(?:api|access|secret|private|auth|license)[ _-]?key|password|passphrase|passwd|secret|\btoken|credential)"
    r"\b[^\"{}\[\]=]{1,80}?(?<![\w./+-])(?=[^\s\d]{0,60}\d)([A-Za-z0-9+/_-]{16,200}={0,2})(?![\w/-]|\.\w)"
)
# The secret of an AWS id is near it, and consists of 40 characters.
_FORTY = re.compile(r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
# "AKIAQ3EGRIUYJXAB5Z4T", "ASIA…" of a session, the ids that `secret_forms` lists: the secret of one is near.
_AWS = re.compile(r"(?<![A-Za-z0-9])A(?:[BKS]I|CC)A[0-9A-Z]{16}(?![0-9A-Za-z])")


@dataclass(frozen=True, slots=True)
class _Pair:
    name: str
    """The name without leading dashes."""
    flag: bool
    """True for a command-line option: `--token`."""
    quoted: bool
    """True if quotes or brackets enclose it, so that it is a member and not a word in a sentence."""
    before: str
    """The character before the name."""
    sign: str
    start: int
    end: int
    opened: str
    """The quotes around the value."""


def named_secrets(text: str) -> Iterator[Place]:
    """Yield the values under names that indicate a secret."""
    if not may_name_secrets(text):
        yield from _of_tools(text)
        return
    for pair in _pairs(text):
        yield pair.start, pair.end, f'field "{pair.name}"' if pair.quoted else f"value of {pair.name}"
    for match in _SPLIT.finditer(text):
        if holds_secret(match[1], match[2]):
            yield match.start(2), match.end(2), f"value of {match[1]}"
    yield from _of_tools(text)


def random_secrets(text: str) -> Iterator[Place]:
    """Yield random-looking words near a word that indicates a secret, or near the id that they belong to."""
    for match in _NEAR.finditer(text) if may_name_secrets(text) else ():
        if surprise(match[1]) > RANDOM and not is_hex(match[1]) and not stands_in(match[1]):
            yield match.start(1), match.end(1), "a random word near one that speaks of a secret"
    if ("IA" in text or "CCA" in text) and _AWS.search(text):
        yield from ((m.start(), m.end(), "AWS secret") for m in _FORTY.finditer(text) if surprise(m[0]) > RANDOM)


def may_name_secrets(text: str) -> bool:
    """Return False if neither `named_secrets` nor a member's name can find a secret in the text."""
    return _HINT.search(text) is not None


def _of_tools(text: str) -> Iterator[Place]:
    if " -" not in text and '"-' not in text and "'-" not in text:
        return
    for pattern, kind in ((_TOOLS, "password of a command"), (_USER, "user and password of a command")):
        for match in pattern.finditer(text):
            if not stands_in(match[1]) and not _PORT.fullmatch(match[1]):
                yield match.start(1), match.end(1), kind


def _pairs(text: str) -> Iterator[_Pair]:
    end = 0
    for hint in _HINT.finditer(text):
        if hint.start() < end:  # it is in the name or the value of the pair before
            continue
        start = hint.start()
        while start > max(end, hint.start() - 60) and text[start - 1] in _NAME_LETTERS:
            start -= 1
        stop = _REST.match(text, hint.end()).end()  # type: ignore[union-attr]
        end = stop
        pair = _pair(text, start, stop)
        if pair is not None and _is_secret(pair, text[pair.start : pair.end]):
            pair = replace(pair, end=_end(text, pair, _LONGEST))
            yield pair
            end = pair.end


def _pair(text: str, start: int, stop: int) -> _Pair | None:
    sign = _SIGN.match(text, stop)
    if sign is None:
        return None
    name = text[start:stop]
    if text[start - 1 : start] == "\\" and name[0] in "nrtbf":
        name = name[1:]  # JSON within JSON: "\\nDB_TOKEN"
    flag = name.startswith("-")
    name = name.strip("-")
    before = text[start - 1 : start]
    said = sign["sign"].strip()
    if not flag and before == " " and said and (word := _WORD_BEFORE.search(text, max(0, start - 22), start)):
        name = f"{word[1]}_{name}" if "_" not in name and "-" not in name else name
    if not flag and before not in ("?", "&") and name_speaks(name) is Speaks.NOTHING:
        return None
    if (closed := sign["close"]) and (before == "" or before not in closed) and not flag:
        return None  # `"the key" is` closes an earlier quote
    opened, at = sign["open"], sign.end()
    pair = _Pair(name, flag, bool(closed), before, said, at, at, opened)
    end = _end(text, pair, _JUDGED)
    return replace(pair, end=end) if end > at else None


def _end(text: str, pair: _Pair, most: int) -> int:
    """Return the end of a value: its closing quote, or the end of its word. A cut-off value ends with its line."""
    at, limit = pair.start, pair.start + most
    if not pair.opened:
        bare = _BARE.match(text, at, limit)
        end = bare.end() if bare else at
        while end > at and text[end - 1] in ".:!?":
            end -= 1
        return end
    found = text.find(pair.opened, at, limit)
    if found >= 0:
        return found
    line = _LINE.match(text, at, limit)
    return line.end() if line else at


def _is_secret(pair: _Pair, value: str) -> bool:
    """Return True if the value of a pair is a secret. The looser the notation, the stricter the test of the value."""
    if len(value) < (1 if pair.opened else 4) or "[redacted]" in value or stands_in(value):
        return False
    if pair.before in ("?", "&") and pair.sign == "=":
        return _is_parameter(pair.name, value)
    if pair.flag and pair.sign in ("", "=", ","):
        return _is_option(pair.name, value)
    if pair.sign in (",", ">", ""):
        return _is_beside(pair, value)
    if pair.quoted and pair.opened:
        return holds_secret(pair.name, value) and (pair.name.lower() != "secret" or is_coined(value))
    if pair.quoted and value.isdigit() and pair.sign == ":":
        return name_speaks(pair.name) is Speaks.PASSWORD
    return _is_assigned(pair, value)


def _is_parameter(name: str, value: str) -> bool:
    """Return True if the parameter of an address is a secret: `?sig=…`."""
    listed = parameter_speaks(name) or name.lower() in ("key", "token", "sig", "code", "auth")
    return listed and len(value) >= 8 and (surprise(value) > 3 or is_hex(value) or is_coined(value))


def _is_option(name: str, value: str) -> bool:
    """Return True if the value of an option is a secret: `--token …`, `--token=…`."""
    strong = name_speaks(name) in (Speaks.SECRET, Speaks.PASSWORD) or name.lower() in ("token", "pass", "key")
    return not value.startswith("-") and (holds_secret(name, value) or (strong and is_coined(value)))


def _is_beside(pair: _Pair, value: str) -> bool:
    """Return True for a pair, `["Authorization", "…"]`, but not for a list of names, `["password", "username"]`."""
    if pair.sign == ",":
        return pair.quoted and bool(pair.opened) and looks_random(value)
    if pair.sign == ">":
        return pair.before in ("<", ":") and holds_secret(pair.name, value)
    if pair.name.upper() == pair.name and "_" in pair.name:  # ENV GITHUB_TOKEN a8Kq0ZkR17pWm2Xc
        return looks_random(value)
    return pair.name.lower() == "bearer" and is_token(value)


def _is_assigned(pair: _Pair, value: str) -> bool:
    """Return True for `DB_PASSWORD=hunter2` in a shell; in YAML or prose, `password: hunter2` needs a made-up value."""
    name, how = pair.name, name_speaks(pair.name)
    if not holds_secret(name, value):
        return False
    if name.upper() == name and ("_" in name or pair.sign == "=") and how is not Speaks.MAYBE:
        return True
    if pair.opened:
        return not any(map(str.isspace, value)) and (is_coined(value) or surprise(value) > 3)
    return is_coined(value) or is_drawn(value) or (how is Speaks.MAYBE and looks_random(value))


def is_token(value: str) -> bool:
    """Return True if a text after `Bearer` is a token: "planted.bearer.token.123456", never "certificate-2024-b"."""
    digit = any(map(str.isdigit, value))
    return (
        len(value) >= 16 and digit and (surprise(value) > 0 or "." in value or is_hex(value)) and not stands_in(value)
    )
