"""Feedback: what a retry tells the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import distinct, min_length, non_empty
from pytest_planguard.contract.failure_kinds import FailureKind, Phase
from pytest_planguard.contract.feedback.command_style import BULLET_LIMIT, parse_bullets
from pytest_planguard.contract.feedback.entry_lines import parse_entries
from pytest_planguard.contract.feedback.feedback import (
    STYLES,
    TOKEN_LIMIT,
    build_feedback,
    parse_problems,
    validation_feedback,
)
from pytest_planguard.contract.feedback.style import LINE_LIMIT, TEXT_LIMIT, Correction, Style, Worded
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.path import to_pointer
from pytest_planguard.errors import UsageError

from ...support.nightly import SLOW


class Task(BaseModel):
    id: int
    status: Literal["Draft", "Approved"]


class PlanCharacteristics(BaseModel):
    tasks: list[Task]
    goal: str


TEXT = '{"tasks": [\n  {"id": 1,\n   "status": "pending"},\n  {"id": "two", "status": "Draft"}]}'
PLAN = Contract(PlanCharacteristics)


def test_the_default_style() -> None:
    """One line a finding: pointer, line, rule, what was got; who speaks; and everything else is kept."""
    feedback = build_feedback(PLAN.check(TEXT), attempt=1, max_attempts=3)
    assert feedback.text == (
        "Attempt 1 of 3 failed validation (automated check, not the user). 3 problems:\n"
        "1. /goal (line 1): required, missing\n"
        '2. /tasks/0/status (line 3): expected one of "Draft", "Approved"; got "pending"\n'
        '3. /tasks/1/id (line 4): expected an integer; got "two"\n'
        "Keep everything else as it is. Return the whole corrected JSON object only."
    )
    assert (len(feedback.findings), feedback.omitted) == (3, 0)


def test_the_compact_style_names_field_and_model() -> None:
    """Under 200 tokens, with the field and its model."""
    text = build_feedback(PLAN.check(TEXT), attempt=1, max_attempts=3, style="compact").text
    assert text == (
        "Your previous answer failed validation:\n"
        "- /goal (line 1): required, missing ('goal' in PlanCharacteristics)\n"
        '- /tasks/0/status (line 3): expected one of "Draft", "Approved"; got "pending" (\'status\' in Task)\n'
        "- /tasks/1/id (line 4): expected an integer; got \"two\" ('id' in Task)\n"
        "Return the complete corrected JSON object."
    )


def test_the_command_style() -> None:
    """Source row 70: a RETRY header that counts attempts, and one bullet an error."""
    assert build_feedback(PLAN.check(TEXT), attempt=1, max_attempts=3, style="command").text == (
        "RETRY 2/3\n"
        "The last answer failed validation (automated check):\n"
        "- line 1: missing required field 'goal'\n"
        "- line 3: invalid enum value 'tasks[0].status=pending' (expected: Draft|Approved)\n"
        "- line 4: wrong type for 'tasks[1].id' (expected: integer, got: string)\n"
        "\n"
        "Fix these errors and keep everything else."
    )


def test_only_bad_findings_of_one_phase_are_fed_back() -> None:
    """Syntax errors go alone; info and warn are never fed back; what is left out is counted."""
    broken = Contract(None).check('{"a": 1,, "b": [1 2]}')
    assert {item.kind.phase for item in build_feedback(broken).findings} == {Phase.PARSE}
    mixed = [
        Finding("duplicate_key", ("a",), "a key stands twice", FailureKind.DUPLICATE_KEY),
        Finding("missing", ("b",), "required, missing", FailureKind.MISSING),
        Finding("fence", (), "noted", FailureKind.FENCE, Severity.INFO),
        Finding("defaulted", ("c",), "noted", FailureKind.MISSING, Severity.WARN),
    ]
    feedback = build_feedback(mixed)
    assert ([item.code for item in feedback.findings], feedback.omitted) == (["duplicate_key"], 1)


def test_an_ok_verdict_has_no_feedback() -> None:
    """Nothing wrong, nothing to say."""
    verdict = Contract(None).check("{}")
    assert validation_feedback(verdict) == ""
    assert build_feedback(verdict).findings == ()


def test_feedback_for_apps_and_other_formats() -> None:
    """An app that owns its loop gets a text without a count; the closing line names the document's format."""
    text = validation_feedback(Contract(None, constraints=[non_empty("a")], format="yaml").check("a: ''\n"))
    assert text == (
        "The answer failed validation (automated check, not the user). 1 problem:\n"
        '1. /a (line 1): expected some text; got "" [non_empty]\n'
        "Keep everything else as it is. Return the whole corrected YAML document only."
    )
    assert validation_feedback(Contract(None).check("[1,")).endswith("corrected JSON document only.")


