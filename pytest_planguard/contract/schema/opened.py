"""Create a pydantic schema that keeps the valid parts of an answer and replaces the others by holes.

Each field, item and member is validated separately with the type's own validators. A model is *opened* this way only if
no user code reads more than one of its fields, because that code would see the holes. Any other model, and any union,
is kept or replaced as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pydantic_core import SchemaError, SchemaValidator, ValidationError

from ..own_checks import HOLE
from .pydantic_location import Node, definitions, named_fields, nodes

_TWIN = "|opened"
"""Suffix for the name of an opened definition. A union refers to the original definition."""
_OWN_FIELDS = frozenset({"model", "typed-dict", "dataclass", "definition-ref"})
"""Types whose functions get different fields."""
_OF_MODELS = ("__pydantic_extra__", "__pydantic_fields_set__", "__pydantic_private__")
"""Attributes of a model instance in addition to its fields."""


def opened_validator(core_schema: Node) -> SchemaValidator | None:
    """Return the validator; None if pydantic refuses the opened schema."""
    try:
        return SchemaValidator(_Opening(core_schema).root())  # type: ignore[arg-type,unused-ignore]
    except SchemaError:
        return None


class _StandIn:
    """The class that pydantic instantiates instead of an opened model.

    For the model's own class, pydantic from 2.11 on would use the validator of that class instead of the opened one.
    """

    __slots__ = ("__dict__", *_OF_MODELS)


def _made(owner: type, stand_in: _StandIn) -> Any:
    """Return an instance of the model with the stand-in's values, made in the way of `model_construct`."""
    made: object = object.__new__(owner)
    for name in ("__dict__", *_OF_MODELS):
        if hasattr(stand_in, name):  # a dataclass only has its fields
            object.__setattr__(made, name, getattr(stand_in, name))
    return made


class _Opening:
    """Opens one schema."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._known = definitions(root)
        self._twins: dict[str, dict[str, object]] = {}

    def root(self) -> dict[str, Any]:
        """Return the opened schema, with the definitions that it refers to."""
        opened = self._opened(self._root["schema"] if self._root["type"] == "definitions" else self._root)
        made = [opened, *self._twins.values()]
        kept = self._referred(made)
        definitions = [*self._twins.values(), *(self._known[ref] for ref in kept)]
        return {"type": "definitions", "schema": opened, "definitions": definitions} if definitions else opened

    def _referred(self, made: list[dict[str, Any]]) -> dict[str, None]:
        """Return the names of the unopened definitions that are referred to."""
        found: dict[str, None] = {}
        waiting: list[Node] = list(made)
        while waiting:
            for node in nodes(waiting.pop()):
                ref = str(node.get("schema_ref"))
                if node["type"] == "definition-ref" and ref in self._known and ref not in found:
                    found[ref] = None
                    waiting.append(self._known[ref])
        return found

    def _opened(self, node: Node) -> dict[str, object]:
        """Return a node that validates the same value. If it is a container, it may contain holes."""
        kind = node["type"]
        if kind == "definition-ref":
            return self._twin(node)
        if kind in ("nullable", "default"):
            return {**node, "schema": self._opened(node["schema"])}
        if kind == "list" and "items_schema" in node:
            return {**node, "items_schema": _or_hole(self._opened(node["items_schema"]))}
        if kind == "dict" and "values_schema" in node:
            return {**node, "values_schema": _or_hole(self._opened(node["values_schema"]))}
        opened = {**node, **self._with_fields(node)}
        return opened if kind not in ("model", "dataclass") or opened["schema"] is node["schema"] else _stood_in(opened)

    def _twin(self, node: Node) -> dict[str, object]:
        ref = str(node["schema_ref"])
        if ref not in self._known:
            return dict(node)
        if ref not in self._twins:
            twin: dict[str, object] = {}
            self._twins[ref] = twin
            twin.update(self._opened(self._known[ref]), ref=ref + _TWIN)
        return {**node, "schema_ref": ref + _TWIN}

    def _with_fields(self, node: Node) -> dict[str, object]:
        """Return the opened parts of a model, a typed dict or a dataclass; {} for any other node."""
        kind = node["type"]
        if kind == "typed-dict" and _is_plain(node):
            return self._fields(node, node)
        if kind not in ("model", "dataclass"):
            return {}
        inner = node["schema"]
        if node.get("root_model"):
            return {"schema": self._opened(inner)}
        fields = inner["type"] == ("model-fields" if kind == "model" else "dataclass-args") and _is_plain(inner)
        own_code = any(map(node.get, ("post_init", "custom_init", "serialization", "slots")))
        return {"schema": {**inner, **self._fields(inner, node)}} if fields and not own_code else {}

    def _fields(self, node: Node, owner: Node) -> dict[str, object]:
        """Return the fields, each validated separately, without forbidden extra fields."""
        total = node.get("total", True)
        fields = node["fields"]
        opened: object = (
            {name: self._field(field, total) for name, field in fields.items()}
            if isinstance(fields, Mapping)
            else [self._field(field, total) for field in fields]
        )
        configured = owner.get("config", {}).get("extra_fields_behavior", "ignore")
        extra = node.get("extra_behavior", configured)
        return {"fields": opened, "extra_behavior": "ignore" if extra == "forbid" else extra}

    def _field(self, field: Node, total: bool) -> dict[str, object]:
        inner = field["schema"]
        if inner["type"] == "default":
            return {**field, "schema": {**inner, "schema": _or_hole(self._opened(inner["schema"]))}}
        opened = _or_hole(self._opened(inner))
        if field["type"] == "typed-dict-field":
            if not field.get("required", total):
                return {**field, "schema": opened}
            field = {**field, "required": False}
        return {**field, "schema": {"type": "default", "default": HOLE, "schema": opened}}


def _stood_in(node: dict[str, Any]) -> dict[str, object]:
    """Return an opened model or dataclass that is created through a stand-in."""
    inner = {key: value for key, value in node.items() if key != "ref"} | {"cls": _StandIn}
    make = {"type": "no-info", "function": partial(_made, node["cls"])}
    return {"type": "function-after", "function": make, "schema": inner}


def _or_hole(node: dict[str, Any]) -> dict[str, object]:
    return {"type": "function-wrap", "function": {"type": "no-info", "function": _hole_if_broken}, "schema": node}


def _hole_if_broken(value: object, handler: Callable[[Any], object]) -> object:
    try:
        return handler(value)
    except ValidationError:
        return HOLE


def _is_plain(fields: Node) -> bool:
    """Return True unless a function reads more than one field, such as a computed field or a validator with `info`."""
    if fields.get("computed_fields") or fields.get("serialization"):
        return False
    below = (field["schema"] for _, field in named_fields(fields))
    return not any(_looks_around(node) for inner in below for node in nodes(inner, _OWN_FIELDS))


def _looks_around(node: Node) -> bool:
    function, serialization = node.get("function"), node.get("serialization")
    by_info = isinstance(function, Mapping) and function.get("type") == "with-info"
    by_self = isinstance(serialization, Mapping) and serialization.get("is_field_serializer")
    return bool(by_info or by_self or node.get("default_factory_takes_data"))
