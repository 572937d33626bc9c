"""Documents of one folder are judged together."""

import pytest

from pytest_planguard.plans.judging.policy import policy_of

from ...support.plans import text_of


def folder(*names: str, **changes: tuple[str, str]) -> dict[str, str]:
    """Fixture documents as the files of one folder; a change is (old, new) for the document of that name."""
    found = {}
    for name in names:
        file, text = text_of(name)
        old, new = changes.get(name.replace("-", "_"), ("", ""))
        found[f"specs/004/{file}"] = text.replace(old, new, 1) if old else text
    return found


def findings(files: dict[str, str]) -> list[tuple[str, str, str, int]]:
    """File, code, message and line of every finding."""
    return [
        (path.rpartition("/")[2], f.code, f.message, f.span.line if f.span else 0)
        for path, report in policy_of().judge(files).items()
        for f in report.findings
    ]


def test_spec_and_tasks_that_agree_have_nothing_between_them() -> None:
    """FR-002 is cited by no task: a note for spec-kit, where most plans cite no requirement."""
    assert findings(folder("spec-kit-spec", "spec-kit-tasks")) == [
        ("spec-kit-spec.md", "trace-forward", "no task cites FR-002", 18)
    ]
    assert findings(folder("autospec-spec", "autospec-tasks")) == []
    assert findings(folder("kiro-requirements", "kiro-tasks")) == []


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        (
            folder("spec-kit-spec", "spec-kit-tasks", spec_kit_tasks=("[US1] Write the endpoint", "[US4] Write it")),
            ("spec-kit-tasks.md", "trace-backward", "T005 cites US4, which does not exist", 18),
        ),
        (
            folder("autospec-spec", "autospec-tasks", autospec_tasks=("story_id: US-001", "story_id: US-009")),
            ("autospec-tasks.yaml", "trace-backward", "T002 cites US-009, which does not exist", 28),
        ),
        (
            folder("kiro-requirements", "kiro-tasks", kiro_tasks=("_Requirements: 2.1_", "_Requirements: 2.2_")),
            ("kiro-tasks.md", "trace-backward", "2 cites 2.2, which does not exist", 14),
        ),
        (
            folder("kiro-requirements", "kiro-tasks", kiro_tasks=("_Requirements: 2.1_", "later")),
            ("kiro-requirements.md", "trace-forward", "no task cites 2.1", 22),
        ),
    ],
)
def test_what_does_not_agree_is_found_in_the_file_where_it_stands(
    files: dict[str, str], wanted: tuple[str, str, str, int]
) -> None:
    """Traceability both ways, each finding on its line of its file."""
    assert wanted in findings(files)


def test_documents_of_other_folders_and_tools_stay_apart() -> None:
    """Only one folder and one family belong together."""
    files = {**folder("kiro-requirements"), "other/tasks.md": text_of("kiro-tasks")[1]}
    assert findings(files) == []
