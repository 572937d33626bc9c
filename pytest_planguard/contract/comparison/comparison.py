"""Compare an answer with its expected value, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from ...document.path import WHOLE_ANSWER, Path
from ...document.path_pattern import PathPattern, Wildcard, parse_path
from ...errors import UsageError
from ..failure_kinds import FailureKind
from ..finding import Finding, Severity
from ..phrasing import as_json, expected_got
from .alignment import Pair, align, key_of
from .answer_forms import Forms, SetItems, as_written, each_form, plain
from .comparators import Comparator, Equal, Ignored, SameItems
from .score import Mistake, Score, field_scores, mean

ABSENT: Final = object()
"""Marks a missing value."""


class Comparison:
    """A contract's comparators, by field. Fields without a comparator must be equal.

    Args:
        given: comparators by field, in the path syntax of content constraints: "total", "lines[*].price". If several
            match a place, the one with the fewest wildcards wins, then the last one.

    Raises:
        UsageError: a field is not a path, or a value is not a comparator.
    """

    def __init__(self, given: Mapping[str, Comparator]) -> None:
        if not isinstance(given, Mapping):
            raise UsageError(
                f"compare must map fields to comparators: got {given!r}; write compare={{'total': near(1)}}"
            )
        self._given: list[tuple[PathPattern, Comparator]] = []
        for field, comparator in given.items():
            if not callable(getattr(comparator, "fits", None)):
                raise UsageError(
                    f"the comparator of {field!r} must be near(), same_text(), similar(), same_date(), same_items() or "
                    f"ignored(): got {comparator!r}; to expect a value, put it into the expected value"
                )
            self._given.append((parse_path(field), comparator))
        self._given.reverse()  # of equally exact patterns the last one wins
        self._given.sort(key=lambda one: sum(isinstance(step, Wildcard) for step in one[0].steps))
        self.at = cache(self._at)
        """Returns the comparator for a path in the expected value."""

    def _at(self, path: Path) -> Comparator:
        return next((comparator for pattern, comparator in self._given if pattern.fits(path)), Equal())

    def score(self, expected: Any, actual: Any) -> Score:
        """Score an answer against its expected value.

        Keys that the expected object doesn't have are not compared. List items that the expected list doesn't have are
        wrong.

        Args:
            expected: plain data, models, dataclasses, and objects that define `==`.
            actual: the answer as plain data, or its `answer_forms`; None if it could not be read.
        """
        found = _Leaves(self)
        total = mean(found.of(plain(expected), plain(actual), (), ()))
        return Score(total, field_scores(found.counts), tuple(found.findings), tuple(found.mistakes))

    def accepted(self, expected: object, actual: object) -> Any:
        """Return the expected value as plain data, with each mismatch replaced by the answer's value.

        Lists are replaced as a whole, and members that are missing from the answer are removed. Values that match keep
        the expected spelling.
        """
        return self._accepted(plain(expected), plain(actual), ())

    def _accepted(self, expected: object, actual: object, place: Path) -> object:
        actual = _Leaves(self, explain=False).best_form(expected, actual, place)
        if isinstance(expected, dict) and isinstance(actual, dict) and expected and isinstance(self.at(place), Equal):
            inner = {key: self._accepted(expected[key], actual.get(key, ABSENT), (*place, key)) for key in expected}
            return {key: value for key, value in inner.items() if value is not ABSENT} or as_written(actual)
        fits = mean(_Leaves(self, explain=False).of(expected, actual, place, ())) == 1
        return expected if fits else as_written(actual)


class _Leaves:
    """Walks through an expected value and collects the answer's value for each leaf."""

    def __init__(self, comparison: Comparison, *, explain: bool = True) -> None:
        self._comparison = comparison
        self._explain = explain
        """True to collect findings and mistakes as well."""
        self.names: set[str] = set()
        """The names of the fields that were counted."""
        self.counts: list[tuple[str, float, int, int]] = []
        """One tuple per leaf: the field's name, and how many values are right, expected and found."""
        self.findings: list[Finding] = []
        self.mistakes: list[Mistake] = []

    def of(self, expected: Any, actual: Any, place: Path, path: Path) -> list[float]:
        """Return the scores of the leaves of a value.

        `place` is the position in the expected value, which selects name and comparator; `path` is the position in the
        answer.
        """
        comparator = self._comparison.at(place)
        actual = self.best_form(expected, actual, place)
        if isinstance(comparator, Ignored) or (comparator.optional and actual in (ABSENT, None)):
            return []
        if isinstance(expected, list) and isinstance(comparator, Equal | SameItems):
            return [self._list(expected, actual, comparator, place, path)]
        if isinstance(expected, dict) and expected and isinstance(comparator, Equal):
            return self._object(expected, actual, comparator, place, path)
        return [self._leaf(expected, actual, comparator, place, path)]

    def best_form(self, expected: object, actual: object, place: Path) -> object:
        """Return the form of a value that fits best: an object for an object, then the written one if several do."""
        if not isinstance(actual, Forms):
            return actual
        silent, is_object = _Leaves(self._comparison, explain=False), isinstance(expected, dict)
        return max(
            actual.forms,
            key=lambda form: (mean(silent.of(expected, form, place, ())), isinstance(form, dict) is is_object),
        )

    def _object(
        self, expected: dict[str, Any], actual: object, comparator: Comparator, place: Path, path: Path
    ) -> list[float]:
        if not isinstance(actual, dict):
            self._wrong(comparator, expected, actual, path)
            return self._absent(expected, place)
        leaves: list[float] = []
        for key, value in expected.items():
            leaves += self.of(value, actual.get(key, ABSENT), (*place, key), (*path, key))
        return leaves

    def _absent(self, expected: object, place: Path) -> list[float]:
        """Count the leaves of a value that is missing from the answer, without a finding for each leaf."""
        silent = _Leaves(self._comparison, explain=False)
        silent.counts, silent.names = self.counts, self.names
        if not isinstance(expected, dict):
            return silent.of(expected, ABSENT, place, ())
        return [leaf for key, value in expected.items() for leaf in silent.of(value, ABSENT, (*place, key), ())]

    def _leaf(self, expected: object, actual: object, comparator: Comparator, place: Path, path: Path) -> float:
        # A matcher may look at members of an object, and each has its forms.
        forms = each_form(actual) if isinstance(actual, dict | list) else (actual,)
        right = actual is not ABSENT and any(_fitting(comparator, expected, form) for form in forms)
        self._count(place, float(right), 1, int(actual is not ABSENT))
        if not right and self._explain:
            self._wrong(comparator, expected, actual, path)
            if isinstance(expected, str) and isinstance(actual, str) and max(len(expected), len(actual)) <= _SHORT:
                self.mistakes.append(Mistake(field_name(place), expected, actual))
        return float(right)

    def _list(self, expected: list[Any], actual: object, comparator: Comparator, place: Path, path: Path) -> float:
        if not isinstance(actual, list):
            self._wrong(comparator, expected, actual, path)
            self._count(place, 0.0, len(expected), 0)
            return 0.0
        pairs = self._pairs(expected, actual, comparator, place)
        right = 0.0
        for wanted, found in pairs:
            leaves = self.of(expected[wanted], actual[found], (*place, wanted), (*path, found))
            right += mean(leaves)
        self._unpaired(expected, actual, pairs, place, path)
        self._count(place, right, len(expected), len(actual))
        return 2 * right / (len(expected) + len(actual)) if expected or actual else 1.0

    def _pairs(self, expected: list[Any], actual: list[Any], comparator: Comparator, place: Path) -> list[Pair]:
        key = comparator.key if isinstance(comparator, SameItems) else ()
        is_ordered = not isinstance(comparator, SameItems) and not isinstance(expected, SetItems)
        if is_ordered and not isinstance(actual, SetItems):
            return list(zip(range(len(expected)), range(len(actual)), strict=False))

        @cache
        def similarity(wanted: int, found: int) -> float:
            silent = _Leaves(self._comparison, explain=False)
            return mean(silent.of(expected[wanted], actual[found], (*place, wanted), ()))

        wanted_keys = {key_of(item, key) for item in expected}
        plain_items = [
            next((form for form in each_form(item) if key_of(form, key) in wanted_keys), as_written(item))
            for item in actual
        ]
        return align(expected, plain_items, similarity, key)

    def _unpaired(self, expected: list[Any], actual: list[Any], pairs: Sequence[Pair], place: Path, path: Path) -> None:
        """Report unpaired items, and count their fields: as expected for missing items, as found for extra ones."""
        paired, partners = ({pair[side] for pair in pairs} for side in (0, 1))
        for index, item in enumerate(expected):
            if index not in paired:
                self._absent(item, (*place, index))
                wanted = as_json(item)
                self._report("missing_item", path, f"expected an item {wanted}; the list has none", expected=wanted)
        for index, item in enumerate(actual):
            if index not in partners:
                item = as_written(item)
                for inner, value in item.items() if isinstance(item, dict) else ():
                    # A field of an unexpected item counts if expected items have a field of this name.
                    if not isinstance(value, dict | list) and field_name((*place, 0, inner)) in self.names:
                        self._count((*place, 0, inner), 0.0, 0, 1)
                found = as_json(item)
                self._report("extra_item", (*path, index), f"expected no such item; got {found}", actual=found)

    def _count(self, place: Path, right: float, expected: int, found: int) -> None:
        if place and isinstance(place[-1], int):  # an item without fields counts in its list
            return
        name = field_name(place)
        self.names.add(name)
        self.counts.append((name, right, expected, found))

    def _wrong(self, comparator: Comparator, expected: object, actual: object, path: Path) -> None:
        wanted = comparator.wanted(expected) if self._explain else ""
        if actual is ABSENT:
            self._report("missing_value", path, f"expected {wanted}; the answer has none", expected=wanted)
        else:
            found = as_json(as_written(actual))
            self._report("wrong_value", path, expected_got(wanted, found), expected=wanted, actual=found)

    def _report(
        self, code: str, path: Path, message: str, expected: str | None = None, actual: str | None = None
    ) -> None:
        if self._explain:
            self.findings.append(Finding(code, path, message, *_KIND, expected=expected, actual=actual))


_KIND = (FailureKind.CONTENT, Severity.FAIL)
"""FAIL, so that the finding is never fed back: an app cannot know the expected value."""
_SHORT = 40
"""Maximum length of a label such as "high" or "billing question"."""


def _fitting(comparator: Comparator, expected: object, actual: object) -> bool:
    """Return the comparator's result; a user's `==` that raises counts as False."""
    try:
        return comparator.fits(expected, actual)
    except Exception:  # a matcher may fail in any way on a value of another type
        return False


def field_name(place: Path) -> str:
    """Return the name of a field over all items and cases: "lines[*].sku"; "(whole answer)" for the root."""
    if not place:
        return WHOLE_ANSWER
    parts = ("[*]" if isinstance(part, int) else f".{part}" for part in place)
    return "".join(parts).removeprefix(".")
