"""Strategies for property tests, made from a contract. They need the extra `[hypothesis]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ..contract.contract import Contract
    from .answers.answer_text import AnswerText, TextWrapping
    from .answers.near_miss import NearMiss, NearMissKind
    from .loops.conversation import Behaviour, ScriptedConversation


def valid_answers(contract: Contract, *, given: Mapping[str, Any] | None = None) -> SearchStrategy[str]:
    """Return a strategy of answers, as text, that keep a contract: its schema and its content constraints.

    Args:
        contract: with a pydantic schema, a JSON Schema, or none.
        given: for fields that only code can judge (a `custom` constraint, a validator, a rule): field to a strategy of
            its values, or to a function that gets the value drawn there and returns one that is right. "" is the
            whole answer; "tasks[*].id" takes wildcards.

    Raises:
        UsageError: a keyword, a format, a validator or a constraint that no value can be made for, by name; demands
            that exclude each other; or the extra `[hypothesis]` is missing.
    """
    _need_hypothesis()
    from .answers.strategies import valid

    return valid(contract, given or {})


def near_misses(
    contract: Contract, kinds: Sequence[NearMissKind] | None = None, *, given: Mapping[str, Any] | None = None
) -> SearchStrategy[NearMiss]:
    """Return a strategy of answers that are wrong in exactly one known way, each a `NearMiss`.

    Args:
        contract: as for `valid_answers`. With `extract="embedded"` a fence or prose around the document is no miss.
        kinds: which ways; by default all that apply to what is drawn.
        given: as for `valid_answers`; what the user gives is never changed.

    Raises:
        UsageError: as for `valid_answers`, and for an unknown kind.
    """
    _need_hypothesis()
    from .answers.strategies import misses

    return misses(contract, kinds, given or {})


def texts(
    contract: Contract, wrappings: Sequence[TextWrapping] | None = None, *, given: Mapping[str, Any] | None = None
) -> SearchStrategy[AnswerText]:
    """Return a strategy of valid documents as models wrap them: fenced, in prose, cut off.

    Each says which document a reader should find in it, or that none can be found: the test of a `parse` function.

    Args:
        contract: as for `valid_answers`.
        wrappings: which ones; by default all that can be put around what is drawn.
        given: as for `valid_answers`.

    Raises:
        UsageError: as for `valid_answers`, and for an unknown wrapping.
    """
    _need_hypothesis()
    from .answers.strategies import wrapped_texts

    return wrapped_texts(contract, wrappings, given or {})


def conversations(
    contract: Contract, behaviours: Sequence[Behaviour] | None = None, *, given: Mapping[str, Any] | None = None
) -> SearchStrategy[ScriptedConversation]:
    """Return a strategy of scripted models, each for one task: what is right, what is wrong at first, what it does.

    A `ScriptedModel` plays them: it fixes what a request says and nothing else.

    Args:
        contract: as for `valid_answers`.
        behaviours: which ways to behave; by default all whose bad answers the contract rejects.
        given: as for `valid_answers`; what the user gives is never wrong.

    Raises:
        UsageError: as for `valid_answers`, for an unknown behaviour, and where the contract rejects no answer of any.
    """
    _need_hypothesis()
    from .loops.strategy import conversations_of

    return conversations_of(contract, behaviours, given or {})


def _need_hypothesis() -> None:
    from importlib.util import find_spec

    if find_spec("hypothesis") is None:
        raise UsageError(
            "made-up answers need the optional package hypothesis: pip install 'pytest-planguard[hypothesis]'"
        )
