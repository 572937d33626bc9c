"""What is generated: real documents with something wrong in them, and texts made of what parsers trip over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

PIECES = (
    "{", "}", "[", "]", '"', "'", ":", ",", "\\", "\n", "\r\n", "\r", "\t", "\x00", "\ufeff", "\u2028", "\x85",
    "\ud800", "- ", "# ", "```", "```json\n", "~~~", "---\n", "...", "&a ", "*a", "<<: ", "!!timestamp ", "|\n ",
    "!!python/object:os ", "NaN", "Infinity", "-0", "1e999", "9" * 400, "1e-400", "true", "null", "no", "~",
    "2026-13-45", "0x1f", "1_000", "data: ", "event: ", "[DONE]", "::error::x", "##[command]", "\x1b[31m", "\u202e",
    "<script>", "&lt;", "%0A", "]]>", "- [ ] T001 ", "(depends on T002)", "## Phase 1", "### Task 1: ", "$ref",
    "#/$defs/a", "[redacted]", "sk-abcdef0123456789abcdef",
)  # fmt: skip
"""Short texts that mean something to one of our readers."""
HOSTILE_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**63, 10**400, -(10**400), 1e308, 5e-324, "", " ", "\x00", "a" * 3_000, "\ud800",
    [], {}, [[]], [None], {"": None}, {"$ref": "#"}, "2026-11-22T00:00:00Z", "../../etc/passwd", "[redacted]",
    [{"type": "text"}], {"id": {"id": {}}},
)  # fmt: skip
_TEXT = st.text(st.characters(exclude_categories=()), max_size=80) | st.lists(st.sampled_from(PIECES), max_size=12).map(
    "".join
)
_KEYS = st.sampled_from(["a", "id", "content", "type", "role", "tool_calls", "$ref", "status", "message", ""])
_VALUES = st.recursive(
    st.sampled_from(HOSTILE_VALUES) | st.integers() | st.floats() | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS | _TEXT, inner, max_size=4),
    max_leaves=12,
)


def texts(seeds: Sequence[str]) -> st.SearchStrategy[str]:
    """Return texts: seeds that were cut, spliced and replaced in places, JSON seeds with other values, and others."""
    plain = st.builds(_edited, st.sampled_from(seeds), st.lists(_edits(), min_size=1, max_size=6))
    documents = [text for text in seeds if _document(text) is not None]
    kinds = [plain, plain, _TEXT]
    if documents:
        changed = st.builds(
            _with_values, st.sampled_from(documents), st.lists(st.tuples(st.integers(0, 10_000), _VALUES), max_size=5)
        )
        kinds += [changed, changed]
    return st.one_of(kinds)


def _edits() -> st.SearchStrategy[tuple[float, int, str]]:
    """Return edits: where, as a share of the text; how many characters go; what comes."""
    return st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 2, 7, 60, 10_000]), _TEXT)


def _edited(text: str, edits: Sequence[tuple[float, int, str]]) -> str:
    for share, removed, added in edits:
        at = int(share * len(text))
        text = text[:at] + added + text[at + removed :]
    return text


def _document(text: str) -> Any:
    """Return the JSON value of a text, or a list of those of its lines; None where it is neither."""
    try:
        value = json.loads(text)
    except ValueError:
        try:
            value = [json.loads(line) for line in text.splitlines()]
        except ValueError:
            return None
    return value if isinstance(value, dict | list) else None


def _with_values(text: str, changes: Sequence[tuple[int, Any]]) -> str:
    document = _document(text)
    lines = isinstance(document, list) and not text.startswith("[")
    for number, value in changes:
        places = list(_places(document))
        if places:
            owner, key = places[number % len(places)]
            owner[key] = deepcopy(value)  # what is drawn is shared, and could end up within itself
    return "\n".join(map(json.dumps, document)) if lines else json.dumps(document)


def _places(value: Any) -> list[tuple[Any, Any]]:
    places, stack = [], [value]
    while stack and len(places) < 2_000:
        owner = stack.pop()
        keys = list(owner) if isinstance(owner, dict) else range(len(owner)) if isinstance(owner, list) else ()
        places += [(owner, key) for key in keys]
        stack += [owner[key] for key in keys]
    return places
