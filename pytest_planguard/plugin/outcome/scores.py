"""Compare a test's answers with their expected values, and report the result at the test's end."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...contract import Contract
from ...contract.finding import Severity
from ...document.path import to_dotted
from ...errors import PlanguardWarning, RunError, UsageError
from ...printable import one_line
from ..case import Scored
from ..marker.cases import labelled_case, reference_of
from .failure import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract.comparison.score import Score
    from ...contract.verdict import Verdict
    from ...runs.load.case_files import CaseReference
    from ..case import Case

SHOWN = 12
"""Maximum number of findings of one answer to list in its failure. The rest are counted."""


def score_labelled_case(case: Case) -> None:
    """Compare the last good answer of a labelled case with the expected value in its file, unless the test did so."""
    reference = reference_of(case.item)
    labelled = labelled_case(case.item)
    if reference is None or labelled is None or case.scored:
        return
    contracts = {contract.name: contract for contract in case.spec.contracts}
    if not labelled.has_expected or not contracts:
        return
    good = _last_good(case)
    contract = contracts.get(good.contract) if good is not None else None
    contract = contract or next(iter(contracts.values()))
    actual = None if good is None else contract.answer_forms(good)
    case.scored.append(Scored(contract, contract.comparison.score(labelled.expected, actual)))
    if good is not None and reference.kept is None and not case.settings.in_ci:
        _keep_for_review(case, reference, labelled.expected, actual)


def _keep_for_review(case: Case, reference: CaseReference, expected: object, actual: object) -> None:
    """Update the entry for `planguard review` with the result of this test."""
    from ...runs.snapshots import PendingSnapshot, PendingStore, expected_text

    root = case.item.config.rootpath
    path = reference.path.relative_to(root) if reference.path.is_relative_to(root) else reference.path
    store, shown = PendingStore(root), path.as_posix()
    try:
        if not is_wrong(case.scored[-1], case.spec.min_score):
            store.drop(shown, reference.name)
            return
        from ...report.change_text import changed_rows

        before, after = map(expected_text, (expected, case.scored[-1].contract.comparison.accepted(expected, actual)))
        rows = "\n".join(changed_rows(before, after))
        store.keep(PendingSnapshot(case.nodeid, shown, before, after, rows, reference.name))
    except RunError as error:
        warnings.warn(PlanguardWarning(str(error)), stacklevel=2)


class Revealing(Contract[Any]):
    """A contract that also demands the expected value of a test's labelled case, and reports what is wrong.

    For a loop that may know the right answer, because its test allows it.
    """

    def __init__(self, contract: Contract, case: Case) -> None:
        """Keep the case. Raises UsageError if the test has no labelled case with an expected value."""
        labelled = labelled_case(case.item)
        if labelled is None or not labelled.has_expected:
            raise UsageError(
                "reveal_expected=True needs a labelled case with an expected value: got none; "
                'name a file of them in the marker, cases="cases.jsonl"'
            )
        self.__dict__.update(contract.__dict__)
        self._expected, self._least, self._contract = labelled.expected, case.spec.min_score, contract
        self.scored: Scored | None = None
        """The score of the last answer; None before the first."""

    def check(self, answer: Any, **how: Any) -> Verdict[Any]:
        """Return the verdict, with unexpected values as findings that another attempt may repair."""
        verdict = super().check(answer, **how)
        actual = self._contract.answer_forms(verdict) if verdict.ok else None
        self.scored = Scored(self._contract, self.comparison.score(self._expected, actual))
        if not verdict.ok or not is_wrong(self.scored, self._least):
            return verdict
        wrong = tuple(replace(finding, severity=Severity.RETRY) for finding in self.scored.score.findings)
        return replace(verdict, findings=(*verdict.findings, *wrong), value=None)


def _last_good(case: Case) -> Verdict | None:
    """Return the verdict of the last answer that meets its contract, from the conversations, else from the checks."""
    judged = [found.attempts[-1].verdict for found in case.conversations if found.attempts]
    judged = judged or [checked.verdict for checked in case.checked]
    return next((verdict for verdict in reversed(judged) if verdict.ok), None)


def wrong_values(case: Case) -> Iterator[Problem]:
    """Yield answers that meet their contract but differ from the expected value."""
    for scored in case.scored:
        least = case.spec.min_score
        if is_wrong(scored, least):
            yield Problem(_reason(scored, least), "\n".join(_lines(scored.score)), _advice(case))


def is_wrong(scored: Scored, least: float) -> bool:
    """Return True if an answer is below a score. Tolerates float errors: 0.9 of ten fields is 0.9."""
    return scored.score.total < least - 1e-9


def _reason(scored: Scored, least: float) -> str:
    wrong = len(scored.score.findings)
    fields = f"{wrong} {'value is' if wrong == 1 else 'values are'} not as expected"
    return (
        f"{one_line(scored.contract.name, 60)}: {fields}: score {scored.score.total:.2f}, at least {least:g} is needed"
    )


def _lines(score: Score) -> Iterator[str]:
    for finding in score.findings[:SHOWN]:
        yield f"  {one_line(to_dotted(finding.path), 100)}: {one_line(finding.message, 200)}"
    if len(score.findings) > SHOWN:
        yield f"  and {len(score.findings) - SHOWN} more"


def _advice(case: Case) -> str:
    return (
        "change the prompt or the model, or correct the expected value; if a field may differ: compare={...} of the "
        "contract" + (f", or min_score below {case.spec.min_score:g}" if case.spec.min_score else "")
    )
