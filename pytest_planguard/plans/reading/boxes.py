"""Checkboxes at the head of list items: the standard ones, and those that are written otherwise."""

from __future__ import annotations

import re
from dataclasses import dataclass

_STANDARD = re.compile(r"\[([ xX~\-])\](\*)?[ \t]+")
_MARK = (
    r"[^\w\s\[\]()]\ufe0f?"  # one sign, perhaps drawn as an emoji: "[✓]", "[?]", "[✔️]"
    r"|[xXvV]"  # "[ x ]", "[v]"; other letters are labels: "[P]"
    r"|(?i:done|completed?|todo|open|pending|wip|in[ -]progress|blocked|skipped|cancell?ed)"  # "[done]"
)
_OTHER = re.compile(rf"\[[ \t]*({_MARK})?[ \t]*\](\*)?(?![(\[:])(?:[ \t]+|(?=\w)|$)", re.MULTILINE)
"""A box in another form, for example "[]", "[✓]" or "[ ]1.1"; "[x](url)" and "[x]: url" are links."""
_SIGN = re.compile(r"([☐☑☒✅✔⬜🔲🔳⏳🚧])\ufe0f?[ \t]+(?=[\[*]*(?:T-?\d|\d+\.\d+(?![\d%])))")
"""A sign in the place of a box, before an id: "☐ T001 Write it"; elsewhere it decorates any item."""
_DONE = frozenset({"x", "v", "✓", "✔", "✅", "☑", "☒", "√", "done", "complete", "completed"})
_ACTIVE = frozenset({"-", "~", "/", ">", "⏳", "🚧", "wip", "in progress", "in-progress"})


@dataclass(frozen=True, slots=True)
class Box:
    """The checkbox of a list item."""

    mark: str
    """What it means, as a standard mark: "x", "-", " ", or the mark itself where it is standard."""
    starred: bool
    """True for `[ ]*`."""
    length: int
    """Characters up to the item's words."""
    deviation: str | None = None
    """The box as written where it is no standard one: "[✓]"; None for a standard one."""


def box_of(text: str) -> Box | None:
    """Return the checkbox that a list item begins with; None where it begins with none."""
    standard = _STANDARD.match(text)
    if standard is not None:
        return Box(standard[1], bool(standard[2]), standard.end())
    other = _OTHER.match(text) if text.startswith("[") else _SIGN.match(text)
    if other is None:
        return None
    word = (other[1] or "").removesuffix("\ufe0f").lower()
    mark = "x" if word in _DONE else "-" if word in _ACTIVE else " "
    starred = other.re is _OTHER and bool(other[2])
    return Box(mark, starred, other.end(), other[0].rstrip())
