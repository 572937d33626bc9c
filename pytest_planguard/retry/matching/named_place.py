"""What a text says at the place of a finding, however it spells the place: the rule, another rule, or unknown words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..reading.addresses import Address, addresses
from ..reading.comparison import comparison_in
from ..reading.error_category import ErrorCategory, category_of, category_of_words, firm_category, only_invalid
from ..reading.positions import item_named
from .item_signs import shows_another_item
from .keyword_match import affirms, clauses, lists_allowed
from .match_finding import accepted, verbatim
from .own_rule import SHORTEST_VALUE, fits_rule, names_bound, other_bound, own_bound, quotes_value, value_of

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.path import Path
    from ..reading.vocabulary import Vocabulary

# A sentence ends at ".", "!" or "?" before white space, at their Chinese forms, at ";" and at a line's end.
_SENTENCE = re.compile(r"[^\n.!?;。！？；]+(?:[.!?](?=\S)[^\n.!?;。！？；]*)*")
# A path whose names the answer does not have: "owner[0].name", "owner.0.name".
_UNKNOWN_PATH = re.compile(r"\b[A-Za-z_]\w{0,80}(?:\[\d{1,6}\]|\.\d{1,6}(?=\.[A-Za-z]))[\w.\[\]]{0,80}")
# Two letters, one Chinese character, or a sign with its bound: less says nothing.
_LETTERS = re.compile(r"[^\W\d_]{2}|[一-鿿]|[<>≤≥]=?\s?\d")
# What a line may have in front of a place that stands there alone: "- Where: nights".
_LABEL = re.compile(r"\A\W*(?:path|field|at|where):\W*\Z", re.IGNORECASE)
# Messages of pydantic's own rules: "String should match pattern '^[a-z]+$'", "List should have at most 6 items".
_BUILT_IN = re.compile(r"\b(?:Input|String|List|Set|Tuple|Dictionary|Data|Value) should (?:be|have|match)\b")
# A note behind a message, which only says where: "35 is greater than 28", and below it "while setting 'nights'".
_NOTE = re.compile(r"\s*(?:while|when|during|in|at|for)\b[^.:\n]{0,120}\Z", re.IGNORECASE)
# Between names that share their words: "name, age: too short", "please add name and age".
_LISTED = re.compile(r"[\"'`*_)]*\s?(?:,\s?(?:and |or )?|(?:and|or|und|oder|y|o|et|ou)\b|[&、和或])\s*[\"'`*_(]*")
# What only adds to a rule: "should be an integer (should be >= 1 and <= 5)".
_BRACKET = re.compile(r"\([^()]{0,200}\)")
_NO_VALUE = (ErrorCategory.MISSING, ErrorCategory.EXTRA)
"""What is wrong where no value can be called invalid."""
_LIMITS = frozenset({ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE, ErrorCategory.TOO_LONG})
_AROUND = 400
"""Characters on either side of a name that may speak of it."""
_MOST = 500
"""Places of one text that are looked at."""
_CACHED = 256
"""Words about a finding that are kept: feedback repeats itself."""
_BELOW = 300
"""Characters under a line that holds a place alone, which may speak of it."""


class Nearness(StrEnum):
    """Whether an address is the place of a finding."""

    EXACT = "exact"
    OPEN = "open"
    """The field, and nobody can tell of which item."""
    ELSEWHERE = "elsewhere"


class Sense(StrEnum):
    """What words at a place say about a finding."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"
    """A rule that was read by code or grammar, and is not the finding's."""
    UNKNOWN = "unknown"
    NOTHING = "nothing"
    """No words but the value itself, or praise."""


