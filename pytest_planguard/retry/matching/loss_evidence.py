"""What becomes of a finding that no reader has found: its place is named, it may be meant, or there is proof of a loss.

Words that nobody can read are no evidence of a loss.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ..reading.embedded import values
from ..reading.entry import ErrorEntry, Place, place, same_place
from ..reading.error_category import ErrorCategory, category_of_words, firm_category
from ..reading.vocabulary import name_words
from ..results import Carried, Grade
from .keyword_match import affirms, complains, lists_allowed
from .match_finding import about_a_field, accepted, entry_categories, verbatim
from .named_place import Nearness, PlacedText, Sense, Told, sense_of
from .own_rule import limit_of, quotes_value, value_of

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..reading.vocabulary import Vocabulary

# A key as schemas have them: "due-date", "$ref", "due date".
_NAME = re.compile(r"[\w$ -]{1,80}")
_MOST_TOLD = 40
"""Mentions of one place that are looked at: feedback names it once or twice, data again and again."""
NAMED = 3
"""Other places that a reason names."""
_SENTENCE = re.compile(r"[^\n.!?;。！？；]+(?:[.!?](?=\S)[^\n.!?;。！？；]*)*")
# How the whole answer is to be written, which is no rule of a field: "formatted as a JSON instance", "well-formatted",
# "an instance of the schema".
_OF_DOCUMENT = re.compile(
    r"\bwell-form(?:ed|atted)\b|\binstance of (?:the |our |this |your )?(?:json )?schema\b"
    r"|\bformat\w* (?:as|in|into) (?:an? |valid |strict )*(?:JSON|YAML|Markdown)\b",
    re.I,
)
# Subjects of a sentence about the whole answer that every language writes alike.
_DOCUMENT = re.compile(r"\b(?:JSON|YAML|Markdown|parser?|parse|syntax)\b", re.IGNORECASE)
# "does not match the schema" says that something is wrong, and not what.
_OF_SCHEMA = re.compile(
    r"\b(?:match|fit|follow|conform)\w*(?: to)? (?:the |our |this |its |your )?(?:json )?schema\b", re.I
)
# With one of these a sentence is English, which is read elsewhere.
_ENGLISH = re.compile(r"\b(?:the|is|are|not|must|should|be|to|of|and|your)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NewText:
    """One new text of the next request, with the errors that were read in it."""

    where: str
    """'request 2, message 4'."""
    text: str
    entries: tuple[ErrorEntry, ...]


class _Spans:
    """The entries of a text by where they stand, so that the few around a word are found without looking at all.

    The entries of a JSON value reach over all of it, so they part nothing and are left out.
    """

    def __init__(self, new: NewText) -> None:
        self._entries = sorted((e for e in new.entries if new.text[e.start] not in "[{"), key=lambda e: e.start)
        self._starts = [entry.start for entry in self._entries]
        self._furthest = list(accumulate((entry.end for entry in self._entries), max))

    def overlapping(self, start: int, end: int) -> Iterator[ErrorEntry]:
        """Yield the entries that share a character with text[start:end]."""
        for at in range(bisect_left(self._starts, end) - 1, -1, -1):
            if self._furthest[at] <= start:
                return
            if self._entries[at].end > start:
                yield self._entries[at]


_Words = tuple[NewText, Told]
_GRADES = (Grade.VERBATIM, Grade.LOCATED, Grade.WEAK)
_MARKS = 3
"""Characters in front of a name that begins its sentence: "- **goal** ..."."""
_BELOW = 300
"""Characters under a line that holds a place alone, in which its message is looked for."""


class LossEvidence:
    """Looks for the places of findings in new texts, in any spelling, and says what stands there."""

    def __init__(
        self, texts: Sequence[NewText], names: Vocabulary, data: Any, findings: Sequence[Finding] = (), first: int = 0
    ) -> None:
        """`first` is the number that the texts give the first item of a list."""
        known = {*_pairs(data), *(pair for finding in findings for pair in _own_pair(finding))}
        self._texts = [
            (new, PlacedText.of(_without_answer(new.text, known), new.text, data, names, first)) for new in texts
        ]
        self._spans = {id(new): _Spans(new) for new in texts}
        self._data = data
        self._names = names.names
        self._values = {value for _, value in known}

    def fate(self, finding: Finding) -> Carried:
        """Return the finding with the firmest grade that the texts allow, and the reason for it."""
        told = list(self._told(finding))
        for grade in (_carried, _placed, self._contradicted, self._open, self._elsewhere):
            fate = grade(finding, told)
            if fate is not None:
                return fate
        fate = self._hinted(finding)
        if fate is not None:
            return fate
        return _lost(finding, "the new words name no field, no value and no rule of this answer")

    def _told(self, finding: Finding) -> Iterator[tuple[NewText, Told]]:
        for new, placed in self._texts:
            for told in islice(placed.told(finding), _MOST_TOLD):
                if not self._is_apart(new, told, finding):
                    yield new, told

    def _contradicted(self, finding: Finding, told: Sequence[_Words]) -> Carried | None:
        for new, _ in self._texts:
            here = [e for e in new.entries if e.path and same_place(e.path, finding.path, self._data)]
            for entry in here:
                if _contradicts(entry, finding):
                    words = _clipped(new.text[entry.start : entry.end])
                    return _lost(finding, f"its place is named with another problem ({new.where}: {words})")
        against = [_evidence(new, words) for new, words in told if words.sense is Sense.CONTRADICTS]
        return _lost(finding, f"its place is named with another problem ({against[0]})") if against else None

    def _open(self, finding: Finding, told: Sequence[_Words]) -> Carried | None:
        unknown = [_evidence(new, words) for new, words in told if words.sense is Sense.UNKNOWN]
        if unknown:
            why = "its field is named, and nobody can tell of which item the words speak"
            return Carried(finding, 0, Grade.UNREAD, unknown[0], why)
        for new, placed in self._texts:
            for found in _SENTENCE.finditer(placed.text):
                quoted = quotes_value(finding, found[0], self._data) and not affirms(found[0])
                quoted = quoted and not _is_plain_english(finding, found[0])
                quoted = quoted and not placed.is_of_another_item(found.start(), finding)
                if quoted and not placed.names_place(found.start(), found.end()):
                    words = Told(*found.span(), Nearness.EXACT, sense_of(found[0], finding), found.span())
                    if not self._is_apart(new, words, finding):
                        return _by_value(finding, new, words)
        return None

    def _elsewhere(self, finding: Finding, told: Sequence[_Words]) -> Carried | None:
        """Other places are named, and its own in no spelling."""
        others: dict[str, None] = {}
        if told:
            return _lost(finding, "its place is named, and nothing that is wrong with it")
        for new, placed in self._texts:
            rule = [e for e in new.entries if self._is_place(e) and entry_categories(e) & accepted(finding)]
            if rule and place(finding.path) != rule[0].path:
                words = _clipped(new.text[rule[0].start : rule[0].end])
                return _lost(finding, f"its problem is named at another place ({new.where}: {words})")
            named = placed.others(finding)
            others |= dict.fromkeys(named)
            apart = [e for e in new.entries if _is_field(e) and (self._is_place(e) or not _shares_name(e, finding))]
            apart = [e for e in apart if not same_place(e.path or (), finding.path, self._data)]
            others |= dict.fromkeys(".".join(e.path or ()) for e in apart if not named)
        if not others:
            return None
        shown = ", ".join(_clipped(name, 40) for name in list(others)[:NAMED])
        return _lost(finding, f"the words are about other places ({shown}), not {to_dotted(finding.path)}")

    def _hinted(self, finding: Finding) -> Carried | None:
        """No place is named: a rule, a bound or a word for the whole answer may still mean the finding."""
        for new, placed in self._texts:
            for found in _SENTENCE.finditer(placed.text):
                why = _hint(found[0], finding)
                if why and not affirms(found[0]):
                    return _unread(finding, new, found.span(), why)
            named = placed.names_field(finding)
            if named is not None:
                return _unread(
                    finding, new, (named.start, named.end), "its field is named, in a path that nobody can read"
                )
        return None

    def _is_apart(self, new: NewText, told: Told, finding: Finding) -> bool:
        """Return whether a name stands in the message of an error at another place: "- title: steps must differ"."""
        spans = self._spans[id(new)]
        around = spans.overlapping(told.start, told.end) if not told.is_full else ()
        return any(
            entry.start <= told.start and told.end <= entry.end and self._parts(spans, entry, finding)
            for entry in around
        )

    def _parts(self, spans: _Spans, entry: ErrorEntry, finding: Finding) -> bool:
        """Return whether an entry speaks of another place than the finding's.

        An object around the place names its member ("recipient: no customs here"), and a word that is no name of the
        answer or its schema is a label ("nit: nights goes past 28").
        """
        wanted, written = place(finding.path), entry.path or ()
        if wanted[-len(written) :] == written:  # the end of the path: "floor" for recipient.floor
            return _is_below_other(spans, entry, finding, self._data)
        names_member = bool(wanted) and not isinstance(finding.path[-1], int)
        if names_member and wanted[: len(written)] == self._keys(entry):
            return False
        return self._is_place(entry) and not same_place(written, finding.path, self._data)

    def _is_place(self, entry: ErrorEntry) -> bool:
        """Return whether an entry is about a place that the answer or its schema may have."""
        if self._data is None or not _is_field(entry):
            return _is_field(entry)
        unknown = [s for s in entry.path or () if not s.isdecimal() and name_words(s) not in self._names]
        names_item = any(repr(step) in self._values for step in unknown)  # "guests[Meyer].age"
        return not unknown or not (names_item or len(entry.path or ()) == 1)

    def _keys(self, entry: ErrorEntry) -> Place:
        """Return the place of an entry in the answer's own names: "ingredient" is `ingredients`."""
        return tuple(self._names.get(name_words(step), step) for step in entry.path or ())


