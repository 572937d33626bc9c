"""Read errors on lines, with the place before, after or above them: `- path: message`, nested bullets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, tee, zip_longest

from .entry import ErrorEntry, Place, parse_place
from .error_category import category_of_code, category_of_words

LABELS = frozenset(
    {"error", "errors", "problem", "problems", "reason", "details", "message", "note", "issue", "validation"}
    | {"path", "field", "at", "where"}
)
"""Words before a colon that usually announce an error and do not name a field; a field may still have such a name."""
WRAPPERS = LABELS | {
    *("detail", "field_errors", "fielderrors", "fields", "feedback", "issues", "findings", "nested"),
    *("_errors", "non_field_errors", "_schema"),
}
"""Names around errors that are not part of any place."""
_DEPTH = 12
"""Maximum number of levels of an outline to follow; deeper lines belong to the deepest."""
_INTRODUCTIONS = 3
"""Maximum number of separators before a message. All but the last may belong to an introduction: "Please fix: goal: …".
"""

# Meaningless marks before a line: of a quotation ("> goal"), or of the branches of a tree ("│  └─").
_QUOTED = re.compile(r"^ {0,8}(?:> ?){1,4}", re.MULTILINE)
_BRANCHES = str.maketrans("│├└╰─\r", "     \n")
# A line with words, up to a limit, and the possible marks before them: "### ", "- ", "1. ", "(1) ", "✖ ", "// ", "line
# 4, col 2: ".
_LINE = re.compile(
    r"^(?P<indent>[^\S\n]*)(?=\S)(?P<bullet>#{1,6}\s|(?:[-*•–—+]|\d{1,3}[.)]|\(\d{1,3}\))\s)?"
    r"(?:[^\S\n]*[✖❌✗✘×⚠]\ufe0f?)?(?:[^\S\n]*//)?(?:[^\S\n]*(?:at )?line \d{1,7}(?:, col(?:umn)? \d{1,7})?:?\s)?"
    r"[^\S\n]*(?P<words>\S(?:[^\n]{0,2000}\S)?)[^\S\n]*",
    re.IGNORECASE | re.MULTILINE,
)
# Between two errors of one line: "goal: required; owner: required", "goal: required, owner: required", and "goal: is
# required. owner: is required". Not "goal: is required. Hint: say what": its second sentence is about the first.
_BETWEEN = re.compile(r"[;,] (?=[\w$`./\[\]-]{1,200}(?:: | [–—-] ))|\. (?=[a-z_$`][\w$`./\[\]-]{0,199}: )")
# Between place and message: "goal: required", "goal - required", "goal => required"; not "10:30".
_SEPARATOR = re.compile(r":(?!\S)|：| (?:[—–-]|=>) ")
_NAME = r"[\w$./#\[\]'\"~@*`>→-]+"
# A word that marks a place: "Error at goal", "(path: goal)".
_MARKER = r"(?:at|in|for|on|field|path|key|property|parameter|where)"
# The whole place before a separator: "tasks[0].id", "`goal`", "tasks -> 0 -> id", "('tasks', 0)", "$". Words before it
# end with one that marks a place, more than three only before a quoted one: "Error at goal", "Field error in object
# 'plan' on field 'goal'". After it may follow "is invalid", "(line 4)", "(3 errors)", "[too_short]".
_HEAD = re.compile(
    rf"(?:(?:[a-z]+ ){{0,3}}?{_MARKER} |.{{0,120}}\b{_MARKER} (?=[`'\"]))?"
    rf"(?P<place>(?=[^\w$]*[\w$]){_NAME}(?: [→>-]+ {_NAME})*"
    r"|[\[(][^()\[\]]*,[^()\[\]]*[\])]|\((?:whole \w+|root)\))"
    r"(?:\s(?:is|has|failed) [a-z ]{1,12})?"
    r"(?:\s(?:[\[(](?P<code>(?-i:[a-z])[\w.-]{1,60})[\])]|\((?:(?:at )?line|\d+ errors?)[^()]{0,60}\)))?\s*",
    re.IGNORECASE,
)
# In a message: "必填 [type=missing]", "Field required (type=missing)", "too short (too_short)".
_CODE = re.compile(r"[\[(](?:type=([\w.-]{1,80})[,;\])]|(?:code=)?([a-z]{2,}(?:_[a-z]+)+)[\])]\Z)")
_PATH = r"[\w$#/.][\w$#/.\[\]'\"-]{0,199}"
# A place beside its message: "[goal] is short", "is short (at goal)", "is short @ $.goal", "is short at tasks[0].id".
# Without a bracket, only an unambiguous place counts: rooted, or of several steps.
_ASIDE = re.compile(
    rf"(?<!\S)\[({_PATH})\](?![^\s.])|\s\({_MARKER}:?\s+[`'\"]?({_PATH}?)[`'\"]?\)"
    rf"|(?<![^\s(,])(?:at|@)\s+[`'\"]?((?=[$#/]|\w+[.\[/][\w'\"]){_PATH})",
    re.IGNORECASE,
)
# A line with only a place: "→ at goal", "at `$.goal`", "Path: goal".
_POINTER = re.compile(
    rf"(?:[→↳>-]{{1,2}}\s*(?:at\s+)?|at\s+|(?:{_MARKER}|loc\w*):\s+)[`'\"]?({_PATH})[`'\"]?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Line:
    """A non-empty line of a text."""

    words: str
    """The line without indentation, bullet or number."""
    start: int
    """Position of the line's first character in the text."""
    end: int
    """Position after its last word."""
    depth: int
    """Indentation in characters. A bullet is deeper than the line above it, and all text deeper than a heading."""
    stop: int
    """Position after the line, with the blanks at its end."""

    def is_right_above(self, other: Line) -> bool:
        """Return True if no empty line separates the two."""
        return other.start - self.stop <= 1


