"""The conversations that a test asks for while it runs, and the outcome that it expects of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ContractFailed, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..retry.convergence import Convergence
    from .case import Case


def judged_so_far(case: Case, conversation: str | None) -> tuple[Convergence, ...]:
    """All conversations so far, recorded or driven; or the one of that name. Raises UsageError where there is none."""
    __tracebackhide__ = True
    found = _judged(case)
    chosen = found if conversation is None else tuple(c for c in found if c.conversation == conversation)
    if conversation is not None and not chosen:
        names = ", ".join(repr(c.conversation) for c in found) or "none"
        raise UsageError(f"no conversation {conversation!r} was judged; there are: {names}")
    return chosen


def expect_outcome(case: Case, chosen: Sequence[Convergence], expect: str) -> None:
    """Declare how these conversations end.

    Raises:
        ContractFailed: one of them ends otherwise.
        UsageError: there is no such outcome.
    """
    from ..report.text import render_conversation
    from ..retry.convergence import Outcome
    from .options import unknown

    __tracebackhide__ = True
    if expect not in [o.value for o in Outcome]:
        raise UsageError(f"expect={expect!r}{unknown(expect, [o.value for o in Outcome])}")
    for one in chosen:
        case.expected[one.conversation] = Outcome(expect)
        if one.outcome is not Outcome(expect):
            raise ContractFailed(f"planguard: expected {expect}, got {one.outcome}\n\n{render_conversation(one)}")


def _judged(case: Case) -> tuple[Convergence, ...]:
    on_tape = case.tape.judged() if case.tape else ()
    seen = {c.conversation for c in on_tape}
    return (*on_tape, *(c for c in case.driven if c.conversation not in seen))
