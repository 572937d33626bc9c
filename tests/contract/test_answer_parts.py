"""Which part of an answer is judged, and the calls that are demanded beside it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from pytest_planguard import Contract, UsageError, file, tool_arg

NAMES = st.sampled_from(["Bash", "Write", "mcp__fs__Bash", None])
CALLS = st.lists(st.tuples(NAMES, st.sampled_from(["", "make check", "ls"])), max_size=4)


@pytest.mark.parametrize(
    ("part", "judged", "tool", "argument", "kind"),
    [
        ("text", "text", None, None, "text"),
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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: file(" "), "file needs a name: got ' '; write file('plan.md')"),
        (lambda: file(3), "file needs a name: got 3; write file('plan.md')"),  # type: ignore[arg-type]
        (lambda: tool_arg("a", " "), "tool_arg needs a name: got ' '; write tool_arg('write_file', 'content')"),
        (lambda: tool_arg(""), "tool_arg needs a name: got ''; write tool_arg('write_file', 'content')"),
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
