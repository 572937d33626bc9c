"""Convert jsonschema-rs errors to findings: planguard's codes, document paths, readable rules, offending values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from ...document.path import get_at
from ..failure_kinds import FailureKind
from ..finding import Finding
from ..phrasing import as_json, choices, did_you_mean, plural, rule_finding
from .bounds import target_of, whole_enum, whole_message
from .pydantic_errors import EXTRA_MESSAGE, MISSING_MESSAGE, best_fit

if TYPE_CHECKING:
    from ...document.path import Path


_NUMBER = re.compile(r"\+?[0-9]{1,19}")
"""A key that jsonschema-rs reports as an index. Longer numbers do not fit into a machine integer."""


_MESSAGE_LIMIT = 300
"""Maximum characters of a validator's message: some quote the whole value."""


class ErrorPaths:
    """The paths of all errors in one document.

    Two errors in `{"7": "x", "07": "x"}` have the same steps and the same value, but each gets its own path.
    """

    def __init__(self, document: object) -> None:
        self._document = document
        self._given: defaultdict[tuple[Path, Path], set[Path]] = defaultdict(set)

    def path_of(self, error: Any) -> Path:
        """Return the path of a `jsonschema_rs.ValidationError`.

        If two match, return the one not yet used for its rule.
        """
        steps = tuple(error.instance_path)
        given = self._given[steps, tuple(error.schema_path)]
        path = path_in(self._document, steps, error.instance, given)
        given.add(path)
        return path

    def object_around(self, error: Any) -> tuple[Path, Mapping[str, object]] | None:
        """Return an object that may have no keys, with its path; None for an error about a value.

        jsonschema-rs gives the object's path and the value of its first key.
        """
        path = tuple(error.instance_path)
        found = get_at(self._document, path) if error.schema_path[-1:] == ["additionalProperties"] else None
        return (path, found) if isinstance(found, Mapping) and found != error.instance else None


def path_in(document: object, steps: Path, instance: object, given: Collection[Path] = ()) -> Path:
    """Return the path of a value in its document.

    In `{"": {"0": 7}}` the steps `(0,)` and the value 7 give `("", "0")`.

    Args:
        document: the whole document.
        steps: the path that jsonschema-rs reports.
        instance: the value that the error is about; if several fit, prefer one with the fewest empty keys at the start.
        given: paths of other errors of the same rule; prefer a new path if one fits.
    """
    ways = [*islice(_paths(document, steps, instance), len(given) + 1)]
    return next((way for way in ways if way not in given), ways[0] if ways else steps)


def _step(key: str) -> str | int:
    """Return jsonschema-rs's form of a key: 7 for "7", "07" and "+7"."""
    return int(key) if _NUMBER.fullmatch(key) else key


def _paths(value: object, steps: Path, instance: object) -> Iterator[Path]:
    if not steps and value == instance:
        yield ()
    if steps and isinstance(value, Mapping):
        for key in [key for key in value if _step(key) == steps[0]]:
            yield from ((key, *rest) for rest in _paths(value[key], steps[1:], instance))
    elif steps and isinstance(value, list) and isinstance(steps[0], int) and steps[0] < len(value):
        yield from ((steps[0], *rest) for rest in _paths(value[steps[0]], steps[1:], instance))
    if isinstance(value, Mapping) and "" in value:
        yield from (("", *rest) for rest in _paths(value[""], steps, instance))


_TYPE_WORDS = {
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_COUNTED = {
    "minLength": ("at least", "character"),
    "maxLength": ("at most", "character"),
    "minItems": ("at least", "item"),
    "maxItems": ("at most", "item"),
    "minProperties": ("at least", "property"),
    "maxProperties": ("at most", "property"),
}
_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "greater than",
    "exclusiveMaximum": "less than",
}


@dataclass(frozen=True, slots=True)
class _Case:
    """One error and the schema it comes from."""

    error: Any
    root: Mapping[str, Any]
    paths: ErrorPaths
    path: Path
    keyword: str
    details: dict[str, Any]
    value: Any

    @classmethod
    def of(cls, error: Any, root: Mapping[str, Any], paths: ErrorPaths) -> Self:
        kind = error.kind
        return cls(error, root, paths, paths.path_of(error), str(kind.name), kind.as_dict(), error.instance)

    @property
    def pattern(self) -> str | None:
        """The pattern of the error, looked up by its path in the schema; None if that leads nowhere."""
        *way, keyword = self.error.schema_path
        if way[-1:] == ["patternProperties"]:
            return str(keyword)
        here = self._at(way)
        pattern = here.get(keyword) if isinstance(here, Mapping) else None
        return pattern if isinstance(pattern, str) else None

    @property
    def long_enum(self) -> tuple[Any, ...] | None:
        """All values of an enum that was shortened; None for other errors."""
        way = list(self.error.schema_path)
        return whole_enum(self._at(way[:-2])) if way[-2:] == ["else", "enum"] else None

    def _at(self, way: Sequence[object]) -> Any:
        """Return the part of the schema at a path of the validator; None if that leads nowhere."""
        here: Any = self.root
        for part in way:
            try:
                here = target_of(here.get("$ref"), self.root) if part == "$ref" else here[part]
            except (LookupError, TypeError, AttributeError):
                return None
        return here

    @property
    def object_schema(self) -> Mapping[str, Any]:
        """The innermost schema on the path that has `properties`; empty if a `$ref` hides it."""
        here: Any = self.root
        found: Mapping[str, Any] = {}
        for part in [None, *self.error.schema_path[:-1]]:
            try:
                here = here if part is None else here[part]
            except (KeyError, IndexError, TypeError):
                return {}
            if isinstance(here, Mapping) and isinstance(here.get("properties"), Mapping):
                found = here
        return found


