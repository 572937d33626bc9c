"""Compare texts word by word: the changes between two, and copies from a source."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


_CHUNK = 4_096
"""Number of characters to compare at once: comparing slices is far faster than comparing characters."""


class _Change(NamedTuple):
    """The words of two texts: their common start, the words of only one of them, and their common end."""

    lead: list[str]
    old: list[str]
    new: list[str]
    tail: list[str]


def _change(old: list[str], new: list[str]) -> _Change:
    start = _common(old, new)
    # Only behind the common start: "a a" and "a a a" would share one word as start and as end.
    end = _common(old[start:][::-1], new[start:][::-1])
    return _Change(old[:start], old[start : len(old) - end], new[start : len(new) - end], old[len(old) - end :])


def _common(one: list[str], other: list[str]) -> int:
    """Return the number of equal leading words."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def changed_lines(old: str, new: str, width: int = 80) -> tuple[str, str]:
    """Return one line of each text, at most `width` characters, with the first differing word in the middle.

    Runs of white space become one space each; "…" marks omissions. Equal texts give their starts. Takes linear time in
    the length of the common start.
    """
    word = _word_start(old, common_prefix(old, new), width)
    return _around(old, word, width), _around(new, word, width)


def common_prefix(old: str, new: str) -> int:
    """Return the number of characters that two texts have in common at their start."""
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start : start + _CHUNK] == new[start : start + _CHUNK]:
        start += _CHUNK
    for index in range(start, min(start + _CHUNK, limit)):
        if old[index] != new[index]:
            return index
    return limit


def _word_start(text: str, at: int, width: int) -> int:
    """Return the start of the word that contains `at`, or `at` if the word starts too far before it.

    Half of a line is context, so a limit of a third of the width keeps the change within the line.
    """
    start = at
    while start > 0 and not text[start - 1].isspace():
        start -= 1
        if at - start > width // 3:
            return at
    return start


