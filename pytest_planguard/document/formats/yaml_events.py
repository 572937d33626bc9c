"""The parser's events for a YAML text, its errors in plain words, and the values that the loader works with."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH, clip
from .reading import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..path import Path


class YamlFailure(Exception):
    """The text has no data; its one fault says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(slots=True)
class Node:
    """A finished value, with its size and height for the limits."""

    value: Any
    start: int
    end: int
    size: int = 1
    """Number of values in it. Every use of an alias counts."""
    height: int = 0
    """Number of nested levels of collections in it."""
    text: str | None = None
    """The text of a scalar, as a key would spell it."""
    merges: bool = False
    """True for the plain scalar "<<"."""


@dataclass(slots=True)
class Open:
    """A collection that has not ended yet."""

    value: dict[str, Any] | list[Any]
    start: int
    anchor: str | None
    key: Node | None = None
    keys: dict[str, int] = field(default_factory=dict)
    merged: dict[str, Any] = field(default_factory=dict)
    size: int = 1
    height: int = 1

    @property
    def step(self) -> str | int:
        """The step to the child that is being read."""
        if isinstance(self.value, list):
            return len(self.value)
        return self.key.text or "" if self.key else ""


@dataclass(slots=True)
class Loaded:
    """A loaded YAML document: data, faults that leave it readable, and the offsets of the requested values."""

    data: Any = None
    faults: list[Fault] = field(default_factory=list)
    offsets: dict[Path, tuple[int, int]] = field(default_factory=dict)
    is_prose: bool = False
    """True if the whole document is one plain scalar, like prose."""


# Characters that YAML forbids, such as U+0007: libyaml and PyYAML would report them with different words and places.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def yaml_events(text: str) -> Iterator[Any]:
    """Yield the parser's events, in order.

    Raises:
        YamlFailure: the text is not YAML.
    """
    import yaml

    odd = _UNPRINTABLE.search(text)
    if odd:
        message = f"character U+{ord(odd.group()):04X} is not allowed in YAML"
        raise YamlFailure(Fault("invalid_yaml", message, odd.start(), odd.end()))
    # libyaml is far faster, and some builds of PyYAML lack it.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, loader)
    except yaml.YAMLError as error:
        raise YamlFailure(syntax_fault(text, error)) from None


# The parser's errors in plain words. libyaml and PyYAML's own parser use similar messages.

_UNFINISHED = ("while scanning a quoted scalar", "while parsing a flow", "while scanning a block scalar")
_COMMON = (
    ("cannot start any token", "a value cannot start with {char}: put it in quotes"),
    ("mapping values are not allowed", "a second colon in an unquoted value: put the value in quotes"),
    ("could not find expected ':'", "this line is neither a key with a colon nor part of a value"),
    ("did not find expected key", "this does not fit the indentation or the quotes before it"),
    ("expected <block end>", "this does not fit the indentation or the quotes before it"),
    ("did not find expected '-' indicator", "this does not fit the list before it"),
    ("document start", "this is outside the document: check brackets and indentation"),
    ("did not find expected ','", "a flow list or mapping breaks here: expected a comma or its closing bracket"),
    ("expected ','", "a flow list or mapping breaks here: expected a comma or its closing bracket"),
    ("unknown escape", "an unknown escape in a string in double quotes: use single quotes, or write \\\\"),
)


def syntax_fault(text: str, error: object) -> Fault:
    """Return the fault for a `yaml.YAMLError`. `start` is the place at which the parser stopped."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or "the text cannot be read")
    at = min(mark.index, len(text)) if mark else 0
    context = str(getattr(error, "context", None) or "")
    words = " ".join(part for part in (context, problem) if part)
    if "nesting depth" in problem:  # newer versions of libyaml stop at 1,000 levels, before the first event
        return Fault("too_deep", f"nested deeper than {MAX_DEPTH} levels", at, at + 1, parser_message=words)
    if at >= len(text.rstrip()) and _is_cut(text, context, problem):
        return Fault("truncated", "the text ends inside the document", at, at, parser_message=words)
    seen = clip(text[at : at + 80]) or None
    return Fault("invalid_yaml", _plain_words(text, at, problem), at, at + 1, actual=seen, parser_message=words)


def _is_cut(text: str, context: str, problem: str) -> bool:
    """Return True for an open quote, an open bracket or half a key, which show that the text was cut."""
    last_line = text.rstrip().replace("\r", "\n").rpartition("\n")[2]
    return context.startswith(_UNFINISHED) or ("expected ':'" in problem and len(last_line.split()) == 1)


def _plain_words(text: str, at: int, problem: str) -> str:
    char = "a tab" if text[at : at + 1] == "\t" else text[at : at + 1]
    if char == "a tab":
        return "a tab in the indentation: YAML is indented with spaces"
    return next((words.format(char=char) for part, words in _COMMON if part in problem), problem)
