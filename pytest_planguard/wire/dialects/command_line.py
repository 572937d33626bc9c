"""Runs of commands, as tapes of command-line agents have them: arguments in, output and written files out.

Output that is an agent's event stream counts as its tool calls and its final answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..agents.agent_run import AgentRun, read_agent_run
from ..dialect import AnswerView, Body, RequestView
from ..exchange import Finish, Item, ItemKind, Role
from ..untrusted_json import objects, sequence, whole, words

COMMAND_LINE = "command"
"""Name of the dialect."""
_BINARY = "(binary)"


class CommandLine:
    """Arguments, standard input and named files are the request; each file that was written is a call by its path."""

    name = COMMAND_LINE

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - as the protocol names it
        """Return whether the body is a run of a command: its name, and its arguments as a list of texts."""
        return isinstance(body.get("command"), str) and isinstance(body.get("argv"), list)

    def read_request(self, body: Body) -> RequestView:
        """Read all words as one message of the user; the command is what was asked."""
        given = [*map(words, sequence(body.get("argv"))), _text(body.get("stdin"))]
        files = [_text(one.get("content")) for one in objects(body.get("prompt_files"))]
        text = "\n".join(word for word in (*given, *files) if word)
        return RequestView(model=words(body.get("command")), items=(Item(ItemKind.TEXT, Role.USER, text),))

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read what the command printed and wrote; where it did not end well, why."""
        if "exit_code" not in body or "files" not in body:
            return None
        error = _error(body)
        if error is not None:
            return AnswerView(finish=Finish.ERROR, error=error)
        files = [_file(one) for one in objects(body.get("files"))]
        printed = _text(body.get("stdout"))
        run = read_agent_run(printed)
        if run is not None:
            return _of_agent(run, files)
        said = [Item(ItemKind.TEXT, Role.ASSISTANT, printed)] if printed else []
        return AnswerView(items=(*said, *files), finish=Finish.STOP)

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:  # noqa: ARG002 - as the protocol names it
        """Return None: a run is recorded whole."""
        return None


def _of_agent(run: AgentRun, files: Sequence[Item]) -> AnswerView:
    return AnswerView(
        items=() if run.error else (*run.answer, *files),
        response_id=run.session,
        finish=run.finish,
        usage=run.usage,
        error=f"it reported an error: {run.error}" if run.error else None,
        skipped_lines=run.skipped_lines,
    )


def _file(data: Body) -> Item:
    return Item(ItemKind.CALL, Role.ASSISTANT, _text(data.get("content")), name=words(data.get("path")))


def _text(value: Any) -> str:
    """Return a text; a mark for content that is no UTF-8."""
    return value if isinstance(value, str) else _BINARY if value else ""


def _error(body: Body) -> str | None:
    """Return how the command failed: 'it exited with code 3: no such model'; None where it did not."""
    if body.get("timed_out"):
        return "it was ended by a time limit"
    number, code = whole(body.get("signal")), whole(body.get("exit_code"))
    if number is not None:
        return f"it was killed by signal {number}"
    if not code:
        return None
    lines = _text(body.get("stderr")).strip().splitlines()
    return f"it exited with code {code}" + (f": {lines[-1][:200]}" if lines else "")
