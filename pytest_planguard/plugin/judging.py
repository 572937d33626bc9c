"""The end of a marked test: its conversations are judged, and what nobody looked at fails it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from ..errors import ContractFailed, PlanguardError
from .case import CASE, Case
from .empty_tape import EmptyTape
from .failure import Problem, conversation_problem, failure_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..retry.convergence import Convergence

SECTION = "planguard"


@contextmanager
def judge_after(item: pytest.Item) -> Iterator[None]:
    """Around a test's body: when it is done, close the recording and judge.

    A failure of the body itself stays what it is; the conversation is then shown in a section below it.

    Raises:
        ContractFailed: the body passed, and what the recording shows does not.
    """
    __tracebackhide__ = True
    try:
        yield
    except BaseException as error:
        _after_failure(item, error)
        raise
    case = item.stash.get(CASE, None)
    if case is None:
        return
    if getattr(item, "_excinfo", None):  # a unittest case keeps its failure there instead of raising it
        _after_failure(item, item._excinfo[0].value)  # type: ignore[attr-defined]  # noqa: SLF001
        return
    problems = conclude(case)
    if problems:
        case.failure = failure_text(case, problems)
        raise ContractFailed(case.failure)
    if case.item.config.getoption("--planguard-prune"):
        from .prune import prune

        prune(case)


def _after_failure(item: pytest.Item, error: BaseException) -> None:
    case = item.stash.get(CASE, None)
    if case is None:
        return
    case.skipped = isinstance(error, pytest.skip.Exception)
    if case.skipped and case.tape is not None:
        case.tape.close(error)
    try:
        problems = [] if case.skipped else conclude(case, error)
    except Exception as second:  # the body's own failure must stay the first thing that a reader sees
        case.sections.append((SECTION, f"the conversation could not be judged: {type(second).__name__}: {second}"))
        return
    shown = [p for p in problems if p.body or p.advice] or [*_credentials(case, error), *_misfit(case)]
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
    from ..report.sanitise import one_line

    module = "" if type(error).__module__ == "builtins" else f"{type(error).__module__}."
    said = one_line(f"{module}{type(error).__qualname__}: {error}", 200)
    return f"\n\nthe test saw it as {said}\n(--full-trace shows where)"


def _credentials(case: Case, error: BaseException) -> list[Problem]:
    """SDKs want a key before they send anything, and a replay sends nothing."""
    words = str(error).lower()
    asked = case.tape is not None and not case.tape.recorded and not case.conversations
    if not asked or case.settings.record != "none" or not any(word in words for word in ("api_key", "credential")):
        return []
    reason = "no request was sent: the client wants a key to be set"
    return [Problem(reason, advice="set any value for the replay, which uses none: for example OPENAI_API_KEY=unused")]


def conclude(case: Case, error: BaseException | None = None) -> list[Problem]:
    """Close the recording, judge it, and name everything that is wrong. `error` is what the body raised."""
    if isinstance(case.tape, EmptyTape) and not case.driven:
        case.tape.close()
        if error is None and not case.tape.misses:
            return _nothing(case)
    if case.tape is not None:
        case.tape.close(error)
        case.conversations = case.tape.judged()
        case.stale = case.tape.stale
    case.conversations = (*case.conversations, *_driven_only(case))
    _hold_against(case)
    bad = [*_misses(case), *_conversations(case)]
    _weigh(case, bad)
    found = [*_old(case), *_worse(case), *bad, *_secrets(case)]
    return found if found or error is not None else [*_leftovers(case), *_nothing(case)]


def _weigh(case: Case, bad: list[Problem]) -> None:
    """What the recording itself is worth: whether it still fits, or is too old."""
    tape = case.tape
    if tape is None:
        return
    case.expired = () if bad else tape.expired
    case.anew = tape.anew if case.misfit else None
    if case.stale:
        from .rekeying import rekey_command

        case.rekey = rekey_command(case)


def _hold_against(case: Case) -> None:
    """Whether the recording still says what the model says today."""
    tape = case.tape
    if case.settings.record == "verify" and tape is not None and tape.recorded:
        from .canary import held_against

        case.canary = held_against(tape.kept(), case.conversations, lambda c: c.ok or _expected(case, c))


def _old(case: Case) -> Iterator[Problem]:
    """What is wrong with the recording itself. It is not to be made anew while it shows that feedback is lost."""
    lost = any("carried" in _failed(found) for found in case.conversations)
    for problem in (*_stale(case), *_expired(case)):
        yield problem._replace(advice="") if lost else problem


def _worse(case: Case) -> Iterator[Problem]:
    if case.canary is not None:
        from .canary import worse

        yield from worse(case)


def _driven_only(case: Case) -> list[Convergence]:
    """Driven conversations that left no trace in the recording: `ask` was a plain function."""
    seen = {c.conversation for c in case.conversations}
    return [c for c in case.driven if c.conversation not in seen]


def _misses(case: Case) -> Iterator[Problem]:
    """Requests that no recorded answer fits: they fail the test whatever the app made of the error."""
    for text in case.tape.misses if case.tape else ():
        first, _, rest = text.partition("\n")
        yield Problem(first, rest)  # its text ends with the command


def _conversations(case: Case) -> Iterator[Problem]:
    driven = {c.conversation: c for c in case.driven}
    for found in case.conversations:
        known = driven.get(found.conversation)
        if known is not None and not known.ok and _failed(found) <= _failed(known):
            continue  # `converge` raised, and what was sent shows nothing that the loop did not know
        if not found.ok and not _expected(case, found) and not _cut_short(case, found):
            yield conversation_problem(case, found)


def _expected(case: Case, found: Convergence) -> bool:
    """Whether the test declared this outcome; what its requests carried still has to hold."""
    return case.expected.get(found.conversation) is found.outcome and _failed(found) <= {"valid"}


def _cut_short(case: Case, found: Convergence) -> bool:
    """Whether only the end is bad, and the end proves nothing: a retry got no answer, or one to another request."""
    unproven = bool(case.stale) or bool(case.tape and case.tape.misses)
    return unproven and _failed(found) <= {"valid"}


def _failed(found: Convergence) -> set[str]:
    """Names of the checks that failed."""
    from ..retry.convergence import CheckStatus

    return {c.name for c in found.checks if c.status is CheckStatus.FAIL}


def _leftovers(case: Case) -> Iterator[Problem]:
    """Recorded answers that nobody asked for: said only where nothing else explains them."""
    if case.tape is not None and case.tape.unplayed:
        lines = "\n".join(f"  {line}" for line in case.tape.unplayed)
        number = len(case.tape.unplayed)
        reason = f"{number} recorded {'answer was' if number == 1 else 'answers were'} never asked for"
        yield Problem(reason, lines, case.record_command("all"))


def _stale(case: Case) -> Iterator[Problem]:
    if case.settings.stale_fails:
        yield from _misfit(case)


def _misfit(case: Case) -> Iterator[Problem]:
    """That the recording no longer fits: a warning for a test that passes, and the likely reason for one that fails."""
    if case.stale:
        lines = "\n".join(f"  {line}" for line in case.stale)
        yield Problem("the recording is stale: it no longer fits what is sent", lines, str(case.anew))


def _expired(case: Case) -> Iterator[Problem]:
    if case.expired and case.settings.stale_fails:
        yield Problem(f"the recording is stale: {case.expired[0]}", "", str(case.anew))


def _secrets(case: Case) -> Iterator[Problem]:
    for line in case.tape.secrets if case.tape else ():
        yield Problem(f"a secret was kept out of the recording: {line}", advice="take it out of the prompt")


def _nothing(case: Case) -> list[Problem]:
    """A contract test in which nothing was judged, or not what its mode announces, proves nothing."""
    if case.spec.mode == "driven" and not case.driven:
        return [Problem('mode="driven", but planguard.converge was never called')]
    if case.conversations or (case.checked and case.spec.mode != "observed"):
        return []
    seen = case.tape.seen if case.tape else "no answer was checked"
    asks = case.tape is not None and case.spec.mode != "check" and not case.tape.asked
    # A recording would not help: whatever is sent without one is a miss, and told as such.
    advice = "call the code that asks the model inside the test; a stubbed client sends nothing" if asks else ""
    return [
        Problem(
            f"nothing was judged: {seen}", "  The test is marked with a contract, but no answer reached it.", advice
        )
    ]