def _around(text: str, at: int, width: int) -> str:
    room = width - 2
    start = max(0, at - room // 2)
    end = min(len(text), start + room)
    line = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{line}{'…' if end < len(text) else ''}"


# One line: `… kept words [-old words-]{+new words+} kept words …`.

LINE_CONTEXT = 6
"""Number of words to keep on each side of a change in one line."""
LINE_CHANGED = 24
"""Maximum number of changed words in one line. The rest are counted."""
_LONG_WORD = 200
"""Maximum number of characters of a word in one line, since a blob of base64 is one word."""


def inline_change(before: str, after: str) -> str:
    """Return `… kept words [-old words-]{+new words+} kept words …` on one line; "" for equal texts."""
    if before == after:
        return ""
    lead, old, new, tail = _change(before.split(), after.split())
    if not (old or new):
        return "only white space changed"
    kept = _line(lead[-LINE_CONTEXT:])
    parts = [
        "… " if len(lead) > LINE_CONTEXT else "",
        f"{kept} " if kept else "",
        f"[-{_clipped(old)}-]" if old else "",
        f"{{+{_clipped(new)}+}}" if new else "",
        f" {_line(tail[:LINE_CONTEXT])}" if tail else "",
        " …" if len(tail) > LINE_CONTEXT else "",
    ]
    return "".join(parts)


def _clipped(words: list[str]) -> str:
    more = len(words) - LINE_CHANGED
    shown = _line(words[:LINE_CHANGED])
    return f"{shown} … ({more:,} more words)" if more > 0 else shown


def _line(words: list[str]) -> str:
    return " ".join(word if len(word) <= _LONG_WORD else f"{word[:_LONG_WORD]}…" for word in words)


# Pieces, aligned word by word.

PIECE_CONTEXT = 5
"""Number of words to show before and after a change, as pieces."""
ALIGNED = 300
"""Maximum number of words to align one by one, in quadratic time. The middle of a longer change is replaced as a whole.
"""
LONGEST = 20_000
"""Maximum number of characters of a text to compare."""


class ChangePart(StrEnum):
    """The role of a piece in a change."""

    SAME = auto()
    GONE = auto()
    NEW = auto()
    CUT = auto()
    """Common words that are not shown."""


@dataclass(frozen=True, slots=True)
class ChangePiece:
    """A run of words."""

    part: ChangePart
    text: str
    """The words as written, separated by one space; "…" for a cut."""


CUT = ChangePiece(ChangePart.CUT, "…")


def change_pieces(before: str, after: str) -> tuple[ChangePiece, ...]:
    """Return the difference of two texts as pieces in reading order; () if their words are the same."""
    change = _change(before[:LONGEST].split(), after[:LONGEST].split())
    if not (change.old or change.new):
        return ()
    return (*_context(change.lead, first=True), *_aligned(change.old, change.new), *_context(change.tail, last=True))


def _aligned(old: list[str], new: list[str]) -> Iterator[ChangePiece]:
    if max(len(old), len(new)) > ALIGNED:
        yield from _replaced(old, new)
        return
    from difflib import SequenceMatcher

    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from _context(old[a:b])
        else:
            yield from _replaced(old[a:b], new[c:d])


def _replaced(old: list[str], new: list[str]) -> Iterator[ChangePiece]:
    if old:
        yield _piece(ChangePart.GONE, old)
    if new:
        yield _piece(ChangePart.NEW, new)


def _context(words: list[str], *, first: bool = False, last: bool = False) -> Iterator[ChangePiece]:
    """Yield the common words beside a change, and cut the rest."""
    head = words[: 0 if first else PIECE_CONTEXT]
    tail = words[max(0, len(words) - (0 if last else PIECE_CONTEXT)) :]
    if len(head) + len(tail) >= len(words):
        if words:
            yield _piece(ChangePart.SAME, words)
        return
    if head:
        yield _piece(ChangePart.SAME, head)
    yield CUT
    if tail:
        yield _piece(ChangePart.SAME, tail)


def _piece(part: ChangePart, words: list[str]) -> ChangePiece:
    return ChangePiece(part, " ".join(words))


_NO_LETTERS = re.compile(r"[\W\uff9e\uff9f]{31}")
"""31 characters that may all be marks: "a" and then 31 accents, but "-----…" too. Two letters become marks in NFKC."""


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Return the text with each accent in its letter: an "é" may be one character or two.

    Return it as it is if a letter has dozens of marks: in a language it has five, and Python sorts 80,000 in 5 seconds.
    """
    if text.isascii() or unicodedata.is_normalized(form, text):
        return text
    is_hostile = any(all(map(_is_mark, run[0])) for run in _NO_LETTERS.finditer(text))
    return text if is_hostile else unicodedata.normalize(form, text)


def _is_mark(character: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) != 0


# Copied text has the same words in the same order; case and punctuation do not matter.
#
# The constraint `not_copied` and the check `copied` both use this code, so that they agree on what a copy is. Each has
# its own sources, minimum of words, and texts that may be repeated.

# "Sweep the floor; rest!" has the words sweep, the, floor, rest: copies change case and punctuation first.
_WORD = re.compile(r"\w+")
# Words that no space separates, counted by letters: two in Chinese and Japanese ("掃除", clean), four in Thai, Lao,
# Burmese and Khmer ("หน้าต่าง", window, has seven).
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2}|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{4}")
# Ends of sentences, including the full-width forms of Chinese and Japanese: "。", "！", "？".
_SENTENCE_END = re.compile(r"[.!?;\n\u3002\uff01\uff1f]")


@dataclass(frozen=True, slots=True)
class CopySource:
    """A text that may have been copied from."""

    name: str
    """Name of the source, such as "example"."""
    words: str
    """The words of the text, in the form of `spaced_words`."""
    allowed: tuple[str, ...] = ()
    """Words of texts that may be repeated although the source contains them too."""


def source(name: str, text: str, *allowed: str) -> CopySource:
    """Return a text as a source of copies; text in one of the `allowed` texts may be repeated."""
    return CopySource(name, _source_words(text), tuple(_source_words(other) for other in allowed))


def spaced_words(text: str) -> str:
    """Return the words of a text in lower case, with one space before and after each: " sweep the floor "."""
    return f" {' '.join(_WORD.findall(composed(text).casefold()))} "


# All constraints and attempts of one conversation share the same sources.
_source_words = lru_cache(maxsize=64)(spaced_words)


def copied_from(text: str, sources: Iterable[CopySource], min_words: int) -> str | None:
    """Return the name of the first source that contains the text, or one of its sentences; None if none does.

    Sentences of fewer than `min_words` words are skipped. Spaces separate the words that count: the date "2026-01-15"
    and an id such as "a-1-b" are one word, and may be equal without being copied. In scripts without spaces, letters
    count.
    """
    sources = tuple(sources)
    for sentence in _long_sentences(text, min_words):
        words = spaced_words(sentence)
        for known in sources:
            if words in known.words and not any(words in other for other in known.allowed):
                return known.name
    return None


def _long_sentences(text: str, min_words: int) -> Iterator[str]:
    """Yield the whole text first, because it may be copied together with the full stops that would split it."""
    for sentence in [text, *_SENTENCE_END.split(text)]:
        if sum(_words_in(part) for part in sentence.split() if _WORD.search(part)) >= min_words:
            yield sentence


def _words_in(part: str) -> int:
    return 1 if part.isascii() else max(1, sum(1 for _ in _UNSPACED.finditer(part)))
