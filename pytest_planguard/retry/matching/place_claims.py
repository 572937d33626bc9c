"""Find what new words say about a finding if no parsed error matches it: at its place, by its value, or elsewhere."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ..outcomes import Firmness
from ..reading.addresses import name_words
from ..reading.entry import EVIDENCE_LIMIT, ErrorEntry, NewText, clip, place, same_place
from ..reading.error_category import (
    ErrorCategory,
    categories_of_codes,
    category_of,
    category_of_words,
    further_category,
    unreadable,
)
from ..reading.structures import values
from .grades import Claim, Nearness, Sense, firmest
from .match_finding import about_a_field, accepted, entry_categories, sense_of, verbatim
from .named_place import PlacedText, PlaceMention
from .own_evidence import lists_allowed, quotes_value, rejects_value, value_of
from .praise import SENTENCE, affirms, complains
from .rule_evidence import Own, names_type

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..reading.addresses import Vocabulary

# A key as schemas have them: "due-date", "$ref", "due date".
_NAME = re.compile(r"[\w$ -]{1,80}")
NAMED = 3
"""Maximum number of other places that a reason names."""
# Subjects of a sentence about the whole answer that every language writes alike.
_DOCUMENT = re.compile(r"\b(?:JSON|YAML|Markdown|parser?|parse|syntax|schema)\b", re.IGNORECASE)
_MOST_SENTENCES = 1_000
"""Maximum number of sentences of one text to read."""
_LONGEST = 2_000
"""Maximum number of characters of a sentence to read, since longer ones are data."""
# Separates the steps of a path that is written for people: "rooms › 2 › kind".
_FOR_PEOPLE = re.compile(r"\w\s?[›»→]\s?\d")
# A sentence with one of these words is English.
_ENGLISH = re.compile(r"\b(?:the|is|are|to|of)\b", re.IGNORECASE)
# Before a value that the app asks about or wants to change: "What is Euro?", "Replace Euro with something else".
_ASKED = r"\b(?:what(?: is|'s)?|why|replace|change|instead of)"


class PlaceClaims:
    """Finds the places of findings in new texts, in any spelling, and yields the claims there."""

    def __init__(
        self, texts: Sequence[NewText], names: Vocabulary, data: Any, schema: Any = None, first: int = 0
    ) -> None:
        """Read the texts. `first` is the number that they give the first item of a list."""
        known = {*_pairs(data)}
        self._texts = [PlacedText(new, _without_answer(new.text, known), data, names, first) for new in texts]
        self._fields = [[entry for entry in text.new.entries if _is_field(entry)] for text in self._texts]
        self._data = data
        self._names = names.names
        self._schema = schema
        self._values = {value for _, value in known}
        self._sentences = [*_sentences(self._texts)]

    def about(self, finding: Finding) -> Iterator[Claim]:
        """Yield the claims of the texts about a finding, the firmest first, and last that they say nothing."""
        mentions = [
            one
            for text in self._texts
            for one in text.mentions(finding)
            if len(one.address.steps) > 1 or not self._is_apart(one.around, finding)
        ]
        at_place = [*self._at_place(finding, mentions)]
        if (claim := firmest(claim for claim in at_place if claim.sense is not Sense.NOTHING)) is not None:
            yield claim
        yield from self._by_value(finding)
        yield from self._by_rule(finding)
        yield from at_place or self._elsewhere(finding)
        yield from self._hinted(finding)
        yield Claim(Nearness.NONE, Sense.NOTHING)

    def _at_place(self, finding: Finding, mentions: Sequence[PlaceMention]) -> Iterator[Claim]:
        """Yield the claims at the finding's place. Numbers there decide before readable words do."""
        together = "\n".join(dict.fromkeys(one.near for one in mentions))[:_LONGEST]
        own = Own.of(finding, self._data, self._schema) if mentions else None
        for one in mentions:
            sense, how = one.sense, _how(finding, one) if one.sense is Sense.AGREES else Firmness.WEAK
            if own and sense in (Sense.AGREES, Sense.UNKNOWN) and how is not Firmness.VERBATIM:
                if own.opposes(one.near, together):
                    sense = Sense.CONTRADICTS
                elif sense is Sense.UNKNOWN and one.nearness is Nearness.EXACT:
                    certain = own.is_certain(together, one.beside)
                    sense = Sense.AGREES if certain else _of_unknown(one.beside, own, together)
            evidence = one.new.quote(*one.words)
            yield Claim(one.nearness, sense, evidence, how, evidence)

    def _by_value(self, finding: Finding) -> Iterator[Claim]:
        """Yield claims from sentences that quote the finding's value and name no place."""
        for text, words, start, end in self._sentences:
            if not quotes_value(finding, words, self._data) or _is_plain_english(words, value_of(finding)):
                continue
            if affirms(words) or not text.may_speak_of(finding, start, end):
                continue
            if self._is_apart(text.new.around(end), finding):
                continue
            sense = sense_of(words, finding)
            if sense is Sense.UNKNOWN:
                sense = Sense.AGREES if rejects_value(finding, words) else Sense.VALUE
            if sense in (Sense.AGREES, Sense.VALUE):
                yield Claim(Nearness.NONE, sense, text.new.quote(start, end))

    def _by_rule(self, finding: Finding) -> Iterator[Claim]:
        """For a finding about the whole answer, yield claims from sentences that name its rule and no place.

        Other names do not matter beside the code and the message of its validator: an answer that copies errors has
        names such as "type" and "msg", and so have the next errors.
        """
        code = finding.validator_code or ""
        for text, words, start, end in () if finding.path else self._sentences:
            if affirms(words) or not _names_rule(words, finding) or self._is_apart(text.new.around(end), finding):
                continue
            quoted = "_" in code and code in words and verbatim(words, finding)
            if quoted or text.may_speak_of(finding, start, end):
                yield Claim(Nearness.NONE, Sense.AGREES, text.new.quote(start, end))

    def _elsewhere(self, finding: Finding) -> Iterator[Claim]:
        """Yield claims if the words name other places, but not the finding's place in any spelling."""
        yield from self._counted_from_1(finding)
        others: dict[str, None] = {}
        known = False
        for text, fields in zip(self._texts, self._fields, strict=True):
            apart = [e for e in fields if not same_place(e.path or (), finding.path, self._data)]
            same = next((e for e in apart if entry_categories(e) & accepted(finding)), None)
            if same:
                near = Nearness.ELSEWHERE if self._is_elsewhere(same, finding) else Nearness.LABEL
                yield Claim(near, Sense.AGREES, instead=text.new.quote(same.start, same.end))
            named = text.others(finding)
            known |= bool(named) or any(self._is_elsewhere(e, finding) for e in apart)
            others |= dict.fromkeys(named or (".".join(e.path or ()) for e in apart))
        shown = ", ".join(clip(name, 40) for name in list(others)[:NAMED])
        if others:
            near = Nearness.ELSEWHERE if known else Nearness.LABEL
            yield Claim(near, Sense.UNKNOWN, instead=f"({shown}), not {to_dotted(finding.path)}")

    def _counted_from_1(self, finding: Finding) -> Iterator[Claim]:
        """Yield claims from paths whose items are 1-based: "rooms → 2 → kind" for the second room."""
        for text in self._texts:
            if any(0 in address.steps for address in text.addresses):
                continue
            for one in text.addresses:
                spelled = one.steps != one.keys and _FOR_PEOPLE.search(text.text[one.start : one.end])
                if spelled and one.counted_from(1).steps == finding.path:
                    yield Claim(Nearness.OPEN, Sense.UNKNOWN, text.new.quote(one.start, one.end + EVIDENCE_LIMIT))

    def _hinted(self, finding: Finding) -> Iterator[Claim]:
        """Yield claims without a place: a rule or a word for the whole answer may still mean the finding."""
        for text, words, start, end in self._sentences:
            hint = _hint(words, finding)
            if hint is not None:
                sense = Sense.RULE if finding.path else Sense.WHOLE
                yield Claim(Nearness.NONE, sense, text.new.quote(start, end), instead=hint)

    def _is_apart(self, around: Iterable[ErrorEntry], finding: Finding) -> bool:
        """Return True if words belong to the message of an error at another place: "- title: steps must differ".

        An object around the place may name its member: "recipient: no customs here".
        """
        above = [finding.path[:end] for end in range(1, len(finding.path))]
        return any(
            self._is_elsewhere(entry, finding)
            and not any(same_place(entry.path or (), path, self._data) for path in above)
            for entry in around
        )

    def _is_elsewhere(self, entry: ErrorEntry, finding: Finding) -> bool:
        """Return True if an entry is about a place that the answer may have, and that is not the finding's.

        A word that is not a name in the answer or its schema is a label ("nit: nights goes past 28"). A value of the
        answer names an item ("guests[Meyer].age").
        """
        written = entry.path or ()
        if not _is_field(entry) or same_place(written, finding.path, self._data):
            return False
        if place(finding.path)[-len(written) :] == written:  # "floor" for recipient.floor
            return False
        unknown = [step for step in written if not step.isdecimal() and name_words(step) not in self._names]
        if self._data is None or not unknown:
            return True
        return len(written) > 1 and self._values.isdisjoint(map(repr, unknown))


