"""The end of a marked test: close its cassette, judge its conversations, and name every problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ...errors import CassetteError, ContractFailed, PlanguardError
from ...printable import one_line
from ..case import ENDED
from ..recording.open_recording import close_recording
from .failure import failure_text
from .problems import (
    bad_conversations,
    child_processes,
    credentials,
    expected,
    leftovers,
    live_check,
    misses,
    nothing_judged,
    refused_commands,
    secrets,
    worse_than_recorded,
)
from .scores import score_labelled_case, wrong_values
from .stale import judge_cassette, outdated, stale_recording

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ..case import Case
    from .failure import Problem


def judged(
    item: pytest.Item, case: Case, body: Generator[None, object, object] | None = None
) -> Generator[None, object, object]:
    """Wrap a test function: when it is done, close the cassette and judge. `body` is a step inside this one.

    A failure of the test function itself stays as it is, and a section below it shows the conversation.

    Raises:
        ContractFailed: the test function passed, but the cassette shows a problem.
    """
    __tracebackhide__ = True
    try:
        result = (yield) if body is None else (yield from body)
    except BaseException as error:
        judge(item, case, error)
        raise
    judge(item, case, None)
    return result


# The result of a marked test after its function: close the cassette, and name every problem.

SECTION = "planguard"


def judge(item: pytest.Item, case: Case, error: BaseException | None) -> None:
    """Close the cassette of a case and judge it. `error` is the exception of the test function.

    Raises:
        ContractFailed: the test function passed, but the cassette shows a problem.
    """
    __tracebackhide__ = True
    if error is not None:
        _after_failure(case, error)
        return
    kept: Any = getattr(item, "_excinfo", None)  # a unittest case keeps its failure here instead of raising it
    if kept:
        _after_failure(case, kept[0].value)
        return
    problems = conclude(case)
    if problems:
        case.failure = failure_text(case, problems)
        raise ContractFailed(case.failure)
    if item.config.getoption("--planguard-prune"):
        from ..recording.unused_cassettes import prune

        prune(case)


def _after_failure(case: Case, error: BaseException) -> None:
    case.skipped = isinstance(error, pytest.skip.Exception)
    if case.skipped:
        close_recording(case, error)
    try:
        problems = [] if case.skipped else conclude(case, error)
    except Exception as second:  # the reader must see the test function's own failure first
        if isinstance(second, CassetteError) and _is_of_ours(error):  # such as a full disk: it is that failure
            case.failure = f"planguard: {second}{_ended_with(error)}"
            return
        case.sections.append((SECTION, f"the conversation could not be judged: {type(second).__name__}: {second}"))
        return
    case.gave_up = gave_up(case, error)
    shown = [p for p in problems if p.body or p.advice] or [*credentials(case, error), *stale_recording(case)]
    notes = case.notes
    if not shown and notes:
        case.sections.append((SECTION, "\n".join(f"note: {note}" for note in notes)))
    if not shown:
        return
    if case.recording.misses and _is_of_ours(error):
        case.failure = failure_text(case, shown) + _ended_with(error)  # a client's inner frames explain nothing
    else:
        case.sections.append((SECTION, failure_text(case, shown)))


def _is_of_ours(error: BaseException) -> bool:
    """Return True if a miss surfaced, as raised or inside an error of a client or the app."""
    seen: list[BaseException] = []
    here: BaseException | None = error
    # `seen`: after "raise a from b", with b raised while a was handled, each leads to the other.
    while here is not None and here not in seen:
        if isinstance(here, PlanguardError):
            return True
        seen.append(here)
        here = here.__cause__ or here.__context__
    return False


def _ended_with(error: BaseException) -> str:
    if isinstance(error, PlanguardError):
        return ""
    module = "" if type(error).__module__ == "builtins" else f"{type(error).__module__}."
    shown = one_line(f"{module}{type(error).__qualname__}: {error}", 200)
    return f"\n\nthe test saw it as {shown}\n(--full-trace shows where)"


def conclude(case: Case, error: BaseException | None = None) -> list[Problem]:
    """Close the cassette, judge it, and name every problem. `error` is the exception of the test function."""
    if case.commands is not None:
        case.commands.settle()
    if case.session is not None:
        from ..rerun.watching import end_body

        end_body(case.item)
    close_recording(case, error)
    case.remember_threads()
    if case.processes is not None:
        case.clients = case.processes.clients
        case.earlier = earlier_requests(case)
    if case.session is not None:
        _judge_exchanges(case, error)
    if case.driven or case.observed or case.told:
        seen = {c.conversation for c in case.conversations}
        # Driven conversations left no trace in the cassette if `ask` was a plain function.
        driven = [c for c in case.driven if c.conversation not in seen]
        case.conversations = (*case.conversations, *driven, *case.observed, *case.told)
    _compare_live(case)
    score_labelled_case(case)
    bad = [*misses(case), *refused_commands(case), *bad_conversations(case)]
    bad += wrong_values(case) if error is None and not bad else ()  # else the answer itself was bad
    problems = [*_of_cassette(case, bad), *child_processes(case)]
    if bad and error is None and not case.settings.stale_fails and not case.recording.misses:
        # The bad answers were recorded for other requests. A miss already says so.
        problems += stale_recording(case)
    return problems if problems or error is not None else [*leftovers(case), *nothing_judged(case)]


def earlier_requests(case: Case) -> tuple[str, ...]:
    """Return the requests outside of marked tests if the test has not asked for the answer that it is about."""
    from ..recording.outside import OUTSIDE

    outside = case.item.config.stash.get(OUTSIDE, None)
    return outside.asked if outside is not None and not case.asked and not case.measured else ()


def _judge_exchanges(case: Case, error: BaseException | None) -> None:
    """Judge the conversations of a cassette, and run the experiments that their retries need."""
    from ..recording.recording import judged_of, settle

    case.conversations, case.stale = judged_of(case), case.recording.stale
    if case.conversations:
        _experiment(case, error)
    settle(case)


def _of_cassette(case: Case, bad: list[Problem]) -> list[Problem]:
    """Return the bad conversations, between the problems of the cassette itself. Most tests have none."""
    if case.session is None:
        return bad
    judge_cassette(case, bad)
    return [*outdated(case), *worse_than_recorded(case), *bad, *secrets(case)]


def _experiment(case: Case, error: BaseException | None) -> None:
    """Run the app again if only that shows what its retries feed back."""
    from ..rerun.obstacles import wants_experiment

    if wants_experiment(case) and (error is None or isinstance(error, ENDED)):
        from ..recording.recording import judged_of
        from .proving import decide

        decide(case, error)
        case.conversations = judged_of(case)


def _compare_live(case: Case) -> None:
    """Note if the model's answers today match the cassette."""
    if case.settings.record == "verify" and case.recording.recorded:
        from ..recording.recording import kept_of

        case.live_check = live_check(kept_of(case), case.conversations, lambda c: c.ok or expected(case, c))


