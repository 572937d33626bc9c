"""Around the body of a marked test: when it is done, its conversations are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .case import CASE
from .empty_tape import EmptyTape

if TYPE_CHECKING:
    from types import TracebackType

    import pytest

    from .case import Case


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
        from .concluding import judge

        judge(self._item, case, error)


def _only_good_answers(case: Case) -> bool:
    """Whether a test without a recording asked nobody and checked answers, as its mode announces. Closes its tape."""
    tape = case.tape
    if not isinstance(tape, EmptyTape) or case.driven or case.spec.mode not in (None, "check") or not case.checked:
        return False
    tape.close()
    return not tape.misses and not getattr(case.item, "_excinfo", None)
