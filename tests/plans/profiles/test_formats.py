"""Formats are told from content, and every real document is read as what it is."""

import csv
from pathlib import Path

import pytest

from pytest_planguard.document.answer import read
from pytest_planguard.errors import UsageError
from pytest_planguard.plans.judging.judge_files import check_text, read_document
from pytest_planguard.plans.plan import Plan, Task
from pytest_planguard.plans.profiles.formats import PROFILES, choose, detect, read_plan
from pytest_planguard.plans.reading.outline import Source
from pytest_planguard.plans.reading.profile import Profile

from ...support.one_item import in_one_item
from ...support.paths import ROOT
from ...support.plans import NAMES, text_of

FAMILY = {profile.name: profile.family for profile in PROFILES}
INDEX_NAMES = {
    "speckit": "spec-kit",
    "speckit_spec": "spec-kit",
    "autospec_plan": "autospec",
    "autospec_fixtures": "autospec",
    "kiro_req": "kiro",
    "taskmaster": "task-master",
    "gha": "workflow",
}
"""The data's folder names for our families, where they differ."""


def test_there_is_a_fixture_for_every_profile() -> None:
    """No format is listed that no test reads; amelia's is never told by content, and reads those of superpowers."""
    assert sorted([*NAMES, "amelia"]) == sorted(FAMILY)


@in_one_item
@pytest.mark.parametrize("name", NAMES)
def test_content_alone_tells_the_format(name: str) -> None:
    """Without any path, each format is told from its content, and a valid plan has nothing to retry."""
    file, text = text_of(name)
    for path in (file, None):
        report = check_text(text, path=path)
        assert report.plan is not None
        assert report.plan.format == name
        assert [finding for finding in report.findings if finding.severity.bad] == []


def test_a_look_alike_is_not_taken_by_its_file_name() -> None:
    """Another tool's tasks.json, whose dependencies are objects, is not Task Master's."""
    shrimp = (
        '{"tasks": [{"id": "a", "name": "x", "title": "x", "status": "pending", "dependencies": [{"taskId": "b"}]}]}'
    )
    report = check_text(shrimp, path=".taskmaster/tasks/tasks.json")
    assert report.plan is None
    assert [finding.code for finding in report.findings] == ["format-detect"]


def test_the_place_of_a_file_decides_only_between_formats_that_fit() -> None:
    """A bare list of boxes fits two formats; the folder says which, and a folder alone makes no plan."""
    boxes = "- [ ] 1.1 Write the store\n- [ ] 1.2 Write the endpoint\n"
    for path, name in (
        ("openspec/changes/a/tasks.md", "openspec-tasks"),
        (".kiro/specs/a/tasks.md", "kiro-tasks"),
    ):
        plan = check_text(boxes, path=path).plan
        assert plan is not None
        assert plan.format == name
    letter = check_text("# Dear all\n\nHello.\n", path="openspec/changes/a/tasks.md")
    assert letter.plan is None


ORDINARY = {
    "boxes under a heading": "# Before you ask\n\n- [ ] I read the manual\n- [ ] I looked for the error\n",
    "numbered sections": "# Setting up\n\n## 1. Install it\n\nRun make.\n\n## 2. Start it\n\nRun it.\n",
    "a status word": "# Checks\n\nStatus: pass, warn or fail.\n\n## Tasks\n\nNothing of the kind.\n",
    "an overview": "# The parser\n\n## Overview\n\nIt reads.\n\n## Architecture\n\nTwo parts.\n",
    "words in capitals": "# Licence\n\nIT SHALL BE PROVIDED AS IS. The holder SHALL NOT be liable.\n",
}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_plan(text: str) -> None:
    """One or two weak signs stand in any document: they make no plan, unless somebody says that it is one."""
    assert check_text(text, path="docs/page.md").plan is None
    assert check_text(text, path="docs/page.md", hints=True).plan is not None


