"""Pydantic's errors as findings: our codes, paths of the document, rules in words, what was got.

Pydantic reports the errors of every member; feedback with all of them would ask for contradictory things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...document.limits import MAX_PROBLEMS
from ..failure_kinds import FailureKind
from ..finding import Finding
from ..phrasing import as_json, did_you_mean, expected_got, nearest, too_many
from .pydantic_location import Locator, SchemaPlace
from .pydantic_messages import EXTRA_CODES, MISSING_CODES, literal_values, words

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from ...document.path import Path
    from .pydantic_location import SchemaPlace


_MESSAGE_LIMIT = 300  # characters of a validator's own words: some validators quote the whole value
_Origin = Mapping[str, Any]
"""What every finding of a validator has: owner, validator_code, validator_message."""
MISSING_MESSAGE = "required, missing"
EXTRA_MESSAGE = "not allowed here"


def findings(exc: ValidationError, locator: Locator, document: object) -> list[Finding]:
    """Return the findings of a failed validation. Of an untagged union only the best-fitting member's errors are kept.

    Args:
        exc: what pydantic raised.
        locator: for the schema that was validated.
        document: the plain data that was validated, for hints and for locations the schema does not explain.
    """
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
