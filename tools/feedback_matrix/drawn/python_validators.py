"""Runs the drawn validators of Python over jobs, in their own environment: jobs as JSON in, what each says as JSON out.

A job is {"schema", "document"}. What one says is {"texts": {rendering: text}, "errors": [[place, message]]}; a
validator that accepts the document says nothing.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable
from typing import Any

import good
import jsonmodels.errors
import jsonmodels.fields
import jsonmodels.models
import jsonmodels.validators
import koda_validate as koda
import strictyaml
import validictory
import validr
import yamale
import yaml
from pykwalify.core import Core

Schema = dict[str, Any]
Said = dict[str, Any]
DATE = r"^\d{4}-\d\d-\d\d$"
logging.disable(logging.CRITICAL)


def kind_of(schema: Schema) -> str:
    """Return the type, with choices and dates as types of their own."""
    return "enum" if "enum" in schema else "date" if schema.get("format") == "date" else str(schema["type"])


def properties(schema: Schema) -> list[tuple[str, Schema, bool]]:
    """Return name, schema and whether it is required of each property."""
    return [(name, inner, name in schema["required"]) for name, inner in schema["properties"].items()]


def is_date(text: object) -> bool:
    """Whether the text is a date as YYYY-MM-DD."""
    return isinstance(text, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None


def bracketed(path: Any) -> str:
    """Return a path as guests[1].age."""
    return "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path).removeprefix(".")


# pykwalify


def _kwalify(schema: Schema, required: bool = True) -> Schema:
    kind = kind_of(schema)
    types = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "enum": "str", "date": "str"}
    if kind == "object":
        inner = {name: _kwalify(s, must) for name, s, must in properties(schema)}
        return {"type": "map", "required": required, "mapping": inner}
    if kind == "array":
        limits = {"min": schema.get("minItems"), "max": schema.get("maxItems")}
        made = {"type": "seq", "required": required, "sequence": [_kwalify(schema["items"])]}
        return made | _range(limits)
    made = {"type": types[kind], "required": required}
    if kind == "enum":
        return made | {"enum": schema["enum"]}
    if kind == "date":
        return made | {"pattern": DATE}
    made |= {"pattern": schema["pattern"]} if "pattern" in schema else {}
    least, most = schema.get("minimum", schema.get("minLength")), schema.get("maximum", schema.get("maxLength"))
    return made | _range({"min": least, "max": most, "min-ex": schema.get("exclusiveMinimum")})


def _range(limits: dict[str, Any]) -> Schema:
    given = {name: limit for name, limit in limits.items() if limit is not None}
    return {"range": given} if given else {}


def _pykwalify(schema: Schema, document: Any) -> Said | None:
    core = Core(source_data=document, schema_data=_kwalify(schema))
    core.validate(raise_exception=False)
    errors = core.validation_errors
    return {"texts": {"lines": "\n".join(errors), "bullets": "\n".join(f" - {e}" for e in errors)}} if errors else None


# validr


def _validr(schema: Schema, required: bool = True) -> Any:
    kind = kind_of(schema)
    t = validr.T
    if kind == "object":
        made = t.dict(**{name: _validr(s, must) for name, s, must in properties(schema)})
    elif kind == "array":
        made = t.list(_validr(schema["items"]))
        made = made.minlen(schema["minItems"]) if "minItems" in schema else made
        made = made.maxlen(schema["maxItems"]) if "maxItems" in schema else made
    elif kind == "enum":
        made = t.enum(schema["enum"])
    elif kind in ("integer", "number"):
        made = t.int if kind == "integer" else t.float
        least = schema.get("minimum", schema.get("exclusiveMinimum"))
        made = made.min(least) if least is not None else made
        made = made.max(schema["maximum"]) if "maximum" in schema else made
        made = made.exmin if "exclusiveMinimum" in schema else made
    elif kind == "boolean":
        made = t.bool
    elif kind == "date":
        made = t.date
    else:
        made = t.str
        made = made.minlen(schema["minLength"]) if "minLength" in schema else made
        made = made.maxlen(schema["maxLength"]) if "maxLength" in schema else made
        made = made.match(schema["pattern"]) if "pattern" in schema else made
    return made if required else made.optional


def _validr_check(schema: Schema, document: Any) -> Said | None:
    try:
        validr.Compiler().compile(_validr(schema))(document)
    except validr.Invalid as error:
        return {"texts": {"str": str(error)}, "errors": [[error.position, error.message]]}
    return None


# yamale


def _yamale(schema: Schema, includes: Schema, required: bool = True) -> Any:
    """Return the rule of a value in yamale's own language; objects inside go to the includes."""
    kind = kind_of(schema)
    limits = [word for word in schema if re.fullmatch("(min|max)(imum|Length|Items)", word)]
    words = [f"{word[:3]}={schema[word]}" for word in limits]
    words += [] if required else ["required=False"]
    if kind == "object":
        name = f"part{len(includes)}"
        includes[name] = {}
        includes[name] |= {n: _yamale(s, includes, must) for n, s, must in properties(schema)}
        return f"include('{name}'{'' if required else ', required=False'})"
    if kind == "array":
        return f"list({', '.join([_yamale(schema['items'], includes), *words])})"
    if kind == "enum":
        return f"enum({', '.join(repr(one) for one in schema['enum'])}{'' if required else ', required=False'})"
    if kind == "date":
        return f"regex({', '.join([repr(DATE), *words])})"  # yamale's own `day` wants a date that YAML has parsed
    if "pattern" in schema:
        return f"regex({', '.join([repr(schema['pattern']), *words])})"
    kinds = {"integer": "int", "number": "num", "boolean": "bool", "string": "str"}
    return f"{kinds[kind]}({', '.join(words)})"


