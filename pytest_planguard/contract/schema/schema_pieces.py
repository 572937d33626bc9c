"""Cut a JSON Schema into pieces at its references and alternatives, so that each can be checked against one value.

All pieces are members of one schema, `{"properties": {"p0": …, "p1": …}}`; to check p1, validate `{"p1": value}`. Each
cut is replaced by `{"not": {"$comment": "cut 7"}}`, which every value breaks: the error shows which part of the value
the cut judges. So only the validator decides what `properties`, `items` or `patternProperties` select.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ...document.limits import MAX_PROBLEMS
from ...document.path import get_at
from ..failure_kinds import FailureKind
from ..finding import Finding
from ..phrasing import as_json
from .bounds import mappings_in, target_of
from .json_schema_errors import ErrorPaths, best_of, findings, refusal, several_fit
from .schema_growth import Node, OverBudgetError, Questions, Work, is_legacy, with_parts

if TYPE_CHECKING:
    from ...document.path import Path

_UNSAFE = ("unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef")
"""Keywords that depend on what neighbouring alternatives validated, or on how the schema was entered."""
_IDS = ("$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor")
"""Keywords that change the meaning of references, below the root."""
_LEFT_OUT = frozenset({"$defs", "definitions", "$schema", *_IDS})
"""Keywords without an effect on validation. References lead to pieces instead."""
_BOUNDS = ("minContains", "maxContains")


class InseparableError(Exception):
    """The schema has a keyword whose meaning depends on the whole schema."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A keyword that was cut out of a piece."""

    keyword: str
    """"$ref", "anyOf", "oneOf", "not", "if" or "contains"."""
    pieces: tuple[str, ...]
    """The pieces that the keyword leads to. `if` has three, including `then` and `else`."""
    at_least: int = 1
    """For `contains`: how many items must match."""
    at_most: float = float("inf")
    original: Any = None
    """For `not`: its schema, for the message."""


class Pieces:
    """The pieces of one schema, and the object schemas that hold them.

    `cut` holds the pieces with their cuts, `whole` holds the same pieces uncut. References in both lead to the pieces,
    so neither needs the schema itself.
    """

    def __init__(self, schema: Node) -> None:
        """Cut the schema. Raises InseparableError if one of its keywords forbids it."""
        self._schema = schema
        self._legacy = is_legacy(schema)
        self._names: dict[int, str] = {}
        self._waiting: list[tuple[str, object]] = []
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
        self.cut: dict[str, object] = {**dialect, "properties": cut}
        self.whole: dict[str, object] = {**dialect, "properties": whole}

    def cut_of(self, forbidden: object) -> Cut | None:
        """Return the cut for the schema of a broken `not`; None for a `not` of the schema itself."""
        return self.cuts.get(str(forbidden.get("$comment"))) if isinstance(forbidden, Mapping) else None

    def _piece(self, node: object) -> str:
        """Return the name of the piece that begins at a node."""
        if id(node) not in self._names:
            self._names[id(node)] = f"p{len(self._names)}"
            self._waiting.append((self._names[id(node)], node))
        return self._names[id(node)]

    def _target(self, reference: object) -> object:
        target = target_of(reference, self._schema) if _is_pointer(reference) else None
        if target is None:
            raise InseparableError(f"the reference {reference!r}")
        return target

    def _written(self, node: object, judged: Callable[[Node], dict[str, Any]]) -> object:
        """Return a schema with `judged` applied to each of its parts."""
        if not isinstance(node, Mapping):
            return node
        self._refuse(node)
        if self._legacy and "$ref" in node:
            return judged({"$ref": node["$ref"]})
        left = judged({key: value for key, value in node.items() if key not in _LEFT_OUT})
        return with_parts(left, partial(self._written, judged=judged))

    def _refuse(self, node: Node) -> None:
        """Raise InseparableError for a node whose meaning would change in a piece."""
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
        """Return a node without the parts that lead to references, and with a mark for each cut."""
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
        """Return the cut at a keyword of a node; None if it is absent, or leads to no references."""
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
        """Return True if a part or a reference only leads to references whose targets have none."""
        if isinstance(node, str):
            return not self._references_in(self._target(node))
        return not any(self._references_in(self._target(name)) for name in self._references_in(node))

    def _references_in(self, node: object) -> frozenset[str]:
        """Return the references anywhere in a part of the schema."""
        if id(node) not in self._references:
            found = (one["$ref"] for one in mappings_in(node) if isinstance(one.get("$ref"), str))
            self._references[id(node)] = frozenset(found)
        return self._references[id(node)]


_CUTS = ("anyOf", "oneOf", "not", "if", "contains")
_BESIDE = {"if": ("then", "else"), "contains": _BOUNDS}
"""Keywords that have no meaning without the keyword being cut."""


def _is_pointer(reference: object) -> bool:
    """Return True if a reference is a path in the schema, such as "#" or "#/$defs/node"; "#node" is a name."""
    return isinstance(reference, str) and (reference == "#" or reference.startswith("#/"))


def _unused_word(schema: Node) -> str:
    """Return a word that is not in the schema, so that no `not` in the schema looks like a cut."""
    text, word = json.dumps(schema, default=str), "cut"
    while word in text:
        word += "'"
    return word


# Check each piece against each value only once, even if many paths lead there.

STEP_LIMIT = 50_000
"""Maximum number of checked pieces and read errors per answer: about a second. A union of two models that is wrong at
every one of 200 levels takes 2,000."""
_QUOTED = 200
"""Maximum characters of a value in the validator's message about a cut."""

