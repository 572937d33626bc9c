"""A msgspec Struct or an attrs class as a contract's schema. Neither package is imported unless it is used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, Union, get_args, get_origin

from ...errors import UsageError
from ..failure_kinds import FailureKind
from ..finding import Finding
from ..own_checks import said_by
from .json_schema import JsonSchemaCheck
from .pydantic_schema import PydanticCheck, type_name
from .schema import SchemaCheck, to_json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...document.path import Path

_AT = re.compile(r" - at `\$([^`]{0,500})`\Z")
"""The end of msgspec's messages: "Expected `str`, got `int` - at `$.steps[0].name`"."""
# One step of such a path: ".steps", "[0]".
_STEP = re.compile(r"\.([^.\[]+)|\[(\d{1,9})\]")


def foreign_check(schema: object, *, strict: bool) -> SchemaCheck:
    """Return the check for a msgspec Struct, or else for an attrs class; or for a type with one in it."""
    return MsgspecCheck(schema) if _has_struct(schema) else AttrsCheck(schema, strict=strict)


def _has_struct(annotation: object) -> bool:
    own = hasattr(get_origin(annotation) or annotation, "__struct_fields__")
    return own or any(map(_has_struct, get_args(annotation)))


class MsgspecCheck(JsonSchemaCheck):
    """Let msgspec decide, and describe a rejected answer by its JSON Schema, which finds all errors and not just one.

    The schema is stricter: it rejects `{"2026": …}` for `dict[int, …]`, and a number for a `Decimal`.
    """

    def __init__(self, struct: Any) -> None:
        self._struct, self._msgspec = struct, import_module("msgspec")
        try:
            described = self._msgspec.json.schema(struct)
        except (TypeError, NameError) as error:  # a type that msgspec doesn't know, or a name that is not defined
            raise UsageError(f"msgspec cannot use {type_name(struct)} as a schema: {error}") from error
        super().__init__(described)

    @property
    def name(self) -> str:
        """The name of the Struct."""
        return type_name(self._struct)

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:
        """Return the Struct, or None with the findings."""
        body = text if text is not None else to_json_text(data)
        try:
            return self._msgspec.json.decode(body or "", type=self._struct), []
        except Exception as error:  # msgspec's own, a lone surrogate, or anything that a `__post_init__` raises
            return None, super().validate(data, text)[1] or [_of_msgspec(said_by(error, None))]


def _of_msgspec(message: str) -> Finding:
    at = _AT.search(message)
    known = at[1].partition("[...]")[0] if at else ""  # it leaves out the keys of a dict: "$.owners[...].age"
    path: Path = tuple(name or int(index) for name, index in _STEP.findall(known))
    said = message[: at.start()] if at else message
    return Finding("value_error", path, said[:500], FailureKind.RULE, validator_message=said[:500])


class AttrsCheck(PydanticCheck):
    """Validate by a pydantic model with the same fields, then create the instance, which runs the class's validators.

    Checks see the answer as it was written, without defaults.
    """

    def __init__(self, schema: Any, *, strict: bool) -> None:
        self._own_name = type_name(schema)
        super().__init__(_as_pydantic(schema), strict=strict)

    @property
    def name(self) -> str:
        """The name of the class."""
        return self._own_name

    def plain(self, value: object, data: object) -> Any:  # noqa: ARG002 - the interface
        """Return the answer as it was written."""
        return data

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:
        """Return the valid parts of the answer as they were written."""
        return SchemaCheck.sound(self, data, text, broken)


@cache
def _as_pydantic(schema: Any) -> Any:
    """Return a type for pydantic that validates the fields of each attrs class and creates its instance."""
    made: dict[str, Any] = {}
    found = _translated(schema, made)
    for each in made.values():
        get_args(each)[0].model_rebuild(_types_namespace=made)
    return found


def _model_of(schema: Any, made: dict[str, Any]) -> Any:
    """Return the type of one class, and add it to those made. Until it is complete, its name refers to it."""
    from pydantic import AfterValidator, Field, create_model

    name = f"attrs_{id(schema)}"
    if name in made:
        return made[name]
    made[name] = ForwardRef(name)
    attrs = import_module("attrs")
    fields: dict[str, Any] = {}
    try:
        resolved = attrs.resolve_types(schema)
    except NameError as error:  # a class in a function that refers to itself or to another one there
        what = f"attrs cannot resolve the types of {schema.__name__}: {error}"
        raise UsageError(f"{what}. Define the class and those it names at the top of a module.") from error
    for one in attrs.fields(resolved):
        if one.init:
            default = one.default
            # Any default makes a field optional. attrs computes the real one, which may need the instance.
            factory = default.factory if isinstance(default, attrs.Factory) and not default.takes_self else None
            given: Any = ... if default is attrs.NOTHING else default
            extra = {"default_factory": factory} if factory else {"default": given}
            fields[one.alias] = (_translated(one.type or Any, made), Field(**extra))
    model = create_model(schema.__name__, **fields)
    made[name] = Annotated[model, AfterValidator(_builder(schema, tuple(fields)))]
    return made[name]


def _builder(schema: Any, names: Sequence[str]) -> Callable[[object], object]:
    def build(model: Any) -> Any:
        try:
            return schema(**{name: getattr(model, name) for name in names if name in model.model_fields_set})
        except TypeError as error:  # attrs.validators.instance_of
            raise ValueError(str(error.args[0] if error.args else error)) from error

    return build


def _translated(annotation: object, made: dict[str, Any]) -> object:
    """Return an annotation with every attrs class in it replaced."""
    if hasattr(annotation, "__attrs_attrs__") and isinstance(annotation, type):
        return _model_of(annotation, made)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is None or not inner:
        return annotation
    parts = tuple(_translated(part, made) for part in inner)
    return Union[parts] if origin in (Union, UnionType) else origin[parts]  # noqa: UP007 - a reference has no |
