"""A stateful test of a user's retry loop. Scripted models answer one task, or several at the same time.

An experiment reruns the loop with the same answers, except for a different fault in one of them. If the loop feeds a
finding back, the words in its request change with the finding, even if planguard cannot parse them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ...errors import UsageError
from ...replay.files.reader import RawInteraction
from ...replay.matching.refusal import Miss
from ...replay.session.playback import Play
from ...replay.session.rerun import Rerun
from ...retry.judging.judge import DrivenLoop, judge
from ...retry.proof import Proof, ProofResult
from ...retry.proving.attribution import cross_checked
from ...retry.proving.experiment import Experiment
from ...retry.proving.planning import trials
from ...retry.proving.trial import Change, Trial
from ...wire.decode import decode
from ...wire.exchange import Finish, Message
from .conversation import Behaviour, ScriptedAnswer, ScriptedConversation
from .loop_faults import LoopRun, faults_of, plain
from .loop_thread import PATIENCE_S, LoopStoppedError, LoopThread
from .played import in_doubt
from .scripted_model import ScriptedModel

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...retry.results import Convergence
    from .played import PlayedConversation


NAME = "played"


def proofs_of(played: PlayedConversation, max_attempts: int, run_again: Callable[[Rerun], None]) -> tuple[Proof, ...]:
    """Return proofs for findings when reading the requests cannot decide if they were fed back.

    Args:
        played: the whole conversation.
        max_attempts: requests that the loop may send.
        run_again: runs the loop on the same task, and lets the rerun answer its requests.
    """
    if len(played.turns) < 2:
        return ()
    planned = list(
        trials(
            [_judged(played, max_attempts)],
            [played.contract],
            played.options,
            lambda _, fed: fed is not None and in_doubt(fed),
        )
    )
    if not any(isinstance(one, Experiment) for one in planned):
        return tuple(one for one in planned if isinstance(one, Proof))
    exchanged = [
        (Play(number, *turn.sent), RawInteraction(*turn.sent, {})) for number, turn in enumerate(played.turns, 1)
    ]
    control = Rerun(exchanged)
    run_again(control)
    return tuple(cross_checked([_proof(one, control, run_again) for one in planned]))


def _judged(played: PlayedConversation, max_attempts: int) -> Convergence:
    exchanges = [turn.exchange for turn in played.turns]
    loop = DrivenLoop(NAME, len(exchanges), max_attempts, None)
    names = [NAME] * len(exchanges)
    return judge(
        exchanges, [played.contract], options=played.options, conversation_ids=names, loops=[loop]
    ).conversations[0]


def _proof(one: Experiment | Proof, control: Rerun, run_again: Callable[[Rerun], None]) -> Proof:
    if isinstance(one, Proof):
        return one
    trial = control.changeable(one)
    if not trial.changes or control.trouble is not None or trial.targets[-1] not in control.answered:
        return trial.proof(ProofResult.UNPROVEN, control.trouble or "run again, the loop does not send this request")

    def run(change: Change) -> Trial:
        rerun = control.again(trial, change)
        run_again(rerun)
        return rerun.tried(control)

    return trial.tried(run)


class RerunModel(ScriptedModel):
    """A model that answers as in an earlier run of the loop, with one answer changed."""

    def __init__(self, contract: Contract, rerun: Rerun, before_answer: Callable[[], object]) -> None:
        super().__init__(contract, {}, before_answer=before_answer)
        self._rerun = rerun

    def _answered(self, request: Message) -> tuple[ScriptedAnswer, Message]:
        entry = self._rerun.answer(request)
        if isinstance(entry, Miss):
            raise LoopStoppedError("the first run of the loop did not send this request")
        exchange = decode(1, request, entry.raw.response)
        cut = exchange.finish is Finish.LENGTH
        return ScriptedAnswer(exchange.answer_text, "length" if cut else "stop"), entry.raw.response


def run_to_the_end(contract: Contract, body: Callable[[ScriptedModel], object], rerun: Rerun) -> None:
    """Run a loop in a separate thread until it ends or has sent one more request than in its first run."""
    thread = LoopThread(lambda: body(model))
    model = RerunModel(contract, rerun, thread.wait_for_answer)
    try:
        for _ in range(len(rerun.urls) + 2):
            if thread.ended or not thread.step():
                break
    finally:
        thread.stop("the experiment is over")
        model.stop()


try:
    from hypothesis import Phase, settings
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, rule
except ImportError:
    raise UsageError(
        "RetryLoopMachine needs the optional package hypothesis: pip install 'pytest-planguard[hypothesis]'"
    ) from None

STEPS = 12
"""Maximum number of steps (starts and answers) per example. Three tasks fit; two are enough to mix them up."""


@cache
def _scripts(machine: Any) -> st.SearchStrategy[ScriptedConversation]:
    """Return a strategy for a machine's scripts: the simplest script of each behaviour, or any script.

    Each simplest script is a single choice, so that shrinking can remove a whole step. They are found in a separate
    thread, because Hypothesis cannot nest searches.
    """
    from .strategy import conversations, simplest_of

    demands = machine.contract, machine.behaviours, machine.given or {}
    anything = conversations(machine.contract, machine.behaviours, given=machine.given)
    with ThreadPoolExecutor(1) as pool:
        simplest = pool.submit(simplest_of, *demands).result()
    return st.sampled_from(simplest) | anything if simplest else anything


class RetryLoopMachine(RuleBasedStateMachine):
    """Tests a retry loop with models that fix, regress, swing, truncate, or ignore feedback.

    Subclass it, define `run_loop`, and expose the subclass's `TestCase` to pytest:

    >>> class MyLoop(RetryLoopMachine):
    ...     contract = TICKET
    ...     def run_loop(self, model, task):
    ...         return create_ticket(f"Write a ticket. {task}", ask=model)
    >>> TestMyLoop = MyLoop.TestCase

    The test fails if a retry leaves out a finding, or if requests continue past `max_attempts` or a valid answer. It
    also fails if the loop returns an invalid answer, refuses a valid one, or mixes up tasks. Each run of the loop has
    its own thread, but only one thread runs at a time.
    """

    contract: ClassVar[Contract]
    """The contract of the loop's answers."""
    max_attempts: ClassVar[int] = 3
    """Maximum number of requests that the loop may send for a task, including the first; at least 1."""
    coverage: ClassVar[Literal["all", "first", "any"]] = "all"
    """Which findings of an answer the next request must feed back: all, the first one, or any."""
    at_once: ClassVar[int] = 2
    """Maximum number of tasks to run concurrently; 1 for a loop that never runs in two threads or coroutines."""
    behaviours: ClassVar[Sequence[Behaviour] | None] = None
    """The behaviours of the models; None for all that the contract allows."""
    given: ClassVar[Mapping[str, Any] | None] = None
    """Values for fields that only code can check, as for `valid_answers`."""
    gives_up_with: ClassVar[tuple[type[BaseException], ...]] = (Exception,)
    """Exceptions that the loop raises to give up. Any other exception is a fault."""

    def __init_subclass__(cls, **options: object) -> None:
        """Set how long the subclass's test runs. `settings` on its `TestCase` overrides this.

        Skip Hypothesis's `explain` phase, which took 40 % of a failing test's time. It repeats the shortest
        conversation many times to find values that don't matter.
        """
        super().__init_subclass__(**options)
        base = cls.TestCase.settings
        phases = [phase for phase in base.phases if phase is not Phase.explain]
        cls.TestCase.settings = settings(base, stateful_step_count=STEPS, phases=phases)

    def __init__(self) -> None:
        super().__init__()
        if type(self).run_loop is RetryLoopMachine.run_loop or not hasattr(self, "contract"):
            raise UsageError(f"{type(self).__name__}: set contract, and override run_loop(self, model, task)")
        self._handled = sys.exc_info()[1]
        self._runs: list[LoopRun] = []
        self._threads: dict[str, LoopThread] = {}
        self._models: dict[str, ScriptedModel] = {}

    def run_loop(self, model: ScriptedModel, task: str) -> Any:
        """Run the loop under test to its end and return its result.

        Args:
            model: call it with messages, or pass `model.base_url` or `model.anthropic_url` to a client.
            task: words that the prompt must contain.

        Returns:
            The answer that the loop accepted: a string, plain data, a model or a dataclass; None if it gave up.
        """
        raise NotImplementedError

    def as_data(self, result: object) -> Any:
        """Return the loop's result as plain data, to compare it with the model's answer; None if the loop gave up."""
        return plain(self.contract, result)

    @property
    def open_tasks(self) -> list[str]:
        """The tasks with a request that waits for an answer, newest first.

        With this order, the last steps of an example keep their meaning when shrinking removes the first ones.
        """
        return list(reversed(self._threads))

    @rule(script=st.runner().flatmap(lambda machine: _scripts(machine.__class__)))
    def start(self, script: ScriptedConversation) -> None:
        """Start the loop on a new task, and run it to its first request. If too many are open, first end the oldest.

        Rules have no preconditions. With one, a step would depend on earlier steps, and shrinking could not remove
        those.
        """
        while len(self._threads) >= self.at_once:
            self._go_on(self.open_tasks[-1])
        task = f"Task {len(self._runs) + 1}"
        # Each of the two needs the other. The thread runs only from its first step on.
        thread = LoopThread(lambda: self.run_loop(model, task))
        model = ScriptedModel(self.contract, script, before_answer=thread.wait_for_answer)
        model.played().understands_all = True
        run = LoopRun(task, model.played(), self.max_attempts, self.coverage)
        for other in self._runs:
            run.others.append(other)
            other.others.append(run)
        self._runs.append(run)
        self._threads[task], self._models[task] = thread, model
        self._go_on(task)

    @rule(task=st.runner().flatmap(lambda machine: st.sampled_from(machine.open_tasks or [None])))
    def answer(self, task: str | None) -> None:
        """Answer a waiting request, and run the loop to its next request or its end. If none waits, do nothing."""
        if task is not None:
            self._go_on(task)

    def teardown(self) -> None:
        """Answer requests until all loops have ended."""
        try:
            while self._threads and sys.exc_info()[1] is self._handled:  # else a step has failed already
                self._go_on(self.open_tasks[0])
        finally:
            for thread in self._threads.values():
                thread.stop("the test is over")
            for model in self._models.values():
                model.stop()

    def _run_again(self, task: str, rerun: Rerun) -> None:
        """Rerun the loop on a task with a separate machine, so that this machine's state does not change."""
        machine = type(self)()
        run_to_the_end(self.contract, lambda model: machine.run_loop(model, task), rerun)

    def _go_on(self, task: str) -> None:
        __tracebackhide__ = True  # the message says everything
        thread = self._threads[task]
        run = next(run for run in self._runs if run.task == task)
        in_time = thread.step()
        if not in_time:
            raise AssertionError(f"the loop hangs: {task!r} neither asked nor ended {PATIENCE_S:.0f} s after an answer")
        if thread.ended:
            del self._threads[task]
            self._models.pop(task).stop()
            if thread.error is not None and not isinstance(thread.error, self.gives_up_with):
                raise thread.error
            run.proofs = proofs_of(run.played, self.max_attempts, lambda rerun: self._run_again(task, rerun))
            run.ended, run.error = True, thread.error
            run.result = None if thread.result is None else self.as_data(thread.result)
        fault = next(faults_of(run), None)
        if fault is not None:
            raise AssertionError(fault)  # no `assert`: pytest rewrites those of a plugin and adds to the message
