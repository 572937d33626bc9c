"""A contract combines the schema, constraints and rules for an answer. It has a name and a digest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypedDict, TypeVar, Unpack, get_args, get_origin, overload

from ..errors import UsageError
from .check import Checker, refuse_unfit_rules
from .schema.schema import SchemaCheck
from .verdict import SchemaValidationError, T_co

if TYPE_CHECKING:
    from ..document.answer import Extract, Format
    from .calls import CallRule
    from .check import DocumentRule, JudgedPart, PartKind
    from .comparison.comparators import Comparator
    from .comparison.comparison import Comparison
    from .constraints.constraint import ContentConstraint
    from .constraints.scene import CheckContext
    from .failure_kinds import FailureKind
    from .verdict import Verdict

    class _Options(TypedDict, total=False):
        constraints: Iterable[ContentConstraint]
        rules: Iterable[DocumentRule]
        format: Format
        strict: bool
        name: str | None
        extract: Extract
        judged: Literal["auto", "text"] | str | JudgedPart  # noqa: PYI051 - says which words are special
        argument: str | None
        describe: bool
        calls: str | CallRule | Sequence[str | CallRule]
        wrap_list: bool
        compare: Mapping[str, Comparator]


M = TypeVar("M")
_FORMATS = ("auto", "json", "yaml", "markdown")
_EXTRACTS = ("embedded", "whole")


class Contract(Generic[T_co]):
    """The schema, constraints and rules that an answer must satisfy. Immutable, and cheap to create at import time.

    `Contract(Ticket)` is a `Contract[Ticket]`: `parse` returns a `Ticket`, and so does `check(...).value`. If the
    schema is not a class, the type is `Contract[Any]`.

    Args:
        schema: a pydantic model, any type that a pydantic TypeAdapter takes, an attrs class, a msgspec Struct or a JSON
            Schema as a dict (these two need the extra `[jsonschema]`), or None for constraints and rules alone.
        constraints: content rules, see `ContentConstraint`.
        rules: callables `(data, document) -> findings` over the whole document: `data` is the validated value as plain
            data, `document.data` is what the model wrote. A rule may have an attribute `reads`, the format to use if
            `format` is "auto", and an attribute `at`, a path pattern of the field that it judges.
        format: "json", "yaml", "markdown", or "auto" to detect it from the text.
        strict: pydantic's strict mode for JSON: "1" is not an integer. JSON Schemas are always strict.
        name: for reports; the schema's name by default.
        extract: "embedded" finds the document in a fence, in prose or after a thinking block, and adds an info finding;
            "whole" requires an answer that is only the document.
        judged: the part of an answer that is judged: "text" (of a command-line agent, its final message), a tool's name
            (for its arguments), or "auto": the arguments of the output tool if the answer calls one, else the text. For
            a command-line agent, use `tool_arg(tool, argument)` or `file(path)`, which are unambiguous.
        argument: if `judged` is a tool: the argument that holds the document.
        describe: True to add the schema's description of a field to its findings, and so to the feedback.
        calls: rules about the tools that the model calls before it answers: `called("search", at_most=3)`,
            `in_order("search", "book")`, `not_called("refund")`, `only_calls("search", "book")`, the name of a tool
            that must be called, or a list of these. `check` gets only the answer, so it does not judge calls.
        wrap_list: True to read a bare list as the only list field of the schema, with an info finding.
        compare: comparators by field, for tests with an expected value: `{"total": near(0.01), "lines[*].note":
            ignored()}`. Other fields must be equal. This never rejects an answer: the test knows the expected value,
            but the app does not.

    Raises:
        UsageError: an unknown option, an unusable schema, a missing optional package, or Markdown rules for answers
            that are JSON.
    """

    @overload
    def __init__(self: Contract[M], schema: type[M], **options: Unpack[_Options]) -> None: ...
    @overload
    def __init__(self: Contract[Any], schema: object, **options: Unpack[_Options]) -> None: ...
    def __init__(
        self,
        schema: Any,
        *unnamed: object,
        constraints: Iterable[ContentConstraint] = (),
        rules: Iterable[DocumentRule] = (),
        format: Format = "auto",  # noqa: A002 - the public name
        strict: bool = False,
        name: str | None = None,
        extract: Extract = "embedded",
        judged: Literal["auto", "text"] | str | JudgedPart = "auto",  # noqa: PYI051 - says which words are special
        argument: str | None = None,
        describe: bool = False,
        calls: str | CallRule | Sequence[str | CallRule] = (),
        wrap_list: bool = False,
        compare: Mapping[str, Comparator] | None = None,
    ) -> None:
        if unnamed:
            raise _unnamed_options(schema, unnamed)
        self.schema = schema
        self.constraints = _known_constraints(constraints)
        self.rules = _known_rules(rules)
        asked: Format = _one_of("format", format, _FORMATS)
        # A rule that reads Markdown decides: a plan that begins with "title: x" would pass for YAML.
        stated: list[Format] = [reads for rule in self.rules if (reads := getattr(rule, "reads", None)) in _FORMATS]
        self.format: Format = stated[0] if stated and asked == "auto" else asked
        self.strict = strict
        self.extract: Extract = _one_of("extract", extract, _EXTRACTS)
        part = None if isinstance(judged, str) else judged
        if part is not None and not hasattr(part, "kind"):
            raise UsageError(
                f"judged must name a part of the answer: got {judged!r}; write judged='text', or judged=file('plan.md')"
            )
        self.judged: str = judged if isinstance(judged, str) else judged.name
        self.argument = part.argument if part is not None and argument is None else argument
        self.part: PartKind | None = "text" if judged == "text" else part.kind if part else None
        """The kind of part, if `judged` is "text", `tool_arg(…)` or `file(…)`; None if the string leaves it open."""
        self.calls: tuple[CallRule, ...] = ()
        if calls:
            from .calls import call_rules

            self.calls = call_rules(calls)
        self.describe = describe
        self.wrap_list = wrap_list
        check = _schema_check(schema, strict=strict)
        if wrap_list:
            from .schema.list_wrapping import ListWrapping

            check = ListWrapping(check)
        self._schema_check = check
        self.compare = compare
        if compare is not None:
            _ = self.comparison  # report a mistake in it here
        self.name = name or self._schema_check.name
        judging = self.constraints
        if self.constraints:
            judging = _on_known_fields(self.name, schema, self._schema_check, self.constraints)
        if self.rules:
            refuse_unfit_rules(self.name, schema, self._schema_check, self.rules)
        self._checker = Checker(self.name, check, judging, self.rules, self.format, self.extract)

    def __repr__(self) -> str:
        from ..printable import visible

        return f"Contract({visible(self.name, keep='')})"

    @property
    def tool(self) -> str | None:
        """The tool whose arguments are judged; None if `judged` is "auto" or not a tool."""
        return None if self.judged in ("auto", "text") else self.judged

    @property
    def json_schema(self) -> dict[str, Any] | None:
        """The schema as JSON Schema; None if it has none."""
        return self._schema_check.json_schema()

    @cached_property
    def comparison(self) -> Comparison:
        """The comparison of an answer with an expected value."""
        from .comparison.comparison import Comparison

        return Comparison({} if self.compare is None else self.compare)

    def answer_forms(self, verdict: Verdict) -> object:
        """Return the answer of a verdict without errors as plain data, in the forms that `comparison` accepts."""
        from .comparison.answer_forms import Forms, answer_forms

        written = self._schema_check.wrapped(verdict.data)
        forms = answer_forms(written, self._schema_check.plain(verdict.value, verdict.data), verdict.value)
        if written is verdict.data or not isinstance(forms, dict):
            return forms
        (field,) = written  # a bare list: the expected value may be the list, or the object that holds it
        return Forms([forms[field], forms])

    @cached_property
    def digest(self) -> str:
        """12 hex digits that identify what the contract demands; the same in every process. The name does not count."""
        import hashlib  # loads OpenSSL

        text = json.dumps(_demanded(self), sort_keys=True, default=_name)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def with_extract(self, extract: Extract) -> Contract[T_co]:
        """Return the same contract with another `extract`.

        Raises:
            UsageError: an unknown word.
        """
        changed = copy(self)
        changed.extract = _one_of("extract", extract, _EXTRACTS)
        changed._checker = replace(self._checker, extract=changed.extract)  # noqa: SLF001 - of its own class
        changed.__dict__.pop("digest", None)  # a cached property
        return changed

    def check(
        self,
        answer: object,
        *,
        finish: str | None = None,
        refusal: str | None = None,
        context: CheckContext | None = None,
        format: Format | None = None,  # noqa: A002 - as in the constructor
        located: bool = True,
    ) -> Verdict[T_co]:
        """Return the verdict on an answer, with findings sorted by phase, then place.

        Never raises for any answer.

        Args:
            answer: the text (str or bytes) of the answer, or an already parsed value (dict, list, model, …), whose
                findings have no places.
            finish: why the answer ended: "stop", "length", "tool_calls", "content_filter", "refusal"; None if unknown.
            refusal: the provider's refusal text, if any.
            context: texts that the answer may have been copied from, for `not_copied`.
            format: the format of the text, if known from a file name. Used only if the contract's format is "auto".
            located: True to add line and column to findings and sort by them. False halves the time for a bad answer.
        """
        checker = replace(self._checker, format=format) if format and self.format == "auto" else self._checker
        verdict = checker.check(answer, finish, refusal, context, located=located)
        if not self.describe or not verdict.findings:
            return verdict
        from .schema.schema_fields import described

        return described(verdict, self.json_schema)

    def failure_kind(self, answer: object) -> FailureKind | None:
        """Return the failure kind of an answer; None for a valid one. The same as `check(answer).kind`, but faster.

        Use it to classify many answers. It locates findings only if their order affects the result.
        """
        return self._checker.kind(answer)

    def parse(self, text: str | bytes, provider: str | None = None) -> T_co:
        """Return the validated value of an answer. Meant for apps.

        Raises:
            SchemaValidationError: the answer breaks the contract. The error is not transient, and keeps a bounded part
                of the raw text.
        """
        verdict = self.check(text)
        if verdict.ok:
            return verdict.value  # type: ignore[return-value]  # None if the type allows None
        first, *others = verdict.errors
        more = f" (and {len(others)} more)" if others else ""
        from ..document.path import to_pointer

        where = f"{to_pointer(first.path)}: " if first.path else ""
        message = f"the answer does not match {self.name}: {where}{first.message}{more}"
        raise SchemaValidationError(message, provider, verdict.text, verdict.errors)


def _one_of(option: str, value: object, known: tuple[str, ...]) -> Any:
    if value in known:
        return value
    from .phrasing import offered

    raise UsageError(f"unknown {option} {value!r}{offered(value, known, 'Valid')}")


# The digest is the same in every process, and changes when the contract demands something else.


def _demanded(contract: Contract) -> dict[str, object]:
    """Return what the digest is computed from: the schema, the constraints, the rules and the options."""
    return {
        "schema": contract.json_schema or _name(contract.schema),
        "constraints": [
            [rule.field, rule.constraint_type, dict(rule.params), rule.severity] for rule in contract.constraints
        ],
        "rules": list(contract.rules),
        "options": [contract.format, contract.strict, contract.extract, contract.judged, contract.argument],
        **({"describe": True} if contract.describe else {}),
        **({"wrap_list": True} if contract.wrap_list else {}),
        **({"compare": {field: repr(how) for field, how in contract.compare.items()}} if contract.compare else {}),
        **({"calls": [str(rule) for rule in contract.calls]} if contract.calls else {}),
    }


def _name(value: object) -> Any:
    """Return a value that is the same in every process: a sorted list, a callable's qualified name, or the type's name.

    A callable's code differs between Python versions. Never use `repr`: an address in it would differ between
    processes.
    """
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    named = getattr(value, "func", value)  # a functools.partial is named after the function that it calls
    module = getattr(named, "__module__", type(value).__module__)
    return f"{module}.{getattr(named, '__qualname__', type(value).__qualname__)}"


# A contract checks its arguments when it is defined, so that a typo is reported there and not at the first answer.


_FIELDS_OF_CLASSES = ("__pydantic_fields__", "__dataclass_fields__", "__attrs_attrs__", "__struct_fields__")
"""Attributes that classes with fields have."""


def _has_foreign(annotation: object) -> bool:
    """Return True for an attrs class, a msgspec Struct, and a type with one in it: `list[Ticket]`, `Ticket | None`."""
    kinds = [part for part in (annotation, get_origin(annotation)) if isinstance(part, type)]
    found = any(hasattr(kind, mark) for kind in kinds for mark in ("__attrs_attrs__", "__struct_fields__"))
    return found or any(map(_has_foreign, get_args(annotation)))


def _schema_check(schema: object, *, strict: bool) -> SchemaCheck:
    """Return the check for a schema. Raises UsageError for an unusable schema or a missing optional package."""
    if schema is None:
        return SchemaCheck()
    if isinstance(schema, Mapping):
        from .schema.json_schema import JsonSchemaCheck

        return JsonSchemaCheck(schema)
    # `Contract(Ticket(title="…"))` has an instance where it needs the class.
    is_value = not isinstance(schema, type) and any(hasattr(type(schema), name) for name in _FIELDS_OF_CLASSES)
    if is_value or isinstance(schema, (str, bytes, int, float, list, tuple, set)):
        raise UsageError(
            f"a contract's schema must be a pydantic model, a type, a JSON Schema as a dict, or None: "
            f"got a {type(schema).__name__}; give one of these"
        )
    if _has_foreign(schema):
        from .schema.foreign_types import foreign_check

        return foreign_check(schema, strict=strict)
    from .schema.pydantic_schema import PydanticCheck

    return PydanticCheck(schema, strict=strict)


def _known_constraints(given: object) -> tuple[ContentConstraint, ...]:
    """Return the constraints as a tuple. Constraint types are loaded only if there are any. Raises UsageError."""
    found = _listed("constraints", given)
    if found:
        from .constraints.constraint import ContentConstraint

        for item in found:
            if not isinstance(item, ContentConstraint):
                way = "; unpack it: constraints=[*…]" if isinstance(item, (list, tuple)) else ""
                raise UsageError(f"a contract's constraints must be ContentConstraint values, got {item!r:.200}{way}")
    return found


def _known_rules(given: object) -> tuple[DocumentRule, ...]:
    """Return the rules as a tuple. Raises UsageError if one is not callable."""
    found = _listed("rules", given)
    for rule in found:
        if not callable(rule):
            way = "pass it as constraints=[…]" if hasattr(rule, "constraint_type") else "pass functions"
            raise UsageError(
                "a contract's rules must be functions that take (data, document) and return findings: "
                f"got {rule!r}; {way}"
            )
    return found


def _unnamed_options(schema: object, given: tuple[object, ...]) -> UsageError:
    """Return the error for `Contract(Ticket, [non_empty("title")])`, with the likely option's name."""
    first = given[0]
    items = first if isinstance(first, (list, tuple)) else (first,)
    option = "rules" if items and all(map(callable, items)) else "constraints"
    call = f"Contract({getattr(schema, '__name__', '…')}, {option}=[…])"
    return UsageError(f"Contract() takes only the schema without a name: also got {first!r:.200}. Write {call}")


def _on_known_fields(
    name: str, schema: object, checker: SchemaCheck, constraints: tuple[ContentConstraint, ...]
) -> tuple[ContentConstraint, ...]:
    """Return the constraints with all names of their fields. Raise UsageError if the schema cannot have one."""
    from .constraints.constraint import check_fields

    try:
        json_schema, names = checker.json_schema(), checker.other_names
    except UsageError:  # a type refers to an undefined name: the first check reports it
        return constraints
    if json_schema is None or names is None:
        return constraints
    judging = tuple(rule.also_named(names) for rule in constraints) if names else constraints
    check_fields(name, json_schema, judging, model=not isinstance(schema, Mapping))
    return judging


def _listed(what: str, given: object) -> tuple[Any, ...]:
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise UsageError(f"a contract's {what} must be a list: got {given!r}; write {what}=[…]")
    return tuple(given)
