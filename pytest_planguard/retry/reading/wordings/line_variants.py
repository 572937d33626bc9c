"""Errors a line or a few lines each, with the place at the end, below, as the subject, or drawn as a tree.

└─ ["lines"]
   └─ [1]
      └─ Expected a number greater than 0, actual -3
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..entry import ErrorEntry, parse_place
from ..error_category import category_of_code, category_of_words
from .lines import Line, bullet_end, lines_of

_PLACE = re.compile(
    r"\s*(?:(?:→|->|↳|└─+)\s*(?:at\s+)?|at\s+|(?i:path|location|loc|field|where|at):\s+)[`'\"]?([\w$.\[\]/-]{1,300})[`'\"]?\s*"
)
_SAYS = re.compile(r"\s*(?i:error|message|msg|reason|problem|issue|details?|description):\s+\S")
_BULLET = re.compile(r"\s*(?:[-*•–—✖❌✗✘×⚠]\ufe0f?\s+|\d{1,3}[.)]\s+)?")


def below_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line that is followed by a line which only points at a place."""
    leads = begun = False
    for line, below in pairwise(lines_of(text)):
        leads, begun = _leads(line, below, leads, begun)
        found = _PLACE.fullmatch(below.text[:400])
        if found and not leads and line.text.strip() and not _PLACE.fullmatch(line.text[:400]):
            message = _BULLET.sub("", line.text, count=1).strip()
            yield ErrorEntry(parse_place(found[1]), None, message, line.start, below.start + len(below.text))


def _leads(line: Line, below: Line, leads: bool, begun: bool) -> tuple[bool, bool]:
    """Whether the lines up to an empty one name each place in front of its message, and whether that is known yet."""
    if begun and line.text.strip():
        return leads, True
    leads = bool(_PLACE.fullmatch(line.text[:400]) and _SAYS.match(below.text))
    return leads, leads or bool(_SAYS.match(line.text))


# Errors whose place stands at an end of the line: `[path] message`, `message [path]`, `… (at path)`, `… @ path`.

_PATH = r"[\w$#/.][\w$#/.\[\]'\"-]{0,199}"
_LEADING = re.compile(rf"\[({_PATH})\]\s+(?=\S)")
_MARKED = re.compile(
    rf"(?:\s[-–—(,]?\s?(?:at|@)|,?\s@|\s\((?:at |in |for )?(?:field|path|key|property))\s+[`'\"]?({_PATH})"
)
"""A place in running text behind a mark that nothing else has in front of it."""
_TRAILING = re.compile(
    rf"\s(?:\[({_PATH})\]|\((?:at|in|path:?|field:?)\s+[`'\"]?({_PATH}?)[`'\"]?\))(?=[.;,]?(?:\s+[A-Z]|\Z))"
)
_PLACED_LINE_LIMIT = 2_000
_MARKS_LIMIT = 40
"""Places in one line that are looked at."""


def placed_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line that begins or ends with a place, or points at one with `at` or `@`."""
    for line in lines_of(text):
        if "[" in line.text or "(" in line.text or "@" in line.text or " at " in line.text:
            yield from _entries(line)


def _entries(line: Line) -> Iterator[ErrorEntry]:
    words = line.text[:_PLACED_LINE_LIMIT].rstrip()
    begin, end = bullet_end(words), line.start + len(line.text)
    colon = words.find(": [", begin)
    leading = _LEADING.match(words, begin if colon < 0 else colon + 2)
    if leading and _is_place(leading[1]):
        yield ErrorEntry(parse_place(leading[1]), None, words[leading.end() :], line.start, end)
        return
    trailing = _TRAILING.search(words, begin)
    spelled = trailing and (trailing[1] or trailing[2])
    if trailing and spelled and _is_place(spelled):
        yield ErrorEntry(parse_place(spelled), None, words[begin : trailing.start()].strip(), line.start, end)
        return
    for number, found in enumerate(_MARKED.finditer(words, begin)):
        if number < _MARKS_LIMIT and _points(found[1]):
            message = f"{words[begin : found.start()].strip()} {_behind(words, found.end())}".strip()
            yield ErrorEntry(parse_place(found[1].rstrip(":.'\"")), None, message, line.start, line.start + found.end())
            begin = found.end()


def _behind(words: str, at: int) -> str:
    """What follows a place that a colon stands behind."""
    return words[at + 1 :].strip() if words[at : at + 1] == ":" else ""


def _is_place(spelled: str) -> bool:
    """Whether words in brackets are a place and not the code of the error."""
    return not spelled.isdecimal() and category_of_code(spelled) is None


def _points(spelled: str) -> bool:
    """Whether a word behind "at" is a place beyond doubt: rooted, or of several steps."""
    return spelled[0] in "$#/" or bool(re.search(r"\w[.\[/]\w|\[['\"\d]", spelled))


# Errors that have their place as the subject of the sentence: `data/lines/1 must have required property 'sku'`.

_SUBJECT = re.compile(
    r"(?:^|(?<=[\n,;.:]\s)|(?<=\n))[ \t]{0,8}(?:[-*•–—✖×]\s+|\d{1,3}[.)]\s+)?"
    r"['\"]?((?:[$#/]|[A-Za-z_])[\w$#./\[\]'\"-]{0,199}?)['\"]?[ \t]+"
    r"(?=(?:must|should|shall|is|are|was|has|have|does|do|requires?|contains?|needs?|cannot|can|may|exceeds?|fails?"
    r"|failed|matches|doesn't|isn't)\b)",
    re.M,
)
_END = re.compile(r"\n|, and\b|[.;] ")
_STEPS = re.compile(r"\w[.\[/]['\"]?\w|\A[$#/]")
_WHOLE = frozenset({"data", "instance"})
"""What validators call the whole answer, and people do not."""
_MESSAGE_LIMIT = 1_000
_READ_LIMIT = 100_000


def subject_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each sentence that begins with a path of several steps or with a name for the whole answer."""
    found = [m for m in _SUBJECT.finditer(text[:_READ_LIMIT]) if _STEPS.search(m[1]) or m[1] in _WHOLE]
    for subject, following in pairwise([*found, None]):
        assert subject is not None
        stop = min(following.start() if following else len(text), subject.end() + _MESSAGE_LIMIT)
        over = _END.search(text, subject.end(), stop)
        end = over.start() if over else stop
        yield ErrorEntry(parse_place(subject[1]), None, text[subject.end() : end].rstrip(" ,;\n"), subject.start(), end)