def test_equal_problems_have_equal_digests() -> None:
    """The digest depends on what is wrong, not on the wording or the values."""
    one, same, other = (PLAN.check({"tasks": [], "goal": value}) for value in (1, 2, "x"))
    assert build_feedback(one, attempt=1).digest == build_feedback(same, attempt=2, style="compact").digest
    assert build_feedback(one).digest != build_feedback(other).digest


def test_no_urls_and_no_class_names() -> None:
    """Feedback never has a documentation link, an exception's name or a Python repr in it."""
    text = validation_feedback(PLAN.check(TEXT))
    assert not any(word in text for word in ("http", "Error", "<class", "input_value", "Literal"))


NASTY = 'x\n2. /other: required, missing\n```\n~~~~\u2028\u202e\x1b[31m"'


def test_quoted_output_cannot_pose_as_feedback() -> None:
    """A value or key with line breaks, fences or control marks stays on its line, visibly escaped."""
    found = Contract(PlanCharacteristics).check({"tasks": NASTY, "goal": "g"}).errors
    hostile = [*found, Finding("extra", (NASTY,), f"not allowed here {NASTY}", FailureKind.EXTRA)]
    for style in ("default", "compact", "command", "seed", "autospec"):
        text = build_feedback(hostile, style=style).text
        assert "```" not in text
        assert "~~~" not in text
        assert not set(text) & set("\u2028\u202e\x1b\r")
        read = parse_entries(text) if style in ("default", "compact") else parse_bullets(text)
        assert len(read) == 2
        assert ("other",) not in [path for path, _, _ in read]


KEYS = st.text(min_size=1, max_size=12).filter(lambda key: not key.isdecimal()) | st.integers(0, 99)
CODES = st.sampled_from(
    ["missing", "extra", "type", "enum", "length", "range", "format", "rule", "distinct", "PG-1", "x"]
)
MESSAGES = st.sampled_from(
    [
        "required, missing",
        "not allowed here",
        'expected one of "a", "b"; got "c"',
        "expected an integer; got 1.5",
        "expected at least 2 items; got []",
        "expected at least 2; got 1",
        'expected text matching ^a$; got "b"',
        "ends in [brackets]",
    ]
) | st.text(min_size=1, max_size=40)


@st.composite
def _findings(draw: Any) -> list[Finding]:
    return [
        Finding(
            draw(CODES),
            tuple(draw(st.lists(KEYS, max_size=4))),
            draw(MESSAGES),
            FailureKind.RULE,
            hint=draw(st.none() | st.just('did you mean "a"?')),
            owner=draw(st.none() | st.just("Model")),
        )
        for _ in range(draw(st.sampled_from([0, 1, 2, 3, 5, 30])))
    ]


@pytest.mark.slow
@SLOW
@given(_findings(), st.sampled_from(["default", "compact", "revise", "amendment", "tool_result"]))
def test_parsing_gives_back_what_was_rendered(found: list[Finding], style: str) -> None:
    """parse(render(findings)) gives back path and code of every finding named, in order, up to the stated cap."""
    feedback = build_feedback(found, attempt=1, max_attempts=3, style=style)
    read = parse_entries(feedback.text)
    wanted = [(to_pointer(item.path), item.code) for item in feedback.findings]
    assert [(_unescaped(to_pointer(path)), code) for path, code, _ in read] == [(_unescaped(p), c) for p, c in wanted]
    assert len(read) + feedback.omitted == len(found)


@pytest.mark.slow
@given(_findings())
def test_parsing_gives_back_what_was_sent_as_json(found: list[Finding]) -> None:
    """The json style is a JSON object, and its problems come back with path and code, up to the stated cap."""
    feedback = build_feedback(found, attempt=1, max_attempts=3, style="json")
    read = [(_unescaped(to_pointer(path)), code) for path, code, *_ in parse_problems(feedback.text)]
    assert read == [(_unescaped(to_pointer(item.path)), item.code) for item in feedback.findings]
    assert len(read) + feedback.omitted == len(found)
    if found:
        said = json.loads(feedback.text)
        assert said.get("omitted", 0) == feedback.omitted
        assert [problem["code"] for problem in said["problems"]] == [item.code for item in feedback.findings]


def _unescaped(pointer: str) -> str:
    """A pointer without the characters that only their escapes may stand for."""
    return pointer.encode("unicode_escape", "backslashreplace").decode()