def plain(text: str) -> str:
    r"""Return the text with only LF as line end, also in place of a printed `\n`. All positions stay the same."""
    text = text.replace("\r\n", " \n").replace("\\n", " \n").translate(_BRANCHES)
    return _QUOTED.sub(lambda mark: " " * len(mark[0]), text)


def lines_of(text: str) -> Iterator[Line]:
    """Yield the non-empty lines of a plain text."""
    for line in _LINE.finditer(text):
        bullet = line["bullet"] or ""
        depth = bullet.count("#") - 10 if "#" in bullet else len(line["indent"]) + bool(bullet)
        yield Line(line["words"], line.start(), line.end("words"), depth, line.end())


def line_entries(text: str) -> Iterator[ErrorEntry]:
    """Yield an entry for each error that a line names, at the place in the line or as the lines above give it."""
    text = plain(text)
    yield from _pointed(lines_of(text))
    lines, following = tee(lines_of(text))
    next(following, None)
    groups: list[tuple[Line, Place]] = []
    for line, below in zip_longest(lines, following):
        while groups and groups[-1][0].depth >= line.depth:
            groups.pop()
        opened = _opened(line, below)
        if opened is not None:
            groups = [*groups, (line, opened)][:_DEPTH]
        elif not _POINTER.fullmatch(line.words):
            yield from _grouped(line, below, groups)


def _pointed(lines: Iterable[Line]) -> Iterator[ErrorEntry]:
    """Yield the errors whose place has its own line: below the message, or above it in the whole text."""
    above: Line | None = None
    leads: bool | None = None
    for line in lines:
        if leads is None and _POINTER.fullmatch(line.words):
            leads = above is None or not above.is_right_above(line) or above.words.endswith(":")
        if above and above.is_right_above(line):
            place, message = (above, line) if leads else (line, above)
            pointer = _POINTER.fullmatch(place.words)
            if pointer:
                path, _, words = _split(message.words)
                words = words if _is_label(path) else message.words
                yield ErrorEntry.at(pointer[1], words, above.start, line.end)
        above = line


def _grouped(line: Line, below: Line | None, groups: Sequence[tuple[Line, Place]]) -> Iterator[ErrorEntry]:
    around = tuple(step for _, steps in groups for step in steps)
    placed = False
    for entry in _entries(line, below):
        yield entry
        if around and entry.path:
            placed = True
            yield replace(entry, path=(*around, *entry.path))
    if around and not placed and (category_of_words(line.words) or category_of_code(line.words)):
        yield ErrorEntry(around, None, line.words, groups[-1][0].start, line.end)


def _opened(line: Line, below: Line | None) -> Place | None:
    """Return the steps that a line adds to the path of the deeper lines below it; None for a line that adds none."""
    head = _HEAD.fullmatch(line.words.removesuffix(":"))
    if not head or not below or below.depth <= line.depth:
        return None
    if line.depth >= 0 and not line.words.endswith(":") and category_of_code(head["place"]):
        return None  # "missing", with the fields below it
    path = parse_place(head["place"])
    return () if path and path[0].lower() in WRAPPERS else path


def _entries(line: Line, below: Line | None) -> Iterator[ErrorEntry]:
    """Yield the errors that a line names, or announces as the heading of the line below."""
    begins = [0, *(found.end() for found in _BETWEEN.finditer(line.words)), len(line.words)]
    for begin, end in pairwise(begins):
        part, first = line.words[begin:end].rstrip(",; "), line.end - len(line.words) + begin
        start, stop = (first if begin else line.start), first + len(part)
        path, code, message = _split(part)
        for place, words, starts, ends in _asides(part):
            yield ErrorEntry(place, None, words, first + starts if starts else start, first + ends)
        if path is not None and not message and below and line.is_right_above(below):
            message, stop = below.words, below.end
        if path is not None and message:
            yield ErrorEntry(path, code, message, start, stop)
        if message and _is_label(path):
            yield ErrorEntry(None, code, message, start, stop)


def _split(words: str) -> tuple[Place | None, str | None, str]:
    """Split words at a separator into place, code and message. Words before the place ("Please fix: …") are skipped."""
    begin = 0
    for found in islice(_SEPARATOR.finditer(words), _INTRODUCTIONS):
        head = _HEAD.fullmatch(words[begin : found.start()].strip())
        if head:
            message = words[found.end() :].strip()
            code = _CODE.search(message)
            said = message[: code.start()].strip() if code else message
            return parse_place(head["place"]), head["code"] or (code and (code[1] or code[2])), said or message
        begin = found.end()
    return None, None, words


def _is_label(path: Place | None) -> bool:
    """Return True if the place of a message may be a word that announces an error: "Error: …"."""
    return path is not None and len(path) == 1 and path[0].lower() in LABELS


def _asides(words: str) -> Iterator[tuple[Place, str, int, int]]:
    """Yield each place with its message and the start and end of both.

    A new sentence does not share the words after the last place: "the value at /a is short. The value at /b is long".
    """
    begin = 0
    for found in _ASIDE.finditer(words):
        spelled = (found[1] or found[2] or found[3]).rstrip(":.'\"")
        if spelled and not spelled.isdecimal() and category_of_code(spelled) is None:
            begin = max(begin, begin and words.rfind(". ", begin, found.start()) + 1)
            front, behind = words[begin : found.start()].strip(" -–—(,"), words[found.end() :].strip()
            leads = not front or front.endswith(":")  # "[goal] is short", "Error: [goal] is short"
            if not leads and behind.startswith(":"):  # "INVALID_TYPE at goal: expected a text"
                front += behind
            yield parse_place(spelled), behind if leads else front, begin, len(words) if leads else found.end()
            begin = found.end()
