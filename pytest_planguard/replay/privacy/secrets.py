"""Find secrets in a text: keys by what they look like, and any value by the name beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...document.secrets import Place, keys_in, keys_in_base64
from .secret_names import Speaks, holds_secret, looks_random, name_speaks

PLACEHOLDER = "[redacted]"
"""Text of a cassette in the place of a secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A place in a text that looks like a secret. The value itself is never kept."""

    start: int
    end: int
    kind: str
    instead: str = PLACEHOLDER
    """What takes its place: 0 for a number, so that JSON stays JSON."""


Named = tuple[str, re.Pattern[str]]
"""A kind of secret and what it looks like."""


def find_secrets(text: str, more: Sequence[Named] = ()) -> list[Secret]:
    """Return the secrets of a text, in order, without overlaps. Base64 media is passed over.

    `more` are further kinds, beside keys of known shapes and what stands under a name that speaks of a secret.
    """
    keys = [Secret(*key) for key in keys_in(text)]
    found = [*keys, *_named(text), *(Secret(*key) for key in keys_in_base64(text))]
    found += [Secret(*match.span(), kind) for kind, pattern in more for match in pattern.finditer(text) if match[0]]
    found.sort(key=lambda s: (s.start, -s.end))
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return kept


def without_secrets(text: str, note: Callable[[str], None], more: Sequence[Named] = ()) -> str:
    """Return the text with a placeholder for every secret; call `note` with the kind of each."""
    out, at = [], 0
    for secret in find_secrets(text, more):
        note(secret.kind)
        out += [text[at : secret.start], secret.instead]
        at = secret.end
    return "".join([*out, text[at:]]) if out else text


def _named(text: str) -> Iterator[Secret]:
    for start, end, kind in named_secrets(text):
        number = text[start - 1] != '"' and text[start:end].isdigit() and kind.startswith("field")
        yield Secret(start, end, kind, "0" if number else PLACEHOLDER)


# A line or a word begins here; inside JSON within JSON that may be behind an escape such as \n.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))"
# "DATABASE_PASSWORD=hunter2", "export AWS_SECRET_ACCESS_KEY='abc…'", "MISTRAL_API_KEY: abc"
_ASSIGNED = re.compile(
    _START + r"([A-Z][A-Z0-9_]{0,60}_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)) {0,2}[=:] {0,2}"
    r"(?:\\{0,3}[\"'])?([^\s\"'\\<>&;,)}\]]{4,4000})"
)
# "password = 'a8Kq0ZkR17'", "db_pass := …", "AccountKey=…", "//registry.test/:_authToken=…": the end of a name in any
# case, and a value of ten characters or more with a letter and a digit. A call, "password = read_1(", is no value.
_ENDED = re.compile(
    r"(key|token|secret|passw(?:or)?d|pwd|pass|credentials?) {0,2}(?::=|[=:]) {0,2}(?:\\{0,3}[\"'])?"
    r"([^\s\"'\\<>&;,(){}\[\]]{10,4000})(?![\w(])",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"[A-Za-z0-9_-]{0,60}\Z")
_LETTER, _DIGIT = re.compile("[A-Za-z]"), re.compile("[0-9]")
# "<SecretAccessKey>abc…</SecretAccessKey>"
_ELEMENT = re.compile(r"<([A-Za-z][\w.:-]{1,60})>([^<>\s\"\\]{4,4000})</")
# "\"password\": \"hunter2\"" in a text that holds JSON, whole or broken; a value that is cut off runs to the end.
_MEMBER = re.compile(r'"([^"\\\n]{1,80})" {0,9}: {0,9}(?:"((?:[^"\\\n]|\\.){1,4000})(?:"|\Z)|(\d{4,40})(?![\d.]))')
# The same one or more levels deeper: \"password\": \"hunter2\"
_DEEPER = re.compile(r'(\\{1,15})"([^"\\\n]{1,80})\1" {0,9}: {0,9}\1"([^"\\\n]{1,4000})')
# "azure api key: 0123456789abcdef0123456789abcdef"; the same digits without the word are a digest.
_HEX_KEY = re.compile(
    r"(?i)(?:api|azure|openai|subscription|access|secret)[ _-]{0,2}key(?: is)?[\"'`:= ]{1,4}([0-9a-f]{32})(?![0-9a-z])"
)
_HINTS = ("key", "token", "secret", "pass", "pwd", "cred", "auth", "jwt")
"""A name that speaks of a secret has one of these in it, in any case."""


def named_secrets(text: str) -> Iterator[Place]:
    """Yield what stands under a name that speaks of a secret."""
    if not may_name_secrets(text):
        return
    yield from _assignments(text)
    yield from _members(text)
    for match in _HEX_KEY.finditer(text):
        yield match.start(1), match.end(1), "API key by its name"


def may_name_secrets(text: str) -> bool:
    """Return whether `named_secrets` or a member's name could tell of a secret; False is certain."""
    lower = text.casefold()
    return any(hint in lower for hint in _HINTS)


def _assignments(text: str) -> Iterator[Place]:
    for match in _ASSIGNED.finditer(text):
        if holds_secret(match[1], match[2]):
            yield match.start(2), match.end(2), f"value of {match[1]}"
    for match in _ENDED.finditer(text):
        before = _NAME_BEFORE.search(text, max(0, match.start() - 60), match.start())
        name = (before[0] if before else "") + match[1]
        if _LETTER.search(match[2]) and _DIGIT.search(match[2]) and holds_secret(name, match[2]):
            yield match.start(2), match.end(2), f"value of {name}"
    for match in _ELEMENT.finditer(text) if "</" in text else ():
        if holds_secret(match[1], match[2]):
            yield match.start(2), match.end(2), f"element {match[1]}"


def _members(text: str) -> Iterator[Place]:
    for match in _MEMBER.finditer(text):
        if match[2] is not None and _tells(match[1], match[2]):
            yield match.start(2), match.end(2), f'field "{match[1]}"'
        elif match[3] is not None and name_speaks(match[1]) is Speaks.PASSWORD:
            yield match.start(3), match.end(3), f'field "{match[1]}"'
    for match in _DEEPER.finditer(text) if '\\"' in text else ():
        if _tells(match[2], match[3]):
            yield match.start(3), match.end(3), f'field "{match[2]}"'


def _tells(name: str, value: str) -> bool:
    """Sentences are secrets of passwords only: `"secret": "the butler did it"` is a story's."""
    spaced = " " in value and name_speaks(name) is not Speaks.PASSWORD
    return holds_secret(name, value) and not spaced and (name.lower() != "secret" or looks_random(value))
