"""Decide if words that appear and disappear with a finding are about it, about something else, or unreadable."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...document.path import to_dotted
from ...wire.exchange import Role
from ..judging.grading.answer_gradings import gradings_of
from ..judging.required_findings import Part
from ..linking.link import Delta, Piece
from ..matching.fed_back import read
from ..matching.match_finding import accepted
from ..matching.own_evidence import names_allowed, names_bound, own_bound, quotes_value, spells_bound, value_of
from ..matching.rule_evidence import Own, demands_otherwise, names_own_type
from ..outcomes import Firmness, Grade, ReasonCode
from ..proof import names_answer, says_nothing
from ..reading.error_category import ErrorCategory, category_of_words, firm_category, further_category
from .bounds import (
    bound_elsewhere,
    limits_missing,
    opposite_bound,
    other_faults,
    own_value,
    spells_place,
    without_items,
)
from .quoted_part import repeats_line
from .repair import read_as_contract
from .request_diff import TOKENS

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..results import FedBack

_WITH_BOUND = frozenset(
    (
        *(ErrorCategory.TOO_SHORT, ErrorCategory.TOO_LONG, ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE),
        *(ErrorCategory.RANGE, ErrorCategory.ENUM, ErrorCategory.FORMAT),
    )
)
"""Rules that have a number, a list of choices or a form, which every message about them names."""
UNDERSTOOD = (Firmness.VERBATIM, Firmness.LOCATED, Firmness.WEAK)
_PLACED = (ReasonCode.NO_PROBLEM, ReasonCode.ITEM, ReasonCode.WORDS, ReasonCode.WHOLE_ANSWER)
"""Reasons why words do not clearly feed back the finding although they name its place."""
_ENVELOPE = frozenset(
    (
        *("comment", "content", "description", "detail", "details", "feedback", "hint", "message", "messages", "msg"),
        *("note", "notes", "reason", "review", "status", "text", "validation", "verdict"),
    )
)
"""Keys of the data around feedback that are no stock phrases: {"reason": "Please try again."}, not {"error": …}."""
_ORDINAL_SIGN = re.compile(r"(?<=\d)\.?[ºª°]")
"""After a number that counts from 1: "2.º"."""


class Meaning(StrEnum):
    """The possible meanings of words for a finding."""

    OWN = "own"
    """They are readable and about the finding, or contain its place, value, bound, length or choices."""
    OTHER_PLACE = "other place"
    OTHER_PROBLEM = "other problem"
    OTHER_BOUND = "other bound"
    OTHER_FAULT = "other fault"
    """They fit another fault of the place, or contain nothing of a rule that has a bound or choices."""
    CUT = "cut"
    """They are only beginnings of the finding's words, and all texts end at the same number of characters."""
    STOCK = "stock"
    """They only say that something is wrong."""
    NOTHING = "nothing"
    """They name no readable place, value or rule."""


ELSEWHERE = (Meaning.OTHER_PLACE, Meaning.OTHER_PROBLEM, Meaning.OTHER_BOUND)
"""Meanings of words that are about something else."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The meaning of words for a finding, and for people, what else the words are about."""

    meaning: Meaning
    instead: str = ""
    """'the words are about other places (guest), not nights'; "" if they name the finding, or nothing at all."""
    more: bool = False
    """True if a rerun with another fault at the place would show more."""


def saying(
    finding: Finding,
    words: str,
    text: str,
    contract: object,
    names: Collection[str] = (),
    *,
    above: str = "",
    entry: str = "",
    still: str = "",
    kept: str = "",
    ends: bool = False,
    others: Sequence[str] = (),
) -> Reading:
    """Return what the words that disappear with a finding mean for it.

    Args:
        finding: the finding of the answer.
        words: the words that appear and disappear with it, one sentence per line.
        text: the answer.
        contract: the contract that judged it.
        names: the property names of the contract's schema.
        above: the lines above them in an outline, which another finding may keep.
        entry: their entry in an outline, one line of which may remain.
        still: the words without the finding, if those are about other places: a label before them ("review:") stays.
        kept: the words without the finding, if nothing replaces it: some words may appear there once more.
        ends: True if they end at the limit of all texts.
        others: the words about other faults that were planted in its place, one text for each.
    """
    as_they_are = _Words(finding, words, text, contract, names)
    found = as_they_are.saying(still, kept, others)
    if found.meaning in (*ELSEWHERE, Meaning.STOCK):
        return found
    if ends and found.meaning is Meaning.NOTHING and as_they_are.is_cut():
        return Reading(Meaning.CUT)
    below = _Words(finding, f"{above}\n{words}", text, contract, names).saying(others=others) if above else found
    if below.meaning is Meaning.OTHER_PLACE:
        return below
    whole = _Words(finding, entry, text, contract, names).saying(others=others) if entry else found
    return whole if whole.meaning not in (Meaning.STOCK, Meaning.NOTHING) else found


