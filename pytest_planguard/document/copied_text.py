"""Find text that was copied from a source: the same words in the same order, whatever their case and punctuation.

The constraint `not_copied` and the check `copied` both ask here, so that they agree on what a copy is. Each has its own
sources, its own least number of words, and its own texts that may be repeated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# "Sweep the floor; rest!" has the words sweep, the, floor, rest: case and punctuation are what a copy changes first.
_WORD = re.compile(r"\w+")
# Ends of sentences, the full-width forms of Chinese and Japanese too: "。", "！", "？".
_SENTENCE_END = re.compile(r"[.!?;\n\u3002\uff01\uff1f]")


@dataclass(frozen=True, slots=True)
class CopySource:
    """A text that may have been copied from."""

    name: str
    """Name of the source, "example" for one."""
    words: str
    """The words of the text, as `spaced_words` gives them."""
    allowed: tuple[str, ...] = ()
    """Words of texts that may be repeated although the source holds them, too."""


def source(name: str, text: str, *allowed: str) -> CopySource:
    """Return a text as a source of copies; what stands in one of the `allowed` texts may be repeated."""
    return CopySource(name, _source_words(text), tuple(_source_words(other) for other in allowed))


def spaced_words(text: str) -> str:
    """Return the words of a text in lower case, with one space before and after each: " sweep the floor "."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


# The sources of one conversation are the same for every constraint and attempt of it.
_source_words = lru_cache(maxsize=64)(spaced_words)


def copied_from(text: str, sources: Iterable[CopySource], min_words: int) -> str | None:
    """Return the name of the first source that holds the text, or one of its sentences; None where none does.

    Sentences of fewer than `min_words` words are passed over. Words are counted by the spaces between them: the date
    "2026-01-15" and an id such as "a-1-b" are one word, and may be equal without being copied.
    """
    sources = tuple(sources)
    for sentence in _long_sentences(text, min_words):
        words = spaced_words(sentence)
        for known in sources:
            if words in known.words and not any(words in other for other in known.allowed):
                return known.name
    return None


def _long_sentences(text: str, min_words: int) -> Iterator[str]:
    """Yield the whole text first: it may be copied with the full stops that would split it."""
    for sentence in [text, *_SENTENCE_END.split(text)]:
        if sum(1 for word in sentence.split() if _WORD.search(word)) >= min_words:
            yield sentence
