"""Find the place of a finding in a text, in any spelling, and the meaning of the words about it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from ..reading.addresses import Address, addresses
from ..reading.entry import NewText
from ..reading.error_category import ErrorCategory, category_of, only_invalid
from .grades import Nearness, Sense
from .item_signs import may_count_from_1, shows_another_item
from .match_finding import AROUND_WORDS, places, says_more, sense_of
from .own_evidence import quotes_value, value_of
from .praise import SENTENCE, affirms, clauses

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.path import Path
    from ..reading.addresses import Vocabulary
    from ..reading.entry import ErrorEntry

# A note after a message, which only names the place: "35 is greater than 28", and below it "while setting 'nights'".
_NOTE = re.compile(r"\s*(?:while|when|during|in|at|for)\b[^.:\n]{0,120}\Z", re.IGNORECASE)
# The same as the last sentence of a line: "Type 'seq' has size of '6'. Path: '/steps'".
_PATH_BEHIND = re.compile(r"\s*path:", re.IGNORECASE)
# Between names that share their words: "name, age: too short", "please add name and age".
_LISTED = re.compile(r"[\"'`*_)]*\s?(?:,\s?(?:and |or )?|(?:and|or|und|oder|y|o|et|ou)\b|[&、和或])\s*[\"'`*_(]*")
# A path with names that the answer lacks: "owner[0].name", "owner.0.name".
_UNKNOWN_PATH = re.compile(r"\b[A-Za-z_]\w{0,80}(?:\[\d{1,6}\]|\.\d{1,6}(?=\.[A-Za-z]))[\w.\[\]]{0,80}")
_AROUND = 400
"""Maximum distance in characters between a name and the words about it."""
_BELOW = 300
"""Maximum number of characters below a line with only a place to read as words about it."""
# Between the errors of a list or a map, which are about one place each: '"…"}, {"path": …', '"…"], "status": …'.
_NEXT_ERROR = re.compile(r"\}\s?,\s?\{|\]\s?,\s?\"")
# A line of a JSON object that is printed over several lines.
_MEMBER = re.compile(r"[ \t]+[\"']")
_MOST = 500
"""Maximum number of places to read in one text."""
_MOST_MENTIONS = 40
"""Maximum number of mentions of one place to read: feedback names it once or twice, data again and again."""


_MOST_DIGITS = 9
"""Maximum number of digits of an item's number."""


@dataclass(frozen=True, slots=True)
class PlaceMention:
    """One address in a text that is or may be a finding's place."""

    new: NewText
    address: Address
    nearness: Nearness
    sense: Sense
    words: tuple[int, int]
    """The sentence around it and the words below that are about it, as positions in the text."""
    around: tuple[ErrorEntry, ...]
    """The errors whose words contain it."""
    beside: str
    """Only the words about the place itself."""
    near: str
    """The words about the place, up to the next named place."""