class _Words:
    """The words that disappear with a finding, as written and as one line, since they share one topic."""

    def __init__(self, finding: Finding, words: str, text: str, contract: Any, names: Collection[str]) -> None:
        self._finding, self._words, self._text, self._contract, self._names = finding, words, text, contract, names
        self._data = read_as_contract(text, contract).data
        self._line = " ".join(words.split())
        self._graded = self._read(words)
        self._unnumbered = without_items(self._line, finding.path)

    def is_cut(self) -> bool:
        """Return True if the words are only beginnings of the finding's words.

        "Not valid: prior" of "priority: Input should be 'low'".
        """
        finding = self._finding
        parts = (*finding.path, finding.message, finding.validator_message, finding.expected, *finding.allowed)
        whole = {word.casefold() for part in parts for word in TOKENS.findall(str(part))}
        said = [word.casefold() for word in TOKENS.findall(self._words)]
        cut = [word for word in said if word not in whole and any(one.startswith(word) for one in whole)]
        rest = " ".join(word for word in said if word not in cut)
        return bool(cut) and (not rest or says_nothing(rest)) and not self._is_own()

    def saying(self, still: str = "", kept: str = "", others: Sequence[str] = ()) -> Reading:
        if repeats_line(self._finding, self._words, self._text):  # code names no places and no types: "x: int"
            return Reading(Meaning.OWN)
        other = self._other() if self._finding.path else None
        if other is not None:
            return other
        if self._is_stock(still) or self._is_copy(kept):
            return Reading(Meaning.STOCK)
        unlike = self._fits_another() or self._unlike_own(others) if self._finding.path else None
        return unlike or self._plain()

    def _plain(self) -> Reading:
        return Reading(Meaning.OWN if self._is_own() else Meaning.NOTHING)

    def _read(self, words: str) -> FedBack:
        reading = read([Delta(1, (Piece(words, 1, Role.USER),))])
        schema = getattr(self._contract, "json_schema", None)
        part = Part(None, 1, self._data, self._text)
        (graded,) = gradings_of([self._finding], reading, 1, part, self._names, schema)
        return graded

    def _other(self) -> Reading | None:
        """Return a reading if the words name another place, problem or bound."""
        finding, line, graded = self._finding, self._line, self._graded
        if graded.how not in (Firmness.VERBATIM, Firmness.LOCATED):
            for one in (graded, graded if line == self._words else self._read(line)):
                if one.reason_code is ReasonCode.OTHER_PLACE and not self._spells_path():
                    return Reading(Meaning.OTHER_PLACE, one.reason or "")
                if one.reason_code is ReasonCode.OTHER_LABEL and (label := self._other_label()):
                    return Reading(Meaning.OTHER_PLACE, f"the words are about {label}, not {to_dotted(finding.path)}")
                if one.reason_code is ReasonCode.OTHER_PROBLEM and not self._holds_rule():
                    return Reading(Meaning.OTHER_PROBLEM, one.reason or "")
            if (name := self._other_in_signs()) is not None:
                return Reading(Meaning.OTHER_PLACE, f"the words are about {name}, not {to_dotted(finding.path)}")
        opposite = (opposite_bound(finding, one, self._data, self._contract) for one in self._unnumbered)
        bound = next(opposite, None)
        if bound is not None:
            return Reading(Meaning.OTHER_BOUND, f"the words name another limit of the field ({bound:g})")
        if not (self._holds_rule() or self._holds_value() or self._names_place()):
            bound = bound_elsewhere(finding, line, self._data, self._contract)
        other = "the words name the limit of another field"
        return None if bound is None else Reading(Meaning.OTHER_BOUND, f"{other} ({bound:g})")

    def _spells_path(self) -> bool:
        """Return True if words spell out the place as steps or between signs: "MIN(guests.2)", "MIN(guest)".

        Such a spelling is deliberate. The word guest in a sentence about another field may be an accident.
        """
        path = self._finding.path
        if len(path) != 1:  # also with its items counted from 1: "rooms > 1.º > kind"
            from_1 = replace(self._finding, path=tuple(s + 1 if isinstance(s, int) else s for s in path))
            without_signs = _ORDINAL_SIGN.sub("", self._line) if from_1.path != path else ""
            spelled = spells_place(self._finding, self._line) or spells_place(from_1, without_signs)
            return bool(path) and (spelled or self._names_steps_alone())
        step = re.escape(str(path[0]))
        around = re.search(
            rf"(?<![\w.])(\w+)\.{step}(?![\w.])", self._line
        )  # "spec.nights: …" of an app's own envelope
        in_envelope = around is not None and not around[1].isdigit() and around[1] not in self._names
        return in_envelope or re.search(rf"[(=`'\"]{step}[)`'\",;]", self._line) is not None

    def _names_steps_alone(self) -> bool:
        """Return True if the words are only steps of the place, as names: "crates", "no. 1", "content".

        For the inner lines of an outline one step is enough, since the outer steps are above them.
        """
        own = {step for step in self._finding.path if isinstance(step, str)}
        named = {*re.findall(r"\w+", self._line)} & {*self._names, *own}
        return named <= own and len(named) >= (1 if self._words[:1].isspace() else min(2, len(own)))

    def _other_label(self) -> str | None:
        """Return another name of the schema that is used as a label: "[blocking] / motto: says 12000"."""
        own = {str(step) for step in self._finding.path}
        if any(re.search(rf"\b{re.escape(step)}\b", self._line) for step in own if not step.isdigit()):
            return None
        labels = re.findall(r"(?:^|[\s›»→>/|])(\w+)\s*:(?:\s|$)", self._line)
        return next((label for label in labels if label in self._names), None)

    def _other_in_signs(self) -> str | None:
        """Return a name of the schema written as code, if the words have no step of the place: "path: [guest]"."""
        said, value = set(TOKENS.findall(self._line)), value_of(self._finding) or ""
        if said & {word for step in self._finding.path for word in TOKENS.findall(str(step)) if not word.isdigit()}:
            return None
        known = {str(one) for one in self._finding.allowed}
        found = re.findall(r"[\[(`'\"](\w+)[\])`'\"]", self._line)
        return next((name for name in found if name in self._names and name not in known and name not in value), None)

    def _is_stock(self, still: str) -> bool:
        """Return True if the words only say that something is wrong: all of them, or those that disappear."""
        of_all = not self._finding.path and names_answer(self._line)  # "Wrong: the answer"
        if self._holds_rule() or self._holds_value() or of_all:
            return False
        own = {str(step).casefold() for step in self._finding.path}
        if not own.isdisjoint(word.casefold() for word in TOKENS.findall(self._words)):
            return False  # a field may be called "data" or "result", like words of stock phrases
        said = {word.casefold() for word in TOKENS.findall(still)}
        words = "\n".join(word for line in self._words.split("\n") for word in _out_of_envelope(line, self._names))
        alone = " ".join(word for word in TOKENS.findall(words) if word.casefold() not in said)
        return says_nothing(words) or (says_nothing(alone) and not self._is_own())

    def _is_copy(self, kept: str) -> bool:
        """Return True if the words name nothing and also appear elsewhere: "Field", from a text that was cut off."""
        words, others = (f" {' '.join(TOKENS.findall(text))} " for text in (self._words, kept))
        return bool(words.strip()) and words in others and not self._is_own()

    def _is_own(self) -> bool:
        if self._graded.how in UNDERSTOOD or self._names_place() or self._graded.reason_code is ReasonCode.VALUE:
            return True
        return self._holds_rule() or self._holds_value() or category_of_words(self._line) in accepted(self._finding)

    def _names_place(self) -> bool:
        return self._graded.grade is Grade.PARTIAL or self._graded.reason_code in _PLACED

    def _holds_rule(self) -> bool:
        """Return True if the words contain the finding's own bound, choices or form: evidence in any language."""
        finding = self._finding
        if demands_otherwise(finding, self._line):
            return False
        own = Own.of(finding, self._data, getattr(self._contract, "json_schema", None))
        if ErrorCategory.FORMAT in accepted(finding) and own.is_told(self._line):
            return True
        return names_allowed(finding, self._line) or any(
            test(finding, line) for test in (names_bound, own_bound, spells_bound) for line in self._unnumbered
        )

    def _holds_value(self) -> bool:
        finding, line = self._finding, self._line
        return quotes_value(finding, line, self._data) or own_value(finding, line, self._data)

    def _fits_another(self) -> Reading | None:
        """Return a reading if the words have nothing of the finding's rule, but fit another fault of the place."""
        finding = self._finding
        if self._graded.how in UNDERSTOOD or self._holds_rule():
            return None
        line = self._line.replace(value_of(finding), " ") if value_of(finding) else self._line
        plain = category_of_words(line) or further_category(self._without_own())
        rule = plain if self._names_place() else firm_category(line)  # else "one is missing" may be a low count
        if rule is None and limits_missing(finding, line, self._data, self._contract):
            return _fitting("limit")
        if rule is None or rule in accepted(finding):
            return None
        fits = next((name for name, rules in self._other_faults() if rule in rules), None)
        return None if fits is None else _fitting(fits)

    def _without_own(self) -> str:
        """Return the words without the place's names and its value: a field may be called "text" or "type"."""
        line = self._line.replace(value_of(self._finding), " ") if value_of(self._finding) else self._line
        names = "|".join(re.escape(step) for step in self._finding.path if isinstance(step, str))
        return re.sub(rf"\b(?:{names})\b", " ", line) if names else line

    def _unlike_own(self, others: Sequence[str]) -> Reading | None:
        """Return the problem with unreadable words that name the finding's place but contain nothing of its rule.

        Apps that know a bound or choices name them, in any language. Apps that only name places say the same of any
        fault: "I have circled weight", "I have circled handling".

        Args:
            others: the words about other faults in its place.
        """
        finding = self._finding
        if self._graded.how in UNDERSTOOD or category_of_words(self._line) in accepted(finding) or self._holds_rule():
            return None
        at_place = self._names_place() or self._spells_path()
        if names_own_type(finding, self._without_own()) and (at_place or self._holds_value()):
            return _fitting("type")
        rest = self._beside_place() if at_place and not self._holds_value() else set()
        alike = [rest <= _words_of(other) for other in others if other and not says_nothing(other)]
        bound = not _WITH_BOUND.isdisjoint(accepted(finding))
        if not rest or says_nothing(" ".join(rest)) or (all(alike) and len(alike) > 1):
            return None  # "Please look at title and nights": the rest is "and" for one of them
        if all(alike) and (alike or bound):
            return replace(self._plain(), more=True)
        if any(alike):
            return Reading(Meaning.OTHER_FAULT, "the app uses the same words for another error")
        return Reading(Meaning.OTHER_FAULT, "the words name the place but nothing about the rule") if bound else None

    def _beside_place(self) -> set[str]:
        """Return the words apart from the place and its numbers; none if they are beside its value: "'P' as title"."""
        path, value = self._finding.path, value_of(self._finding)
        names = [rf"\b{re.escape(step)}\b" for step in path if isinstance(step, str)]
        found = [at for name in names if (at := re.search(name, self._line))]
        start, end = min((at.start() for at in found), default=0), max((at.end() for at in found), default=0)
        line = self._line[:start] + self._line[end:]  # also the words between the names: "weight beneath crates"
        items = "|".join(str(n) for step in path if isinstance(step, int) for n in (step, step + 1))
        line = re.sub(rf"\w*\W{{1,3}}(?:{items})(?!\d)", " ", line) if items else line  # "line 2"
        quoted = rf"(?<!\w){re.escape(value)}(?!\w)" if value.isdecimal() else rf"['\"`“‘«]{re.escape(value)}['\"`”’»]"
        return set() if re.search(quoted, line) else _words_of(line) - _words_of(to_dotted(path))

    def _other_faults(self) -> Iterator[tuple[str, Collection[ErrorCategory]]]:
        """Yield other faults that are possible at the place, with the rules that words may name for each.

        Words may call even a value of the right type wrong by type. A missing value has no type.
        """
        if self._finding.kind is not FailureKind.MISSING:
            yield "type", [ErrorCategory.TYPE]
        for other in other_faults(self._finding, self._text, self._contract):
            yield other.code, accepted(other)


def _out_of_envelope(line: str, names: Collection[str]) -> Iterator[str]:
    """Yield the texts in a line of JSON, and those keys that do not occur in any feedback; for other text, the line."""
    try:
        left = [json.loads(line)] if line.startswith("{") else [line]
    except ValueError:
        left = [line]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            yield from (key for key in value if key not in _ENVELOPE or key in names)
            left += value.values()
        elif isinstance(value, list):
            left += value
        else:
            yield str(value)


def _fitting(fault: str) -> Reading:
    return Reading(Meaning.OTHER_FAULT, f"the words fit another error at this place ({fault})")


def _words_of(text: str) -> set[str]:
    return {word.casefold() for word in TOKENS.findall(text)}
