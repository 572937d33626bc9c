"""Pydantic's errors as findings: our codes, paths of the document, rules in words, what was got.

Pydantic reports the errors of every member; feedback with all of them would ask for contradictory things.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import ValidationError

from ...document.limits import MAX_PROBLEMS
from ..failure_kinds import FailureKind
from ..finding import Finding
from ..phrasing import as_json, choices, did_you_mean, expected_got, nearest, plural, too_many
from .pydantic_location import Locator, SchemaPlace

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from ...document.path import Path
    from .pydantic_location import SchemaPlace


_MESSAGE_LIMIT = 300  # characters of a validator's own words: some validators quote the whole value
_Origin = Mapping[str, Any]
"""What every finding of a validator has: owner, validator_code, validator_message."""
MISSING_MESSAGE = "required, missing"
EXTRA_MESSAGE = "not allowed here"


def findings(exc: Exception, locator: Locator, document: object) -> list[Finding]:
    """Return the findings of a failed validation. Of an untagged union only the best-fitting member's errors are kept.

    Args:
        exc: what pydantic raised, or a validator of the type.
        locator: for the schema that was validated.
        document: the plain data that was validated, for hints and for locations the schema does not explain.
    """
    if not isinstance(exc, ValidationError):
        said = str(exc)[:200]
        message = f"a validator of the schema raised {type(exc).__name__}: {said}"
        return [
            Finding("rule", (), message, FailureKind.RULE, validator_code="crashed", validator_message=said),
        ]
    errors = exc.errors(include_url=False)
    located = [Located(error, locator.place(error["loc"], document, error["input"])) for error in errors]
    best = best_branches(located)
    each = (_finding(item, document) for item in best[:MAX_PROBLEMS])
    found = list({(item.identity, item.message): item for item in each}.values())  # two validators may say the same
    return found if len(best) <= MAX_PROBLEMS else [*found, too_many(MAX_PROBLEMS, of=len(best), known_bad=True)]


def _finding(item: Located, document: object) -> Finding:
    error, place = item.error, item.place
    kind_name = error["type"]
    ctx: Mapping[str, Any] = error.get("ctx") or {}
    said = error["msg"][:_MESSAGE_LIMIT]
    origin = {"owner": place.owner, "validator_code": kind_name, "validator_message": said}
    if kind_name in MISSING_CODES:
        return _missing(place, document, origin)
    if kind_name in EXTRA_CODES:
        return _extra(place, error["input"], document, origin)
    if kind_name.startswith("union_tag"):
        return _tag(place, kind_name, ctx, origin)
    return _broken_rule(item, ctx, origin)


def _missing(place: SchemaPlace, document: object, origin: _Origin) -> Finding:
    """Never says what was got: pydantic's input is the parent object there."""
    key = place.path[-1] if place.path else None
    unknown = [name for name in _keys(document, place.path[:-1]) if name not in place.siblings]
    similar = nearest(key, unknown)
    hint = None if similar is None else f"there is {as_json(similar)}, is that it?"
    return Finding("missing", place.path, MISSING_MESSAGE, FailureKind.MISSING, hint=hint, **origin)


def _extra(place: SchemaPlace, value: object, document: object, origin: _Origin) -> Finding:
    present = set(_keys(document, place.path[:-1]))
    free = [name for name in place.siblings if name not in present]
    hint = did_you_mean(place.path[-1] if place.path else None, free)
    actual = as_json(value)
    return Finding("extra", place.path, EXTRA_MESSAGE, FailureKind.EXTRA, actual=actual, hint=hint, **origin)


def _keys(document: Any, path: Path) -> list[str]:
    here = document
    for key in path:
        try:
            here = here[key]
        except (KeyError, IndexError, TypeError):
            return []
    return [key for key in here if isinstance(key, str)] if isinstance(here, Mapping) else []


