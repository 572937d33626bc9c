"""Patterns with {id}, {title} and {number} as regular expressions, and labels such as "Depends on:"."""

from __future__ import annotations

import re
from dataclasses import dataclass

FIELDS = ("id", "title", "number")
_FIELD = re.compile(r"\{(\w+)\}")
_BLANKS = re.compile(r"[ \t]+")
_NUMBER = r"\d+(?:\.\d+)*"
_LENIENT = r"[A-Za-z]{0,10}[-.]?\d[\w.-]*(?<![.-])"
"""What stands where an id should: "S-3", "12b", where ids are "S3"."""
_MARKS = r"[*_`~]{0,3}"
"""Marks around words: "**Depends on:**", "_after_"."""


@dataclass(frozen=True, slots=True)
class Template:
    """How a heading or an item looks."""

    exact: re.Pattern[str]
    """Matches it, with groups of the names of its fields."""
    lenient: re.Pattern[str] | None
    """Matches one whose id has another form; None where nothing but the id would tell it."""


def template(pattern: str, id_pattern: str) -> Template:
    """Return a pattern as regular expressions.

    Args:
        pattern: text with {id}, {title} or {number}; blanks stand for any run of blanks.
        id_pattern: regular expression of one id.
    """
    lead = _FIELD.split(pattern, maxsplit=1)[0]
    has_words = any(character.isalpha() for character in lead) and "{id}" in pattern
    return Template(_compiled(pattern, id_pattern), _compiled(pattern, _LENIENT) if has_words else None)


def _compiled(pattern: str, id_pattern: str) -> re.Pattern[str]:
    pieces = {"id": rf"\[?{_MARKS}(?P<id>{id_pattern}){_MARKS}\]?", "number": rf"(?P<number>{_NUMBER})"}
    pieces["title"] = r"(?P<title>[^\n]*)"
    parts = _FIELD.split(pattern.strip())
    regex = "".join(pieces[part] if at % 2 else _literal(part) for at, part in enumerate(parts))
    return re.compile(rf"{_MARKS}{regex}", re.IGNORECASE)


def _literal(text: str) -> str:
    """Return a text between two fields as a regular expression: "Step " and ": ", where the last blank may miss."""
    if text and not text.strip():
        return r"(?:[ \t]+|$)"
    words = _BLANKS.split(text)
    joined = r"[ \t]+".join(re.escape(word) for word in words)
    return joined.removesuffix(r"[ \t]+") + r"[ \t]*" if words[-1] == "" and len(words) > 1 else joined


def fields_of(pattern: str) -> list[str]:
    """Return the names in braces of a pattern, in order."""
    return [found[1] for found in _FIELD.finditer(pattern)]


def label(phrase: str) -> re.Pattern[str]:
    """Return what finds a label ("Depends on:", in bold or not) or a phrase in running text ("after")."""
    words = r"[ \t]+".join(re.escape(word) for word in phrase.rstrip(":：").split())
    colon = rf"[ \t]*{_MARKS}[ \t]*[:：]{_MARKS}" if is_label(phrase) else r"(?!\w)"
    return re.compile(rf"(?<!\w){_MARKS}{words}{colon}[ \t]*", re.IGNORECASE)


def is_label(phrase: str) -> bool:
    """Return whether what follows a phrase up to the line's end belongs to it: it ends with a colon."""
    return phrase.rstrip().endswith((":", "："))
