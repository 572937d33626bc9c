"""Several samples of a case, judged together."""

from __future__ import annotations

from collections.abc import Generator
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.errors import ContractFailed
from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.outcome.samples import Sample, _decide, _taken, sampled
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.retry.outcomes import Outcome
from pytest_planguard.retry.results import Convergence
from pytest_planguard.runs.model.run import BadSample

from .conftest import SPEC, MakeCase

TALK = Convergence("1", "Ticket", Outcome.CONVERGED, (), ())


def sample(
    number: int,
    failure: str | None = None,
    *,
    unproven: bool = False,
    stale: tuple[str, ...] = (),
    hint: RerecordHint | None = None,
) -> Sample:
    """Return the result of one sample."""
    recording = PlayedCassette(size=number)
    return Sample(number, failure, (TALK,), stale, hint, recording, unproven)


def test_enough_good_samples_pass(make_case: MakeCase) -> None:
    """The row has their numbers and the first line of what was wrong; each conversation says its sample."""
    case = make_case(SPEC._replace(min_pass_rate=0.5))
    case.failure = case.gave_up = "of the last sample"
    hints = (RerecordHint("pytest a", 2, 10), RerecordHint("pytest b", 3, 20))
    _decide(
        case,
        [
            sample(1, stale=("changed", "moved"), hint=hints[0]),
            sample(2, "planguard: too short\n  more", stale=("changed",), hint=hints[1]),
            sample(3),
            sample(4, "ValueError: no"),
        ],
    )
    assert case.samples is not None
    assert (case.samples.good, case.samples.total, case.samples.min_pass_rate) == (2, 4, 0.5)
    assert case.samples.bad == (BadSample(2, "too short"), BadSample(4, "ValueError: no"))
    assert [found.conversation for found in case.conversations] == [
        "1",
        "1 (sample 2)",
        "1 (sample 3)",
        "1 (sample 4)",
    ]
    assert case.stale == ("changed", "moved")
    assert str(case.rerecord_hint) == "pytest a # about 5 calls, 30 tokens"
    assert (case.failure, case.gave_up) == (None, None)


def test_too_few_good_samples_fail(make_case: MakeCase) -> None:
    """With a line for each bad one, and the whole failure of the first."""
    case = make_case(SPEC._replace(min_pass_rate=0.75))
    with pytest.raises(ContractFailed) as error:
        _decide(case, [sample(1), sample(2, "planguard: too short\n  more"), sample(3, "ValueError: no")])
    assert case.failure == str(error.value)
    assert case.failure == (
        "planguard: 1 of 3 (33 %, 95 % interval 6 to 79 %) samples are good: min_pass_rate=0.75 is not reached\n"
        "  sample 2: too short\n"
        "  sample 3: ValueError: no\n"
        "\n"
        "sample 2: planguard: too short\n"
        "  more"
    )
    assert (case.recording.size, case.rerecord_hint) == (2, None)


def test_a_sample_that_proves_nothing_fails_the_case(make_case: MakeCase) -> None:
    """However many of the others are good; its failure is the one that is shown."""
    case = make_case(SPEC._replace(min_pass_rate=0.1))
    with pytest.raises(ContractFailed) as error:
        _decide(case, [sample(1, "ValueError: no"), sample(2), sample(3, "no answer", unproven=True)])
    first, *_, last = str(error.value).split("\n")
    assert first.endswith(" samples are good: sample 3 proves nothing")
    assert last == "sample 3: no answer"
    assert case.recording.size == 3


def test_what_a_sample_leaves(make_case: MakeCase) -> None:
    """A good one proves what it shows; a bad one does not if an answer is missing, or if staleness fails."""

    def taken(error: Exception | None, recording: PlayedCassette, *, stale_fails: bool = False) -> Sample:
        case = make_case(stale_fails=stale_fails)
        case.recording = recording
        case.sample = 2
        return _taken(case, error)

    bad, whole = ValueError("no"), PlayedCassette()
    stale = PlayedCassette(stale_misses=("changed",))
    assert taken(None, whole) == Sample(2, None, (), (), None, whole, False)
    assert taken(bad, whole) == Sample(2, "ValueError: no", (), (), None, whole, False)
    assert taken(bad, stale) == Sample(2, "ValueError: no", (), ("changed",), None, stale, False)
    assert taken(bad, stale, stale_fails=True).unproven
    assert not taken(None, stale, stale_fails=True).unproven
    assert taken(bad, PlayedCassette(secrets=("a key",))).unproven
    assert taken(bad, PlayedCassette(misses=("no answer",))).unproven


def test_a_missing_answer_comes_before_the_failure_of_the_test(make_case: MakeCase) -> None:
    """It may be the cause. A section that says the same is left out, and our own failure stays as it is."""
    case = make_case()
    case.recording = PlayedCassette(misses=("no answer",))
    case.sections = [("planguard", "planguard: no answer"), ("planguard", "a note")]
    assert _taken(case, ValueError("no")).failure == "no answer\n\nthe test itself failed with ValueError: no"
    assert case.sections == [("planguard", "a note")]
    case.failure = "planguard: as it is"
    assert _taken(case, ValueError("no")).failure == "planguard: as it is"


def run(case: Case, item: SimpleNamespace) -> None:
    """Run a case with one sample, whose test function ends at once."""

    def first() -> Generator[None, object, object]:
        yield

    for _ in sampled(item, case, first()):  # type: ignore[arg-type]
        pass


def test_a_unittest_case_keeps_its_failure(make_case: MakeCase) -> None:
    """It counts for its sample, and pytest gets one failure for all of them."""
    item = SimpleNamespace(_excinfo=[SimpleNamespace(value=ValueError("no"))])
    case = make_case(samples=1)
    with pytest.raises(ContractFailed, match=r"\n  sample 1: ValueError: no\n"):
        run(case, item)
    assert item._excinfo is None
    run(case, item)
    assert case.samples is not None
    assert case.samples.good == 1


def test_further_samples_run_one_after_another(make_case: MakeCase) -> None:
    """Each starts afresh, and fails by an exception, by what a unittest case keeps, or by what planguard finds."""
    case = make_case(SPEC._replace(mode="check", min_pass_rate=0.5), samples=4, block_network=False)
    numbers: list[int] = []

    def runtest() -> None:
        numbers.append(case.sample)
        if case.sample == 2:
            raise ValueError("raised")
        if case.sample == 3:
            item._excinfo = [SimpleNamespace(value=ValueError("kept"))]

    item: Any = SimpleNamespace(config=case.item.config, runtest=runtest, _excinfo=None)
    with pytest.raises(ContractFailed) as error:
        run(case, item)
    assert numbers == [2, 3, 4]
    assert str(error.value).split("\n")[1:4] == [
        "  sample 2: ValueError: raised",
        "  sample 3: ValueError: kept",
        "  sample 4: nothing was judged: no answer was checked",
    ]
    assert item._excinfo is None
