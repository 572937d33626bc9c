"""Validators whose schemas are built by hand: marshmallow, cerberus, voluptuous, schema, DRF, colander, trafaret."""

from __future__ import annotations

import json
from typing import Any

import cerberus
import colander
import django.conf
import marshmallow
import schema as schema_library
import trafaret
import voluptuous
from marshmallow import fields as mm
from marshmallow import validate as mmv

from .found import Found, bracketed, dotted, leaves, validator

django.conf.settings.configure(USE_TZ=True, INSTALLED_APPS=["rest_framework"], USE_I18N=False)
from rest_framework import serializers as drf  # noqa: E402 - needs the settings


def _limits(schema: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
    """(least, above, most, shortest, longest)."""
    return (
        schema.get("minimum"),
        schema.get("exclusiveMinimum"),
        schema.get("maximum"),
        schema.get("minLength", schema.get("minItems")),
        schema.get("maxLength", schema.get("maxItems")),
    )


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return "enum"
    if "anyOf" in schema:
        return "optional"
    return "date" if schema.get("format") == "date" else str(schema["type"])


# marshmallow


def _mm_rules(schema: dict[str, Any]) -> list[Any]:
    least, above, most, shortest, longest = _limits(schema)
    rules: list[Any] = []
    if any(x is not None for x in (least, above, most)):
        rules.append(mmv.Range(min=above if least is None else least, max=most, min_inclusive=above is None))
    if shortest is not None or longest is not None:
        rules.append(mmv.Length(min=shortest, max=longest))
    if "pattern" in schema:
        rules.append(mmv.Regexp(schema["pattern"]))
    return rules + ([mmv.OneOf(schema["enum"])] if "enum" in schema else [])


def _mm_field(schema: dict[str, Any], required: bool) -> Any:
    kind, rules = _kind(schema), _mm_rules(schema)
    common = {"required": required, "validate": rules}
    if kind == "object":
        return mm.Nested(_mm_schema(schema), required=required)
    if kind == "array":
        return mm.List(_mm_field(schema["items"], False), **common)
    if kind == "optional":
        return mm.String(allow_none=True)
    made = {"string": mm.String, "enum": mm.String, "integer": mm.Integer, "number": mm.Float, "boolean": mm.Boolean}
    if kind == "integer":
        return mm.Integer(strict=True, **common)
    return made.get(kind, mm.Date)(**common)


def _mm_schema(schema: dict[str, Any]) -> Any:
    fields = {n: _mm_field(s, n in schema["required"]) for n, s in schema["properties"].items()}
    unknown = marshmallow.RAISE if schema.get("additionalProperties") is False else marshmallow.EXCLUDE
    return marshmallow.Schema.from_dict(fields)(unknown=unknown)


@validator("marshmallow")
def _marshmallow(schema: dict[str, Any], document: Any) -> Found | None:
    errors = _mm_schema(schema).validate(document)
    if not errors:
        return None
    texts = {"str": str(errors), "json": json.dumps(errors), "json indented": json.dumps(errors, indent=2)}
    return Found(texts, [(dotted(p), m) for p, m in leaves(errors)])


# cerberus


def _cerberus_rules(schema: dict[str, Any]) -> dict[str, Any]:
    kind = _kind(schema)
    least, above, most, shortest, longest = _limits(schema)
    types = {"string": "string", "enum": "string", "integer": "integer", "number": "float", "boolean": "boolean"}
    rules: dict[str, Any] = {"type": types.get(kind, {"array": "list", "object": "dict"}.get(kind, "string"))}
    if kind == "number":
        rules["type"] = ["float", "integer"]
    if kind == "optional":
        rules["nullable"] = True
    limits = {"min": above if least is None else least, "max": most, "minlength": shortest, "maxlength": longest}
    rules |= {name: limit for name, limit in limits.items() if limit is not None}
    if "pattern" in schema:
        rules["regex"] = schema["pattern"]
    if "enum" in schema:
        rules["allowed"] = schema["enum"]
    if kind == "object":
        rules |= {"schema": _cerberus_schema(schema), "allow_unknown": schema.get("additionalProperties") is not False}
    if kind == "array":
        rules["schema"] = _cerberus_rules(schema["items"])
    return rules


def _cerberus_schema(schema: dict[str, Any]) -> dict[str, Any]:
    return {n: {**_cerberus_rules(s), "required": n in schema["required"]} for n, s in schema["properties"].items()}


@validator("cerberus")
def _cerberus(schema: dict[str, Any], document: Any) -> Found | None:
    unknown = schema.get("additionalProperties") is not False
    checker = cerberus.Validator(_cerberus_schema(schema), allow_unknown=unknown)
    if checker.validate(document):
        return None
    texts = {"str": str(checker.errors), "json": json.dumps(checker.errors, indent=2)}
    by_itself = checker._errors  # noqa: SLF001 - the errors with their places stand nowhere else
    return Found(texts, [(dotted(e.document_path), f"{e.rule} {e.constraint}") for e in by_itself])


# voluptuous


def _vol(schema: dict[str, Any]) -> Any:
    kind = _kind(schema)
    least, above, most, shortest, longest = _limits(schema)
    rules: list[Any] = []
    if any(x is not None for x in (least, above, most)):
        rules.append(voluptuous.Range(min=above if least is None else least, max=most, min_included=above is None))
    if shortest is not None or longest is not None:
        rules.append(voluptuous.Length(min=shortest, max=longest))
    if "pattern" in schema:
        rules.append(voluptuous.Match(schema["pattern"]))
    if schema.get("uniqueItems"):
        rules.append(voluptuous.Unique())
    types = {"string": str, "integer": int, "number": voluptuous.Any(int, float), "boolean": bool}
    if kind == "object":
        extra = voluptuous.PREVENT_EXTRA if schema.get("additionalProperties") is False else voluptuous.ALLOW_EXTRA
        made = {
            (voluptuous.Required if n in schema["required"] else voluptuous.Optional)(n): _vol(s)
            for n, s in schema["properties"].items()
        }
        return voluptuous.Schema(made, extra=extra)
    if kind == "array":
        return voluptuous.All([_vol(schema["items"])], *rules)
    if kind == "optional":
        return voluptuous.Maybe(str)
    if kind == "enum":
        return voluptuous.In(schema["enum"])
    return voluptuous.Date() if kind == "date" else voluptuous.All(types[kind], *rules)


@validator("voluptuous")
def _voluptuous(schema: dict[str, Any], document: Any) -> Found | None:
    from voluptuous.humanize import humanize_error

    try:
        _vol(schema)(document)
    except voluptuous.MultipleInvalid as error:
        texts = {
            "str": str(error),
            "all": "\n".join(map(str, error.errors)),
            "humanize": humanize_error(document, error),
            "path list": "\n".join(f"{e.path}: {e.msg}" for e in error.errors),
        }
        return Found(texts, [(bracketed(map(_step, e.path)), e.msg) for e in error.errors])
    return None


def _step(step: Any) -> Any:
    return step if isinstance(step, int) else str(step)


# schema


def _within(schema: dict[str, Any]) -> list[Any]:
    least, above, most, shortest, longest = _limits(schema)
    rules: list[Any] = []
    if least is not None:
        rules.append(
            schema_library.Schema(lambda x: x >= least, name="at_least", error=f"must be at least {least}, got {{}}")
        )
    if above is not None:
        rules.append(schema_library.Schema(lambda x: x > above, error=f"must be above {above}, got {{}}"))
    if most is not None:
        rules.append(lambda x: x <= most)
    if shortest is not None:
        rules.append(schema_library.Schema(lambda x: len(x) >= shortest, error=f"is shorter than {shortest}"))
    if longest is not None:
        rules.append(lambda x: len(x) <= longest)
    return rules + ([schema_library.Regex(schema["pattern"])] if "pattern" in schema else [])


def _schema(schema: dict[str, Any]) -> Any:
    kind = _kind(schema)
    types = {"string": str, "integer": int, "number": schema_library.Or(int, float), "boolean": bool, "date": str}
    if kind == "object":
        made = {
            n if n in schema["required"] else schema_library.Optional(n): _schema(s)
            for n, s in schema["properties"].items()
        }
        return schema_library.Schema(made, ignore_extra_keys=schema.get("additionalProperties") is not False)
    if kind == "array":
        return schema_library.And([_schema(schema["items"])], *_within(schema))
    if kind == "optional":
        return schema_library.Or(str, None)
    return schema_library.Or(*schema["enum"]) if kind == "enum" else schema_library.And(types[kind], *_within(schema))


@validator("schema")
def _schema_check(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        _schema(schema).validate(document)
    except schema_library.SchemaError as error:
        return Found({"code": error.code, "autos": "\n".join(a for a in error.autos if a)})
    return None


# Django REST framework


def _drf_field(schema: dict[str, Any], required: bool) -> Any:
    kind = _kind(schema)
    least, above, most, shortest, longest = _limits(schema)
    if kind == "object":
        return _drf_serializer(schema)(required=required)
    if kind == "array":
        limits = {"min_length": shortest, "max_length": longest}
        given = {n: limit for n, limit in limits.items() if limit is not None}
        if _kind(schema["items"]) == "object":
            return _drf_serializer(schema["items"])(many=True, required=required, **given)
        return drf.ListField(child=_drf_field(schema["items"], True), required=required, **given)
    if kind in ("string", "optional"):
        if "pattern" in schema:
            return drf.RegexField(schema["pattern"], required=required)
        return drf.CharField(required=required, min_length=shortest, max_length=longest, allow_null=kind == "optional")
    if kind == "enum":
        return drf.ChoiceField(schema["enum"], required=required)
    if kind in ("integer", "number"):
        made = drf.IntegerField if kind == "integer" else drf.FloatField
        return made(required=required, min_value=above if least is None else least, max_value=most)
    return (drf.BooleanField if kind == "boolean" else drf.DateField)(required=required)


def _drf_serializer(schema: dict[str, Any]) -> Any:
    fields = {n: _drf_field(s, n in schema["required"]) for n, s in schema["properties"].items()}
    return type("Answer", (drf.Serializer,), fields)


@validator("rest framework")
def _rest(schema: dict[str, Any], document: Any) -> Found | None:
    checker = _drf_serializer(schema)(data=document)
    if checker.is_valid():
        return None
    plain = json.loads(json.dumps(checker.errors))
    texts = {
        "json": json.dumps(plain),
        "repr": str(checker.errors),
        "details": repr(drf.ValidationError(checker.errors)),
    }
    return Found(texts, [(dotted(p), m) for p, m in leaves(plain)])


# colander


def _colander(schema: dict[str, Any], name: str = "", required: bool = True) -> Any:
    kind = _kind(schema)
    least, above, most, shortest, longest = _limits(schema)
    rules: list[Any] = []
    if any(x is not None for x in (least, above, most)):
        rules.append(colander.Range(min=above if least is None else least, max=most))
    if shortest is not None or longest is not None:
        rules.append(colander.Length(min=shortest, max=longest))
    if "pattern" in schema:
        rules.append(colander.Regex(schema["pattern"]))
    if "enum" in schema:
        rules.append(colander.OneOf(schema["enum"]))
    common: dict[str, Any] = {"name": name, "validator": colander.All(*rules) if rules else None}
    if not required:
        common["missing"] = colander.drop
    if kind == "object":
        unknown = "raise" if schema.get("additionalProperties") is False else "ignore"
        inner = [_colander(s, n, n in schema["required"]) for n, s in schema["properties"].items()]
        return colander.SchemaNode(colander.Mapping(unknown=unknown), *inner, **common)
    if kind == "array":
        return colander.SchemaNode(colander.Sequence(), _colander(schema["items"], "item"), **common)
    made = {"integer": colander.Integer(strict=True), "number": colander.Float(), "boolean": colander.Boolean()}
    return colander.SchemaNode(made.get(kind, colander.Date() if kind == "date" else colander.String()), **common)


@validator("colander")
def _colander_check(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        _colander(schema).deserialize(document)
    except colander.Invalid as error:
        found = error.asdict()
        texts = {
            "asdict": str(found),
            "json": json.dumps(found),
            "lines": "\n".join(f"{k}: {v}" for k, v in found.items()),
        }
        return Found(texts, list(found.items()))
    return None


# trafaret


def _trafaret(schema: dict[str, Any]) -> Any:
    kind = _kind(schema)
    least, above, most, shortest, longest = _limits(schema)
    if kind == "object":
        made = {
            trafaret.Key(n, optional=n not in schema["required"]): _trafaret(s) for n, s in schema["properties"].items()
        }
        built = trafaret.Dict(made)
        return built if schema.get("additionalProperties") is False else built.ignore_extra("*")
    if kind == "array":
        return trafaret.List(_trafaret(schema["items"]), min_length=shortest or 0, max_length=longest)
    if kind == "optional":
        return trafaret.Or(trafaret.String(), trafaret.Null())
    if kind == "enum":
        return trafaret.Enum(*schema["enum"])
    if kind in ("integer", "number"):
        made_number = trafaret.Int if kind == "integer" else trafaret.Float
        return made_number(gte=least, lte=most, gt=above)
    if kind == "boolean":
        return trafaret.Bool()
    if kind == "date":
        return trafaret.Date()
    text = trafaret.String(min_length=shortest, max_length=longest)
    return text & trafaret.Regexp(schema["pattern"]) if "pattern" in schema else text


@validator("trafaret")
def _trafaret_check(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        _trafaret(schema).check(document)
    except trafaret.DataError as error:
        found = error.as_dict()
        texts = {"as_dict": str(found), "json": json.dumps(found), "with value": str(error.as_dict(value=True))}
        return Found(texts, [(dotted(p), m) for p, m in leaves(found)])
    return None