def findings(error: Any, root: Mapping[str, Any], paths: ErrorPaths) -> Iterator[Finding]:
    """Yield the findings of one error: several for a list of unknown keys, the best alternative's for anyOf and oneOf.

    Args:
        error: a `jsonschema_rs.ValidationError`.
        root: the whole schema, for the title and the keys of the error's object.
        paths: the paths of the whole document.
    """
    case = _Case.of(error, root, paths)
    title = case.object_schema.get("title")
    for found in _found(case):
        yield replace(
            found,
            owner=found.owner or (title if isinstance(title, str) else None),
            validator_code=found.validator_code or case.keyword,
            validator_message=found.validator_message or error.message[:_MESSAGE_LIMIT],
        )


def _found(case: _Case) -> list[Finding]:
    """Return an error's findings in planguard's words, or in the validator's words if its details are unknown."""
    try:
        found = list(_RULES.get(case.keyword, _other)(case))
    # Details differ between versions, and for nested errors.
    except (LookupError, AttributeError, TypeError, ValueError):
        found = []
    return found or list(_other(case))


def _required(case: _Case) -> Iterator[Finding]:
    yield Finding("missing", (*case.path, case.details["property"]), MISSING_MESSAGE, FailureKind.MISSING)


MOST_HINTS = 100
"""Maximum number of unknown keys of one object to compare with the known ones: 200 known keys take 2 ms for each."""


def _unexpected(case: _Case) -> Iterator[Finding]:
    known = list(case.object_schema.get("properties", ()))
    free = [name for name in known if name not in case.value]
    for number, key in enumerate(case.details.get("unexpected", ())):
        actual = as_json(case.value.get(key)) if isinstance(case.value, Mapping) else None
        hint = did_you_mean(key, free) if number < MOST_HINTS else None
        yield Finding("extra", (*case.path, key), EXTRA_MESSAGE, FailureKind.EXTRA, actual=actual, hint=hint)


def _false(case: _Case) -> Iterator[Finding]:
    """Yield a finding for a value that must not be there, and for each key of an object that may have none."""
    around = case.paths.object_around(case.error)
    if around is None:
        yield from _other(case)
        return
    path, members = around
    for key, value in members.items():
        yield Finding("extra", (*path, key), EXTRA_MESSAGE, FailureKind.EXTRA, actual=as_json(value))


def _type(case: _Case) -> Iterator[Finding]:
    expected = " or ".join(_TYPE_WORDS.get(str(name), str(name)) for name in case.details["types"])
    yield rule_finding(FailureKind.TYPE, case.path, expected, case.value)


def _enum(case: _Case) -> Iterator[Finding]:
    options, said = case.long_enum, str(case.error.message)
    if options is None:
        options = tuple(case.details["options"] if "options" in case.details else [case.details["expected_value"]])
    else:
        said = whole_message(said, len(options))
    more = {"hint": did_you_mean(case.value, options), "allowed": options, "validator_message": said[:_MESSAGE_LIMIT]}
    yield rule_finding(FailureKind.ENUM, case.path, choices(options), case.value, **more)


def _length(case: _Case) -> Iterator[Finding]:
    bound, noun = _COUNTED[case.keyword]
    yield rule_finding(FailureKind.LENGTH, case.path, f"{bound} {plural(case.details['limit'], noun)}", case.value)


def _bound(case: _Case) -> Iterator[Finding]:
    multiple = case.keyword == "multipleOf"
    expected = case.details["multiple_of"] if multiple else case.details["limit"]
    words = "a multiple of" if multiple else _BOUNDS[case.keyword]
    yield rule_finding(FailureKind.RANGE, case.path, f"{words} {expected}", case.value)


def _pattern(case: _Case) -> Iterator[Finding]:
    if "pattern" in case.details:
        yield rule_finding(FailureKind.FORMAT, case.path, f"text matching {case.details['pattern']}", case.value)
    else:
        yield from _costly(case)


