"""Read the start of an answer: a thinking block, a fence, or prose before the document, if there is a document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..contract.schema.bounds import target_of
from ..document.wrapper import opening_tag

_OBJECT = re.compile(r'\{(?=\s*(?:["}]|\Z))')
"""`{"title"` and `{}` start an object, `{name}` in a sentence does not."""
_EITHER = re.compile(r'\{(?=\s*(?:["}]|\Z))|\[(?=\s*(?:["{\[\]\d-]|true|false|null|\Z))')
"""The same, or a list: `[{`, `["a"`, `[1`, but not the `[see` of a sentence."""
_LONGEST_TAG = 220
"""Maximum number of characters of a tag such as `<think …>`."""
_MARKDOWN_LINE = re.compile(r"(?m)^[ \t]*(?:#{1,6} |[-*+] |\d+[.)] |\|.*\|[ \t]*$|\*\*[^*\n]+\*\*)")
"""A heading, a list item, a table row, or a line that begins in bold."""
_OTHER_FENCE = re.compile(r"(?m)^[ \t]*(?:`{3,}|~{3,})[ \t]*(?!jsonc?\b|json5\b)(\w+)")
"""```` ```markdown ````, ```` ```yaml ````: a fence marked as another format."""


class LeadIn:
    """Takes the start of a text and finds possible starts of its document. Offsets count from the text's start."""

    def __init__(self, *, lists: bool = True, keys: frozenset[str] = frozenset()) -> None:
        self.prose_from = 0
        """Start of the actual answer, after the thinking."""
        self._start = _EITHER if lists else _OBJECT
        names = "|".join(sorted(map(re.escape, keys)))
        self._yaml = re.compile(rf"(?m)^(?:- )?[\"']?(?:{names})[\"']?:(?=[ \n])") if names else None
        self._window = ""
        self._base = 0
        self._closing: re.Pattern[str] | None = None
        self._begun = False
        self._searched = 0

    @property
    def prose(self) -> str:
        """The answer so far, without its thinking."""
        return "" if self._closing else self._window[self.prose_from - self._base :]

    @property
    def thinking(self) -> bool:
        """True if the text is inside a thinking block."""
        return self._closing is not None

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        self._window += piece
        while self._closing is not None or not self._begun:
            if not (self._leave_thinking() if self._closing else self._enter_thinking()):
                break

    def candidate(self) -> tuple[int, bool] | None:
        """Return the next possible start of the document, and True if it is JSON; None without a sign of one."""
        if self._closing is not None or not self._begun:
            return None
        found = self._start.search(self._window, self._searched)
        yaml = self._yaml.search(self._window, self._searched) if self._yaml else None
        if yaml is not None and (found is None or yaml.start() < found.start()):
            return self._base + yaml.start(), False
        if found is None:
            # The incomplete last line may hold a YAML key.
            self._searched = max(self._searched, self._window.rfind("\n") + 1)
            return None
        self._searched = found.start()
        undecided = not self._window[found.end() :].strip()
        return None if undecided else (self._base + found.start(), True)

    def reject(self, start: int) -> None:
        """Continue the search after a rejected candidate."""
        self._searched = max(self._searched, start - self._base + 1)

    def text_from(self, start: int) -> str:
        """Return the text from an offset on."""
        return self._window[start - self._base :]

    def markdown_lines(self, enough: int) -> int:
        """Count the lines that look like Markdown; a fence of another format counts as enough."""
        if _OTHER_FENCE.search(self.prose):
            return enough
        return len(_MARKDOWN_LINE.findall(self.prose))

    def _enter_thinking(self) -> bool:
        """Look for a thinking tag at the start of the answer; return False without one, or if that needs more text."""
        rest = self._window[self.prose_from - self._base :]
        stripped = rest.lstrip()
        opened = opening_tag(rest)
        if opened is None:
            undecided = not stripped or (stripped[0] == "<" and ">" not in rest and len(stripped) < _LONGEST_TAG)
            self._begun = not undecided
            return False
        self._closing = re.compile(rf"</{opened[0]}>", re.IGNORECASE)
        self._cut(self.prose_from - self._base + opened[1])
        return True

    def _leave_thinking(self) -> bool:
        assert self._closing is not None
        closed = self._closing.search(self._window)
        if closed is None:
            # the end of the window may be the beginning of "</think>"
            self._cut(max(0, len(self._window) - len(self._closing.pattern)))
            return False
        self._cut(closed.end())
        self.prose_from = self._base
        self._closing = None
        return True

    def _cut(self, characters: int) -> None:
        """Forget the first characters of the window."""
        self._window = self._window[characters:]
        self._base += characters
        self._searched = 0


def demanded(schema: object) -> tuple[bool, frozenset[str]]:
    """Return True if a JSON Schema's root may be a list, and the keys of its root object as far as it names them."""
    root: Mapping[str, Any] = schema if isinstance(schema, dict) else {}
    root = target_of(root.get("$ref"), root) or root
    return root.get("type") != "object", frozenset(root.get("properties") or ())
