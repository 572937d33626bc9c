"""Trials of the drawn validators' and catalogues' texts: each with the faults that its text says.

What a text says is known, since the fault was made. A text that does not tell the fault to anybody is left out: one
that is the same for another fault or item, or that does not name the field.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.retry.reading.wordings.documents import overlap

from .cases import APP_LINES
from .documents import Fault, faults, limit_of
from .draw import SEED
from .phrases import near_faults
from .recordings import ENVELOPES
from .trial import Trial, Unsaid

EACH = 4
"""Faults that are taken for one rendering of one document."""
PAIRS = 2
"""Texts about two faults, for one rendering of one document."""
BARE = re.compile(
    r"\b(invalid|ungültig\w*|inv[aá]lid[oae]s?|v[aá]lid[oae]s?|incorrect\w*|correcte?)\b|无效|有效|不合法|正确",
    re.IGNORECASE,
)
"""Says that a value is wrong and not why ("Invalid value."): no truth is known where the field breaks another rule."""
TYPE_WORDS = re.compile(r"int|num|str|bool|typ|zahl|zeichen|entero|entier|nombre|texto|数|类型|字符", re.IGNORECASE)
Texts = Mapping[str, str]
"""By fault what one rendering says."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """One way of printing one source's errors about one document."""

    source: str
    language: str
    name: str
    document: str
    texts: Texts
    """By the faults' key of collect.py."""


def trials(texts: Mapping[str, Any]) -> Iterator[Trial]:
    """Yield all trials of what `collect` wrote, always the same ones."""
    for source, languages in sorted(texts.items()):
        for language, documents in languages.items():
            for document, said in documents.items():
                for name, by_faults in renderings(f"{source} {language}", said).items():
                    yield from _of_rendering(Rendering(source, language, name, document, by_faults))


def renderings(name: str, said: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return by rendering the text of each key: the validator's own, and what apps make of its errors one by one."""
    made: dict[str, dict[str, str]] = {}
    start = sum(map(ord, name))
    for key, one in said.items():
        own = {f"own: {rendering}": text for rendering, text in one["texts"].items()}
        for rendering, text in (own | _of_errors(one.get("errors", []), start)).items():
            made.setdefault(rendering, {})[key] = text
    return made


def _of_errors(errors: list[list[str]], start: int) -> dict[str, str]:
    """Return errors as a JSON map, a JSON list, and in two of the lines that apps print."""
    if not errors:
        return {}
    made = {
        "map": json.dumps({path: [message] for path, message in errors}, ensure_ascii=False),
        "list": json.dumps([{"path": path, "message": message} for path, message in errors], ensure_ascii=False),
    }
    for line in (APP_LINES[start % len(APP_LINES)], APP_LINES[(start + 3) % len(APP_LINES)]):
        lines = [line.format(n=n, path=path, message=message) for n, (path, message) in enumerate(errors, 1)]
        made[f"app: {line}"] = "\n".join(lines)
    return made


def _of_rendering(of: Rendering) -> Iterator[Trial]:
    chance = random.Random(f"{SEED} {of.source} {of.language} {of.name} {of.document}")
    ways = faults(of.document)
    telling = [name for name in ways if name in of.texts and tells(of.texts, of.document, ways[name])]
    envelopes = list(ENVELOPES)
    chance.shuffle(envelopes)

    def trial(about: str, answer: tuple[str, ...], said: tuple[str, ...], kind: Unsaid | None = None) -> Trial:
        envelopes.append(envelopes.pop(0))
        return Trial(
            group="drawn validators and catalogues",
            unit=of.source,
            language=of.language,
            envelope=envelopes[0],
            document=of.document,
            answer=answer,
            text=of.texts[about],
            said=said,
            kind=kind,
            row=of.source,
        )

    for name in chance.sample(telling, min(EACH, len(telling))):
        yield trial(name, (name,), (name,))
        for other, kind in near_faults(of.document, ways[name]):
            if not may_say(of.texts, of.document, ways[name], other):
                yield trial(name, (other["name"],), (), kind)
    pairs = [key.split(" + ") for key in of.texts if " + " in key]
    for first, second in [pair for pair in pairs if set(pair) <= set(telling)][:PAIRS]:
        said = said_of_two(of.texts, first, second)
        if said:
            yield trial(f"{first} + {second}", (first, second), said, None if len(said) == 2 else Unsaid.PARTIAL)
        if not may_say(of.texts, of.document, ways[first], ways[second]):
            yield trial(first, (first, second), (first,), Unsaid.PARTIAL)


def tells(texts: Texts, document: str, fault: Fault) -> bool:
    """Whether a text tells its fault: it is no other fault's or item's, names the field, and is not about a limit."""
    text = texts[fault["name"]]
    others = {key for key in texts if key != fault["name"] and " + " not in key}
    rivals = {key for key in others if " ~" not in key or key.startswith(f"{fault['name']} ~")}
    if any(texts[key] == text for key in rivals):
        return False
    named = next(str(step) for step in reversed(fault["path"]) if isinstance(step, str))
    if not re.search(rf"(?<![a-z]){named.replace('_', '[_ ]?')}(?![a-z])", text, re.IGNORECASE):
        return False
    return fault["rule"] != "type" or TYPE_WORDS.search(text) is not None or not _limits(document, fault, text)


def _limits(document: str, fault: Fault, text: str) -> bool:
    """Whether the text names a limit of the fault's field: "AtMost(28)"."""
    same = [one for one in faults(document).values() if one["path"] == fault["path"]]
    return any(_has_number(text, limit_of(document, one)) for one in same)


def _has_number(text: str, number: float | None) -> bool:
    return number is not None and re.search(rf"(?<![\d.]){re.escape(str(number))}(?![\d.]*\d)", text) is not None


def may_say(texts: Texts, document: str, fault: Fault, other: Fault) -> bool:
    """Whether a text about one fault may say the other too, so that no truth is known.

    It does where both texts are the same, where a range names the other limit, and where "invalid" is all it says of a
    field that breaks another rule.
    """
    text = texts[fault["name"]]
    if texts.get(other["name"]) == text:
        return True
    if fault["path"] != other["path"]:
        return overlap(fault["path"], other["path"])
    return _has_number(text, limit_of(document, other)) or BARE.search(text) is not None


def said_of_two(texts: Texts, first: str, second: str) -> tuple[str, ...]:
    """Return what a text about two faults says: the one whose own text it is, or both where it is longer."""
    both = texts[f"{first} + {second}"]
    alone = tuple(name for name in (first, second) if texts[name] == both)
    longer = all(len(both) > len(texts[name]) for name in (first, second))
    return alone or ((first, second) if longer else ())
