"""The values that reading YAML works with: faults, finished and unfinished nodes, and the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..path import Path


@dataclass(frozen=True, slots=True)
class YamlFault:
    """One thing wrong with a YAML text. Offsets are 0-based characters."""

    code: str
    message: str
    start: int
    end: int
    actual: str | None = None
    path: Path = ()
    first: int | None = None
    """Offset of the other place: the first of two equal keys, the first document."""
    parser_message: str | None = None


class YamlFailure(Exception):
    """The text has no data: the one fault says why."""

    def __init__(self, fault: YamlFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(slots=True)
class Node:
    """A finished value with what bounds need to know about it."""

    value: Any
    start: int
    end: int
    size: int = 1
    """Values in it, every alias counted as often as it is used."""
    height: int = 0
    """Levels of collections in it."""
    text: str | None = None
    """The text of a scalar, as a key would spell it."""
    merges: bool = False
    """The plain scalar "<<"."""


@dataclass(slots=True)
class Open:
    """A collection whose end has not come."""

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
    """A YAML document: data, faults that leave it readable, and the offsets of the values that were asked for."""

    data: Any = None
    faults: list[YamlFault] = field(default_factory=list)
    offsets: dict[Path, tuple[int, int]] = field(default_factory=dict)
    is_prose: bool = False
    """The whole document is one plain scalar, as prose is."""
