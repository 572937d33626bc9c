"""How the apps word what is wrong with an answer, and how a broken version of each does. A part of the project."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .subjects import SUBJECTS, Fault, faults, other_rule
from .tables import FRIENDLY, GENERIC, GERMAN_FRIENDLY, LANGUAGES, RULES, SYNONYMS, TYPES

LOSSY = ("dropping", "swallowed first", "swallowed last", "cut at a budget", "constant", "generic", "blind")
MISDIRECTED = ("wrong field", "other rule", "wrong item", "stale")
VERSIONS = ("right", *LOSSY, *MISDIRECTED)


@dataclass(frozen=True)
class Wording:
    """One way to say what is wrong."""

    say: Callable[[Sequence[Fault]], str]
    """All that is wrong at once."""
    names: bool = True
    """Whether the words hold a name, a number or a value."""
    first: bool = False
    """Whether only the first error is said, which its test allows."""
    language: str = "english"


def dotted(fault: Fault) -> str:
    """Return "rooms[1].price"."""
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.path)
    return shown.removeprefix(".")


def pointer(fault: Fault) -> str:
    """Return "/rooms/1/price"."""
    return "".join(f"/{step}" for step in fault.path)


def spoken(fault: Fault) -> str:
    """Return "price of entry 2 of rooms", counted from 1."""
    shown, holder = "", ""
    for step in fault.path:
        if isinstance(step, int):
            shown, holder = f"entry {step + 1} of {shown}", ""
        else:
            shown, holder = (f"{step} of {shown}" if shown else step), step
    del holder
    return f"the {shown}"


def rule(fault: Fault, table: str) -> str:
    """Return what a table says of a fault."""
    allowed = fault.allowed.replace("'", '"')
    return RULES[table][fault.rule].format(
        place=dotted(fault), bound=fault.bound, value=fault.value, allowed=allowed, type=TYPES[table][fault.type]
    )


def in_language(language: str) -> Wording:
    """Return sentences of a language, with the place in it."""
    return Wording(lambda found: " ".join(rule(f, language) for f in found), language=language)


def pydantic(found: Sequence[Fault]) -> str:
    """Say it as pydantic does."""
    head = f"{len(found)} validation error{'s' * (len(found) != 1)} for {SUBJECTS[found[0].subject].model.__name__}"
    lines = (f"{'.'.join(map(str, f.path))}\n  {rule(f, 'validator')} [input_value={f.value!r}]" for f in found)
    return "\n".join([head, *lines])


def outline(found: Sequence[Fault]) -> str:
    """Nest messages as Django's serializers do: an object or a list for each level."""
    tree: dict[str, object] = {}
    for fault in found:
        _grow(tree, fault, [rule(fault, "validator")])
    return json.dumps(tree, ensure_ascii=False)


def _grow(tree: dict[str, object], fault: Fault, message: list[str]) -> None:
    holder: object = tree
    for at, step in enumerate(fault.path):
        last = at == len(fault.path) - 1
        fresh: object = message if last else [] if isinstance(fault.path[at + 1], int) else {}
        if isinstance(holder, list) and isinstance(step, int):
            holder += [{} for _ in range(step + 1 - len(holder))]
            holder[step] = fresh if last or isinstance(fresh, list) else holder[step]
            holder = holder[step]
        elif isinstance(holder, dict):
            holder = holder.setdefault(str(step), fresh)


def listed(found: Sequence[Fault]) -> str:
    """List errors as JSON pointers."""
    errors = [{"pointer": pointer(f), "detail": rule(f, "plain")} for f in found]
    return json.dumps({"title": "Unprocessable", "status": 422, "errors": errors}, indent=2)


def violations(found: Sequence[Fault]) -> str:
    """List errors as Google's APIs do."""
    details = [{"field": dotted(f), "description": rule(f, "plain")} for f in found]
    body = {"code": 400, "message": "Request contains an invalid argument.", "details": [{"fieldViolations": details}]}
    return json.dumps({"error": body})


def table(found: Sequence[Fault]) -> str:
    """List errors in a table."""
    lines = (f"| `{dotted(f)}` | {rule(f, 'plain')} | {f.value} |" for f in found)
    return "\n".join(["| field | problem | got |", "|---|---|---|", *lines])


def xml(found: Sequence[Fault]) -> str:
    """List errors as elements."""
    lines = (
        f"  <error>\n    <path>{dotted(f)}</path>\n    <message>{rule(f, 'plain')}</message>\n  </error>" for f in found
    )
    return "\n".join(["<errors>", *lines, "</errors>"])


def numbered(found: Sequence[Fault]) -> str:
    """Number the errors."""
    return "Please fix:\n" + "\n".join(f"{n}. {dotted(f)} {rule(f, 'plain')}" for n, f in enumerate(found, 1))


def sentences(found: Sequence[Fault]) -> str:
    """Speak of places in words, with items counted from 1."""
    return " ".join(f"I looked at {spoken(f)}: it {rule(f, 'plain')}." for f in found)


def one_line(found: Sequence[Fault]) -> str:
    """Join everything with commas."""
    return "rejected (" + ", ".join(f"{dotted(f)} {rule(f, 'plain')}" for f in found) + ")"


def values(found: Sequence[Fault]) -> str:
    """Quote what was wrong."""
    got = (f"{'nothing' if f.rule == 'missing' else repr(f.value)} as {f.field}" for f in found)
    return f"We got {' and '.join(got)}, which will not do."


def places(found: Sequence[Fault]) -> str:
    """Name places alone."""
    return "Please have another look at " + " and ".join(map(dotted, found)) + "."


def messages(found: Sequence[Fault]) -> str:
    """Say the rules alone."""
    return "; ".join(rule(f, "validator") for f in found)


