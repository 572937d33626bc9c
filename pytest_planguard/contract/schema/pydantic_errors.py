"""Convert pydantic's errors to findings: planguard's codes, document paths, readable rules, offending values.

Pydantic reports errors for every union member. Feedback with all of them would be contradictory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pydantic_core import ValidationError

from ...document.limits import MAX_PROBLEMS
from ...document.path import get_at
from ..failure_kinds import FailureKind
from ..finding import Finding
from ..own_checks import said_by
from ..phrasing import as_json, choices, did_you_mean, expected_got, nearest, plural, rule_finding, too_many
from .pydantic_location import Locator, SchemaPlace

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from ...document.path import Path
    from .pydantic_location import Loc


_MESSAGE_LIMIT = 300  # maximum characters of a validator's message: some quote the whole value
_Origin = Mapping[str, Any]
"""Fields that every finding of a validator has: owner, validator_code, validator_message."""
MISSING_MESSAGE = "required, missing"
EXTRA_MESSAGE = "not allowed here"


def findings(exc: Exception, locator: Locator, document: object) -> list[Finding]:
    """Return the findings of a failed validation. For an untagged union, keep only the errors of the best member.

    Args:
        exc: the exception of pydantic, or of a validator of the type.
        locator: for the validated schema.
        document: the validated plain data, for hints and for locations that the schema does not explain.
    """
    if not isinstance(exc, ValidationError):
        said = said_by(exc)
        message = f"a validator of the schema raised {type(exc).__name__}: {said}"
        return [
            Finding("rule", (), message, FailureKind.RULE, validator_code="crashed", validator_message=said),
        ]
    placed = []
    for error in exc.errors(include_url=False):
        place = locator.place(error["loc"], document, error["input"])
        placed.append((_finding(error, place, document), place))
    best = _best_members(placed)
    found = list({(item.identity, item.message): item for item in best[:MAX_PROBLEMS]}.values())  # two may be equal
    return found if len(best) <= MAX_PROBLEMS else [*found, too_many(MAX_PROBLEMS, of=len(best), known_bad=True)]


def _finding(error: ErrorDetails, place: SchemaPlace, document: object) -> Finding:
    kind_name = error["type"]
    ctx: Mapping[str, object] = error.get("ctx") or {}
    said = error["msg"][:_MESSAGE_LIMIT]
    origin = {"owner": place.owner, "validator_code": kind_name, "validator_message": said}
    if kind_name in MISSING_CODES:
        return _missing(place, document, origin)
    if kind_name in EXTRA_CODES:
        return _extra(place, error["input"], document, origin)
    if kind_name.startswith("union_tag"):
        return _tag(place, kind_name, ctx, origin)
    return _broken_rule(error, place.path, ctx, origin)


def _missing(place: SchemaPlace, document: object, origin: _Origin) -> Finding:
    """Return the finding for a missing field, without a value: pydantic's input is the parent object here."""
    key = place.path[-1] if place.path else None
    unknown = [name for name in _keys(document, place.path[:-1]) if name not in place.siblings]
    similar = nearest(key, unknown)
    hint = None if similar is None else f"there is {as_json(similar)}; did you mean that?"
    return Finding("missing", place.path, MISSING_MESSAGE, FailureKind.MISSING, hint=hint, **origin)


def _extra(place: SchemaPlace, value: object, document: object, origin: _Origin) -> Finding:
    present = set(_keys(document, place.path[:-1]))
    free = [name for name in place.siblings if name not in present]
    hint = did_you_mean(place.path[-1] if place.path else None, free)
    actual = as_json(value)
    return Finding("extra", place.path, EXTRA_MESSAGE, FailureKind.EXTRA, actual=actual, hint=hint, **origin)


def _keys(document: object, path: Path) -> list[str]:
    here = get_at(document, path)
    return [key for key in here if isinstance(key, str)] if isinstance(here, Mapping) else []


def _tag(place: SchemaPlace, kind_name: str, ctx: Mapping[str, object], origin: _Origin) -> Finding:
    """Return the finding of a missing or unknown tag of a union; its place is the discriminator."""
    name = str(ctx.get("discriminator", "")).strip("'")
    path = (*place.path, name) if name.isidentifier() else place.path
    if kind_name == "union_tag_not_found":
        return Finding("missing", path, MISSING_MESSAGE, FailureKind.MISSING, **origin)
    kind, expected = words(kind_name, ctx)
    allowed = literal_values(str(ctx.get("expected_tags", "")))
    hint = did_you_mean(ctx.get("tag"), allowed)
    return rule_finding(kind, path, str(expected), ctx.get("tag"), hint=hint, allowed=allowed, **origin)


def _broken_rule(error: ErrorDetails, path: Path, ctx: Mapping[str, object], origin: _Origin) -> Finding:
    kind, expected = words(error["type"], ctx)
    if expected is None:
        actual = as_json(error["input"])
        return Finding(kind.value, path, f"{_own_words(error['msg'])}; got {actual}", kind, actual=actual, **origin)
    allowed = literal_values(str(ctx.get("expected", ""))) if kind is FailureKind.ENUM else ()
    hint = did_you_mean(error["input"], allowed)
    return rule_finding(kind, path, expected, error["input"], hint=hint, allowed=allowed, **origin)


def _own_words(message: str) -> str:
    """Return the validator's message without pydantic's prefix, bounded."""
    for prefix in ("Value error, ", "Assertion failed, "):
        message = message.removeprefix(prefix)
    return message[:_MESSAGE_LIMIT].strip().rstrip(".") or "the rule does not hold"


# Choose the alternative of a union, `anyOf` or `oneOf` that a bad value most likely aims at.

