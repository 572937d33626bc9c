"""One error of a command-style retry: how it is written, and what is read of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback.command_style import AUTOSPEC, COMMAND, SEED, CommandForm, bullet, parse_bullets
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.positions import Span

from ...support.one_item import in_one_item

ENUM = {"code": "enum", "allowed": ("x", 2, None)}
WRITTEN: list[tuple[dict[str, Any], str]] = [
    ({"code": "missing"}, "missing required field 'a'"),
    ({"code": "missing", "span": Span(3, 1)}, "line 3: missing required field 'a'"),
    ({**ENUM, "actual": '"b"'}, "invalid enum value 'a=b' (expected: x|2|None)"),
    ({**ENUM, "actual": "5"}, "invalid enum value 'a=5' (expected: x|2|None)"),
    ({**ENUM, "actual": '"bc…'}, "invalid enum value 'a=bc…' (expected: x|2|None)"),
    ({**ENUM, "actual": '"a\\nb"'}, "invalid enum value 'a=a\\nb' (expected: x|2|None)"),
    ({**ENUM, "actual": None}, "'a': said so [enum]"),
    ({"code": "enum", "actual": '"b"'}, "'a': said so [enum]"),
    ({"code": "type", "actual": "5"}, "'a': said so [type]"),
    ({"code": "type", "expected": "null"}, "'a': said so [type]"),
    ({"code": "type", "expected": "null", "actual": ""}, "'a': said so [type]"),
    ({"code": "own"}, "'a': said so [own]"),
]
EXPECTED = {
    "a list": "array",
    "an object": "object",
    "a string": "string",
    "an integer": "integer",
    "a number": "number",
    "true or false": "boolean",
    "null": "null",
    "a date": "a date",
}
GOT = {
    '"x"': "string",
    "[1]": "array",
    "{}": "object",
    "true": "boolean",
    "false": "boolean",
    "null": "null",
    "-1": "number",
    "2.5": "number",
    **{name: name for name in ("integer", "array", "object", "string", "number", "boolean")},
}


def _bullet(**values: Any) -> str:
    return bullet(Finding(path=("a",), message="said so", kind=FailureKind.RULE, **values))


@in_one_item
@pytest.mark.parametrize(("values", "line"), WRITTEN)
def test_how_an_error_is_written(values: dict[str, Any], line: str) -> None:
    """Three sorts in words of their own, where all is known that they name; any other by its message and code."""
    assert _bullet(**values) == line


def test_types_are_named_as_json_names_them() -> None:
    """What was expected, by our words for it; what was got, by the name or by how the value begins."""
    for words, name in EXPECTED.items():
        said = _bullet(code="type", expected=words, actual="5")
        assert said == f"wrong type for 'a' (expected: {name}, got: number)"
    for value, name in GOT.items():
        assert (
            _bullet(code="type", expected="null", actual=value) == f"wrong type for 'a' (expected: null, got: {name})"
        )


READ: dict[str, tuple[tuple[str | int, ...], str] | None] = {
    "- missing required field 'a.b[0]'": (("a", "b", 0), "missing"),
    "- missing required field '(whole answer)'": ((), "missing"),
    "- line 3: missing required field 'a'": (("a",), "missing"),
    "  - wrong type for 'a' (expected: x, got: y)": (("a",), "type"),
    "- invalid enum value 'a[\"b c\"]=x' (expected: y)": (("a", "b c"), "enum"),
    "- 'a': said so [own]": (("a",), "own"),
    "- 'a': said [so] [own]": (("a",), "own"),
    "- 'a': said so": None,
    "- 'a': said so [9]": None,
    "- 'a': said so [own] indeed": None,
    "- a: said so [own]": None,
    "- 'a b': said so [own]": None,
    "- missing required field 'a*.b'": None,
    "   - 'a': said so [own]": None,
    "'a': said so [own]": None,
    "x - 'a': said so [own]": None,
}


@in_one_item
@pytest.mark.parametrize("line", READ)
def test_what_is_read_of_an_error(line: str) -> None:
    """Place and code, with the words behind the bullet and the line number."""
    words = line.strip().removeprefix("- ").removeprefix("line 3: ")
    found = [] if READ[line] is None else [(*READ[line], words)]  # type: ignore[misc]
    assert parse_bullets(line) == found
    assert parse_bullets(f"RETRY 2/3\n{line}\n- 'z': more [last]\n\nFix these.") == [
        *found,
        (("z",), "last", "'z': more [last]"),
    ]


# The fixed words of a command-style retry: how tries are counted, and how an earlier block is taken off again.


FORMS = {"command": COMMAND, "autospec": AUTOSPEC, "seed": SEED}
ERRORS = st.lists(st.sampled_from(["'a': wrong [rule]", "missing required field 'b'"]), min_size=1, max_size=12)
PROMPTS = st.sampled_from(["", "Write it.", "Write it.\n\nBriefly.", "RETRY it", "Fix these errors\n\nWrite it."])


@pytest.mark.parametrize("name", FORMS)
@given(errors=ERRORS, attempt=st.integers(1, 9), prompt=PROMPTS)
def test_a_block_in_front_of_a_prompt_is_taken_off(name: str, errors: list[str], attempt: int, prompt: str) -> None:
    """What is left is the prompt, with the slash command that stood in front of the block."""
    form = FORMS[name]
    block = form.text(errors, attempt, attempt + 2).text
    assert form.without(f"{block}\n\n{prompt}") == prompt
    assert form.without(f"/plan {block}\n\n{prompt}") == f"/plan {prompt}".rstrip()


@pytest.mark.parametrize("name", FORMS)
def test_a_block_alone_leaves_nothing(name: str) -> None:
    """Nor does one whose end is not there; a text without a block is none."""
    form = FORMS[name]
    block = form.text(["no"], 1, 3).text
    assert form.without(block) == ""
    assert form.without(block.rpartition("\n")[0] + "\n- no") == ""
    for text in ("", "Write it.", f"So: {block}", block.replace("RETRY ", "RETRY x")):
        assert form.without(text) is None


@pytest.mark.parametrize(
    ("form", "attempt", "of", "words"),
    [
        (COMMAND, 1, 3, "2/3"),
        (COMMAND, 2, 3, "3/3"),
        (SEED, 1, 3, "2/3"),
        (AUTOSPEC, 1, 3, "1/2"),
        (AUTOSPEC, 2, 3, "2/2"),
    ],
)
def test_tries_or_retries_are_counted(form: CommandForm, attempt: int, of: int, words: str) -> None:
    """The second try is 2/3 where tries are counted, and 1/2 where retries are."""
    assert form.count(attempt, of) == words
    assert form.text(["no"], attempt, of).text.startswith(f"RETRY {words}")


@in_one_item
@pytest.mark.parametrize(("count", "shown"), [(9, 9), (10, 10), (11, 10), (13, 10)])
@pytest.mark.parametrize("name", FORMS)
def test_ten_errors_are_listed(name: str, count: int, shown: int) -> None:
    """The rest is counted."""
    worded = FORMS[name].text([f"no {n}" for n in range(count)], 1, 3)
    assert worded.shown == shown
    assert worded.text.count("- no ") == shown
    assert (f"...and {count - shown} more errors" in worded.text) is (count > shown)


@in_one_item
@pytest.mark.parametrize("spelling", ["a..b", ".", "a[0]b", '["\\q"]', "[0]."])
@pytest.mark.parametrize("wording", ["missing required field '{}'", "invalid enum value '{}=b'", "'{}': said so [own]"])
def test_a_bullet_of_an_app_may_name_what_is_no_path(spelling: str, wording: str) -> None:
    """It is skipped, and the bullets around it are read."""
    text = f"- {wording.format(spelling)}\n- missing required field 'a'"
    assert [(path, code) for path, code, _ in parse_bullets(text)] == [(("a",), "missing")]
