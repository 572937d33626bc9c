"""Find the sentences of a text, or parts of sentences, that another text lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, takewhile, zip_longest

from .request_diff import TOKENS

_ENDING = 2
"""Maximum number of letters that a plural adds to its singular: "problem", "problems"; "erreur", "erreurs"."""
_STEM = 3
"""The letters that a word must share with its plural: "erro(r|res)", "Fehler(n)"."""
# Words that agree with a count and share no stem, in six languages.
_VERBS = (
    *({"is", "are"}, {"was", "were"}, {"has", "have"}, {"this", "these"}, {"that", "those"}, {"it", "them"}),
    *({"ist", "sind"}, {"muss", "müssen"}, {"hat", "haben"}, {"est", "sont"}, {"a", "ont"}, {"doit", "doivent"}),
    *({"es", "son"}, {"ha", "han"}, {"é", "são"}, {"foi", "foram"}, {"è", "sono"}),
)


@dataclass(frozen=True, slots=True)
class Counts:
    """Distinguishes counts of errors from the other numbers of a text."""

    positions: Collection[int]
    """Numbers that may be an item's position: "item 2" becomes "item 3" if the first of two errors disappears."""

    def alone(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Return True if two sentences differ only in a count, by one, and in the endings that depend on it.

        "2 validation errors for Menu" and "1 validation error for Menu" do; "item 2" and "item 4" do not.
        """
        apart = [(a, b) for a, b in zip_longest(one, other, fillvalue="") if a != b]
        counted = any(self._is_count(a, b) for a, b in apart)
        return counted and all(self._is_count(a, b) or is_inflected(a, b) for a, b in apart)

    def said_within(self, words: Iterable[str], others: Sequence[str]) -> bool:
        """Return True if all words occur in the others in order, apart from counts and their endings.

        "1 problem: the title" is contained in "2 problems: the title and the owner".
        """
        left, counted, inflected = iter(others), False, False
        for word in words:
            alike = (o for o in left if o == word or self._is_count(word, o) or is_inflected(word, o))
            found = next(alike, None)
            if found is None:
                return False
            counted |= self._is_count(word, found)
            inflected |= word != found and is_inflected(word, found)
        return counted or not inflected

    def is_less(self, word: str, other: str) -> bool:
        """Return True if a word is a count that is one higher than the other, or its plural or singular."""
        return (self._is_count(word, other) and int(word) > int(other)) or is_inflected(word, other)

    def _is_count(self, one: str, other: str) -> bool:
        return is_one_off(one, other) and {int(one), int(other)}.isdisjoint(self.positions)


def is_one_off(one: str, other: str) -> bool:
    """Return True if two words are whole numbers that differ by one: "2" and "1"."""
    whole = one.isdecimal() and other.isdecimal() and max(len(one), len(other)) < 9
    return whole and abs(int(one) - int(other)) == 1


def is_inflected(one: str, other: str) -> bool:
    """Return True if two words are the plural and the singular of one word: "errors" and "error", "are" and "is"."""
    one, other = one.lower(), other.lower()
    if {one, other} in _VERBS:
        return True
    shorter, longer = sorted((one, other), key=len)
    # "step2" is no plural of "step", but another name
    if one == other or not (shorter.isalpha() and longer.isalpha()) or len(longer) - len(shorter) > _ENDING:
        return False
    stem = max(_STEM, len(shorter) - 1)  # the last letter may change: "errore", "errori"
    return shorter[:stem] == longer[:stem]


MOSTLY = 0.7
"""The share of a sentence's words that must disappear for the whole sentence to count. The rest may be "the" and
"must"."""
CUT_LIMIT = 2_000
"""Maximum number of words for comparing parts of sentences. Above it, only whole sentences are compared."""
# A sentence or a line. It ends at ".", "!", "?" or ";" before white space, at their Chinese forms, and at the end of a
# line. These do not end one: the dots of "rooms.0.kind" and "3.5", the separators of a row ("rooms;2;price;too low"),
# the dot of a short word before a number ("crates no. 3"), and that of an ordinal ("a 3. elem").
_WITHIN = r"(?:[.!?;]+(?=\S)|\?(?= [%\])}])|(?<=\b\w\w)\.(?= \d)|(?<=\d)\.(?= [^\W\d_A-ZÀ-ÞΑ-ΩА-Я]))"
_SENTENCE = re.compile(rf"[^\n.!?;。！？；]+(?:{_WITHIN}[^\n.!?;。！？；]*)*[.!?;。！？；]*")
# A possible number or bullet before an error in a list: "2. ", "- ", "[3] ".
_BULLET = re.compile(r"\A\s*(?:[-*•–]|[(\[]?\d{1,3}[.)\]])\s+")
# No words: only a bullet, or punctuation. "410" alone may be a value, "2." and "2" are not.
_EMPTY = re.compile(r"[\W_]*(?:\d{1,2}[.)\]]?)?[\W_]*")
# Separators between the words of a list: "P-LEVEL,S-NONE", "name, age".
_APART = re.compile(r"[\s,;|，；、]")
# Words, numbers and signs: "age: -3" is age, :, - and 3.
_TOKEN = re.compile(rf"{TOKENS.pattern}|[^\w\s]|_")
_ENDS = frozenset(",;.!?，；。！？、")


@dataclass(frozen=True, slots=True)
class Sentences:
    """Compares two texts sentence by sentence."""

    cuts: bool
    """True if the second text only says less. Then parts of a sentence may disappear, else only whole sentences."""
    counts: Counts
    bullets: bool
    """True to keep the bullet or number before a sentence."""

    def gone(self, before: str, now: str) -> Iterator[str]:
        """Yield the sentences that disappear, or parts of them, in order."""
        said, still = (split(text, bullets=self.bullets) for text in (before, now))
        *others, last = [TOKENS.findall(sentence) for sentence in said] or [[]]
        if any(len(last) < len(other) and other[: len(last)] == last for other in others):
            said.pop()  # cut off at a length limit, before any words of its own
        left, new = _without(said, still), _without(still, said)
        kept = {_key(sentence) for sentence in still}
        if all(_key(sentence) in kept for sentence in left):
            return  # each of them still appears, only once less often
        if self.cuts and new:
            yield from self._cut(left, new)
        else:
            yield from (one for one in left if not any(self._says(other, one) for other in new))

    def _says(self, other: str, one: str) -> bool:
        """Return True if another sentence contains all of this one, apart from a count of errors."""
        words, others = TOKENS.findall(one), TOKENS.findall(other)
        return self.counts.alone(words, others) or self.counts.said_within(words, others)

    def _cut(self, left: Sequence[str], new: Sequence[str]) -> Iterator[str]:
        """Yield what disappears from each sentence: all of it if little remains or it is rewritten, else words."""
        tokens = [[*_TOKEN.finditer(sentence)] for sentence in left]
        words, others = [t[0] for one in tokens for t in one], [t for sentence in new for t in _TOKEN.findall(sentence)]
        if len(words) > CUT_LIMIT or len(others) > CUT_LIMIT:
            yield from left
            return
        starts = [0, *accumulate(map(len, tokens))]
        gone, replaced = self._goes(words, others, starts)
        for sentence, found, start in zip(left, tokens, starts, strict=False):
            own = range(start, start + len(found))
            spans = [token.span() for at, token in zip(own, found, strict=True) if at in gone and token[0].isalnum()]
            whole = len(spans) >= MOSTLY * len(found) or not replaced.isdisjoint(own)
            part = sentence if whole else _widened(sentence, spans)
            if not _EMPTY.fullmatch(part):
                yield part

    def _goes(self, words: Sequence[str], others: Sequence[str], starts: Sequence[int]) -> tuple[set[int], set[int]]:
        """Return the indices of the words that disappear, and which of them other words replace.

        A count of errors and the endings that depend on it are kept. `starts` are the words that begin a sentence.
        """
        gone, replaced = set[int](), set[int]()
        # From 200 words on, `autojunk` would leave out those that occur often, such as "is" and ":".
        for what, start, end, low, high in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
            if what == "delete":
                gone.update(range(*_slid(words, start, end, starts)))
            elif what == "replace":
                pairs = zip(range(start, end), others[low:high], strict=False) if end - start == high - low else ()
                kept = {at for at, other in pairs if self.counts.is_less(words[at], other)}
                gone |= {*range(start, end)} - kept
                if any(map(str.isalnum, others[low:high])):
                    replaced |= {at for at in range(start, end) if at not in kept and words[at].isalnum()}
        return gone, replaced


def split(text: str, *, bullets: bool = False) -> list[str]:
    """Return the sentences of a text that have words, without their bullets unless `bullets` is True."""
    found = _with_labels(one[0] for one in _SENTENCE.finditer(text))
    sentences = ((one if bullets else _BULLET.sub("", one)).strip() for one in found)
    return [sentence for sentence in sentences if not _EMPTY.fullmatch(sentence)]


def _with_labels(sentences: Iterable[str]) -> Iterator[str]:
    """Yield sentences, each with a preceding one-word question, which is a label: "title? Why so short?"."""
    label = ""
    for sentence in sentences:
        if sentence.strip().endswith("?") and len(sentence.split()) == 1 and not label:
            label = sentence
        elif label and sentence.startswith(" "):
            yield label + sentence
            label = ""
        else:
            yield from filter(None, (label, sentence))
            label = ""
    yield from filter(None, (label,))


def bullets_of(texts: Iterable[str]) -> Counter[str]:
    """Return the numbers and bullets of the sentences in some texts, in any order: "1." and "2."."""
    found = (_BULLET.match(one[0]) for text in texts for one in _SENTENCE.finditer(text))
    return Counter(bullet[0].strip() for bullet in found if bullet)


def _without(sentences: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the sentences that are not among the others, counting repetitions."""
    there, left = Counter(map(_key, others)), []
    for sentence in sentences:
        key = _key(sentence)
        there[key] -= 1
        if there[key] < 0:
            left.append(sentence)
    return left


def _key(sentence: str) -> str:
    return " ".join(_TOKEN.findall(sentence.rstrip(".!?;,。！？； "))).casefold()


def _slid(words: Sequence[str], start: int, end: int, starts: Collection[int]) -> tuple[int, int]:
    """Return the position of a run of disappearing words, shifted to clear boundaries.

    Between "title: X, title: Y" and "title: Y", this is "title: X," and not "X, title:".
    """
    earlier = takewhile(lambda n: words[start - n] == words[end - n], range(1, start + 1))
    later = takewhile(lambda n: words[start + n] == words[end + n], range(len(words) - end))
    places = [(start, end), *((start - n, end - n) for n in earlier), *((start + n + 1, end + n + 1) for n in later)]
    return max(places, key=lambda place: sum(_clear_end(words, at, starts) for at in place))


def _clear_end(words: Sequence[str], at: int, starts: Collection[int]) -> int:
    """Return how clear a boundary before a word is: 2 at a comma or the end of a sentence, 1 at a colon."""
    if at in starts or words[at - 1] in _ENDS or words[at] in _ENDS:
        return 2
    return int(words[at - 1] == ":")


def _widened(sentence: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return parts of a sentence, each extended to white space or a comma, so that no place is cut in two."""
    parts: list[tuple[int, int]] = []
    for start, end in spans:
        low = max((one.end() for one in _APART.finditer(sentence, 0, start)), default=0)
        found = _APART.search(sentence, end)
        high = found.start() if found else len(sentence)
        if parts and low <= parts[-1][1] + 1:
            parts[-1] = (parts[-1][0], max(high, parts[-1][1]))
        else:
            parts.append((low, high))
    return " ".join(sentence[low:high] for low, high in parts)
