"""What the events of command-line agents say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.wire.agent_run import read_agent_run
from pytest_planguard.wire.exchange import Finish, ItemKind, Usage

from .agent_streams import AGENTS, lines

WRITES = ("write_file", {"path": "plan.md", "content": "# Plan"})


@pytest.mark.parametrize("agent", AGENTS)
def test_the_same_run_of_each_agent(agent: str) -> None:
    """Calls, results, words, tokens: nothing but the agent's name differs."""
    run = read_agent_run(AGENTS[agent]("Done.", WRITES, ("Bash", {"command": "make check"})))
    assert run is not None
    assert run.agent == agent
    assert [(item.kind.value, item.name or item.text) for item in run.items] == [
        ("call", "write_file"),
        ("result", "ok"),
        ("call", "Bash"),
        ("result", "ok"),
        ("text", "Done."),
    ]
    assert run.calls[0].arguments == WRITES[1]
    assert (run.text, run.finish, run.usage, run.session) == ("Done.", Finish.STOP, Usage(5, 7), "s1")
    assert (run.error, run.skipped_lines) == (None, 0)


@pytest.mark.parametrize("agent", AGENTS)
@given(bad=st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1).filter(str.strip))
def test_bad_lines_are_skipped_and_counted(agent: str, bad: str) -> None:
    """Whatever a line says that is no JSON object, the run is the same."""
    broken = f"{{oops {bad}"
    whole = read_agent_run(AGENTS[agent]("Done.", WRITES))
    cut = read_agent_run(AGENTS[agent]("Done.", WRITES, prints=broken))
    assert whole is not None
    assert cut is not None
    assert (cut.items, cut.text, cut.skipped_lines) == (whole.items, whole.text, 1)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_byte_order_mark_hides_no_event(agent: str) -> None:
    """The first event has the session's id."""
    output = AGENTS[agent]("Done.", WRITES)
    assert read_agent_run(f"\ufeff{output}") == read_agent_run(output)


@given(st.text())
def test_any_other_output_is_no_run(output: str) -> None:
    """Nor does anything raise."""
    assert read_agent_run(output) is None
    assert read_agent_run(f'{{"type": 1}}\n[]\n{output}') is None


def result(**members: object) -> str:
    """A run of Claude that says no more than its result."""
    return lines({"type": "result", "subtype": "success", **members})


@pytest.mark.parametrize(
    ("output", "text", "finish", "error"),
    [
        (result(is_error=True, result="Credit balance is too low"), "", Finish.ERROR, "Credit balance is too low"),
        (lines({"type": "result", "subtype": "error_max_turns"}), "", Finish.ERROR, "error_max_turns"),
        (result(is_error=True, errors=["a", {"b": 1}]), "", Finish.ERROR, 'a; {"b": 1}'),
        (result(result="Made.", structured_output={"goal": "x"}), '{"goal": "x"}', Finish.STOP, None),
        (result(result="cut", stop_reason="max_tokens"), "cut", Finish.LENGTH, None),
        (result(result="{}").strip(), "{}", Finish.STOP, None),
        (f"[{result(result='{}')}]", "{}", Finish.STOP, None),
        (lines({"type": "turn.failed", "error": {"message": "no credit"}}), "", Finish.ERROR, "no credit"),
        (lines({"type": "thread.started"}, {"type": "error", "message": "gone"}), "", Finish.ERROR, "gone"),
        (lines({"type": "error", "message": "again"}, {"type": "turn.completed"}), "", Finish.STOP, None),
        (lines({"type": "item.completed", "item": {"item_type": "assistant_message", "text": "x"}}), "x", None, None),
    ],
)
def test_how_a_run_ended(output: str, text: str, finish: Finish | None, error: str | None) -> None:
    """By the agent's own words for it."""
    run = read_agent_run(output)
    assert run is not None
    assert (run.text, run.finish, run.error) == (text, finish, error)


def test_what_codex_does_itself() -> None:
    """Commands, changes of files and searches are calls; one that was begun and not finished has no result."""
    ran = {"id": "1", "type": "command_execution", "command": "ls", "aggregated_output": "no", "exit_code": 2}
    run = read_agent_run(
        lines(
            {"type": "item.started", "item": {**ran, "status": "in_progress"}},
            {"type": "item.completed", "item": {**ran, "status": "failed"}},
            {"type": "item.completed", "item": {"type": "file_change", "changes": [{"path": "a", "kind": "add"}]}},
            {"type": "item.completed", "item": {"type": "todo_list", "items": []}},
            {"type": "item.started", "item": {"id": "2", "type": "web_search", "query": "printers"}},
        )
    )
    assert run is not None
    assert [(call.name, call.arguments) for call in run.calls] == [
        ("command_execution", {"command": "ls"}),
        ("file_change", {"changes": [{"path": "a", "kind": "add"}]}),
        ("web_search", {"query": "printers"}),
    ]
    results = [item for item in run.items if item.kind is ItemKind.RESULT]
    assert [(item.text, item.is_error) for item in results] == [("no", True), ("", False)]


def test_a_subagent_says_nothing_and_may_call() -> None:
    """Its words are no answer of the agent; a validation that it runs is one."""
    blocks = [{"type": "text", "text": "inner"}, {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]
    inner = {"type": "assistant", "message": {"content": blocks}, "parent_tool_use_id": "task"}
    run = read_agent_run(lines(inner))
    assert run is not None
    assert [item.name for item in run.items] == ["Bash"]
    assert run.text == ""