def _sentences(texts: Iterable[PlacedText]) -> Iterator[tuple[PlacedText, str, int, int]]:
    """Yield each sentence with its text, and its start and end."""
    for text in texts:
        for found in islice(SENTENCE.finditer(text.text), _MOST_SENTENCES):
            words = found[0].lstrip()[:_LONGEST]
            start = found.end() - len(found[0].lstrip())
            yield text, words, start, start + len(words)


def _of_unknown(words: str, own: Own, near: str) -> Sense:
    """Return the sense of words in a language for which planguard knows only a few words for missing values and types.

    `near` are the words up to the next place.
    """
    finding = own.finding
    names = "|".join(re.escape(step) for step in finding.path if isinstance(step, str))
    words = re.sub(rf"(?<!\w)(?:{names})(?!\w)", " ", words, flags=re.IGNORECASE)
    rule = further_category(words)
    if rule in accepted(finding) and category_of_words(words) in (None, rule):  # "a string matching ^R" is about a form
        return Sense.AGREES
    if own.is_told(near) and (rule is None or category_of(finding) is not ErrorCategory.MISSING):
        return Sense.OWN
    return Sense.CONTRADICTS if own.excludes(rule, words, near) else Sense.UNKNOWN


def _how(finding: Finding, mention: PlaceMention) -> Firmness:
    """Return `located` only for a place with its full path."""
    if mention.nearness is not Nearness.EXACT:
        return Firmness.WEAK
    if verbatim(mention.new.text[slice(*mention.words)], finding):
        return Firmness.VERBATIM
    return Firmness.LOCATED if len(mention.address.steps) > 1 else Firmness.WEAK


