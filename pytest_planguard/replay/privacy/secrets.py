"""Find secrets in text: keys by their shape, other values by the name next to them.

The forms of the keys of each vendor are in `document.secret_forms`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...document.secrets import encoded, keys_in
from .pairs import named_secrets, random_secrets

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


Named = tuple[str, re.Pattern[str]]
"""A kind of secret and its pattern."""


def find_secrets(text: str, more: Sequence[Named] = (), *, alone: bool = True, named: bool = True) -> list[Secret]:
    """Return the secrets in a string, in order, without overlaps. Base64 media is skipped.

    `more` are further kinds, beside keys of known shapes and values under names that indicate a secret. Without
    `alone`, random words of no known shape are skipped; without `named`, values that only their names indicate.
    """
    if len(text) < 4:
        return []
    found = [*_in(text, alone=alone, named=named), *_encoded(text)]
    found += [Secret(*match.span(), kind) for kind, pattern in more for match in pattern.finditer(text) if match[0]]
    found.sort(key=lambda s: (s.start, -s.end))
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
_USER = re.compile(r"[\w.@+-]{1,80}:\S{3,200}")
_BASIC = re.compile(r"[Bb]asic \Z")


def _encoded(text: str) -> Iterator[Secret]:
    """Yield each base64 text that hides a secret. It is decoded once and replaced as a whole."""
    for start, end, said in encoded(text):
        if _USER.fullmatch(said) and _BASIC.search(text, max(0, start - 6), start):
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
