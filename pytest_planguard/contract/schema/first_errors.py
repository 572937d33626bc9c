"""Cut an answer with very many errors down to its start, so that a validator need not make all of them.

Validators list all errors of an answer at once, about 1 kB each: 2 MB of `[1,1,…]` for a list of texts took 1 GB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...document.limits import MAX_PROBLEMS

if TYPE_CHECKING:
    from ...document.path import Path
    from ..finding import Finding

FEW = 10_000
"""Maximum number of values or errors in an answer whose errors are all listed. They may take 10 MB."""
_OF_THE_WHOLE = frozenset({"minItems", "minProperties", "too_short", "contains", "value_error", "assertion_error"})
"""The validator's codes for rules that a list or an object may break only because it was cut."""


@dataclass(frozen=True, slots=True)
class Start:
    """The start of an answer."""

    data: object
    path: Path
    """The path of the last object or list that was cut. Only those around it were cut, too."""
    whole: object

    def true_findings(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings that do not come from the cut."""
        for one in found:
            if one.code == "missing":
                true = not _has(self.whole, one.path)
            else:
                true = one.validator_code not in _OF_THE_WHOLE or self.path[: len(one.path)] != one.path
            if true:
                yield one


def start_with_errors(data: object, errors_of: Callable[[object], int]) -> Start | None:
    """Return a start of an answer that has more than `MAX_PROBLEMS` errors, if possible fewer than twice as many.

    None if the answer has at most `FEW` values, or if its first half has so few errors that all can be listed.

    Args:
        data: the answer.
        errors_of: counts the errors of a start of the answer.
    """
    if _start(data, FEW) is None:
        return None
    size = MAX_PROBLEMS // 2
    while (start := _start(data, size)) is not None:
        count = errors_of(start.data)
        if count > MAX_PROBLEMS:
            return start
        # 200 errors in 500 values: 3,000 values are likely to have 1,200. The errors may also be at the end.
        likely = min(6 * MAX_PROBLEMS * size // (5 * max(count, 1)), 8 * size)
        size = likely if likely > 2 * size and _start(data, likely) is not None else 2 * size
    return None


def findings_of_start(
    data: object, errors_of: Callable[[object], int], listed: Callable[[object], Iterable[Finding]]
) -> list[Finding]:
    """Return the findings of the start of an answer with very many errors; [] for any other answer.

    Args:
        data: an answer that is known to be wrong.
        errors_of: counts the errors of a start of the answer.
        listed: returns the findings of a start of the answer.
    """
    from ..phrasing import TOO_MANY, too_many

    start = start_with_errors(data, errors_of)
    every = () if start is None else start.true_findings(listed(start.data))
    found = [one for one in every if one.code != TOO_MANY]
    return [*found, too_many(len(found), known_bad=True)] if found else []


def _start(data: object, size: int) -> Start | None:
    """Return the first `size` values of an answer, with the objects and lists around them; None if it has no more."""
    left = size
    end: Path | None = None

    def cut(value: object, path: Path) -> object:
        nonlocal left, end
        if not isinstance(value, Mapping | list):
            return value
        kept = []
        for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            if not left:
                end = end or path
                break
            left -= 1
            kept.append((key, cut(inner, (*path, key))))
        return dict(kept) if isinstance(value, Mapping) else [inner for _, inner in kept]

    part = cut(data, ())
    return None if end is None else Start(part, end, data)


def _has(value: Any, path: Path) -> bool:
    """Return True if a value has a part at a path."""
    try:
        for key in path:
            value = value[key]
    except (LookupError, TypeError):
        return False
    return True