def _costly(case: _Case) -> Iterator[Finding]:
    """Yield the finding of a pattern that exceeds `BACKTRACK_LIMIT`: its error does not name the pattern."""
    pattern, actual = case.pattern, as_json(case.value)
    named = "a pattern" if pattern is None else f"the pattern {pattern}"
    expected = None if pattern is None else f"text matching {pattern}"
    message = f"{named} is too costly for this value; got {actual}"
    yield Finding("format", case.path, message, FailureKind.FORMAT, expected=expected, actual=actual)


def _format(case: _Case) -> Iterator[Finding]:
    yield rule_finding(FailureKind.FORMAT, case.path, f"text in the format {case.details['format']}", case.value)


def _alternatives(case: _Case) -> Iterator[Finding]:
    """Yield the findings of the best alternative. If none accepts the value, yield one that names all types."""
    branches = [
        [item for inner in branch for item in findings(inner, case.root, case.paths)]
        for branch in case.details["context"]
    ]
    fitting = sum(not branch for branch in branches)
    yield from several_fit(case.path, case.value, fitting) if fitting else best_of(branches, case.path, case.value)


def several_fit(path: Path, value: object, fitting: int) -> list[Finding]:
    """Return the finding of a value that matches more than one alternative of a `oneOf`."""
    return [rule_finding(FailureKind.RULE, path, f"exactly one matching alternative, not {fitting}", value)]


def best_of(branches: Sequence[list[Finding]], path: Path, value: object) -> list[Finding]:
    """Return the findings of the best alternative. If none accepts the value, return one that names what they accept.

    Args:
        branches: the findings of each alternative, none of them empty.
        path: the place of the value.
        value: the value there.
    """
    best, refused = best_fit(branches, path)
    rules = dict.fromkeys(found.expected for found in refused if found.expected)
    return [rule_finding(FailureKind(best[0].code), path, " or ".join(rules), value)] if refused else best


def _key_name(case: _Case) -> Iterator[Finding]:
    inner = case.details["error"]
    for found in findings(inner, case.root, case.paths):
        yield replace(found, path=(*case.path, str(inner.instance)))


def _other(case: _Case) -> Iterator[Finding]:
    yield Finding("rule", case.path, refusal(case.keyword, case.value), FailureKind.RULE, actual=as_json(case.value))


_REFUSALS = {
    "not": 'expected a value that does not fit the schema under "not"',
    "contains": 'expected another number of items that fit the schema under "contains"',
    "falseSchema": "expected nothing here",
    "additionalItems": "expected no more items",
    "unevaluatedItems": "expected no more items",
}


def refusal(keyword: str, value: object) -> str:
    """Return the message of a keyword whose rule has no more telling one."""
    return f"{_REFUSALS.get(keyword, f'{keyword} does not hold')}; got {as_json(value)}"


_Rule = Callable[[_Case], Iterator[Finding]]
_RULES: dict[str, _Rule] = {
    "required": _required,
    "additionalProperties": _unexpected,
    "unevaluatedProperties": _unexpected,
    "falseSchema": _false,
    "type": _type,
    "enum": _enum,
    "const": _enum,
    "multipleOf": _bound,
    "pattern": _pattern,
    "backtrackLimitExceeded": _costly,
    "format": _format,
    "anyOf": _alternatives,
    "oneOf": _alternatives,
    "propertyNames": _key_name,
    "uniqueItems": lambda case: iter([rule_finding(FailureKind.RULE, case.path, "different items", case.value)]),
    **dict.fromkeys(_COUNTED, _length),
    **dict.fromkeys(_BOUNDS, _bound),
}

_KINDS = {
    FailureKind.MISSING: ("required",),
    FailureKind.EXTRA: ("additionalProperties", "unevaluatedProperties"),
    FailureKind.TYPE: ("type",),
    FailureKind.ENUM: ("enum", "const"),
    FailureKind.LENGTH: tuple(_COUNTED),
    FailureKind.RANGE: (*_BOUNDS, "multipleOf"),
    FailureKind.FORMAT: ("pattern", "format"),
    FailureKind.RULE: (
        *("additionalItems", "anyOf", "backtrackLimitExceeded", "contains", "contentEncoding", "contentMediaType"),
        *("custom", "falseSchema", "fromUtf8", "not", "oneOf", "propertyNames", "regexEngineFailure"),
        *("unevaluatedItems", "uniqueItems", "dependentRequired", "dependentSchemas", "if", "then", "else", "$ref"),
    ),
}
KEYWORD_KINDS = {keyword: kind for kind, keywords in _KINDS.items() for keyword in keywords}
"""The kind of each broken keyword; one that reports findings of its parts (`anyOf`) counts as a rule."""
