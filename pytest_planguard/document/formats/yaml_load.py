"""YAML to plain data with places, from the parser's events: no objects, no recursion, no Python tags.

The parser is PyYAML's, with libyaml if available. planguard builds the data itself, because the usual constructors read
YAML 1.1, drop equal keys, follow any alias and recurse. Keys are always strings, as written.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH, MAX_EXPANSION, MAX_PROBLEMS, clip
from .reading import Fault
from .yaml_events import Loaded, Node, Open, YamlFailure, yaml_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..path import Path


def load_yaml(text: str, asked: Iterable[Path] = ()) -> Loaded:
    """Return the one document of a YAML text, with the offsets of the `asked` values that exist.

    Raises:
        YamlFailure: the text is not YAML, holds several documents, or exceeds a limit.
    """
    return _Composer(text, frozenset(asked)).run()


class _Composer:
    """Builds the data bottom-up with an explicit stack; each kind of event has a handler."""

    def __init__(self, text: str, asked: frozenset[Path]) -> None:
        self.text = text
        self.asked = asked
        self.open: list[Open] = []
        self.anchors: dict[str, Node] = {}
        self.loaded = Loaded()
        self.first_document: int | None = None

    def run(self) -> Loaded:
        for event in yaml_events(self.text):
            handler = _HANDLERS.get(type(event).__name__)
            if handler is not None:
                handler(self, event)
        return self.loaded

    def start_document(self, event: Any) -> None:
        start = event.start_mark.index
        if self.first_document is not None:
            message = "the answer holds more than one YAML document; return only one"
            related = (("the first document", self.first_document),)
            raise YamlFailure(Fault("multiple", message, start, start + 1, "one YAML document", related=related))
        self.first_document = start

    def take_scalar(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        is_plain = event.implicit[0] and not event.style
        value = self.scalar(event, start, end, is_plain)
        node = Node(value, start, end, text=event.value, merges=is_plain and event.value == "<<")
        self.finish(node, event.anchor)
        if not self.open:
            self.loaded.is_prose = is_plain and isinstance(value, str)

    def scalar(self, event: Any, start: int, end: int, is_plain: bool) -> Any:
        try:
            if event.tag is not None and event.tag not in CONVERT:
                raise self.bad_tag(event.tag, start, end)
            if event.tag is not None:
                return CONVERT[event.tag](event.value)
            return plain(event.value) if is_plain else event.value
        except NotFinite:
            message = f"{clip(event.value)} is not a finite number"
            self.note(Fault("non_finite", message, start, end, actual=clip(event.value), path=self.path()))
        except (ValueError, ArithmeticError):
            message = f"{clip(event.value)} cannot be read as {_short(event.tag)}"
            self.note(Fault("invalid_yaml", message, start, end, actual=clip(event.value), path=self.path()))
        return None

    def start_mapping(self, event: object) -> None:
        self.begin({}, event, "map")

    def start_list(self, event: object) -> None:
        self.begin([], event, "seq")

    def begin(self, value: dict[str, Any] | list[Any], event: Any, tag: str) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        if event.tag not in (None, "!", TAG + tag):
            raise self.bad_tag(event.tag, start, end)
        if self.open and self.expects_key():
            raise YamlFailure(Fault("invalid_yaml", "a key must be a plain word or a string", start, start + 1))
        self.check_depth(1, start)
        self.open.append(Open(value, start, event.anchor))

    def end_mapping(self, event: object) -> None:
        done = self.open.pop()
        assert isinstance(done.value, dict)
        for key, value in done.merged.items():
            done.value.setdefault(key, value)
        self.end(done, event)

    def end_list(self, event: object) -> None:
        self.end(self.open.pop(), event)

    def end(self, done: Open, event: Any) -> None:
        end = event.end_mark.index
        if self.text[end - 1 : end] not in ("]", "}"):  # a block ends at the start of the next token
            end = done.start + len(self.text[done.start : end].rstrip())
        self.finish(Node(done.value, done.start, end, done.size, done.height), done.anchor)

    def take_alias(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        node = self.anchors.get(event.anchor)
        if node is None:
            message = f"alias *{clip(event.anchor)} refers to nothing that is complete before it"
            raise YamlFailure(Fault("invalid_yaml", message, start, end))
        # An alias hides levels: `a1: &a1 [*a0]`, `a2: &a2 [*a1]`, … is as deep as it has lines.
        self.check_depth(node.height, start)
        self.finish(Node(node.value, start, end, node.size, node.height, node.text), None)

    def finish(self, node: Node, anchor: str | None) -> None:
        """Put a finished value into its parent: as the root, a list item, a key, or the value of a key."""
        if anchor is not None:
            self.anchors[anchor] = node
        if self.open and self.expects_key():
            self.take_key(node)
            return
        path = self.path() if self.asked else ()
        if path in self.asked:
            self.loaded.offsets[path] = (node.start, node.end)
        if not self.open:
            self.loaded.data = node.value
            return
        parent = self.open[-1]
        parent.size += node.size
        parent.height = max(parent.height, node.height + 1)
        if parent.size > MAX_EXPANSION:
            message = f"aliases make more than {MAX_EXPANSION:,} values of it"
            raise YamlFailure(Fault("too_large", message, node.start, node.end))
        self.attach(parent, node)

    def expects_key(self) -> bool:
        return isinstance(self.open[-1].value, dict) and self.open[-1].key is None

    def take_key(self, node: Node) -> None:
        parent = self.open[-1]
        if node.text is None:
            raise YamlFailure(Fault("invalid_yaml", "a key must be a plain word or a string", node.start, node.end))
        parent.key = node
        if not node.merges:
            first = parent.keys.setdefault(node.text, node.start)
            if first != node.start and len(self.loaded.faults) < MAX_PROBLEMS:
                seen = clip(self.text[node.start : node.end])
                message = f"key {seen} appears more than once in the same mapping"
                related = (("the first of the equal keys", first),)
                place = (node.start, node.end)
                self.note(Fault("duplicate_key", message, *place, actual=seen, path=self.path(), related=related))

    def attach(self, parent: Open, node: Node) -> None:
        if isinstance(parent.value, list):
            parent.value.append(node.value)
            return
        assert parent.key is not None
        if parent.key.merges:
            self.merge(parent, node)
        else:
            parent.value[parent.key.text or ""] = node.value
        parent.key = None

    def merge(self, parent: Open, node: Node) -> None:
        """Merge mappings with the key "<<".

        Earlier mappings override later ones, and the mapping's own keys override all.
        """
        for mapping in node.value if isinstance(node.value, list) else [node.value]:
            if not isinstance(mapping, dict):
                message = "<< must name a mapping or a list of mappings"
                raise YamlFailure(Fault("invalid_yaml", message, node.start, node.end))
            for key, value in mapping.items():
                parent.merged.setdefault(key, value)

    def path(self) -> Path:
        return tuple(collection.step for collection in self.open)

    def check_depth(self, more: int, start: int) -> None:
        if len(self.open) + more > MAX_DEPTH:
            raise YamlFailure(Fault("too_deep", f"nested deeper than {MAX_DEPTH} levels", start, start + 1))

    def bad_tag(self, tag: str, start: int, end: int) -> YamlFailure:
        return YamlFailure(Fault("invalid_yaml", f"tag {clip(_short(tag))} is not allowed", start, end))

    def note(self, fault: Fault) -> None:
        if len(self.loaded.faults) < MAX_PROBLEMS:
            self.loaded.faults.append(fault)


_HANDLERS = {
    "DocumentStartEvent": _Composer.start_document,
    "ScalarEvent": _Composer.take_scalar,
    "MappingStartEvent": _Composer.start_mapping,
    "SequenceStartEvent": _Composer.start_list,
    "MappingEndEvent": _Composer.end_mapping,
    "SequenceEndEvent": _Composer.end_list,
    "AliasEvent": _Composer.take_alias,
}


def _short(tag: str | None) -> str:
    return "a number" if tag is None else tag.replace(TAG, "!!")


# Plain words in the YAML 1.2 core schema.
#
# YAML 1.1, PyYAML's default, reads `no` as False, `012` as 10, `1:30` as 90 and `2026-01-01` as a date. Here they are a
# string, 12, a string and a string: models write for readers, not for YAML 1.1.

TAG = "tag:yaml.org,2002:"
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# "12", "-3" and "012", which is 12; "1_000" is a string.
_INT = re.compile(r"[-+]?[0-9]+\Z")
# "0o17" and "0xff".
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
# "1.5", ".5", "1.", "1e3".
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
# "-.inf", ".NaN".
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_NUMBER_START = frozenset("-+.0123456789")


class NotFinite(ValueError):
    """The scalar is infinite or NaN, which is not valid in JSON."""


def plain(text: str) -> Any:
    """Return the value of a plain (unquoted) scalar.

    Raises:
        NotFinite: `.inf`, `.nan`, or a number too large for a float.
        ValueError: an integer with more digits than Python reads or writes.
    """
    if text in _WORDS:
        return _WORDS[text]
    # Not empty: "" is null. Most scalars are words, and need none of the patterns below.
    if text[0] not in _NUMBER_START:
        return text
    if _INT.match(text):
        return int(text)
    if _BASED.match(text):
        number = int(text, 0)
        str(number)  # Python reads any number of hex digits but does not write them: also a ValueError
        return number
    fraction = float(text) if _FLOAT.match(text) else None
    if fraction is not None and isfinite(fraction):
        return fraction
    if fraction is not None or _NOT_FINITE.match(text):
        raise NotFinite
    return text


def _of_type(*types: type) -> Callable[[str], Any]:
    def convert(text: str) -> Any:
        value = plain(text)
        if type(value) not in types:
            raise ValueError(text)
        return value

    return convert


def _tagged_float(text: str) -> float:
    try:
        return float(_of_type(int, float)(text))
    except OverflowError:  # 400 digits
        raise NotFinite from None


CONVERT: dict[str, Callable[[str], Any]] = {
    TAG + "str": str,
    TAG + "int": _of_type(int),
    TAG + "float": _tagged_float,
    TAG + "bool": _of_type(bool),
    TAG + "null": _of_type(type(None)),
    "!": str,
}
"""Convert a scalar with an explicit tag. Raises ValueError if the text does not fit the tag."""