@pytest.mark.slow
@given(_findings(), st.sampled_from(sorted(STYLES.names)), st.none() | st.integers(1, 9))
def test_feedback_is_bounded_and_deterministic(found: list[Finding], style: str, attempt: int | None) -> None:
    """Source row 72: at most 2,000 characters, compact under 200 tokens, the rest counted; always equal."""
    feedback = build_feedback(found, attempt=attempt, max_attempts=9, style=style)
    assert feedback == build_feedback(found, attempt=attempt, max_attempts=9, style=style)
    assert len(feedback.text) <= TEXT_LIMIT
    assert len(feedback.findings) <= (BULLET_LIMIT if style in ("command", "seed", "autospec") else LINE_LIMIT + 80)
    if style == "compact" and found:
        assert tokens(feedback.text) < TOKEN_LIMIT


def tokens(text: str) -> float:
    """Return an estimate from above for English: four characters or one word a token, whichever gives more."""
    return max(len(text) / 4, len(text.split()))


def test_a_compact_correction_of_many_problems_stays_under_200_tokens() -> None:
    """However many problems there are, a correction is short, and counts those that it leaves out."""
    found = [
        Finding("enum", ("tasks", n, "status"), 'expected one of "low", "high"; got "none"', FailureKind.ENUM)
        for n in range(100)
    ]
    for number in (1, 5, 20, 100):
        feedback = build_feedback(found[:number], style="compact")
        assert tokens(feedback.text) < TOKEN_LIMIT == 200
        assert feedback.omitted == number - len(feedback.findings)
        assert (f"{feedback.omitted} more" in feedback.text) is (feedback.omitted > 0)
    assert build_feedback(found, style="compact").omitted > 50


@pytest.mark.parametrize(("words", "shown"), [(0, 2), (84, 2), (85, 1), (100, 1)])
def test_a_compact_correction_has_few_words(words: int, shown: int) -> None:
    """Fewer than 184, so that a line can follow that counts the rest: short words are tokens, too."""
    findings = [_rule("a " * 80), _rule("b " * words)]
    made = build_feedback(findings, style="compact")
    assert (len(made.findings), made.omitted) == (shown, 2 - shown)
    assert made.text.endswith("…and 1 more\nReturn the complete corrected JSON document.") is (shown == 1)


@pytest.mark.parametrize(("length", "shown"), [(172, 3), (173, 3), (174, 2), (175, 2)])
def test_a_compact_correction_has_few_characters(length: int, shown: int) -> None:
    """Fewer than 736, for the same reason."""
    findings = [_rule("x" * 200), _rule("x" * 200), _rule("x" * length)]
    assert len(build_feedback(findings, style="compact").findings) == shown


def _rule(message: str) -> Finding:
    return Finding("rule", (), message.strip(), FailureKind.RULE)


def test_long_lists_end_in_a_count() -> None:
    """What does not fit is counted, not dropped silently."""
    found = [Finding("missing", (f"field_{n}",), "required, missing", FailureKind.MISSING) for n in range(30)]
    assert "\n…and 10 more problems.\n" in build_feedback(found, attempt=1, max_attempts=2).text
    assert "\n...and 20 more errors" in build_feedback(found, attempt=1, max_attempts=2, style="command").text
    assert "more\nReturn" in build_feedback(found, style="compact").text
    assert build_feedback(found).omitted == 10
    long = [Finding("rule", ("a" * 500,), "x" * 500, FailureKind.RULE)] * 9
    assert len(build_feedback(long).findings) < 9


def test_styles_are_a_table() -> None:
    """An unknown style is refused with the nearest; a new one can be added once."""
    with pytest.raises(UsageError, match=r"^unknown feedback style 'comapct'. Did you mean 'compact'\? Known: def"):
        STYLES.lookup("comapct")
    mine = Style("terse", lambda correction: Worded(correction.problems, len(correction.findings)))
    STYLES.register("terse", mine)
    try:
        assert build_feedback(PLAN.check(TEXT), style="terse").text == "3 problems"
        with pytest.raises(UsageError, match=r"^a feedback style 'terse' exists already; choose another name$"):
            STYLES.register("terse", Style("terse", mine.word, opening="Wrong:"))
    finally:
        STYLES.unregister("terse")


def test_templates() -> None:
    """A template frames the lines, a callable words everything; both stay bounded."""
    verdict = PLAN.check(TEXT)
    text = build_feedback(verdict, attempt=1, max_attempts=3, template="Again ({retry}/{max_retries}):\n{errors}").text
    assert text.startswith("Again (1/2):\n1. /goal (line 1): required, missing\n2. /tasks")
    whole = build_feedback(verdict, attempt=1, max_attempts=3, template="<<{feedback}>>")
    assert whole.text.startswith("<<Attempt 1 of 3")
    assert len(whole.findings) == 3
    called = build_feedback(verdict, template=lambda correction: "x" * 5_000 + correction.problems)
    assert len(called.text) == TEXT_LIMIT
    many = [Finding("rule", (f"k{n}",), "x" * 200, FailureKind.RULE) for n in range(30)]
    cut = build_feedback(many, template="{errors}\n{count}")
    assert len(cut.text) <= TEXT_LIMIT
    assert cut.omitted == 30 - len(cut.findings) > 0
    with pytest.raises(UsageError, match=r"has no field 'error'. Did you mean 'errors'\? Valid fields: errors, count"):
        build_feedback(verdict, template="{error}")
    with pytest.raises(UsageError, match="cannot be read"):
        build_feedback(verdict, template="{")


