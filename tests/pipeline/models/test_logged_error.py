"""The kinds of logged errors, held to the table of the documentation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.pipeline.models.logged_error import LoggedError, read_logged_error

from ...support.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "failure-kinds.md"
BROKEN_JSON_LABELLED_PROSE = 2
"""Errors that show an answer which begins with "{": the reader calls it broken JSON, its label prose."""


def mapping() -> dict[str, str]:
    """Category to kind, as the page has it."""
    section = PAGE.read_text("utf-8").partition("## Kinds of logged errors")[2]
    return dict(re.findall(r"(?m)^\| `([^`]+)` \| `?([\w]+)`?", section))


def expected(category: str, kinds: dict[str, str]) -> FailureKind | None:
    """The kind of a category. Syntax errors are labelled with what the parser expected."""
    name = category.partition("(")[0] if category.startswith("json:syntax") else category
    return None if kinds[name] == "none" else FailureKind(kinds[name])


def test_the_59_published_failures(shared_data: Path) -> None:
    """At least 95 % of the kinds agree with the label; each that does not is explained."""
    cases = json.loads((shared_data / "failures" / "planexe_failures.json").read_text("utf-8"))["cases"]
    kinds = mapping()
    misses = []
    for case in cases:
        read = read_logged_error(case["error"])
        if read is None or read.kind is not expected(case["category"], kinds):
            misses.append((case["category"], None if read is None else read.kind))
    assert len(cases) == 59
    assert misses == [("no_json(prose)", FailureKind.INVALID_JSON)] * BROKEN_JSON_LABELLED_PROSE
    assert 1 - len(misses) / len(cases) >= 0.95
    assert sum(case["category"].startswith("config") for case in cases) == 5


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("failed: ReadTimeout('timed out')", "transport"),
        ("APIConnectionError('Connection error.')", "transport"),
        ('RateLimitError("Error code: 429 - slow down")', "transport"),
        ('AuthenticationError("Error code: 401 - no")', "auth"),
        ("ValueError('Could not extract json string from output: ')", "empty"),
        ("ValueError('Could not extract json string from output: Sure!')", "prose"),
        ("Invalid JSON: EOF while parsing a list [type=json_invalid, input_value='{', input_", "truncated"),
        ("Invalid JSON: expected `:` [type=json_invalid, input_value='{', input_type=str]", "invalid_json"),
        ("a\n  Field required [type=missing, input_value={'b': 1}, input_type=dict]", "missing"),
        ("a\n  Field required [type=missing, input_value={'$defs': {'L...}, input_type=dict]", "schema_echo"),
        ("a\n  Value error, no [type=value_error, input_value='x', input_type=str]", "rule"),
        ("a\n  Input should be a valid string [type=string_type, input_value=1, input_type=int]", "type"),
        ("a\n  Input should be less than 3 [type=less_than, input_value=4, input_type=int]", "range"),
        ("a\n  String should match pattern [type=string_pattern_mismatch, input_value='x'", "format"),
        ("a\n  List should have at most 7 items [type=too_long, input_value=[1], input_type=list]", "length"),
    ],
)  # fmt: skip
def test_the_words_of_a_log(text: str, kind: str) -> None:
    """Each with the piece that says so."""
    read = read_logged_error(text)
    assert read is not None
    assert read.kind is FailureKind(kind)
    assert read.evidence
    assert read.evidence in text


def test_what_is_no_failure_of_a_model() -> None:
    """A call that was never made, and words that nobody knows."""
    config = read_logged_error("ValueError(\"Cannot create LLM, the llm_name 'x' is not found\")")
    assert config == LoggedError(None, "Cannot create LLM, the llm_name")
    assert config.result == "error:config"
    assert LoggedError(FailureKind.AUTH, "x").result == "error:auth"
    assert LoggedError(FailureKind.MISSING, "x").result == "fail:missing"
    assert read_logged_error("the disk is full") is None
    assert read_logged_error("a test named Timeout in prose") is None
