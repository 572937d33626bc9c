"""Hypothesis strategies derived from a contract: valid answers, near misses, and wrapped documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from ...contract.contract import Contract
from ...contract.failure_kinds import FailureKind
from ...contract.phrasing import offered
from ...errors import UsageError

try:
    from hypothesis import assume
    from hypothesis import strategies as st
except ImportError:
    raise UsageError(
        "made-up answers need the optional package hypothesis: pip install 'pytest-planguard[hypothesis]'"
    ) from None

from .near_miss import (
    KINDS,
    TEXT_WRAPPINGS,
    WRAPPINGS,
    AnswerText,
    Mutation,
    NearMiss,
    NearMissKind,
    TextWrapping,
    mutated,
    mutations,
)
from .plan_writers import written
from .plans import DEFECTS, plans_of
from .shapes_of import plan_format, shapes_of
from .values import Draw, Maker, Site

_LAYOUT: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{}, {"indent": 2}, {"ensure_ascii": False}, {"separators": (",", ":")}]
)
"""The JSON layouts that models use. Hypothesis shrinks to the first."""
TRIES = 8
"""How many full values to draw before an example is discarded, if a kind of mistake does not apply to the first value.
That value may lack an optional member, have an empty list, or be another alternative of a union."""


class Kinded(Protocol):
    """A value with a kind."""

    @property
    def kind(self) -> str:
        """The name of the kind."""
        ...


OfKind = TypeVar("OfKind", bound=Kinded)
Name = TypeVar("Name", bound=str)


def valid_answers(contract: Contract, *, given: Mapping[str, object] | None = None) -> st.SearchStrategy[str]:
    """Return a strategy for answers (as text) that satisfy a contract: its schema and its content constraints.

    Args:
        contract: with a pydantic schema, a JSON Schema, or none.
        given: values for fields that only code can judge (a `custom` constraint, a validator, a rule). Maps a field to
            a strategy, or to a function that takes the generated value and returns a correct one. "" is the whole
            answer; "tasks[*].id" takes wildcards.

    Raises:
        UsageError: no value can be generated for a keyword, format, validator or constraint (the message names it),
            demands contradict each other, or the extra `[hypothesis]` is not installed.
    """
    given = given or {}
    format_name = plan_format(contract)
    if format_name is not None and "" not in given:
        return plans_of(format_name).map(written)
    maker = Maker(shapes_of(contract, given))
    refuse_other_formats(contract)

    @st.composite
    def answers(draw: Draw) -> str:
        value, _ = maker.value(draw)
        return _written(draw, value)

    return answers()


def near_misses(
    contract: Contract, kinds: Sequence[NearMissKind] | None = None, *, given: Mapping[str, object] | None = None
) -> st.SearchStrategy[NearMiss]:
    """Return a strategy for answers with exactly one known mistake, each a `NearMiss`.

    Args:
        contract: as for `valid_answers`. With `extract="embedded"`, a fence or prose around the document is not a
            mistake.
        kinds: the kinds of mistakes to draw from. By default, all that apply to the drawn value.
        given: as for `valid_answers`. These values are never changed.

    Raises:
        UsageError: as for `valid_answers`, and for an unknown kind.
    """
    given = given or {}
    wanted = frozenset(KINDS if kinds is None else known_names("kind", kinds, KINDS))
    format_name = plan_format(contract)
    if format_name is not None and "" not in given:
        return _plan_misses(format_name, wanted)
    maker = Maker(shapes_of(contract, given))
    full = [replace(maker, turn=number) for number in range(TRIES)]
    refuse_other_formats(contract)
    schema = contract.json_schema or {}
    around = [one for one in WRAPPINGS if one.kind in wanted and not (one.found_anyway and contract.extract != "whole")]

    def all_of(value: object, sites: list[Site], text: str) -> list[Mutation | NearMiss]:
        wrong: list[Mutation | NearMiss] = [one for one in mutations(value, sites) if one.kind in wanted]
        spoilt = ((one, one.spoilt(text, value, schema)) for one in around)
        return wrong + [NearMiss(bad, one.kind, (), one.failure) for one, bad in spoilt if bad is not None]

    @st.composite
    def near(draw: Draw) -> NearMiss:
        value, sites = maker.value(draw)
        options = all_of(value, sites, _written(draw, value))
        for fuller in full:
            if not options:
                value, sites = fuller.value(draw)
                options = all_of(value, sites, _written(draw, value))
        assume(options)
        chosen = chosen_kind(draw, options)
        if isinstance(chosen, NearMiss):
            return chosen
        wrong = mutated(value, chosen)
        return NearMiss(_written(draw, wrong), chosen.kind, chosen.path, chosen.failure, wrong)

    return near()


def texts(
    contract: Contract, wrappings: Sequence[TextWrapping] | None = None, *, given: Mapping[str, Any] | None = None
) -> st.SearchStrategy[AnswerText]:
    """Return a strategy for valid documents as models wrap them: fenced, in prose, truncated.

    Use it to test a `parse` function. Each text comes with the document that the function should find in it, if any.

    Args:
        contract: as for `valid_answers`.
        wrappings: the wrappings to draw from. By default, all that apply to the drawn value.
        given: as for `valid_answers`.

    Raises:
        UsageError: as for `valid_answers`, and for an unknown wrapping.
    """
    wanted = tuple(TEXT_WRAPPINGS) if wrappings is None else known_names("wrapping", wrappings, tuple(TEXT_WRAPPINGS))
    maker = Maker(shapes_of(contract, given or {}))
    refuse_other_formats(contract)
    schema = contract.json_schema or {}

    @st.composite
    def answers(draw: Draw) -> AnswerText:
        value, _ = maker.value(draw)
        text = _written(draw, value)
        around = {one.kind: spoilt for one in WRAPPINGS if (spoilt := one.spoilt(text, value, schema)) is not None}
        fitting = [name for name in wanted if name == "bare" or name in around]
        assume(fitting)
        wrapping = draw(st.sampled_from(fitting))
        return AnswerText(around.get(wrapping, text), wrapping, value, TEXT_WRAPPINGS[wrapping])

    return answers()


def _plan_misses(format_name: str, wanted: frozenset[str]) -> st.SearchStrategy[NearMiss]:
    plans = plans_of(format_name, least=2)  # a cycle takes two

    @st.composite
    def near(draw: Draw) -> NearMiss:
        plan = draw(plans)
        broken = [(one, put) for one in DEFECTS if one.kind in wanted and (put := one.put(plan)) is not None]
        assume(broken)
        defect, wrong = draw(st.sampled_from(broken))
        return NearMiss(written(wrong), defect.kind, (), FailureKind.RULE, code=defect.code)

    return near()


def chosen_kind(draw: Draw, options: Sequence[OfKind]) -> OfKind:
    """Choose the kind before the place. Otherwise kinds with many places would be drawn far more often."""
    kind = draw(st.sampled_from(list(dict.fromkeys(one.kind for one in options))))
    chosen: OfKind = draw(st.sampled_from([one for one in options if one.kind == kind]))
    return chosen


def _written(draw: Draw, value: object) -> str:
    return json.dumps(value, **draw(_LAYOUT))


def known_names(noun: str, names: Sequence[Name], known: Sequence[Name]) -> tuple[Name, ...]:
    """Return the names unchanged. Raise UsageError for an unknown name, and suggest the nearest one."""
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"unknown {noun} {unknown[0]!r}{offered(unknown[0], known, f'{noun.capitalize()}s')}")
    return tuple(names)


def refuse_other_formats(contract: Contract) -> None:
    """Raise UsageError if the contract's answers are not JSON."""
    if contract.format not in ("auto", "json"):
        raise UsageError(f"answers are made up as JSON: got a contract for {contract.format}; pass format='json'")
