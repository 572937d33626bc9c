"""The script of one conversation, as an immutable value that maps requests to the model's answers."""

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
"""All behaviours. Hypothesis shrinks to the first."""
OTHER_TASK = {"weather": "mild", "wind_kmh": 12}
"""An answer to another question."""


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """One mistake in a document."""

    kind: str
    """Kind of the near miss: "too_short", "unlisted_value", …"""
    path: Path
    """The path of the mistake: keys and 0-based indices. () is the whole document."""
    value: Any
    """The wrong value."""

    def __str__(self) -> str:
        """Return the kind and the path: 'too_short at tasks[0].title'."""
        return f"{self.kind} at {to_dotted(self.path)}"


@dataclass(frozen=True, slots=True)
class Heard:
    """The feedback in a request about the previous answer."""

    anything: bool = False
    """True if the request feeds back any finding of that answer."""
    paths: tuple[Path, ...] = ()
    """Places of the findings that the request feeds back."""
    words: str = ""
    """All new text in the request."""

    def concerns(self, fault: AnswerFault) -> bool:
        """Return True if a finding is fed back at the fault's path, or at a parent or child of it."""
        return any(along(path, fault.path) for path in self.paths)


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """One answer of a scripted model."""

    text: str
    finish: Literal["stop", "length"] = "stop"
    """Why the answer ended; "length" if the token limit was reached."""
    faults: tuple[int, ...] = ()
    """The mistakes in the document, as 0-based indices into the conversation's faults."""


@dataclass(frozen=True, slots=True)
class ScriptedConversation:
    """A model that answers one task: its behaviour, the right document, and its initial mistakes.

    It fixes only what is fed back. The same values give the same answers, so you can copy an example into a test.
    """

    behaviour: Behaviour
    """How the model answers:

    - "right": the right document at once.
    - "fixes": fixes one fault for each request that feeds back a finding of it.
    - "regresses": the same, but the fault that was fixed first returns when the second is fixed.
    - "swings": alternates between the first fault and the second, and always has one of them.
    - "echoes_schema": the schema itself, and the right document after feedback.
    - "truncates": the right document without its end, cut by the token limit, and all of it after feedback.
    - "copies_error": the words of the feedback, once; then as "fixes".
    - "ignores": the same faults after any feedback.
    - "answers_another_task": the answer to another question, and the right document after feedback.
    """
    value: Any
    """The right document; a text for a contract of plan rules."""
    faults: tuple[AnswerFault, ...] = ()
    """Faults at independent places: two for "regresses" and "swings", one to three for "fixes", "copies_error" and
    "ignores", none for other behaviours."""
    cut: int = 0
    """For "truncates": number of characters missing at the end of the first answer, from 1 to the text's length."""

    def answer(
        self, before: Sequence[ScriptedAnswer], heard: Heard, schema: Mapping[str, Any] | None = None
    ) -> ScriptedAnswer:
        """Return the next answer.

        Args:
            before: the answers so far, oldest first; () for the first request.
            heard: the feedback in the request on the last of them.
            schema: JSON Schema of the contract, for "echoes_schema".
        """
        if not before:
            return self._first(schema)
        if before[-1].finish == "stop" and before[-1] == self.right():
            return before[-1]
        return _NEXT[self.behaviour](self, before, heard)

    def _first(self, schema: Mapping[str, object] | None) -> ScriptedAnswer:
        if self.behaviour == "echoes_schema":
            return ScriptedAnswer(json.dumps(schema or {}))
        if self.behaviour == "answers_another_task":
            return ScriptedAnswer(json.dumps(OTHER_TASK))
        if self.behaviour == "truncates":
            return ScriptedAnswer(self.right().text[: -self.cut or None], "length")
        first = () if self.behaviour == "right" else (0,) if self.behaviour == "swings" else range(len(self.faults))
        return self.with_faults(first)

    def right(self) -> ScriptedAnswer:
        """Return the answer without faults."""
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
        """Return the last answer with the first fault fixed that the request feeds back."""
        repaired = next((index for index in last.faults if heard.concerns(self.faults[index])), None)
        return last if repaired is None else self.with_faults([index for index in last.faults if index != repaired])


def _regresses(script: ScriptedConversation, before: Sequence[ScriptedAnswer], heard: Heard) -> ScriptedAnswer:
    """Reintroduce the first fixed fault when the second is fixed, once."""
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


def along(one: Path, other: Path) -> bool:
    """Return True if one path is equal to the other or a prefix of it."""
    return one[: len(other)] == other or other[: len(one)] == one
