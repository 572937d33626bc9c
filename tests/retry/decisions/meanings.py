"""What words say of a finding that they appear and disappear with, in several languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_planguard import Contract
from pytest_planguard.retry.proving.meaning import saying

from ...support.decisions import Block, Decided, Messages, inputs, quoted
from ...support.places import dotted

ROOM = {
    "type": "object",
    "properties": {"kind": {"enum": ["single", "suite"]}, "beds": {"type": "integer", "minimum": 1, "maximum": 6}},
    "required": ["kind"],
}
STAY = Contract(
    {
        "title": "Stay",
        "type": "object",
        "properties": {
            "guest": {"type": "string", "minLength": 3, "maxLength": 41},
            "nights": {"type": "integer", "minimum": 1, "maximum": 28},
            "code": {"type": "string", "pattern": "^BK-[0-9]+$"},
            "tags": {"type": "array", "minItems": 2, "maxItems": 5, "items": {"type": "string"}},
            "rooms": {"type": "array", "items": ROOM},
        },
        "required": ["guest", "nights"],
    }
)
_QUOTED = re.compile(r"\(.*\)| (?:about|not) [^ ]+$|(?<=about )\w+(?=,)")
"""What a reason quotes: "(guest)" and "not nights" in "the words are about other places (guest), not nights"."""
NAMES = {"guest", "nights", "code", "tags", "rooms", "kind", "beds"}
GOOD: dict[str, Any] = {"guest": "Anna", "nights": 4, "rooms": [{"kind": "single"}]}
BROKEN: Mapping[str, tuple[Any, str, str]] = {
    "a number that is too high": ({**GOOD, "nights": 90}, "guest", "at most 28"),
    "a missing field": ({"guest": "Anna"}, "guest", "1 to 28"),
    "a number in a text": ({**GOOD, "nights": "many"}, "guest", "an integer"),
    "a text that is too short": ({**GOOD, "guest": "P"}, "nights", "three letters or more"),
    "a text in the wrong form": ({**GOOD, "code": "seven"}, "guest", "BK-"),
    "a list that is too short": ({**GOOD, "tags": ["x"]}, "nights", "2 items"),
    "a choice of the second item": (
        {**GOOD, "rooms": [{"kind": "suite"}, {"kind": "cabin"}]},
        "guest",
        "single, suite",
    ),
    "a number in the first item": ({**GOOD, "rooms": [{"kind": "suite", "beds": 0}]}, "nights", "1 or more"),
    "an answer without data": ("I am sorry.", "guest", "JSON"),
}
"""An answer with one finding, a field that the finding is not about, and words for the finding's rule."""
WORDS = inputs("retry", "words_of_a_finding")
SETTINGS = inputs("retry", "words_in_a_setting")


def meanings(page: Messages) -> Iterator[Block]:
    """What each saying means for each finding: by itself, and beside what else the app says."""
    for name, (data, other, bound) in BROKEN.items():
        answer = data if isinstance(data, str) else json.dumps(data)
        (finding,) = STAY.check(answer).errors
        path = finding.path or ("answer",)
        parts = {
            "{key}": str(path[-1]),
            "{KEY}": str(path[-1]).upper(),
            "{cut}": str(path[-1])[:3],
            "{place}": dotted(path),
            "{from_1}": dotted(tuple(step + 1 if isinstance(step, int) else step for step in path)),
            "{value}": (finding.actual or "").strip('"'),
            "{bound}": bound,
            "{other}": other,
        }

        def decided(sayings: list[Any], answer: str = answer, parts: Mapping[str, str] = parts) -> Iterator[Decided]:
            (finding,) = STAY.check(answer).errors
            for one in sayings:
                said = _filled(one if isinstance(one, dict) else {"words": one}, parts)
                found = saying(finding, said.pop("words"), answer, STAY, NAMES, **said)
                about = found.instead.partition(" (request ")[0]
                page.add("reason", found.instead, *parts.values(), *_QUOTED.findall(found.instead))
                decision = f"{found.meaning.value}{', more' * found.more}{f' ({about})' if about else ''}"
                text = one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)
                yield Decided(f"{answer}: {text}", decision, quoted(text) if isinstance(one, str) else text)

        yield Block(f"{name}, and words", [*decided(WORDS)])
        yield Block(f"{name}, and words in a setting", [*decided(SETTINGS)])


def _filled(said: Mapping[str, Any], parts: Mapping[str, str]) -> dict[str, Any]:
    """Return a saying with the finding's own names and values."""
    text = json.dumps(said)
    for mark, part in parts.items():
        text = text.replace(mark, json.dumps(part)[1:-1])
    return dict(json.loads(text))
