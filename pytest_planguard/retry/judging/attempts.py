"""The part of an attempt that a contract judges, and the verdict on it. `linking.no_attempt` leaves out a 429."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from ...contract.calls import MadeCall, broken_call_rules, is_tool
from ...contract.constraints.scene import CheckContext
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...contract.verdict import Verdict
from ...wire.dialects.commands_and_calls import COMMAND_LINE
from ...wire.exchange import ItemKind, Role
from ..linking.sameness import normal_text
from .required_findings import together
from .schema_shape import SchemaShape

if TYPE_CHECKING:
    from ...contract.calls import CallRule
    from ...wire.exchange import Exchange


class ContractLike(Protocol):
    """The members of a contract that judging needs. `Contract` has them, and a test may define its own class.

    Optional members: `json_schema` (for routing and output tools), `tool` (the named tool whose arguments are judged),
    `argument` (the one argument that holds the answer), `judged` ("auto", "text" or a tool's name).
    """

    @property
    def name(self) -> str:
        """The name for reports."""
        ...

    def check(
        self,
        answer: Any,
        *,
        finish: str | None = None,
        refusal: str | None = None,
        context: CheckContext | None = None,
    ) -> Verdict:
        """Return every finding of one answer. Never raises."""
        ...


@dataclass(frozen=True, slots=True)
class Applied:
    """A contract with the properties that judging reads often."""

    contract: ContractLike
    shape: SchemaShape
    """The shape of the contract's schema."""
    tool: str | None
    argument: str | None
    judged: str | None
    part: str | None = None
    """What `judged` names: "text", "tool" or "file"; None if that is not known."""
    calls: tuple[CallRule, ...] = ()
    """Rules about the calls that the model makes before an answer."""

    @classmethod
    def of(cls, contract: ContractLike) -> Applied:
        """Read the contract's properties."""
        shape = SchemaShape(getattr(contract, "json_schema", None))
        tool, argument = getattr(contract, "tool", None), getattr(contract, "argument", None)
        part, calls = getattr(contract, "part", None), getattr(contract, "calls", ())
        return cls(contract, shape, tool, argument, getattr(contract, "judged", None), part, calls)

    @property
    def names(self) -> frozenset[str]:
        """Property names of the schema's root."""
        return self.shape.names

    @property
    def forbids_copies(self) -> bool:
        """True if the contract itself forbids copies."""
        found = getattr(self.contract, "constraints", ())
        return any(getattr(c, "constraint_type", None) == "not_copied" for c in found)


@dataclass(frozen=True, slots=True)
class Answer:
    """One judged part of an exchange."""

    text: str
    uncalled: str | None = None
    """The output tool that the answer should have called; None if it was called, or if the request has no such tool."""
    call_id: str | None = None
    """The id of the call whose arguments are the answer."""


def answers_of(exchange: Exchange, applied: Applied) -> list[Answer]:
    """Return the judged parts of an exchange: its text, or each call of the output tool.

    The list is empty for a tool step, which calls other tools only.
    """
    if exchange.rejected_text is not None:
        return [Answer(exchange.rejected_text)]
    if exchange.dialect == COMMAND_LINE:
        return [_of_command(exchange, applied)]
    tool = output_tool(exchange, applied)
    calls = [c for c in exchange.calls if c.name == tool] if tool else []
    if exchange.calls:
        return [Answer(_argument(c.text, c.arguments, applied.argument), call_id=c.call_id) for c in calls]
    return [Answer(exchange.answer_text, uncalled=tool)]


def _of_command(exchange: Exchange, applied: Applied) -> Answer:
    """Return the answer of a command: the file or tool call that the contract names, else the final text.

    A command always has one answer. If it called the tool several times, the last call counts, since an agent
    overwrites its file.
    """
    name = applied.tool
    if name is None:
        return Answer(exchange.answer_text)
    files = [c for c in exchange.calls if c.call_id is None and c.name == name and applied.part != "tool"]
    calls = [c for c in exchange.calls if c.call_id is not None and is_tool(c.name, name) and applied.part != "file"]
    if files:
        return Answer(files[0].text)
    if calls:
        return Answer(_argument(calls[-1].text, calls[-1].arguments, applied.argument), call_id=calls[-1].call_id)
    return Answer("" if _names_file(applied) else exchange.answer_text, uncalled=name)


def _names_file(applied: Applied) -> bool:
    """Return True if `judged` names a file that a command writes: explicitly, or because it names no tool argument."""
    return applied.part == "file" or (applied.part is None and applied.argument is None)


def output_tool(exchange: Exchange, applied: Applied) -> str | None:
    """Return the tool whose arguments are the answer: the tool that the contract names, else one that fits it.

    A declared tool fits in four cases: its parameters have the names of the contract's fields, it has the contract's
    name, the request forces it and no names contradict it, or it is the only tool and takes free text. If several fit,
    the tool whose schema is most like the contract's schema wins, then the first.
    """
    if applied.tool or applied.judged == "text" or not exchange.tools:
        return applied.tool
    shapes = {name: SchemaShape(schema) for name, schema in exchange.tools.items()}
    fitting = [name for name, shape in shapes.items() if _is_meant(name, shape, applied)]
    if fitting:
        return fitting[0] if len(fitting) == 1 else min(fitting, key=lambda name: applied.shape.likeness(shapes[name]))
    forced = exchange.tool_choice
    if forced and forced in exchange.tools and not (applied.names and shapes[forced].names):
        return forced
    return _only_free_tool(exchange)


def _only_free_tool(exchange: Exchange) -> str | None:
    """Return the only tool of a request if it takes free text (`"type": "custom"`): no schema, but a text."""
    if len(exchange.tools) > 1 or any(exchange.tools.values()):
        return None
    return next((c.name for c in exchange.calls if c.name in exchange.tools and c.text not in _NO_ARGUMENTS), None)


_NO_ARGUMENTS = ("", "{}", "null")
"""The arguments of a tool without arguments, which has no schema either."""


def _is_meant(tool: str, shape: SchemaShape, applied: Applied) -> bool:
    """Return True if a declared tool has the contract's name or the same fields as the contract's schema."""
    same = bool(applied.names) and shape.names == applied.names and not applied.shape.shares_no_field(shape)
    return same or _plain(tool) == _plain(applied.contract.name)


def verdict_of(
    exchange: Exchange,
    applied: Applied,
    context: CheckContext | None = None,
    earlier: Sequence[Exchange] = (),
) -> Verdict | None:
    """Return the contract's verdict on the exchange, or None for a tool step.

    If the exchange has several bad answers, the verdict contains the findings of all of them. `earlier` are the
    previous exchanges of the conversation; rules about calls include their calls.
    """
    verdict = _verdict_of(exchange, applied, context)
    return verdict if verdict is None else with_call_findings(verdict, applied.calls, (*earlier, exchange))


def with_call_findings(verdict: Verdict, rules: tuple[CallRule, ...], exchanges: Sequence[Exchange]) -> Verdict:
    """Add the findings about a conversation's calls to the verdict. `exchanges` are all exchanges so far, in order."""
    broken = broken_call_rules(rules, _calls_of(exchanges)) if rules else ()
    return replace(verdict, findings=(*verdict.findings, *broken), value=None) if broken else verdict


def _calls_of(exchanges: Sequence[Exchange]) -> list[MadeCall]:
    """Return the calls that the model made in a conversation, in its answers and in the first request after the task.

    The task is the last user text of the first request. A retry is never a new task, however it is worded.
    """
    before = exchanges[0].request if exchanges else ()
    said = [i.kind is ItemKind.TEXT and i.role is Role.USER for i in before]
    since = max((n for n, is_user in enumerate(said) if is_user), default=-1)
    made: list[MadeCall] = []
    step = 0
    for items in (before[since + 1 :], *(exchange.answer for exchange in exchanges)):
        was_call = False
        for item in items:
            is_call = item.kind is ItemKind.CALL
            step += is_call and not was_call  # calls without a result between them are one turn
            made += [MadeCall(item.name, item.text, step)] if is_call else []
            was_call = is_call
    return made


def _verdict_of(exchange: Exchange, applied: Applied, context: CheckContext | None) -> Verdict | None:
    answers = answers_of(exchange, applied)
    if not answers:
        return None
    checked = [(a.call_id, _checked(a, exchange, applied, context)) for a in answers]
    bad = [(number, call_id, v) for number, (call_id, v) in enumerate(checked, 1) if not v.ok]
    return together(bad) if len(bad) > 1 else bad[0][2] if bad else checked[0][1]


def _checked(answer: Answer, exchange: Exchange, applied: Applied, context: CheckContext | None) -> Verdict:
    if answer.uncalled is not None and exchange.dialect == COMMAND_LINE and _names_file(applied):
        return unwritten(applied.contract.name, answer.uncalled)
    finish = str(exchange.finish.value) if exchange.finish else None
    if exchange.state:
        context = replace(context or CheckContext(), state=exchange.state)
    verdict = applied.contract.check(answer.text, finish=finish, refusal=exchange.refusal, context=context)
    if answer.uncalled is None or verdict.ok or verdict.kind is FailureKind.REFUSAL:
        return verdict
    missing = Finding(
        "no_tool_call", (), f"expected a call of the tool {answer.uncalled}; got text", FailureKind.NO_TOOL_CALL
    )
    return replace(verdict, findings=(*verdict.findings, missing))


def unwritten(contract: str, path: str) -> Verdict:
    """Return the verdict on a command that did not write its file. `contract` is the contract's name."""
    message = f"expected the file {path} to be written; got none"
    return Verdict(contract, "", (Finding("file_not_written", (), message, FailureKind.EMPTY),))


def _argument(text: str, arguments: object, name: str | None) -> str:
    if name is None:
        return text
    value = arguments.get(name) if isinstance(arguments, Mapping) else None
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _plain(name: str) -> str:
    return normal_text(name).replace("_", "").replace("-", "").casefold()
