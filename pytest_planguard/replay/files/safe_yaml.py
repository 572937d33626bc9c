"""YAML to plain data, safely: no tag constructs an object, and no nesting can exhaust the stack.

The data is built from the parser's events, without a tree of nodes. A node costs PyYAML some 360 bytes with its marks,
ninety times the text of a list of one-letter words. libyaml's composer recurses in C until the process crashes.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn

MAX_DEPTH = 1_000
"""Maximum depth of nesting."""
MAX_MERGED = 100_000
"""Maximum number of members that all merge keys together may copy: `<<: *a` in many mappings copies `a` each time."""

_INT, _FLOAT, _MERGE = (f"tag:yaml.org,2002:{name}" for name in ("int", "float", "merge"))
_CONVERTED = frozenset(
    [f"tag:yaml.org,2002:{name}" for name in ["int", "float", "bool", "null", "timestamp", "binary", "python/bytes"]]
)
"""Tags of scalars that PyYAML's converters read; the value of any other scalar is its text."""
_UNSET, _MERGED = object(), object()


class TooLargeError(ValueError):
    """The document's merge keys copy more than `MAX_MERGED` members."""


class TooDeepError(ValueError):
    """The document is nested deeper than `MAX_DEPTH` levels."""

    def __init__(self) -> None:
        super().__init__(f"nested deeper than {MAX_DEPTH:,} levels")


def load_plain(text: str) -> Any:
    """Return the only document of a YAML text as plain data.

    Tags of Python objects (`!!python/unicode`, `!!python/tuple`, `!!python/object/new:…`) give their plain arguments;
    nothing is imported or called. Digits with colons (`12:30`) are text, not a number of base 60. Raises
    `yaml.YAMLError` with the place of broken YAML, `TooDeepError`, `TooLargeError`, and ValueError for an invalid value
    of a known type (a date of month 13).
    """
    import yaml

    loader = _plain_loader()(text)
    try:
        return _Values(loader).document()
    except yaml.MarkedYAMLError as error:
        # Newer releases of libyaml count levels, too, and stop at the same number while they still look for tokens.
        if "nesting depth" in (error.problem or ""):
            raise TooDeepError from error
        raise
    finally:
        loader.dispose()


@dataclass(slots=True)
class _Open:
    """A list or mapping that is not closed yet."""

    data: Any
    event: Any
    """The event that opened the collection."""
    key: Any = _UNSET
    """For a mapping, the key that waits for its value; `_MERGED` for `<<`."""
    merged: dict[Any, Any] = field(default_factory=dict)
    """The members that merge keys copy into a mapping."""


