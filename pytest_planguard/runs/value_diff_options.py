"""Options for comparing two values: list keys, ignored or normalised parts, and fields that hold a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..document.path_pattern import Either, Wildcard, parse_path
from ..errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..document.path import Path
    from ..document.path_pattern import PathPattern, Step


# Values that differ in every run without meaning. They are removed, or rewritten by a named normaliser.

IGNORED = "<ignored>"
"""The placeholder for an ignored item of a list. An ignored field is left out."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A named rewriting of one text."""

    name: str
    apply: Callable[[str], str]


def named_rewrites(names: Iterable[str]) -> tuple[tuple[Rewrite, ...], tuple[str, ...]]:
    """Return the normalisers among the names, and the other names, which are paths."""
    from ..replay.matching.normalise import NORMALISERS

    known = {normaliser.name: normaliser for normaliser in NORMALISERS}
    asked = list(names)
    rewrites = tuple(Rewrite(name, known[name].apply) for name in asked if name in known)
    return rewrites, tuple(name for name in asked if name not in known)


def without(value: object, ignore: tuple[PathPattern, ...], rewrites: tuple[Rewrite, ...]) -> Any:
    """Return a copy of the value without the ignored places and with every text rewritten."""
    taken = {path for pattern in ignore for path, _ in pattern.select(value)}
    return _copied(value, (), taken, rewrites)


def _copied(value: object, path: Path, taken: set[Path], rewrites: tuple[Rewrite, ...]) -> object:
    if isinstance(value, dict):
        inner = {key: (*path, key) for key in value}
        return {key: _copied(value[key], inner[key], taken, rewrites) for key in value if inner[key] not in taken}
    if isinstance(value, list):
        return [
            IGNORED if (*path, index) in taken else _copied(item, (*path, index), taken, rewrites)
            for index, item in enumerate(value)
        ]
    if isinstance(value, str):
        for rewrite in rewrites:
            value = rewrite.apply(value)
    return value


@dataclass(frozen=True, slots=True)
class ListKey:
    """The field that identifies the items of a list."""

    key: str
    at: PathPattern | None = None
    """The list's path; None for every list whose items have the key."""


@dataclass(frozen=True, slots=True)
class DiffOptions:
    """Options for comparing two values. By default every difference counts."""

    keys: tuple[ListKey, ...] = ()
    ignore: tuple[PathPattern, ...] = ()
    """Places whose values are left out on both sides."""
    rewrites: tuple[Rewrite, ...] = ()
    """Named normalisers that are applied to every text before a comparison."""
    verdicts: tuple[PathPattern, ...] = ()
    """Fields that hold the verdict an answer gives. Reports show their changes first."""
    significant_digits: int | None = None
    """Decimal places to compare numbers to; None compares them exactly."""
    ignore_case: bool = False
    """True to treat strings that differ only in case as equal."""
    ignore_number_type: bool = False
    """True to treat 1 and 1.0 as equal."""
    operators: tuple[Any, ...] = ()
    """deepdiff operators (`deepdiff.operator.BaseOperator`) to apply to every pair of single values."""

    def prepared(self, value: object) -> Any:
        """Return the value without ignored parts and with normalised texts.

        Without such options, return the value itself.
        """
        return without(value, self.ignore, self.rewrites) if self.ignore or self.rewrites else value

    def keys_at(self, path: Path) -> tuple[str, ...]:
        """Return the keys that may apply to a list, keys for exactly this path first."""
        if not self.keys:
            return ()
        here = [named.key for named in self.keys if named.at is not None and fits(named.at, path)]
        return (*here, *(named.key for named in self.keys if named.at is None))

    def is_verdict(self, path: Path) -> bool:
        """Return True if a path is at or inside a field marked as a verdict.

        A plain name matches at any depth.
        """
        return any(
            fits(pattern, path[: len(pattern.steps)]) or (len(pattern.steps) == 1 and pattern.steps[0] in path)
            for pattern in self.verdicts
        )

    def alike(self, before: object, after: object) -> bool:
        """Return True if two different single values count as equal."""
        if self.significant_digits is None and not (self.ignore_case or self.ignore_number_type or self.operators):
            return False
        from deepdiff import DeepDiff

        return not DeepDiff(
            before,
            after,
            significant_digits=self.significant_digits,
            ignore_string_case=self.ignore_case,
            ignore_numeric_type_changes=self.ignore_number_type,
            custom_operators=list(self.operators) or None,
        )


DEFAULT = DiffOptions()


def diff_options(
    keys: Iterable[str] = (),
    ignore: Iterable[str] = (),
    verdicts: Iterable[str] = (),
    *,
    significant_digits: int | None = None,
    ignore_case: bool = False,
    ignore_number_type: bool = False,
    operators: Iterable[Any] = (),
) -> DiffOptions:
    """Parse options in the syntax of the command line.

    Args:
        keys: "lever_id" for every list, "levers=lever_id" for the list at one path.
        ignore: a path ("metadata.duration", "levers[*].lever_id") or the name of a normaliser ("uuid", "timestamp").
        verdicts: paths of the fields that are verdicts. A plain name matches at any depth.
        significant_digits: decimal places to compare numbers to; None compares them exactly.
        ignore_case: True to treat strings that differ only in case as equal.
        ignore_number_type: True to treat 1 and 1.0 as equal.
        operators: deepdiff operators (`deepdiff.operator.BaseOperator`) to apply to every pair of single values.

    Raises:
        UsageError: an item is neither a path nor a known name.
    """
    rewrites, places = named_rewrites(ignore)
    return DiffOptions(
        tuple(_list_key(text) for text in keys),
        tuple(parse_path(text) for text in places),
        rewrites,
        tuple(parse_path(text) for text in verdicts),
        significant_digits,
        ignore_case,
        ignore_number_type,
        tuple(operators),
    )


def fits(pattern: PathPattern, path: Path) -> bool:
    """Return True if a pattern matches a concrete path, ignoring conditions on values."""
    steps = pattern.steps
    return len(steps) == len(path) and all(_fits(step, part) for step, part in zip(steps, path, strict=True))


def _fits(step: Step, part: str | int) -> bool:
    if isinstance(step, Wildcard):
        return isinstance(part, int) is step.lists
    if isinstance(step, Either):
        return str(part) == str(step.number)
    return step == part


def _list_key(text: str) -> ListKey:
    place, equals, key = text.rpartition("=")
    if not key:
        raise UsageError(f"--key {text!r} has no key; write --key lever_id, or --key levers=lever_id for one list")
    return ListKey(key, parse_path(place) if equals else None)
