"""What the row of a case says: one word for it, its versions, its cost, and no secret."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_planguard import Contract
from pytest_planguard.contract.comparison.score import Score
from pytest_planguard.plugin.case import Case, Checked, Scored
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.results.rows import (
    SDKS,
    TOLD,
    attempts_of,
    case_row,
    loaded,
    outcome_of,
    packages,
    redacted,
    take_versions,
    versions,
)
from pytest_planguard.retry.outcomes import Outcome
from pytest_planguard.retry.results import Convergence
from pytest_planguard.runs.model.run import BadSample, SamplesRow

from ...support.verdicts import BAD, PRIORITY, attempt, lost_retry, verdict

Made = Callable[..., Case]
CONTRACT = Contract(None, name="Ticket")


@pytest.fixture
def made(request: pytest.FixtureRequest) -> Made:
    """Make a case of the running test with these attributes."""

    def make(spec: Spec | None = None, settings: Settings | None = None, **attributes: Any) -> Case:
        case = Case(request.node, spec or Spec((CONTRACT,), 3), settings or Settings(), "key")
        for name, value in attributes.items():
            setattr(case, name, value)
        return case

    return make


GOOD = Convergence("1", "Ticket", Outcome.CONVERGED, (attempt(1, verdict()),), ())
LATE = Convergence("2", "Ticket", Outcome.ESCALATED, (attempt(2, verdict()),), ())
STUCK = Convergence("3", "Ticket", Outcome.STUCK, (attempt(3, verdict(BAD, PRIORITY)),), ())
OTHER = Convergence("4", "Ticket", Outcome.EXHAUSTED, (attempt(4, verdict(BAD, PRIORITY)),), ())
ENOUGH = SamplesRow(2, 3, 0.5, (BadSample(3, "no"),))
MISSED = PlayedCassette(outcome="unrecorded")


def checked(*found: bool) -> list[Checked]:
    """Return checked answers, good or bad."""
    return [Checked(CONTRACT, verdict(BAD, *([] if ok else [PRIORITY]))) for ok in found]


@pytest.mark.parametrize(
    ("attributes", "word"),
    [
        ({}, "passed"),
        ({"result": "skipped"}, "skipped"),
        ({"checked": checked(True, True)}, "valid"),
        ({"checked": checked(True, False)}, "invalid"),
        ({"conversations": (GOOD,), "checked": checked(False)}, "converged"),
        ({"conversations": (LATE, GOOD)}, "escalated"),
        ({"conversations": (GOOD, STUCK, OTHER)}, "stuck"),
        ({"conversations": (STUCK,), "stale": ("changed",)}, "stale"),
        ({"conversations": (STUCK,), "expired": ("old",)}, "stale"),
        ({"conversations": (STUCK,), "stale": ("changed",), "recording": MISSED}, "unrecorded"),
        ({"conversations": (STUCK, LATE), "recording": MISSED, "samples": ENOUGH}, "escalated"),
        ({"conversations": (STUCK,), "samples": ENOUGH}, "valid"),
        ({"conversations": (GOOD,), "samples": ENOUGH, "stale": ("changed",)}, "stale"),
        ({"conversations": (STUCK,), "samples": ENOUGH, "result": "failed"}, "stuck"),
    ],
)
def test_a_case_is_told_in_one_word(made: Made, attributes: dict[str, Any], word: str) -> None:
    """What is missing comes first, then what is stale, the first bad conversation, and checked answers."""
    assert outcome_of(made(**attributes)) == word


def test_attempts_are_those_of_all_conversations(made: Made) -> None:
    """Without one there are none."""
    assert [attempts_of(made(conversations=found)) for found in ((), (GOOD,), (lost_retry(), GOOD))] == [0, 1, 3]


KEY = "sk-proj-" + "a1B2" * 10


def test_a_row_has_what_the_case_has(made: Made) -> None:
    """By name, with the line of the test from 1 on; no cassette that is not there is named."""
    case = made(
        result="failed",
        conversations=(lost_retry(), GOOD),
        checked=checked(True),
        scored=[Scored(CONTRACT, Score(0.5))],
        scores={"b": 2.0, "a": 1.0},
        stale=("changed",),
        recording=PlayedCassette(uses_file=True, misses=(f"no answer for {KEY}",)),
        pruned=["a.yaml"],
        task="Expert",
        gave_up="ValueError",
        rekey_command="planguard show a.yaml --rekey",
    )
    row = case_row(case)
    assert (row.key, row.test, row.result, row.outcome) == ("key", case.nodeid, "failed", "stale")
    assert row.line == case.item.location[1] + 1  # type: ignore[operator]
    assert (row.model, row.for_model, row.variant) == ("m-1", None, None)
    assert [len(judged.attempts) for judged in row.judged] == [2, 1, 1]
    assert (row.contracts, row.cost) == ((("Ticket", CONTRACT.digest),), None)
    assert (list(row.scores.items()), row.expected) == ([("a", 1.0), ("b", 2.0)], (Score(0.5),))
    assert (row.stale, row.pruned, row.task) == (("changed",), ("a.yaml",), "Expert")
    assert (row.gave_up, row.rekey) == ("ValueError", "planguard show a.yaml --rekey")
    assert (row.cassette, row.cassette_digest, row.exchanges) == (None, None, None)
    assert row.misses[0].startswith("no answer for ")
    assert KEY not in row.misses[0]
    assert case_row(made(Spec((), 3, model="m-2", variant="v"))).model == "m-2"
    assert case_row(made(Spec((), 3, model="m-2", variant="v"))).variant == "v--m-2"


def test_a_row_has_the_digest_of_its_cassette(made: Made, tmp_path: Path) -> None:
    """If conversations were judged from a file."""
    file = tmp_path / "a.yaml"
    file.write_bytes(b"abc")
    spec = Spec((), 3, cassette=str(file))
    used = PlayedCassette(uses_file=True, size=2)
    row = case_row(made(spec, conversations=(GOOD,), recording=used))
    assert (row.cassette, row.exchanges) == (file.as_posix(), 2)
    assert row.cassette_digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    for case in (made(spec, recording=used), made(spec, conversations=(GOOD,))):
        assert case_row(case).cassette is None


def test_secrets_are_taken_out_of_each_part() -> None:
    """Of texts, in tuples and values; anything else stays as it is."""
    bad = SamplesRow(1, 2, 0.5, (BadSample(2, f"no {KEY} here"),))
    told = redacted((bad, 7, None, BadSample))
    assert told[1:] == (7, None, BadSample)
    assert (told[0].good, told[0].bad[0].number) == (1, 2)
    assert KEY not in told[0].bad[0].why
    assert told[0].bad[0].why.startswith("no ")


def test_versions_are_those_of_loaded_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else of what is installed; one without any is left out."""
    module = ModuleType("pytest_of_ours")
    monkeypatch.setitem(sys.modules, "pytest_of_ours", module)
    assert versions(["pytest", "pytest_of_ours"]) == {"pytest": pytest.__version__}
    module.__version__ = "1.2"  # type: ignore[attr-defined]
    assert versions(["pytest_of_ours", "nothing-of-that-name"]) == {"pytest_of_ours": "1.2"}
    module.__version__ = (1, 2)  # type: ignore[attr-defined]
    assert versions(["pytest_of_ours"]) == {}


def test_the_loaded_clients_are_told(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what workers have told, beside planguard, pytest and pydantic."""
    for module in SDKS:
        monkeypatch.delitem(sys.modules, module, raising=False)
    assert loaded() == {}
    client = ModuleType("groq")
    client.__version__ = "3.0"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "groq", client)
    assert loaded() == {"groq": "3.0"}
    config = SimpleNamespace(stash=pytest.Stash())
    assert [*packages(config)] == ["pytest-planguard", "pytest", "pydantic", "groq"]  # type: ignore[arg-type]
    take_versions(SimpleNamespace(config=config, workeroutput={"planguard_sdks": {"groq": "2.0", "openai": "1.0"}}))
    take_versions(SimpleNamespace(config=config, workeroutput={}))
    take_versions(SimpleNamespace(config=config))
    assert config.stash[TOLD] == {"groq": "2.0", "openai": "1.0"}
    told = packages(config)  # type: ignore[arg-type]
    assert (told["groq"], told["openai"]) == ("3.0", "1.0")