def _carried(finding: Finding, told: Sequence[_Words]) -> Carried | None:
    """Its place, with its rule: by name alone, or as a path, in a spelling that no reader of entries knows."""
    for grade in _GRADES:
        for new, words in told:
            if words.sense is Sense.AGREES and grade is _grade(finding, new, words):
                return Carried(finding, 0, grade, _evidence(new, words))
    return None


def _grade(finding: Finding, new: NewText, told: Told) -> Grade:
    """Return `located` only for a place that is spelled out, and a rule that is read."""
    start, end = told.sentence
    words, behind = new.text[start:end], new.text[told.end : told.end + 1]
    alone = not re.search(r"[^\W\d_]", new.text[start : told.start] + new.text[told.end : end])
    begins = (
        (new.text[told.start : told.end],) == finding.path and told.start - start <= _MARKS and not behind.isalnum()
    )
    if told.nearness is not Nearness.EXACT:
        return Grade.WEAK
    if verbatim(new.text[start : end + alone * _BELOW], finding):
        return Grade.VERBATIM
    located = (told.is_full or begins) and category_of_words(words) in accepted(finding)
    return Grade.LOCATED if located else Grade.WEAK


def _placed(finding: Finding, told: Sequence[_Words]) -> Carried | None:
    exact = [(new, words) for new, words in told if words.nearness is Nearness.EXACT]
    unknown = [_evidence(new, words) for new, words in exact if words.sense is Sense.UNKNOWN]
    why = "its place is named, and the words beside it were not understood"
    return Carried(finding, 0, Grade.PLACED, unknown[0], why) if unknown else None


