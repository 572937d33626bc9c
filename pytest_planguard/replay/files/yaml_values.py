"""Build the data of a YAML document from its events, without the tree of nodes between them.

A node costs PyYAML some 360 bytes with its marks, ninety times the text of a list of one-letter words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

_TEXT = "tag:yaml.org,2002:str"
_SCALARS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null", "timestamp", "binary"))
_UNSET = object()


class NeedsNodesError(Exception):
    """The document has what only nodes can tell: merge keys, tags of lists and mappings, a wrong anchor or alias."""


@dataclass(slots=True)
class _Open:
    """A list or mapping that is not closed yet."""

    data: Any
    start: Any
    """The mark of its first character."""
    key: Any = _UNSET
    """Of a mapping the key that waits for its value."""


@dataclass(slots=True)
class _Values:
    """The data of one document on the way."""

    loader: Any
    open: list[_Open] = field(default_factory=list)
    anchors: dict[str, Any] = field(default_factory=dict)
    root: Any = _UNSET
    error: Exception | None = None
    """The first value that cannot be built. An error in the document's form is reported rather than this one."""

    def open_list(self, event: Any) -> None:
        """Begin a list."""
        self._open(event, [])

    def open_mapping(self, event: Any) -> None:
        """Begin a mapping."""
        self._open(event, {})

    def close(self, _: Any) -> None:
        """End the innermost list or mapping."""
        self.open.pop()

    def scalar(self, event: Any) -> None:
        """Put the value of a text."""
        value = self._value(event)
        self._name(event.anchor, value)
        self._put(value, event.start_mark)

    def alias(self, event: Any) -> None:
        """Put a value once more."""
        if event.anchor not in self.anchors:
            raise NeedsNodesError
        self._put(self.anchors[event.anchor], event.start_mark)

    def document(self, _: Any) -> None:
        """Begin the document; there is one."""
        if self.root is not _UNSET:
            raise NeedsNodesError

    def _open(self, event: Any, data: Any) -> None:
        if event.tag not in (None, "!"):
            raise NeedsNodesError
        self._name(event.anchor, data)
        self._put(data, event.start_mark)
        self.open.append(_Open(data, event.start_mark))

    def _name(self, anchor: str | None, value: Any) -> None:
        if anchor is None:
            return
        if anchor in self.anchors:
            raise NeedsNodesError
        self.anchors[anchor] = value

    def _put(self, value: Any, mark: Any) -> None:
        """Put a value into the innermost list or mapping that is open."""
        if not self.open:
            self.root = value
            return
        owner = self.open[-1]
        if isinstance(owner.data, list):
            owner.data.append(value)
        elif owner.key is _UNSET:
            owner.key = self._key(value, owner.start, mark)
        else:
            owner.data[owner.key], owner.key = value, _UNSET

    def _key(self, value: Any, start: Any, mark: Any) -> Any:
        """Return the key of a mapping; a list or mapping, which cannot be one, is an error."""
        from yaml.constructor import ConstructorError

        if isinstance(value, Hashable):
            return value
        self.error = self.error or ConstructorError("while constructing a mapping", start, "found unhashable key", mark)
        return None

    def _value(self, event: Any) -> Any:
        """Return the value of a text: a number, a date, ..., by its tag or by its looks."""
        import yaml

        tag = event.tag
        if tag in (None, "!"):
            tag = self.loader.resolve(yaml.ScalarNode, event.value, event.implicit)
        if tag == _TEXT:
            return event.value
        if tag not in _SCALARS:
            raise NeedsNodesError
        node = yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark, style=event.style)
        try:
            return self.loader.construct_object(node)
        except Exception as error:  # whatever PyYAML's converters raise for a text that does not fit
            self.error = self.error or error
            return None
        finally:
            self.loader.constructed_objects.clear()
            self.loader.recursive_objects.clear()


_HANDLERS: dict[str, Callable[[_Values, Any], None]] = {
    "ScalarEvent": _Values.scalar,
    "SequenceStartEvent": _Values.open_list,
    "MappingStartEvent": _Values.open_mapping,
    "SequenceEndEvent": _Values.close,
    "MappingEndEvent": _Values.close,
    "AliasEvent": _Values.alias,
    "DocumentStartEvent": _Values.document,
}


def values_of(loader: Any) -> Any:
    """Return the data of the one document that a loader reads, as its nodes would give it.

    Raises:
        NeedsNodesError: see there; the loader has read a part of the document.
        Exception: whatever the loader's own converters raise.
    """
    values = _Values(loader)
    while (event := loader.get_event()) is not None:
        handler = _HANDLERS.get(type(event).__name__)
        if handler is not None:
            handler(values, event)
    if values.error is not None:
        raise values.error
    return None if values.root is _UNSET else values.root
