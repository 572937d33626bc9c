"""Answers of a test held against their expected values, and what follows at the test's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..case import Scored, as_compared
from ..marker.cases import reference_of
from .failure import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract.comparison.score import Score
    from ...contract.verdict import Verdict
    from ..case import Case

SHOWN = 12
"""Findings of one answer that its failure lists; the rest is counted."""


def score_labelled_case(case: Case) -> None:
    """Hold the last good answer of a labelled case against what its file expects, unless the test has done so."""
    reference = reference_of(case.item)
    if reference is None or case.scored:
        return
    labelled = reference.load()
    contracts = {contract.name: contract for contract in case.spec.contracts}
    if not labelled.has_expected or not contracts:
        return
    good = _last_good(case)
    contract = contracts.get(good.contract) if good is not None else None
    contract = contract or next(iter(contracts.values()))
    actual = None if good is None else as_compared(good)
    case.scored.append(Scored(contract, contract.comparison.score(labelled.expected, actual)))


def _last_good(case: Case) -> Verdict | None:
    """Return the verdict of the last answer that keeps its contract: of the conversations, else of the checks."""
    judged = [found.attempts[-1].verdict for found in case.conversations if found.attempts]
    judged = judged or [checked.verdict for checked in case.checked]
    return next((verdict for verdict in reversed(judged) if verdict.ok), None)


def wrong_values(case: Case) -> Iterator[Problem]:
    """Answers that keep their contract, and are not what was expected."""
    for scored in case.scored:
        score, least = scored.score, case.spec.min_score
        if score.total < least - 1e-9:  # 0.9 of ten fields is 0.9, whatever floats make of it
            yield Problem(_reason(scored, least), "\n".join(_lines(score)), _advice(case))


def _reason(scored: Scored, least: float) -> str:
    from ...printable import one_line

    wrong = len(scored.score.findings)
    fields = f"{wrong} {'value is' if wrong == 1 else 'values are'} not as expected"
    return (
        f"{one_line(scored.contract.name, 60)}: {fields}: score {scored.score.total:.2f}, at least {least:g} is needed"
    )


def _lines(score: Score) -> Iterator[str]:
    from ...document.path import to_dotted
    from ...printable import one_line

    for finding in score.findings[:SHOWN]:
        yield f"  {one_line(to_dotted(finding.path), 100)}: {one_line(finding.message, 200)}"
    if len(score.findings) > SHOWN:
        yield f"  and {len(score.findings) - SHOWN} more"


def _advice(case: Case) -> str:
    return (
        "change the prompt or the model, or correct the expected value; if a field may differ: compare={...} of the "
        "contract" + (f", or min_score below {case.spec.min_score:g}" if case.spec.min_score else "")
    )
