"""Places, names and values that redaction leaves unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ...errors import UsageError


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