@pytest.mark.parametrize(
    ("text", "is_plan"),
    [
        ('{"title": "Printer on fire", "priority": 3, "steps": ["Open the door", "Leave"]}', False),
        ('{"title": "A meal", "plan": ["Buy it for $20", "Cook it"]}', False),
        ('{"steps": ["Search", "Read"]}', True),
        ('{"goal": "A report", "steps": ["Search", "Read"]}', True),
        ('{"title": "A report", "steps": ["Search", "Read $1"]}', True),
    ],
)
def test_a_field_with_steps_is_no_plan_by_itself(text: str, is_plan: bool) -> None:
    """Tickets and recipes have steps too: a plan is nothing but its steps, or one step cites another."""
    assert (check_text(text).plan is not None) is is_plan
    assert check_text(text, hints=True).plan is not None


def test_a_hint_counts_where_the_file_stands_where_such_files_stand() -> None:
    """A bare list of boxes is a task list in the folder of a change, and no plan among the pages."""
    boxes = "# To do\n\n- [ ] Write the store\n- [ ] Write the endpoint\n"
    assert check_text(boxes, path="docs/todo.md").plan is None
    plan = check_text(boxes, path="openspec/changes/store/tasks.md").plan
    assert plan is not None
    assert [task.title for task in plan.tasks] == ["Write the store", "Write the endpoint"]


def test_our_own_pages_are_no_plans() -> None:
    """No page of the documentation is taken for a plan, whatever formats it explains."""
    pages = sorted(ROOT.glob("docs/**/*.md"))
    assert len(pages) > 20
    taken = {page.name for page in pages if check_text(page.read_bytes(), path=page.as_posix()).plan is not None}
    assert taken == set()


def test_formats_that_fit_nearly_as_well_are_named() -> None:
    """Where the content leaves it open, a finding says which formats were close."""
    report = check_text("# Implementation Plan\n\n- [ ] 1.1 Write the store\n", path="x.md")
    close = next(finding for finding in report.findings if finding.code == "format-detect")
    assert close.message.endswith("fit nearly as well")
    assert close.severity == "info"


def test_a_family_chooses_the_kind_by_content_and_an_unknown_format_names_the_nearest() -> None:
    """`spec-kit` reads spec.md as a spec; a typing mistake is answered with the known names."""
    _, text = text_of("spec-kit-spec")
    source = Source(read_document(text, "x.md"))
    assert choose(source, "spec-kit").name == "spec-kit-spec"
    assert choose(Source(read_document("# Nothing\n", "x.md")), "spec-kit").name == "spec-kit-tasks"
    with pytest.raises(UsageError, match=r"^unknown plan format 'spec-kitt'\. Did you mean 'spec-kit'\?"):
        choose(source, "spec-kitt")


def test_users_add_their_own_formats() -> None:
    """A profile is a score and a reader; the same rules then run on its plans."""

    def read_own(source: Source) -> Plan:
        return Plan("own", tasks=tuple(Task(name, name) for name in source.data["todo"]))

    own = Profile("own", "own", "Mine.", lambda source: 99 if "todo" in source.data else 0, read_own, "data")
    report = check_text('{"todo": ["a", "a"]}', profiles=(*PROFILES, own))
    assert report.plan is not None
    assert report.plan.format == "own"
    assert [finding.code for finding in report.findings] == ["id-unique"]


def test_an_answer_is_no_plan_of_any_format() -> None:
    """Detection gives None, not the nearest format, for a document that is none."""
    assert detect(Source(read('{"a": 1}'))) is None
    assert read_plan(read("[1, 2]")) is None


@pytest.mark.slow
def test_all_real_documents_are_detected(shared_data: Path) -> None:
    """All documents of the collection are read as the format that their index names, each without an exception."""
    with (shared_data / "plans" / "index.csv").open(newline="", encoding="utf-8") as index:
        rows = list(csv.DictReader(index))
    wrong = []
    for row in rows:
        text = (shared_data / "plans" / row["format"] / row["file"]).read_bytes()
        plan = check_text(text, path=row["path"]).plan
        wanted = INDEX_NAMES.get(row["format"], row["format"])
        if plan is None or FAMILY[plan.format] != wanted:
            wrong.append((row["file"], plan and plan.format))
    assert wrong == []
    assert len(rows) == 153
