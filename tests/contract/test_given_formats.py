"""What a text is known to be, from a file's name, and what findings and parts are by themselves."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.check import JudgedPart, file, tool_arg
from pytest_planguard.contract.constraints.builders import distinct
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback.prompt_template import fill_content
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.errors import UsageError


class Ticket(BaseModel):
    """One field."""

    Title: str


@pytest.mark.parametrize("format_name", ["json", "yaml", "markdown"])
def test_a_format_that_is_given_is_read(format_name: Any) -> None:
    """It counts where the contract leaves it open, and the contract's own wins."""
    verdict = Contract(Ticket).check("Title: Printer", format=format_name)
    assert verdict.format == format_name
    assert verdict.ok is (format_name == "yaml")
    assert Contract(Ticket, format="yaml").check("Title: Printer", format=format_name).ok


def test_what_a_given_format_leaves_as_it_is() -> None:
    """Constraints, rules and what may stand around the document."""
    contract = Contract(dict[str, Any], constraints=[distinct("a")], extract="whole")
    assert [finding.code for finding in contract.check("a: [x, x]", format="yaml").findings] == ["distinct"]
    assert not contract.check("Here:\n```yaml\na: [x]\n```", format="yaml").ok


NO_NAMES = {
    "tool_arg needs a name: got ''; write tool_arg('write_file', 'content')": lambda: tool_arg(""),
    "tool_arg needs a name: got ' '; write tool_arg('write_file', 'content')": lambda: tool_arg("write", " "),
    "tool_arg needs a name: got 3; write tool_arg('write_file', 'content')": lambda: tool_arg(3),  # type: ignore[arg-type]
    "file needs a name: got ''; write file('plan.md')": lambda: file(""),
}


@pytest.mark.parametrize("message", NO_NAMES)
def test_a_part_needs_a_name(message: str) -> None:
    """The message shows how it is written."""
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        NO_NAMES[message]()
    assert (tool_arg("w"), tool_arg("w", "c"), file("p")) == (
        JudgedPart("tool", "w", None),
        JudgedPart("tool", "w", "c"),
        JudgedPart("file", "p", None),
    )


def test_what_a_finding_replaces_is_no_part_of_it() -> None:
    """Two findings that say the same are equal, and their text stays short."""
    inner = Finding("missing", ("a",), "required, missing", FailureKind.MISSING)
    one = Finding("wrapped", (), "too deep", FailureKind.WRAPPED)
    other = Finding("wrapped", (), "too deep", FailureKind.WRAPPED, replaces=(inner,))
    assert one == other
    assert repr(one) == repr(other)
    assert (one.severity, one.span, one.related, one.allowed, one.replaces) == (Severity.RETRY, None, (), (), ())


def test_values_of_any_kind_are_told_apart() -> None:
    """Also such as JSON has no word for; case and space of texts do not count, the order of keys neither."""

    def repeated(*values: Any) -> bool:
        return not Contract(None, constraints=[distinct("a")]).check({"a": list(values)}).ok

    assert repeated(date(2026, 1, 1), date(2026, 1, 1))
    assert not repeated(date(2026, 1, 1), date(2026, 1, 2))
    assert repeated("A  b", "a B")
    assert repeated({"x": 1, "y": 2}, {"y": 2, "x": 1})
    assert not repeated(1, "1")


def test_lines_between_the_header_and_the_errors_are_left_out() -> None:
    """Where a prompt names both variables."""
    filled = fill_content("$RETRY_INFO|$VALIDATION_ERRORS", "RETRY 2/3\n\n- /title: missing\n")
    assert filled.startswith("RETRY 2/3")
    assert filled.endswith("|- /title: missing\n")