def _yamale_check(schema: Schema, document: Any) -> Said | None:
    includes: Schema = {}
    top = {n: _yamale(s, includes, must) for n, s, must in properties(schema)}
    text = "---\n".join(yaml.safe_dump(part) for part in (top, *({name: one} for name, one in includes.items())))
    data = yamale.make_data(content=yaml.safe_dump(document))
    try:
        yamale.validate(yamale.make_schema(content=text), data, strict=schema.get("additionalProperties") is False)
    except yamale.YamaleError as error:
        errors = [line for result in error.results for line in result.errors]
        return {"texts": {"str": str(error), "lines": "\n".join(errors)}}
    return None


# koda-validate


def _koda(schema: Schema) -> Any:
    kind = kind_of(schema)
    if kind == "object":
        keys = {n: _koda(s) if must else koda.KeyNotRequired(_koda(s)) for n, s, must in properties(schema)}
        return koda.DictValidatorAny(keys, fail_on_unknown_keys=schema.get("additionalProperties") is False)
    if kind == "array":
        limits = (("minItems", koda.MinItems), ("maxItems", koda.MaxItems))
        rules = [make(schema[word]) for word, make in limits if word in schema]
        return koda.ListValidator(_koda(schema["items"]), predicates=rules)
    if kind == "boolean":
        return koda.BoolValidator()
    if kind == "enum":
        return koda.StringValidator(koda.Choices(set(schema["enum"])))
    if kind == "date" or "pattern" in schema:
        return koda.StringValidator(koda.RegexPredicate(re.compile(schema.get("pattern", DATE))))
    if kind == "string":
        limits = (("minLength", koda.MinLength), ("maxLength", koda.MaxLength))
        return koda.StringValidator(*(make(schema[word]) for word, make in limits if word in schema))
    rules = [koda.Min(schema["minimum"])] if "minimum" in schema else []
    rules += [koda.Min(schema["exclusiveMinimum"], exclusive_minimum=True)] if "exclusiveMinimum" in schema else []
    rules += [koda.Max(schema["maximum"])] if "maximum" in schema else []
    return (koda.IntValidator if kind == "integer" else koda.FloatValidator)(*rules)


