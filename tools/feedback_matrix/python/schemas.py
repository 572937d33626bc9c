"""Validators that take a JSON Schema as it is."""

from __future__ import annotations

import json
from typing import Any

import fastjsonschema
import jsonschema
import jsonschema_rs

from .found import Found, bracketed, dotted, pointer, validator


@validator("jsonschema")
def _jsonschema(schema: dict[str, Any], document: Any) -> Found | None:
    checker = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    errors = sorted(checker.iter_errors(document), key=lambda e: [str(s) for s in e.absolute_path])
    if not errors:
        return None
    texts = {
        "str": "\n\n".join(map(str, errors)),
        "json path": "\n".join(f"{e.json_path}: {e.message}" for e in errors),
        "deque": "\n".join(f"{e.absolute_path}: {e.message}" for e in errors),
        "list of path": "\n".join(f"{list(e.absolute_path)}: {e.message}" for e in errors),
        "pointer": "\n".join(f"{pointer(e.absolute_path) or '/'}: {e.message}" for e in errors),
        "validator": json.dumps(
            [{"path": list(e.path), "validator": e.validator, "message": e.message} for e in errors]
        ),
        "message": "\n".join(e.message for e in errors),
    }
    return Found(texts, [(dotted(e.absolute_path), e.message) for e in errors])


@validator("jsonschema-rs")
def _jsonschema_rs(schema: dict[str, Any], document: Any) -> Found | None:
    checker = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    errors = list(checker.iter_errors(document))
    if not errors:
        return None
    texts = {
        "str": "\n\n".join(map(str, errors)),
        "pointer": "\n".join(f"{pointer(e.instance_path)}: {e.message}" for e in errors),
        "list": json.dumps([{"instance_path": e.instance_path, "message": e.message} for e in errors]),
    }
    return Found(texts, [(bracketed(e.instance_path), e.message) for e in errors])


@validator("fastjsonschema")
def _fastjsonschema(schema: dict[str, Any], document: Any) -> Found | None:
    try:
        fastjsonschema.compile(schema)(document)
    except fastjsonschema.JsonSchemaValueException as error:
        texts = {
            "str": str(error),
            "rule": f"{'.'.join(error.path)}: {error.message} ({error.rule}={error.rule_definition})",
        }
        return Found(texts, [(".".join(error.path), error.message)])
    return None
