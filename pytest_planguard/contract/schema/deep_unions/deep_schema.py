"""A JSON Schema that judges one value again and again: how to find out what is wrong with an answer all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ....document.limits import MAX_DEPTH, MAX_PROBLEMS
from ..errors.unread_errors import too_many
from .growth import MANY, is_valid_is_quick, json_schema_parts, most_judgements
from .nesting import levels

if TYPE_CHECKING:
    from ...finding import Finding
    from .piecewise import Piecewise

Compile = Callable[[dict[str, Any]], Any]


def deep_schema(schema: Mapping[str, Any], compiled: Compile) -> DeepSchema | None:
    """Return the schema in pieces; None where no value of an answer is judged more than `MANY` times."""
    if most_judgements(schema, json_schema_parts(schema)) <= MANY:
        return None
    return DeepSchema(schema, compiled)


class DeepSchema:
    """A schema whose number of judgements grows with the depth of the answer."""

    def __init__(self, schema: Mapping[str, Any], compiled: Compile) -> None:
        self._schema = schema
        self._compiled = compiled
        self.quick = is_valid_is_quick(schema)
        """Whether the validator may be asked whether an answer holds."""

    @cached_property
    def _piecewise(self) -> Piecewise | None:
        """The pieces; None where the schema cannot be cut."""
        from .pieces import InseparableError, Pieces
        from .piecewise import Piecewise

        try:
            return Piecewise(Pieces(self._schema), self._compiled, quick=self.quick)
        except (InseparableError, ValueError, RecursionError):
            return None

    def findings(self, data: Any, listed: Callable[[Any], Iterator[Finding]]) -> list[Finding]:
        """Return what is wrong with an answer, [] for nothing.

        Args:
            data: the answer. Where `quick` is true it is known not to hold.
            listed: what the validator lists by itself, for answers that are not deep.
        """
        if self._piecewise is None:
            return self._as_a_whole(data, listed)
        judged = self._piecewise.judge(data)
        if judged.complete:
            return judged.findings
        found = judged.findings
        steps = None if len(found) == MAX_PROBLEMS else judged.steps
        return [*found, too_many(len(found), steps=steps, known_bad=bool(found))]

    def _as_a_whole(self, data: Any, listed: Callable[[Any], Iterator[Finding]]) -> list[Finding]:
        """Return what the validator lists where the answer is flat enough for that; else that nobody looked."""
        deep = levels(data, MAX_DEPTH)
        if most_judgements(self._schema, json_schema_parts(self._schema), deep) <= MANY:
            return list(listed(data))
        return [too_many(0, known_bad=False)]
