"""Mutations that change which errors the feedback names, in whatever wording."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...support.conversations import Error

OTHER_FIELD = ("planguard_other", 7, "field")
OTHER_RULE = ("string_pattern_mismatch", "String should match pattern '^[qz]{9}$'")
OTHER_RULES = ("extra_forbidden", "Extra inputs are not permitted")
STALE: tuple[Error, ...] = (
    (("owner",), "missing", "Field required"),
    (("tasks", 4, "title"), "string_too_short", "String should have at least 3 characters"),
)


def same_field_other_rule(errors: Sequence[Error]) -> list[Error]:
    """Each place with a rule that does not hold there."""
    return [(path, *(OTHER_RULES if code.startswith("string_pattern") else OTHER_RULE)) for path, code, _ in errors]


def same_rule_other_field(errors: Sequence[Error]) -> list[Error]:
    """Each rule at a place that does not break it."""
    return [((*OTHER_FIELD[:1], n, *OTHER_FIELD[2:]), code, message) for n, (_, code, message) in enumerate(errors)]


def wrong_index(errors: Sequence[Error]) -> list[Error]:
    """Every list index off by seven; a path without one moves to another field."""
    moved = []
    for path, code, message in errors:
        other = tuple(s + 7 if isinstance(s, int) else s for s in path)
        moved.append((other if other != path else OTHER_FIELD, code, message))
    return moved


def swapped_rules(errors: Sequence[Error]) -> list[Error]:
    """Each place with the rule of the next: every word of the feedback is right, none stands where it belongs."""
    rules = [(code, message) for _, code, message in errors]
    return [(path, *rule) for (path, _, _), rule in zip(errors, rules[1:] + rules[:1], strict=True)]


def stale(_: Sequence[Error]) -> list[Error]:
    """The errors of some earlier answer."""
    return list(STALE)


def partial(errors: Sequence[Error]) -> list[Error]:
    """Only the first error."""
    return list(errors[:1])


REWORDINGS: dict[str, Callable[[Sequence[Error]], list[Error]]] = {
    "same field, other rule": same_field_other_rule,
    "same rule, other field": same_rule_other_field,
    "wrong index": wrong_index,
    "stale": stale,
    "only the first": partial,
}
"""Each loses at least one of two or more located errors."""