_Question = tuple[str, "Path", Any]
"""A piece, the path of a value, and the value to check."""
_Work = Work[_Question, list[Finding]]


class Piecewise:
    """The compiled pieces of one schema."""

    def __init__(self, pieces: Pieces, validator: Callable[[dict[str, Any]], Any], *, quick: bool) -> None:
        """Compile the pieces.

        Args:
            pieces: the pieces of the schema.
            validator: compiles a schema.
            quick: True if `is_valid` is fast enough to skip pieces that hold.
        """
        self.pieces = pieces
        self.cut = validator(pieces.cut)
        self.whole = validator(pieces.whole) if quick else None

    def judge(self, data: object) -> Judged:
        """Return the result for an answer."""
        return _Asking(self).judge(data)


@dataclass(frozen=True, slots=True)
class Judged:
    """The result for one answer."""

    findings: list[Finding]
    complete: bool
    """False if a limit was reached."""
    steps: int


class _Asking:
    """Validates one answer piece by piece."""

    def __init__(self, schema: Piecewise) -> None:
        self._schema = schema
        self._questions = Questions(self._errors, lambda question: question[:2], STEP_LIMIT)
        self._demanded: set[tuple[str, Path]] = {(schema.pieces.root, ())}
        """Pieces that a value must satisfy, whichever alternative is chosen."""
        self._sure: list[Finding] = []
        """The findings about those pieces so far."""

    def judge(self, data: object) -> Judged:
        """Return the result for the answer. If the step limit is reached, return only the certain findings."""
        complete = True
        try:
            found = self._questions.answer((self._schema.pieces.root, (), data))
        except OverBudgetError:
            found, complete = self._sure, False
        return Judged(found[:MAX_PROBLEMS], complete and len(found) <= MAX_PROBLEMS, self._questions.steps)

    def _errors(self, question: _Question) -> _Work:
        """Return the findings of one piece about a value."""
        piece, path, value = question
        found: list[Finding] = []
        if self._holds(piece, value):
            return found
        demanded = (piece, path) in self._demanded
        asked = {piece: value}
        paths = ErrorPaths(asked)
        for error in self._schema.cut.iter_errors(asked):
            self._questions.step()
            cut = self._schema.pieces.cut_of(error.kind.as_dict().get("schema")) if error.kind.name == "not" else None
            if cut is None:
                found_here = findings(error, self._schema.pieces.cut, paths)  # about {"p1": value}
                new = [replace(one, path=(*path, *one.path[1:])) for one in found_here]
            else:
                below = paths.path_of(error)[1:]
                where = (*path, *below)
                passes_on = demanded and cut.keyword == "$ref"
                self._demanded |= {(cut.pieces[0], where)} if passes_on else set()
                new = yield from self._of_cut(cut, where, get_at(value, below, error.instance))
            found += new
            self._sure += new if demanded and not (cut and cut.keyword == "$ref") else ()
            if len(found) > MAX_PROBLEMS:
                break
        return found

    def _holds(self, piece: str, value: object) -> bool:
        """Return True if a value satisfies a piece; False also if checking it would take too long."""
        whole = self._schema.whole
        return whole is not None and whole.is_valid({piece: value})

    def _of_cut(self, cut: Cut, path: Path, value: object) -> _Work:
        """Return the findings about a value of a keyword that was cut out."""
        if cut.keyword == "$ref":
            return (yield (cut.pieces[0], path, value))
        if cut.keyword == "if":
            broken = yield (cut.pieces[0], path, value)
            return (yield (cut.pieces[2 if broken else 1], path, value))
        if cut.keyword == "not":
            broken = yield (cut.pieces[0], path, value)
            said = f"{as_json(cut.original)} is not allowed for {_quoted(value)}"
            return [] if broken else [_broken("not", path, value, said)]
        if cut.keyword == "contains":
            return (yield from self._contains(cut, path, value))
        return (yield from self._alternatives(cut, path, value))

    def _alternatives(self, cut: Cut, path: Path, value: object) -> _Work:
        """Return the findings of the best alternative; [] if enough alternatives match."""
        if cut.keyword == "anyOf" and any(self._holds(piece, value) for piece in cut.pieces):
            return []
        branches: list[list[Finding]] = []
        for piece in cut.pieces:
            branches.append((yield (piece, path, value)))
            if not branches[-1] and cut.keyword == "anyOf":
                return []
        fitting = sum(not branch for branch in branches)
        if fitting == 1:
            return []
        found = several_fit(path, value, fitting) if fitting else best_of(branches, path, value)
        fits = "is valid under more than one" if fitting else "is not valid under any"
        said = f"{_quoted(value)} {fits} of the schemas listed in the {cut.keyword!r} keyword"
        return [
            one if one.validator_code else replace(one, validator_code=cut.keyword, validator_message=said)
            for one in found
        ]

    def _contains(self, cut: Cut, path: Path, value: object) -> _Work:
        fitting = 0
        for index, item in enumerate(value if isinstance(value, list) else ()):
            fitting += not (yield (cut.pieces[0], (*path, index), item))
        if not isinstance(value, list) or cut.at_least <= fitting <= cut.at_most:
            return []
        said = f"None of {_quoted(value)} are valid under the given schema"
        return [_broken("contains", path, value, said)]


def _broken(keyword: str, path: Path, value: object, said: str) -> Finding:
    got = as_json(value)
    message = refusal(keyword, value)
    return Finding("rule", path, message, FailureKind.RULE, actual=got, validator_code=keyword, validator_message=said)


def _quoted(value: object) -> str:
    return as_json(value, _QUOTED)
