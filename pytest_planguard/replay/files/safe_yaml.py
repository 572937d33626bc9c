"""YAML to plain data, safely: no tag constructs an object, and no nesting can exhaust the stack.

A large document is built from its events, without the tree of nodes between them: a node costs PyYAML some 360 bytes
with its marks, ninety times the text of a list of one-letter words.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
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


MAX_DEPTH = 1_000
"""Levels of nesting that are read. libyaml's composer recurses in C and ends the process some 20,000 levels down."""

_INT, _FLOAT = "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
_LARGE = 1_000_000
"""Characters from which reading without garbage collection pays."""
_MANY = 50_000
"""Characters from which the nodes of a document may take too much memory."""
_STEP = 400
_WIDE = " " * _STEP
_CHAIN = re.compile(rf"(?:[-?:][ \t]+){{{_STEP}}}")
"""Deep blocks need a wide indentation or a chain of indicators in one line; deep flows need many brackets."""
_LINKS = "-?: \t"
"""What a chain is made of. It is at least 2 x `_STEP` long, so that one character in `_STEP` tells where to look."""


MAX_MERGED = 100_000
"""Members that merge keys may copy, all together. Each line of `<<: [*a, *a]` doubles them."""


class TooLargeError(ValueError):
    """The document's merge keys copy more than `MAX_MERGED` members."""


class TooDeepError(ValueError):
    """The document is nested deeper than `MAX_DEPTH` levels."""


def load_plain(text: str) -> Any:
    """Return the one document of a YAML text as plain data.

    Tags of Python objects (`!!python/unicode`, `!!python/tuple`, `!!python/object/new:…`) are read as the plain
    arguments they carry; nothing is imported or called. Digits with colons (`12:30`) are a text, not a number of base
    60. Raises `yaml.YAMLError` with its place for broken YAML, `TooDeepError`, `TooLargeError`, and ValueError for a
    value of a known type that has none (a date of month 13).
    """
    if text.count("[") + text.count("{") > MAX_DEPTH or _WIDE in text or _chained(text):
        _refuse_deep(text)
    with _no_collection(len(text)):
        if len(text) > _MANY:
            with suppress(NeedsNodesError):
                return _from_events(text)
        loader = _plain_loader()(text)
        try:
            node = loader.get_single_node()
            if "<<" in text:
                _refuse_merges(node)
            return None if node is None else _constructed(loader, node)
        finally:
            loader.dispose()


def _from_events(text: str) -> Any:
    loader = _plain_loader()(text)
    try:
        with _telling_what_is_unfit():
            return values_of(loader)
    finally:
        loader.dispose()


def _constructed(loader: Any, node: Any) -> Any:
    """Return the data of a node. Raises ValueError for a text that its tag does not fit, as in `!!timestamp soon`."""
    with _telling_what_is_unfit():
        return loader.construct_document(node)


@contextmanager
def _telling_what_is_unfit() -> Iterator[None]:
    """Raise ValueError for whatever PyYAML's converters raise: they expect a text that fits, and check nothing."""
    import yaml

    try:
        yield
    except (yaml.YAMLError, ValueError, NeedsNodesError, RecursionError, MemoryError):
        raise
    except Exception as error:
        raise ValueError(f"a value does not fit its tag ({type(error).__name__})") from None