@dataclass(frozen=True, slots=True)
class Told:
    """One place in a text that is or may be a finding's."""

    start: int
    """Of the name or value that tells the place, in characters."""
    end: int
    nearness: Nearness
    sense: Sense
    sentence: tuple[int, int]
    is_full: bool = False
    """Whether the place is spelled as a path of several steps."""


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text with the places that it names."""

    text: str
    """As far as it is not the answer, or a part of it, quoted."""
    original: str
    addresses: tuple[Address, ...]
    data: Any
    names: Vocabulary
    by_steps: Mapping[tuple[str | int, ...], Sequence[int]]
    """Numbers of the addresses of the same steps."""

    @classmethod
    def of(cls, text: str, original: str, data: Any, names: Vocabulary, first: int = 0) -> PlacedText:
        """Read the places once for all findings. `first` is the number that the text gives the first item of a list."""
        told = tuple(islice(addresses(text, names), _MOST))
        told = tuple(one.counted_from(first) for one in told) if first else told
        by_steps: dict[tuple[str | int, ...], list[int]] = {}
        for number, one in enumerate(told):
            by_steps.setdefault(one.steps, []).append(number)
        return cls(text, original, told, data, names, by_steps)

    def told(self, finding: Finding) -> Iterator[Told]:
        """Yield what is said at every place that is or may be the finding's; those elsewhere are left out."""
        for number in self._candidates(finding.path):
            address = self.addresses[number]
            start, end = self._sentence(address)
            nearness = self._nearness(number, finding, self.text[start:end])
            if nearness is not Nearness.ELSEWHERE:
                sense = self._sense(number, finding, start, end, exact=nearness is Nearness.EXACT)
                if sense is Sense.AGREES and self._may_be_another_item(number, finding):
                    nearness, sense = Nearness.OPEN, Sense.UNKNOWN
                yield Told(address.start, address.end, nearness, sense, (start, end), len(address.steps) > 1)

    def _may_be_another_item(self, number: int, finding: Finding) -> bool:
        """Return whether an address without the positions of the finding's path has signs of another item."""
        address, path = self.addresses[number], finding.path
        if _positions(address.steps) == _positions(path) or self._is_only(address.keys, path):
            return False
        shown = shows_another_item(finding, self.text, self.original, address.start, address.end, self.data)
        return shown and self._around(number, path) is None

    def _candidates(self, path: Path) -> list[int]:
        """Return the numbers of the addresses that are the path, its end, or the end of its keys, in order."""
        keys = _keys(path)
        ends = {tuple(whole[at:]) for whole in (path, keys) for at in range(len(whole))}
        return sorted(number for end in ends for number in self.by_steps.get(end, ()))

    def names_place(self, start: int, end: int) -> bool:
        """Return whether a part of the text names any place."""
        return any(start <= address.start < end for address in self.addresses)

    def others(self, finding: Finding) -> list[str]:
        """Return the places that the text names and that are not the finding's, as it spells them."""
        other = (
            a
            for n, a in enumerate(self.addresses)
            if not self._is_own_field(a, finding.path)
            and not _is_around(a, finding.path)
            and self._nearness(n, finding, "") is Nearness.ELSEWHERE
        )
        known = {at for a in self.addresses for at in (a.start, a.start - 1)}
        unknown = (m[0] for m in _UNKNOWN_PATH.finditer(self.text) if m.start() not in known)
        return list(dict.fromkeys([*(self.text[a.start : a.end] for a in other), *unknown]))

    def names_field(self, finding: Finding) -> Address | None:
        """Return the finding's field where it is named in a path that nobody can read."""
        return next((a for a in self.addresses if self._is_own_field(a, finding.path)), None)

    def _is_own_field(self, address: Address, path: Path) -> bool:
        """Return whether an item stands behind its list by name ("guests.Meyer"), or a message ("age.Too small")."""
        size, keys = len(address.steps), _keys(path)
        listed = address.steps == path[:size] and isinstance([*path, None][size], int)
        glued = address.keys == keys[-size:] and (address.beyond or "")[:1].isupper()
        positions = {int(word) for word in address.foreign if word.isdecimal()}
        return address.beyond is not None and (listed or glued) and positions <= {*path}

    def _sentence(self, address: Address) -> tuple[int, int]:
        """Return the sentence around an address, as far as words in it may speak of the place."""
        low, high = max(address.start - _AROUND, 0), address.end + _AROUND
        line = self.text.rfind("\n", low, address.start) + 1 or low
        for found in _SENTENCE.finditer(self.text, line, high):
            if found.end() >= address.end:
                return min(found.start(), address.start), found.end()
        return address.start, address.end

    def _nearness(self, number: int, finding: Finding, sentence: str) -> Nearness:
        address, path = self.addresses[number], finding.path
        if address.beyond or not path or any(word.isdecimal() for word in address.foreign):
            return Nearness.ELSEWHERE
        if address.steps == path:
            return Nearness.ELSEWHERE if self._is_below_another(number) else Nearness.EXACT
        if not _may_be(address, path):
            return Nearness.ELSEWHERE
        return self._item(number, finding, sentence)

    def _item(self, number: int, finding: Finding, sentence: str) -> Nearness:
        """Tell of which item an address without (all) positions speaks: by what stands around it, else by number."""
        address, path = self.addresses[number], finding.path
        around = self._around(number, path)
        if around is not None:
            return Nearness.EXACT if path[: len(around.steps)] == around.steps else Nearness.ELSEWHERE
        name = self.text[address.start : address.end]
        clause = next((one for one in clauses(sentence) if name in one), sentence)
        told = (item_named(path, words, self.text, self.data) for words in (clause, sentence))
        named = next((one for one in told if one is not None), None)
        if named is not None:
            return Nearness.EXACT if named else Nearness.ELSEWHERE
        if address.keys in self.names.places and address.keys != _keys(path):
            return Nearness.ELSEWHERE
        if self._is_only(address.keys, path) or quotes_value(finding, sentence, self.data):
            return Nearness.EXACT
        return Nearness.OPEN

    def _around(self, number: int, path: Sequence[str | int]) -> Address | None:
        """Return the address with positions whose item a name without any is about: in front of it, or behind it.

        A heading reaches down to the next empty line, an address of the same field, or one behind, to the ends of its
        own line or JSON object: `{"message": "property 'age' must be >= 0", "path": "{base}.guests.1.age"}`, "Cannot
        find required key 'surname'. Path: '/guests/1'".
        """
        address, keys = self.addresses[number], _keys(path)
        for around in (*reversed(self.addresses[max(number - 3, 0) : number]), *self.addresses[number + 1 :][:1]):
            behind = around.start > address.start
            between = self.text[address.end : around.start] if behind else self.text[around.end : address.start]
            ends = ("\n", "},") if behind or around.keys == keys else ("\n\n",)
            placed = any(isinstance(step, int) for step in around.steps) and around.keys == keys[: len(around.keys)]
            if placed and not any(end in between for end in ends):
                return around
        return None

    def is_of_another_item(self, start: int, finding: Finding) -> bool:
        """Return whether the place in front, or the one behind, on the same line is the field in another item."""
        line = self.text.rfind("\n", 0, start) + 1, f"{self.text}\n".find("\n", start)
        near = [a for a in self.addresses if line[0] <= a.start < line[1]]
        before, after = [a for a in near if a.end <= start][-1:], [a for a in near if a.start >= start][:1]
        return any(a.keys == _keys(finding.path) and a.steps != finding.path for a in before or after)

    def _is_below_another(self, number: int) -> bool:
        """Return whether a name that several places share stands below a part of the answer: indented, or in braces."""
        address = self.addresses[number]
        if len(address.steps) > 1 or self.names.count(address.keys) < 2:
            return False
        for around in self.addresses[max(number - 3, 0) : number]:
            between = self.text[around.end : address.start]
            inner = between.count("{") > between.count("}") or self._indent(address) > self._indent(around)
            if inner and "\n\n" not in between and (*around.keys, *address.keys) in self.names.places:
                return True
        return False

    def _indent(self, address: Address) -> int:
        line = self.text[self.text.rfind("\n", 0, address.start) + 1 : address.start]
        return len(line) - len(line.lstrip(" \t"))

    def _line_above(self, start: int) -> str:
        """Return the line in front of a note, or nothing where it names a place of its own."""
        end = max(self.text.rfind("\n", 0, start), 0)
        above = self.text.rfind("\n", 0, end) + 1
        return "" if self.names_place(above, end) else self.text[above:end]

    def _is_only(self, keys: tuple[str, ...], path: Sequence[str | int]) -> bool:
        """Return whether no other value of the answer is called so; a missing one is not among its values."""
        missing = _keys(path) not in self.names.places
        return self.names.count(keys) + missing <= 1

    def _sense(self, number: int, finding: Finding, start: int, end: int, *, exact: bool) -> Sense:
        address = self.addresses[number]
        near = self.addresses[max(number - 4, 0) : number + 5]
        others = [a for a in near if a.steps != address.steps and not _is_around(a, finding.path)]
        following = self._following(address, others)
        behind_end = min(end, following)
        front_start = max(start, self._front(address, others))
        behind, front = self.text[address.end : behind_end], self.text[front_start : address.start]
        announces = self.text[start:end].rstrip().endswith(":")  # "Validation path `id` failed because:"
        label = _LABEL.sub("", self.text[start : address.start])
        beside = f"{label} {self.text[address.end : end]}"
        if announces or not _LETTERS.search(beside):
            behind = self.text[address.end : min(address.end + _BELOW, following)]
        elif not _says_more(beside, finding):  # "carrier=camel ?? (rail|road|air)": "??" ends a sentence
            behind = self.text[address.end : min(f"{self.text}\n".find("\n", address.end), following)]
        alone = front_start == start and behind_end == end
        before, after = clauses(front), clauses(behind)
        if front_start > start and len(before) > 1:
            before = before[1:]  # the clause right behind another place is about that one
        own = f"{before[-1]}{self.text[address.start : address.end]}{after[0]}"
        praised = affirms(own) or affirms(self.text[start:end])
        parts = [self.text[start:end]] if alone else []
        parts += [*after[affirms(own) :], *reversed(before)]
        whole = self.text[start:end]
        if _NOTE.match(whole):
            parts.append(self._line_above(start))
        senses = [sense_of(part, finding, whole, exact=exact and not praised) for part in parts if not affirms(part)]
        if not any(_says_more(part, finding) for part in (behind, front)):
            absent = exact and category_of(finding) is ErrorCategory.MISSING and not praised
            # "- goal: ∅": what is missing stands in no quoted answer
            return Sense.UNKNOWN if absent and not _says_more(beside, finding) else Sense.NOTHING
        order = (Sense.AGREES, Sense.CONTRADICTS, Sense.UNKNOWN)
        kept = order[:2] if praised else order  # beside praise, words that nobody knows are no complaint
        return next((sense for sense in kept if sense in senses), Sense.NOTHING)

    def _following(self, address: Address, others: Sequence[Address]) -> int:
        """Return where the words behind an address end: "name, age: too short" says so of both."""
        behind = [a for a in others if a.start >= address.end]
        at = address.end
        for other in behind:
            if not _LISTED.fullmatch(self.text, at, other.start):
                ends = other.start
                return ends if at == address.end or _LETTERS.search(self.text, at, ends) else behind[0].start
            at = other.end
        return len(self.text)

    def _front(self, address: Address, others: Sequence[Address]) -> int:
        """Return where the words in front of an address begin: "please add name and age" says so of both."""
        at = address.start
        for other in reversed([a for a in others if a.end <= address.start]):
            if not _LISTED.fullmatch(self.text, other.end, at):
                return other.end
            at = other.start
        return 0


