"""Which part of an answer is judged, and the calls that are demanded beside it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, UsageError, called, file, text, tool_arg
from pytest_planguard.contract.answer_parts import is_tool, missing_calls

NAMES = st.sampled_from(["Bash", "Write", "mcp__fs__Bash", None])
CALLS = st.lists(st.tuples(NAMES, st.sampled_from(["", "make check", "ls"])), max_size=4)


@pytest.mark.parametrize(
    ("part", "judged", "tool", "argument", "kind"),
    [
        (text(), "text", None, None, "text"),
        (tool_arg("write_file", "content"), "write_file", "write_file", "content", "tool"),
        (tool_arg("write_file"), "write_file", "write_file", None, "tool"),
        (file("plan.md"), "plan.md", "plan.md", None, "file"),
        ("plan.md", "plan.md", "plan.md", None, None),
        ("auto", "auto", None, None, None),
    ],
)
def test_a_part_says_what_words_leave_open(
    part: Any, judged: str, tool: str | None, argument: str | None, kind: str | None
) -> None:
    """The older words stay, and say less."""
    contract: Contract[Any] = Contract(None, judged=part)
    assert (contract.judged, contract.tool, contract.argument, contract.part) == (judged, tool, argument, kind)


def test_the_digest_knows_demands() -> None:
    """A contract that demands a call is another contract; one that does not has the digest that it always had."""
    plain, demanding = Contract(None), Contract(None, must_call="Bash")
    assert plain.digest == Contract(None, must_call=[]).digest
    assert len({plain.digest, demanding.digest, Contract(None, must_call=called("Bash", "make")).digest}) == 3


@given(CALLS, st.sampled_from([None, "make check"]))
def test_a_demand_is_met_by_any_call_that_fits(calls: list[tuple[str | None, str]], words: str | None) -> None:
    """By its name, or that of a server's tool, and by the words in its arguments."""
    fits = [name for name, given in calls if name in ("Bash", "mcp__fs__Bash") and (words or "") in given]
    assert bool(missing_calls([called("Bash", words)], calls)) is not bool(fits)


def test_what_a_finding_lists() -> None:
    """Each tool once, the first five by name."""
    calls = [(name, "") for name in "AABCDEFG"]
    messages = [finding.message for finding in missing_calls([called("Bash", "make"), called("Read")], calls)]
    assert messages == [
        'expected a call of Bash with "make"; got calls of A, B, C, D, E and 2 more',
        "expected a call of Read; got calls of A, B, C, D, E and 2 more",
    ]
    assert missing_calls([called("Bash")], [])[0].message == "expected a call of Bash; got no call"
    (finding,) = missing_calls([called("Bash")], [(name, "") for name in (None, "B", "", "C", "D", "E")])
    assert finding.message == "expected a call of Bash; got calls of (no name), B, C, D, E"
    assert (finding.code, finding.path, finding.kind) == ("call_not_made", (), "no_tool_call")


def test_a_name_that_only_ends_alike_is_another_tool() -> None:
    """Servers' tools are known by their prefix."""
    assert [is_tool(name, "file") for name in ("file", "mcp__fs__file", "write_file", "x__file", None)] == [
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: file(" "), "file needs a name: got ' '; write file('plan.md')"),
        (lambda: file(3), "file needs a name: got 3; write file('plan.md')"),  # type: ignore[arg-type]
        (lambda: tool_arg("a", " "), "tool_arg needs a name: got ' '; write tool_arg('write_file', 'content')"),
        (lambda: called(" "), "called needs the name of a tool: got ' '; write called('Bash', 'planguard check')"),
        (
            lambda: Contract(None, must_call=["a", 3]),  # type: ignore[list-item]
            "must_call must name tools: got ['a', 3]; write must_call=called('Bash', 'planguard check')",
        ),
        (lambda: tool_arg(""), "tool_arg needs a name: got ''; write tool_arg('write_file', 'content')"),
        (
            lambda: called("Bash", ""),
            "called needs the name of a tool: got ''; write called('Bash', 'planguard check')",
        ),
        (
            lambda: Contract(None, must_call=3),  # type: ignore[call-overload]
            "must_call must name tools: got 3; write must_call=called('Bash', 'planguard check')",
        ),
        (
            lambda: Contract(None, judged=3),  # type: ignore[call-overload]
            "judged must name a part of the answer: got 3; write judged='text', or judged=file('plan.md')",
        ),
    ],
)
def test_wrong_uses(make: Callable[[], Any], message: str) -> None:
    """Each says what to write."""
    with pytest.raises(UsageError) as refused:
        make()
    assert str(refused.value) == message
