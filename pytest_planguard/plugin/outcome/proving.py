"""Experiments: run the app again on its own answers, with one finding removed from one of them.

The test names what runs again (`planguard.prove_feedback(run)`). Otherwise it is the whole test, with function-scoped
fixtures set up again. The app repeats all its other actions too.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from ...replay.matching.normalise import NORMALISERS
from ...replay.session.rerun import Rerun
from ...retry.proof import Proof, ProofResult
from ...retry.proving.attribution import cross_checked
from ...retry.proving.experiment import Experiment
from ...retry.proving.planning import every_finding, required_findings, trials
from ..case import ENDED, IDENTIFIED
from ..recording.recording import exchanged_of, judged_of
from ..rerun.further_runs import FurtherRuns, StoppedLate
from ..rerun.obstacles import in_doubt, obstacle, prove_mode, reason, worth_a_run
from ..rerun.surroundings import folder_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from ...retry.proving.planning import Wanted
    from ...retry.proving.trial import Trial
    from ..case import Case


QUIET = (*ENDED, pytest.skip.Exception)
"""The ways in which a rerun may end. Its exceptions come from changed answers, and say nothing about the app."""
FORM = "the changed answer cannot be written in the form of the recorded response"


SHARED = 5
"""Number of jobs that may share a machine. So a run's elapsed time counts only in part."""


@dataclass(slots=True)
class Limit:
    """How often and how long one test's app may run again; unlimited without numbers."""

    reruns: int | None = None
    seconds: float | None = None
    _made: int = 0
    _took_s: float = 0.0

    @property
    def reached(self) -> str | None:
        """Words for the limit that forbids another run; None if another may begin. One change is always tried."""
        if self.reruns is not None and self._made >= self.reruns:
            return f"the app was run again {self._made} times, which is the limit (planguard_prove_reruns)"
        # More than one: the first run changes nothing, and without a changed one it would have been in vain.
        if self.seconds is not None and self._made > 1 and self._took_s >= self.seconds:
            return f"running the app again took {self.seconds:g} s, which is the limit (planguard_prove_seconds)"
        return None

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count one run and its time: CPU time, or a share of the elapsed time if it mostly waited."""
        worked, began = time.process_time(), time.perf_counter()
        try:
            yield
        finally:
            self._made += 1
            self._took_s += max(time.process_time() - worked, (time.perf_counter() - began) / SHARED)


def prove_by_body(case: Case, error: BaseException | None, wanted: Wanted, limit: Limit) -> None:
    """Run a test again, on fresh fixtures, for each finding to prove. `error` is the test function's exception."""
    try:
        with FurtherRuns(case, error) as further:
            for run in experiments(case, wanted, limit):
                further.again(run)
    except StoppedLate as late:
        leave_unproven(case, wanted, str(late))


def leave_unproven(case: Case, wanted: Wanted, why: str) -> None:
    """Note why each finding that needs a proof has none."""
    found = required_findings(case.conversations, case.spec.options, wanted)
    case.proofs = tuple(
        Proof(conversation, attempt, exchange, finding, ProofResult.UNPROVEN, why)
        for conversation, attempt, exchange, finding in found
    )


def experiments(
    case: Case, wanted: Wanted = every_finding, limit: Limit | None = None
) -> Iterator[AbstractContextManager[None]]:
    """Yield one context for each rerun of the app. After the last one, the case has its proofs.

    The first run changes nothing: an app that behaves differently without a change proves nothing.
    """
    limit = limit or Limit()
    played = exchanged_of(case)
    judged = judged_of(case) if played else ()
    planned = list(trials(judged, case.spec.contracts, case.spec.options, wanted))
    normalisers = (*NORMALISERS, folder_names(case.item))
    control = Rerun(played, normalisers=normalisers, conversation_id=IDENTIFIED.get)
    if any(isinstance(one, Experiment) for one in planned):
        yield _running(case, control, limit)
    proofs = []
    for one in planned:
        if isinstance(one, Proof):
            proofs.append(one)
            continue
        tried: list[Trial] = []
        trial = control.changeable(one)
        proof = _without_run(trial, control)
        while proof is None:
            if limit.reached is not None:
                proof = replace(trial.proof(ProofResult.UNPROVEN, limit.reached), undecided=True)
                break
            rerun = control.again(trial, trial.change_after(tried))
            yield _running(case, rerun, limit)
            tried.append(rerun.tried(control))
            proof = trial.concluded(tried)
        proofs.append(proof)
    _keep(case, cross_checked(proofs))


def _keep(case: Case, proofs: Sequence[Proof]) -> None:
    """Merge the proofs.

    Each call of `prove_feedback` may run a different part of the app, and cover different findings.
    """
    known = {(p.exchange, p.finding.identity): p for p in case.proofs}
    for proof in proofs:
        key = (proof.exchange, proof.finding.identity)
        if key not in known or known[key].result is ProofResult.UNPROVEN:
            known[key] = proof
    case.proofs = tuple(known.values())


def _without_run(trial: Experiment, control: Rerun) -> Proof | None:
    """Return a proof if a trial cannot succeed, because of its form or the unchanged run; None if it is worth a run."""
    if not trial.changes:
        return trial.proof(ProofResult.NOT_JUDGED, FORM)
    if control.trouble is not None:
        return trial.unreached(f"nothing was changed, and {control.trouble}")
    if trial.targets[-1] not in control.answered:
        return trial.unreached("run again, the app does not come to the request after this answer")
    return None


@contextmanager
def _running(case: Case, rerun: Rerun, limit: Limit) -> Iterator[None]:
    """Wrap one rerun: `rerun` answers it, and its exceptions and reports to planguard are discarded."""
    from ...replay.session.cassette import serving

    told = case.begin_run()
    case.running_again = True
    try:
        with limit.counted(), serving(rerun, case.settings.allowed_hosts):
            yield
    except QUIET:
        pass
    finally:
        case.running_again = False
        vars(case).update(told)


DEBUGGED = reason("a debugger waits for its failure (--pdb)")
"""The debugger looks at the fixtures of the failed run."""


def decide(case: Case, error: BaseException | None) -> None:
    """Run the app of a test again for findings in doubt; with "always" for all of them, without a limit.

    `error` is the exception of the test function.
    """
    if not exchanged_of(case):
        return
    settings, always = case.settings, prove_mode(case) == "always"
    wanted = every_finding if always else worth_a_run
    why = obstacle(case)
    if why is not None:
        leave_unproven(case, wanted, str(why))
    elif error is not None and case.item.config.getoption("usepdb", False):
        leave_unproven(case, wanted, DEBUGGED)
    else:
        limit = Limit() if always else Limit(settings.prove_reruns, settings.prove_seconds)
        prove_by_body(case, error, wanted, limit)
    if not always:
        _forget_needless(case)


def _forget_needless(case: Case) -> None:
    """Discard failed experiments on findings that reading the request already settles."""
    doubtful = required_findings(case.conversations, case.spec.options, in_doubt)
    known = {(exchange, finding.identity) for _, _, exchange, finding in doubtful}
    case.proofs = tuple(p for p in case.proofs if not p.settles_nothing or (p.exchange, p.finding.identity) in known)