def _is_plain_english(words: str, value: str) -> bool:
    """Return True if a value is only a word of a sentence that finds no fault: "two" in "version two of it"."""
    bare = value.isalpha() and not re.search(rf"(?:[\"'`“‘«]|{_ASKED} ){re.escape(value)}", words, re.IGNORECASE)
    return bare and _ENGLISH.search(words) is not None and not complains(words)


def _names_rule(words: str, finding: Finding) -> bool:
    """Return True if words say what is wrong with a whole answer."""
    if accepted(finding) & {*categories_of_codes(words)}:
        return True
    demanded = names_type(finding, words) if category_of(finding) is ErrorCategory.TYPE else None
    if demanded is not None:
        return demanded
    return not unreadable(finding) and sense_of(words, finding) is Sense.AGREES


def _hint(words: str, finding: Finding) -> str | None:
    of_all = _DOCUMENT.search(words) is not None
    if not finding.path:
        about = of_all and not _ENGLISH.search(words)
        return "" if about else None
    if finding.allowed and lists_allowed(finding, f"only {words}"):
        return "it names the allowed values"
    is_type = category_of(finding) is ErrorCategory.TYPE and names_type(finding, words)
    rule = ErrorCategory.TYPE if is_type else category_of_words(words)
    if rule and rule is not ErrorCategory.UNREADABLE and not of_all and not affirms(words):  # "no valid JSON"
        return f"it names a rule ({rule.value})"
    return None


def _is_field(entry: ErrorEntry) -> bool:
    """Return True if an entry is about a field with a real name, not a piece of JSON."""
    return about_a_field(entry) and all(_NAME.fullmatch(step) for step in entry.path or ())


def _without_answer(text: str, known: Collection[tuple[str, str]]) -> str:
    """Return the text with quotations of the answer or its parts replaced by blanks."""
    for value, start, end in list(values(text)) if known else ():
        pairs = list(_pairs(value))
        if pairs and all(pair in known for pair in pairs):
            text = text[:start] + " " * (end - start) + text[end:]  # as many blanks, so that positions stay
    return text


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    """Yield (key, value) for every scalar below a value."""
    items = value.items() if isinstance(value, Mapping) else ()
    for key, inner in items:
        if not isinstance(inner, Mapping | list):
            yield str(key), repr(inner)
        yield from _pairs(inner)
    for inner in value if isinstance(value, list) else ():
        yield from _pairs(inner)
