"""Which words of a retry disappear with an error, in feedback of every form, and the outline around them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_planguard.retry.proving.attribution import ends_at_limit, entry_around, lines_above, words_that_go

from ...support.decisions import Block, Decided, Messages, inputs, quoted

SEVERAL = inputs("retry", "feedback_of_several_errors")
PAIRS = inputs("retry", "texts_that_change")
OUTLINES = inputs("retry", "outlines")
_TASK = "Write it."


def lost_words(_: Messages) -> Iterator[Block]:
    """What disappears when an error is repaired or another one takes its place, and the lines around it."""
    for one in SEVERAL:
        made = (Decided(json.dumps([one, at]), said, str(error)) for at, error, said in _without_each(one))
        yield Block(one["form"], [*made])
    pairs = [Decided(json.dumps(one), _gone(*one), " to ".join(map(quoted, one))) for one in PAIRS]
    yield Block("a text, and another one", pairs)
    lines = [*(Decided(json.dumps([text, line]), said, line) for text in OUTLINES for line, said in _around(text))]
    yield Block("a line of an outline", lines)
    yield Block("words at the end of a text", [*_ends()])


def _without_each(one: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Yield each error with what disappears without it, and with another one in its place."""
    errors = one["errors"]
    for at, error in enumerate(errors):
        rest = [*errors[:at], *errors[at + 1 :]]
        before, fewer, others = (_told(one, some) for some in (errors, rest, [*rest, one["other"]]))
        yield at, error, f"repaired {_words(before, fewer, cuts=True)}; replaced {_words(before, others, cuts=False)}"


def _told(one: dict[str, Any], errors: Sequence[str]) -> str:
    form = one.get("one", one["form"]) if len(errors) == 1 else one["form"]
    return str(form).replace("{n}", str(len(errors))).replace("{errors}", one["between"].join(errors))


def _words(before: str, now: str, **how: Any) -> str:
    return json.dumps(words_that_go([_TASK, before], [_TASK, now], **how), ensure_ascii=False)


def _gone(before: str, now: str) -> str:
    """Return what disappears in each way of comparing, the usual one first."""
    usual = _words(before, now, cuts=True)
    ways: dict[str, dict[str, Any]] = {
        "replaced": {"cuts": False},
        "with bullets": {"cuts": True, "bullets": True},
        "of item 2": {"cuts": True, "positions": {2, 3}},
    }
    said = ((name, _words(before, now, **how)) for name, how in ways.items())
    return "; ".join([usual, *(f"{name} {words}" for name, words in said if words != usual)])


def _around(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line of a text with the lines above it, and its entry."""
    for line in json.loads(text)["because"].split("\n") if text.startswith("{") else text.split("\n"):
        above, entry = (json.dumps(find(line, [_TASK, text])) for find in (lines_above, entry_around))
        yield line.strip(), f"above {above}, entry {entry}"


_CUT = "Not valid: prior"
_ENDS: dict[str, tuple[str, str, str]] = {
    "as long as the other": ("prior", _CUT, "Not valid: title"),
    "longer than the other": ("prior", _CUT, "Not valid: age"),
    "shorter than the other": ("prior", _CUT, "Not valid: nights"),
    "a sign at the end": ("prio!", "Not valid: prio!", "Not valid: title"),
    "other words at the end": ("Not", _CUT, "Not valid: title"),
    "in a line": ("prior", f"Sorry.\n{_CUT}\nAgain!", "Sorry.\nNot valid: title\nAgain!"),
    "in a line, and the other is short": ("prior", f"Sorry.\n{_CUT}\nAgain!", "Sorry.\nNot valid: age\nAgain!"),
    "in a document": (f'{{"a": "{_CUT}"}}', f'{{"a": "{_CUT}"}}', '{"a": "Not valid: title"}'),
    "the last of two lines": ("Sorry.\nprior", _CUT, "Not valid: title"),
    "nothing": ("", _CUT, "Not valid: title"),
    "no texts": ("prior", "", ""),
}


def _ends() -> Iterator[Decided]:
    for name, (words, before, now) in _ENDS.items():
        found = ends_at_limit(words, [_TASK, before], [_TASK, now])
        yield Decided(json.dumps([words, before, now]), "cut" if found else "whole", name)
