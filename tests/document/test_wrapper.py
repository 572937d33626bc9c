"""Thinking blocks and code fences."""

import pytest

from pytest_planguard.document.wrapper import find_fences, find_thinking


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
