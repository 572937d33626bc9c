"""Validators that read a class: pydantic, msgspec, cattrs, apischema, typeguard, dacite and their like."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional, TypedDict

import apischema
import attrs
import cattrs
import dacite
import dataclass_wizard
import mashumaro.codecs.basic
import mashumaro.exceptions
import msgspec
import pydantic
import typedload
import typeguard

from tests.retry.reading.wordings.documents import as_model

from .found import Found, dotted, validator

Fields = list[tuple[str, dict[str, Any], bool]]
"""Name, schema, and whether it must be there."""
PLAIN = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}


def _typed(
    schema: dict[str, Any], make: Callable[[str, Fields, dict[str, Any]], Any], limit: Any, name: str = "Answer"
) -> Any:
    """The type of a schema: `make` builds its classes, `limit` puts its rules beside a plain type."""
    kind = schema.get("type")
    if kind == "object":
        fields = [
            (n, _typed(s, make, limit, n.title()), n in schema["required"]) for n, s in schema["properties"].items()
        ]
        return make(name, fields, schema)
    if kind == "array":
        return limit(list[_typed(schema["items"], make, limit, name.rstrip("s"))], schema)
    if "anyOf" in schema:
        return Optional[_typed(schema["anyOf"][0], make, limit, name)]  # noqa: UP045 - built at run time
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if schema.get("format") == "date":
        return dt.date
    return limit(PLAIN[kind or "string"], schema)


def _unlimited(kind: Any, _: dict[str, Any]) -> Any:
    return kind


def _dataclass(name: str, fields: Fields, _: dict[str, Any]) -> Any:
    needed = [(n, t) for n, t, must in fields if must]
    rest = [(n, Optional[t], dataclasses.field(default=None)) for n, t, must in fields if not must]  # noqa: UP045
    return dataclasses.make_dataclass(name, [*needed, *rest])


def _kept(build: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    built: dict[str, Any] = {}

    def get(schema: dict[str, Any]) -> Any:
        key = json.dumps(schema, sort_keys=True)
        if key not in built:
            built[key] = build(schema)
        return built[key]

    return get


_plain_class = _kept(lambda schema: _typed(schema, _dataclass, _unlimited))
_model = _kept(as_model)


@validator("pydantic")
def _pydantic(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        _model(schema).model_validate_json(json.dumps(document))
    except pydantic.ValidationError as error:
        items = error.errors(include_url=False)
        texts = {
            "str": str(error),
            "errors": str(error.errors(include_url=False)),
            "json": error.json(include_url=False, indent=2),
            "json with url": error.json(),
            "repr": repr(error),
            "arrows": "\n".join(f"{' -> '.join(map(str, e['loc']))}: {e['msg']} (type={e['type']})" for e in items),
            "loc tuple": "\n".join(f"{e['loc']}: {e['msg']}" for e in items),
            "input": "\n".join(f"- {dotted(e['loc'])}: {e['msg']} (got {e['input']!r})" for e in items),
        }
        return Found(texts, [(dotted(e["loc"]), e["msg"]) for e in items])
    return None


def _msgspec_limits(kind: Any, schema: dict[str, Any]) -> Any:
    names = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "pattern": "pattern"}
    names |= {"minLength": "min_length", "maxLength": "max_length", "minItems": "min_length", "maxItems": "max_length"}
    limits = {ours: schema[theirs] for theirs, ours in names.items() if theirs in schema}
    return Annotated[kind, msgspec.Meta(**limits)] if limits else kind


def _struct(name: str, fields: Fields, schema: dict[str, Any]) -> Any:
    given = [(n, t) if must else (n, Optional[t], None) for n, t, must in fields]  # noqa: UP045
    return msgspec.defstruct(
        name, given, kw_only=True, forbid_unknown_fields=schema.get("additionalProperties") is False
    )


_structs = _kept(lambda schema: _typed(schema, _struct, _msgspec_limits))


@validator("msgspec")
def _msgspec(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        msgspec.json.decode(json.dumps(document), type=_structs(schema))
    except msgspec.ValidationError as error:
        return Found({"str": str(error), "repr": repr(error)})
    return None


def _attrs_rules(schema: dict[str, Any]) -> list[Any]:
    made = {
        "minimum": attrs.validators.ge,
        "maximum": attrs.validators.le,
        "exclusiveMinimum": attrs.validators.gt,
        "minLength": attrs.validators.min_len,
        "maxLength": attrs.validators.max_len,
        "minItems": attrs.validators.min_len,
        "maxItems": attrs.validators.max_len,
        "pattern": attrs.validators.matches_re,
        "enum": attrs.validators.in_,
    }
    return [make(schema[name]) for name, make in made.items() if name in schema]


def _attrs_class(name: str, fields: Fields, schema: dict[str, Any]) -> Any:
    def one(field: str, kind: Any, must: bool) -> Any:
        rules: Any = _attrs_rules(schema["properties"][field])
        rules = rules if must else attrs.validators.optional(rules) if rules else None
        plain = str if "enum" in schema["properties"][field] else kind
        return attrs.field(type=plain, validator=rules, **({} if must else {"default": None}), kw_only=True)

    return attrs.make_class(name, {n: one(n, t, must) for n, t, must in fields})


_attrs_classes = _kept(lambda schema: _typed(schema, _attrs_class, _unlimited))


def _strict_converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True)

    def date(value: Any, _: Any) -> dt.date:
        return dt.date.fromisoformat(value)

    converter.register_structure_hook(dt.date, date)
    return converter


CONVERTER = _strict_converter()


@validator("cattrs")
def _cattrs(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        CONVERTER.structure(document, _attrs_classes(schema))
    except Exception as error:
        import traceback

        lines = cattrs.transform_error(error)
        texts = {"transform_error": "\n".join(lines), "list": str(lines)}
        group = "".join(traceback.format_exception(error, limit=0))
        return Found(texts | {"exception group": group})
    return None


def _apischema_limits(kind: Any, schema: dict[str, Any]) -> Any:
    names = {"minimum": "min", "maximum": "max", "exclusiveMinimum": "exc_min", "pattern": "pattern"}
    names |= {"minLength": "min_len", "maxLength": "max_len", "minItems": "min_items", "maxItems": "max_items"}
    names |= {"uniqueItems": "unique"}
    limits = {ours: schema[theirs] for theirs, ours in names.items() if theirs in schema}
    return Annotated[kind, apischema.schema(**limits)] if limits else kind


_apischema_class = _kept(lambda schema: _typed(schema, _dataclass, _apischema_limits))


@validator("apischema")
def _apischema(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        apischema.deserialize(_apischema_class(schema), document)
    except apischema.ValidationError as error:
        texts = {"errors": str(error.errors), "json": json.dumps(error.errors, indent=1), "str": str(error)}
        return Found(texts, [(dotted(e["loc"]), e["err"]) for e in error.errors])
    return None


def _typed_dict(name: str, fields: Fields, _: dict[str, Any]) -> Any:
    from typing import NotRequired

    return TypedDict(name, {n: t if must else NotRequired[t] for n, t, must in fields})  # type: ignore[operator]


def _dates_as_text(schema: dict[str, Any]) -> Any:
    return _typed(json.loads(re.sub(r', "format": "date"', "", json.dumps(schema))), _typed_dict, _unlimited)


_typed_dicts = _kept(_dates_as_text)


@validator("typeguard")
def _typeguard(schema: dict[str, Any], document: Any) -> Found | None:
    whole = typeguard.CollectionCheckStrategy.ALL_ITEMS
    try:
        typeguard.check_type(document, _typed_dicts(schema), collection_check_strategy=whole)
    except typeguard.TypeCheckError as error:
        return Found({"str": str(error)})
    return None


@validator("dacite")
def _dacite(schema: dict[str, Any], document: Any) -> Found | None:
    config = dacite.Config(strict=True, type_hooks={dt.date: dt.date.fromisoformat, float: _number})
    try:
        dacite.from_dict(_plain_class(schema), document, config)
    except (dacite.DaciteError, ValueError) as error:
        return Found({"str": str(error), "repr": repr(error)})
    return None


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, int) else value


@validator("mashumaro")
def _mashumaro(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        mashumaro.codecs.basic.decode(document, _plain_class(schema))
    except Exception as error:
        return Found({"str": str(error), "chain": " <- ".join(_chain(error))})
    return None


def _chain(error: BaseException | None) -> list[str]:
    found = []
    while error is not None:
        found.append(f"{type(error).__name__}: {error}")
        error = error.__cause__ or error.__context__
    return found


@validator("dataclass-wizard")
def _wizard(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        dataclass_wizard.fromdict(_plain_class(schema), document)
    except Exception as error:
        return Found({"str": str(error)})
    return None


@validator("typedload")
def _typedload(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        typedload.load(document, _plain_class(schema), basiccast=False, failonextra=True)
    except Exception as error:
        return Found({"str": str(error)})
    return None