class _Values:
    """The data of one document under construction."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.open: list[_Open] = []
        self.anchors: dict[str, object] = {}
        self.root: object = None
        self.copied = 0

    def document(self) -> Any:
        """Read all events and return the data."""
        import yaml

        started = False
        while (event := self.loader.get_event()) is not None:
            if isinstance(event, yaml.ScalarEvent):
                self.scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self.begin(event, [] if isinstance(event, yaml.SequenceStartEvent) else {})
            elif isinstance(event, yaml.CollectionEndEvent):
                self.end()
            elif isinstance(event, yaml.AliasEvent):
                if event.anchor not in self.anchors:
                    _refuse(f"found undefined alias {event.anchor!r}", event)
                self.put(self.anchors[event.anchor], event)
            elif isinstance(event, yaml.DocumentStartEvent):
                if started:
                    _refuse("another document begins here, but only one is expected", event)
                started = True
        return self.root

    def begin(self, event: Any, data: Any) -> None:
        """Open a list or mapping."""
        if event.tag in _CONVERTED:
            _refuse("expected a scalar, but found a list or mapping", event)
        if len(self.open) >= MAX_DEPTH:
            raise TooDeepError
        if event.anchor is not None:
            self.anchors[event.anchor] = data  # before its end, since it may contain itself
        self.open.append(_Open(data, event))

    def end(self) -> None:
        """Close the innermost list or mapping."""
        done = self.open.pop()
        if done.merged:  # its own members win
            own = dict(done.data)
            done.data.clear()
            done.data.update(done.merged)
            done.data.update(own)
        value = _argument(done.data, done.event.tag or "")
        if done.event.anchor is not None:
            self.anchors[done.event.anchor] = value
        self.put(value, done.event)

    def scalar(self, event: Any) -> None:
        """Add the value of a scalar: a number, a date, a text, judged by its tag or by its form."""
        import yaml

        tag, value = event.tag, event.value
        if tag in (None, "!"):
            tag = self.loader.resolve(yaml.ScalarNode, value, event.implicit)
        if tag in _CONVERTED:
            node = yaml.ScalarNode(tag, value, event.start_mark, event.end_mark, style=event.style)
            value = self.converted(node)
        if event.anchor is not None:
            self.anchors[event.anchor] = value
        owner = self.open[-1] if self.open else None
        if tag == _MERGE and owner is not None and isinstance(owner.data, dict) and owner.key is _UNSET:
            owner.key = _MERGED
        else:
            self.put(value, event)

    def converted(self, node: Any) -> Any:
        """Return the value of a scalar. Raises ValueError if the text does not fit: `!!timestamp soon`."""
        import yaml

        try:
            return self.loader.yaml_constructors[node.tag](self.loader, node)
        except (yaml.YAMLError, ValueError):
            raise
        except Exception as error:  # PyYAML's converters expect a text that fits, and check nothing
            raise ValueError(f"a value does not fit its tag ({type(error).__name__})") from None

    def put(self, value: object, event: object) -> None:
        """Add a value to the innermost open list or mapping."""
        if not self.open:
            self.root = value
            return
        owner = self.open[-1]
        if isinstance(owner.data, list):
            owner.data.append(value)
        elif owner.key is _UNSET:
            if not isinstance(value, Hashable):
                _refuse("found unhashable key", event)
            owner.key = value
        else:
            if owner.key is _MERGED:
                self.merge(owner, value, event)
            else:
                owner.data[owner.key] = value
            owner.key = _UNSET

    def merge(self, owner: _Open, value: object, event: object) -> None:
        """Copy the members of `<<: *a` or `<<: [*a, *b]`. If several mappings have a member, the first wins."""
        for mapping in reversed(value) if isinstance(value, list) else [value]:
            if not isinstance(mapping, dict):
                _refuse("expected a mapping or list of mappings for merging", event)
            self.copied += len(mapping)
            if self.copied > MAX_MERGED:
                raise TooLargeError(f"its merge keys copy more than {MAX_MERGED:,} members")
            owner.merged.update(mapping)


def _refuse(problem: str, event: Any) -> NoReturn:
    import yaml

    raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)


def _argument(data: Any, tag: str) -> object:
    """Return the plain value under a tag; a call with one argument is that argument, a stream is its content."""
    if "python/object" not in tag:
        return data  # a tuple stays a list
    if isinstance(data, list):
        return data[0] if len(data) == 1 else data
    arguments = (data[key] for key in ("state", "args") if isinstance(data.get(key), list) and data[key])
    return next(arguments, [data])[0]


@lru_cache(maxsize=1)
def _plain_loader() -> Any:
    """Return a safe loader, libyaml's if available, with the converters of this module."""
    import yaml

    class PlainLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Parses YAML without constructing anything but scalars."""

    PlainLoader.yaml_implicit_resolvers = {
        # Without digits with colons: 12:30 is a time, not 750.
        first: [
            (tag, re.compile(f"(?!.*:)(?:{pattern.pattern})", pattern.flags) if tag in (_INT, _FLOAT) else pattern)
            for tag, pattern in known
        ]
        for first, known in PlainLoader.yaml_implicit_resolvers.items()
    }
    PlainLoader.add_constructor(_INT, _whole_number)
    PlainLoader.add_constructor(_FLOAT, _number)
    PlainLoader.add_constructor("tag:yaml.org,2002:python/bytes", yaml.SafeLoader.construct_yaml_binary)
    return PlainLoader


def _whole_number(loader: Any, node: Any) -> int:
    """Return an integer. Raises ValueError for one that Python cannot print: 0x and more than 3,571 digits."""
    _refuse_base_60(node)
    number: int = loader.construct_yaml_int(node)
    str(number)
    return number


def _number(loader: Any, node: Any) -> float:
    _refuse_base_60(node)
    number: float = loader.construct_yaml_float(node)
    return number


def _refuse_base_60(node: Any) -> None:
    """Raise ValueError for `!!int 12:30`: the cost of converting such a number grows with each place."""
    if ":" in node.value:
        raise ValueError("a base-60 number is not supported")