def test_distinct_codes_are_told_apart() -> None:
    """Where wording alone would be read as another rule, the code follows in brackets."""
    contract = Contract(None, constraints=[distinct("a"), min_length("b", 3)])
    text = validation_feedback(contract.check({"a": ["x", "x"], "b": "y"}))
    assert [(path, code) for path, code, _ in parse_entries(text)] == [(("a", 1), "distinct"), (("b",), "min_length")]


SEED = (
    "RETRY 2/3\n\nPrevious attempt failed schema validation:\n"
    "  - line 5: missing required field 'feature.branch'\n"
    "  - line 8: invalid enum value 'status=pending' (expected: Draft|Review|Approved|Implemented)\n"
    "  - line 23: wrong type for 'user_stories' (expected: array, got: string)\n\n"
    "Fix these schema errors and regenerate the artifact."
)


def _designed() -> list[Finding]:
    from pytest_planguard.document.positions import Span

    allowed = ("Draft", "Review", "Approved", "Implemented")
    return [
        Finding("missing", ("feature", "branch"), "required, missing", FailureKind.MISSING, span=Span(5, 1)),
        Finding("enum", ("status",), "no", FailureKind.ENUM, span=Span(8, 1), actual='"pending"', allowed=allowed),
        Finding("type", ("user_stories",), "no", FailureKind.TYPE, span=Span(23, 1), expected="a list", actual='"x"'),
    ]


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{errors:d}", "Unknown format code 'd' for object of type 'str'"),
        ("{errors!x}", "Unknown conversion specifier x"),
        ("{errors:{width}}", "'width'"),
    ],
)
def test_a_template_that_no_value_fits_is_refused(template: str, reason: str) -> None:
    """`str.format` would raise its own errors at the first bad answer."""
    with pytest.raises(UsageError) as refused:
        build_feedback(PLAN.check(TEXT), template=template)
    assert str(refused.value) == (
        f"the feedback template cannot be filled: got {reason}; write a field alone: {{errors}}"
    )


@pytest.mark.parametrize(
    ("template", "like"), [("{feedback!s}", "{feedback}"), ("{errors:s}", "{errors}"), ("{{feedback}}{errors}", None)]
)
def test_a_field_counts_however_it_is_written(template: str, like: str | None) -> None:
    """With a conversion it is a field, and in double braces it is none."""
    verdict = Contract(None, constraints=[min_length("a", 5)]).check('{"a": "x"}')
    worded = build_feedback(verdict, template=template)
    plain = build_feedback(verdict, template=like or "{errors}")
    assert len(worded.findings) == len(plain.findings) == 1
    assert worded.text == (plain.text if like else f"{{feedback}}{plain.text}")


def test_the_seed_template_is_that_of_the_design() -> None:
    """Source row 71: the template "seed" is byte for byte the example of the schema-validation design."""
    assert build_feedback(_designed(), attempt=1, max_attempts=3, style="seed").text == SEED


def test_command_errors_are_read_back() -> None:
    """Path and code of every bullet can be read back."""
    assert [(path, code) for path, code, _ in parse_bullets(SEED)] == [
        (("feature", "branch"), "missing"),
        (("status",), "enum"),
        (("user_stories",), "type"),
    ]
    odd = [
        Finding("missing", ("a b", 0, 'q"'), "required, missing", FailureKind.MISSING),
        Finding("rule", (), "no", FailureKind.RULE),
    ]
    text = build_feedback(odd, style="command").text
    assert [(path, code) for path, code, _ in parse_bullets(text)] == [(("a b", 0, 'q"'), "missing"), ((), "rule")]


def test_autospec_counts_retries(shared_data: Path) -> None:
    """Source rows 70, 72: header, intro, bullets and count as the real program writes them for the same errors."""
    from pytest_planguard.contract.feedback.command_style import AUTOSPEC

    rows = [json.loads(line) for line in (shared_data / "autospec" / "retry_oracle.jsonl").read_text().splitlines()]
    assert len(rows) == 27
    for row in rows:
        ours = AUTOSPEC.text(row["Extracted"], 1, 4).text
        assert row["RetryContext1of3"].startswith(ours + "\n\n## Retry Instructions")


def test_a_style_gets_a_correction() -> None:
    """A correction counts its problems in words."""
    assert Correction(()).problems == "0 problems"
