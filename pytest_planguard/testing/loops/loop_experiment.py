"""Experiment on a loop: rerun it with the same answers, except for a different fault in one of them.

If the loop feeds a finding back, the words in its request change with the finding, even if planguard cannot parse them.
The model is scripted, so a rerun makes no API calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...replay.files.reader import RawInteraction
from ...replay.matching.decision import Miss
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
from .conversation import ScriptedAnswer
from .loop_thread import LoopStoppedError, LoopThread
from .played import in_doubt
from .scripted_model import ScriptedModel

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...retry.results import Attempt, Convergence, FedBack
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
    planned = list(trials([_judged(played, max_attempts)], [played.contract], played.options, _wanted))
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


def _wanted(_attempt: Attempt, fed_back: FedBack | None) -> bool:
    return fed_back is not None and in_doubt(fed_back)


def _proof(one: Experiment | Proof, control: Rerun, run_again: Callable[[Rerun], None]) -> Proof:
    if isinstance(one, Proof):
        return one
    trial = control.changeable(one)
    if not trial.changes or control.trouble is not None or trial.targets[-1] not in control.bodies:
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
        for _ in range(rerun.size + 2):
            if thread.ended or not thread.step():
                break
    finally:
        thread.stop("the experiment is over")
        model.stop()
