"""The strategy of scripted conversations with the answers of one contract."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from ...contract.contract import Contract
from ...errors import UsageError
from ..answers.near_miss import mutations
from ..answers.shapes_of import plan_format, shapes_of
from ..answers.strategies import chosen_kind, known_names, refuse_other_formats
from .conversation import BEHAVIOURS, OTHER_TASK, AnswerFault, Behaviour, ScriptedConversation, along

# `strategies` has said which extra is missing, if hypothesis is.
# isort: split
from hypothesis import HealthCheck, Phase, assume, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from ..answers.plan_writers import written
from ..answers.plans import DEFECTS, plans_of
from ..answers.values import Draw, Maker

MOST_FAULTS = 3
"""Maximum number of faults in a first answer. Real answers rarely have more, and each costs a loop an attempt."""
_CRUDE = ("wrong_type", "null")
"""Kinds of mistakes that examples shrink to last, because typical mistakes of real models are easier to read."""
_TWO = ("regresses", "swings")
"""Behaviours that need two faults at different places."""


def conversations(
    contract: Contract, behaviours: Sequence[Behaviour] | None = None, *, given: Mapping[str, object] | None = None
) -> st.SearchStrategy[ScriptedConversation]:
    """Return a strategy of scripted models, each for one task: the right document, the first mistakes, the behaviour.

    A `ScriptedModel` plays them. It fixes what a request feeds back and nothing else.

    Args:
        contract: as for `valid_answers`.
        behaviours: the behaviours to draw from; by default all whose bad answers the contract rejects.
        given: as for `valid_answers`; these values are never wrong.

    Raises:
        UsageError: as for `valid_answers`, for an unknown behaviour, and if the contract rejects no bad answer.
    """
    given = given or {}
    wanted = BEHAVIOURS if behaviours is None else known_names("behaviour", behaviours, BEHAVIOURS)
    format_name = plan_format(contract)
    if format_name is not None and "" not in given:
        return _of_plans(format_name, wanted)
    maker = Maker(shapes_of(contract, given))
    refuse_other_formats(contract)
    possible = _possible(contract, wanted)

    @st.composite
    def drawn(draw: Draw) -> ScriptedConversation:
        value, sites = maker.value(draw)
        wrong = sorted(mutations(value, sites), key=lambda one: (not one.path, one.kind in _CRUDE))
        return _drawn(draw, value, [AnswerFault(one.kind, one.path, one.value) for one in wrong], possible)

    return drawn()


def simplest_of(
    contract: Contract, behaviours: Sequence[Behaviour] | None, given: Mapping[str, object]
) -> tuple[ScriptedConversation, ...]:
    """Return the simplest conversation of each possible behaviour. Do not call it inside a test's draw."""
    find_one = partial(_simplest, given=given) if given else _simplest_without_given
    return tuple(one for behaviour in behaviours or BEHAVIOURS if (one := find_one(contract, behaviour)))


def _simplest(
    contract: Contract, behaviour: Behaviour, given: Mapping[str, object] | None = None
) -> ScriptedConversation | None:
    """Return None if the contract has no answer that is wrong in this way."""
    try:
        return find(conversations(contract, [behaviour], given=given), lambda _: True, settings=_ONE)
    except (UsageError, NoSuchExample, Unsatisfiable):
        return None


_simplest_without_given = lru_cache(maxsize=256)(_simplest)
"""Caches the results: a test file often has several machines for one contract, and each search takes 30 ms."""


_ONE = settings(
    max_examples=20,
    phases=[Phase.generate],
    database=None,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
"""The first example that Hypothesis generates is the simplest, so shrinking is unnecessary."""


def _drawn(
    draw: Draw, value: object, faults: Sequence[AnswerFault], possible: Sequence[Behaviour]
) -> ScriptedConversation:
    apart = [one for one in faults if not all(along(one.path, other.path) for other in faults)]
    fits = [one for one in possible if _has_room(one, value, faults, apart)]
    assume(fits)
    behaviour = draw(st.sampled_from(fits))
    if behaviour in _TWO:
        return ScriptedConversation(behaviour, value, _several(draw, apart, 2, 2))
    if behaviour in ("fixes", "copies_error", "ignores"):
        return ScriptedConversation(behaviour, value, _several(draw, faults, 1, MOST_FAULTS))
    right = ScriptedConversation(behaviour, value)
    if behaviour != "truncates":
        return right
    return replace(right, cut=draw(st.integers(1, len(right.right().text) - 1)))  # an empty answer is another fault


def _has_room(behaviour: Behaviour, value: object, faults: Sequence[AnswerFault], apart: Sequence[AnswerFault]) -> bool:
    if behaviour in _TWO:
        return bool(apart)
    if behaviour in ("fixes", "copies_error", "ignores"):
        return bool(faults)
    if behaviour == "truncates":
        return isinstance(value, dict | list) and bool(value)
    return behaviour != "echoes_schema" or isinstance(value, dict)


def _several(draw: Draw, faults: Sequence[AnswerFault], least: int, most: int) -> tuple[AnswerFault, ...]:
    """Draw faults at places that do not contain each other."""
    chosen: list[AnswerFault] = []
    while len(chosen) < most:
        rest = [one for one in faults if not any(along(one.path, other.path) for other in chosen)]
        if not rest or (len(chosen) >= least and not draw(_MORE)):
            break
        chosen.append(chosen_kind(draw, rest))
    return tuple(chosen)


_MORE = st.booleans()


def _of_plans(format_name: str, wanted: Sequence[Behaviour]) -> st.SearchStrategy[ScriptedConversation]:
    """Return conversations about plans. Each has one fault: the text of a broken plan replaces the whole."""
    plans = plans_of(format_name)
    possible: list[Behaviour] = [one for one in wanted if one in ("fixes", "copies_error", "ignores", "right")]

    @st.composite
    def drawn(draw: Draw) -> ScriptedConversation:
        plan = draw(plans)
        broken = [AnswerFault(one.kind, (), written(put)) for one in DEFECTS if (put := one.put(plan)) is not None]
        return _drawn(draw, written(plan), broken, possible)

    return drawn()


def _possible(contract: Contract, wanted: Sequence[Behaviour]) -> list[Behaviour]:
    """Return the behaviours whose bad answers the contract rejects. Raises UsageError without any."""
    schema = contract.json_schema or {}
    rejected = {
        "echoes_schema": "properties" in schema and not contract.check(json.dumps(schema)).ok,
        "answers_another_task": not contract.check(json.dumps(OTHER_TASK)).ok,
    }
    possible: list[Behaviour] = [one for one in wanted if rejected.get(one, True)]
    if not possible:
        raise UsageError(f"the contract accepts every answer of a model that {' or '.join(wanted)}; name another")
    return possible
