"""Tell an app that gave up from a test that fails for a reason of its own.

Most apps raise once their last attempt is rejected. That exception follows from the rejected answer: both are one
failure, which the list of known failures may excuse. Any other exception is news, whatever the answers are like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import PlanguardError
from .problems import expected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...retry.results import Convergence
    from ..case import Case


def gave_up(case: Case, error: BaseException) -> str | None:
    """Return the class of an exception by which the app gave up, "myapp.NoTicket"; None for any other exception.

    `error` is what left the test's body, once the conversations of the case are judged. The app gave up where the
    last exchange is the rejected end of a conversation and the exception was raised outside the test's own file, or
    its class is named in `planguard_gives_up`. Several exceptions of one group count where each of them does; their
    classes are joined by a comma.
    """
    if not _ended_rejected(case):
        return None
    leaves = list(_leaves(error))
    if not all(_may_give_up(leaf) and (_is_named(case, leaf) or _is_from_app(case, leaf)) for leaf in leaves):
        return None
    return ",".join(sorted({class_name(type(leaf)) for leaf in leaves}))


def class_name(kind: type) -> str:
    """Return how an entry of the list and `planguard_gives_up` name a class: "ValueError", "myapp.errors.NoTicket"."""
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _ended_rejected(case: Case) -> bool:
    """Return whether the exchange before the exception is the last attempt of a conversation that failed."""
    asked = case.recording.last_exchange
    return any(_last_exchange(c) == asked and not c.ok and not expected(case, c) for c in case.conversations)


def _last_exchange(convergence: Convergence) -> int | None:
    return convergence.attempts[-1].exchange.number if convergence.attempts else None


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions of a group, of the groups in it too; an exception that is no group yields itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _may_give_up(error: BaseException) -> bool:
    """Return False for what a test says itself (an assert, `pytest.fail`), and for what planguard or pytest raises."""
    own = (AssertionError, PlanguardError)
    by_pytest = type(error).__module__.partition(".")[0] in ("_pytest", "pytest")
    return isinstance(error, Exception) and not isinstance(error, own) and not by_pytest


def _is_named(case: Case, error: BaseException) -> bool:
    """Return whether `planguard_gives_up` names the class of an exception, or one that it is derived from."""
    return any(class_name(kind) in case.settings.gives_up for kind in type(error).__mro__)


def _is_from_app(case: Case, error: BaseException) -> bool:
    """Return whether an exception was raised outside the test's own file: the innermost frame tells."""
    here, file = error.__traceback__, None
    while here is not None:
        file, here = here.tb_frame.f_code.co_filename, here.tb_next
    return file is not None and file != str(case.item.path)