def _koda_check(schema: Schema, document: Any) -> Said | None:
    from koda_validate.serialization import to_serializable_errs

    numbers = json.loads(json.dumps(document))
    result = _koda(schema)(_floats(schema, numbers))
    if result.is_valid:
        return None
    errors = to_serializable_errs(result)
    return {"texts": {"json": json.dumps(errors), "json indented": json.dumps(errors, indent=2)}}


def _floats(schema: Schema, value: Any) -> Any:
    """Make whole numbers of number fields floats, as the validator wants them."""
    kind = kind_of(schema)
    if kind == "object" and isinstance(value, dict):
        return {k: _floats(schema["properties"][k], v) if k in schema["properties"] else v for k, v in value.items()}
    if kind == "array" and isinstance(value, list):
        return [_floats(schema["items"], v) for v in value]
    return float(value) if kind == "number" and isinstance(value, int) and not isinstance(value, bool) else value


# strictyaml


def _strict(schema: Schema) -> Any:
    kind = kind_of(schema)
    if kind == "object":
        keys = {n if must else strictyaml.Optional(n): _strict(s) for n, s, must in properties(schema)}
        return strictyaml.Map(keys)
    if kind == "array":
        return strictyaml.Seq(_strict(schema["items"]))
    if kind == "enum":
        return strictyaml.Enum(schema["enum"])
    if kind == "date" or "pattern" in schema:
        return strictyaml.Regex(schema.get("pattern", DATE))
    types = {"integer": strictyaml.Int, "number": strictyaml.Float, "boolean": strictyaml.Bool}
    return types.get(kind, strictyaml.Str)()


def _strict_check(schema: Schema, document: Any) -> Said | None:
    text = yaml.safe_dump(document, default_flow_style=False, sort_keys=False)
    if re.search(r"[:-] (\[\]|\{\})$", text, flags=re.MULTILINE):
        return None  # the flow style of an empty list is refused as such, whatever the schema says
    try:
        strictyaml.load(text, _strict(schema))
    except strictyaml.YAMLError as error:
        return {"texts": {"str": str(error)}}
    return None


# jsonmodels


def _jsonmodel(schema: Schema, name: str = "Answer") -> Any:
    fields = {n: _jsonmodel_field(s, must, n) for n, s, must in properties(schema)}
    return type(name.title().replace("_", ""), (jsonmodels.models.Base,), fields)


def _jsonmodel_field(schema: Schema, required: bool, name: str) -> Any:
    kind = kind_of(schema)
    f, v = jsonmodels.fields, jsonmodels.validators
    rules: list[Any] = []
    least = schema.get("minimum", schema.get("exclusiveMinimum"))
    if least is not None:
        rules.append(v.Min(least, exclusive="exclusiveMinimum" in schema))
    if "maximum" in schema:
        rules.append(v.Max(schema["maximum"]))
    shortest, longest = schema.get("minLength", schema.get("minItems")), schema.get("maxLength", schema.get("maxItems"))
    if shortest is not None or longest is not None:
        rules.append(v.Length(shortest, longest))
    if "pattern" in schema:
        rules.append(v.Regex(schema["pattern"]))
    if kind == "enum":
        rules.append(v.Enum(*schema["enum"]))
    common = {"required": required, "validators": rules}
    if kind == "object":
        return f.EmbeddedField(_jsonmodel(schema, name), required=required)
    if kind == "array":
        inner = kind_of(schema["items"]) == "object"
        return f.ListField([_jsonmodel(schema["items"], name) if inner else str], **common)
    made = {"integer": f.IntField, "number": f.FloatField, "boolean": f.BoolField, "date": f.StringField}
    if kind == "date":
        common["validators"] = [v.Regex(DATE)]
    return made.get(kind, f.StringField)(**common)


