"""Redact form and multipart bodies of any content type, field by field."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote_plus, unquote_plus

# "grant_type=client_credentials&client_secret=abc": a form, for any content type. No line break, no blank.
_FORM = re.compile(r"[\w.\[\]%+-]{1,200}=[^\s=&\"{}]*=?=?(?:&[\w.\[\]%+-]{1,200}=[^\s&\"{}]*)*", re.ASCII)
_PART_NAME = re.compile(r'(?i)content-disposition: ?form-data;[^\r\n]{0,200}?\bname="?([^";\r\n]{1,80})"?[^\r\n]*\r?\n')

IsSecret = Callable[[str, str], bool]
"""Returns True if the value of a field, given by name and value, is a secret."""


def clean_form(
    text: str,
    is_secret: IsSecret,
    placeholder: str,
    note: Callable[[str], None],
    clean: Callable[[str], str] = lambda value: value,
) -> str:
    """Return a form or multipart body with a placeholder for every secret; any other text as it is.

    `note` is called with the name of each field that held one. `clean` removes secrets from the text of a field with
    other words, and reports them itself.
    """
    if "form-data" in text:
        return _clean_multipart(text, is_secret, placeholder, note)
    if "=" not in text[:201] or not _FORM.fullmatch(text.strip()):
        return text
    pieces = []
    for piece in text.split("&"):
        name, equals, value = piece.partition("=")
        told = unquote_plus(name.strip())
        if equals and value.strip() != placeholder and is_secret(told, unquote_plus(value.strip())):
            note(told)
            piece = f"{name}={placeholder}"
        elif "%" in value or "+" in value:  # an encoded text hides its secrets from every other check
            plain = unquote_plus(value)
            cleaned = clean(plain)
            piece = piece if cleaned == plain else f"{name}={quote_plus(cleaned, safe='[]')}"
        pieces.append(piece)
    return "&".join(pieces)


def _clean_multipart(text: str, is_secret: IsSecret, placeholder: str, note: Callable[[str], None]) -> str:
    out, at = [], 0
    for match in _PART_NAME.finditer(text):
        span = _value_span(text, match.end())
        if span is None or match.start() < at:
            continue
        start, end = span
        if text[start:end] != placeholder and is_secret(match[1], text[start:end]):
            note(match[1])
            out += [text[at:start], placeholder]
            at = end
    return "".join([*out, text[at:]])


def _value_span(text: str, at: int) -> tuple[int, int] | None:
    """Return start and end of a part's value: from the empty line after its headers to the next boundary."""
    while (end := text.find("\n", at)) >= 0 and text[at:end].strip():
        at = end + 1
    start = at if end < 0 else end + 1
    stop = text.find("\n--", start - 1)
    if end < 0 or stop < start - 1:
        return None
    return start, max(start, stop - 1 if text[stop - 1] == "\r" else stop)
