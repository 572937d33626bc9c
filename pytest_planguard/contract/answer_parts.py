"""Select the part of an answer that a contract judges."""

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
    """The name of the tool, or the path of the file."""
    argument: str | None = None
    """The one argument of the tool that holds the document; None to judge all arguments."""


def text() -> JudgedPart:
    """Judge the answer's text. For a command-line agent, that is its final message."""
    return JudgedPart("text")


def tool_arg(tool: str, argument: str | None = None) -> JudgedPart:
    """Judge the arguments of a tool call, or one argument: `tool_arg("write_file", "content")`.

    Args:
        tool: the tool's name.
        argument: the argument's name; by default all arguments are judged together.

    Raises:
        UsageError: a name is empty or not a string.
    """
    inner = None if argument is None else _filled("tool_arg", argument)
    return JudgedPart("tool", _filled("tool_arg", tool), inner)


def file(path: str) -> JudgedPart:
    """Judge a file that a command writes. The path is relative to the command's working directory.

    Raises:
        UsageError: the path is empty or not a string.
    """
    return JudgedPart("file", _filled("file", path))


def _filled(function: str, name: str) -> str:
    if isinstance(name, str) and name.strip():
        return name
    example = "'plan.md'" if function == "file" else "'write_file', 'content'"
    raise UsageError(f"{function} needs a name: got {name!r}; write {function}({example})")