def _refuse_merges(root: Any) -> None:
    """Raise TooLargeError where merge keys (`<<: [*a, *b]`) would copy more than `MAX_MERGED` members."""
    sizes: dict[int, int] = {}
    merged, stack = 0, [] if root is None else [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            own, copied = _sizes(node, sizes)
            sizes[id(node)] = own + copied
            merged += copied
            if merged > MAX_MERGED:
                raise TooLargeError(f"its merge keys copy more than {MAX_MERGED:,} members")
        elif id(node) not in sizes and isinstance(node.value, list):
            sizes[id(node)] = 0  # a node within itself counts once
            stack.append((node, True))
            stack += [(child, False) for item in node.value for child in (item if type(item) is tuple else (item,))]


def _sizes(node: Any, sizes: dict[int, int]) -> tuple[int, int]:
    """Return how many members a node has of its own, and how many its merge keys copy into it."""
    pairs = [pair for pair in node.value if type(pair) is tuple]
    merges = [value for key, value in pairs if key.value == "<<"]
    sources = [one for value in merges for one in ((value, *value.value) if type(value.value) is list else ())]
    copied = sum(sizes.get(id(source), 0) for source in sources if type(source) is not tuple)
    return len(pairs) - len(merges), copied


@contextmanager
def _no_collection(size: int) -> Iterator[None]:
    """No garbage collection while a large text is read: all that it makes is kept, and looking for garbage is dear."""
    pausing = size > _LARGE and gc.isenabled()
    if pausing:
        gc.disable()
    try:
        yield
    finally:
        if pausing:
            gc.enable()


def _chained(text: str) -> bool:
    """Return whether a line has a chain of indicators.

    Only where a sample falls on a long run of them is all of it read.
    """
    samples = (place * _STEP for place, char in enumerate(text[::_STEP]) if char in _LINKS)
    return any(not text[at : at + _STEP].strip(_LINKS) for at in samples) and _CHAIN.search(text) is not None


def _refuse_deep(text: str) -> None:
    """Walk the parser's events, which needs no stack, before the composer recurses over them."""
    import yaml

    depth = 0
    try:
        for event in yaml.parse(text, Loader=_plain_loader()):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise TooDeepError(f"nested deeper than {MAX_DEPTH:,} levels")
    except yaml.MarkedYAMLError as error:
        # Newer releases of libyaml count levels, too, and stop at the same number while they still look for tokens.
        if "nesting depth" not in (error.problem or ""):
            raise
        raise TooDeepError(f"nested deeper than {MAX_DEPTH:,} levels") from error


@lru_cache(maxsize=1)
def _plain_loader() -> Any:
    """Return a safe loader, libyaml's where present, that reads unknown tags as the plain value they stand on."""
    import yaml

    class PlainLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Builds nothing but str, bytes, numbers, bool, None, dates, lists and dicts."""

    PlainLoader.yaml_implicit_resolvers = {
        first: [(tag, _without_base_60(tag, pattern)) for tag, pattern in known]
        for first, known in PlainLoader.yaml_implicit_resolvers.items()
    }
    PlainLoader.add_constructor(_INT, _whole_number)
    PlainLoader.add_constructor(_FLOAT, _number)
    PlainLoader.add_multi_constructor("", _plain_value)
    PlainLoader.add_constructor("tag:yaml.org,2002:python/bytes", yaml.SafeLoader.construct_yaml_binary)
    return PlainLoader


def _without_base_60(tag: str, pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return what tells a number by its looks, but for digits with colons: 12:30 is a time, not 750."""
    return re.compile(f"(?!.*:)(?:{pattern.pattern})", pattern.flags) if tag in (_INT, _FLOAT) else pattern


def _whole_number(loader: Any, node: Any) -> int:
    """Return an integer. Raises ValueError for one that Python cannot write out: 0x and more than 3,571 digits."""
    number: int = _in_one_base(loader.construct_yaml_int, node)
    str(number)
    return number


def _number(loader: Any, node: Any) -> float:
    number: float = _in_one_base(loader.construct_yaml_float, node)
    return number


def _in_one_base(convert: Callable[[Any], Any], node: Any) -> Any:
    """Convert a number. Raises ValueError for `!!int 12:30`: each place would make the number longer to work out."""
    if ":" in str(node.value):
        raise ValueError("a number of base 60 is not read")
    return convert(node)


def _plain_value(loader: Any, tag: str, node: Any) -> Any:
    """The plain value under an unknown tag; a call with one argument is that argument, a stream is its content."""
    import yaml

    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return _only(loader.construct_sequence(node, deep=True), tag)
    plain = loader.construct_mapping(node, deep=True)
    for key in ("state", "args"):
        if isinstance(plain.get(key), list) and plain[key]:
            return plain[key][0]
    return plain


def _only(arguments: list[Any], tag: str) -> Any:
    """Return one argument of a constructor stands for the object; a tuple stays a list."""
    return arguments[0] if len(arguments) == 1 and "python/object" in tag else arguments
