"""Judge many files in order, and notice when the same words answer faults at different places.

Such words feed back none of the faults: "Please check your answer" follows a missing title in one cassette and a wrong
date in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import PlanguardError
from ...retry.outcomes import Grade
from ..inputs.sources import Source
from ..main import defect
from .judge_file import FileReport, Judge
from .own_process import Watch

if TYPE_CHECKING:
    from ...retry.judging.grading.same_words import Places

OUT_OF_MEMORY = "cannot be judged: it needs more memory than is available."


def reports(judge: Judge, sources: Iterable[Source], watch: Watch) -> Iterator[FileReport]:
    """Yield the report of each file, in order.

    From the first file with unclear feedback on, reports wait until all files are read. Only then is it known which
    other findings the same words answered.
    """
    answered: dict[str, frozenset[Places]] = {}
    waiting: list[tuple[Source, FileReport]] = []
    for source in sources:
        report = _judged(judge, source, watch)
        for key, places in report.answered.items():
            answered[key] = answered.get(key, frozenset()) | places
        if waiting or _has_unclear(report):
            waiting.append((source, report))
        else:
            yield report
    for source, report in waiting:
        again = _has_unclear(report) and any(answered[key] != own for key, own in report.answered.items())
        yield _judged(replace(judge, elsewhere=answered), source, watch) if again else report


def _has_unclear(report: FileReport) -> bool:
    attempts = (attempt for convergence in report.conversations for attempt in convergence.attempts)
    return any(graded.grade is Grade.UNCLEAR for attempt in attempts for graded in attempt.fed_back)


def _judged(judge: Judge, source: Source, watch: Watch) -> FileReport:
    """Return the report of one file.

    A defect in planguard is an error of that file, and the others are still judged.
    """
    if source.path in watch.ended:
        return FileReport(source.path, errors=(watch.ended[source.path],))
    watch.begins(source.path)
    try:
        return judge.file(source)
    except PlanguardError:
        raise
    except MemoryError:
        return FileReport(source.path, errors=(OUT_OF_MEMORY,))
    except Exception as error:
        return FileReport(source.path, errors=(defect(error),))