def _tag(place: SchemaPlace, kind_name: str, ctx: Mapping[str, object], origin: _Origin) -> Finding:
    """Return the finding of a missing or unknown tag of a union; its place is the discriminator."""
    name = str(ctx.get("discriminator", "")).strip("'")
    path = (*place.path, name) if name.isidentifier() else place.path
    if kind_name == "union_tag_not_found":
        return Finding("missing", path, MISSING_MESSAGE, FailureKind.MISSING, **origin)
    kind, expected = words(kind_name, ctx)
    allowed = literal_values(str(ctx.get("expected_tags", "")))
    return _own_finding(kind, path, str(expected), ctx.get("tag"), allowed, origin)


def _broken_rule(item: Located, ctx: Mapping[str, object], origin: _Origin) -> Finding:
    error, path = item.error, item.place.path
    kind, expected = words(error["type"], ctx)
    if expected is None:
        actual = as_json(error["input"])
        return Finding(kind.value, path, f"{_own_words(error['msg'])}; got {actual}", kind, actual=actual, **origin)
    allowed = literal_values(str(ctx.get("expected", ""))) if kind is FailureKind.ENUM else ()
    return _own_finding(kind, path, item.expected or expected, error["input"], allowed, origin)


def _own_finding(
    kind: FailureKind, path: Path, expected: str, value: object, allowed: tuple[Any, ...], origin: _Origin
) -> Finding:
    """Return a finding whose rule we can word ourselves."""
    actual = as_json(value)
    return Finding(
        code=kind.value,
        path=path,
        message=expected_got(expected, actual),
        kind=kind,
        expected=expected,
        actual=actual,
        hint=did_you_mean(value, allowed),
        allowed=allowed,
        **origin,
    )


def _own_words(message: str) -> str:
    """Return the validator's words without pydantic's prefix, bounded."""
    for prefix in ("Value error, ", "Assertion failed, "):
        message = message.removeprefix(prefix)
    return message[:_MESSAGE_LIMIT].strip().rstrip(".") or "the rule does not hold"


# Which member of an untagged union a bad value was meant to be.

_FIT = {"missing": 2, "extra_forbidden": 1}
_TYPE_SUFFIXES = ("_type", "_parsing")


class Located(NamedTuple):
    """A pydantic error with its place in the document."""

    error: ErrorDetails
    place: SchemaPlace
    expected: str | None = None
    """The rule in words where it is wider than the error's own: any member of a union would do."""


def best_branches(located: Sequence[Located]) -> list[Located]:
    """Return the errors without those of badly fitting union members, in the order given."""
    return _select(located, 0)


def _select(located: Sequence[Located], depth: int) -> list[Located]:
    """Resolve the unions at nesting `depth` (0 is the outermost) and those inside the chosen members."""
    unions: dict[Any, dict[str, list[Located]]] = {}
    kept: list[tuple[int, list[Located]]] = []
    for order, item in enumerate(located):
        if len(item.place.branches) <= depth:
            kept.append((order, [item]))
            continue
        where, member = item.place.branches[depth]
        if where not in unions:
            unions[where] = {}
            kept.append((order, []))
            unions[where][""] = kept[-1][1]
        unions[where].setdefault(member, []).append(item)
    for members in unions.values():
        slot = members.pop("")
        slot.extend(_best([_select(errors, depth + 1) for errors in members.values()], depth))
    return [item for _, group in kept for item in group]


def _best(members: Sequence[list[Located]], depth: int) -> list[Located]:
    """Return the member that fits best; where none accepts even the value's type, one error that names them all."""
    best = min(members, key=lambda errors: _misfit(errors, depth))
    if not _misfit(best, depth)[0]:
        return best
    return [_joined(best[0], [errors[0] for errors in members])]


