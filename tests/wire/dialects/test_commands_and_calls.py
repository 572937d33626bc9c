"""Runs of commands as exchanges: one message in, what was printed and a call for each file out."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Finish, Message

ASKED = {"command": "claude", "argv": ["-p", "Write plan.md\nand spec.md", "prompt.md"], "stdin": "in"}
FILES = [
    {"path": "plan.md", "before": "absent", "content": "# Plan\n"},
    {"path": "a.png", "content": {"base64": "/w=="}},
]
ENDED = {"exit_code": 0, "stdout": "done\n", "stderr": "", "files": FILES}


def exchange(asked: Any, answered: Any) -> Exchange:
    """Decode a run."""
    bodies = [json.dumps(body).encode() for body in (asked, answered)]
    return decode(1, Message(body=bodies[0], url="command://claude"), Message(body=bodies[1]))


def test_a_run() -> None:
    """Words keep their lines; a file that is no text is there by its name."""
    read = exchange({**ASKED, "prompt_files": [{"path": "prompt.md", "content": "Be brief."}]}, ENDED)
    assert (read.dialect, read.model, read.finish, read.error) == ("command", "claude", Finish.STOP, None)
    assert [item.text for item in read.request] == ["-p\nWrite plan.md\nand spec.md\nprompt.md\nin\nBe brief."]
    assert read.answer_text == "done\n"
    assert [(call.name, call.text) for call in read.calls] == [("plan.md", "# Plan\n"), ("a.png", "(binary)")]


@pytest.mark.parametrize(
    ("ended", "error"),
    [
        ({"exit_code": 2, "stderr": "a\nno model\n"}, "it exited with code 2: no model"),
        ({"exit_code": 2}, "it exited with code 2"),
        ({"exit_code": None, "signal": 15}, "it was killed by signal 15"),
        ({"exit_code": None, "timed_out": True}, "it was ended by a time limit"),
    ],
)
def test_a_run_that_did_not_end_well_has_no_answer(ended: dict[str, Any], error: str) -> None:
    """Whatever it printed and wrote before."""
    read = exchange(ASKED, {**ENDED, **ended})
    assert (read.error, read.finish, read.answer) == (error, Finish.ERROR, ())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(), v, max_size=3),
    max_leaves=6,  # nine members have one each; an example of a hundred leaves each takes a tenth of a second to draw
)
_ASKED = st.fixed_dictionaries(dict.fromkeys(("argv", "stdin", "prompt_files"), _JSON))
_ENDED = st.fixed_dictionaries(dict.fromkeys(("exit_code", "signal", "timed_out", "stdout", "stderr", "files"), _JSON))


@given(_ASKED, _ENDED)
def test_nothing_raises(asked: dict[str, Any], ended: dict[str, Any]) -> None:
    """Any member may have any type: what is read is a run, or it has a note that says why not, but no crash."""
    read = exchange({"command": "x", **asked}, ended)
    assert "reading it failed" not in (read.note or "")
