"""amelia's promises about a plan and its revisions, kept by the contract, the loop and the command of any plan."""

import dataclasses
import json
from pathlib import Path

import pytest

from pytest_planguard import Contract, plan_rules
from pytest_planguard.contract.finding import Severity
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.retry.loop import converge
from pytest_planguard.retry.outcomes import Outcome
from pytest_planguard.retry.results import Convergence

from ...support.commands import run
from ...support.plans import text_of

PLAN = text_of("superpowers")[1]
BAD = "No plan at all."
CONTRACT = Contract(None, rules=plan_rules("amelia"))
ISSUES = [one.message for one in CONTRACT.check(BAD).errors]


def driven(*plans: str, max_attempts: int | None = None) -> tuple[Convergence, list[str]]:
    """The outcome of a loop whose architect writes these plans, and the last message of each request."""
    asked: list[str] = []

    def architect(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        return plans[len(asked) - 1]

    return converge(architect, "Plan the token refresh.", CONTRACT, max_attempts=max_attempts), asked


def test_the_result_of_a_validation_is_frozen() -> None:
    """Source row 4: it is valid if and only if there is no issue."""
    valid, invalid = CONTRACT.check(PLAN), CONTRACT.check(BAD)
    assert (valid.ok, valid.errors) == (True, ())
    assert not invalid.ok
    with pytest.raises(dataclasses.FrozenInstanceError):
        invalid.data = None  # type: ignore[misc]


def test_a_bad_plan_is_revised_with_each_of_its_issues() -> None:
    """Source rows 11, 15, 21 and 31: it goes back with its issues, and is no error; a good one is approved."""
    found, asked = driven(BAD, PLAN)
    assert (found.outcome, len(found.attempts)) == (Outcome.CONVERGED, 2)
    assert len(ISSUES) == 3
    assert all(issue in asked[1] for issue in ISSUES)


def test_only_invalid_plans_count_and_the_limit_is_three() -> None:
    """Source rows 12 and 13: two bad plans leave room for a third, and a good plan asks for none."""
    assert driven(PLAN)[0].outcome is Outcome.CONVERGED
    assert driven(BAD, f"{BAD} Still.", PLAN)[0].outcome is Outcome.CONVERGED
    assert len(driven(BAD, f"{BAD} Still.", max_attempts=2)[0].attempts) == 2


def test_at_the_limit_a_person_decides() -> None:
    """Source rows 11 and 14: nothing is raised; the outcome says that the attempts are used up, with the issues."""
    found, _ = driven(BAD, "**Goal:** g", f"**Goal:** {'g' * 200}", PLAN)
    assert (found.outcome, found.ok, len(found.attempts)) == (Outcome.EXHAUSTED, False, 3)
    assert [one.code for one in found.attempts[-1].verdict.findings] == ["header-format"]


def test_a_plan_file_that_is_one_fence_is_valid() -> None:
    """The original reads the raw text of the file; planguard warns of the fence."""
    found = check_text(f"```\n{PLAN}\n```\n", path="plan.md", format="amelia").findings
    assert [(one.code, one.severity) for one in found] == [("fence", Severity.WARN)]


@pytest.mark.parametrize("text", [None, "", " \n\t\r\n"], ids=["missing", "empty", "blank"])
def test_a_plan_file_that_holds_nothing_names_its_path(text: str | None, tmp_path: Path) -> None:
    """Source rows 22 and 23: a missing file and an empty one."""
    file = tmp_path / "plan.md"
    if text is not None:
        file.write_text(text, encoding="utf-8", newline="")
    said = run("check", "--rules", "amelia", str(file))
    assert said.exit_code != 0
    assert "plan.md" in said.stdout + said.stderr
    assert ("empty" if text is not None else "does not exist") in (said.stdout + said.stderr).lower()


def test_the_text_of_a_plan_is_that_of_its_file(tmp_path: Path) -> None:
    """Source rows 20 and 28: the row has the result of the validation and the text, unchanged."""
    (tmp_path / "good.md").write_bytes(PLAN.replace("\n", "\r\n").encode())
    (tmp_path / "bad.md").write_text(BAD, encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("bad.md", "good.md")]
    files = json.loads(run("check", "--rules", "amelia", "--format", "json", *paths).stdout)["files"]
    bad, good = (judged for file in files for judged in file["rows"][0]["judged"])
    assert [(one["outcome"], one["ok"], len(one["attempts"])) for one in (bad, good)] == [
        ("invalid", False, 1),
        ("valid", True, 1),
    ]
    assert good["attempts"][0]["answer"] == PLAN.replace("\n", "\r\n")
    assert good["attempts"][0]["ok"]
    assert [one["message"] for one in bad["attempts"][0]["findings"]] == ISSUES
