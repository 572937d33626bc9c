"""The whole text of each style, and what is read of the problems in the json style."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback.feedback import STYLES, build_feedback, parse_problems
from pytest_planguard.contract.finding import Finding

from ...support.one_item import in_one_item

FOUND = [
    Finding("missing", ("goal",), "required, missing", FailureKind.MISSING, owner="Plan"),
    Finding(
        "enum",
        ("tasks", 0, "status"),
        'expected one of "a", "b"; got "c"',
        FailureKind.ENUM,
        hint='did you mean "b"?',
        actual='"c"',
        allowed=("a", "b"),
    ),
]
ENTRIES = ("/goal: required, missing", '/tasks/0/status: expected one of "a", "b"; got "c" (did you mean "b"?)')
NUMBERED = f"1. {ENTRIES[0]}\n2. {ENTRIES[1]}"
BULLETS = f"- {ENTRIES[0]}\n- {ENTRIES[1]}"
COMMANDS = "- missing required field 'goal'\n- invalid enum value 'tasks[0].status=c' (expected: a|b)"
TEXTS = {
    "default": (
        f"Attempt 1 of 3 failed validation (automated check, not the user). 2 problems:\n{NUMBERED}\n"
        "Keep everything else as it is. Return the whole corrected JSON document only."
    ),
    "compact": (
        f"Your previous answer failed validation:\n- {ENTRIES[0]} ('goal' in Plan)\n- {ENTRIES[1]}\n"
        "Return the complete corrected JSON document."
    ),
    "command": (
        f"RETRY 2/3\nThe last answer failed validation (automated check):\n{COMMANDS}\n\n"
        "Fix these errors and keep everything else."
    ),
    "revise": (f"The plan validator found structural issues:\n{BULLETS}\nRevise the plan to address these issues."),
    "amendment": (
        "## Previous Attempt Failed\n\nThe answer was rejected by its validation: 2 problems:\n"
        f"{BULLETS}\n\nGenerate a different output that avoids this failure mode."
    ),
    "tool_result": (
        f"The call was not run: its arguments failed validation. 2 problems:\n{NUMBERED}\n"
        "Call the tool again with all arguments, corrected."
    ),
    "json": (
        '{\n  "error": "validation_failed",\n  "attempt": 1,\n  "max_attempts": 3,\n  "problems": [\n'
        '    {"path": "/goal", "code": "missing", "message": "required, missing"},\n'
        '    {"path": "/tasks/0/status", "code": "enum", "message": '
        '"expected one of \\"a\\", \\"b\\"; got \\"c\\" (did you mean \\"b\\"?)"}\n  ],\n'
        '  "instruction": "Keep everything else. Return the whole corrected JSON document only."\n}'
    ),
    "autospec": f"RETRY 1/2\nSchema validation failed:\n{COMMANDS}",
    "seed": (
        f"RETRY 2/3\n\nPrevious attempt failed schema validation:\n{COMMANDS.replace('- ', '  - ')}\n\n"
        "Fix these schema errors and regenerate the artifact."
    ),
    "format_errors": f"JSON document schema validation failed:\n{COMMANDS}",
    "blind": "",
}


@pytest.mark.parametrize("style", TEXTS)
def test_the_whole_text_of_a_style(style: str) -> None:
    """Byte by byte, as models get it."""
    assert build_feedback(FOUND, attempt=1, max_attempts=3, style=style).text == TEXTS[style]
    assert set(TEXTS) == set(STYLES.names)


@in_one_item
@pytest.mark.parametrize(
    ("attempt", "of", "who", "tries", "retries"),
    [
        (None, None, "The answer", "2/2", "1/1"),
        (2, None, "Attempt 2", "3/3", "2/2"),
        (None, 5, "The answer", "2/5", "1/4"),
        (4, 5, "Attempt 4 of 5", "5/5", "4/4"),
    ],
)
def test_the_head_counts_as_far_as_the_caller_does(
    attempt: int | None, of: int | None, who: str, tries: str, retries: str
) -> None:
    """A style whose head has a count takes the failed attempt for the first, and the next one for the last."""
    heads = {"default": f"{who} failed", "command": f"RETRY {tries}", "seed": f"RETRY {tries}"}
    for style, head in {**heads, "autospec": f"RETRY {retries}"}.items():
        assert build_feedback(FOUND, attempt=attempt, max_attempts=of, style=style).text.startswith(head)
    said = json.loads(build_feedback(FOUND, attempt=attempt, max_attempts=of, style="json").text)
    assert (said.get("attempt"), said.get("max_attempts")) == (attempt, of)


@in_one_item
@pytest.mark.parametrize(
    ("style", "shown", "one", "two"),
    [
        ("default", 20, "\n…and 1 more problem.\n", "\n…and 2 more problems.\n"),
        ("revise", 20, "\n…and 1 more issue.\n", "\n…and 2 more issues.\n"),
        ("amendment", 20, "\n…and 1 more problem.\n", "\n…and 2 more problems.\n"),
        ("tool_result", 20, "\n…and 1 more problem.\n", "\n…and 2 more problems.\n"),
        ("json", 20, '\n  "omitted": 1,\n', '\n  "omitted": 2,\n'),
        ("command", 10, "\n...and 1 more errors\n", "\n...and 2 more errors\n"),
        ("seed", 10, "\n  ...and 1 more errors\n", "\n  ...and 2 more errors\n"),
        ("autospec", 10, "\n...and 1 more errors", "\n...and 2 more errors"),
        ("format_errors", 10, "\n...and 1 more errors", "\n...and 2 more errors"),
    ],
)
def test_each_style_counts_what_it_leaves_out(style: str, shown: int, one: str, two: str) -> None:
    """Behind its last line, in words of its own."""
    for more, words in ((0, None), (1, one), (2, two)):
        made = build_feedback([Finding("x", ("a",), "no", FailureKind.RULE)] * (shown + more), style=style)
        assert (len(made.findings), made.omitted) == (shown, more)
        assert (words is None) == ("more" not in made.text and "omitted" not in made.text)
        assert words is None or words in made.text


@pytest.mark.parametrize(("size", "path", "code", "message"), [(59, 59, 59, 59), (300, 160, 60, 240)])
def test_each_part_of_a_problem_is_bounded(size: int, path: int, code: int, message: int) -> None:
    """In the json style, a longer one is cut."""
    found = Finding("c" * size, ("p" * (size - 1),), "m" * size, FailureKind.RULE)
    (said,) = json.loads(build_feedback([found], style="json").text)["problems"]
    assert [len(said[name]) for name in ("path", "code", "message")] == [path, code, message]
    assert [said[name].endswith("…") for name in ("path", "code", "message")] == [size > 60] * 3


def _line(**values: Any) -> str:
    return f"    {json.dumps(values)}"


READ: dict[str, list[tuple[Any, ...]]] = {
    _line(path="/a/0", code="type", message="no"): [(("a", 0), "type", "no")],
    _line(path="", code="type", message="no"): [((), "type", "no")],
    _line(path="/a", code="type", line=3, message="no"): [(("a",), "type", "no")],
    _line(path="/a", message="no"): [(("a",), None, "no")],
    _line(path="/a", code=5, message="no"): [(("a",), None, "no")],
    _line(path="/a", code="type", message=5): [],
    _line(path="/a", code="type"): [],
    _line(path=5, code="type", message="no"): [],
    _line(code="type", path="/a", message="no"): [],
    _line(path="/a", code="type", message="no")[:-3]: [],
    _line(path="/a", code="type", message="no")[1:]: [],
    f" {_line(path='/a', code='type', message='no')}": [],
    _line(path="/a", message="x" * 1_970): [(("a",), None, "x" * 1_970)],
    _line(path="/a", message="x" * 1_974): [],
}


@in_one_item
@pytest.mark.parametrize("line", READ, ids=lambda line: line[:60])
def test_what_is_read_of_a_problem(line: str) -> None:
    """On its line, with its place there; a broken one hides none of the others."""
    other = _line(path="/z", code="last", message="more")
    for text in (line, f'{{\n  "problems": [\n{line},\n{other}\n  ],\n}}'):
        found = list(parse_problems(text))
        assert [one[:3] for one in found if one[1] != "last"] == READ[line]
        assert [json.loads(text[start:end])["path"] for *_, start, end in found] == (
            ["/" + "/".join(map(str, path)) if path else "" for path, *_ in READ[line]] + ["/z"] * (text is not line)
        )


def test_equal_problems_have_one_digest() -> None:
    """By code and path, in any order; neither the words nor the style count."""
    one = Finding("a", ("x", 0), "no", FailureKind.TYPE)
    other = Finding("b", (), "no", FailureKind.TYPE)
    first, again = build_feedback([one, other]), build_feedback([other, one], style="json")
    assert first.digest == again.digest == "789848b28429"
    assert build_feedback([one]).digest != first.digest
    assert build_feedback([Finding("a", ("x", "0"), "no", FailureKind.TYPE)]).digest != build_feedback([one]).digest
    assert build_feedback([Finding("a", ("\ud800",), "no", FailureKind.TYPE)]).digest