class PlacedText:
    """A text with the places that it names, read once for all findings."""

    def __init__(self, new: NewText, text: str, data: Any, names: Vocabulary, first: int = 0) -> None:
        """Read the places of the answer `data`, which have `names`.

        `text` is the text of `new` without quotations of the answer, and calls the first item of a list `first`.
        """
        self.new, self.text, self._data, self._names, self._first = new, text, data, names, first
        self.addresses = [one.counted_from(first) for one in islice(addresses(text, names), _MOST)]
        self._starts = [one.start for one in self.addresses]
        ends = (n for n, (one, other) in enumerate(pairwise(self.addresses), 1) if not self._are_listed(one, other))
        self._lists = [0, *ends, len(self.addresses)]  # where a list of names begins, and behind the last one
        self._around = [tuple(new.around(one.end)) for one in self.addresses]
        self._by_steps: dict[Path, list[int]] = {}
        for number, one in enumerate(self.addresses):
            self._by_steps.setdefault(one.steps, []).append(number)
        self._unknown = [path[0] for path in _UNKNOWN_PATH.finditer(text) if not self._names_place(*path.span())]
        self._sentence = cache(self._sentence_around)
        self._near = cache(self._words_near)  # findings in the items of a list share their words

    def mentions(self, finding: Finding) -> Iterator[PlaceMention]:
        """Yield the words at every place that is or may be the finding's, without those elsewhere."""
        tails = [tail[at:] for path in places(finding) for tail in (path, _keys(path)) for at in range(len(tail))]
        numbers = sorted({number for tail in tails for number in self._by_steps.get(tail, ())})
        for number in numbers[:_MOST_MENTIONS]:
            start, end = self._sentence(number)
            nearness = self._nearness(number, finding, self.text[start:end])
            if nearness is Nearness.ELSEWHERE:
                continue
            low, high = self._reach(number, finding, start, end)
            sense = self._sense(number, finding, (start, end), (low, high), exact=nearness is Nearness.EXACT)
            if sense is Sense.AGREES and self._may_be_another_item(number, finding, start, end):
                nearness, sense = Nearness.OPEN, Sense.UNKNOWN
            words, around = (start, max(end, high)), self._around[number]
            address, near = self.addresses[number], self._near(low, high, _keys(finding.path))
            front = clauses(self.text[low : address.start])
            if low > start and len(front) > 1:  # the clause right after another place is about that one
                low += len(front[0])
            yield PlaceMention(self.new, address, nearness, sense, words, around, self.text[low:high], near)

    def may_speak_of(self, finding: Finding, start: int, end: int) -> bool:
        """Return True if a sentence names no place, and its line names only the finding's."""
        line = self.text.rfind("\n", 0, start) + 1, f"{self.text}\n".find("\n", end)
        near = range(*(bisect_left(self._starts, at) for at in line))
        elsewhere = any(self._nearness(number, finding, "") is Nearness.ELSEWHERE for number in near)
        return not elsewhere and not self._names_place(start, end) and not _UNKNOWN_PATH.search(self.text, start, end)

    def others(self, finding: Finding) -> list[str]:
        """Return the places in the text that are not the finding's, as the text spells them."""
        other = (
            self.text[address.start : address.end]
            for number, address in enumerate(self.addresses)
            if not _is_around(address, finding.path) and self._nearness(number, finding, "") is Nearness.ELSEWHERE
        )
        return list(dict.fromkeys([*other, *self._unknown]))

    def _sentence_around(self, number: int) -> tuple[int, int]:
        """Return the sentence around an address, and the line above if the sentence is only a note on it."""
        address = self.addresses[number]
        low, high = max(address.start - _AROUND, 0), address.end + _AROUND
        line = self.text.rfind("\n", low, address.start) + 1 or low
        spans = (found.span() for found in SENTENCE.finditer(self.text, line, high) if found.end() >= address.end)
        start, end = next(spans, (address.start, address.end))
        if start > line and _PATH_BEHIND.match(self.text[start:end]):
            start = line
        elif line and _NOTE.match(self.text[start:end]):
            above = self.text.rfind("\n", 0, line - 1) + 1
            start = start if self._names_place(above, line) else above
        return min(start, address.start), end

    def _names_place(self, start: int, end: int) -> bool:
        return bisect_left(self._starts, start) < bisect_left(self._starts, end)

    def _nearness(self, number: int, finding: Finding, sentence: str) -> Nearness:
        address, path = self.addresses[number], finding.path
        if _goes_on(address, path) or not any(_may_be(address, own) for own in places(finding)):
            return Nearness.ELSEWHERE
        if address.steps in places(finding):
            return Nearness.EXACT if address.steps == path and not address.beyond else Nearness.OPEN
        around = self._item(number, path)
        if around is not None:
            return Nearness.EXACT if path[: len(around.steps)] == around.steps else Nearness.ELSEWHERE
        if address.keys in self._names.places and address.keys != _keys(path):
            return Nearness.ELSEWHERE
        known = self._is_only(address.keys, path) or quotes_value(finding, sentence, self._data)
        return Nearness.EXACT if known else Nearness.OPEN

    def _item(self, number: int, path: Path) -> Address | None:
        """Return the address of the item that a name without positions belongs to: before it, or after it.

        A heading reaches down to the next empty line. An address of the same field, or a later one, only reaches within
        its line or JSON object: `{"message": "property 'age' must be >= 0", "path": "{base}.guests.1.age"}`, "Cannot
        find required key 'surname'. Path: '/guests/1'".
        """
        address, keys = self.addresses[number], _keys(path)
        for around in (*reversed(self.addresses[max(number - 3, 0) : number]), *self.addresses[number + 1 :][:1]):
            behind = around.start > address.start
            between = self.text[address.end : around.start] if behind else self.text[around.end : address.start]
            ends = ("\n", "},") if behind or around.keys == keys else ("\n\n",)
            has_item = around.steps != around.keys and around.keys == keys[: len(around.keys)]
            if has_item and not any(end in between for end in ends):
                return around
        return None

    def _may_be_another_item(self, number: int, finding: Finding, start: int, end: int) -> bool:
        """Return True if an address without the item numbers of the finding's path may be about another item.

        A path that continues with unknown words may belong to any item: "age.Value is too small".
        """
        address, path = self.addresses[number], finding.path
        counted = not self._first and may_count_from_1(self.text, address.start, address.end)
        if address.beyond or (counted and not quotes_value(finding, self.text[start:end], self._data)):
            return True
        if address.steps in places(finding) or self._is_only(address.keys, path) or self._item(number, path):
            return False
        before, after = clauses(self.text[start : address.start])[-1], clauses(self.text[address.end : end])[0]
        spans = ((address.start - len(before), address.end + len(after)), (start, end))
        return shows_another_item(finding, self.text, self.new.text, spans, self._data)

    def _is_only(self, keys: tuple[str, ...], path: Path) -> bool:
        """Return True if no other value of the answer has this name. A missing value is not counted."""
        missing = _keys(path) not in self._names.places
        return self._names.count(keys) + missing <= 1

    def _sense(
        self, number: int, finding: Finding, sentence: tuple[int, int], reach: tuple[int, int], *, exact: bool
    ) -> Sense:
        address, whole = self.addresses[number], self.text[slice(*sentence)]
        beside = f"{self.text[sentence[0] : address.start]} {self.text[address.end : sentence[1]]}"
        low, high = reach
        front, behind = self.text[low : address.start], self.text[address.end : high]
        before, after = clauses(front), clauses(behind)
        praise = affirms(f"{before[-1]}{self.text[address.start : address.end]}{after[0]}")
        praised = praise or affirms(whole)
        if not says_more(front, value_of(finding)) and not says_more(behind, value_of(finding)):
            # "- goal: ∅": a quoted answer has no missing value
            absent = exact and category_of(finding) is ErrorCategory.MISSING and not praised and not says_more(beside)
            return Sense.UNKNOWN if absent else Sense.NOTHING
        if low > sentence[0] and len(before) > 1:
            before = before[1:]  # the clause right after another place is about that one
        heard = [*([whole] if reach == sentence else []), *(after[1:] if praise else after), *before]
        parts = [part for part in dict.fromkeys(heard) if not affirms(part)]
        senses = {sense_of(part, finding, whole, exact=exact and not praised) for part in parts}
        if (
            Sense.CONTRADICTS in senses
        ):  # "Invalid" agrees with any rule, but not in "Invalid 'nights': below the minimum"
            parts = [part for part in parts if not only_invalid(part.strip(AROUND_WORDS))]
            senses = {sense_of(part, finding, whole, exact=exact and not praised) for part in parts}
        order = (Sense.AGREES, Sense.CONTRADICTS, *(() if praised else (Sense.UNKNOWN,)))
        return next((sense for sense in order if sense in senses), Sense.NOTHING)

    def _reach(self, number: int, finding: Finding, start: int, end: int) -> tuple[int, int]:
        """Return the start and end of the words about an address: its neighbours and its sentence limit them.

        Names in a list share their words. An address without words beside it has the words below.
        """
        behind = bisect_right(self._lists, number)
        first, last = self._lists[behind - 1], self._lists[behind] - 1
        address = self.addresses[number]
        ahead, after = (
            [  # words may be about another place: not in "guests[2].age: age is too low"
                one
                for one in self.addresses[low:high]
                if address.steps[-len(one.steps) :] != one.steps and not _is_around(one, finding.path)
            ]
            for low, high in ((max(first - 4, 0), first), (last + 1, last + 5))
        )
        low = max([start, *(one.end for one in ahead)])
        high = min([len(self.text), *(one.start for one in after)])
        low = max([low, *(at.end() for at in _NEXT_ERROR.finditer(self.text, low, address.start) if low > start)])
        beside = f"{self.text[start : address.start]} {self.text[address.end : end]}"
        if self.text[start:end].rstrip().endswith(":") or not says_more(beside):
            end = address.end + _BELOW
        elif not says_more(beside, value_of(finding)):  # "carrier=camel ?? (rail|road|air)": "??" ends a sentence
            end = f"{self.text}\n".find("\n", end)
        return low, min(end, high)

    def _words_near(self, low: int, high: int, keys: tuple[str, ...]) -> str:
        """Return the words about a place and after it, or the members of its JSON object: {"limit": 28, "at": …}.

        They end at an empty line and at another place.
        """
        begin = low
        if _MEMBER.match(self.text, self.text.rfind("\n", 0, low) + 1):
            begin = max(self.text.rfind("{", 0, low), low - _BELOW, 0)
        end = high + len(self.text[high : high + _BELOW].partition("\n\n")[0])
        for one in self.addresses[bisect_left(self._starts, begin - _BELOW) : bisect_left(self._starts, end)]:
            if one.keys[-1] not in keys:
                begin = max(begin, one.end) if one.end <= low else begin
                end = min(end, one.start) if one.start >= high else end
        return self.text[begin:end]

    def _are_listed(self, one: Address, other: Address) -> bool:
        return _LISTED.fullmatch(self.text, one.end, other.start) is not None


def _goes_on(address: Address, path: Path) -> bool:
    """Return True if an address is part of another path. A message after a dot is not: "1.age.Value too small"."""
    beyond = bool(address.beyond) and not (address.beyond or "")[:1].isupper()
    # Python reads no number of more than 4,300 digits, and a list has no item of ten.
    return beyond or any(w.isdecimal() and (len(w) > _MOST_DIGITS or int(w) not in path) for w in address.foreign)


@lru_cache(maxsize=4_096)  # every finding asks for every place that the words name
def _keys(path: Path) -> tuple[str, ...]:
    return tuple(step for step in path if isinstance(step, str))


def _is_around(address: Address, path: Path) -> bool:
    """Return True if the address is an object or list on the path."""
    length = len(address.steps)
    return length < len(path) and address.beyond is None and path[:length] == address.steps


def _may_be(address: Address, path: Path) -> bool:
    """Return True if the address matches the end of the path, with or without positions."""
    size = len(address.steps)
    return bool(address.keys) and address.steps in (path[-size:], _keys(path)[-size:])
