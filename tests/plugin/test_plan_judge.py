"""What a plan file's test is told: it is no plan, or it breaks a rule."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.positions import Span
from pytest_planguard.errors import ContractFailed
from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.plugin.plan_judge import PlanJudge, complete, failure_repr, plan_row

ROW = SimpleNamespace(nodeid="docs/a.md::plan", path=Path("/srv/docs/a.md"))


def judge(folder: Path, *rules: str) -> PlanJudge:
    """Return the judge of a run with these rules."""
    config: Any = SimpleNamespace(stash=pytest.Stash(), rootpath=folder)
    config.stash[SETTINGS] = Settings(plan_rules=rules)
    return PlanJudge(config, lambda path: path.suffix == ".md")


def test_a_file_that_is_no_plan(tmp_path: Path) -> None:
    """The way out depends on the format that is named."""
    (tmp_path / "a.md").write_text("no plan at all\n")
    free = judge(tmp_path)
    said = free.failure(free.report(tmp_path / "a.md"))
    assert said is not None
    head, way_out = said.split("\n")
    assert head.startswith("planguard: not ")
    assert way_out == (
        "  Name its format in planguard_plan_rules, or narrow planguard_plan_files, which says that it is a plan."
    )


def test_each_file_of_a_folder_is_judged_once(tmp_path: Path) -> None:
    """With the others that are plans; a folder is none of them."""
    for name in ("a.md", "b.md", "c.txt"):
        (tmp_path / name).write_text("text\n")
    (tmp_path / "folder.md").mkdir()
    one = judge(tmp_path)
    assert one.report(tmp_path / "a.md").text == "text\n"
    assert {*one._reports} == {tmp_path / "b.md"}
    (tmp_path / "b.md").write_text("changed\n")
    assert one.report(tmp_path / "b.md").text == "text\n"
    assert one.report(tmp_path / "b.md").text == "changed\n"


def test_a_wrong_rule_ends_the_run(tmp_path: Path) -> None:
    """The ini value is named."""
    with pytest.raises(pytest.UsageError, match=r"^ini value planguard_plan_rules: .*'nothing'"):
        judge(tmp_path, "nothing").policy  # noqa: B018


BAD = Finding("plan", (), "it is broken", FailureKind.RULE, span=Span(7, 1, 7, 2))
HINT = Finding("plan", (), "it is long", FailureKind.RULE, severity=Severity.WARN, span=Span(3, 1, 3, 2))


def failed(config: pytest.Config, error: Exception, *findings: Finding) -> Any:
    """Return how the failure of a plan's test is shown."""
    try:
        raise error
    except type(error):
        caught: Any = pytest.ExceptionInfo.from_current()
    report: Any = SimpleNamespace(findings=findings)
    item: Any = SimpleNamespace(config=config, **vars(ROW))
    return failure_repr(item, caught, report if findings else None)


def test_a_failure_is_at_the_first_bad_finding(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else at the first line; the text ends with the place. Another error is pytest's to show."""
    error = ContractFailed("planguard: broken\n  here")
    for findings, line in (((HINT, BAD), 7), ((HINT,), 1), ((), 1)):
        shown = failed(pytestconfig, error, *findings)
        assert (shown.reprcrash.path, shown.reprcrash.lineno) == ("/srv/docs/a.md", line)
        assert shown.reprcrash.message == "planguard: broken"
        assert shown.reprtraceback.reprentries[-1].lines == ["planguard: broken", "  here", "", f"docs/a.md:{line}"]
    assert failed(pytestconfig, ValueError("no"), BAD) is None
    monkeypatch.setattr(pytestconfig.option, "fulltrace", True)
    assert failed(pytestconfig, error, BAD) is None


@pytest.mark.parametrize(
    ("outcome", "result", "ok"), [("valid", "passed", True), ("warned", "passed", True), ("invalid", "failed", False)]
)
def test_a_plan_file_has_a_row(outcome: str, result: str, ok: bool) -> None:
    """With one judged answer, the file; one that is of no format is judged as a plan."""
    report: Any = SimpleNamespace(plan=None, text="text", findings=(HINT,))
    row = plan_row(ROW, report, outcome, "0123")  # type: ignore[arg-type]
    assert (row.key, row.test, row.line) == ("docs/a.md::plan", "docs/a.md::plan", 1)
    assert (row.result, row.outcome, row.contracts) == (result, outcome, (("plan", "0123"),))
    assert len(row.inputs or "") == 12
    assert [(judged.ok, judged.attempts[0].answer) for judged in row.judged] == [(ok, "text")]
    report.plan = SimpleNamespace(format="tasks")
    assert plan_row(ROW, report, outcome, "0123").contracts == (("tasks", "0123"),)  # type: ignore[arg-type]


def test_a_report_of_a_plan_file_has_its_outcome_and_its_row() -> None:
    """The property once, however often it runs; a defect is a section, and ends nothing."""
    report: Any = SimpleNamespace(plan=None, text="text", findings=(), verdict="valid")
    item: Any = SimpleNamespace(user_properties=[("planguard_outcome", "old"), ("own", 1)], **vars(ROW))
    call: Any = SimpleNamespace(when="call", sections=[])
    complete(call, item, report, "0123")
    assert call.user_properties == [("own", 1), ("planguard_outcome", "valid")] == item.user_properties
    assert not hasattr(call, "planguard_row")
    teardown: Any = SimpleNamespace(when="teardown", sections=[])
    complete(teardown, item, report, "0123")
    assert '"outcome":"valid"' in teardown.planguard_row
    assert teardown.sections == []
    del report.text
    complete(teardown, item, report, "0123")
    why = "AttributeError: 'types.SimpleNamespace' object has no attribute 'text'"
    assert teardown.sections == [("planguard could not report this plan", why)]
