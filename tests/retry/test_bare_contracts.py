"""A contract of the user's own, of which nothing is known but its name and what it finds."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.document.edit import Edit
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.proving.edits import edits
from pytest_planguard.retry.proving.experiment import Experiment
from pytest_planguard.retry.proving.planning import trials
from pytest_planguard.retry.proving.repair import Repaired, repair
from pytest_planguard.retry.proving.swap import swaps
from pytest_planguard.wire.exchange import Finish

from .decisions.spoken import exchanges_of
from .decisions.turns import BOTH, GOOD, PRIORITY, TICKET, URGENT, Shape, talk


class Bare:
    """Finds what a ticket's contract finds, and shows neither schema, format nor constraints."""

    name = "Bare"

    def check(self, answer: Any, **known: Any) -> Verdict:
        """Return what is wrong with an answer."""
        return TICKET.check(answer, **known)


def test_a_conversation_is_judged_by_it() -> None:
    """The texts are judged, whatever tools and schemas the requests have."""
    (found,) = judge(exchanges_of(Shape(talk(URGENT, f"- {PRIORITY}", GOOD))), [Bare()]).conversations
    assert (found.contract, found.outcome.value, found.ok) == ("Bare", "converged", True)
    assert [graded.label for graded in found.attempts[0].fed_back] == ["located"]


def test_its_findings_are_repaired_and_swapped() -> None:
    """The format is told by the content, words around the document are left out, and no schema gives samples."""
    fenced = f"Here:\n```json\n{URGENT}\n```"
    verdict = TICKET.check(fenced)
    (finding,) = verdict.errors
    assert [edit.value for edit in edits(finding, verdict.data, Bare())][:3] == ["low", "high", ["urgent"]]
    repaired = repair(finding, verdict, Bare())
    assert isinstance(repaired, Repaired)
    assert (repaired.edit, repaired.text) == (Edit("put", ("priority",), "low"), fenced.replace("urgent", "low"))
    swapped = swaps(finding, verdict, Bare(), repaired=repaired)
    assert [change.words for change in swapped][:1] == ["another error in its place (title became null)"]
    assert [*swaps(finding, verdict, Bare(), donors=[GOOD])] == []


class Keeping(Bare):
    """Keeps what it is told of each answer beside its text."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def check(self, answer: Any, **known: Any) -> Verdict:
        """Return what is wrong with an answer."""
        self.told.append(known.get("finish"))
        return super().check(answer, **known)


@pytest.mark.parametrize(("finish", "told"), [(Finish.LENGTH, "length"), (Finish.STOP, "stop"), (None, None)])
@pytest.mark.parametrize("answers", [(BOTH, GOOD), (URGENT, GOOD)], ids=["repaired", "swapped"])
def test_it_is_told_how_the_answer_ended(answers: tuple[str, str], finish: Finish | None, told: str | None) -> None:
    """Of every change that is tried as well: it may judge an answer that was cut off otherwise."""
    bad, good = answers
    spoken = exchanges_of(Shape(talk(bad, f"- {PRIORITY}", good, finish=finish)))
    contract = Keeping()
    found = judge(spoken, [contract]).conversations
    judged = len(contract.told)
    planned = [one for one in trials(found, [contract], JudgeOptions()) if isinstance(one, Experiment)]
    assert planned
    assert all([*one.changes] for one in planned)
    assert len(contract.told) > judged + 8
    assert set(contract.told) == {told}
