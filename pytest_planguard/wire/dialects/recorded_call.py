"""Calls of a function that asks a model, as call tapes have them: its arguments in, what it returned out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..dialect import AnswerView, Body, RequestView
from ..exchange import Item, ItemKind, Role
from ..provider_shapes.tools import tool_schemas
from ..untrusted_json import as_json, mapping, name_of, objects

RECORDED_CALL = "call"
"""Name of the dialect."""
_SYSTEM = frozenset({"system", "system_prompt", "instructions"})
"""Names of arguments that speak as the system does."""
_SCHEMA = frozenset({"schema", "output_schema", "response_model", "response_format", "output_type"})
"""Names of arguments that say what the answer must be."""
_READ = frozenset({"model", "tools"})
_SETTINGS = _SCHEMA | _READ
"""Names of arguments that have no words for the model."""


class RecordedCall:
    """Chat messages and texts among the arguments are the request; what the function returned is the answer."""

    name = RECORDED_CALL

    def __init__(
        self, read_turn: Callable[[Body], list[Item]], read_response: Callable[[Body], AnswerView | None]
    ) -> None:
        """`read_turn` reads one chat message of any API, `read_response` the response of any; None where it is none."""
        self._read_turn, self._read_response = read_turn, read_response

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - as the protocol names it
        """Return whether the body is a call: the function's name, and its arguments by name."""
        return isinstance(body.get("call"), str) and isinstance(body.get("arguments"), dict)

    def read_request(self, body: Body) -> RequestView:
        """Read messages as they are, and all other words as one message of the user behind them."""
        arguments = mapping(body.get("arguments"))
        turns = [item for turn in objects(body.get("messages")) for item in self._read_turn(turn)]
        spoken = {name: value for name, value in arguments.items() if _speaks(name, value)}
        system = [_text(Role.SYSTEM, as_json(value)) for name, value in spoken.items() if name in _SYSTEM]
        rest = "\n".join(as_json(value) for name, value in spoken.items() if name not in _SYSTEM)
        schema = next((arguments[name] for name in sorted(_SCHEMA) if isinstance(arguments.get(name), dict)), None)
        return RequestView(
            model=name_of(arguments.get("model")),
            items=(*system, *turns, *([_text(Role.USER, rest)] if rest else [])),
            tools=tool_schemas(arguments.get("tools")),
            output_schema=schema,
            extra={name: value for name, value in arguments.items() if name not in spoken and name not in _READ},
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read what was returned: a text, the response of an SDK, or a value, which is an answer in JSON."""
        if "answer" not in body:
            return None
        answer = body["answer"]
        if isinstance(answer, dict) and (view := self._read_response(answer)) is not None:
            return view
        return AnswerView(items=(_text(Role.ASSISTANT, as_json(answer)),))

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:  # noqa: ARG002 - as the protocol names it
        """Return None: a call is recorded whole."""
        return None


def _speaks(name: str, value: Any) -> bool:
    """Return whether an argument has words for the model: a text, a list of errors; no number, model or schema."""
    return name not in _SETTINGS and isinstance(value, str | list | dict) and bool(value)


def _text(role: Role, text: str) -> Item:
    return Item(ItemKind.TEXT, role, text)
