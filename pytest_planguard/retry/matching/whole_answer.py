"""Find what the new words say about the whole answer: the position at which a parser stopped, or the problem."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ...document.formats.parser_stops import ParserStops
from ..reading.entry import ROOT_NAMES, NewText, clip
from ..reading.error_category import ErrorCategory, category_of, category_of_words, unreadable
from ..reading.structures import MESSAGES
from .grades import Claim, Nearness, Sense
from .match_finding import about_a_field, verbatim
from .own_evidence import own_words
from .praise import SENTENCE, complaint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.finding import Finding
    from ...document.formats.parser_stops import Position

UNKNOWN = ParserStops()
"""For an answer whose text is unknown or whose format is not JSON: no position of a parser is known."""
_COLUMNS_APART = 2
"""Tolerance in columns, since parsers report the bad character, the one before it or the one after it."""
_START: Position = (1, 1)
_WRAPPERS = frozenset({FailureKind.PROSE, FailureKind.FENCE, FailureKind.THINKING})
"""Kinds of findings about text around the document."""
# "line 3 column 5", "line 3, col 5", "(line 3)", "Zeile 3, Spalte 5", "第3行"; "(char 57)", "at position 57".
_POSITION = re.compile(
    r"(?:\b(?:line|row|zeile|l[ií]nea|ligne)\s*:?\s*|第\s?)(?P<line>\d{1,7})(?:\s?行)?"
    r"(?:\s*[,:]?\s*(?:and )?(?:col\w*|char\w*|position|spalte|第)\.?\s*:?\s*(?P<column>\d{1,7}))?"
    r"|\b(?:char|pos(?:ition)?|offset|byte)\s*:?\s*(?P<offset>\d{1,9})\b",
    re.IGNORECASE,
)
# Places as Python's parser and pydantic's write them: "line 1 column 5 (char 4)", "at line 1 column 5". Gson adds a
# path.
_ASKED = re.compile(r"line \d+ column \d+ \(char \d+\)|at line \d+ column \d+\b(?! path)")
# Quotations of the text at which parsers stop: "character 'R'", "('R' (code 82))", "Unexpected token R in JSON", "token
# 'Here'", "unexpected token at 'Sure! {'". A single separate character may be the expected one: "expected ','".
_QUOTED = re.compile(
    r"\b(?:character|token|identifier|symbol|zeichen|car[aá]cter|caractère) "
    r"\(?(?:['\"`]([^\n]{1,40}?)['\"`]|(\S)(?!\S))"
    r"|['\"`“]([^'\"`“”\n]{2,60})['\"`”]",
    re.IGNORECASE,
)
# The kinds of error that parsers distinguish, as several of them word it. "Expecting value" fits nearly all of them.
_KINDS = {
    "extra text": r"extra data|trailing (?:characters|data|garbage)|non-whitespace (?:character )?after"
    r"|followed by other|(?:garbage|character .{1,12}) after",
    "a trailing comma": r"trailing comma",
    "a delimiter": r"delimiter|expected [`'\"]?,|missing comma|closing bra",
    "the end of the text": r"\beof\b|unexpected end|unterminated|truncated|cut off|ends? inside"
    r"|end of (?:file|input|data)",
    "a key": r"property name|key must|object key|key without quotes|expected (?:a )?key",
    "an invalid character": r"control character|line break inside|invalid escape|bad escape",
}
_END = "the end of the text"
# "Expecting value", "Unexpected token <": parsers say it at any stop, so it contradicts none.
_ANY = re.compile(r"expect(?:ing|ed) value|unexpected (?:token|character|identifier)", re.IGNORECASE)


def names_stop(words: str, stops: ParserStops, also: Collection[Position] = ()) -> bool:
    """Return True if the words name the position at which a parser stopped, or the text there.

    `also` has further positions that count.
    """
    said = [one for one in _lines_first(words) if one[1] is not None]
    if said:
        return bool(_fitting(words, said, [*also, *stops.places]))
    # The quotation may be clipped with an ellipsis.
    quoted = (next(filter(None, found.groups())).rstrip(".…") for found in _QUOTED.finditer(words))
    return any(following.startswith(one) for one in quoted if one for following in stops.following)


def names_own(finding: Finding, words: str, stops: ParserStops) -> bool:
    """Return True if the words name a position at which a parser stops in the answer, or the kind of error there."""
    if names_stop(words, stops, _own_places(finding, stops)):
        return True
    return not _positions(words) and not _own_kinds(finding, stops).isdisjoint(_kinds(words))


def names_another(finding: Finding, words: str, stops: ParserStops) -> str | None:
    """Return the place or kind of a parse error in the words that does not fit this answer; None if all fits.

    Any words fit if parsers may stop anywhere in the answer and the stops of other parsers are unknown.
    """
    asked = stops.places and (finding.kind is not FailureKind.INVALID_YAML or _ASKED.search(words))
    if not asked and _is_open(finding):
        return None
    known = [*_own_places(finding, stops), *sorted(stops.places, key=str)]
    named = [one for one in _lines_first(words) if any(bool(one[0]) == bool(other[0]) for other in known)]
    if _START in named and finding.kind in _WRAPPERS and not asked:
        return None  # a parser of the whole answer stops at its first character, at any wrapper
    kinds, own_kinds = _kinds(words), _own_kinds(finding, stops)
    fitting = _fitting(words, named, known)
    if named and not fitting:
        if _END in kinds and _END in own_kinds and not stops.places:
            return None  # some parsers name the open bracket
        return f"{_spelled(named[0])}, not {_spelled(next(one for one in known if bool(one[0]) == bool(named[0][0])))}"
    apart = kinds and own_kinds and not fitting and own_kinds.isdisjoint(kinds) and not _ANY.search(words)
    return f"{kinds[0]}, not at {next(kind for kind in _KINDS if kind in own_kinds)}" if apart else None


def _own_places(finding: Finding, stops: ParserStops) -> list[Position]:
    """Return the place of the finding, and the place at which our own parser stopped in the document.

    A place around the document counts as a stop only if no better one is known.
    """
    span = None if finding.kind in _WRAPPERS and stops.places else finding.span
    return [*([(span.line, span.column)] if span else []), *_positions(finding.validator_message or "")]


@lru_cache(maxsize=64)  # every line of the feedback is compared with them
def _own_kinds(finding: Finding, stops: ParserStops) -> frozenset[str]:
    said = (finding.kind.value, finding.message, finding.validator_message or "", *stops.messages)
    return frozenset(_kinds(" ".join(said)))


def _is_open(finding: Finding) -> bool:
    """Return True if parsers may stop anywhere: in prose, or because text precedes the document on its line.

    The finding counts columns from the start of the answer, our parser from the start of the document: `Here: {"a" 1}`
    is wrong at column 12 of the answer, which is column 6 of the document.
    """
    if finding.span is None:
        return True
    own = _positions(finding.validator_message or "")
    begins: Position = (finding.span.line, finding.span.column)
    lines = {line for line, _ in (begins, *own) if line}
    ahead = any(line and finding.span.column > (column or finding.span.column) for line, column in own)
    nowhere = not own and (begins == _START or finding.code == "prose")
    return nowhere or len(lines) > 1 or (ahead and finding.kind is FailureKind.INVALID_JSON)


def _fitting(words: str, said: Iterable[Position], known: Collection[Position]) -> list[Position]:
    """Return the known positions in the words. In those of a parser that we ran, they must match exactly."""
    exact = _ASKED.search(words)
    return [one for one in said if (one in known if exact else any(_near(one, other) for other in known))]


def _near(one: Position, other: Position) -> bool:
    if one[1] is None or other[1] is None:
        return one[0] == other[0]
    begins = one[0] - other[0] == 1 and one[1] <= 1  # some parsers count a line break as part of the next line
    return begins or (one[0] == other[0] and abs(one[1] - other[1]) <= _COLUMNS_APART)


def _kinds(words: str) -> list[str]:
    return [name for name, pattern in _KINDS.items() if re.search(pattern, words, re.IGNORECASE)]


def _positions(words: str) -> list[Position]:
    return [
        (int(m["line"] or 0), int(m["column"] or m["offset"]) if m["column"] or m["offset"] else None)
        for m in _POSITION.finditer(words)
    ]


def _lines_first(words: str) -> list[Position]:
    """Return the lines and columns in the words, or the offsets if they name no line: "line 1 column 5 (char 4)"."""
    said = _positions(words)
    return [one for one in said if one[0]] or said


def _spelled(position: Position) -> str:
    line, column = position
    return f"line {line}" + (f" column {column}" if column else "") if line else f"character {column}"


_MOST_LINES = 1_000
"""Number of lines at each end of a text that may name a parse error: it comes before a long quotation, or after it."""
_NO_FIELDS = ROOT_NAMES.union(MESSAGES, ("string", "array", "number", "literal", "key", "token", "parser", "text"))
"""Names for the answer, for JSON's parts and for an error's message. Parsers write them before a colon."""
_AROUND = " \t\r,;"
"""Characters to strip from the ends of a line."""


def another_parse_error(finding: Finding, texts: Sequence[NewText], stops: ParserStops) -> Iterator[Claim]:
    """Yield a claim if the words name parse errors, and none of them is this answer's."""
    lines = [(new, line) for new in texts for line in _ends(new.text)] if unreadable(finding) else []
    for _, line in lines:
        if names_own(finding, line, stops) or (verbatim(line, finding) and not names_another(finding, line, stops)):
            return
    for new, line in lines:
        other = names_another(finding, line, stops) if _is_about_parsing(line) else None
        if other is not None:
            yield Claim(Nearness.ELSEWHERE, Sense.CONTRADICTS, instead=f"{other} ({new.where}: {clip(line)})")
            return


