"""The mutation matrix: the negative controls of `feedback` (a dropped error list must fail)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_planguard.contract.contract import Contract

from ...support.conversations import WORDINGS
from ...support.nightly import drawn
from ...support.one_item import in_one_item
from ...support.paths import ROOT
from ...support.ticket import TICKET
from .matrix import Case, local_cases, lookalikes, mutants, noticed, shared_cases

LOOKALIKES = list(lookalikes())
DRAWN = drawn(LOOKALIKES, 3)
"""Each wording in two of its six forms, over all wordings in all of them: what is read of a wording is the same."""
LOCAL = sorted((ROOT / "cassettes" / "local_model").glob("[fi]*/*.yaml"))


def judged_wrong(case: Case, *, known_wordings: bool) -> list[str]:
    """The mutations of a case whose loss is missed, or that are a false alarm."""
    return [
        name
        for name, spoiled in mutants(case)
        if noticed(spoiled, case, known_wordings=known_wordings) is spoiled.fed_back
    ]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("case", DRAWN, ids=lambda case: case.name)
def test_every_loss_is_noticed_in_every_wording(case: Case) -> None:
    """All mutations of all look-alike conversations, in three dialects and both placements, are judged rightly."""
    assert judged_wrong(case, known_wordings=True) == []


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("case", drawn(LOOKALIKES, 6, first=1), ids=lambda case: case.name)
def test_without_framework_wordings_no_loss_is_missed(case: Case) -> None:
    """Switched off, the places and rules of every framework are read all the same; nothing missing passes."""
    assert judged_wrong(case, known_wordings=False) == []


def test_the_matrix_covers_every_wording() -> None:
    """Each wording appears in three dialects and two placements."""
    assert len(LOOKALIKES) == len(WORDINGS) * 6
    assert {case.word for case in DRAWN} == {*WORDINGS.values()}


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("case", drawn([*local_cases(LOCAL, TICKET)], 2), ids=lambda case: case.name)
def test_every_loss_is_noticed_in_real_loops(case: Case) -> None:
    """The retries of real loops of a small model survive as they are and fail under every mutation."""
    assert judged_wrong(case, known_wordings=True) == []
    assert judged_wrong(case, known_wordings=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["feedback", "inject"])
def test_every_loss_is_noticed_in_all_local_loops(shared_data: Path, strategy: str) -> None:
    """The 98 retries of both strategies, of which a day takes an eighteenth, under every mutation."""
    files = sorted((shared_data / "local_model" / "cassettes" / strategy).glob("*.yaml"))
    cases = list(local_cases(files, TICKET))
    assert len(cases) == {"feedback": 57, "inject": 41}[strategy]
    some = drawn(cases, 18)
    assert {case.name: wrong for case in some if (wrong := judged_wrong(case, known_wordings=True))} == {}


@pytest.mark.slow
def test_every_loss_is_noticed_in_real_recordings(shared_data: Path) -> None:
    """The retries in real cassettes whose errors are known, of which a day takes a sixth, under every mutation."""
    cases = list(shared_cases(_with_retries(shared_data)))
    assert len(cases) == 41
    some = drawn(cases, 6)
    assert {case.name: wrong for case in some if (wrong := judged_wrong(case, known_wordings=True))} == {}


def _with_retries(shared_data: Path) -> list[Path]:
    import csv

    folder = shared_data / "recordings"
    with (folder / "index.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if int(row["retry_steps"] or 0)]
    return [folder / row["repo"].replace("/", "__") / row["path"] for row in rows]


def test_the_local_contract_is_the_recorders_own(shared_data: Path) -> None:
    """The ticket that stands in the tests judges as the one that the cassettes were made with."""
    import importlib.util

    path = shared_data / "local_model" / "scripts" / "contract.py"
    spec = importlib.util.spec_from_file_location("recorded_contract", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    recorded = Contract(module.Ticket, extract="whole")
    for case in local_cases(LOCAL, TICKET):
        answer = case.exchanges[case.child - 1].answer_text
        assert [f.identity for f in recorded.check(answer).findings] == [
            f.identity for f in TICKET.check(answer).findings
        ]