_FIT = {"missing": 2, "required": 2, "extra_forbidden": 1, "additionalProperties": 1}
"""Weights of wrong keys, by the validator's code."""


def best_fit(branches: Sequence[list[Finding]], path: Path) -> tuple[list[Finding], list[Finding]]:
    """Return the findings of the alternative that a value most likely aims at.

    The alternative is chosen by these criteria, in this order:

    1. it accepts the value at all: no wrong type or constant of the value itself,
    2. it has the lowest weight of broken constants and wrong keys, first in the value itself, then further down: for
       `{"kind": "dog", "age": "x"}` the one with `"kind": {"const": "dog"}`, even if much else is wrong, and for
       `{"and": [{}, {}]}` the one that knows `and`, even if the items are incomplete,
    3. it has the fewest findings,
    4. it has the deepest finding: for `{"child": {"kind": 3}}` the one that reports an error in `child`, before one
       that wants something else instead of `child`,
    5. it comes first in the schema.

    If each alternative demands another constant in the same field, such as `kind`, the value aims at none of them.

    Args:
        branches: the findings of each alternative, none of them empty.
        path: the place of the value.

    Returns:
        The chosen findings, and all alternatives' findings that reject the value as a whole; [] if one accepts it.
    """

    def refuses(found: Finding) -> bool:
        # A date rejects text that is not a date, just as a number does.
        parsed = (found.validator_code or "").endswith("_parsing")
        return found.path == path and (found.code in ("type", "enum") or parsed)

    def misfit(found: list[Finding]) -> tuple[bool, int, int, int, int]:
        own = sum(_weight(item) for item in found if len(item.path) <= len(path) + 1)
        deepest = max(len(item.path) for item in found)
        return any(map(refuses, found)), own, sum(map(_weight, found)), len(found), -deepest

    best = min(branches, key=misfit)
    refused = any(map(refuses, best))
    tag = _unknown_tag([branch for branch in branches if not any(map(refuses, branch))], len(path) + 1)
    if tag is not None:
        return [tag], []
    return best, [found for branch in branches for found in branch if refuses(found)] if refused else []


def _unknown_tag(branches: Sequence[list[Finding]], depth: int) -> Finding | None:
    """Return one finding for a field that has the tag of no alternative, with the tags of all; None without one.

    `{"kind": "doggy"}` is neither the cat with `"kind": {"const": "cat"}` nor the dog: the best fit would be a guess.
    An alternative that accepts a choice which another one rejects is the one that is meant.
    """
    choices_of = [
        {item.path: item for item in branch if item.code == "enum" and len(item.path) == depth} for branch in branches
    ]
    if len(branches) < 2 or any(each.keys() != choices_of[0].keys() for each in choices_of):
        return None
    for place in choices_of[0]:
        found = [each[place] for each in choices_of]
        options = tuple({as_json(value): value for item in found for value in item.allowed}.values())
        if len(options) == len(branches) and all(len(item.allowed) == 1 for item in found):
            hint = next((item.hint for item in found if item.hint), None)
            message = expected_got(choices(options), found[0].actual)
            return replace(found[0], expected=choices(options), message=message, allowed=options, hint=hint)
    return None


def _weight(found: Finding) -> int:
    # A broken constant is the clearest sign; wrong keys say more than wrong values.
    constant = found.validator_code == "const" or (found.validator_code == "literal_error" and len(found.allowed) == 1)
    return 10 if constant else _FIT.get(found.validator_code or "", 0)


def _best_members(placed: Sequence[tuple[Finding, SchemaPlace]], depth: int = 0) -> list[Finding]:
    """Return the findings without those of badly fitting union members, in the given order.

    Resolves the unions at nesting `depth` (0 is the outermost) and those inside the chosen members.
    """
    unions: dict[Loc, dict[str, list[tuple[Finding, SchemaPlace]]]] = {}
    slots: dict[Loc | int, list[Finding]] = {}
    for order, (found, place) in enumerate(placed):
        if len(place.branches) <= depth:
            slots[order] = [found]
            continue
        where, member, _ = place.branches[depth]
        slots.setdefault(where, [])
        unions.setdefault(where, {}).setdefault(member, []).append((found, place))
    for where, members in unions.items():
        path = next(iter(members.values()))[0][1].branches[depth][2]
        slots[where] = _best_of([_best_members(errors, depth + 1) for errors in members.values()], path)
    return [found for slot in slots.values() for found in slot]


def _best_of(branches: list[list[Finding]], path: Path) -> list[Finding]:
    """Return the best member's findings. If no member accepts the value, return one that names what each accepts."""
    best, refused = best_fit(branches, path)
    rules = list(dict.fromkeys(found.expected for found in refused if found.expected))
    if not refused:
        return best
    chosen = next((found for found in refused if found.code == "enum"), refused[0])
    if len(rules) < 2:
        return [chosen]
    expected = " or ".join(rules)
    return [replace(chosen, expected=expected, message=expected_got(expected, chosen.actual))]


# Translate pydantic's error types to planguard's codes and words.

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
"""Maps the first part of "int_type" or "int_parsing" to a description of the type."""
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
    """Return the kind and the rule (as text) of a pydantic error.

    Without a known rule, only the message describes it.
    """
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
    """Return the kind for a pydantic code; None for a code that the installed pydantic does not know."""
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


def _literal(token: str) -> object:
    if token[:1] in ("'", '"') and "\\" not in token:
        return token[1:-1]
    from ast import literal_eval

    try:
        return literal_eval(token)
    except (ValueError, SyntaxError):
        return token


def _by_suffix(name: str) -> tuple[FailureKind, str | None]:
    """Return the kind and the rule for families of codes such as "int_type", "date_parsing" or "decimal_max_digits"."""
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
