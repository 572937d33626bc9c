"""A pydantic model, or any type that a TypeAdapter takes, as a contract's schema."""

from __future__ import annotations

from functools import cached_property, lru_cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from pydantic_core import ValidationError

from ...errors import UsageError
from .schema import SchemaCheck, defaulted, is_flat, to_json_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator

    from ..finding import Finding
    from .json_schema import JsonSchemaCheck
    from .pydantic_location import Locator
    from .schema_growth import Parts


_UNFINISHED = frozenset({"undefined-annotation", "class-not-fully-defined"})
"""Codes of pydantic's errors for a type with undefined names."""

_SHORT = 20_000
"""Maximum number of characters of an answer that surely has fewer values than `bounds.FEW`, since each value
takes a character and a comma."""
_LARGE = 50_000
"""Number of characters of a text above which copies in pydantic's errors matter."""
_COPIES = 2
"""Maximum number of errors of a large text that may show an object or a list. Every copy takes about seven times the
text's size."""


class PydanticCheck(SchemaCheck):
    """Validate in pydantic's JSON mode: JSON text as it is, other data converted to JSON text.

    In JSON mode `strict=True` still takes "2026-01-31" for a date, but not "1" for an integer. Data that pydantic's
    JSON parser refuses (a lone surrogate, more than 200 levels) is validated as Python data instead. So is a large
    answer that lacks several fields: in JSON mode pydantic copies the whole object for each of them.

    Pydantic tries every alternative of a union, even for a good answer. If alternatives are nested, an answer may take
    more than `ASKED` visits: then the JSON Schema comes first, and pydantic only if that passes.
    """

    def __init__(self, schema: object, *, strict: bool) -> None:
        """Accept a model as is, and any other type if pydantic can use it. Raises UsageError if it never can."""
        self._schema = schema
        self._strict = strict or None  # None leaves the decision to the model's config
        if not hasattr(schema, "__pydantic_complete__"):
            self._refuse_unusable()

    @property
    def name(self) -> str:
        """The name of the model or type."""
        return type_name(self._schema)

    def _refuse_unusable(self) -> None:
        """Raise UsageError if the type is defined wrongly, but not if it uses a name that is still undefined."""
        try:
            _ = self._adapter
        except UsageError as error:
            if getattr(error.__cause__, "code", "undefined-annotation") not in _UNFINISHED:
                raise

    @cached_property
    def _adapter(self) -> TypeAdapter[object]:
        try:
            return _adapter(self._schema)
        except TypeError:  # an unhashable type, for example an Annotated with a list in it
            return _adapter.__wrapped__(self._schema)

    @cached_property
    def _locator(self) -> Locator:
        from .pydantic_location import Locator

        return Locator(self._adapter.core_schema)

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:
        """Return the model instance with a warning for each default taken, or None with the errors."""
        deep = None if is_flat(text) else self._deep
        rejected = [] if deep is None else self._rejected(deep, data)
        if deep is None and (text is None or len(text) > _SHORT) and self._is_costly_to_count:
            rejected = self._of_start(data)
        if rejected:
            return None, rejected
        try:
            body = text if text is not None else to_json_text(data)
            if body is not None and len(body) > _LARGE:
                self._raise_costly(data)
            value = self._parsed_by(self._adapter, data, body, self._strict)
        except UsageError:
            raise
        except Exception as exc:  # a user's validator may raise anything
            return None, self._broken(exc, data, deep)
        return value, defaulted(value)

    def _broken(self, exc: Exception, data: object, deep: Parts | None) -> list[Finding]:
        """Return the findings of a failed validation; those of the JSON Schema if pydantic made too many errors."""
        from ..phrasing import unread
        from .bounds import FEW
        from .deep_type import READ
        from .pydantic_errors import findings

        count = exc.error_count() if isinstance(exc, ValidationError) else 1
        if deep is None or count <= READ:
            return (self._of_start(data) if count > FEW else []) or findings(exc, self._locator, data)
        found = self._schema_findings(data)
        return [*found, unread(count, known_bad=bool(found))]

    def _of_start(self, data: object) -> list[Finding]:
        """Return the findings of the start of an answer with very many errors; [] for any other answer."""
        from .bounds import findings_of_start
        from .pydantic_errors import findings

        def listed(part: object) -> list[Finding]:
            exc = self._errors_of(part)
            return [] if exc is None else findings(exc, self._locator, part)

        return findings_of_start(data, self._count, listed)

    @cached_property
    def _is_costly_to_count(self) -> bool:
        """True if each error copies a long list of values, and errors at the start are also errors of the whole answer.

        The start of an answer may not fit the alternative of a union that the whole fits.
        """
        from .bounds import LONG
        from .pydantic_location import nodes

        lists = ("expected", "members")
        every = [*nodes(self._adapter.core_schema)]
        if any("union" in node["type"] or "function" in node["type"] for node in every):
            return False
        return any(isinstance(node.get(key), list) and len(node[key]) > LONG for node in every for key in lists)

    def _count(self, data: object) -> int:
        error = self._errors_of(data)
        return 0 if error is None else error.error_count()

    def _errors_of(self, data: object) -> ValidationError | None:
        """Return pydantic's errors of an answer; None without errors, or if a validator of the user raises another."""
        try:
            self._parsed_by(self._adapter, data, to_json_text(data), self._strict)
        except ValidationError as exc:
            return exc
        except Exception:  # a user's validator may raise anything
            return None
        return None

    @cached_property
    def _deep(self) -> Parts | None:
        """The parts of a type whose alternatives may visit one value many times; None for most types."""
        from .deep_type import core_schema_parts
        from .schema_growth import MANY, most_judgements

        parts = core_schema_parts(self._adapter.core_schema)
        return parts if most_judgements(self._adapter.core_schema, parts) > MANY else None

    @cached_property
    def _by_json_schema(self) -> JsonSchemaCheck | None:
        """The JSON Schema to check instead of pydantic; None without one that takes the same names."""
        from .json_schema import JsonSchemaCheck

        try:
            return None if self._json_schema is None or self.other_names != {} else JsonSchemaCheck(self._json_schema)
        except UsageError:  # jsonschema-rs is not installed, or the schema is beyond its bounds
            return None

    def _rejected(self, deep: Parts, data: object) -> list[Finding]:
        """Return why pydantic is not called for an answer: errors of its JSON Schema, or a note on the cost."""
        from ..phrasing import not_asked
        from .deep_type import ASKED, ASKED_OF_GOOD, visits_by

        visits = visits_by(self._adapter.core_schema, deep, data)
        if visits is not None and visits <= ASKED:
            return []
        found = self._schema_findings(data)
        if not found and self._by_json_schema is not None and visits is not None and visits <= ASKED_OF_GOOD:
            return []
        return [*found, not_asked(self.name, visits, known_bad=bool(found))]

    def _schema_findings(self, data: object) -> list[Finding]:
        return [] if self._by_json_schema is None else self._by_json_schema.validate(data)[1]

    def _parsed_by(
        self, validator: TypeAdapter[object] | SchemaValidator, data: object, body: str | None, strict: bool | None
    ) -> object:
        if body is None:
            return validator.validate_python(data, strict=strict)
        try:
            return validator.validate_json(body, strict=strict)
        except ValidationError as exc:
            if exc.error_count() > 1 or exc.errors(include_url=False)[0]["type"] != "json_invalid":
                raise  # a different error: pydantic's parser accepts the text
            return validator.validate_python(data, strict=strict)

    def _raise_costly(self, data: object) -> None:
        """Raise the errors of validation as Python data, if JSON mode would copy much of a large text."""
        from .bounds import FEW

        try:
            self._adapter.validate_python(data, strict=self._strict)
        except ValidationError as exc:
            if exc.error_count() > FEW:
                raise
            shown = (error["input"] for error in exc.errors(include_url=False, include_context=False))
            if sum(isinstance(value, dict | list) for value in shown) > _COPIES:
                raise
        except Exception:  # a user's validator may raise anything, and does so again in JSON mode
            return

    def plain(self, value: object, data: object) -> Any:
        """Return a validated value as plain data under its JSON names."""
        from ..own_checks import plain_value

        return plain_value(value, data, self._naming)

    @cached_property
    def _naming(self) -> TypeAdapter[object] | None:
        from .pydantic_location import has_own_names

        return self._adapter if has_own_names(self._adapter.core_schema) else None

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:
        """Return the plain data of the valid parts. A union that is costly to validate has none."""
        from ..own_checks import HOLE, Stopped, cut, plain_value

        if self._opened is None or not (is_flat(text) or self._deep is None):
            return HOLE
        try:
            # Not strict: a function gets each part as a Python value, and a strict date does not take its text there.
            value = self._parsed_by(self._opened, data, to_json_text(data), None)
            sound = plain_value(value, HOLE, self._naming)
            # So "1" was taken for an integer, but the findings know it. Extra members are left out already.
            return cut(sound, [one for one in broken if one.code != "extra"]) if self._strict else sound
        except (Exception, Stopped):  # a user's validator may raise anything
            return HOLE

    @cached_property
    def _opened(self) -> SchemaValidator | None:
        from .opened import opened_validator

        return opened_validator(self._adapter.core_schema)

    def json_schema(self) -> dict[str, Any] | None:
        """Return the JSON Schema of the model's input; None if some type in it has none."""
        return self._json_schema

    @cached_property
    def _json_schema(self) -> dict[str, object] | None:
        import warnings

        from pydantic.errors import PydanticUserError
        from pydantic.json_schema import PydanticJsonSchemaWarning

        try:
            with warnings.catch_warnings():  # a default that JSON cannot hold is left out, which is harmless
                warnings.simplefilter("ignore", PydanticJsonSchemaWarning)
                return self._adapter.json_schema()
        except PydanticUserError:
            return None

    @cached_property
    def other_names(self) -> Mapping[str, tuple[str, ...]] | None:  # type: ignore[override]  # found when asked for
        """The names of each field that has several: its own and its alias, or alternative aliases."""
        from .pydantic_location import several_names

        return several_names(self._adapter.core_schema)


def type_name(schema: object) -> str:
    """Return "Ticket" for a class, "int | None" for `Optional[int]`, since Python versions name unions differently."""
    if isinstance(schema, UnionType) or get_origin(schema) is Union:
        return " | ".join(_written(member) for member in get_args(schema))
    return getattr(schema, "__name__", None) or _written(schema)


def _written(schema: object) -> str:
    """Return a type as written: "Ticket", "list[int]", "None"."""
    if schema is NoneType:
        return "None"
    return schema.__name__ if isinstance(schema, type) else str(schema).replace("typing.", "")


@lru_cache(maxsize=256)
def _adapter(schema: Any) -> TypeAdapter[object]:
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    try:
        adapter = TypeAdapter(schema)
        if hasattr(adapter, "rebuild"):  # `TypeAdapter` defers the error about undefined names
            adapter.rebuild()
        else:  # pydantic before 2.10: a stand-in raises at its first use
            str(adapter.validator.title)
    except (PydanticUserError, NameError) as exc:
        reason = str(exc).partition("\n")[0]
        raise UsageError(f"pydantic cannot use {schema!r} as a schema: {reason}") from exc
    return adapter