def friendly(words: dict[str, tuple[str, str]]) -> Callable[[Sequence[Fault]], str]:
    """Return how to say it in free words; another rule than the field's usual one has its own."""

    def say(found: Sequence[Fault]) -> str:
        return " ".join(words[f.field][not f.usual] for f in found)

    return say


def summary(found: Sequence[Fault]) -> str:
    """Sum it up in one sentence."""
    return f"Nearly. Have another look at {' and '.join(SYNONYMS[f.field] for f in found)}."


WORDINGS = {
    **{language: in_language(language) for language in LANGUAGES},
    "pydantic": Wording(pydantic),
    "outline": Wording(outline),
    "listed": Wording(listed),
    "violations": Wording(violations),
    "table": Wording(table),
    "xml": Wording(xml),
    "numbered": Wording(numbered),
    "sentences": Wording(sentences),
    "one line": Wording(one_line),
    "values": Wording(values),
    "places": Wording(places),
    "messages": Wording(messages),
    "one at a time": Wording(lambda found: rule(found[0], "english"), first=True),
    "friendly": Wording(friendly(FRIENDLY), names=False),
    "freundlich": Wording(friendly(GERMAN_FRIENDLY), names=False, language="german"),
    "summary": Wording(summary, names=False),
}


class Feedback:
    """How one app words what is wrong; `version` is what it does with it."""

    def __init__(self, subject: str, position: str, wording: str, version: str, number: int = 0) -> None:
        """`number` is that of the case, by which the model knows what to answer."""
        self._subject, self._version, self._position, self._number = subject, version, position, number
        self._wording = WORDINGS[wording]
        self._which = sum(map(ord, subject + wording + position))
        """By which a break that has several forms takes one."""
        self._before: list[Fault] = []

    @property
    def task(self) -> str:
        """What is asked for."""
        return f"{SUBJECTS[self._subject].task} Case {self._number}."

    def __call__(self, text: str) -> str | None:
        """The feedback on an answer; None for a good one."""
        found = faults(self._subject, text)
        if not found:
            return None
        if self._version == "stale":
            found, self._before = self._before or found, found
        if self._version in ("generic", "blind"):
            return "Again, please." if self._version == "blind" else GENERIC[self._wording.language]
        if self._version == "constant":
            found = self._expected
        if self._version == "cut at a budget":
            return self._wording.say(found)[: self._budget]
        found = self._broken(found)
        return self._wording.say(found) if found else GENERIC[self._wording.language]

    @property
    def _budget(self) -> int:
        """Characters up to the words about the last error of the case."""
        *others, last = self._expected
        texts = [self._wording.say([*others, one]) for one in (last, self._elsewhere(other_rule(last, 0)))]
        same = next(n for n, (one, other) in enumerate(zip(*texts, strict=False)) if one != other)
        return len(texts[0][:same].rstrip(".,/ [\"'`"))

    @property
    def _expected(self) -> list[Fault]:
        """What is wrong with the first answer of the case."""
        return faults(self._subject, SUBJECTS[self._subject].bad(self._position))

    def _broken(self, found: list[Fault]) -> list[Fault]:
        """Return the errors as the version tells them."""
        if self._version in ("dropping", "swallowed first", "swallowed last"):
            return self._without(found)
        if self._version == "other rule":
            return [other_rule(fault, self._which) for fault in found]
        change = {"wrong field": self._elsewhere, "wrong item": _next_item}.get(self._version)
        return [change(fault) for fault in found] if change is not None else found

    def _without(self, found: list[Fault]) -> list[Fault]:
        """Leave out an error that the answer of the case has."""
        wrong = list(SUBJECTS[self._subject].wrong[self._position])
        if self._version == "dropping":
            return [fault for fault in found if fault.path != wrong[len(wrong) // 2]]
        return found[1:] if self._version == "swallowed first" else found[:-1]

    def _elsewhere(self, fault: Fault) -> Fault:
        """Tell it of the next plain field."""
        fields = [name for name in SUBJECTS[self._subject].model.model_fields if name != fault.path[0]]
        at = fields[(self._which + len(str(fault.path))) % len(fields)]
        return replace(fault, path=(at,))


def _next_item(fault: Fault) -> Fault:
    """Tell it of the item behind, as who counts wrongly does; of the first one where it is the last."""
    sizes = {"steps": 3, "rooms": 3, "days": 3, "dishes": 2}
    at = max((n for n, step in enumerate(fault.path) if isinstance(step, int)), default=None)
    if at is None:
        return fault
    size = sizes[str(fault.path[at - 1])]
    return replace(fault, path=(*fault.path[:at], (int(fault.path[at]) + 1) % size, *fault.path[at + 1 :]))


def is_broken(subject: str, position: str, wording: str, version: str) -> bool | None:
    """Return whether a version is at fault; None where it says what the right one says."""
    wrong = SUBJECTS[subject].wrong[position]
    style = WORDINGS[wording]
    if version == "wrong item":
        told = list(wrong)[:1] if style.first else wrong
        shows = any(isinstance(step, int) for path in told for step in path) and wording not in ITEMLESS
        return True if shows else None
    if version == "cut at a budget" and len(wrong) < 2:
        return None
    if style.first and version in ("swallowed last", "cut at a budget", "dropping") and len(wrong) > 1:
        return None
    if version == "other rule" and wording in ("places", "values", "summary"):
        return None
    if version == "wrong field" and wording == "messages":
        return None
    if version == "other rule" and ... in wrong.values():
        return None  # what is missing is of no type, as some validators say
    return version != "right"


ITEMLESS = ("messages", "values", "friendly", "freundlich", "summary")
"""Wordings that speak of no item."""
