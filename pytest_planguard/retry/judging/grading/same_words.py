"""Detect feedback that is the same for findings at different places, and so says nothing about them.

For example, an app answers "¿Qué JSON es este?" to prose in one cassette and to a bad date in another. If such words
name no place, number, value or rule, the app has lost the findings. The same holds for a constant text that happens to
equal the message of one finding.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from ....document.path import Path, to_dotted
from ...outcomes import DROPPED, Firmness, Grade, ReasonCode
from ...results import Attempt, FedBack

if TYPE_CHECKING:
    from ...matching.fed_back import FeedbackReading

Retry = tuple[Attempt, "FeedbackReading"]
"""An attempt with its graded findings, and the new words of the next request."""
Places = frozenset[Path]
"""The places of the findings of one answer."""
Answered = Mapping[str, frozenset[Places]]
"""For the digest of each retry's new words, the places of the findings in each answer that these words followed."""

NAMED = 3
"""Maximum number of other places that a reason names."""
# Quotations, numbers and ids differ from answer to answer: 'urgent', 4f3a-11. Other pieces are kept: "is", " ", "'".
_PIECE = re.compile(r"(\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`)|\s++|[^\s\"'`]++|.")
# Words with digits may be numbers or ids of one answer, "T7", so they are left out of a comparison.
_DIGIT = re.compile(r"\d")
_RUN = re.compile(r"\S*+")


def words_of(reading: FeedbackReading) -> str:
    """Return the new words without quotations, numbers and ids, in lower case and with single spaces."""
    return steady_words(" ".join(piece.text for _, piece in reading.pieces))


def steady_words(text: str) -> str:
    """Return a text without quotations, numbers and ids, in lower case and with single spaces."""
    return " ".join(word for line in text.split("\n") for word in re.findall(r"\w+", _kept(line).casefold()))


def _kept(line: str) -> str:
    """Return the line without quotations and without words that contain a digit."""
    if any(map(line.__contains__, "\"'`")):
        return "".join(_unquoted(line))
    return " ".join(word for word in line.split() if _DIGIT.search(word) is None)


def _unquoted(line: str) -> Iterator[str]:
    """Yield the pieces of the line to keep. Searches each word for digits only once, so the cost is linear."""
    at = run_end = 0
    last_digit = -1
    while piece := _PIECE.match(line, at):
        if at >= run_end and (run := _RUN.match(line, at)):
            run_end = max(run.end(), at + 1)
            last_digit = max((n for n in range(at, run.end()) if line[n].isdecimal()), default=-1)
        drops_word = piece[1] is None and last_digit >= at
        yield " " if piece[1] is not None or drops_word else piece[0]
        at = run_end if drops_word else piece.end()


class SameWords:
    """The new words of all retries of a cassette, and the findings that they followed."""

    def __init__(self, retries: Sequence[Retry]) -> None:
        self._retries = retries
        self._texts = [tuple(piece.text for _, piece in reading.pieces) for _, reading in retries]

    @cached_property
    def answered(self) -> Answered:
        """The places of the findings that came before each wording. Only used for several cassettes."""
        places_of: dict[str, set[Places]] = {}
        for attempt, reading in self._retries:
            places = frozenset(fed_back.finding.path for fed_back in attempt.fed_back)
            if places and (key := _key(reading)):
                places_of.setdefault(key, set()).add(places)
        return {key: frozenset(places) for key, places in places_of.items()}

    def settled(self, elsewhere: Answered) -> list[Attempt]:
        """Return the attempts in order, and grade findings as missing if the same words also followed other places.

        `elsewhere` has the `answered` of all cassettes that are judged together.
        """
        settled = (self._settled(*one, elsewhere) if elsewhere else one[0] for one in self._retries)
        return [self._without_constants(number, attempt) for number, attempt in enumerate(settled)]

    def _without_constants(self, number: int, attempt: Attempt) -> Attempt:
        """Grade verbatim findings as missing if the same text also followed earlier answers with other wrong places.

        Later retries do not count, since a loop may resend old feedback.
        """
        verbatim = [graded for graded in attempt.fed_back if graded.how is Firmness.VERBATIM]
        before = [
            {graded.finding.path for graded in other.fed_back}
            for (other, _), text in zip(self._retries[:number], self._texts, strict=False)
            if verbatim and text == self._texts[number] and {g.grade for g in other.fed_back} <= {*DROPPED}
        ]
        constant = [id(graded) for graded in verbatim if _other(graded.finding.path, filter(None, before))]
        found = (_missing(g, before, "before") if id(g) in constant else g for g in attempt.fed_back)
        return replace(attempt, fed_back=tuple(found)) if constant else attempt

    def _settled(self, attempt: Attempt, reading: FeedbackReading, elsewhere: Answered) -> Attempt:
        key = _key(reading)
        others = elsewhere.get(key, frozenset()) - self.answered.get(key, frozenset())
        if not others or any(_DIGIT.search(piece.text) for _, piece in reading.pieces):
            return attempt
        return replace(attempt, fed_back=tuple(_graded(graded, others) for graded in attempt.fed_back))


def _key(reading: FeedbackReading) -> str:
    """Return a digest of the new words, small enough to keep for thousands of cassettes; "" if there are no words."""
    words = words_of(reading)
    return sha256(words.encode()).hexdigest()[:32] if words else ""


def _graded(graded: FedBack, others: Iterable[Places]) -> FedBack:
    path = graded.finding.path
    other = _other(path, others) if graded.reason_code is ReasonCode.WHOLE_ANSWER else None
    if graded.grade is not Grade.UNCLEAR or other is None:
        return graded
    return _missing(graded, others, "in another cassette")


def _missing(graded: FedBack, answers: Iterable[Collection[Path]], where: str) -> FedBack:
    path = graded.finding.path
    reason = f"these words answered both {to_dotted(path)} and {_other(path, answers)} ({where})"
    grade, code = Grade.MISSING, ReasonCode.SAME_WORDS
    return replace(graded, grade=grade, how=None, evidence=None, reason=reason, reason_code=code)


def _other(path: Path, answers: Iterable[Collection[Path]]) -> str | None:
    """Return the places of the first answer that has no finding at `path`, as text; None if there is none."""
    apart = sorted(sorted(map(to_dotted, places)) for places in answers if path not in places)
    return ", ".join(apart[0][:NAMED]) if apart else None
