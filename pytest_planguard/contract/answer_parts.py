"""Which part of an answer a contract is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..errors import UsageError

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
