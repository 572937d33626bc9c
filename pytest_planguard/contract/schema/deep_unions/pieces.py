"""A JSON Schema cut into pieces at its references and alternatives, so that each can be asked of one value.

All pieces are members of one schema, `{"properties": {"p0": …, "p1": …}}`; p1 is asked as `{"p1": value}`. In the place
of a cut stands `{"not": {"$comment": "cut 7"}}`, which every value breaks: the error says which part of the value the
cut judges. So the validator alone decides what `properties`, `items` or `patternProperties` select.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..reference_bounds import target_of
from .schema_walk import Node, is_legacy, with_parts

_UNSAFE = ("unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef")
"""Keywords that look at what alternatives beside them judged, or at how the schema was entered."""
_IDS = ("$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor")
"""Keywords that change what references mean, below the root."""
_LEFT_OUT = frozenset({"$defs", "definitions", "$schema", *_IDS})
"""Keywords that judge nothing; references lead to pieces instead."""
_BOUNDS = ("minContains", "maxContains")


class InseparableError(Exception):
    """The schema has a keyword whose meaning depends on the whole of it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A keyword that was taken out of a piece."""

    keyword: str
    """"$ref", "anyOf", "oneOf", "not", "if" or "contains"."""
    pieces: tuple[str, ...]
    """The pieces that it leads to; of `if` three, with `then` and `else`."""
    at_least: int = 1
    """Of `contains`: how many items must fit."""
    at_most: float = float("inf")
    original: Any = None
    """The schema of a `not`, for its message."""


class Pieces:
    """The pieces of one schema, and the object schemas that hold them.

    `cut` holds the pieces with their cuts, `whole` the same ones as they are in the schema. References in both lead to
    the pieces, so neither needs the schema itself.
    """

    def __init__(self, schema: Node) -> None:
        """Cut the schema. Raises InseparableError where one of its keywords forbids it."""
        self._schema = schema
        self._legacy = is_legacy(schema)
        self._names: dict[int, str] = {}
        self._waiting: list[tuple[str, Any]] = []
        self._references: dict[int, frozenset[str]] = {}
        self._mark = _unused_word(schema)
        self.cuts: dict[str, Cut] = {}
        self.root = self._piece(schema)
        cut, whole = {}, {}
        while self._waiting:
            name, node = self._waiting.pop()
            whole[name] = self._written(node, self._as_it_is)
            cut[name] = self._written(node, self._with_cuts)
        dialect = {"$schema": schema["$schema"]} if "$schema" in schema else {}
        self.cut: dict[str, Any] = {**dialect, "properties": cut}
        self.whole: dict[str, Any] = {**dialect, "properties": whole}

    def cut_of(self, forbidden: object) -> Cut | None:
        """Return the cut of which the schema of a broken `not` speaks; None for a `not` of the schema itself."""
        return self.cuts.get(str(forbidden.get("$comment"))) if isinstance(forbidden, Mapping) else None

    def _piece(self, node: object) -> str:
        """Return the name of the piece that begins at a node."""
        if id(node) not in self._names:
            self._names[id(node)] = f"p{len(self._names)}"
            self._waiting.append((self._names[id(node)], node))
        return self._names[id(node)]

    def _target(self, reference: object) -> Any:
        target = target_of(reference, self._schema) if _is_pointer(reference) else None
        if target is None:
            raise InseparableError(f"the reference {reference!r}")
        return target

    def _written(self, node: object, judged: Callable[[Node], dict[str, Any]]) -> Any:
        """Return a schema with all its parts as `judged` writes them."""
        if not isinstance(node, Mapping):
            return node
        self._refuse(node)
        if self._legacy and "$ref" in node:
            return judged({"$ref": node["$ref"]})
        left = judged({key: value for key, value in node.items() if key not in _LEFT_OUT})
        return with_parts(left, partial(self._written, judged=judged))

    def _refuse(self, node: Node) -> None:
        """Raise InseparableError for a node that means something else in a piece."""
        if node is not self._schema and any(isinstance(node.get(key), str) for key in _IDS):
            raise InseparableError("an id below the root")
        if any(key in node for key in _UNSAFE):
            raise InseparableError(next(key for key in _UNSAFE if key in node))

    def _as_it_is(self, node: Node) -> dict[str, Any]:
        """Return a node whose reference leads to the piece of its target."""
        if "$ref" not in node:
            return dict(node)
        piece = self._piece(self._target(node["$ref"]))
        return {**node, "$ref": f"#/properties/{piece}"}

    def _with_cuts(self, node: Node) -> dict[str, Any]:
        """Return a node without what leads to references, and with a mark for each cut."""
        left, cuts = dict(node), []
        if isinstance(node.get("propertyNames"), Mapping) and not self._is_plain(node["propertyNames"]):
            raise InseparableError("propertyNames")
        for keyword, cut in ((keyword, self._cut(keyword, node)) for keyword in (*_CUTS, "$ref")):
            if cut is not None:
                cuts.append({"not": {"$comment": self._marked(cut)}})
                for key in (keyword, *_BESIDE.get(keyword, ())):
                    left.pop(key, None)
        if "$ref" in left:
            left = self._as_it_is(left)
        if cuts:
            left["allOf"] = [*left.get("allOf", ()), *cuts]
        return left

    def _cut(self, keyword: str, node: Node) -> Cut | None:
        """Return the cut at a keyword of a node; None where it is absent, or leads to no references."""
        if keyword not in node or self._is_plain(node[keyword]):
            return None
        value = node[keyword]
        if keyword == "$ref":
            return Cut(keyword, (self._piece(self._target(value)),))
        if keyword == "if":
            return Cut(keyword, tuple(self._piece(node.get(key, True)) for key in ("if", "then", "else")))
        if keyword in ("anyOf", "oneOf"):
            return Cut(keyword, tuple(map(self._piece, value)))
        least, most = (() if self._legacy else _BOUNDS) or ("", "")
        bounds = (int(node.get(least, 1)), float(node.get(most, "inf")))
        return Cut(keyword, (self._piece(value),), *bounds, original=value if keyword == "not" else None)

    def _marked(self, cut: Cut) -> str:
        word = f"{self._mark} {len(self.cuts)}"
        self.cuts[word] = cut
        return word

    def _is_plain(self, node: object) -> bool:
        """Return whether a part, or a reference, leads to no reference but those whose target has none itself."""
        if isinstance(node, str):
            return not self._references_in(self._target(node))
        return not any(self._references_in(self._target(name)) for name in self._references_in(node))

    def _references_in(self, node: object) -> frozenset[str]:
        """Return the references anywhere in a part of the schema."""
        if id(node) not in self._references:
            self._references[id(node)] = _references(node)
        return self._references[id(node)]


_CUTS = ("anyOf", "oneOf", "not", "if", "contains")
_BESIDE = {"if": ("then", "else"), "contains": _BOUNDS}
"""Keywords that mean nothing without the one that is cut."""


def _references(node: object) -> frozenset[str]:
    found: set[str] = set()
    here = [node]
    for one in here:  # grows on the way
        if isinstance(one, Mapping):
            found |= {one["$ref"]} if isinstance(one.get("$ref"), str) else set()
            here += one.values()
        elif isinstance(one, list):
            here += one
    return frozenset(found)


def _is_pointer(reference: object) -> bool:
    """Return whether a reference is a place in the schema: "#" or "#/$defs/node"; "#node" is a name."""
    return isinstance(reference, str) and (reference == "#" or reference.startswith("#/"))


def _unused_word(schema: Node) -> str:
    """Return a word that the schema does not have, so that no `not` of its own passes for a cut."""
    text, word = json.dumps(schema, default=str), "cut"
    while word in text:
        word += "'"
    return word
