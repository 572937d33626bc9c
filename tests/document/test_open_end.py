"""A Markdown text that was cut leaves something open at its end, and a whole one does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.open_end import open_at_end

PLAN = (
    "# Plan\n\n## Goal\n\nShip **it**, see [spec](spec.md).\n\n| id | task |\n|---|---|\n| T1 | Run `make` |\n\n"
    "```sh\nmake all\n```\n\n- [ ] Write it\n- [x] Test it\n"
)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("# Plan\n\n```sh\nmake", "a code fence"),
        ("# Plan\n\n~~~~\nmake\n~~~\n", "a code fence"),
        ("# Plan\n\n##", "a heading or item without words"),
        ("# Plan\n\n- [ ] Write it\n- [", "a heading or item without words"),
        ("# Plan\n\n1. Write it\n2.", "a heading or item without words"),
        ("| id | task |\n|---|---|\n| T1 | Wri", "a table row"),
        ("Run `make al", "code in a line"),
        ("See [the sp", "a link"),
        ("See [the spec](docs/sp", "a link"),
        ("This is **impor", "bold words"),
    ],
)
def test_what_is_open(text: str, what: str) -> None:
    """Each by its name."""
    assert open_at_end(text) == what


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Plan",
        "Run `make [all` and ``a`b``",
        "- [ ] Write it",
        "A slip **here\n",
        "See [the sp\n",
        "a | b\n--|--\n| c",
        "```x``` is code",
        "2 * 3 = 6",
    ],
)
def test_what_is_not(text: str) -> None:
    """Whole lines, slips in lines that end, and characters that open nothing."""
    assert open_at_end(text) is None


@given(st.integers(0, len(PLAN)))
def test_a_whole_line_outside_of_code_leaves_nothing_open(end: int) -> None:
    """A plan cut behind a line break is open only inside its code block."""
    text = PLAN[:end]
    inside = text.count("```") == 1
    if text.endswith("\n") or not text:
        assert (open_at_end(text) is not None) == inside
