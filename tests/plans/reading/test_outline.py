"""The outline of Markdown documents: where each block stands, and checkboxes in every form that models write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.reading.outline import Block, box_of, outline
from pytest_planguard.plans.status import Status


def read(text: str) -> list[Block]:
    """The outline of a text that is one whole document."""
    return outline(text, text, 0)


def test_headers_and_boxes_inside_fences_are_code() -> None:
    """Source row 6: a task header in a code fence is no header, a shell comment no title."""
    blocks = read("# Plan\n\n```bash\n# install deps\n### Task 1: A\n- [ ] T001 x\n```\n")
    assert [(block.kind, block.text) for block in blocks] == [("heading", "Plan"), ("code", "bash")]


@pytest.mark.parametrize(
    ("lead", "line"),
    [("", 1), ("a\r\n\r\n", 3), ("a\r\r", 3), ("a\u2028b\n\n", 3), ("a\x0cb\n\n", 3), ("a\x85b\n\n", 3), ("\n\n", 3)],
    ids=["none", "crlf", "cr", "u2028", "form feed", "nel", "blank"],
)
def test_lines_end_at_lf_crlf_and_cr_alone(lead: str, line: int) -> None:
    """Source row 66: a line separator or form feed shifts no line, a CRLF counts once."""
    heading = next(block for block in read(f"{lead}## Tasks 😀 now\n") if block.kind == "heading")
    assert str(heading.at()) == f"{line}:4"
    assert str(heading.at(heading.text.index("now"))) == f"{line}:12"


def test_columns_of_items_count_after_tabs_and_boxes() -> None:
    """The column of a word in a task is the column an editor shows, with the box left out."""
    item = read("-\t[x] T001 [P] do\n  and more\n")[0]
    assert (item.kind, item.mark, item.text) == ("item", "x", "T001 [P] do\nand more")
    assert str(item.at()) == "1:7"
    assert str(item.at(item.text.index("more"))) == "2:7"


def test_nesting_is_kept() -> None:
    """A block knows its item, its depth and the heading above it."""
    blocks = read("# A\n- [ ] one\n  - [ ]* two\n\n    text\n## B\n1. three\n")
    assert [(b.kind, b.text, b.level, b.owner, b.section) for b in blocks] == [
        ("heading", "A", 1, -1, -1),
        ("item", "one", 1, -1, 0),
        ("item", "two", 2, 1, 0),
        ("text", "text", 2, 2, 0),
        ("heading", "B", 2, -1, 0),
        ("item", "three", 1, -1, 4),
    ]
    assert blocks[2].starred
    assert blocks[5].number == "1"


def test_a_document_inside_an_answer_keeps_the_places_of_the_answer() -> None:
    """Places count in the whole text, also where prose and a fence stand before the document."""
    text = "Here it is:\n```markdown\n# Plan\n- x\n```\n"
    start = text.index("# Plan")
    blocks = outline(text, text[start : start + 12], start)
    assert [str(block.at()) for block in blocks] == ["3:3", "4:3"]
    inline = outline("see: # Plan", "# Plan", 5)[0]
    assert str(inline.at()) == "1:8"


@settings(deadline=None)
@given(st.text(alphabet="#-*`[]x 1.\n\r\t>a\u2028\x0c|<!~=_", max_size=200))
def test_any_text_has_an_outline_whose_places_lie_in_it(text: str) -> None:
    """Whatever a model writes, reading it does not raise and every place is in the text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def inside(block: Block) -> bool:
        span = block.at()
        return 1 <= span.line <= len(lines) and 1 <= span.column <= len(lines[span.line - 1]) + 1

    assert all(inside(block) for block in read(text))


OPENSPEC = "openspec/changes/a/tasks.md"
SPEC_KIT = "specs/a/tasks.md"


@pytest.mark.parametrize(
    ("box", "status"),
    [("[]", Status.TODO), ("[✓]", Status.DONE), ("[✔️]", Status.DONE), ("[?]", Status.TODO), ("[done]", Status.DONE)],
)
def test_a_box_of_another_form_is_a_task_with_a_finding(box: str, status: Status) -> None:
    """No task is left out for its box; the finding stands at the box."""
    text = f"## 1. Group\n\n- [ ] 1.1 Do the first thing\n- {box} 1.2 Do the second thing\n"
    report = check_text(text, path=OPENSPEC, format="openspec-tasks")
    assert report.plan is not None
    assert [(task.id, task.status) for task in report.plan.tasks] == [("1.1", Status.TODO), ("1.2", status)]
    (finding,) = report.findings
    assert (finding.code, str(finding.severity)) == ("box-mark", "warn")
    assert finding.message == f"the checkbox {box} has a nonstandard form"
    assert finding.span is not None
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (4, 3, 3 + len(box))


def test_a_box_without_a_blank_after_it_is_a_task() -> None:
    """The id begins right after the box."""
    report = check_text("## 1. Group\n\n- [ ] 1.1 Do it\n- [x]1.2 Do more\n", path=OPENSPEC)
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["1.1", "1.2"]
    assert [finding.code for finding in report.findings] == ["box-mark"]


@pytest.mark.parametrize(
    "text", ["[x](https://example.org)", "[x]: a", "[P] T001", "[US1] a", "[1] a", "[a] b", "[", "a"]
)
def test_links_labels_and_citations_are_no_boxes(text: str) -> None:
    """They stand in brackets too."""
    assert box_of(text) is None


def test_ids_of_spec_kit_keep_their_suffixes() -> None:
    """T063.1 is another task than T063, and a dependency on it is one on it."""
    text = "# Tasks: x\n\n- [ ] T063 a\n- [ ] T063.1 b\n- [ ] T024-A c (depends on T063.1, T063)\n- [ ] T024-B d\n"
    report = check_text(text, path=SPEC_KIT)
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["T063", "T063.1", "T024-A", "T024-B"]
    assert [edge.text for edge in report.plan.tasks[2].edges] == ["T063.1", "T063"]
    assert "id-unique" not in {finding.code for finding in report.findings}
