"""The feedback that retries dropped, from a row: the finding, its answer, and the request that lacks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ...printable import one_line, visible
from ...runs.model.run import MISSING_FEEDBACK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...runs.model.judged_answers import AttemptRow, FedBackRow
    from ...runs.model.run import CaseRow

MESSAGE_LIMIT = 300


def missing_text(row: CaseRow) -> Iterator[str]:
    """Yield lines such as 'request 2 does not say what was wrong with answer 1:', with the findings.

    Requests without an answer are shown as the row keeps them.
    """
    for judged in row.judged:
        for number, attempt in enumerate(judged.attempts, 1):
            if attempt.dropped:
                yield f"request {number + 1} does not say what was wrong with answer {number}:"
                yield from (f"  {_finding(attempt, found)}" for found in attempt.dropped)
    for miss in row.misses:
        if miss.startswith(MISSING_FEEDBACK):
            yield from visible(miss).split("\n")


def unheeded_answers(row: CaseRow) -> Iterator[tuple[str, str]]:
    """Yield the name ('answer 1') and text of each answer whose findings the next request should have fed back."""
    for judged in row.judged:
        for number, attempt in enumerate(judged.attempts, 1):
            unanswered = row.feedback_is_missing and attempt is judged.last
            if attempt.dropped or unanswered:
                yield f"answer {number}", attempt.answer


def _finding(attempt: AttemptRow, dropped: FedBackRow) -> str:
    """Return text such as 'priority [enum]: expected one of low, medium, high'.

    If the message is not kept, the text gives the reason why it counts as missing.
    """
    message = next(
        (f.message for f in attempt.findings if (f.code, f.path) == (dropped.code, dropped.path)), dropped.reason
    )
    place = f"{one_line(to_dotted(dropped.path), 80)} [{one_line(dropped.code, 40)}]"
    return f"{place}: {one_line(message, MESSAGE_LIMIT)}" if message else place
