"""Interventions: the app is run again on its recorded answers, one of them without one finding.

What runs again is what the test names (`planguard.prove_carried(run)`), or with `--planguard-prove` the test's body.
Fixtures are not set up again, and whatever the app does besides asking a model it does once more.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from ...replay.session.intervention_replay import Rerun, changeable
from ...retry.proof import Fate, Proof
from ...retry.proving.intervention import Intervention, trials
from ..case import CASE, IDENTIFIED
from ..recording.recording import ENDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from ...replay.session.intervention_replay import Replayed
    from ..case import Case

QUIET = (*ENDED, pytest.skip.Exception)
"""How a further run may end: what it raises comes from answers that were changed, and says nothing about the app."""
FORM = "the changed answer cannot be written in the form of the recorded response"


@contextmanager
def proved(item: pytest.Item) -> Iterator[None]:
    """Around a test's body that passes: with `--planguard-prove` it is run again for each finding to be proven."""
    yield
    case = item.stash.get(CASE, None)
    if case is None or not case.settings.prove or case.proofs or getattr(item, "_excinfo", None):
        return
    for run in interventions(case):
        with run:
            item.runtest()
    if getattr(item, "_excinfo", None):  # where a unittest case keeps the failures of those runs
        item._excinfo = None  # type: ignore[attr-defined]  # noqa: SLF001


def interventions(case: Case) -> Iterator[AbstractContextManager[None]]:
    """One context for each further run of the app, to be run inside it; after the last the case has its proofs.

    The first changes nothing: an app that does not do the same again when nothing changed proves nothing.
    """
    played: Sequence[Replayed] = case.recording.replayed
    found = list(trials(case.recording.judged(), case.spec.contracts, case.spec.options)) if played else []
    control = _rerun(played)
    if any(isinstance(planned, Intervention) for planned in found):
        yield _running(case, control)
    proofs = []
    for planned in found:
        known = planned if isinstance(planned, Proof) else _without_run(planned, control, played)
        if known is None:
            assert isinstance(planned, Intervention)
            before, rerun = control, _rerun(played, planned)
            if planned.companion is not None:
                before = _rerun(played, planned, planned.answer)
                yield _running(case, before)
            yield _running(case, rerun)
            known = _concluded(planned, before, rerun)
        proofs.append(known)
    _keep(case, proofs)


def _keep(case: Case, proofs: Sequence[Proof]) -> None:
    """Several calls of `prove_carried` may each run a part of the app: what one of them did not reach, another may."""
    known = {(p.exchange, p.finding.identity): p for p in case.proofs}
    for proof in proofs:
        key = (proof.exchange, proof.finding.identity)
        if key not in known or known[key].fate is Fate.UNPROVEN:
            known[key] = proof
    case.proofs = tuple(known.values())


def _without_run(trial: Intervention, control: Rerun, played: Sequence[Replayed]) -> Proof | None:
    """Why a trial is not worth a run: by its form, or by what was seen when nothing was changed. None where it is."""
    if not changeable(played, trial):
        return trial.proof(Fate.NOT_JUDGED, FORM)
    if control.trouble is not None:
        return trial.proof(Fate.UNPROVEN, f"nothing was changed, and {control.trouble}")
    if trial.targets[-1] not in control.bodies:
        return trial.proof(Fate.UNPROVEN, "run again, the app does not come to the request after this answer")
    return None


def _concluded(trial: Intervention, before: Rerun, rerun: Rerun) -> Proof:
    """What follows from two runs: with the finding and without it."""
    troubled = next((run for run in (before, rerun) if run.trouble is not None), None)
    trouble = troubled.trouble if troubled else None
    if trouble is None and trial.exchange not in rerun.bodies:
        trouble = "run again, the app does not come to this answer"
    return trial.concluded(rerun.differences(before), trouble, passed_on=troubled is not None and troubled.passed_on)


def _rerun(played: Sequence[Replayed], trial: Intervention | None = None, text: str | None = None) -> Rerun:
    return Rerun(played, trial, text, conversation_id=IDENTIFIED.get)


@contextmanager
def _running(case: Case, rerun: Rerun) -> Iterator[None]:
    """One further run: served by `rerun`, whatever it raises forgotten, and what it reported to planguard too."""
    from ...replay.session.cassette import serving

    kept: dict[str, Any] = {name: getattr(case, name) for name in ("checked", "driven", "expected", "scores")}
    for name, value in kept.items():
        setattr(case, name, type(value)())
    try:
        with serving(rerun, case.settings.allowed_hosts):
            yield
    except QUIET:
        pass
    finally:
        for name, value in kept.items():
            setattr(case, name, value)