def lines_about_parsing(new: NewText) -> Iterator[str]:
    """Yield the lines that report a parser failure on the answer, and not on a field of it."""
    yield from filter(_is_about_parsing, _of_no_field(new))


def spoken(finding: Finding, texts: Sequence[NewText], stops: ParserStops) -> Iterator[Claim]:
    """Yield claims from words about a finding on the whole answer."""
    for new in () if finding.path else texts:
        if found := _spoken_of(finding, new):
            yield Claim(Nearness.NONE, Sense.AGREES, new.quote(*found))
        for line in _of_no_field(new) if unreadable(finding) else ():
            if names_own(finding, line, stops):
                yield Claim(Nearness.NONE, Sense.AGREES, f"{new.where}: {clip(line)}")


# Sentences about a document as a whole.

# The subjects of a sentence about the whole document: "unterminated quote", "wrap it in no code fence".
_DOCUMENT = re.compile(
    "json|yaml|pars[ei]|syntax|bracket|quot[ea]|truncated|cut off|fence|prose|document", re.IGNORECASE
)
# How apps report an empty answer: "You returned no content", "please return text".
_EMPTY = re.compile(r"empty|no (?:text|content|output|answer|response)|return text|blank", re.IGNORECASE)
# "Call the tool save_plan", "no function call": feedback on an answer without the call.
_TOOL = re.compile(r"\b(?:tool|function)\b", re.IGNORECASE)
_READ_LIMIT = 100_000
"""Maximum number of characters of a text to search: longer texts are data, not feedback."""


