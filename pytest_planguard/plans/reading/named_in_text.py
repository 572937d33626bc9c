"""Names in running text: lists and ranges of ids, dependencies, and files."""

import re
from collections.abc import Iterator
from functools import cache

_SPAN = 500  # maximum ids of one range "T001-T090"
MAX_LIST = 2_000
"""Maximum number of characters of one list of ids. A longer list is cut."""
_JOIN = re.compile(r"(?:[ \t]*(?:[,;、，&+/|]|\b(?:and|or|und|et|y|e|и)\b|和|与|및)[ \t]*)+", re.IGNORECASE)
"""The separator of two ids in a list, for example ", " or " and "."""
_LABEL = (
    r"(?:(?:Tasks?|Requirements?|Req\.?|Reqs\.?|Steps?|ACs?|Story|Stories|Phases?)[ \t]*:?[ \t]*)?[#\[(*_`\"']{0,4}"
)
"""The words or marks before an id: "Task 3", "#3", "**T003**"."""
_AFTER = r"[\])*_`\"']{0,4}(?:[ \t]*\([^()\n]{0,80}\))?"  # the marks or remark after an id: "T003 (schema)", "**T003**"
_AGAIN = r"(?:AC[ \t]?)?#?"  # the label of the first id, which may be repeated before the last one: "AC1-AC5", "#1–#3"
EVERY_WORD = r"(?:all|every|tutti|tutte|todos|todas|tous|toutes|alle|все|全部|所有|すべて|모두)"
"""A word for every id instead of a list: "_Requirements: All requirements_", "(AC: tutti)"."""
_REMARK = re.compile(r"\([^()\n]{0,80}\)")  # "T003 (schema), T004"
CODE = re.compile(r"`[^`\n]*`")
"""Code in running text: "`T003`"."""


def listed_ids(text: str, start: int, pattern: str) -> Iterator[tuple[str, int]]:
    """Yield the ids of the list that begins at `start`, with their offsets, up to the first other word.

    "T003-T005" yields three. "1.3, Integration findings 2 and 4" lists only 1.3, because 2 and 4 number something else.
    `pattern` matches one id, without groups, here and below.
    """
    end = at = start
    limit, item_of = start + MAX_LIST, _listed_id(pattern)
    # a described id such as `\d*` matches the empty text, again and again at one place
    while (item := item_of.match(text, at, limit)) is not None and item.end() > at:
        end = item.end()
        join = _JOIN.match(text, end, limit)
        at = join.end() if join else end
    for name, offset in ids_in(blanked(_REMARK, text[start:end]), re.compile(pattern)):
        yield name, start + offset


@cache
def _listed_id(pattern: str) -> re.Pattern[str]:
    """Return the pattern of one id or range in a list, with its surrounding marks."""
    span = r"(?:[ \t]?(?:-|–|—|\.\.|to|through|~)[ \t]?"
    one = rf"{_LABEL}(?:{pattern})(?![A-Za-z0-9])(?:{span}{_AGAIN}(?:{pattern}|\d+(?![\d.])))?){{0,1}}{_AFTER}"
    return re.compile(one, re.IGNORECASE)


