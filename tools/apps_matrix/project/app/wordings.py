"""How the apps word what is wrong with an answer. A part of the generated project."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .subjects import SUBJECTS, Fault
from .tables import FRIENDLY, GERMAN_FRIENDLY, LANGUAGES, RULES, SYNONYMS, TYPES


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
    items: bool = True
    """Whether it tells items of a list apart."""
    rules: bool = True
    """Whether it says what is wrong with a place."""
    fields: bool = True
    """Whether it says which place is wrong."""


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
    "values": Wording(values, items=False, rules=False),
    "places": Wording(places, rules=False),
    "messages": Wording(messages, items=False, fields=False),
    "one at a time": Wording(lambda found: rule(found[0], "english"), first=True),
    "friendly": Wording(friendly(FRIENDLY), names=False, items=False),
    "freundlich": Wording(friendly(GERMAN_FRIENDLY), names=False, language="german", items=False),
    "summary": Wording(summary, names=False, items=False, rules=False),
}
