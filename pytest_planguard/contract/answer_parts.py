"""Which part of an answer a contract is about, and which tool calls must be made before it counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import UsageError
from .failure_kinds import FailureKind
from .finding import Finding

PartKind = Literal["text", "tool", "file"]


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """One part of an answer, for `Contract(..., judged=…)`."""

    kind: PartKind
    name: str = "text"
    """Of the tool, or the path of the file."""
    argument: str | None = None
    """The one argument of the tool that holds the document; None where the arguments themselves are judged."""


def text() -> JudgedPart:
    """Return the part that the answer's words are: for an agent on the command line its final message."""
    return JudgedPart("text")


def tool_arg(tool: str, argument: str | None = None) -> JudgedPart:
    """Return the part that one argument of a tool call is: `tool_arg("write_file", "content")`.

    Args:
        tool: the tool's name.
        argument: the argument's name; by default all arguments together are judged.

    Raises:
        UsageError: a name that is empty or no text.
    """
    inner = None if argument is None else _filled("tool_arg", argument)
    return JudgedPart("tool", _filled("tool_arg", tool), inner)


def file(path: str) -> JudgedPart:
    """Return the part that a file is which a command writes, by its path in the folder where the command runs.

    Raises:
        UsageError: a path that is empty or no text.
    """
    return JudgedPart("file", _filled("file", path))


def _filled(function: str, name: str) -> str:
    if isinstance(name, str) and name.strip():
        return name
    example = "'plan.md'" if function == "file" else "'write_file', 'content'"
    raise UsageError(f"{function} needs a name: got {name!r}; write {function}({example})")


# A tool call that must be made before an answer counts, such as an agent's own validation step.

_SHOWN = 5
"""Names of calls that a finding lists."""


@dataclass(frozen=True, slots=True)
class DemandedCall:
    """One call that must be made."""

    tool: str
    """Name of the tool; `mcp__fs__write_file` is a `write_file`."""
    containing: str | None = None
    """Words that its arguments must have; None for any arguments."""

    def __str__(self) -> str:
        return self.tool + (f' with "{self.containing}"' if self.containing else "")

    def is_met_by(self, name: str | None, arguments: str) -> bool:
        """Return whether a call is the one that is demanded. `arguments` are its arguments as they were written."""
        return is_tool(name, self.tool) and (self.containing is None or self.containing in arguments)


def called(tool: str, containing: str | None = None) -> DemandedCall:
    """Return a demand for `Contract(..., must_call=…)`: `called("Bash", "planguard check")`.

    Args:
        tool: name of the tool.
        containing: words that must stand in its arguments; by default any arguments will do.

    Raises:
        UsageError: a name or words that are empty.
    """
    for given in (tool, *([] if containing is None else [containing])):
        if not isinstance(given, str) or not given.strip():
            raise UsageError(f"called needs the name of a tool: got {given!r}; write called('Bash', 'planguard check')")
    return DemandedCall(tool, containing)


def demands_of(given: Any) -> tuple[DemandedCall, ...]:
    """Return what a contract's `must_call` demands: names of tools and `called(…)`, one or several.

    Raises:
        UsageError: anything else.
    """
    listed: Sequence[Any] = [given] if isinstance(given, str | DemandedCall) else given
    if not isinstance(listed, list | tuple) or not all(isinstance(one, str | DemandedCall) for one in listed):
        raise UsageError(f"must_call must name tools: got {given!r}; write must_call=called('Bash', 'planguard check')")
    return tuple(called(one) if isinstance(one, str) else one for one in listed)


def missing_calls(demands: Iterable[DemandedCall], calls: Sequence[tuple[str | None, str]]) -> tuple[Finding, ...]:
    """Return a finding for each demanded call that was not made. `calls` are names and arguments of those made."""
    return tuple(
        Finding("call_not_made", (), f"expected a call of {demand}; got {_shown(calls)}", FailureKind.NO_TOOL_CALL)
        for demand in demands
        if not any(demand.is_met_by(name, arguments) for name, arguments in calls)
    )


def is_tool(name: str | None, wanted: str) -> bool:
    """Return whether a call is of a tool: by its name, or by that of a server's tool, `mcp__fs__write_file`."""
    return name == wanted or (name is not None and name.startswith("mcp__") and name.endswith(f"__{wanted}"))


def _shown(calls: Sequence[tuple[str | None, str]]) -> str:
    names = list(dict.fromkeys(name or "(no name)" for name, _ in calls))
    if not names:
        return "no call"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"calls of {', '.join(names[:_SHOWN])}{more}"
