"""The interface of a dialect, which turns one provider's bodies into provider-neutral values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from .exchange import Choice, Finish, Item, ItemKind, Role, Usage
from .provider_shapes import (
    ProviderError,
    choice_of,
    demanded_schema,
    provider_error,
    tool_schemas,
)
from .untrusted_json import JsonObject, mapping, name_of, objects, whole, words

Body = Mapping[str, Any]
"""A parsed JSON object. Its values are untrusted and may have any type."""


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request as read by a dialect. `Exchange` describes the fields."""

    model: str | None = None
    items: tuple[Item, ...] = ()
    tools: Mapping[str, Any] = field(default_factory=dict)
    tool_choice: str | None = None
    output_schema: Mapping[str, Any] | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    previous_id: str | None = None
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer as read by a dialect. `Exchange` describes the fields."""

    items: tuple[Item, ...] = ()
    model: str | None = None
    response_id: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    usage: Usage = field(default_factory=Usage)
    error: str | None = None
    rejected_text: str | None = None
    others: tuple[Choice, ...] = ()
    pending: bool = False
    skipped_lines: int = 0


class Dialect(Protocol):
    """One provider's format of requests and answers. Implementations are stateless and must not raise."""

    @property
    def name(self) -> str:
        """The name for `Exchange.dialect`, for example "openai.chat"."""
        ...

    def matches(self, path: str, body: Body) -> bool:
        """Return True if a POST request may be in this dialect.

        Arguments:
            path: the URL's path without the query, for example "/v1/chat/completions".
            body: the request's JSON object.

        Decide by the shape of the body, and use the path only if the shape is ambiguous, so that any compatible host
        works.
        """
        ...

    def read_request(self, body: Body) -> RequestView:
        """Read a request that `matches`."""
        ...

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the JSON object of an answer with status < 400; return None if it is not an answer in this dialect."""
        ...

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Read the JSON objects of a streamed answer, in order. Return None if this dialect has no such answer."""
        ...


ROLES: Mapping[str, Role] = {
    "system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER, "human": Role.USER,
    "assistant": Role.ASSISTANT, "ai": Role.ASSISTANT, "model": Role.ASSISTANT, "chatbot": Role.ASSISTANT,
    "tool": Role.TOOL, "function": Role.TOOL,
}  # fmt: skip
"""Maps providers' names of roles to ours. An unknown name means the user."""


def role_of(value: object) -> Role:
    """Return the role for a provider's name of it."""
    return ROLES.get(value.lower(), Role.USER) if isinstance(value, str) else Role.USER


def finishes(**words: str) -> Mapping[str, Finish]:
    """Return a mapping from a provider's finish reasons to ours: `finishes(stop="end_turn eos")`."""
    return {theirs: Finish(ours) for ours, listed in words.items() for theirs in listed.split()}


def called(finish: Finish | None, items: Iterable[Item]) -> Finish | None:
    """Return the finish reason. If a provider has none for tool calls, a normal end with calls becomes that."""
    calls = any(item.kind is ItemKind.CALL for item in items)
    return Finish.TOOL_CALLS if calls and finish is Finish.STOP else finish


def settings(same: str, **others: str) -> Mapping[str, str]:
    """Map a provider's names of sampling settings to ours: `settings("temperature top_p", p="top_p")`."""
    return {name: name for name in same.split()} | others


def usage_of(counts: object, inputs: str, outputs: str) -> Usage:
    """Return the token counts that an object has under these names."""
    return Usage(whole(mapping(counts).get(inputs)), whole(mapping(counts).get(outputs)))


def answer_of(
    body: Body, items: Iterable[Item], finish: Finish | None, error: ProviderError | None, usage: Usage, **more: Any
) -> AnswerView:
    """Return an answer with the usual names for model and id. `finish` is the finish reason if there is no error."""
    return AnswerView(
        tuple(items),
        name_of(body.get("model")),
        name_of(body.get("id")),
        Finish.ERROR if error else finish,
        usage=usage,
        error=error.message if error else None,
        rejected_text=error.rejected_text if error else None,
        **more,
    )


def sampling_of(body: Body, names: Mapping[str, str]) -> JsonObject:
    """Return a request's sampling settings under our names. null counts as not sent."""
    return {ours: body[theirs] for theirs, ours in names.items() if body.get(theirs) is not None}


def sent(value: object) -> JsonObject:
    """Return an object without its nulls, which count as not sent."""
    return {key: inner for key, inner in mapping(value).items() if inner is not None}


MOST_CHOICES = 128
"""Maximum number of additional choices to read. OpenAI allows an `n` of 128."""


def other_choices(
    bodies: Sequence[Body], key: str, read: Callable[[Sequence[Body]], AnswerView | None]
) -> tuple[Choice, ...]:
    """Return the additional choices in the list under `key`, from a whole answer or the objects of a stream.

    `read` reads the same bodies with only one choice. A choice without an index has its place in the list.
    """
    # Per choice and body, so that a body is copied once for each choice, and not for each of a million pieces of one.
    apart: dict[int, dict[int, list[JsonObject]]] = {}
    for number, body in enumerate(bodies):
        for place, choice in enumerate(objects(body.get(key))):
            index = whole(choice.get("index", place)) or 0
            if index > 0 and (index in apart or len(apart) < MOST_CHOICES):
                apart.setdefault(index, {}).setdefault(number, []).append({**choice, "index": 0})
    separate = ([{**bodies[at], key: one} for at, one in found.items()] for _, found in sorted(apart.items()))
    views = [view for one in separate if (view := read(one))]
    return tuple(Choice(view.items, view.finish, view.refusal) for view in views)


class ApiDialect:
    """An API's names as a table, and readers for requests and answers with the usual names."""

    sampling: Mapping[str, str] = MappingProxyType({})
    """Maps the API's names of sampling settings to ours."""
    finishes: Mapping[str, Finish] = MappingProxyType({})
    """Maps the API's finish reasons to ours."""
    tokens = ("input_tokens", "output_tokens")
    """The API's names for input and output tokens in an answer's `usage`."""

    def request(
        self,
        body: Body,
        items: Iterable[Item],
        *,
        output: object = None,
        previous_id: str | None = None,
        thread: str | None = None,
    ) -> RequestView:
        """Return a request. `output` is the demanded output format."""
        return RequestView(
            name_of(body.get("model")),
            tuple(items),
            tool_schemas(body.get("tools")),
            choice_of(body.get("tool_choice")),
            demanded_schema(output),
            sampling_of(body, self.sampling),
            previous_id,
            thread,
        )

    def finish(self, reason: object) -> Finish | None:
        """Return the finish reason for the API's name of it."""
        return self.finishes.get(words(reason))

    def answer(
        self, body: Body, items: Iterable[Item], finish: Finish | None, *, usage: Usage | None = None, **more: Any
    ) -> AnswerView:
        """Return an answer. `finish` is the finish reason if the body reports no error."""
        counted = usage or usage_of(body.get("usage"), *self.tokens)
        return answer_of(body, items, finish, provider_error(body), counted, **more)

    def join(self, objects: Sequence[Body]) -> JsonObject | None:
        """Join a streamed answer to the body of a complete answer. Return None if no object belongs to an answer."""
        raise NotImplementedError

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read a complete body, as `Dialect.read_answer` does."""
        raise NotImplementedError

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Join and read the objects; return None if they are not an answer."""
        body = self.join(objects)
        return None if body is None else self.read_answer(body)
