"""Which member of an untagged union a bad value was meant to be.

Pydantic reports the errors of every member; feedback with all of them would ask for contradictory things.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .pydantic_words import words

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from .pydantic_place import Place

_FIT = {"missing": 2, "extra_forbidden": 1}
_TYPE_SUFFIXES = ("_type", "_parsing")


class Located(NamedTuple):
    """A pydantic error with its place in the document."""

    error: ErrorDetails
    place: Place
    expected: str | None = None
    """The rule in words where it is wider than the error's own: any member of a union would do."""


def best_branches(located: Sequence[Located]) -> list[Located]:
    """The errors without those of badly fitting union members, in the order given."""
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
    """The member that fits best; where none accepts even the value's type, one error that names them all."""
    best = min(members, key=lambda errors: _misfit(errors, depth))
    if not _misfit(best, depth)[0]:
        return best
    return [_joined(best[0], [errors[0] for errors in members])]


def _misfit(errors: Sequence[Located], depth: int) -> tuple[bool, int, int, int, int]:
    """How badly a member fits: wrong at the root, wrong constant, wrong keys, many errors, shallow errors."""
    where = min((len(item.place.path) for item in errors), default=0)
    loc_length = len(errors[0].place.branches[depth][0]) + 1
    at_root = any(len(item.error["loc"]) == loc_length and _is_type(item) for item in errors)
    constants = sum(item.error["type"] == "literal_error" and _single(item) for item in errors)
    keys = sum(_FIT.get(item.error["type"], 0) for item in errors)
    deepest = max((len(item.place.path) for item in errors), default=where)
    return at_root, constants, keys, len(errors), -deepest


def _is_type(item: Located) -> bool:
    kind = item.error["type"]
    return kind.endswith(_TYPE_SUFFIXES) or kind in ("literal_error", "enum", "is_instance_of", "none_required")


def _single(item: Located) -> bool:
    """True for a Literal of one value, which is how an untagged union usually tells its members apart."""
    return " or " not in str((item.error.get("ctx") or {}).get("expected", " or "))


def _joined(first: Located, others: Sequence[Located]) -> Located:
    """One error that expects what any of the members expects."""
    rules = [words(item.error["type"], item.error.get("ctx") or {})[1] for item in others]
    known = list(dict.fromkeys(rule for rule in rules if rule))
    if len(known) < 2:
        return first
    enums = [item for item in others if item.error["type"] in ("literal_error", "enum")]
    chosen = enums[0] if enums else first
    return chosen._replace(expected=" or ".join(known))