def _spoken_of(finding: Finding, new: NewText) -> tuple[int, int] | None:
    """Return the start and end of a sentence about a finding that concerns the document as a whole, not a field."""
    subject = _subject(finding)
    apart = bytearray(len(new.text))  # 1 for each character about a field
    for start, end in _of_fields(new):
        apart[start:end] = b"\1" * (end - start)
    sentences = (one for one in SENTENCE.finditer(new.text[:_READ_LIMIT]) if 1 not in apart[one.start() : one.end()])
    found = (one for one in sentences if subject.search(one[0]) and complaint().search(one[0].lower()))
    return next((one.span() for one in found), None)


def _subject(finding: Finding) -> re.Pattern[str]:
    """Return a pattern for the words that identify a problem without a field.

    An answer that is not an object is a broken document to one parser and a wrong type to another.
    """
    rule = category_of(finding)
    if finding.kind is FailureKind.EMPTY:
        return _EMPTY
    if rule in (ErrorCategory.NO_TOOL_CALL, ErrorCategory.UNKNOWN_TOOL):
        return _TOOL
    if unreadable(finding) or rule is ErrorCategory.TYPE:
        return _DOCUMENT
    # Only its own words identify a rule on the whole document (a model validator), since it has no field.
    return re.compile("|".join(map(re.escape, own_words(finding))) or r"(?!)", re.IGNORECASE)


def _of_no_field(new: NewText) -> Iterator[str]:
    of_fields = {line.strip(_AROUND) for start, end in _of_fields(new) for line in new.text[start:end].split("\n")}
    return (line for line in _ends(new.text) if line.strip(_AROUND) not in of_fields)


def _of_fields(new: NewText) -> list[tuple[int, int]]:
    """Return the errors about a field, not about the answer ("response: …") or its parts ("in string: …")."""
    return [(e.start, e.end) for e in new.entries if about_a_field(e) and (e.path or ("",))[-1] not in _NO_FIELDS]


def _is_about_parsing(line: str) -> bool:
    """Return True if the words name a kind of parse error and its place, or call the answer unreadable."""
    kind = _positions(line) and (_kinds(line) or _ANY.search(line) or _ASKED.search(line))
    return bool(kind) or category_of_words(line) is ErrorCategory.UNREADABLE


def _ends(text: str) -> Iterator[str]:
    lines = text.split("\n")
    behind = max(len(lines) - _MOST_LINES, _MOST_LINES)
    ends = chain(islice(lines, _MOST_LINES), islice(lines, behind, None))
    return iter(dict.fromkeys(filter(str.strip, ends)))  # a line that is repeated says nothing more