@lru_cache(maxsize=_CACHED)
def sense_of(words: str, finding: Finding, sentence: str = "", *, exact: bool = True) -> Sense:
    """Return what words say that stand at the finding's place; `exact` where nobody can take it for another.

    `sentence` is the whole of which they are a part: a bound means the finding's rule only where no other is named.
    """
    if verbatim(words, finding) or lists_allowed(finding, words):
        return Sense.AGREES
    rule, wanted = category_of_words(words), accepted(finding) or _worded(finding)
    if rule in wanted and not other_bound(finding, words):
        return Sense.AGREES
    if only_invalid(words.strip(" :-–—*`\"'")) and category_of(finding) not in _NO_VALUE:
        return Sense.AGREES
    compared = comparison_in(words)
    if compared and own_bound(finding, words):
        return Sense.UNKNOWN if compared.told else Sense.AGREES  # another rule has another bound
    bound = names_bound(finding, words) and category_of_words(sentence or words) in (None, *wanted)
    if exact and rule is None and (bound or fits_rule(finding, words)):
        return Sense.AGREES
    if _BRACKET.search(words) and category_of_words(_BRACKET.sub(" ", words)) in wanted:
        return Sense.AGREES
    if contradicted(words, rule, wanted):
        own = names_bound(finding, words) or quotes_value(finding, sentence or words)  # "a longer goal than 'Hey'"
        return Sense.UNKNOWN if own else Sense.CONTRADICTS
    if not _says_more(words, finding):
        return Sense.NOTHING
    undeclared = exact and rule is None and category_of(finding) is ErrorCategory.EXTRA
    return Sense.AGREES if undeclared else Sense.UNKNOWN  # no other rule is about a field that should not be there


