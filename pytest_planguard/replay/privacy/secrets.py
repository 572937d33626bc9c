"""Find secrets in a text: keys by what they look like, and any value by the name beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...document.secrets import keys_in, keys_in_base64
from .secret_texts import named_secrets

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
