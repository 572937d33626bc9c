"""What a test gets as `planguard`: check an answer, drive a conversation, look at what was judged."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, overload

from ..errors import UsageError
from .checking import checked_value
from .conversation_name import IDENTIFIED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from ..contract import Contract
    from ..contract.feedback.next_request import Placement
    from ..contract.feedback.template import Template
    from ..retry.convergence import Convergence
    from ..retry.driving.budget import Budget
    from ..retry.proof import Proof
    from .case import Case

Messages = list[dict[str, Any]]


class Planguard:
    """The contracts of a test, and its recording."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def __repr__(self) -> str:
        names = ", ".join(c.name for c in self.contracts)
        return f"<planguard {self._case.nodeid}: {names}>"

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts that the marker names, in its order."""
        return self._case.spec.contracts

    @property
    def contract(self) -> Contract:
        """The one contract that the marker names.

        Raises:
            UsageError: it names several.
        """
        contracts = self._case.spec.contracts
        if len(contracts) > 1:
            names = ", ".join(c.name for c in contracts)
            raise UsageError(f"the marker names {len(contracts)} contracts ({names}): say which with contract=")
        return next(iter(contracts))

    @property
    def model(self) -> str | None:
        """The model of this case, where the marker names `models`."""
        return self._case.spec.model

    def check(self, answer: object, *, contract: Contract | None = None, finish: str | None = None) -> Any:
        """Judge one answer and return its validated value.

        Args:
            answer: the model's text (str or bytes), a file's path (`pathlib.Path`), or an already parsed value.
            contract: which contract; by default the marker's only one.
            finish: why the answer ended, where known: "stop", "length", "content_filter", ...

        Raises:
            ContractFailed: the answer does not keep the contract.
        """
        __tracebackhide__ = True
        return checked_value(self._case, answer, contract or self.contract, finish)

    def converge(
        self,
        ask: Callable[[Messages], Any],
        messages: Sequence[dict[str, Any]] | str,
        *,
        contract: Contract | None = None,
        max_attempts: int | None = None,
        budget: Budget | None = None,
        placement: Placement = "dialogue",
        style: str | None = None,
        template: Template | None = None,
    ) -> Any:
        """Ask, judge, feed back and ask again, until the answer keeps the contract; returns its validated value.

        Args:
            ask: sends chat messages and returns the answer: its text or an SDK's response.
            messages: the first request's chat messages, or one user message as text.
            contract: which contract; by default the marker's only one.
            max_attempts: attempts in all, at least 1; by default the marker's.
            budget: bounds on attempts, tokens, cost and transport retries; instead of `max_attempts`.
            placement: where the feedback goes: "dialogue", "inject", "command" or "blind".
            style: how it is worded, see `contract.feedback.build_feedback`.
            template: an own frame for it.

        Raises:
            ContractFailed: it did not converge; the text shows every attempt.
        """
        from ..retry.driving.loop import converge
        from .driving import Driven

        __tracebackhide__ = True
        driven = Driven(self._case, contract or self.contract, max_attempts, budget)
        with self.conversation(driven.name):
            found = converge(
                ask,
                messages,
                driven.contract,
                budget=driven.budget,
                placement=placement,
                style=style,
                template=template,
            )
        return driven.value(found)

    async def aconverge(
        self,
        ask: Callable[[Messages], Awaitable[Any]],
        messages: Sequence[dict[str, Any]] | str,
        *,
        contract: Contract | None = None,
        max_attempts: int | None = None,
        budget: Budget | None = None,
        placement: Placement = "dialogue",
        style: str | None = None,
        template: Template | None = None,
    ) -> Any:
        """`converge` for an `ask` that is awaited."""
        from ..retry.driving.loop import aconverge
        from .driving import Driven

        __tracebackhide__ = True
        driven = Driven(self._case, contract or self.contract, max_attempts, budget)
        with self.conversation(driven.name):
            found = await aconverge(
                ask,
                messages,
                driven.contract,
                budget=driven.budget,
                placement=placement,
                style=style,
                template=template,
            )
        return driven.value(found)

    def prove_carried(self, run: Callable[[], Any]) -> tuple[Proof, ...]:
        """Prove by intervention that each retry carries what was wrong, in whatever words.

        The app is run again for each finding, on the same answers without that finding: where its next request stays
        the same, the finding was not carried, and the test fails at its end.

        Args:
            run: calls the app as the test does. It is called once without a change, and once for each finding; before
                that once for the test itself, where the test has not called the app yet.

        Returns: a proof for each finding; none while recording, and none where a request found no answer.
        """
        from .proving import interventions

        if self._case.tape is None or not self._case.tape.asked:
            run()
        for again in interventions(self._case):
            with again:
                run()
        return self._case.proofs

    async def aprove_carried(self, run: Callable[[], Awaitable[Any]]) -> tuple[Proof, ...]:
        """`prove_carried` for a `run` that is awaited."""
        from .proving import interventions

        if self._case.tape is None or not self._case.tape.asked:
            await run()
        for again in interventions(self._case):
            with again:
                await run()
        return self._case.proofs

    def score(self, name: str, value: float) -> None:
        """Keep a number that the test measured itself in its row; it decides nothing. Raises UsageError."""
        self._case.keep_score(name, value)

    @contextmanager
    def conversation(self, name: str) -> Iterator[None]:
        """Requests sent inside belong to the conversation of that name, also from tasks that are started inside.

        Needed only where conversations with identical prompts run in parallel.
        """
        if not isinstance(name, str) or not name.strip():
            raise UsageError(f"conversation({name!r}): a name that is not empty is needed")
        token = IDENTIFIED.set(name)
        try:
            yield
        finally:
            IDENTIFIED.reset(token)

    @overload
    def judge(self, conversation: str, *, expect: str | None = None) -> Convergence: ...
    @overload
    def judge(self, conversation: None = None, *, expect: str | None = None) -> tuple[Convergence, ...]: ...
    def judge(
        self, conversation: str | None = None, *, expect: str | None = None
    ) -> Convergence | tuple[Convergence, ...]:
        """What the recording shows so far: all conversations, or the one of that name.

        At its end the test is judged anyway and fails where a conversation does not hold. `expect` declares another
        outcome than converged, for example "exhausted": then the conversation must end so, and its requests must
        still carry what was wrong.

        Raises:
            ContractFailed: a conversation does not end as expected.
            UsageError: there is no conversation of that name, or no outcome of that name.
        """
        from .expecting import expect_outcome, judged_so_far

        __tracebackhide__ = True
        chosen = judged_so_far(self._case, conversation)
        if expect is not None:
            expect_outcome(self._case, chosen, expect)
        return chosen if conversation is None else chosen[0]
