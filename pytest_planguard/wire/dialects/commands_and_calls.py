"""Dialects of exchanges recorded without HTTP: runs of a command, and calls of a function that asks a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..agent_run import AgentRun, read_agent_run
from ..dialect import AnswerView, Body, RequestView
from ..exchange import Finish, Item, ItemKind, Role
from ..provider_shapes import tool_schemas
from ..untrusted_json import as_json, mapping, name_of, objects, sequence, whole, words

COMMAND_LINE = "command"
"""Name of the dialect."""
_BINARY = "(binary)"


class CommandLine:
    """The request is arguments, standard input and named files. Each written file is a call named by its path."""

    name = COMMAND_LINE

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - as the protocol names it
        """Return True if the body is a run of a command: its name, and its arguments as a list of texts."""
        return isinstance(body.get("command"), str) and isinstance(body.get("argv"), list)

    def read_request(self, body: Body) -> RequestView:
        """Read all words as one user message. The command is the model's name."""
        given = [*map(words, sequence(body.get("argv"))), _text(body.get("stdin"))]
        files = [_text(one.get("content")) for one in objects(body.get("prompt_files"))]
        text = "\n".join(word for word in (*given, *files) if word)
        return RequestView(model=words(body.get("command")), items=(Item(ItemKind.TEXT, Role.USER, text),))

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the command's output and files, or why it failed."""
        if "exit_code" not in body or "files" not in body:
            return None
        error = _error(body)
        if error is not None:
            return AnswerView(finish=Finish.ERROR, error=error)
        files = [
            Item(ItemKind.CALL, Role.ASSISTANT, _text(one.get("content")), name=words(one.get("path")))
            for one in objects(body.get("files"))
        ]
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


def _text(value: object) -> str:
    """Return a text; a placeholder for content that is not UTF-8."""
    return value if isinstance(value, str) else _BINARY if value else ""


def _error(body: Body) -> str | None:
    """Return how the command failed: 'it exited with code 3: no such model'; None if it did not."""
    if body.get("timed_out"):
        return "it was ended by a time limit"
    number, code = whole(body.get("signal")), whole(body.get("exit_code"))
    if number is not None:
        return f"it was killed by signal {number}"
    if not code:
        return None
    lines = _text(body.get("stderr")).strip().splitlines()
    return f"it exited with code {code}" + (f": {lines[-1][:200]}" if lines else "")


# Calls of a function that asks a model, as in call tapes: its arguments in, its return value out.

RECORDED_CALL = "call"
"""Name of the dialect."""
_SYSTEM = frozenset({"system", "system_prompt", "instructions"})
"""Names of arguments that contain system instructions."""
_SCHEMA = frozenset({"schema", "output_schema", "response_model", "response_format", "output_type"})
"""Names of arguments that specify the form of the answer."""
_SETTINGS = _SCHEMA | {"model", "tools"}
"""Names of arguments that contain no words for the model."""


class RecordedCall:
    """The request is the chat messages and texts among the arguments. The answer is the function's return value."""

    name = RECORDED_CALL

    def __init__(
        self, read_turn: Callable[[Body], list[Item]], read_response: Callable[[Body], AnswerView | None]
    ) -> None:
        """`read_turn` reads a chat message of any API, `read_response` a response of any; None if it is not one."""
        self._read_turn, self._read_response = read_turn, read_response

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - as the protocol names it
        """Return True if the body is a call: the function's name, and its arguments by name."""
        return isinstance(body.get("call"), str) and isinstance(body.get("arguments"), dict)

    def read_request(self, body: Body) -> RequestView:
        """Read messages as they are, followed by all other words as one user message."""
        arguments = mapping(body.get("arguments"))
        turns = [item for turn in objects(body.get("messages")) for item in self._read_turn(turn)]
        spoken = {name: value for name, value in arguments.items() if _speaks(name, value)}
        system = [_said(Role.SYSTEM, as_json(value)) for name, value in spoken.items() if name in _SYSTEM]
        rest = "\n".join(as_json(value) for name, value in spoken.items() if name not in _SYSTEM)
        schema = next((arguments[name] for name in sorted(_SCHEMA) if isinstance(arguments.get(name), dict)), None)
        return RequestView(
            model=name_of(arguments.get("model")),
            items=(*system, *turns, *([_said(Role.USER, rest)] if rest else [])),
            tools=tool_schemas(arguments.get("tools")),
            output_schema=schema,
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the return value: a text, the response of an SDK, or a value, which counts as an answer in JSON."""
        if "answer" not in body:
            return None
        answer = body["answer"]
        if isinstance(answer, dict) and (view := self._read_response(answer)) is not None:
            return view
        return AnswerView(items=(_said(Role.ASSISTANT, as_json(answer)),))

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:  # noqa: ARG002 - as the protocol names it
        """Return None: a call is recorded whole."""
        return None


def _speaks(name: str, value: object) -> bool:
    """Return True if an argument has words for the model, such as a text or a list of errors."""
    return name not in _SETTINGS and isinstance(value, str | list | dict) and bool(value)


def _said(role: Role, text: str) -> Item:
    return Item(ItemKind.TEXT, role, text)
