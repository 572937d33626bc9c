"""How often a validator that tries every alternative looks at the parts of one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..errors.unread_errors import UNCOUNTED
from .growth import Parts
from .questions import OverBudgetError, Questions, Work
from .schema_walk import Judged, Part

_Question = tuple[Any, Any]
"""A node of the schema, and a value."""


class Visits(NamedTuple):
    """What a validator does with one answer."""

    total: int
    """Looks at a part of the answer by a part of the schema, again for each way through the schema that leads there."""
    pairs: int
    """Those looks, each counted once."""


def count_visits(root: Any, parts_of: Parts, data: Any, limit: int) -> Visits | None:
    """Return the visits of one answer; None where there are more than `limit` pairs. Takes a step for each pair.

    Args:
        root: the schema.
        parts_of: the parts of a node for a value.
        data: the answer.
        limit: pairs that are counted at most.
    """

    def work(question: _Question) -> Work[_Question, int]:
        node, value = question
        total, here = 1, [node]
        for one in here:  # grows on the way
            for judged, inner in parts_of(one, value):
                if judged is Part.HERE:
                    total += 1
                    here.append(inner)
                    continue
                for part in _parts_of_value(value, judged):
                    total += yield (inner, part)
        return min(total, UNCOUNTED)

    questions = Questions(work, lambda question: (id(question[0]), id(question[1])), limit)
    try:
        return Visits(questions.answer((root, data)), questions.steps + 1)
    except OverBudgetError:
        return None


def _parts_of_value(value: Any, judged: Judged) -> Iterator[Any]:
    if isinstance(value, Mapping):
        if judged is Part.MEMBERS:
            yield from value.values()
        elif isinstance(judged, str) and judged in value:
            yield value[judged]
    elif isinstance(value, list):
        if judged is Part.ITEMS:
            yield from value
        elif isinstance(judged, int) and judged < len(value):
            yield value[judged]