def _misfit(errors: Sequence[Located], depth: int) -> tuple[bool, int, int, int, int]:
    """Return how badly a member fits: wrong at the root, wrong constant, wrong keys, many errors, shallow errors."""
    loc_length = len(errors[0].place.branches[depth][0]) + 1
    at_root = any(len(item.error["loc"]) == loc_length and _is_type(item) for item in errors)
    constants = sum(item.error["type"] == "literal_error" and _single(item) for item in errors)
    keys = sum(_FIT.get(item.error["type"], 0) for item in errors)
    deepest = max(len(item.place.path) for item in errors)
    return at_root, constants, keys, len(errors), -deepest


def _is_type(item: Located) -> bool:
    kind = item.error["type"]
    return kind.endswith(_TYPE_SUFFIXES) or kind in ("literal_error", "enum", "is_instance_of", "none_required")


def _single(item: Located) -> bool:
    """Return True for a Literal of one value, which is how an untagged union usually tells its members apart."""
    return " or " not in str((item.error.get("ctx") or {}).get("expected", " or "))


def _joined(first: Located, others: Sequence[Located]) -> Located:
    """Return one error that expects what any of the members expects."""
    rules = [words(item.error["type"], item.error.get("ctx") or {})[1] for item in others]
    known = list(dict.fromkeys(rule for rule in rules if rule))
    if len(known) < 2:
        return first
    enums = [item for item in others if item.error["type"] in ("literal_error", "enum")]
    chosen = enums[0] if enums else first
    return chosen._replace(expected=" or ".join(known))


# Pydantic's error types in our codes and words.

MISSING_CODES = frozenset(
    {"missing", "missing_argument", "missing_keyword_only_argument", "missing_positional_only_argument"}
)
EXTRA_CODES = frozenset(
    {"extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument", "invalid_key"}
)
# Each value of "'a', 'b' or 3": in quotes of either kind, with escapes, or bare up to the next comma or "or".
_LISTED = re.compile(r"""(?:^|, | or )('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"]+?(?=, | or |$))""")
_TYPES = {
    "int": "an integer",
    "float": "a number",
    "decimal": "a decimal number",
    "complex": "a complex number",
    "string": "a string",
    "bytes": "a string",
    "bool": "true or false",
    "none": "null",
    **dict.fromkeys(("list", "tuple", "set", "frozen_set", "iterable"), "a list"),
    **dict.fromkeys(("dict", "mapping", "model", "model_attributes"), "an object"),
    **dict.fromkeys(("dataclass", "dataclass_exact", "arguments"), "an object"),
    "date": "a date (YYYY-MM-DD)",
    "time": "a time",
    "datetime": "a date and time",
    "time_delta": "a duration",
    "url": "a URL",
    "uuid": "a UUID",
}
"""What pydantic's types are called in words, by the first part of "int_type" or "int_parsing"."""
_COUNTED = {
    "too_short": ("at least", "min_length", "item"),
    "too_long": ("at most", "max_length", "item"),
    "string_too_short": ("at least", "min_length", "character"),
    "string_too_long": ("at most", "max_length", "character"),
    "bytes_too_short": ("at least", "min_length", "byte"),
    "bytes_too_long": ("at most", "max_length", "byte"),
    "url_too_long": ("at most", "max_length", "character"),
}
_BOUNDS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
    "multiple_of": ("a multiple of", "multiple_of"),
}
_EXACT: dict[str, tuple[FailureKind, str]] = {
    "int_from_float": (FailureKind.TYPE, "an integer"),
    "int_parsing_size": (FailureKind.RANGE, "a smaller integer"),
    "none_required": (FailureKind.TYPE, "null"),
    "finite_number": (FailureKind.RANGE, "a finite number"),
    "set_item_not_hashable": (FailureKind.TYPE, "a simple value"),
    "date_past": (FailureKind.RANGE, "a date in the past"),
    "date_future": (FailureKind.RANGE, "a date in the future"),
    "datetime_past": (FailureKind.RANGE, "a date and time in the past"),
    "datetime_future": (FailureKind.RANGE, "a date and time in the future"),
    "timezone_naive": (FailureKind.FORMAT, "a date and time without a time zone"),
    "timezone_aware": (FailureKind.FORMAT, "a date and time with a time zone"),
    "date_from_datetime_inexact": (FailureKind.FORMAT, "a date without a time"),
    "json_invalid": (FailureKind.FORMAT, "a string of valid JSON"),
    "json_type": (FailureKind.TYPE, "a string of valid JSON"),
    "url_scheme": (FailureKind.FORMAT, "a URL of an allowed scheme"),
    "uuid_version": (FailureKind.FORMAT, "a UUID of the demanded version"),
    "string_not_ascii": (FailureKind.FORMAT, "ASCII characters only"),
}


