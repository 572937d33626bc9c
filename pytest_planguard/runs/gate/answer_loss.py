"""What the answers of one run have lost against those of another: their length, and fields that were filled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ...document.path_pattern import walk
from ..compare.metrics import is_blank
from ..model.judged_answers import value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..compare.run_diff import CaseDiff


def length_change(cases: Sequence[CaseDiff]) -> float | None:
    """Return how much longer the candidate's answers are, as a share: -0.4 is 40 % shorter.

    Counted are the characters of all texts in the answers of cases that both runs have; None where the base has none.
    """
    compared = [case for case in cases if case.comparable]
    before = sum(_characters(answer) for case in compared for row in case.base for answer in row.answers)
    after = sum(_characters(answer) for case in compared for row in case.candidate for answer in row.answers)
    return (after - before) / before if before else None


def lost_fields(cases: Sequence[CaseDiff]) -> tuple[str, ...]:
    """Return the fields that the base's answer had filled and the candidate's has not: 'case-1: summary', sorted.

    Items of lists come and go, so places are told without their index, and a field is lost where no item has it.
    """
    return tuple(sorted(f"{case.key}: {name}" for case in cases for name in _lost(case)))


def _lost(case: CaseDiff) -> Iterator[str]:
    if not case.comparable:
        return
    before, after = ({keys for row in rows for keys in _filled(row.answers)} for rows in (case.base, case.candidate))
    yield from map(to_dotted, before - after)


def _filled(answers: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the keys that lead to every field of an object that is neither null nor blank nor empty.

    Keys, and no text of them: {"a.b": 1} has another field than {"a": {"b": 1}}.
    """
    for answer in answers:
        for path, value in walk(value_of(answer)):
            if path and isinstance(path[-1], str) and not is_blank(value):
                yield tuple([step for step in path if isinstance(step, str)])


def _characters(answer: str) -> int:
    return sum(len(value) for _, value in walk(value_of(answer)) if isinstance(value, str))