# Distinguish an app that gave up from a test that fails for another reason. Most apps raise after their last rejected
# attempt. The exception follows from the rejected answer, so both are one failure, which the list of known failures may
# excuse. The list excuses no other exception.


def gave_up(case: Case, error: BaseException) -> str | None:
    """Return the class of an exception by which the app gave up, "myapp.NoTicket"; None for any other exception.

    `error` left the test function, after the conversations of the case were judged. The app gave up if the last
    exchange is the rejected end of a conversation, and the exception was raised outside the test's own file or has a
    class from `planguard_gives_up`. An exception group counts if each of its exceptions does; commas join their
    classes.
    """
    if not _ended_rejected(case):
        return None
    leaves = list(_leaves(error))
    if not all(_may_give_up(leaf) and (_is_named(case, leaf) or _is_from_app(case, leaf)) for leaf in leaves):
        return None
    return ",".join(sorted({class_name(type(leaf)) for leaf in leaves}))


def class_name(kind: type) -> str:
    """Return a class name as in the list and in `planguard_gives_up`: "ValueError", "myapp.errors.NoTicket"."""
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _ended_rejected(case: Case) -> bool:
    """Return True if the exchange before the exception is the last attempt of a failed conversation."""
    asked = len(case.recording.plays)
    ended = (c for c in case.conversations if c.attempts and c.attempts[-1].exchange.number == asked)
    return any(not c.ok and not expected(case, c) for c in ended)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions of a group and its nested groups. Any other exception yields itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _may_give_up(error: BaseException) -> bool:
    """Return False for a test's own failures (an assert, `pytest.fail`), and for errors of planguard or pytest."""
    own = (AssertionError, PlanguardError)
    by_pytest = type(error).__module__.partition(".")[0] in ("_pytest", "pytest")
    return isinstance(error, Exception) and not isinstance(error, own) and not by_pytest


def _is_named(case: Case, error: BaseException) -> bool:
    """Return True if `planguard_gives_up` names the class of an exception or one of its bases."""
    return any(class_name(kind) in case.settings.gives_up for kind in type(error).__mro__)


def _is_from_app(case: Case, error: BaseException) -> bool:
    """Return True if an exception was raised outside the test's own file, judging by the innermost frame."""
    here, file = error.__traceback__, None
    while here is not None:
        file, here = here.tb_frame.f_code.co_filename, here.tb_next
    return file is not None and file != str(case.item.path)