def words(kind_name: str, ctx: Mapping[str, Any]) -> tuple[FailureKind, str | None]:
    """Return the kind and the rule in words of one pydantic error; None where only the validator's own words say it."""
    if kind_name in _EXACT:
        return _EXACT[kind_name]
    if kind_name in ("literal_error", "enum", "union_tag_invalid"):
        return FailureKind.ENUM, _choices_of(str(ctx.get("expected") or ctx.get("expected_tags") or ""))
    if kind_name in _COUNTED:
        bound, key, noun = _COUNTED[kind_name]
        return FailureKind.LENGTH, f"{bound} {plural(int(ctx.get(key, 0)), noun)}"
    if kind_name in _BOUNDS:
        bound, key = _BOUNDS[kind_name]
        return FailureKind.RANGE, f"{bound} {ctx.get(key)}"
    if kind_name == "string_pattern_mismatch":
        return FailureKind.FORMAT, f"text matching {ctx.get('pattern')}"
    if kind_name in ("is_instance_of", "is_subclass_of"):
        return FailureKind.TYPE, f"a value of type {ctx.get('class')}"
    return _by_suffix(kind_name)


def kind_of_code(code: str) -> FailureKind | None:
    """Return the kind that a code of pydantic becomes; None for a word that is no code of the installed pydantic."""
    from pydantic_core import core_schema

    if code not in core_schema.ErrorType.__args__:  # type: ignore[attr-defined]  # a Literal
        return None
    if code in MISSING_CODES or code == "union_tag_not_found":
        return FailureKind.MISSING
    return FailureKind.EXTRA if code in EXTRA_CODES else words(code, {})[0]


@lru_cache(maxsize=256)
def literal_values(listed: str) -> tuple[Any, ...]:
    """Return the values in pydantic's wording of a Literal or Enum: "'a', 'b' or 3" gives ("a", "b", 3)."""
    return tuple(_literal(token) for token in _LISTED.findall(listed))


@lru_cache(maxsize=256)
def _choices_of(listed: str) -> str:
    return choices(literal_values(listed))


def _literal(token: str) -> Any:
    if token[:1] in ("'", '"') and "\\" not in token:
        return token[1:-1]
    from ast import literal_eval

    try:
        return literal_eval(token)
    except (ValueError, SyntaxError):
        return token


def _by_suffix(name: str) -> tuple[FailureKind, str | None]:
    """Return the families "int_type", "date_parsing", "decimal_max_digits" of which pydantic has several dozen."""
    stem, _, suffix = name.rpartition("_")
    if suffix in ("type", "parsing") and stem in _TYPES:
        textual = suffix == "parsing" and stem in ("date", "time", "datetime", "time_delta", "url", "uuid")
        return FailureKind.FORMAT if textual else FailureKind.TYPE, _TYPES[stem]
    family = name.split("_", 1)[0]
    if family in ("date", "time", "datetime", "url", "uuid", "timezone") or name.startswith("bytes_invalid"):
        return FailureKind.FORMAT, _TYPES.get(family)
    if family == "decimal":
        return FailureKind.RANGE, None
    return (FailureKind.TYPE, None) if suffix == "type" else (FailureKind.RULE, None)
