"""Defects of every kind are found where they are, and a list that was not read withholds the verdict."""

import pytest

from pytest_planguard.plans.judging.judge_files import check_text

from ..support.one_item import in_one_item
from .injected import DEFECTS, PLANS, Defect, injected, is_found


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: f"{defect.format}: {defect.name}")
def test_a_defect_is_found_at_every_place(defect: Defect) -> None:
    """A new finding stands on the line of the defect, or on the line of what it damages."""
    cases = list(injected(defect))
    assert cases
    assert [line for damaged, line in cases if not is_found(defect, damaged, line)] == []


@pytest.mark.parametrize("name", ["spec-kit-tasks", "superpowers"])
@pytest.mark.parametrize("mark", ["[ ]", "[]", "[✓]", "[?]", "[done]"])
def test_no_plan_with_an_unread_list_is_valid(name: str, mark: str) -> None:
    """A list of boxes in a section of its own is named, whatever its marks."""
    text = (PLANS / f"{name}.md").read_text(encoding="utf-8")
    report = check_text(
        f"{text}\n## Rollout\n\n- {mark} Switch it on\n- {mark} Watch it\n", path=f"{name}.md", format=name
    )
    assert not report.ok
    assert "unread-tasks" in {finding.code for finding in report.findings}