def _by_value(finding: Finding, new: NewText, told: Told) -> Carried | None:
    if told.sense is Sense.AGREES:
        return Carried(finding, 0, Grade.WEAK, _evidence(new, told))
    why = "its value is quoted, and the words beside it were not understood"
    return Carried(finding, 0, Grade.UNREAD, _evidence(new, told), why) if told.sense is Sense.UNKNOWN else None


def _unread(finding: Finding, new: NewText, span: tuple[int, int], why: str) -> Carried:
    return Carried(finding, 0, Grade.UNREAD, f"{new.where}: {_clipped(new.text[slice(*span)])}", why)


def _is_plain_english(finding: Finding, words: str) -> bool:
    """Return whether the finding's value is a word of a sentence that finds no fault: "two" in "version two of it"."""
    value = value_of(finding)
    bare = value.isalpha() and not re.search(rf"[\"'`“‘«]{re.escape(value)}", words)
    return bare and _ENGLISH.search(words) is not None and not complains(words)


def _hint(words: str, finding: Finding) -> str | None:
    if not finding.path:
        about = _DOCUMENT.search(words) and not _ENGLISH.search(words)
        return "the whole answer is named, in words that were not understood" if about else None
    if finding.allowed and lists_allowed(finding, f"only {words}"):
        return "its allowed values are named, and no field"
    rule = category_of_words(_OF_DOCUMENT.sub(" ", _OF_SCHEMA.sub(" ", words)))
    if rule and rule is not ErrorCategory.UNREADABLE:  # "no valid JSON" means no field
        return f"a rule is named ({rule.value}), and no field"
    limit = limit_of(finding)
    if limit is not None and re.search(rf"(?<![A-Za-z0-9_.]){limit:g}(?![A-Za-z0-9_]|\.\d)", words):
        return f"its bound {limit:g} is named, and no field"
    return None