def contradicted(words: str, rule: ErrorCategory | None, wanted: Collection[ErrorCategory]) -> bool:
    """Return whether the words name a rule firmly that is not wanted, or one that is with another bound.

    A type is told firmly enough where a limit is wanted: what has the wrong type cannot pass a limit. Where the wanted
    rule is of the user's own and its words name no kind, only a message of pydantic's own rules contradicts.
    """
    firm = firm_category(words)
    if firm is ErrorCategory.UNREADABLE:  # a field that "is malformed" or "could not be parsed" has any fault
        return False
    if not wanted:
        return firm is not None and _BUILT_IN.search(words) is not None
    if rule is ErrorCategory.TYPE and firm is None and _LIMITS.intersection(wanted):
        return True
    return firm is not None and (firm not in wanted or rule in wanted)


def _worded(finding: Finding) -> frozenset[ErrorCategory]:
    """Return the rule of a validator of the user's own, as its message words it."""
    rule = category_of_words(finding.validator_message or finding.message)
    return frozenset({rule} if rule else ())


def _says_more(words: str, finding: Finding) -> bool:
    """Return whether there are words beside the value that stands there."""
    value = value_of(finding)
    rest = words.replace(value, " ") if len(value) >= SHORTEST_VALUE else words
    return _LETTERS.search(rest) is not None


def _positions(path: Sequence[str | int]) -> int:
    return sum(isinstance(step, int) for step in path)


def _keys(path: Sequence[str | int]) -> tuple[str, ...]:
    return tuple(step for step in path if isinstance(step, str))


def _is_around(address: Address, path: Sequence[str | int]) -> bool:
    """Return whether the address is an object or list that the path goes through."""
    length = len(address.steps)
    return length < len(path) and address.beyond is None and tuple(path[:length]) == address.steps


def _may_be(address: Address, path: Sequence[str | int]) -> bool:
    """Return whether the address is the end of the path, positions left out or not."""
    keys = _keys(path)
    if not address.keys or keys[-len(address.keys) :] != address.keys:
        return False
    if not any(isinstance(step, int) for step in address.steps):
        return True
    return tuple(path[-len(address.steps) :]) == address.steps
