"""The picture of a plan beside its findings, on the page of a run."""

from __future__ import annotations

from pytest_planguard.report.forms.html_cases import picture
from pytest_planguard.runs.model.judged_answers import AttemptRow, Judged

from ...support.plans import text_of


def judged(text: str, contract: str, *, single: bool = True) -> Judged:
    """Return the row of one answer."""
    return Judged((AttemptRow(text, ok=True),), "valid", ok=True, contract=contract, single=single)


def test_a_plan_file_has_its_picture_and_other_answers_have_none() -> None:
    """By the name of its format, or of a plan; a plan without tasks has nothing to draw."""
    text = text_of("spec-kit-tasks")[1].replace("# Tasks", "# <script>Tasks", 1)
    for contract in ("plan", "spec-kit-tasks"):
        drawn = picture(judged(text, contract))
        assert drawn is not None
        assert drawn.startswith("<svg ")
        assert "<script" not in drawn
    assert picture(judged(text, "Ticket")) is None
    assert picture(judged(text, "plan", single=False)) is None
    assert picture(judged("# Notes\n", "plan")) is None
    assert picture(judged(text_of("spec-kit-spec")[1], "spec-kit-spec")) is None
