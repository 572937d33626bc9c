"""Rules about the tools that a model calls before it answers: how often, in which order, with which arguments.

Each rule is a value for `Contract(..., calls=[...])` that yields findings about the calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import UsageError
from .failure_kinds import FailureKind
from .finding import Finding
from .phrasing import plural

if TYPE_CHECKING:
    from .verdict import Verdict

_KIND = FailureKind.CONTENT
_SHOWN = 5
"""Maximum number of call names in a finding."""


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One tool call that the model made before its answer."""

    tool: str | None
    """The tool's name; None for a call without a name."""
    arguments: str
    """The arguments, exactly as the model wrote them."""
    step: int = 1
    """The model's turn that made the call, 1-based. Calls of one turn run in parallel."""

    def is_of(self, tool: str) -> bool:
        """Return True if this calls the tool, under its plain name or an MCP name such as `mcp__fs__write_file`."""
        return is_tool(self.tool, tool)


class Judge(Protocol):
    """The part of a contract's interface that call rules use."""

    def check(self, answer: object) -> Verdict[Any]:
        """Return the verdict on the arguments of a call, as the model wrote them."""
        ...


class CallRule(Protocol):
    """One rule about the calls that were made."""

    def findings(self, calls: Sequence[MadeCall]) -> Iterator[Finding]:
        """Yield the findings about the calls, given in the order in which they were made."""
        ...


@dataclass(frozen=True, slots=True)
class Called:
    """A tool that must be called."""

    tool: str
    containing: str | None
    at_least: int
    at_most: int | None
    args: Judge | None

    def __str__(self) -> str:
        number = "" if (self.at_least, self.at_most) == (1, None) else f" {self._wanted('time')}"
        return self._what + number + (f" with {getattr(self.args, 'digest', '')}" if self.args is not None else "")

    @property
    def _what(self) -> str:
        return _named(self.tool, self.containing)

    def findings(self, calls: Sequence[MadeCall]) -> Iterator[Finding]:
        """Yield a finding if the number of calls is wrong, and one for each error in their arguments."""
        made = [call for call in calls if call.is_of(self.tool) and (self.containing or "") in call.arguments]
        if not made and self.at_least:
            yield Finding(
                "call_not_made", (), f"expected a call of {self._what}; got {_listed(calls)}", FailureKind.NO_TOOL_CALL
            )
        elif not self.at_least <= len(made) <= (len(made) if self.at_most is None else self.at_most):
            yield self._counted(made)
        for call in made if self.args is not None else ():
            yield from self._wrong_arguments(call)

    def _counted(self, made: Sequence[MadeCall]) -> Finding:
        steps = ", ".join(str(call.step) for call in made[:_SHOWN]) + (", …" if len(made) > _SHOWN else "")
        message = f"expected {self._wanted('call')} of {self._what}; got {len(made)} (in step {steps})"
        return Finding("call_count", (), message, _KIND)

    def _wanted(self, noun: str) -> str:
        """Return "2 calls", "at least 2 calls", "at most 2 calls" or "1 to 2 calls"."""
        least, most = self.at_least, self.at_most
        if most is None:
            return f"at least {plural(least, noun)}"
        if least == most:
            return plural(most, noun)
        return f"at most {plural(most, noun)}" if least < 2 else f"{least} to {plural(most, noun)}"

    def _wrong_arguments(self, call: MadeCall) -> Iterator[Finding]:
        from ..document.path import to_dotted

        assert self.args is not None
        for found in self.args.check(call.arguments).errors:
            place = f"{to_dotted(found.path)}: " if found.path else ""
            message = f"step {call.step}, arguments of {self.tool}: {place}{found.message}"
            yield Finding("call_arguments", (), message, _KIND, expected=found.expected, actual=found.actual)


@dataclass(frozen=True, slots=True)
class NotCalled:
    """A tool that must not be called."""

    tool: str
    containing: str | None

    def __str__(self) -> str:
        return f"no {_named(self.tool, self.containing)}"

    def findings(self, calls: Sequence[MadeCall]) -> Iterator[Finding]:
        """Yield a finding about the first forbidden call."""
        made = [call for call in calls if call.is_of(self.tool) and (self.containing or "") in call.arguments]
        if made:
            named = _named(self.tool, self.containing)
            message = f"expected no call of {named}; got {len(made)}, the first in step {made[0].step}"
            yield Finding("call_forbidden", (), message, _KIND)


@dataclass(frozen=True, slots=True)
class InOrder:
    """Tools that must be called one after the other; other calls may come between them."""

    tools: tuple[str, ...]

    def __str__(self) -> str:
        return "in order " + ", ".join(self.tools)

    def findings(self, calls: Sequence[MadeCall]) -> Iterator[Finding]:
        """Yield a finding about the first tool in the order that was not called."""
        waiting = list(self.tools)
        for call in calls:
            # Greedy: the earliest call of each tool leaves the most calls for the tools after it.
            if waiting and call.is_of(waiting[0]):
                del waiting[0]
        if waiting:
            before = self.tools[: len(self.tools) - len(waiting)]
            after = f" after {before[-1]}" if before else ""
            order = ", ".join(self.tools)
            seen = " → ".join(call.tool or "(no name)" for call in calls if any(map(call.is_of, self.tools)))
            message = f"expected calls in the order {order}: no {waiting[0]}{after}; got {seen or 'none of them'}"
            yield Finding("call_order", (), message, _KIND)


