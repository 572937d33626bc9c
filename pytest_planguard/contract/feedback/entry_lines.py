"""Write a finding as one line: `/tasks/0/status (line 4): expected one of "Draft"; got "pending"`; and read it back.

A line always shows path and code. The wording of common findings implies the code ("required, missing"); otherwise it
follows in brackets: `… repeats an earlier value; got "a" [distinct]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ...document.path import WHOLE_ANSWER, Path, to_pointer
from ..finding import Finding
from ..phrasing import clip

MESSAGE_LIMIT = 240
"""Maximum characters of a message in a line: a rule, a hint, and a quoted value of at most `ACTUAL_LIMIT`."""
PATH_LIMIT = 160
"""Maximum characters of a path in a line. A longer path ends with "…" and cannot be parsed back."""
# A pointer that needs no quotes: "/tasks/0/id", but not one with a space or a colon.
_PLAIN = re.compile(r"(?:/[\w.~@$+*-]*)+")
# Codes that are read back: "distinct", "planguard.my-rule". "too many" could be prose, so such a code is not written.
_CODE = re.compile(r"[A-Za-z][\w.:-]{0,59}")
# The code behind a message that does not imply it: " [distinct]".
_TAG = re.compile(rf" \[({_CODE.pattern})\]$")
_DECODER = json.JSONDecoder()
# "1. " of the default style, "- " of the compact one.
_START = re.compile(r"^(?:\d+\.|-) ", re.MULTILINE)
# The rest after a path: " (line 4): required, missing".
_REST = re.compile(r"(?: \(line \d+\))?: (.*)")
# "0" and "17", but not "07", which is a key. No index has more than nine digits.
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_TYPE = r"(?:an integer|a number|a string|true or false|an object|a list|null)"
_WORDINGS = re.compile(
    r"(?P<missing>required, missing)|(?P<extra>not allowed here)|expected (?:"
    r"(?P<enum>one of |\")"
    r"|(?P<length>at (?:least|most) \d+ (?:item|character|byte|propert))"
    r"|(?P<range>(?:at least|at most|greater than|less than|a multiple of) -?\d)"
    r"|(?P<format>(?:text matching|text in the format|a (?:date|time|duration|URL|UUID))\b)"
    rf"|(?P<type>{_TYPE}(?: or {_TYPE})*(?:;|$)))"
)
"""How the common findings begin. Each group is named after its code."""


def entry(finding: Finding, *, owner: bool = False) -> str:
    """Return the finding on one line, without number or bullet.

    Args:
        finding: the finding.
        owner: True to name the model too: "required, missing ('x' in PlanCharacteristics)".
    """
    line = f" (line {finding.span.line})" if finding.span else ""
    message = finding.message
    if owner and finding.owner and finding.path:
        message += f" ('{finding.path[-1]}' in {finding.owner})"
    if finding.hint:
        message += f" ({finding.hint})"
    message = safe_line(message, MESSAGE_LIMIT)
    return f"{_where(finding.path)}{line}: {message}{_tag(message, finding.code)}"


def _where(path: Path) -> str:
    if not path:
        return WHOLE_ANSWER
    pointer = clip(to_pointer(path), PATH_LIMIT)
    return pointer if _PLAIN.fullmatch(pointer) else without_fences(json.dumps(pointer))


def _tag(message: str, code: str) -> str:
    """Return the code in brackets if the message alone would imply a different one."""
    implied = None if message.endswith("]") and _TAG.search(message) else code_of(message)
    return "" if implied == code or not _CODE.fullmatch(code) else f" [{code}]"


def code_of(message: str) -> str | None:
    """Return the code that a message's wording implies; None if it implies none."""
    found = _WORDINGS.match(message)
    return found.lastgroup if found else None


def parse_entries(text: str) -> list[tuple[Path, str | None, str]]:
    """Return the path, code and message of every default-style or compact-style line in a text.

    Whole numbers in a path become indices, since a pointer does not distinguish them from keys. Without a code in
    wording or brackets, return None for it.
    """
    return [found for start in _START.finditer(text) for found in _parsed(text, start.end())]


def _parsed(text: str, at: int) -> Iterator[tuple[Path, str | None, str]]:
    end = text.find("\n", at)
    line = text[at:] if end < 0 else text[at:end]
    pointer, after = _pointer(line)
    rest = _REST.fullmatch(line, after)
    if pointer is None or rest is None:
        return
    message = rest[1]
    tag = _TAG.search(message)
    if tag:
        yield path_of(pointer), tag[1], message[: tag.start()]
    else:
        yield path_of(pointer), code_of(message), message


def _pointer(line: str) -> tuple[str | None, int]:
    """Return the pointer at the start of a line and its end; (None, 0) without one."""
    if line.startswith(WHOLE_ANSWER):
        return "", len(WHOLE_ANSWER)
    if line.startswith('"'):
        try:
            found, end = _DECODER.raw_decode(line)
        except json.JSONDecodeError:
            return None, 0
        return str(found), int(end)
    plain = _PLAIN.match(line)
    return (plain[0], plain.end()) if plain else (None, 0)


def path_of(pointer: str) -> Path:
    """Return the path of a pointer in feedback. Integers are indices."""
    parts = pointer.split("/")[1:]
    # "~1" before "~0", as in every pointer: "~01" is the key "~1".
    return tuple(int(p) if _INDEX.fullmatch(p) else p.replace("~1", "/").replace("~0", "~") for p in parts)


# Text of unknown origin goes on one line of feedback: it must not look like a separate line, fence or turn.

# Control, zero-width and direction marks, byte order marks, lone surrogates: "a\u202eb" displays as another text.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
# A run of three would end a fence around the feedback.
_FENCE = re.compile(r"`{3,}|~{3,}")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def safe_line(text: str, limit: int) -> str:
    """Return the text on one line of at most `limit` characters, control and direction marks escaped, no fences."""
    # Escapes only lengthen a text. Beyond the limit, it matters only if back-ticks before it go on to be a fence.
    text = text[: limit * 2]
    if not text.isprintable():
        text = _UNSEEN.sub(lambda found: _SHORT.get(found[0], f"\\u{ord(found[0]):04x}"), text)
    return clip(without_fences(text), limit)


def without_fences(text: str) -> str:
    """Escape three or more consecutive back-ticks or tildes in a text, with escapes that JSON strings allow."""
    if "```" not in text and "~~~" not in text:
        return text
    return _FENCE.sub(lambda found: f"\\u{ord(found[0][0]):04x}" * len(found[0]), text)
