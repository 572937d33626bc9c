"""Pydantic's errors as findings: our codes, paths of the document, rules in words, what was got."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .finding import Finding
from .kinds import FailureKind
from .pydantic_loc import Locator
from .pydantic_place import Place
from .pydantic_unions import Located, best_branches
from .pydantic_words import literal_values, words
from .wording import as_json, did_you_mean, expected_got, nearest

if TYPE_CHECKING:
    from pydantic import ValidationError

    from ..document.path import Path

_MISSING = frozenset(
    {"missing", "missing_argument", "missing_keyword_only_argument", "missing_positional_only_argument"}
)
_EXTRA = frozenset({"extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument", "invalid_key"})
_MESSAGE_LIMIT = 300  # characters of a validator's own words: some validators quote the whole value
_Origin = Mapping[str, Any]
"""What every finding of a validator has: owner, validator_code, validator_message."""
MISSING_MESSAGE = "required, missing"
EXTRA_MESSAGE = "not allowed here"


def findings(exc: ValidationError, locator: Locator, document: Any) -> list[Finding]:
    """The findings of a failed validation. Of an untagged union only the best-fitting member's errors are kept.

    Args:
        exc: what pydantic raised.
        locator: for the schema that was validated.
        document: the plain data that was validated, for hints and for locations the schema does not explain.
    """
    located = [Located(error, locator.place(error["loc"], document)) for error in exc.errors(include_url=False)]
    return _distinct(_finding(item, document) for item in best_branches(located))


def _distinct(found: Iterable[Finding]) -> list[Finding]:
    """One finding per code and path: two validators may say the same."""
    return list({(item.identity, item.message): item for item in found}.values())


def _finding(item: Located, document: Any) -> Finding:
    error, place = item.error, item.place
    kind_name = error["type"]
    ctx: Mapping[str, Any] = error.get("ctx") or {}
    origin = {
        "owner": place.owner,
        "validator_code": kind_name,
        "validator_message": error["msg"][:_MESSAGE_LIMIT],
    }
    if kind_name in _MISSING:
        return _missing(place, document, origin)
    if kind_name in _EXTRA:
        return _extra(place, error["input"], document, origin)
    if kind_name.startswith("union_tag"):
        return _tag(place, kind_name, ctx, origin)
    return _broken_rule(item, ctx, origin)


def _missing(place: Place, document: Any, origin: _Origin) -> Finding:
    """Never says what was got: pydantic's input is the parent object there."""
    key = place.path[-1] if place.path else None
    unknown = [name for name in _keys(document, place.path[:-1]) if name not in place.siblings]
    similar = nearest(key, unknown)
    hint = None if similar is None else f"there is {as_json(similar)}, is that it?"
    return Finding("missing", place.path, MISSING_MESSAGE, FailureKind.MISSING, hint=hint, **origin)


def _extra(place: Place, value: Any, document: Any, origin: _Origin) -> Finding:
    hint = did_you_mean(place.path[-1] if place.path else None, _free(place, document))
    actual = as_json(value)
    return Finding("extra", place.path, EXTRA_MESSAGE, FailureKind.EXTRA, actual=actual, hint=hint, **origin)


def _free(place: Place, document: Any) -> list[str]:
    """The keys that the model knows and the document does not have yet."""
    present = set(_keys(document, place.path[:-1]))
    return [name for name in place.siblings if name not in present]


def _keys(document: Any, path: Path) -> list[str]:
    here = document
    for key in path:
        try:
            here = here[key]
        except (KeyError, IndexError, TypeError):
            return []
    return [key for key in here if isinstance(key, str)] if isinstance(here, Mapping) else []


def _tag(place: Place, kind_name: str, ctx: Mapping[str, Any], origin: _Origin) -> Finding:
    """The discriminator of a tagged union is missing or unknown; the finding stands at the discriminator."""
    name = str(ctx.get("discriminator", "")).strip("'")
    path = (*place.path, name) if name.isidentifier() else place.path
    if kind_name == "union_tag_not_found":
        return Finding("missing", path, MISSING_MESSAGE, FailureKind.MISSING, **origin)
    kind, expected = words(kind_name, ctx)
    allowed = literal_values(str(ctx.get("expected_tags", "")))
    return _told(kind, path, str(expected), ctx.get("tag"), allowed, origin)


def _broken_rule(item: Located, ctx: Mapping[str, Any], origin: _Origin) -> Finding:
    error, path = item.error, item.place.path
    kind, expected = words(error["type"], ctx)
    if expected is None:
        actual = as_json(error["input"])
        return Finding(kind.value, path, f"{_own_words(error['msg'])}; got {actual}", kind, actual=actual, **origin)
    allowed = literal_values(str(ctx.get("expected", ""))) if kind is FailureKind.ENUM else ()
    return _told(kind, path, item.expected or expected, error["input"], allowed, origin)


def _told(
    kind: FailureKind, path: Path, expected: str, value: Any, allowed: tuple[Any, ...], origin: _Origin
) -> Finding:
    """A finding whose rule we can word ourselves."""
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
    """The validator's words without pydantic's prefix, bounded."""
    for prefix in ("Value error, ", "Assertion failed, "):
        message = message.removeprefix(prefix)
    return message[:_MESSAGE_LIMIT].strip().rstrip(".") or "the rule does not hold"
