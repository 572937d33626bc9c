"""One stage: a command runs until its file keeps the contract, with the errors in the prompt of each further run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...retry.driving.loop import run
from ...retry.driving.loop_state import Loop, Messages
from .artifact import ArtifactContract
from .printed_answer import PrintedAnswer
from .stage_outcome import StageFailed, StageOutcome

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...retry.driving.budget import Budget
    from ...retry.judging.judging_options import JudgeOptions
    from ...retry.results import Convergence
    from .agent_command import AgentCommand


@dataclass(frozen=True, slots=True)
class StageResult:
    """What came of a stage whose command ended well each time."""

    outcome: StageOutcome
    convergence: Convergence
    """Its attempts: an attempt is one run, its answer the text of the file, its feedback in the prompt of the next."""
    subject: str = "the file"
    """What messages call the answer: `plan.md`, `the argument content of write_file`."""


def _never() -> bool:
    return False


def _nothing() -> str | None:
    return None


def _ignore(bad: int) -> None:
    """Count nothing."""


def run_stage(
    command: AgentCommand,
    prompt: str,
    contract: Contract[Any],
    *,
    budget: Budget,
    conversation: str = "1",
    options: JudgeOptions | None = None,
    has_no_end: Callable[[], bool] = _never,
    refusal: Callable[[], str | None] = _nothing,
    count: Callable[[int], None] = _ignore,
) -> StageResult:
    """Run a command until the file that its contract names is good, or the budget is spent.

    The errors go in front of the prompt, or where it names `$RETRY_INFO` and `$VALIDATION_ERRORS`.

    Args:
        command: what is run, and where.
        prompt: of the first run.
        contract: what the file must be; `judged` is its path.
        budget: limits the runs.
        conversation: the name of this conversation.
        options: how strictly it is judged.
        has_no_end: tells that the recording of a run was cut off.
        refusal: tells why a run was refused, where it was.
        count: is called with the number of bad answers so far: before each run, and at the end of a stage that failed.

    Raises:
        StageFailed: a run did not end well: that is no wrong answer, and no reason to ask again.
        UsageError: the contract names no file.
    """
    judge = _judge_of(contract, command)

    runs: list[Messages] = []

    def ask(messages: Messages) -> str:
        count(len(runs))
        runs.append(messages)
        judge.begin()
        try:
            output = command.run(str(messages[-1]["content"]), has_no_end)
        except StageFailed:
            _refuse(refusal())
            raise
        _refuse(refusal())
        return judge.end(output)

    loop = Loop(ask, prompt, judge, budget=budget, placement="command", conversation=conversation, options=options)
    convergence = run(loop, ask)
    if convergence.verdict is None or not convergence.verdict.ok:
        count(len(runs))
    return StageResult(judge.outcome_of(convergence.verdict), convergence, judge.subject)


def _judge_of(contract: Contract[Any], command: AgentCommand) -> ArtifactContract | PrintedAnswer:
    """Return what judges a run: its file, or what it prints. Raises UsageError where the contract says neither."""
    if contract.part in ("text", "tool"):
        return PrintedAnswer(contract)
    if contract.tool is None:
        raise UsageError(f"{contract.name} names no file: got judged={contract.judged!r}; write judged='plan.md'")
    return ArtifactContract(contract, command.cwd / contract.tool)


def _refuse(reason: str | None) -> None:
    if reason is not None:
        raise StageFailed(StageOutcome.REFUSED, reason)


def message_of(result: StageResult, command: str) -> str:
    """Return what is wrong with the answer of a stage, in one line."""
    runs = len(result.convergence.attempts)
    after = f"after {runs} {'run' if runs == 1 else 'runs'} of {command}"
    return _MESSAGES[result.outcome].format(file=result.subject, after=after)


_MESSAGES = {
    StageOutcome.INVALID: "{file} breaks its contract {after}",
    StageOutcome.HALF_WRITTEN: "{file} is half written {after}: it stops inside the document",
    StageOutcome.EMPTY: "{file} is empty {after}",
    StageOutcome.MISSING: "{file} is missing {after}: no run wrote it",
    StageOutcome.UNTOUCHED: "{file} is untouched {after}: it was there before, and the last run did not write it",
}