@dataclass(frozen=True, slots=True)
class OnlyCalls:
    """The only tools that may be called."""

    tools: tuple[str, ...]

    def __str__(self) -> str:
        return "only " + ", ".join(self.tools)

    def findings(self, calls: Sequence[MadeCall]) -> Iterator[Finding]:
        """Yield a finding for the first call of each tool that is not allowed."""
        others: dict[str, MadeCall] = {}
        for call in calls:
            if not any(map(call.is_of, self.tools)):
                others.setdefault(call.tool or "(no name)", call)
        for name, call in others.items():
            allowed = f"only calls of {', '.join(self.tools)}" if self.tools else "no calls"
            message = f"expected {allowed}; got {name} in step {call.step}"
            yield Finding("call_unexpected", (), message, _KIND)


def called(
    tool: str,
    containing: str | None = None,
    *,
    times: int | None = None,
    at_least: int | None = None,
    at_most: int | None = None,
    args: Judge | None = None,
) -> CallRule:
    """Require calls of a tool: `called("Bash", "make check")`, `called("search", at_most=3)`.

    Args:
        tool: name of the tool; `write_file` also matches a server's `mcp__fs__write_file`.
        containing: text that its arguments must contain, as written; by default any arguments will do.
        times: the exact number of calls, at least 1.
        at_least: the minimum number of calls, 1 by default; 0 makes the call optional.
        at_most: the maximum number of calls, at least 1; unlimited by default.
        args: the contract for the arguments of each such call.

    Raises:
        UsageError: an empty name or text, a number too small, `times` with another bound, or `args` is not a contract.
    """
    _check_words("called", tool, *([] if containing is None else [containing]))
    for name, number, from_ in (("times", times, 1), ("at_least", at_least, 0), ("at_most", at_most, at_least or 1)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < from_):
            raise UsageError(f"called({tool!r}): {name} is a whole number from {from_}: got {number!r}")
    if times is not None and (at_least, at_most) != (None, None):
        raise UsageError(f"called({tool!r}): give times, or at_least and at_most")
    if args is not None and not callable(getattr(args, "check", None)):
        raise UsageError(f"called({tool!r}): args must be a Contract: got {args!r:.80}; write args=Contract(...)")
    least = 1 if at_least is None else at_least
    return Called(tool, containing, least if times is None else times, at_most if times is None else times, args)


def not_called(tool: str, containing: str | None = None) -> CallRule:
    """Forbid calls of a tool, or only calls whose arguments contain a text.

    Raises:
        UsageError: an empty name or text.
    """
    _check_words("not_called", tool, *([] if containing is None else [containing]))
    return NotCalled(tool, containing)


def in_order(*tools: str) -> CallRule:
    """Require tools to be called one after the other: `in_order("search", "book")`.

    Other calls may come between them, and a tool may be called again. Calls of one turn count in the order in which the
    model wrote them.

    Raises:
        UsageError: fewer than two names, or an empty one.
    """
    _check_words("in_order", *tools)
    if len(tools) < 2:
        raise UsageError(f"in_order needs two tools or more: got {list(tools)}; write in_order('search', 'book')")
    return InOrder(tools)


def only_calls(*tools: str) -> CallRule:
    """Forbid calls of any other tool: `only_calls("search", "book")`. Without names, forbid all calls.

    Raises:
        UsageError: an empty name.
    """
    _check_words("only_calls", *tools)
    return OnlyCalls(tools)


def call_rules(given: Any) -> tuple[CallRule, ...]:
    """Return the rules in a contract's `calls`: a rule, the name of a tool that must be called, or a list of these.

    Raises:
        UsageError: anything else.
    """
    listed = given if isinstance(given, list | tuple) else [given]
    rules = tuple(called(one) if isinstance(one, str) else one for one in listed)
    for rule in rules:
        if not callable(getattr(rule, "findings", None)):
            raise UsageError(f"calls must be rules about calls: got {rule!r:.80}; write calls=[called('search')]")
    return rules


def broken_call_rules(rules: Iterable[CallRule], calls: Sequence[MadeCall]) -> tuple[Finding, ...]:
    """Return the findings of all rules about the calls, rule by rule."""
    return tuple(finding for rule in rules for finding in rule.findings(calls))


def is_tool(name: str | None, wanted: str) -> bool:
    """Return True if a call's name is the wanted tool, or its MCP name such as `mcp__fs__write_file`."""
    return name == wanted or (name is not None and name.startswith("mcp__") and name.endswith(f"__{wanted}"))


_EXAMPLES = {"called": '"Bash", "make check"', "in_order": '"search", "book"'}


def _check_words(function: str, *given: object) -> None:
    for name in given:
        if not isinstance(name, str) or not name.strip():
            example = _EXAMPLES.get(function, '"search"')
            raise UsageError(f"{function} needs the name of a tool: got {name!r}; write {function}({example})")


def _named(tool: str, containing: str | None) -> str:
    return tool + (f' with "{containing}"' if containing else "")


def _listed(calls: Sequence[MadeCall]) -> str:
    names = list(dict.fromkeys(call.tool or "(no name)" for call in calls))
    if not names:
        return "no call"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"calls of {', '.join(names[:_SHOWN])}{more}"
