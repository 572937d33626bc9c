"""What a scripted model does in one conversation: a value, and a pure function from what is said to its answers."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

from ...document.path import Path, put_at, to_dotted

Behaviour = Literal[
    "right",
    "fixes",
    "ignores",
    "truncates",
    "echoes_schema",
    "answers_another_task",
    "copies_error",
    "regresses",
    "swings",
]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)
"""What an example shrinks to stands first."""
OTHER_TASK = {"weather": "mild", "wind_kmh": 12}
"""The answer to a question that nobody asked."""


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """One thing that is wrong with a document."""

    kind: str
    """Kind of the near miss: "too_short", "unlisted_value", …"""
    path: Path
    """Where: keys and 0-based indices; () for the whole document."""
    value: Any
    """What stands there instead of what is right."""

    def __str__(self) -> str:
        """Say what is wrong: 'too_short at tasks[0].title'."""
        return f"{self.kind} at {to_dotted(self.path)}"


@dataclass(frozen=True, slots=True)
class Heard:
    """What a request says about the answer before it."""

    anything: bool = False
    """Whether it feeds back any finding of that answer."""
    paths: tuple[Path, ...] = ()
    """Places of the findings that it feeds back."""
    words: str = ""
    """All that is new in it."""

    def concerns(self, fault: AnswerFault) -> bool:
        """Return whether a finding is fed back at the fault, above it or below it."""
        return any(_along(path, fault.path) for path in self.paths)


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """One answer of a scripted model."""

    text: str
    finish: Literal["stop", "length"] = "stop"
    """Why it ended; "length" for an answer that the token limit cut off."""
    faults: tuple[int, ...] = ()
    """What is wrong with its document: indices into the conversation's faults, from 0."""


@dataclass(frozen=True, slots=True)
class ScriptedConversation:
    """A model that answers one task: how it behaves, what is right, and what it has wrong at first.

    It fixes only what it is told. The same values give the same answers, so an example can be written down and run
    again.
    """

    behaviour: Behaviour
    """
    "right": the right document at once.
    "fixes": one fault for each request that feeds back a finding of it.
    "regresses": the same, but what was fixed first is wrong once more when the second is fixed.
    "swings": has the first fault and the second one by turns, and never neither.
    "echoes_schema": the schema itself, and the right document once it is told.
    "truncates": the right document without its end, cut by the token limit, and all of it once it is told.
    "copies_error": the words of the feedback, once; then as "fixes".
    "ignores": the same faults whatever it is told.
    "answers_another_task": the answer to another question, and the right document once it is told.
    """
    value: Any
    """The right document; a text for a contract of plan rules."""
    faults: tuple[AnswerFault, ...] = ()
    """At places that do not contain each other: two for "regresses" and "swings", one to three for "fixes",
    "copies_error" and "ignores", none for others."""
    cut: int = 0
    """Characters that are missing at the end of what "truncates" answers first; 1 to the text's length."""

    def answer(
        self, before: Sequence[ScriptedAnswer], heard: Heard, schema: Mapping[str, Any] | None = None
    ) -> ScriptedAnswer:
        """Return the next answer.

        Args:
            before: the answers so far, the first one first; () for the first request.
            heard: what the request says about the last of them.
            schema: JSON Schema of the contract, for "echoes_schema".
        """
        if not before:
            return self._first(schema)
        if before[-1].finish == "stop" and before[-1] == self.right():
            return before[-1]
        return _NEXT[self.behaviour](self, before, heard)

    def _first(self, schema: Mapping[str, Any] | None) -> ScriptedAnswer:
        if self.behaviour == "echoes_schema":
            return ScriptedAnswer(json.dumps(schema or {}))
        if self.behaviour == "answers_another_task":
            return ScriptedAnswer(json.dumps(OTHER_TASK))
        if self.behaviour == "truncates":
            return ScriptedAnswer(self.right().text[: -self.cut or None], "length")
        first = () if self.behaviour == "right" else (0,) if self.behaviour == "swings" else range(len(self.faults))
        return self.with_faults(first)

    def right(self) -> ScriptedAnswer:
        """Return the answer with nothing wrong in it."""
        return self.with_faults(())

    def with_faults(self, faults: Sequence[int]) -> ScriptedAnswer:
        """Return the document with these faults, by their indices."""
        document = copy.deepcopy(self.value)
        for fault in (self.faults[index] for index in faults):
            if fault.path:
                put_at(document, fault.path, fault.value)
            else:
                document = fault.value
        text = document if isinstance(self.value, str) else json.dumps(document)
        return ScriptedAnswer(text, faults=tuple(faults))

    def repaired(self, last: ScriptedAnswer, heard: Heard) -> ScriptedAnswer:
        """Return the last answer without the first of its faults that is fed back."""
        repaired = next((index for index in last.faults if heard.concerns(self.faults[index])), None)
        return last if repaired is None else self.with_faults([index for index in last.faults if index != repaired])


def _regresses(script: ScriptedConversation, before: Sequence[ScriptedAnswer], heard: Heard) -> ScriptedAnswer:
    """Bring the first fixed fault back when the second is fixed, once."""
    last, better = before[-1], script.repaired(before[-1], heard)
    gone = [index for index in range(len(script.faults)) if index not in last.faults]
    came_back = any(set(now.faults) - set(earlier.faults) for earlier, now in pairwise(before))
    if better is last or len(gone) != 1 or came_back:
        return better
    return script.with_faults(sorted({*better.faults, *gone}))


def _swings(script: ScriptedConversation, before: Sequence[ScriptedAnswer], heard: Heard) -> ScriptedAnswer:
    last = before[-1]
    return script.with_faults([1 - last.faults[0]]) if script.repaired(last, heard) is not last else last


def _copies(script: ScriptedConversation, before: Sequence[ScriptedAnswer], heard: Heard) -> ScriptedAnswer:
    if len(before) == 1:
        return ScriptedAnswer(heard.words, faults=before[0].faults) if heard.words.strip() else before[0]
    if not heard.anything:
        return before[-1]
    return script.repaired(ScriptedAnswer("", faults=before[-1].faults), heard)


_Next = Callable[[ScriptedConversation, Sequence[ScriptedAnswer], Heard], ScriptedAnswer]
_SAME: _Next = lambda _, before, __: before[-1]  # noqa: E731 - one of a table
_RIGHT_ONCE_HEARD: _Next = lambda script, before, heard: script.right() if heard.anything else before[-1]  # noqa: E731
_NEXT: Mapping[Behaviour, _Next] = {
    "fixes": lambda script, before, heard: script.repaired(before[-1], heard),
    "regresses": _regresses,
    "swings": _swings,
    "copies_error": _copies,
    **dict.fromkeys(("ignores", "right"), _SAME),
    **dict.fromkeys(("echoes_schema", "truncates", "answers_another_task"), _RIGHT_ONCE_HEARD),
}


def _along(one: Path, other: Path) -> bool:
    """Return whether one of two paths leads to the other or is the same."""
    return one[: len(other)] == other or other[: len(one)] == one