def _jsonmodels(schema: Schema, document: Any) -> Said | None:
    try:
        _jsonmodel(schema)(**document).validate()
    except (jsonmodels.errors.ValidationError, ValueError, TypeError, AttributeError) as error:
        return {"texts": {"str": str(error), "repr": repr(error)}}
    return None


# validictory


def _draft3(schema: Schema, required: bool = True) -> Schema:
    kind = kind_of(schema)
    ours = ("required", "properties", "items", "format", "exclusiveMinimum")
    made = {word: value for word, value in schema.items() if word not in ours}
    made |= {"required": required}
    if kind == "object":
        made["properties"] = {n: _draft3(s, must) for n, s, must in properties(schema)}
    if kind == "array":
        made["items"] = _draft3(schema["items"])
    if "exclusiveMinimum" in schema:
        made |= {"minimum": schema["exclusiveMinimum"], "exclusiveMinimum": True}
    return made | ({"format": "date"} if kind == "date" else {})


def _validictory(schema: Schema, document: Any) -> Said | None:
    try:
        validictory.validate(document, _draft3(schema), fail_fast=False)
    except validictory.MultipleValidationError as error:
        errors = [[one.fieldname, str(one)] for one in error.errors]
        return {"texts": {"str": str(error), "lines": "\n".join(m for _, m in errors)}}
    except ValueError as error:
        return {"texts": {"str": str(error)}}
    return None


# good


def _good(schema: Schema) -> Any:
    kind = kind_of(schema)
    types = {"integer": int, "number": good.Any(float, int), "boolean": bool, "string": str}
    if kind == "object":
        keys = {(good.Required if must else good.Optional)(n): _good(s) for n, s, must in properties(schema)}
        extra = good.Reject if schema.get("additionalProperties") is False else good.Allow
        return good.Schema({**keys, good.Extra: extra})
    if kind == "array":
        return good.All([_good(schema["items"])], *_good_length(schema.get("minItems"), schema.get("maxItems")))
    if kind == "enum":
        return good.In(schema["enum"])
    if kind == "date":
        return good.Date("%Y-%m-%d")
    least = schema.get("minimum", schema.get("exclusiveMinimum"))
    rules = [good.Range(least, schema.get("maximum"))] if least is not None or "maximum" in schema else []
    rules += _good_length(schema.get("minLength"), schema.get("maxLength"))
    rules += [good.Match(re.compile(schema["pattern"]))] if "pattern" in schema else []
    return good.All(types[kind], *rules)


def _good_length(least: int | None, most: int | None) -> list[Any]:
    return [good.Length(least, most)] if least is not None or most is not None else []


def _good_check(schema: Schema, document: Any) -> Said | None:
    try:
        good.Schema(_good(schema))(document)
    except good.Invalid as error:
        each = list(error)
        texts = {"str": str(error), "lines": "\n".join(f"{bracketed(e.path)}: {e.message}" for e in each)}
        return {"texts": texts, "errors": [[bracketed(e.path), f"{e.message}: expected {e.expected}"] for e in each]}
    return None


CHECKS: dict[str, Callable[[Schema, Any], Said | None]] = {
    "pykwalify": _pykwalify,
    "validr": _validr_check,
    "yamale": _yamale_check,
    "koda-validate": _koda_check,
    "strictyaml": _strict_check,
    "jsonmodels": _jsonmodels,
    "validictory": _validictory,
    "good": _good_check,
}


def main() -> None:
    """Read jobs, and write what each validator says about each."""
    said = []
    for job in json.load(sys.stdin):
        found = {}
        for name, check in CHECKS.items():
            try:
                one = check(job["schema"], job["document"])
            except Exception as error:  # a validator that breaks says nothing, and the reason goes to the terminal
                sys.stderr.write(f"{name}: {type(error).__name__}: {str(error)[:150]}\n")
                continue
            if one:
                found[name] = one
        said.append(found)
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()
