"""YAML to plain data, safely: no tag constructs an object, and no nesting can exhaust the stack."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

from .yaml_values import NeedsNodesError, values_of

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