# Errors as Go's validators print them: `Key: 'Invoice.Lines[1].Quantity' Error:… failed on the 'min' tag`.

_FAILED = re.compile(
    r"\bKey: '([^'\n]{1,300})' Error:\s?([^'\n]{0,60}'[^'\n]{1,200}' failed on the '([\w|-]{1,60})' tag)"
)


def tag_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each key; the tag is its code."""
    for found in _FAILED.finditer(text):
        yield ErrorEntry(parse_place(found[1]), found[3], found[2], found.start(), found.end())


# Errors whose place is a chain of lines, one step each: `Key 'customer' error:`, `Key 'email' error:`, the fault.

_STEP = re.compile(
    r"(?:.{0,200}: )?\s*(?:in |at |error (?:in|at) )?(?:key|field|property|item|index|element) "
    r"[`'\"]?([\w$-]{1,100})[`'\"]?"
    r"(?: error| is invalid)?:\s*",
    re.IGNORECASE,
)
_LINE_LIMIT = 500
_DEPTH = 40


def chain_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line, up to an empty one, below lines that only name a step of its place.

    A step behind a fault begins another place: whether it lies within the one before, no line says.
    """
    steps: list[tuple[str, Line]] = []
    said = False
    for line in lines_of(text):
        found = _STEP.fullmatch(line.text[:_LINE_LIMIT])
        if found and (said or len(steps) < _DEPTH):
            steps = [*([] if said else steps), (found[1], line)]
            said = False
        elif steps and line.text.strip():
            said = True
            path = tuple(name for name, _ in steps)
            yield ErrorEntry(path, None, line.text.strip(), steps[0][1].start, line.start + len(line.text))
        else:
            steps, said = [], False


# Errors drawn as a tree: each level a step of the place in brackets, the leaf says what is wrong.

_BRANCH = re.compile(r"([\s│|]{0,200})(?:└|├|╰|\\-|\+-)[─-]{1,4}\s?")
_TREE_STEP = re.compile(r"\[\s?(?:\"([^\"\]]{1,100})\"|'([^'\]]{1,100})'|(\d{1,9}))\s?\]|\.?([A-Za-z_]\w{0,100}):?")


def tree_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each leaf that names a rule, at the steps on the branches above it."""
    if "─" not in text and "+-" not in text and "\\-" not in text:
        return
    steps: list[tuple[int, str]] = []
    for line in lines_of(text):
        branch = _BRANCH.match(line.text)
        if not branch:
            steps = []
            continue
        depth, words = len(branch[1]), line.text[branch.end() :].strip()
        while steps and steps[-1][0] >= depth:
            steps.pop()
        step = _TREE_STEP.fullmatch(words)
        if step and len(steps) < _DEPTH:
            steps.append((depth, next(group for group in step.groups() if group is not None)))
        elif steps and category_of_words(words):
            path = tuple(name for _, name in steps)
            yield ErrorEntry(path, None, words, line.start, line.start + len(line.text))
