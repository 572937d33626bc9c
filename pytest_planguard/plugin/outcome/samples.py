"""Several samples of a case: the test function runs once for each, with separate cassettes, and a rate decides.

Samples are next to each other in the variant: NAME.yaml, NAME.2.yaml, … Fixtures are not set up again in between.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import ContractFailed
from ...replay.session.rerecord import RerecordHint
from ..case import ENDED
from ..recording.open_recording import open_recording, rerecorded_if_outgrown
from ..rerun.pytest_parts import set_up_once_more
from .lifecycle import judged

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    import pytest

    from ...retry.results import Convergence
    from ..case import Case
    from ..case_parts.played_cassette import PlayedCassette


@dataclass(frozen=True, slots=True)
class Sample:
    """The result of one sample."""

    number: int
    """1-based."""
    failure: str | None
    """Why it is bad; None for a good one."""
    conversations: tuple[Convergence, ...]
    stale: tuple[str, ...]
    rerecord_hint: RerecordHint | None
    recording: PlayedCassette
    unproven: bool
    """True if it proves nothing: an answer is missing, or its cassette is stale and that fails."""


def sampled(item: pytest.Item, case: Case, first: Generator[None, object, object]) -> Generator[None, object, object]:
    """Wrap a test's first run and its judgement: run the other samples too, and judge all of them together.

    Raises:
        ContractFailed: fewer samples are good than the marker demands, or one of them proves nothing.
    """
    __tracebackhide__ = True
    wanted, result = case.wanted_samples, None
    try:
        result = yield from first
    except ENDED as error:
        found = [_taken(case, error)]
    else:
        found = [_taken(case, _kept_failure(item))]
    for number in range(2, wanted + 1):
        case.start_sample(number)
        open_recording(case)
        found.append(_taken(case, _again(item, case)))
    _decide(case, found)
    return result


def _again(item: pytest.Item, case: Case) -> BaseException | None:
    __tracebackhide__ = True
    try:
        if case.torn_down:  # reruns of the previous sample left it torn down
            set_up_once_more(item)
            case.torn_down = False
        with contextmanager(judged)(item, case, rerecorded_if_outgrown(item, case)):
            item.runtest()
    except ENDED as error:
        return error
    return _kept_failure(item)


def _kept_failure(item: Any) -> BaseException | None:
    """Return the failure that a unittest case keeps instead of raising it."""
    kept = getattr(item, "_excinfo", None)
    if not kept:
        return None
    item._excinfo = None  # noqa: SLF001
    error: BaseException = kept[0].value
    return error


def _taken(case: Case, error: BaseException | None) -> Sample:
    recording = case.recording
    missing = bool(recording.misses or recording.secrets)
    stale = case.stale_reasons
    failure = None if error is None else case.failure or _failure(case, error)
    unproven = failure is not None and (missing or (bool(stale) and case.settings.stale_fails))
    return Sample(case.sample, failure, case.conversations, stale, case.rerecord_hint, recording, unproven)


def _failure(case: Case, error: BaseException) -> str:
    """Return the failure of the test itself. A request without an answer comes first, since it may be the cause."""
    own = f"{type(error).__name__}: {error}"
    misses = case.recording.misses
    if not misses:
        return own
    case.sections[:] = [(title, text) for title, text in case.sections if misses[0] not in text]  # reported once
    return f"{misses[0]}\n\nthe test itself failed with {own}"


def _decide(case: Case, found: Sequence[Sample]) -> None:
    """Put all samples into the case, and fail if too few are good."""
    from ...report.comparison_words import rate_text
    from ...runs.model.run import BadSample, SamplesRow

    __tracebackhide__ = True
    bad = [sample for sample in found if sample.failure is not None]
    named = tuple(BadSample(sample.number, _line(sample)) for sample in bad)
    case.samples = SamplesRow(len(found) - len(bad), len(found), case.spec.min_pass_rate, named)
    case.conversations = tuple(_named(c, sample.number) for sample in found for c in sample.conversations)
    case.stale = tuple(dict.fromkeys(line for sample in found for line in sample.stale))
    hints = [sample.rerecord_hint for sample in found if sample.rerecord_hint is not None]
    case.rerecord_hint = RerecordHint.together(hints, hints[0].command) if hints else None
    case.failure = case.gave_up = None
    unproven = next((sample for sample in bad if sample.unproven), None)
    if unproven is None and case.samples.enough:
        return
    first = unproven or bad[0]
    case.recording = first.recording
    missed = f"min_pass_rate={case.samples.min_pass_rate:g} is not reached"
    why = f"sample {first.number} proves nothing" if unproven else missed
    head = f"planguard: {rate_text(case.samples.rate)} samples are good: {why}"
    case.failure = "\n".join(
        [
            head,
            *(f"  sample {one.number}: {one.why}" for one in named),
            "",
            f"sample {first.number}: {first.failure}",
        ]
    )
    raise ContractFailed(case.failure)


def _line(sample: Sample) -> str:
    return (sample.failure or "").partition("\n")[0].removeprefix("planguard: ")


def _named(found: Convergence, number: int) -> Convergence:
    return found if number == 1 else replace(found, conversation=f"{found.conversation} (sample {number})")
