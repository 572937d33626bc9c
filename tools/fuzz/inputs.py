"""Generated inputs: real documents with errors in them, and texts made of pieces that trip parsers up."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

PIECES = (
    "{", "}", "[", "]", '"', "'", ":", ",", "\\", "\n", "\r\n", "\r", "\t", "\x00", "\ufeff", "\u2028", "\x85",
    "\ud800", "- ", "# ", "```", "```json\n", "~~~", "---\n", "...", "&a ", "*a", "<<: ", "!!timestamp ", "|\n ",
    "!!python/object:os ", "NaN", "Infinity", "-0", "1e999", "9" * 400, "1e-400", "true", "null", "no", "~",
    "2026-13-45", "0x1f", "1_000", "data: ", "event: ", "[DONE]", "::error::x", "##[command]", "\x1b[31m", "\u202e",
    "<script>", "&lt;", "%0A", "]]>", "- [ ] T001 ", "(depends on T002)", "## Phase 1", "### Task 1: ", "$ref",
    "#/$defs/a", "[redacted]", "sk-abcdef0123456789abcdef",
)  # fmt: skip
"""Short texts with a meaning for some reader."""
HOSTILE_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**63, 10**400, -(10**400), 1e308, 5e-324, "", " ", "\x00", "a" * 3_000, "\ud800",
    float("nan"), float("-inf"), [], {}, [[]], [None], {"": None}, {"$ref": "#"}, "2026-11-22T00:00:00Z",
    "../../etc/passwd", "[redacted]", [{"type": "text"}], {"id": {"id": {}}},
)  # fmt: skip
_KEYS = ("a", "id", "content", "type", "role", "tool_calls", "$ref", "status", "message", "")
_REMOVED = (0, 0, 1, 2, 7, 60, 10_000)
"""The number of characters that an edit removes."""


class Inputs:
    """Generated texts: seeds that are cut, spliced and edited, JSON seeds with other values, and random texts.

    It only uses a random generator: a Hypothesis strategy takes 4 ms for a text that most entries read within 1 ms.
    """

    def __init__(self, seeds: Sequence[str], seed: int) -> None:
        self._random = random.Random(seed)
        self._seeds = seeds
        self._documents = [text for text in seeds if _document(text) is not None]

    def draw(self) -> str:
        """Return the next text."""
        kind = self._random.randrange(5)
        if kind == 0:
            return self._text()
        if kind < 3 and self._documents:
            return self._with_values(self._random.choice(self._documents))
        return self._edited(self._random.choice(self._seeds))

    def _edited(self, text: str) -> str:
        for _ in range(self._random.randint(1, 6)):
            at = self._random.randint(0, len(text))
            text = text[:at] + self._text() + text[at + self._random.choice(_REMOVED) :]
        return text

    def _with_values(self, text: str) -> str:
        document = _document(text)
        lines = isinstance(document, list) and not text.startswith("[")
        for _ in range(self._random.randint(1, 5)):
            if places := _places(document):
                owner, key = self._random.choice(places)
                owner[key] = self._value()
        return "\n".join(map(json.dumps, document)) if lines else json.dumps(document)

    def _text(self) -> str:
        if self._random.random() < 0.5:
            return "".join(self._random.choices(PIECES, k=self._random.randrange(12)))
        return "".join(self._char() for _ in range(min(80, int(self._random.expovariate(0.1)))))

    def _char(self) -> str:
        return chr(self._random.randrange(0x80) if self._random.random() < 0.8 else self._random.randrange(0x110000))

    def _value(self, depth: int = 0) -> Any:
        kind = self._random.randrange(7 if depth < 4 else 5)
        if kind < 2:
            return deepcopy(self._random.choice(HOSTILE_VALUES))
        if kind == 2:
            return self._random.randint(-(2**66), 2**66) >> self._random.randrange(66)
        if kind == 3:
            return self._random.choice((1, -1)) * 10 ** self._random.uniform(-300, 300)
        if kind == 4:
            return self._text()
        inner = [self._value(depth + 1) for _ in range(self._random.randrange(4))]
        return inner if kind == 5 else {self._key(): one for one in inner}

    def _key(self) -> str:
        return self._random.choice(_KEYS) if self._random.random() < 0.5 else self._text()


def _document(text: str) -> Any:
    """Return the JSON value of a text, or a list of its lines' values; None for any other text."""
    try:
        value = json.loads(text)
    except ValueError:
        try:
            value = [json.loads(line) for line in text.splitlines()]
        except ValueError:
            return None
    return value if isinstance(value, dict | list) else None


def _places(value: Any) -> list[tuple[Any, Any]]:
    places: list[tuple[Any, Any]] = []
    stack = [value]
    while stack and len(places) < 2_000:
        owner = stack.pop()
        keys = list(owner) if isinstance(owner, dict) else range(len(owner)) if isinstance(owner, list) else ()
        places += [(owner, key) for key in keys]
        stack += [owner[key] for key in keys]
    return places
