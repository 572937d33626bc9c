"""The end of a marked test: its recording closes, its conversations are judged, every problem gets a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ...errors import ContractFailed, PlanguardError
from ..case import CASE
from ..recording.null_recording import EmptyTape
from .failure import failure_text
from .problems import (
    bad_conversations,
    credentials,
    expected,
    leftovers,
    lost_feedback,
    misfit,
    misses,
    nothing_judged,
    outdated,
    secrets,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    import pytest

    from ...retry.convergence import Convergence
    from ..case import Case
    from .failure import Problem


class judge_after:  # noqa: N801  # reads as what it does: `with judge_after(item):`
    """Around a test's body: when it is done, close the recording and judge.

    A failure of the body itself stays what it is; the conversation is then shown in a section below it. What judges
    loads with the first test in which there is more to judge than good answers.

    Raises:
        ContractFailed: the body passed, and what the recording shows does not.
    """

    __slots__ = ("_item",)

    def __init__(self, item: pytest.Item) -> None:
        self._item = item

    def __enter__(self) -> None:
        """The body begins."""

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        __tracebackhide__ = True
        case = self._item.stash.get(CASE, None)
        if case is None or (error is None and _only_good_answers(case)):
            return

        judge(self._item, case, error)


def _only_good_answers(case: Case) -> bool:
    """Whether a test without a recording asked nobody and checked answers, as its mode announces. Closes its tape."""
    tape = case.tape
    if not isinstance(tape, EmptyTape) or case.driven or case.spec.mode not in (None, "check") or not case.checked:
        return False
    tape.close()
    return not tape.misses and not getattr(case.item, "_excinfo", None)


# What a marked test comes to when its body is done: its recording closes, and everything that is wrong has a name.

SECTION = "planguard"


def judge(item: pytest.Item, case: Case, error: BaseException | None) -> None:
    """Close the recording of a case and judge it. `error` is what the body raised.

    Raises:
        ContractFailed: the body passed, and what the recording shows does not.
    """
    __tracebackhide__ = True
    if error is not None:
        _after_failure(case, error)
        return
    kept: Any = getattr(item, "_excinfo", None)  # where a unittest case keeps its failure instead of raising it
    if kept:
        _after_failure(case, kept[0].value)
        return
    problems = conclude(case)
    if problems:
        case.failure = failure_text(case, problems)
        raise ContractFailed(case.failure)
    if item.config.getoption("--planguard-prune"):
        from ..recording.prune import prune

        prune(case)


def _after_failure(case: Case, error: BaseException) -> None:
    case.skipped = isinstance(error, pytest.skip.Exception)
    if case.skipped and case.tape is not None:
        case.tape.close(error)
    try:
        problems = [] if case.skipped else conclude(case, error)
    except Exception as second:  # the body's own failure must stay the first thing that a reader sees
        case.sections.append((SECTION, f"the conversation could not be judged: {type(second).__name__}: {second}"))
        return
    shown = [p for p in problems if p.body or p.advice] or [*credentials(case, error), *misfit(case)]
    notes = case.tape.notes if case.tape is not None else ()
    if not shown and notes:
        case.sections.append((SECTION, "\n".join(f"note: {note}" for note in notes)))
    if not shown:
        return
    if case.tape is not None and case.tape.misses and _is_of_ours(error):
        case.failure = failure_text(case, shown) + _ended_with(error)  # a client's inner frames explain nothing
    else:
        case.sections.append((SECTION, failure_text(case, shown)))


def _is_of_ours(error: BaseException) -> bool:
    """Whether a miss came through, as it was raised or inside an error that a client or the app made of it."""
    seen: list[BaseException] = []
    here: BaseException | None = error
    while here is not None and here not in seen:
        if isinstance(here, PlanguardError):
            return True
        seen.append(here)
        here = here.__cause__ or here.__context__
    return False


def _ended_with(error: BaseException) -> str:
    if isinstance(error, PlanguardError):
        return ""
    from ...report.media.sanitise import one_line

    module = "" if type(error).__module__ == "builtins" else f"{type(error).__module__}."
    said = one_line(f"{module}{type(error).__qualname__}: {error}", 200)
    return f"\n\nthe test saw it as {said}\n(--full-trace shows where)"


def conclude(case: Case, error: BaseException | None = None) -> list[Problem]:
    """Close the recording, judge it, and name everything that is wrong. `error` is what the body raised."""
    if isinstance(case.tape, EmptyTape) and not case.driven:
        case.tape.close()
        if error is None and not case.tape.misses:
            return nothing_judged(case)
    if case.tape is not None:
        case.tape.close(error)
        case.conversations = case.tape.judged()
        case.stale = case.tape.stale
    case.conversations = (*case.conversations, *_driven_only(case))
    _hold_against(case)
    bad = [*misses(case), *bad_conversations(case)]
    _weigh(case, bad)
    found = [*outdated(case), *_worse(case), *bad, *secrets(case)]
    return found if found or error is not None else [*leftovers(case), *nothing_judged(case)]


def _weigh(case: Case, bad: list[Problem]) -> None:
    """What the recording itself is worth: whether it still fits, or is too old."""
    tape = case.tape
    if tape is None:
        return
    case.expired = () if bad else tape.expired
    case.anew = tape.anew if case.misfit and not lost_feedback(case) else None
    if case.stale:
        from ..recording.rerecord import rekey_command

        case.rekey = rekey_command(case)


def _hold_against(case: Case) -> None:
    """Whether the recording still says what the model says today."""
    tape = case.tape
    if case.settings.record == "verify" and tape is not None and tape.recorded:
        from .live_check import held_against

        case.canary = held_against(tape.kept(), case.conversations, lambda c: c.ok or expected(case, c))


def _worse(case: Case) -> Iterator[Problem]:
    if case.canary is not None:
        from .live_check import worse

        yield from worse(case)


def _driven_only(case: Case) -> list[Convergence]:
    """Driven conversations that left no trace in the recording: `ask` was a plain function."""
    seen = {c.conversation for c in case.conversations}
    return [c for c in case.driven if c.conversation not in seen]