def blanked(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with blanks in place of each match, so that all offsets stay valid."""
    return pattern.sub(lambda found: " " * len(found[0]), text)


def ids_in(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """Yield the ids in a text with their offsets; "T003-T005" yields all three.

    `pattern` matches one id. A range joins two ids by a dash or "through", the second with or without its letters.
    """
    end = -1
    for found in pattern.finditer(text):
        if found.start() < end:  # the T003 of "T001-T003" came with its range
            continue
        yield found[0], found.start()
        tail = _tail(pattern.pattern).match(text, found.end())
        if tail is not None and (between := _range(found[0], tail[1])):
            end = tail.end()
            for name in between:
                yield name, tail.start(1)


@cache
def _tail(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\s?(?:-|–|—|\.\.|to|through)\s?{_AGAIN}({pattern}|\d+(?![\d.]))")


def _range(first: str, last: str) -> list[str]:
    """Return the ids after `first` up to `last`; [] if the two are not a range."""
    start, stop = re.search(r"^(.*?)(\d{1,9})$", first), re.search(r"^(.*?)(\d{1,9})$", last)
    # "T001-T003" and "T001-003" are ranges, "T001-S3" is not
    if start is None or stop is None or stop[1] not in ("", start[1]):
        return []
    low, high = int(start[2]), int(stop[2])
    if not low < high <= low + _SPAN:
        return []
    # as many digits as the first: "T008-T010" names T009, not T9
    return [f"{start[1]}{number:0{len(start[2])}d}" for number in range(low + 1, high + 1)]


WAITS_FOR = r"(?:depends[ \t]+(?:up)?on|requires|blocked[ \t]+by|waits[ \t]+(?:for|on))(?![a-z])"
"""A verb in a task's text before its dependencies: "Write it (depends on T003)".

Only forms that are rarely negated: "does not depend on T003" has the other form.
"""
WAITS_FOR_LABEL = r"Dependenc(?:y|ies)|Depends(?: on)?|Prerequisites?|Blocked by"
"""A label before dependencies: "_Dependencies: 1.2_", "**Depends on:** Task 1"."""
_WAITS = (
    rf"{WAITS_FOR}|depend(?:ent)?[ \t]+(?:up)?on|require|needs|wait[ \t]+(?:for|on)|(?:is|are)[ \t]+blocked[ \t]+by|"
    r"(?:start|begin|run|come|happen|proceed|follow|execute|done|implemented)s?[ \t]+after|"
    r"must[ \t]+follow|依赖于?|依賴於?|取决于|에[ \t]*의존|に依存"
)
"""The words between a task and its dependency, in a sentence about both: "T005 needs T003"."""
_BEFORE = (
    r"blocks|must[ \t]+(?:be[ \t]+)?(?:complete|completed|done|finish|finished|run|come|pass|exist)[ \t]+before|"
    r"(?:is[ \t]+a[ \t]+)?prerequisites?[ \t]+(?:for|of)|(?:is|are)[ \t]+required[ \t]+(?:by|for)|precedes?"
)
"""The words between a task and the task that waits for it."""
# "no dependency on T003", "does not need T003"
_NEGATED = re.compile(
    r"\b(?:no|not|never|without|independent(?:ly)?|none|optional(?:ly)?)\b|n't\b|无|不|없", re.IGNORECASE
)
# "T005 depends on T003", "T003 blocks T005"
_VERB = re.compile(rf"(?P<waits>\b(?:{_WAITS}))(?![a-z])|(?P<before>\b(?:{_BEFORE}))", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[^.;\n。；]|\.(?=\w))+")  # a clause; the dot of "T063.1" does not end it
# "All can start except that T003 needs T001"
_EXCEPT = re.compile(r"\bexcept(?:[ \t]+(?:where|that|for))?\b", re.IGNORECASE)
_NEXT = re.compile(r"[,，]|\band\b", re.IGNORECASE)  # a separator before the subject of another verb
LEAD = 60
"""Maximum number of characters before the first task of a clause, and between a verb and its object."""
_LONGEST_ID = 200  # characters: an id that begins within the lead is read whole


def stated_dependencies(text: str, pattern: str) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    """Yield each waiting task or phase with its dependency. A negated clause ("no dependency on T003") states none."""
    for clause in _CLAUSE.finditer(text):
        verb = _VERB.search(text, clause.start(), clause.end())
        if verb is None:
            continue
        # "except" ends the list before a verb's subject
        ends = (found.end() for found in _EXCEPT.finditer(text, clause.start(), verb.start()))
        left = _list_in(text, max(ends, default=clause.start()), verb.start(), pattern)
        end, after = clause.end(), _VERB.search(text, verb.end(), clause.end())
        if after is not None:  # the subject of the next verb is no object: "…, and T015 depends on T011"
            end = max((found.start() for found in _NEXT.finditer(text, verb.end(), after.start())), default=end)
        right = _list_in(text, verb.end(), end, pattern)
        waiting, first = (left, right) if verb["waits"] else (right, left)
        yield from ((one, other) for one in waiting for other in first)


def _list_in(text: str, start: int, end: int, pattern: str) -> list[tuple[str, int]]:
    """Return the first list of ids between two offsets; [] if a word there negates it."""
    return [] if _NEGATED.search(text, start, end) else [*ids_after(text, start, end, pattern)]


@cache
def _id(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9./-])(?:{pattern})(?![A-Za-z0-9])")


def ids_after(text: str, start: int, end: int, pattern: str) -> Iterator[tuple[str, int]]:
    """Yield the first list of ids between a marker such as "depends on" and the end of its clause."""
    found = _id(pattern).search(text, start, min(end, start + LEAD + _LONGEST_ID))
    if found is not None and found.start() - start <= LEAD:
        yield from (one for one in listed_ids(text, found.start(), pattern) if one[1] < end)


_TOKEN = re.compile(  # whole words alone, so that each is tried once
    r"(?<![\w@~./+{}*\[\]-])[\w@~./+{}*\[\]-]*\.[A-Za-z]\w*(?![\w@~/+{}*\[\]-])"
)
_ENDINGS = (
    "py pyi ipynb ts tsx js jsx mjs cjs go rs md mdx swift java kt kts rb c h cc cpp hpp cs fs php scala ex exs "
    "lua dart tf json jsonl yaml yml toml ini cfg env sh bash zsh ps1 bat html css scss sass less sql txt xml "
    "proto lock gradle mod sum csv svg png vue svelte plist xcodeproj graphql prisma sol r jl nix"
)
_EXTENSIONS = frozenset(_ENDINGS.split())
_JS = "node next vue nuxt express react three d3 chart nest ember"
_PRODUCTS = frozenset(f"{name}.js" for name in _JS.split())  # product names that look like files: "Node.js"


def files_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield file names and paths in a text with their offsets: words that end in a known extension."""
    for token in _TOKEN.finditer(text) if "." in text else ():
        word = token[0]
        stem, dot, extension = word.rpartition(".")
        # "//x.org/a.py" is the rest of a URL, and "src/*.py" names no one file
        if not (dot and stem and extension in _EXTENSIONS) or word.lower() in _PRODUCTS or "//" in word or "*" in word:
            continue
        if stem.endswith("/") or any(character.isalpha() for character in stem.rpartition("/")[2]):  # ".env", "a1.py"
            yield word.removeprefix("./"), token.start()  # "./src/a.py" and "src/a.py" are one file
