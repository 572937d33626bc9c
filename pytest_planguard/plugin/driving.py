"""One conversation that planguard drives for a test: its bounds, its name, its value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import ContractFailed, UsageError
from ..report.text import failure_reason, render_conversation
from ..retry.driving.budget import Budget
from .conversation_name import IDENTIFIED

if TYPE_CHECKING:
    from ..contract import Contract
    from ..retry.convergence import Convergence
    from .case import Case


class Driven:
    """What `converge` and `aconverge` have in common.

    Raises:
        UsageError: the marker says that the app owns the loop, or the bounds are given twice.
    """

    def __init__(self, case: Case, contract: Contract, max_attempts: int | None, budget: Budget | None) -> None:
        if case.spec.mode == "observed":
            raise UsageError('mode="observed" says that the app owns the loop: converge cannot be used there')
        if budget is not None and max_attempts is not None:
            raise UsageError("give either budget= or max_attempts=, not both")
        self._case = case
        self.contract = contract
        self.budget = budget or Budget(attempts=max_attempts or case.spec.max_attempts)
        self.name = IDENTIFIED.get() or f"driven-{len(case.driven) + 1}"
        """Of the conversation: the one that the test gave, so that requests and loop are judged together."""

    def value(self, found: Convergence) -> Any:
        """The validated value.

        Raises:
            ContractFailed: it did not converge.
        """
        __tracebackhide__ = True
        named = replace(found, conversation=self.name)
        self._case.driven.append(named)
        if named.ok:
            return named.value
        raise ContractFailed(f"planguard: {named.contract}: {failure_reason(named)}\n\n{render_conversation(named)}")