def _is_below_other(spans: _Spans, entry: ErrorEntry, finding: Finding, data: Any) -> bool:
    """Return whether an outline places an entry in another part of the answer: "status" below "tasks" and "1"."""
    written, wanted = entry.path or (), place(finding.path)
    for other in spans.overlapping(entry.start, entry.end):
        path = other.path or ()
        for end in range(len(written) + 1, len(path) + 1):
            whole = path[:end]
            here = wanted[-end:] == whole or same_place(whole, finding.path, data)
            if whole[-len(written) :] == written and not here:
                return True
    return False


def _is_field(entry: ErrorEntry) -> bool:
    """Return whether an entry is about a field whose name is one: no pieces of JSON."""
    return about_a_field(entry) and all(_NAME.fullmatch(step) for step in entry.path or ())


def _shares_name(entry: ErrorEntry, finding: Finding) -> bool:
    """Return whether the last step of an entry has the name of the finding's field in it: `guests__0__age`."""
    if not finding.path:
        return False
    own, written = name_words(place(finding.path)[-1]), name_words((entry.path or ("",))[-1])
    return bool(own) and written[-len(own) :] == own


def _contradicts(entry: ErrorEntry, finding: Finding) -> bool:
    rules = entry_categories(entry)
    worded = firm_category(entry.message) not in (None, ErrorCategory.UNREADABLE)
    firm = bool(entry.code) or (worded and not quotes_value(finding, entry.message))
    return bool(rules) and firm and not rules & accepted(finding)


def _own_pair(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the key of the finding with its value, as far as it is kept."""
    if finding.path and finding.actual:
        with suppress(ValueError):
            yield str(finding.path[-1]), repr(json.loads(finding.actual))


def _without_answer(text: str, known: Collection[tuple[str, str]]) -> str:
    """Return the text with every copy of the answer, or of a part of it, blanked: it quotes, and says nothing."""
    for value, start, end in list(values(text)) if known else ():
        pairs = list(_pairs(value))
        if pairs and all(pair in known for pair in pairs):
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    """Yield (key, value) of everything below a value that holds nothing more."""
    items = value.items() if isinstance(value, Mapping) else ()
    for key, inner in items:
        if not isinstance(inner, Mapping | list):
            yield str(key), repr(inner)
        yield from _pairs(inner)
    for inner in value if isinstance(value, list) else ():
        yield from _pairs(inner)


def _lost(finding: Finding, reason: str) -> Carried:
    return Carried(finding, 0, Grade.LOST, reason=reason)


def _evidence(new: NewText, told: Told) -> str:
    return f"{new.where}: {_clipped(new.text[told.sentence[0] : told.sentence[1]])}"


def _clipped(text: str, limit: int = 200) -> str:
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
