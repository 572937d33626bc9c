"""Turn conversations that were not recorded over HTTP into exchanges: lists of messages, and agents' event streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..wire.agent_run import AgentRun, read_agent_run
from ..wire.dialect import ROLES
from ..wire.dialects.dialect_table import any_turn_items
from ..wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage
from ..wire.provider_shapes import tool_schemas
from .judging.judge import judge

if TYPE_CHECKING:
    from .judging.attempts import ContractLike
    from .judging.judging_options import JudgeOptions
    from .results import Convergence

MESSAGES = "messages"
"""`Exchange.dialect` for a list of messages. For an agent's events, the dialect is the agent's name."""
_CONTENT = ("content", "parts", "tool_calls", "function_call", "refusal")
"""Every message has at least one of these members."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation about one task, as exchanges. The request of each exchange is everything before its answer."""

    exchanges: tuple[Exchange, ...]
    """In order, numbered from 1."""
    name: str = "messages"

    @classmethod
    def from_messages(
        cls,
        messages: Iterable[Mapping[str, object]],
        *,
        name: str = "messages",
        tools: Sequence[Mapping[str, object]] = (),
        model: str | None = None,
    ) -> Conversation:
        """Return the conversation in a list of messages, for example from a test double or a trace.

        Args:
            messages: chat messages in OpenAI's form: `role` and `content`, `tool_calls` with `function`, results with
                role "tool" and `tool_call_id`. Anthropic's blocks, Gemini's parts and items of OpenAI responses also
                work.
            name: the conversation's name in reports.
            tools: the tools that the model could call, as requests declare them.
            model: the model that answered.

        Raises:
            UsageError: there are no messages, or none is an answer.
        """
        items = [item for place, message in enumerate(_listed(messages)) for item in _turn(place, message)]
        declared = tool_schemas([dict(tool) for tool in tools])
        exchanges = tuple(
            Exchange(number, MESSAGES, model=model, request=request, answer=answer, tools=declared, finish=_end(answer))
            for number, (request, answer) in enumerate(_answers(items), 1)
        )
        if not exchanges:
            raise UsageError("no message is an answer: got no role assistant; give the model's answers as well")
        return cls(exchanges, name)

    @classmethod
    def from_events(cls, output: str | Path, prompt: str, *, name: str = "events") -> Conversation:
        """Return the conversation that a command-line agent printed as events. Each of its messages is an answer.

        Args:
            output: the output of `claude -p --output-format stream-json` or `codex exec --json`, or a file with it.
                Lines that are not JSON objects are skipped; `skipped_lines` of the last exchange counts them.
            prompt: the agent's prompt, which the events do not contain.
            name: the conversation's name in reports.

        Raises:
            UsageError: the output is not an event stream, or has no answer.
        """
        run = read_agent_run(output.read_text("utf-8", "replace") if isinstance(output, Path) else output)
        if run is None:
            raise UsageError(
                "not an agent's event stream: got no known event; give what `claude -p --output-format stream-json` "
                "or `codex exec --json` printed"
            )
        exchanges = tuple(_of_run(run, prompt))
        if not exchanges:
            raise UsageError(f"the events of {run.agent} have no answer: got {run.error or 'no message'}; run it again")
        return cls(exchanges, name)

    def judge(
        self, contracts: ContractLike | Sequence[ContractLike], *, options: JudgeOptions | None = None
    ) -> Convergence:
        """Judge the conversation like a recorded one.

        Raises:
            UsageError: none of the contracts judges any answer.
        """
        listed = list(contracts) if isinstance(contracts, Sequence) else [contracts]
        names = [self.name] * len(self.exchanges)
        judgement = judge(self.exchanges, listed, options=options, conversation_ids=names)
        if not judgement.conversations:
            why = next(iter(judgement.reasons.values()), "every answer calls tools only")
            raise UsageError(f"no answer of {self.name} is judged: got {why}; name the part with Contract(judged=...)")
        return judgement.conversations[0]


def _listed(messages: object) -> list[Mapping[str, object]]:
    listed = list(messages) if isinstance(messages, Iterable) and not isinstance(messages, str | Mapping) else None
    if not listed:
        raise UsageError(f"a conversation needs a list of messages: got {_shown(messages)}; give [{{'role': …}}, …]")
    return listed


def _turn(place: int, message: object) -> list[Item]:
    """Return the items of one message. Raises UsageError if it is not a message."""
    if not isinstance(message, Mapping):
        raise UsageError(
            f"message {place + 1} is not a message: got {_shown(message)}; give {{'role': …, 'content': …}}"
        )
    role = message.get("role")
    if "role" in message and (not isinstance(role, str) or role.lower() not in ROLES):
        raise UsageError(f"message {place + 1} has an unknown role: got {_shown(role)}; use one of {', '.join(ROLES)}")
    if "type" not in message and not ("role" in message and any(member in message for member in _CONTENT)):
        members = ", ".join(map(str, message)) or "no member"
        raise UsageError(f"message {place + 1} is not a message: got {members}; give {{'role': …, 'content': …}}")
    return any_turn_items(dict(message))


def _answers(items: Sequence[Item]) -> Iterator[tuple[tuple[Item, ...], tuple[Item, ...]]]:
    """Split a request at each run of assistant items: yield (all items before the run, the run)."""
    before: tuple[Item, ...] = ()
    for spoken, run in groupby(items, lambda item: item.role is Role.ASSISTANT):
        said = tuple(run)
        if spoken:
            yield before, said
        before += said


def _end(answer: Sequence[Item]) -> Finish | None:
    """Return `TOOL_CALLS` if the answer has calls; otherwise None, because its items do not show why it ended."""
    return Finish.TOOL_CALLS if any(item.kind is ItemKind.CALL for item in answer) else None


def _of_run(run: AgentRun, prompt: str) -> Iterator[Exchange]:
    asked = Item(ItemKind.TEXT, Role.USER, prompt)
    items = [asked, *run.items]
    said = [item.text for item in run.items if item.kind is ItemKind.TEXT]
    if run.text and run.text != (said[-1] if said else None):  # a separate result, such as structured output
        items.append(Item(ItemKind.TEXT, Role.ASSISTANT, run.text))
    answers = list(_answers(items))
    for number, (request, answer) in enumerate(answers, 1):
        is_last = number == len(answers)
        yield Exchange(
            number,
            run.agent,
            model=run.model,
            request=request,
            answer=answer,
            finish=run.finish if is_last and not _end(answer) else _end(answer),
            error=run.error if is_last else None,
            response_id=run.session,
            usage=run.usage if is_last else Usage(),
            skipped_lines=run.skipped_lines if is_last else 0,
        )


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, str) and len(value) <= 40 else type(value).__name__
