"""The answer that a command prints: its final words, or an argument of a tool call among its events."""

from __future__ import annotations

from typing import Any

from ...contract.contract import Contract
from ...contract.failure_kinds import FailureKind
from ...contract.verdict import Verdict
from ...retry.judging.attempt_answers import Applied, verdict_of
from ...wire.agents.agent_run import AgentRun, read_agent_run
from ...wire.dialects.command_line import COMMAND_LINE
from ...wire.exchange import Exchange, Item, ItemKind, Role
from .stage_outcome import StageOutcome


class PrintedAnswer(Contract[Any]):
    """A contract on what a command prints."""

    def __init__(self, contract: Contract[Any]) -> None:
        self.__dict__.update(contract.__dict__)
        self._applied = Applied.of(contract)
        self.judged, self.must_call = "text", ()  # the loop is handed the text; demands are held against the events
        self._exchange = Exchange(1, COMMAND_LINE)

    @property
    def subject(self) -> str:
        """What messages call the answer."""
        tool, argument = self._applied.tool, self._applied.argument
        if tool is None:
            return "the answer"
        return f"the argument {argument} of {tool}" if argument else f"the call of {tool}"

    def begin(self) -> None:
        """Nothing is there before a run."""
        self._exchange = Exchange(1, COMMAND_LINE)

    def end(self, output: str) -> str:
        """Read what a run printed, and return the part that is judged; "" where it is not there."""
        self._exchange = exchange_of(output, read_agent_run(output))
        verdict = verdict_of(self._exchange, self._applied)
        return verdict.text if verdict is not None else ""

    def check(self, answer: Any, **how: Any) -> Verdict[Any]:
        """Return the verdict on the last run."""
        verdict = verdict_of(self._exchange, self._applied, how.get("context"))
        return verdict if verdict is not None else Contract.check(self, answer)

    def outcome_of(self, verdict: Verdict[Any] | None) -> StageOutcome:
        """Return how the stage ends whose last verdict this is."""
        if verdict is None or verdict.ok:
            return StageOutcome.CONVERGED if verdict is not None else StageOutcome.EMPTY
        if any(finding.code == "no_tool_call" for finding in verdict.findings):
            return StageOutcome.MISSING
        kinds = {FailureKind.EMPTY: StageOutcome.EMPTY, FailureKind.TRUNCATED: StageOutcome.HALF_WRITTEN}
        return kinds.get(verdict.kind, StageOutcome.INVALID) if verdict.kind else StageOutcome.INVALID


def exchange_of(output: str, run: AgentRun | None) -> Exchange:
    """Return a run of a command as its recording would have it, without files."""
    if run is not None:
        return Exchange(1, COMMAND_LINE, answer=run.answer, finish=run.finish, usage=run.usage, error=run.error)
    said = (Item(ItemKind.TEXT, Role.ASSISTANT, output),) if output else ()
    return Exchange(1, COMMAND_LINE, answer=said)
