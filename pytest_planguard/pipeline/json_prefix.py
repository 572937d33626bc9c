"""Read the complete part of a JSON document at the start of a growing text. Takes linear time."""

from __future__ import annotations

import json
import re
from enum import Enum, auto
from typing import TYPE_CHECKING

from ..contract.contract import Contract
from ..contract.failure_kinds import FailureKind
from ..contract.schema.bounds import target_of
from ..document.limits import CLOSED_STRING, possessive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..contract.finding import Finding
    from ..document.path import Path


_TOKEN = re.compile(CLOSED_STRING + r'|["{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL)
"""A whole string, the quote of an unfinished one, a bracket, a comma, a colon, or a run such as `12.5` or `null`."""
_STRING_PART = re.compile(possessive(r'[^"\\]++|\\.'), re.DOTALL)
"""The continuation of a string: characters up to the next quote, and escapes such as `\\"`."""
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
"""`-12.5e3` or `true`, but not `012`, `12.` or `tru`."""


class _Next(Enum):
    """The tokens that are valid next."""

    VALUE = auto()
    VALUE_OR_END = auto()
    KEY = auto()
    KEY_OR_END = auto()
    COLON = auto()
    COMMA_OR_END = auto()


_VALUES = (_Next.VALUE, _Next.VALUE_OR_END)
_KEYS = (_Next.KEY, _Next.KEY_OR_END)
_ENDS = (_Next.VALUE_OR_END, _Next.KEY_OR_END, _Next.COMMA_OR_END)


class JsonPrefix:
    """Takes pieces of a text that starts with a bracket. Offsets count characters from that bracket."""

    def __init__(self) -> None:
        self.size = 0
        """The number of characters so far."""
        self.end: int | None = None
        """Offset after the document's last bracket; None while the document is open."""
        self.broken: int | None = None
        """Offset of the first invalid token, if any so far."""
        self._next = _Next.VALUE
        self._rest = ""
        self._start = 0
        self._in_string = False
        self._string: list[str] = []
        self._keys: list[str | int] = []
        self._closers: list[str] = []
        self._complete = (0, 0)
        self._opened = (0, 0)

    def feed(self, piece: str) -> None:
        """Take the next piece. Text after the document's end is counted and skipped."""
        self.size += len(piece)
        if self.end is not None or self.broken is not None:
            return
        text = self._rest + piece
        at = self._finish_string(text) if self._in_string else 0
        if not self._in_string:
            at = self._tokens(text, at)
        self._rest = text[at:]
        self._start += at

    @property
    def complete_to(self) -> int:
        """Offset after the last complete value; 0 before the first one."""
        return self._complete[0]

    def completion(self, text: str, *, opened: bool = False) -> str | None:
        """Return the text up to the last complete value with its brackets closed; None if no value is complete yet.

        Args:
            text: the document's text so far.
            opened: True to take a bracket that was just opened for a complete, empty value.
        """
        end, depth = max(self._complete, self._opened) if opened else self._complete
        return text[:end] + "".join(reversed(self._closers[:depth])) if end else None

    def open_paths(self) -> list[Path]:
        """Return the paths of the containers that were open at the last complete value, the root first."""
        return [tuple(self._keys[:depth]) for depth in range(self._complete[1])]

    def _finish_string(self, text: str) -> int:
        """Continue a string from an earlier piece, and return the offset in `text` up to which it was read."""
        part = _STRING_PART.match(text)
        assert part is not None  # it matches the empty text
        if self._next in _KEYS:
            self._string.append(part.group())
        if part.end() == len(text) or text[part.end()] == "\\":
            return part.end()
        self._in_string = False
        self._take_string("".join(self._string), self._start + part.end() + 1)
        self._string.clear()
        return part.end() + 1

    def _tokens(self, text: str, at: int) -> int:
        """Take the complete tokens from `at` on, and return the offset of the rest, which waits for the next piece."""
        for token in _TOKEN.finditer(text, at):
            word = token.group()
            if word == '"':
                self._in_string = True
                return self._open_string(text, token.end())
            if token.end() == len(text) and word[0] not in '"{}[],:':
                return token.start()  # `12` may become `123`
            self._take(word, self._start + token.end())
            if self.end is not None or self.broken is not None:
                return len(text)
        return len(text)

    def _open_string(self, text: str, at: int) -> int:
        """Begin a string that does not end in this piece. A final backslash waits for the character that it escapes."""
        end = len(text) - 1 if _STRING_PART.fullmatch(text, at) is None else len(text)
        if self._next in _KEYS:
            self._string.append(text[at:end])
        return end

    def _take(self, word: str, end: int) -> None:
        mark = word[0]
        if mark == '"':
            self._take_string(word[1:-1], end)
        elif mark in "{[" and self._next in _VALUES:
            self._open(mark, end)
        elif mark in "}]" and self._next in _ENDS and self._closers and self._closers[-1] == mark:
            self._closers.pop()
            self._keys.pop()
            self._completed(end)
        elif mark == "," and self._next is _Next.COMMA_OR_END:
            self._next = _Next.KEY if self._closers[-1] == "}" else _Next.VALUE
        elif mark == ":" and self._next is _Next.COLON:
            self._next = _Next.VALUE
        elif self._next in _VALUES and _SCALAR.fullmatch(word):
            self._completed(end)
        else:
            self.broken = end - len(word)

    def _take_string(self, body: str, end: int) -> None:
        if self._next in _KEYS:
            self._keys[-1] = _unescaped(body)
            self._next = _Next.COLON
        elif self._next in _VALUES:
            self._completed(end)
        else:
            self.broken = end - 1

    def _open(self, mark: str, end: int) -> None:
        self._closers.append("}" if mark == "{" else "]")
        self._keys.append("" if mark == "{" else 0)
        self._next = _Next.KEY_OR_END if mark == "{" else _Next.VALUE_OR_END
        self._opened = (end, len(self._closers))

    def _completed(self, end: int) -> None:
        self._complete = (end, len(self._closers))
        if not self._closers:
            self.end = end
            return
        self._next = _Next.COMMA_OR_END
        last = self._keys[-1]
        if isinstance(last, int):
            self._keys[-1] = last + 1


def _unescaped(body: str) -> str:
    """Return a key's text; one with a broken escape stays as written."""
    if "\\" not in body:
        return body
    try:
        return str(json.loads(f'"{body}"'))
    except ValueError:
        return body


# A contract's findings about the complete fields of a document that has not ended.

_ACROSS_FIELDS = frozenset({"same_length", "distinct", "custom", "not_copied"})
"""Constraints that read more than one field, or a list that may still grow."""


class PartialCheck:
    """Checks prefixes of one document against a contract. Rules over the whole document wait for its end."""

    def __init__(self, contract: Contract) -> None:
        single = [rule for rule in contract.constraints if rule.constraint_type not in _ACROSS_FIELDS]
        self._contract = Contract(contract.schema, constraints=single, format="json", strict=contract.strict)
        self._schema = contract.json_schema or {}

    def echo(self, text: str, prefix: JsonPrefix) -> Finding | None:
        """Return the finding if the document repeats its schema; None if it does not, or not yet."""
        completions = dict.fromkeys((prefix.completion(text), prefix.completion(text, opened=True)))
        for completed in filter(None, completions):
            for found in self._contract.check(completed).errors:
                if found.kind is FailureKind.SCHEMA_ECHO:
                    return found
        return None

    def findings(self, text: str, prefix: JsonPrefix) -> Iterator[Finding]:
        """Yield the findings about complete fields, in the order of the verdict."""
        completed = prefix.completion(text)
        if completed is None or prefix.end is not None:  # an ended document is judged as a whole
            return
        growing = set(prefix.open_paths())
        for found in self._contract.check(completed).errors:
            # Later text may still fix a finding at an open container, and add a field to one.
            open_still = found.path in growing or (found.code == "missing" and found.path[:-1] in growing)
            if not open_still and self._is_plain(found.path, growing):
                yield found

    def _is_plain(self, path: Path, growing: set[Path]) -> bool:
        """Return True if no open container on the path can still turn out to be another member of a union."""
        node: object = self._schema
        for depth in range(len(path)):
            node = self._resolved(node)
            if path[:depth] in growing and node is None:
                return False
            node = _child(node, path[depth])
        return True

    def _resolved(self, node: object) -> object:
        """Return a schema without its reference and without `null`; None for a union of several."""
        for _ in range(20):  # references may be circular
            if not isinstance(node, dict):
                return node
            if "$ref" in node:
                node = target_of(node["$ref"], self._schema)
                continue
            choices = node.get("anyOf") or node.get("oneOf")
            if not choices:
                return node
            others = [choice for choice in choices if not (isinstance(choice, dict) and choice.get("type") == "null")]
            if len(others) != 1:
                return None
            node = others[0]
        return None


def _child(node: object, key: str | int) -> object:
    if not isinstance(node, dict):
        return {}
    if isinstance(key, int):
        return node.get("items", {})
    return (node.get("properties") or {}).get(key, node.get("additionalProperties", {}))
