"""Thinking blocks and code fences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.wrapper import find_fences, find_thinking, open_at_end

from ..support.one_item import in_one_item


@pytest.mark.parametrize(
    ("text", "rest", "closed"),
    [
        ("<think>a</think>b", "b", True),
        ("<Thinking>a</thinking> <think>b</think>\nc", "\nc", True),
        ("plan\n</think>\nb", "\nb", True),
        ("plan </think>\nb", "\nb", True),
        ("<think>a", "", False),
        ("<thinker>a</thinker>", "<thinker>a</thinker>", True),
        ('{"a": "</think>"}', '{"a": "</think>"}', True),
        ('Here: {"a": "x </think> y"}', 'Here: {"a": "x </think> y"}', True),
        ("```\n</think>\n```", "```\n</think>\n```", True),
    ],
)
def test_thinking(text, rest, closed):
    """Blocks at the start are thinking; so is all before a lone closing tag, but not inside a document."""
    thinking = find_thinking(text)
    assert (text[thinking.end :], thinking.closed) == (rest, closed)


@in_one_item
@pytest.mark.parametrize(
    ("text", "fences"),
    [
        ("```json\na\n```", [("json", "a\n", True)]),
        ("~~~~ YAML x\na\n~~~\nb\n~~~~~\n", [("yaml", "a\n~~~\nb\n", True)]),
        ("```\na\n~~~\nb\n```", [("", "a\n~~~\nb\n", True)]),
        ("```\na", [("", "a", False)]),
        ("```\r\na\r\n```\r\n", [("", "a\r\n", True)]),
        ("```\ra\r```\r", [("", "a\r", True)]),
        ('```json {"a": 1}```', [("json", '{"a": 1}', True)]),
        ('```{"a": 1}\n```', [("", '{"a": 1}\n', True)]),
        ("```json\n{}```", [("json", "{}", True)]),
        ("```yaml\na: |\n  ```\n  x\n  ```\n```", [("yaml", "a: |\n  ```\n  x\n  ```\n", True)]),
        ("~~~\na```\n~~~", [("", "a```\n", True)]),
        ("```inline``` code", []),
        ("``` a ``` b", []),
        ("x ```\na\n", []),
        ("```\na\n```\n```\nb\n```", [("", "a\n", True), ("", "b\n", True)]),
    ],
)
def test_fences(text, fences):
    """Fences are found as models write them: on the line of the body, unclosed, or with others inside."""
    found = find_fences(text)
    assert [(f.info, text[f.body_start : f.body_end], f.closed) for f in found] == fences


# A Markdown text that was cut leaves something open at its end, and a whole one does not.


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
        ("**Done**\r# Plan\rThis is **impor", "bold words"),
        ("| id | task |\r|---|---|\r| T1 | Wri", "a table row"),
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
        "A slip **here\r",
        "A slip **here\rand more.",
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
