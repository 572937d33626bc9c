"""Which part of an answer is the Markdown document."""

import pytest

from pytest_planguard.document.answer import read

INNER = "# Plan\n\nDo it.\n"


@pytest.mark.parametrize("before", ["", "Here it is:\n\n", "I thought about\nit - and wrote this.\n\n"])
def test_a_fence_after_prose_alone_is_a_wrapper(before: str) -> None:
    """The document is what stands in the fence."""
    document = read(f"{before}```markdown\n{INNER}```\n", format="markdown")
    assert document.data == INNER.strip()
    assert [note.code for note in document.notes][-1:] == ["fence"]


@pytest.mark.parametrize("before", ["# Guide\n\n", "- one\n- two\n\n", "| a | b |\n|---|---|\n| 1 | 2 |\n\n"])
def test_a_fence_below_a_heading_a_list_or_a_table_is_an_example(before: str) -> None:
    """The answer itself is the document, and nothing was taken off."""
    text = f"{before}```markdown\n{INNER}```"
    for format_name in ("markdown", "auto"):
        document = read(text, format=format_name)  # type: ignore[arg-type]
        assert document.data == text
        assert document.notes == ()


def test_another_mark_closes_no_fence():
    """A block of code inside a plan has other marks, and ends the plan nowhere."""
    plan = "# Plan\n\n- one\n- two\n\n~~~\ncode\n~~~\n"
    document = read(f"```markdown\n{plan}```\n")
    assert (document.body, document.ok) == (plan.strip(), True)
    (problem,) = read(f"```markdown\n{plan}").problems
    assert (problem.code, problem.expected) == ("truncated", "the closing fence")
