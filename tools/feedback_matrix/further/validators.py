"""Runs the further validators of Python over jobs, in an environment of their own: JSON in, what each says as JSON out.

The form of jobs and answers is that of drawn/python_validators.py. Nothing of what they say is printed.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

import d42
import json_checker
import jsonspec.validators
import jsonvl
import mongoengine
import python_jsonschema_objects
import serpyco_rs
import serpyco_rs.metadata
import traitlets
import validx
import validx.exc
import zon
from d42.validation import Formatter, ValidationException

Schema = dict[str, Any]
Said = dict[str, Any]
DATE = r"^\d{4}-\d\d-\d\d$"


def kind_of(schema: Schema) -> str:
    """Return the type, with choices as a type of their own; a date is a text with a pattern."""
    return "enum" if "enum" in schema else str(schema["type"])


def pattern_of(schema: Schema) -> str | None:
    """Return the pattern of a text, that of a date included."""
    return DATE if schema.get("format") == "date" else schema.get("pattern")


def properties(schema: Schema) -> list[tuple[str, Schema, bool]]:
    """Return name, schema and whether it is required of each property."""
    return [(name, inner, name in schema["required"]) for name, inner in schema["properties"].items()]


def given(**limits: Any) -> dict[str, Any]:
    """Return those limits that are set."""
    return {name: limit for name, limit in limits.items() if limit is not None}


def least(schema: Schema) -> Any:
    """Return the lowest number that is named."""
    return schema.get("minimum", schema.get("exclusiveMinimum"))


def dotted(path: Any) -> str:
    """Return a path as guests[1].age."""
    return "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path).removeprefix(".")


# mongoengine


def _mongo(schema: Schema, name: str = "Answer") -> Any:
    """Return the class of an object, always the same one: fields accept no other."""
    return _mongo_class(json.dumps(schema), name)


@cache
def _mongo_class(schema_text: str, name: str) -> Any:
    schema = json.loads(schema_text)
    fields = {n: _mongo_field(s, n, required=must) for n, s, must in properties(schema)}
    strict = {"meta": {"strict": schema.get("additionalProperties") is False}}
    return type(name.title().replace("_", ""), (mongoengine.EmbeddedDocument,), fields | strict)


def _mongo_field(schema: Schema, name: str, *, required: bool = False) -> Any:
    kind = kind_of(schema)
    if kind == "object":
        return mongoengine.EmbeddedDocumentField(_mongo(schema, name), required=required)
    if kind == "array":
        return mongoengine.ListField(
            _mongo_field(schema["items"], name), required=required, **given(max_length=schema.get("maxItems"))
        )
    if kind in ("integer", "number"):
        made = mongoengine.IntField if kind == "integer" else mongoengine.FloatField
        return made(required=required, **given(min_value=least(schema), max_value=schema.get("maximum")))
    if kind == "boolean":
        return mongoengine.BooleanField(required=required)
    lengths = given(min_length=schema.get("minLength"), max_length=schema.get("maxLength"))
    rules = given(choices=schema.get("enum"), regex=pattern_of(schema)) | lengths
    return mongoengine.StringField(required=required, **rules)


def _mongo_made(schema: Schema, value: Any, name: str = "Answer") -> Any:
    kind = kind_of(schema)
    if kind == "object" and isinstance(value, dict):
        inner = {n: s for n, s, _ in properties(schema)}
        return _mongo(schema, name)(**{n: _mongo_made(inner.get(n, {"type": "x"}), v, n) for n, v in value.items()})
    if kind == "array" and isinstance(value, list):
        return [_mongo_made(schema["items"], one, name) for one in value]
    return value


def _mongoengine(schema: Schema, document: Any) -> Said | None:
    try:
        _mongo_made(schema, document).validate()
    except mongoengine.ValidationError as error:
        said = error.to_dict()
        return {"texts": {"str": str(error), "json": json.dumps(said), "json indented": json.dumps(said, indent=2)}}
    except (mongoengine.errors.FieldDoesNotExist, ValueError) as error:
        return {"texts": {"str": str(error)}}
    return None


# zon


def _zon(schema: Schema) -> Any:
    kind = kind_of(schema)
    if kind == "object":
        keys = {n: _zon(s) if must else _zon(s).optional() for n, s, must in properties(schema)}
        made = zon.record(keys)
        return made.strict() if schema.get("additionalProperties") is False else made
    if kind == "enum":
        return zon.enum(schema["enum"])
    if kind == "boolean":
        return zon.boolean()
    if kind in ("integer", "number"):
        made = zon.number().int() if kind == "integer" else zon.number()
        made = made.gt(schema["exclusiveMinimum"]) if "exclusiveMinimum" in schema else made
        made = made.gte(schema["minimum"]) if "minimum" in schema else made
        return made.lte(schema["maximum"]) if "maximum" in schema else made
    made = zon.element_list(_zon(schema["items"])) if kind == "array" else zon.string()
    shortest, longest = schema.get("minLength", schema.get("minItems")), schema.get("maxLength", schema.get("maxItems"))
    made = made.min(shortest) if shortest is not None else made
    made = made.max(longest) if longest is not None else made
    return made.regex(pattern_of(schema)) if pattern_of(schema) else made


def _zon_check(schema: Schema, document: Any) -> Said | None:
    good, result = _zon(schema).safe_validate(document)
    if good:
        return None
    errors = [[dotted(issue.path), issue.message] for issue in result.issues]
    return {"texts": {"str": str(result)}, "errors": errors}


# traitlets


def _traits(schema: Schema, value: Any, name: str = "Answer") -> Any:
    """Return an instance: traits are checked as they are set."""
    fields = {n: _trait(s, n) for n, s, _ in properties(schema)}
    made = type(name.title().replace("_", ""), (traitlets.HasTraits,), fields)()
    for key, one in value.items():
        inner = schema["properties"].get(key)
        if inner is None:
            continue
        setattr(made, key, _traits_value(inner, one, key))
    return made


def _traits_value(schema: Schema, value: Any, name: str) -> Any:
    if kind_of(schema) == "object" and isinstance(value, dict):
        return _traits(schema, value, name)
    if kind_of(schema) == "array" and isinstance(value, list):
        return [_traits_value(schema["items"], one, name) for one in value]
    return float(value) if kind_of(schema) == "number" and type(value) is int else value


def _trait(schema: Schema, name: str) -> Any:
    kind = kind_of(schema)
    if kind == "object":
        return traitlets.Instance(traitlets.HasTraits)
    if kind == "array":
        return traitlets.List(
            _trait(schema["items"], name), **given(minlen=schema.get("minItems"), maxlen=schema.get("maxItems"))
        )
    if kind == "enum":
        return traitlets.Enum(schema["enum"])
    if kind == "boolean":
        return traitlets.Bool()
    if kind in ("integer", "number"):
        made = traitlets.Int if kind == "integer" else traitlets.Float
        return made(**given(min=least(schema), max=schema.get("maximum")))
    return traitlets.Unicode()


def _traitlets(schema: Schema, document: Any) -> Said | None:
    try:
        _traits(schema, document)
    except traitlets.TraitError as error:
        return {"texts": {"str": str(error)}}
    return None


# validx


def _validx(schema: Schema) -> Any:
    kind = kind_of(schema)
    if kind == "object":
        optional = [n for n, _, must in properties(schema) if not must]
        extra = None if schema.get("additionalProperties") is False else (validx.Str(), validx.Any())
        keys = {n: _validx(s) for n, s, _ in properties(schema)}
        return validx.Dict(keys, **given(optional=optional or None, extra=extra))
    if kind == "array":
        limits = given(minlen=schema.get("minItems"), maxlen=schema.get("maxItems"))
        return validx.List(_validx(schema["items"]), **limits)
    if kind == "boolean":
        return validx.Bool()
    if kind in ("integer", "number"):
        made = validx.Int if kind == "integer" else validx.Float
        return made(**given(min=least(schema), max=schema.get("maximum")))
    lengths = given(minlen=schema.get("minLength"), maxlen=schema.get("maxLength"))
    return validx.Str(**given(options=schema.get("enum"), pattern=pattern_of(schema)), **lengths)


def _validx_check(schema: Schema, document: Any) -> Said | None:
    try:
        _validx(schema)(document)
    except validx.exc.ValidationError as error:
        errors = [[place, message] for place, message in validx.exc.format_error(error)]
        return {"texts": {"str": str(error)}, "errors": errors}
    return None


# jsonvl


def _jsonvl(schema: Schema) -> Schema:
    kind = kind_of(schema)
    if kind == "object":
        return {"type": "object", "attr": {n: _jsonvl(s) for n, s, _ in properties(schema)}}
    limits = given(gte=schema.get("minimum"), gt=schema.get("exclusiveMinimum"), lte=schema.get("maximum"))
    limits |= given(min_length=schema.get("minLength"), max_length=schema.get("maxLength"))
    limits |= given(min_size=schema.get("minItems"), max_size=schema.get("maxItems"))
    limits |= {"in": schema["enum"]} if kind == "enum" else {}
    limits |= {"format": {"type": "regex", "pattern": pattern_of(schema)}} if pattern_of(schema) else {}
    made: Schema = {"type": {"integer": "number", "enum": "string"}.get(kind, kind)}
    made |= {"elem": _jsonvl(schema["items"])} if kind == "array" else {}
    return made | ({"cons": limits} if limits else {})


def _jsonvl_check(schema: Schema, document: Any) -> Said | None:
    try:
        jsonvl.validate(document, _jsonvl(schema))
    except jsonvl.errors.JsonValidationError as error:
        return {"texts": {"str": str(error)}}
    return None


# json-checker: types and choices of its own; its limits are functions, whose names would be ours


def _checker(schema: Schema) -> Any:
    kind = kind_of(schema)
    types = {"integer": int, "boolean": bool, "string": str, "enum": str}
    if kind == "object":
        return {n if must else json_checker.OptionalKey(n): _checker(s) for n, s, must in properties(schema)}
    if kind == "array":
        return [_checker(schema["items"])]
    return json_checker.Or(int, float) if kind == "number" else types[kind]


def _json_checker(schema: Schema, document: Any) -> Said | None:
    try:
        json_checker.Checker(_checker(schema), soft=True).validate(document)
    except json_checker.core.exceptions.CheckerError as error:
        return {"texts": {"str": str(error)}}
    return None


# json-spec, which reads draft 4


def _draft4(schema: Schema) -> Schema:
    made = {word: value for word, value in schema.items() if word != "exclusiveMinimum"}
    if "exclusiveMinimum" in schema:
        made |= {"minimum": schema["exclusiveMinimum"], "exclusiveMinimum": True}
    if "properties" in schema:
        made["properties"] = {n: _draft4(s) for n, s, _ in properties(schema)}
    if "items" in schema:
        made["items"] = _draft4(schema["items"])
    if schema.get("format") == "date":
        made = {word: value for word, value in made.items() if word != "format"} | {"pattern": DATE}
    return made


def _json_spec(schema: Schema, document: Any) -> Said | None:
    try:
        jsonspec.validators.load(_draft4(schema)).validate(document)
    except jsonspec.validators.ValidationError as error:
        flat = error.flatten()
        errors = [[place, reason] for place, reasons in flat.items() for reason in reasons]
        said = {place: sorted(reasons) for place, reasons in flat.items()}
        return {"texts": {"json": json.dumps(said)}, "errors": errors}
    return None


# python-jsonschema-objects


def _schema_objects(schema: Schema, document: Any) -> Said | None:
    titled = {"title": "Answer", **_draft4(schema)}
    try:
        classes = python_jsonschema_objects.ObjectBuilder(titled).build_classes(named_only=False)
        classes.Answer(**document).validate()
    except python_jsonschema_objects.ValidationError as error:
        return {"texts": {"str": str(error)}}
    return None


# d42


def _d42(schema: Schema) -> Any:
    kind = kind_of(schema)
    s = d42.schema
    if kind == "object":
        keys = {n if must else d42.optional(n): _d42(inner) for n, inner, must in properties(schema)}
        return s.dict(keys if schema.get("additionalProperties") is False else {**keys, ...: ...})
    if kind == "enum":
        return s.any(*(s.str(one) for one in schema["enum"]))
    if kind == "boolean":
        return s.bool
    if kind in ("integer", "number"):
        whole = kind == "integer"
        made = s.int if whole else s.float
        made = made.min(least(schema) if whole else float(least(schema))) if least(schema) is not None else made
        most = schema.get("maximum")
        return made.max(most if whole else float(most)) if most is not None else made
    made = s.list(_d42(schema["items"])) if kind == "array" else s.str
    if pattern_of(schema):
        return made.regex(pattern_of(schema))
    shortest, longest = schema.get("minLength", schema.get("minItems")), schema.get("maxLength", schema.get("maxItems"))
    if shortest is None and longest is None:
        return made
    return made.len(... if shortest is None else shortest, ... if longest is None else longest)


def _floats(schema: Schema, value: Any) -> Any:
    """Make whole numbers of number fields floats, as the validator wants them."""
    kind = kind_of(schema)
    if kind == "object" and isinstance(value, dict):
        return {k: _floats(schema["properties"][k], v) if k in schema["properties"] else v for k, v in value.items()}
    if kind == "array" and isinstance(value, list):
        return [_floats(schema["items"], v) for v in value]
    return float(value) if kind == "number" and type(value) is int else value


def _d42_check(schema: Schema, document: Any) -> Said | None:
    made, answer = _d42(schema), _floats(schema, document)
    try:
        d42.validate_or_fail(made, answer)
    except ValidationException as error:
        each = [one.format(Formatter()) for one in d42.validate(made, answer).get_errors()]
        return {"texts": {"str": str(error).strip("\n"), "lines": "\n".join(each)}}
    return None


# serpyco-rs


def _serpyco(schema: Schema, name: str = "Answer") -> Any:
    kind = kind_of(schema)
    meta = serpyco_rs.metadata
    if kind == "object":
        fields = [
            (n, _serpyco(s, n)) if must else (n, _serpyco(s, n) | None, None)
            for n, s, must in sorted(properties(schema), key=lambda one: not one[2])
        ]
        return dataclasses.make_dataclass(name.title().replace("_", ""), fields)
    if kind == "enum":
        return Literal[tuple(schema["enum"])]
    if kind == "boolean":
        return bool
    base = {"integer": int, "number": float, "string": str}.get(kind) or list[_serpyco(schema["items"], name)]
    rules = [meta.Min(least(schema))] if least(schema) is not None else []
    rules += [meta.Max(schema["maximum"])] if "maximum" in schema else []
    shortest, longest = schema.get("minLength", schema.get("minItems")), schema.get("maxLength", schema.get("maxItems"))
    rules += [meta.MinLength(shortest)] if shortest is not None else []
    rules += [meta.MaxLength(longest)] if longest is not None else []
    return Annotated[(base, *rules)] if rules else base


def _serpyco_check(schema: Schema, document: Any) -> Said | None:
    try:
        serpyco_rs.Serializer(_serpyco(schema)).load(document)
    except serpyco_rs.SchemaValidationError as error:
        errors = [[one.instance_path, one.message] for one in error.errors]
        return {"texts": {"str": str(error)}, "errors": errors}
    return None


CHECKS: dict[str, Callable[[Schema, Any], Said | None]] = {
    "mongoengine": _mongoengine,
    "zon": _zon_check,
    "traitlets": _traitlets,
    "validx": _validx_check,
    "jsonvl": _jsonvl_check,
    "json-checker": _json_checker,
    "json-spec": _json_spec,
    "python-jsonschema-objects": _schema_objects,
    "d42": _d42_check,
    "serpyco-rs": _serpyco_check,
}


def main() -> None:
    """Read jobs, and write what each validator says about each."""
    said = []
    for job in json.load(sys.stdin):
        told = {}
        for name, check in CHECKS.items():
            try:
                one = check(job["schema"], job["document"])
            except Exception as error:  # a validator that breaks says nothing; its kind of error goes to the terminal
                sys.stderr.write(f"{name}: {type(error).__name__} at {_line(error)}\n")
                continue
            if one:
                told[name] = one
        said.append(told)
    json.dump(said, sys.stdout)


def _line(error: BaseException) -> int | None:
    trace = error.__traceback__
    while trace and trace.tb_next and "validators.py" in trace.tb_next.tb_frame.f_code.co_filename:
        trace = trace.tb_next
    return trace.tb_lineno if trace else None


if __name__ == "__main__":
    main()
