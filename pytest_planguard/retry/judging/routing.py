"""Choose one of several contracts for each exchange. The same cassette and contracts always give the same result.

In this order: its tool is called or declared; the request demands its schema (of several, the most similar one); the
exchange corrects one of its answers. If none fits, contracts that no request demands count, without those of Markdown
if the answer is JSON: the one that accepts it, then the one of neighbours, then the one with the fewest errors.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ...contract.constraints.scene import CheckContext
from ...document.answer import read
from ...wire.dialects.commands_and_calls import COMMAND_LINE
from ...wire.exchange import ItemKind, Role
from ..linking.sameness import last_user
from .attempts import Applied, ContractLike, output_tool, verdict_of
from .checks.answer_checks import example_texts
from .schema_shape import Likeness, SchemaShape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...contract.verdict import Verdict
    from ...wire.exchange import Exchange

CALLED, DECLARED, DEMANDED, OPEN = range(4)
"""How clearly an exchange asks for a contract: its answer calls the contract's tool, its request declares the tool or
demands the schema, or none of these."""
_NO_DOCUMENT = frozenset({"prose", "empty"})
"""Codes of the problems of an answer that has no document."""
NO_CONTRACT = "no contract was given"
OTHER_SCHEMA = "the request demands a schema that is not the contract's"
OTHER_TOOL = "the request does not declare the contract's tool, and the answer does not call it"
NO_DEMAND = "the request demands no schema, but other requests in the cassette demand the contract's schema"


class Router:
    """Chooses contracts and caches their verdicts, so that each answer is checked only once."""

    def __init__(
        self,
        exchanges: Sequence[Exchange],
        contracts: Sequence[ContractLike],
        ids: Sequence[str | None] | None = None,
    ) -> None:
        self._exchanges, self._ids = exchanges, ids
        self.contracts = tuple(Applied.of(c) for c in contracts)
        self._verdicts: dict[tuple[int, int], Verdict | None] = {}
        self._shapes: dict[tuple[int, str | None], SchemaShape] = {}
        self._levels: dict[tuple[int, int], tuple[int, Likeness]] = {}

    @cached_property
    def _open(self) -> list[int]:
        """The contracts that no request demands.

        A call of an undeclared tool does not count, since the request did not ask for it.
        """
        numbers = range(len(self._exchanges))
        demanded = (any(CALLED < self._asked(n, c) < OPEN for n in numbers) for c in range(len(self.contracts)))
        return [c for c, is_demanded in enumerate(demanded) if not is_demanded]

    def route(self, path: Sequence[int]) -> dict[int, int | str]:
        """Return the contract (0-based) of each exchange of a path, or why none judges it."""
        found: dict[int, int | str | None] = {n: self._own(n) for n in path}
        chosen: dict[int, int | str] = {}
        for at, number in enumerate(path):
            own = found[number]
            if own is None:
                own = self._mended(number, path[:at], chosen)
            # Exchanges with the same conversation id are about one task, even if their requests demand other schemas.
            named = self._ids is not None and self._ids[number] is not None
            if own is None and not named and not self._left(number):
                own = NO_DEMAND
            if own is None:
                own = self._neighbour([found[n] for n in path], at, named=named)
            chosen[number] = self._fewest(number) if own is None else own
        return chosen

    def verdict(
        self, number: int, contract: int, context: CheckContext | None = None, earlier: Sequence[Exchange] = ()
    ) -> Verdict | None:
        """Return the verdict on an exchange, or None for a tool step. Cached unless a context or `earlier` is given."""
        if context is not None or earlier:
            return verdict_of(self._exchanges[number], self.contracts[contract], context, earlier)
        key = (number, contract)
        if key not in self._verdicts:
            self._verdicts[key] = verdict_of(self._exchanges[number], self.contracts[contract])
        return self._verdicts[key]

    def _own(self, number: int) -> int | str | None:
        """Return the contract that the exchange asks for, or why none fits, or None if it doesn't ask for one."""
        if not self.contracts:
            return NO_CONTRACT
        firm = [(level, c) for c in range(len(self.contracts)) if (level := self._level(number, c))[0] < OPEN]
        if firm:
            return min(firm)[1]  # the clearest demand, then the schema that is most alike, then the first contract
        barred = [self._barred(number, c) for c in range(len(self.contracts))]
        free = [c for c, reason in enumerate(barred) if reason is None]
        if not free:
            return next(reason for reason in barred if reason)
        left = self._left(number)
        if len(left) == 1:
            return left[0]
        return next((c for c in left if (v := self.verdict(number, c)) is not None and v.ok), None)

    def _left(self, number: int) -> list[int]:
        """Return the contracts that may judge an exchange that asks for none: those that no request demands.

        JSON is not for a Markdown contract beside another one, even if it is broken: that contract accepts any text.
        """
        left = [c for c in self._open if self._barred(number, c) is None]
        others = [c for c in left if getattr(self.contracts[c].contract, "format", "auto") != "markdown"]
        return others if others != left and others and _is_json(self._exchanges[number].answer_text) else left

    def _level(self, number: int, contract: int) -> tuple[int, Likeness]:
        """Return how clearly the exchange asks for a contract, and how similar their schemas are."""
        if (number, contract) not in self._levels:
            self._levels[number, contract] = self._found_level(number, contract)
        return self._levels[number, contract]

    def _found_level(self, number: int, contract: int) -> tuple[int, Likeness]:
        exchange, applied = self._exchanges[number], self.contracts[contract]
        tool = output_tool(exchange, applied)
        if tool and not self._other_tool(number, tool, applied):
            likeness = self._shape(number, tool).likeness(applied.shape)
            if any(c.name == tool for c in exchange.calls):
                return CALLED, likeness
            if tool in exchange.tools:
                return DECLARED, likeness
        likeness = Likeness.OTHER if applied.tool else self._shape(number, None).likeness(applied.shape)
        return (OPEN if likeness is Likeness.OTHER or self._other_text(number, applied) else DEMANDED), likeness

    def _asked(self, number: int, contract: int) -> int:
        """Return how clearly the request asks for a contract, ignoring the answer."""
        level, _ = self._level(number, contract)
        if level != CALLED:
            return level
        exchange = self._exchanges[number]
        return DECLARED if output_tool(exchange, self.contracts[contract]) in exchange.tools else level

    def _shape(self, number: int, tool: str | None) -> SchemaShape:
        """Return the shape of the request's schema for a tool, or for the answer's text without a tool."""
        exchange = self._exchanges[number]
        if (number, tool) not in self._shapes:
            schema = exchange.output_schema if tool is None else exchange.tools.get(tool)
            self._shapes[number, tool] = SchemaShape(schema)
        return self._shapes[number, tool]

    def _other_tool(self, number: int, tool: str, applied: Applied) -> bool:
        """Return True if a tool has the name of the contract's tool, but no field in common with the contract."""
        named = applied.tool is not None and applied.argument is None
        return named and self._shape(number, tool).shares_no_field(applied.shape)

    def _other_text(self, number: int, applied: Applied) -> bool:
        """Return True if the request's schema for the text has no field in common with the contract."""
        return self._shape(number, None).shares_no_field(applied.shape)

    def _barred(self, number: int, contract: int) -> str | None:
        """Return why a contract cannot judge the exchange, or None if it can."""
        exchange, applied = self._exchanges[number], self.contracts[contract]
        if exchange.dialect == COMMAND_LINE:
            return None  # the command may have failed to write the expected file
        if applied.tool and exchange.rejected_text is None:
            return OTHER_SCHEMA if self._other_tool(number, applied.tool, applied) else OTHER_TOOL
        return OTHER_SCHEMA if self._other_text(number, applied) else None

    def _mended(self, number: int, before: Sequence[int], chosen: Mapping[int, int | str]) -> int | None:
        """Return the contract that rejects the previous answer, since this exchange may repair that answer."""
        for earlier in reversed(before):
            contract = chosen[earlier]
            if not isinstance(contract, int):
                return None
            verdict = self.verdict(earlier, contract)
            if verdict is not None:
                return contract if not verdict.ok and self._barred(number, contract) is None else None
        return None

    def _neighbour(self, found: Sequence[int | str | None], at: int, *, named: bool) -> int | None:
        """Return the contract of the nearest later exchange, which may repair this one, else of the nearest earlier."""
        for other in (*found[at + 1 :], *reversed(found[:at])):
            if isinstance(other, int) and (named or other in self._open):
                return other
        return None

    def _fewest(self, number: int) -> int:
        def errors(contract: int) -> int:
            verdict = self.verdict(number, contract)
            return len(verdict.errors) if verdict else 0

        return min(self._left(number) or range(len(self.contracts)), key=errors)


def context_of(exchange: Exchange, first: Exchange, feedback: Sequence[tuple[str, str]]) -> CheckContext:
    """Return what the model could see: prompts, worked examples of attempt 1, and the feedback so far.

    `feedback` has one pair per retry: its new words, and all earlier answers.
    """
    task = last_user(first)
    texts = [i for i in first.request if i.kind is ItemKind.TEXT]
    prompts = tuple(i.text for i in texts if i.role is Role.SYSTEM) + ((task.text,) if task else ())
    examples = example_texts(first)
    if exchange is first:
        return CheckContext(prompts, examples)
    return CheckContext(prompts, examples, tuple(text for text, _ in feedback), tuple(said for _, said in feedback))


def _is_json(text: str) -> bool:
    """Return True if a text is JSON, sound or not, perhaps in a fence and after some words, but not after Markdown."""
    document = read(text)
    if document.format != "json" or {problem.code for problem in document.problems} & _NO_DOCUMENT:
        return False
    before, fence, _ = text[: document.offset].rpartition("```")
    return read(before if fence else text[: document.offset]).format == "json"
