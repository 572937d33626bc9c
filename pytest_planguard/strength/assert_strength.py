"""An assertion about a contract: it kills enough mutants of good answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import ContractFailed, UsageError
from .equivalents import read_equivalents
from .evidence import GoodAnswer
from .measure import Strength, measure
from .operators import OPERATORS
from .python_text import constraints_module

if TYPE_CHECKING:
    from pathlib import Path

    from ..contract import Contract
    from ..contract.constraints.scene import CheckContext

SHOWN = 10
"""Groups of survivors that the message lists."""


class ContractTooWeak(ContractFailed):
    """A contract accepts too many mutants of good answers. Its text has the constraints that would reject them."""


def assert_strength(
    contract: Contract[Any],
    answers: Iterable[Any],
    *,
    at_least: float = 0.9,
    context: CheckContext | None = None,
    operators: Iterable[str] = tuple(OPERATORS),
    equivalents: Path | None = None,
    seed: int = 0,
) -> Strength:
    """Assert that a contract kills enough mutants of good answers, and return what was measured.

    Args:
        contract: what is measured.
        answers: good answers that were recorded: texts, or parsed values.
        at_least: the share of mutants that must be killed, 0 to 1.
        context: the prompt and the examples that the answers may have been copied from.
        operators: names of the mutation operators to use.
        equivalents: a file that names mutants which are good answers, too.
        seed: which values are mutated where there are many; the same seed gives the same result.

    Raises:
        ContractFailed: too many mutants are accepted; the message has the missing constraints as Python.
        UsageError: no answer that the contract accepts, an unknown operator, or a share beyond 0 to 1.
    """
    if not 0 <= at_least <= 1:
        raise UsageError(f"at_least is a share: got {at_least!r}; give a number from 0 to 1")
    known = read_equivalents(equivalents.read_text(encoding="utf-8"), str(equivalents)) if equivalents else ()
    good = [GoodAnswer(f"answer {at}", _data(contract, answer), context) for at, answer in enumerate(answers, 1)]
    result = measure(contract, good, operators=operators, equivalents=known, seed=seed)
    if result.share < at_least:
        raise ContractTooWeak(weakness(result, at_least))
    return result


def _data(contract: Contract[Any], answer: Any) -> Any:
    """Return the plain value of an answer; the answer itself where it cannot be parsed."""
    data = contract.check(answer).data if isinstance(answer, (str, bytes)) else answer
    return answer if data is None else data


def weakness(result: Strength, at_least: float) -> str:
    """Return what survives, and the constraints to add."""
    killed, made = sum(result.killed.values()), sum(result.made.values())
    groups = [f"  {group.operator} {group.place}: {group.example}" for group in result.survivors[:SHOWN]]
    more = len(result.survivors) - len(groups)
    tail = [f"  and {more} more"] if more > 0 else []
    python = constraints_module(result.suggestions)
    advice = ["add to the contract:", python] if python else []
    head = (
        f"{result.contract} is too weak: got {killed} of {made} mutants killed ({percent(result.share)}), expected at "
        f"least {percent(at_least)}; it accepts:"
    )
    return "\n".join([head, *groups, *tail, *advice])


def percent(share: float) -> str:
    """Return a share in whole per cent, rounded down, so that 100 % means all: 0.999 is "99%"."""
    return f"{int(share * 100 + 1e-9)}%"
