"""A delta of OpenSpec is compared with the current spec that it changes."""

from pathlib import Path

import pytest

from pytest_planguard.contract.finding import Severity
from pytest_planguard.plans.judging.policy import PlanPolicy

SPEC_PATH = "openspec/specs/auth/spec.md"
DELTA_PATH = "openspec/changes/keep-me/specs/auth/spec.md"
SPEC = """# Auth

## Purpose

It says how a person signs in, and how long the session that begins then is kept.

## Requirements

### Requirement: Session

The system SHALL keep a session for an hour.

#### Scenario: Expiry

- **WHEN** an hour has passed
- **THEN** the session ends

#### Scenario: Logout ##

- **WHEN** the person logs out
- **THEN** the session ends

### Requirement: Login

The system SHALL ask for a password.

#### Scenario: Right password

- **WHEN** the password is right
- **THEN** a session begins
"""
SCENARIO = "\n#### Scenario: {}\n\n- **WHEN** it happens\n- **THEN** the system answers\n"
BODY = "\n\nThe system SHALL do so.\n"


def modified(name: str, *scenarios: str, section: str = "MODIFIED") -> str:
    """Return a delta with one requirement."""
    return f"## {section} Requirements\n\n### Requirement: {name}{BODY}" + "".join(map(SCENARIO.format, scenarios))


def renamed(old: str, new: str) -> str:
    """Return a delta with one rename."""
    return f"## RENAMED Requirements\n\n- FROM: `### Requirement: {old}`\n- TO: `### Requirement: {new}`\n\n"


def found(delta: str, path: str = DELTA_PATH, spec: str = SPEC) -> list[tuple[str, Severity, str]]:
    """Return the findings of a delta, beside the current spec."""
    findings = PlanPolicy().judge({SPEC_PATH: spec, path: delta})[path].findings
    return [(one.code, one.severity, one.message) for one in findings]


@pytest.mark.parametrize(
    "delta",
    [
        modified("Session", "Expiry", "Logout", "Theft"),
        modified("Extra", "Case", section="ADDED"),
        "## REMOVED Requirements\n\n### Requirement: Login\n\n**Reason**: no longer used\n",
        renamed("Login", "Sign in"),
        renamed("Login", "Sign in") + modified("Sign in", "Right password"),
        renamed("Old name", "Login"),  # the current spec already has the new name
    ],
)
def test_a_delta_that_fits_has_no_finding(delta: str) -> None:
    """OpenSpec archives each of these."""
    assert found(delta) == []


def test_a_modified_requirement_keeps_its_scenarios() -> None:
    """Its text replaces the old one, so an omitted scenario would be lost."""
    message = "'Session' is under MODIFIED without 'Logout', which the current spec has"
    assert found(modified("Session", "Expiry")) == [("delta-scenario", Severity.RETRY, message)]
    assert [code for code, *_ in found(renamed("Session", "Stay") + modified("Stay", "Expiry"))] == ["delta-scenario"]


@pytest.mark.parametrize(
    ("delta", "section"),
    [
        (modified("Sesion", "Expiry"), "MODIFIED"),
        ("## REMOVED Requirements\n\n### Requirement: Sesion\n", "REMOVED"),
        (renamed("Sesion", "Stay"), "RENAMED"),
    ],
)
def test_a_delta_changes_what_is_there(delta: str, section: str) -> None:
    """OpenSpec reports it as a remark, since another change may add the requirement."""
    message = f"'Sesion' is under {section}, and the current spec has no such requirement"
    assert found(delta) == [("delta-target", Severity.WARN, message)]
    (finding,) = PlanPolicy().judge({SPEC_PATH: SPEC, DELTA_PATH: delta})[DELTA_PATH].findings
    assert (finding.hint, finding.expected) == ('did you mean "Session"?', "a requirement of the current spec")


