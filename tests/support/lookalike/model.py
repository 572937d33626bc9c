"""The look-alike's "model": bad at first, then it fixes exactly what the request states, and nothing else.

It holds no state and counts no calls: the same request always gets the same answer. It starts from the earlier answer
if the request quotes one, else from `Script.bad`, and fixes a field only when the latest turn names the field's path
beside an error. A retry without feedback gets the bad answer again.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

THANKS = "Thank you."
"""Ends a tool's result that needs no further call: the document is taken, or nobody tries again."""
_MISSING = object()
_ERROR_WORDS = re.compile(
    r"expected|\bgot\b|input should|field required|missing|invalid|at least|at most|too short|too long|valid(?:ation)? "
    r"error|must be|should be|not one of|does not exist|type=",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Script:
    """How the model behaves on requests whose text contains `when`."""

    good: Any
    """The right document."""
    bad: Any
    """What it answers as long as nobody tells what is wrong."""
    when: str = ""
    """Substring of the request's text that selects this script; "" fits every request."""
    tool: str | None = None
    """Answer by calling this tool; None answers with text."""
    wrap: str = "{}"
    """Put around the JSON text, for example a fence; `{}` stands for the document."""
    needs_tokens: int = 0
    """With a smaller token limit in the request the answer is cut in half and ends with reason "length"."""
    refusal: str | None = None
    """Decline with these words instead of answering."""
    failures: tuple[tuple[int, dict[str, str]], ...] = ()
    """(status, headers) sent, one per request, before the first answer; the one thing that counts calls."""
    gzip: bool = False
    delay_s: float = 0.0
    """Waited before anything is sent."""
    note: str = field(default="", repr=False)
    """Text put before the document, for example to plant a secret."""
    closing: str = ""
    """Said instead of another call once a tool's result ends with `THANKS`; "" calls the tool for ever."""
    closing_tool: str | None = None
    """Say the closing words as the argument "answer" of this tool, as smolagents' `final_answer` has it."""


@dataclass(frozen=True)
class Turn:
    """One message of a request, free of the provider's shape."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str


@dataclass(frozen=True)
class Answer:
    """What the model says, free of the provider's shape."""

    text: str
    tool: str | None = None
    finish: Literal["stop", "length", "refusal"] = "stop"
    number: int = 1
    """Which answer of the conversation it is, for an id of each call: some agents refuse one that they have met."""


def answer(script: Script, turns: list[Turn], max_tokens: int | None) -> Answer:
    """Return the answer of `script` to `turns`, cut if the token limit is smaller than the script needs."""
    if script.refusal is not None:
        return Answer(script.refusal, finish="refusal")
    if script.closing and THANKS in _stated(turns):
        return _closing(script)
    document = mend(_start(script, turns), script.good, _stated(turns))
    text = json.dumps(document, ensure_ascii=False)
    number = 1 + sum(turn.role == "assistant" for turn in turns)
    if script.tool is None:
        text = script.note + script.wrap.replace("{}", text)
    if max_tokens is not None and max_tokens < script.needs_tokens:
        return Answer(text[: len(text) // 2], script.tool, "length", number)
    return Answer(text, script.tool, number=number)


def _closing(script: Script) -> Answer:
    if script.closing_tool is None:
        return Answer(script.closing)
    return Answer(json.dumps({"answer": script.closing}), script.closing_tool)


def mend(document: Any, good: Any, stated: str) -> Any:
    """Return a copy of `document` with the fields in `stated` fixed; an unreadable document is fixed as a whole."""
    if not isinstance(document, dict) or not isinstance(good, dict):
        return good if _ERROR_WORDS.search(stated) else document
    document = copy.deepcopy(document)
    only = len(document) == 1  # a tool's one parameter, {"ticket": {...}}: errors are often told from there on
    for path, right in list(_differences(document, good)):
        starts = (0, 1) if only and len(path) > 1 else (0,)
        if any(_named(path[start:end], stated) for start in starts for end in range(start + 1, len(path) + 1)):
            _put(document, path, right)
    return document


def _start(script: Script, turns: list[Turn]) -> Any:
    for turn in reversed(turns):
        if turn.role == "assistant":
            return _parse(turn.text, script.bad)
    return script.bad


def _parse(text: str, otherwise: Any) -> Any:
    start, end = text.find("{"), text.rfind("}")
    try:
        return json.loads(text[start : end + 1])
    except ValueError:
        return otherwise


def _stated(turns: list[Turn]) -> str:
    """Return the last turn of any role: some clients put errors into the model's turn, some print them escaped."""
    said = [turn.text for turn in turns if turn.role != "system"]
    return said[-1].replace("\\n", "\n") if said else ""


def _differences(have: Any, want: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield the places where `have` is wrong, with the right value; `_MISSING` for a place to remove."""
    if isinstance(have, dict) and isinstance(want, dict):
        for key in [*want, *(k for k in have if k not in want)]:
            yield from _differences(have.get(key, _MISSING), want.get(key, _MISSING), (*path, key))
    elif isinstance(have, list) and isinstance(want, list) and len(have) == len(want):
        for index, (left, right) in enumerate(zip(have, want, strict=True)):
            yield from _differences(left, right, (*path, index))
    elif have != want:
        yield path, want


def _named(path: tuple[str | int, ...], stated: str) -> bool:
    """Return whether a line names the path in any usual spelling, and that line or the next mentions an error."""
    dotted = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)[1:]
    spellings = {
        dotted,
        f"$.{dotted}",
        ".".join(map(str, path)),
        "/" + "/".join(map(str, path)),
        json.dumps(path)[1:-1],
    }
    pattern = re.compile("|".join(rf"(?<![\w.\]/]){re.escape(s)}(?![\w\[])" for s in sorted(spellings)))
    lines = stated.split("\n")
    return any(
        pattern.search(line) and _ERROR_WORDS.search(" ".join(lines[at : at + 2])) for at, line in enumerate(lines)
    )


def _put(document: Any, path: tuple[str | int, ...], value: Any) -> None:
    for step in path[:-1]:
        document = document[step]
    if value is _MISSING:
        del document[path[-1]]
    else:
        document[path[-1]] = copy.deepcopy(value)
