"""The driven loop over streams: an aborted answer counts as an attempt, with the reason as its finding."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from ...contract.contract import Contract
from ...contract.finding import Severity
from ...contract.verdict import Verdict
from ...errors import UsageError
from ...retry.driving.loop import aconverge, converge
from .watch import StreamPolicy, awatch_stream, policy_of, watch_stream

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...retry.driving.loop import ConvergeOptions
    from ...retry.driving.loop_state import Chat, Messages
    from ...retry.results import Convergence
    from .findings import StreamThresholds
    from .monitor import StreamLog


def converge_stream(
    ask: Callable[[Messages], Iterable[object]],
    messages: Chat | str,
    contract: Contract,
    *,
    policy: str = StreamPolicy.ABORT_AND_RETRY,
    thresholds: StreamThresholds | None = None,
    log: StreamLog | None = None,
    **options: Unpack[ConvergeOptions],
) -> Convergence:
    """Drive one conversation with streamed answers, and close a stream as soon as its answer is bad.

    Args:
        ask: sends messages and returns a stream: pieces of text, or an SDK's objects.
        messages: as for `converge`.
        contract: the contract for the answer's text.
        policy: "abort-and-retry" (default) closes a bad stream, feeds the reason back and asks again; "abort" closes it
            and ends the conversation (outcome rejected); "observe" never closes a stream.
        thresholds: when the detectors fire.
        log: receives the text while it arrives.
        options: the options of `converge`.

    Raises:
        UsageError: an unknown policy, or a contract that judges a tool's arguments.
    """
    aborts = _Aborts(contract, policy)

    def answer(request: Messages) -> str:
        stream = watch_stream(ask(request), contract, policy=policy, thresholds=thresholds, log=log)
        for _ in stream:  # reading it to its end judges it
            pass
        return aborts.noted(stream.text, stream.aborted.finding if stream.aborted else None)

    return converge(answer, messages, aborts, **options)


async def aconverge_stream(
    ask: Callable[[Messages], Awaitable[AsyncIterable[object]]],
    messages: Chat | str,
    contract: Contract,
    *,
    policy: str = StreamPolicy.ABORT_AND_RETRY,
    thresholds: StreamThresholds | None = None,
    log: StreamLog | None = None,
    **options: Unpack[ConvergeOptions],
) -> Convergence:
    """Do the same as `converge_stream` for an awaited `ask` that returns a stream for `async for`."""
    aborts = _Aborts(contract, policy)

    async def answer(request: Messages) -> str:
        stream = awatch_stream(await ask(request), contract, policy=policy, thresholds=thresholds, log=log)
        async for _ in stream:
            pass
        return aborts.noted(stream.text, stream.aborted.finding if stream.aborted else None)

    return await aconverge(answer, messages, aborts, **options)


class _Aborts(Contract):
    """A contract that knows why an answer was aborted, and reports that reason instead of a truncated document."""

    def __init__(self, contract: Contract, policy: str) -> None:
        if contract.tool is not None:
            raise UsageError(
                f"wrong contract for a streamed conversation: got one that judges the tool {contract.tool!r}; "
                'give judged="text", or watch the stream yourself with watch_stream()'
            )
        self.__dict__.update(contract.__dict__)
        self._aborted: dict[str, Finding] = {}
        self._is_final = policy_of(policy) is StreamPolicy.ABORT

    def noted(self, text: str, finding: Finding | None) -> str:
        """Record the reason why a text was aborted, and return the text."""
        if finding is None:
            self._aborted.pop(text, None)  # an earlier stream with this text was aborted, in other pieces
        else:
            self._aborted[text] = replace(finding, severity=Severity.FAIL) if self._is_final else finding
        return text

    def check(self, answer: Any, **options: Any) -> Verdict:
        """Return the verdict of the contract, or the reason of the abort."""
        reason = self._aborted.get(answer) if isinstance(answer, str) else None
        if reason is None:
            return super().check(answer, **options)
        return Verdict(self.name, answer, (reason,))