def test_a_requirement_is_added_once() -> None:
    """One with the same words is no conflict: the spec was already brought up to date."""
    assert [code for code, *_ in found(modified("Login", "Other", section="ADDED"))] == ["delta-target"]
    same = SPEC[SPEC.index("### Requirement: Login") :]
    assert found(f"## ADDED Requirements\n\n{same}") == []


def test_archived_changes_are_not_compared() -> None:
    """The current spec already has what they changed."""
    assert found(modified("Gone", "Case"), "openspec/changes/archive/2026-01-01-keep-me/specs/auth/spec.md") == []


def test_a_delta_among_the_current_specs_is_an_error() -> None:
    """OpenSpec looks for a purpose and requirements there, and finds neither."""
    report = PlanPolicy().judge({SPEC_PATH: modified("Session", "Expiry", section="ADDED")})[SPEC_PATH]
    assert not report.ok
    assert report.plan is not None
    assert report.plan.format == "openspec-spec"
    assert {one.code for one in report.findings} == {"required-sections", "delta-section", "delta-orphan"}


def test_the_current_spec_is_read_from_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It need not be among the files that are judged."""
    monkeypatch.chdir(tmp_path)
    Path(SPEC_PATH).parent.mkdir(parents=True)
    Path(SPEC_PATH).write_text(SPEC, encoding="utf-8")
    findings = PlanPolicy().judge({DELTA_PATH: modified("Session", "Expiry")})[DELTA_PATH].findings
    assert [one.code for one in findings] == ["delta-scenario"]


def test_an_open_change_has_a_delta(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its metadata may say that it needs none, and a proposal that is no file may be the first of its files."""
    monkeypatch.chdir(tmp_path)
    path, text = "openspec/changes/keep-me/proposal.md", "## Why\n\nIt is needed.\n\n## What Changes\n\n- It changes.\n"

    def codes() -> list[tuple[str, Severity]]:
        return [(one.code, one.severity) for one in PlanPolicy().judge({path: text})[path].findings]

    assert codes() == []
    Path(path).parent.mkdir(parents=True)
    assert codes() == [("delta-missing", Severity.WARN)]
    metadata = Path(path).with_name(".openspec.yaml")
    metadata.write_text("schema: spec-driven\n# skip_specs: true\n", encoding="utf-8")
    assert codes() == [("delta-missing", Severity.WARN)]
    for also in (b"", b"# \xff\n"):
        metadata.write_bytes(b"schema: spec-driven\nskip_specs: true\n" + also)
        assert codes() == []
    metadata.unlink()
    Path(DELTA_PATH).parent.mkdir(parents=True)
    Path(DELTA_PATH).write_text(modified("Session", section="ADDED"), encoding="utf-8")
    assert codes() == []


def test_the_tasks_say_it_of_a_change_without_a_proposal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or with one that was not read as a proposal. It is said once."""
    monkeypatch.chdir(tmp_path)
    tasks, proposal = "openspec/changes/keep-me/tasks.md", "openspec/changes/keep-me/proposal.md"
    Path(tasks).parent.mkdir(parents=True)

    def saying(*texts: tuple[str, str]) -> list[str]:
        reports = PlanPolicy().judge(dict(texts))
        return [path for path, report in reports.items() for one in report.findings if one.code == "delta-missing"]

    listed = (tasks, "## 1. Parser\n\n- [ ] 1.1 Write it\n")
    assert saying(listed) == [tasks]
    assert saying(listed, (proposal, "## Why\n\nIt is.\n\n## What Changes\n\n- It.\n")) == [proposal]
    assert saying(listed, (proposal, "# 重启\n\n## 背景\n\n旧\n")) == [tasks]


def test_any_file_at_the_path_of_a_current_spec_is_one() -> None:
    """OpenSpec reads it whatever it holds, and refuses it without its two sections."""
    report = PlanPolicy().judge({SPEC_PATH: "# Filters\n\n## Goals\n\n1. Filter the list\n"})[SPEC_PATH]
    assert {(one.code, one.severity) for one in report.findings} >= {("required-sections", Severity.RETRY)}
    assert not report.ok
