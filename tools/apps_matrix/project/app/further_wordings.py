"""Wordings of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence

from .further_tables import BANTER, FREE, LANGUAGES, TOOLS, TYPE_NAMES, TYPES
from .subjects import SUBJECTS, Fault
from .wordings import Wording, dotted, friendly, pointer

GENERIC = {
    "italian": "Non ci siamo ancora, riprova per favore.",
    "dutch": "Dit is het nog niet, probeer het nog eens.",
    "vietnamese": "Chưa được, vui lòng thử lại.",
    "greek": "Δεν είναι ακόμα σωστό, δοκίμασε ξανά.",
    "arabic": "ليس هذا هو المطلوب، حاول مرة أخرى من فضلك.",
    "hebrew": "זה עדיין לא זה, נסה שוב בבקשה.",
    "hindi": "यह ठीक नहीं है, कृपया फिर से कोशिश करें।",
    "thai": "ยังไม่ถูกต้อง กรุณาลองใหม่อีกครั้ง",
}


def names(column: int) -> dict[str, str]:
    """Return what a language of `FREE` calls fields and rules."""
    rows = (line.split("|") for line in FREE.strip().splitlines())
    return {row[0].strip(): row[column].strip() for row in rows}


def free(column: int, frame: str, language: str = "english") -> Wording:
    """Return sentences of what is called so."""
    called = names(column)

    def say(found: Sequence[Fault]) -> str:
        return " ".join(frame.format(called[f.field], called[f.rule]) for f in found)

    return Wording(say, names=False, items=False, language=language)


def got(fault: Fault) -> str:
    """Return the value as JSON has it."""
    return "undefined" if fault.rule == "missing" else json.dumps(fault.value, ensure_ascii=False)


def choices(fault: Fault) -> str:
    """Return "'jazz', 'folk', 'opera'", in no language."""
    return fault.allowed.replace(" or ", ", ")


def said(fault: Fault, table: str, place: str = "") -> str:
    """Return what a table says of a fault."""
    types = dict(zip(TYPE_NAMES, TYPES.get(table, TYPE_NAMES), strict=True))
    values = {"bound": fault.bound, "value": fault.value, "got": got(fault), "allowed": choices(fault)}
    named = {"place": place, "field": fault.field, "type": types[fault.type]}
    return (LANGUAGES | TOOLS)[table][fault.rule].format(**values, **named)


def chain(fault: Fault, name: str, item: str, start: int = 0) -> str:
    """Return the steps one after the other, with items counted from `start`."""
    return "".join(item.format(s + start) if isinstance(s, int) else name.format(s) for s in fault.path)


def inside_out(fault: Fault, between: str, item: Callable[[int], str]) -> str:
    """Return "memory of containers no. 2", counted from 1."""
    parts: list[str] = []
    for step in fault.path:
        if isinstance(step, int):
            parts[-1] += item(step + 1)
        else:
            parts.append(step)
    return between.join(reversed(parts))


PLACES: dict[str, Callable[[Fault], str]] = {
    "italian": lambda f: inside_out(f, " di ", " n. {}".format),
    "vietnamese": pointer,
    "hindi": lambda f: ".".join(map(str, f.path)),
    "thai": lambda f: inside_out(f, " ของ ", " ลำดับที่ {}".format),
}
"""How a language tells places, unless by dots and brackets."""


def in_language(language: str) -> Wording:
    """Return sentences of a language, one a line, with the place in it."""
    place = PLACES.get(language, dotted)
    return Wording(lambda found: "\n".join(said(f, language, place(f)) for f in found), language=language)


def each(form: Callable[[Fault], str], between: str = "\n", frame: str = "{}") -> Wording:
    """Return the same form for each error."""
    return Wording(lambda found: frame.format(between.join(map(form, found))))


def go(fault: Fault) -> str:
    """Return an error of a struct's tag."""
    place = SUBJECTS[fault.subject].model.__name__
    place += "".join(f"[{s}]" if isinstance(s, int) else f".{s.capitalize()}" for s in fault.path)
    return f"Key: '{place}' Error:Field validation for '{fault.field.capitalize()}' {said(fault, 'go')}"


_KEYWORDS = {"min_length": "minLength", "max_length": "maxLength", "min_items": "minItems", "max_items": "maxItems"}


def ajv(found: Sequence[Fault]) -> str:
    """List errors of a JSON Schema; what is missing is told of its object."""

    def error(fault: Fault) -> dict[str, object]:
        at, keyword = pointer(fault), _KEYWORDS.get(fault.rule, fault.rule)
        params: dict[str, object] = {"limit": fault.bound} if fault.bound is not None else {}
        if fault.rule == "enum":
            params = {"allowedValues": [choice.strip("'") for choice in choices(fault).split(", ")]}
        if fault.rule == "missing":
            at, keyword, params = at.rpartition("/")[0], "required", {"missingProperty": fault.field}
        return {"instancePath": at, "keyword": keyword, "params": params, "message": said(fault, "ajv")}

    return json.dumps([error(fault) for fault in found])


def laravel(found: Sequence[Fault]) -> str:
    """Group messages by place."""
    errors: dict[str, list[str]] = {}
    for fault in found:
        place = ".".join(map(str, fault.path))
        errors.setdefault(place, []).append(said(fault, "laravel", place))
    return json.dumps({"message": "The given data was invalid.", "errors": errors}, indent=4)


def sql(fault: Fault) -> str:
    """Return what a database says of a row, counted from 1."""
    place = chain(fault, ", {}", " row {}", 1).removeprefix(", ")
    return f'ERROR:  new row for relation "{fault.subject}" was refused\nDETAIL:  In {place}: {said(fault, "sql")}.'


def xsd(fault: Fault) -> str:
    """Return an element with an XPath, which counts from 1."""
    place = f"/{fault.subject}{chain(fault, '/{}', '[{}]', 1)}"
    return f'  <failure at="{place}">{html.escape(said(fault, "xsd"), quote=False)}</failure>'


def graphql(found: Sequence[Fault]) -> str:
    """List errors of a variable."""
    texts = (
        f'Variable "$input" got invalid value {got(f)} at "input.{dotted(f)}"; expected {said(f, "expected")}.'
        for f in found
    )
    return json.dumps({"errors": [{"message": t, "extensions": {"code": "BAD_USER_INPUT"}} for t in texts]})


def assertion(fault: Fault) -> str:
    """Return an assertion as pytest prints it."""
    return f"E   {said(fault, 'assertion', 'answer' + chain(fault, '[{!r}]', '[{}]'))}"


def toml(fault: Fault) -> str:
    """Return a table of an array, with the path in steps."""
    return f"[[problem]]\nat = {json.dumps(fault.path)}\nexpected = {json.dumps(said(fault, 'expected'))}\n"


def ordinal(number: int) -> str:
    """Return " (the 2nd)"."""
    return f" (the {('1st', '2nd', '3rd', '4th', '5th')[number - 1]})"


def letter(fault: Fault) -> str:
    """Return a line of a letter."""
    return f" * {inside_out(fault, ' within ', ordinal)} {said(fault, 'letter')}"


def critic(fault: Fault) -> str:
    """Return a remark with the chain of steps, counted from 1."""
    return f"[blocking]{chain(fault, ' › {}', ' › item {}', 1)}: {said(fault, 'letter')}."


WORDINGS = {
    **{language: in_language(language) for language in LANGUAGES},
    "go": each(go),
    "zod": each(lambda f: f"✖ {said(f, 'zod')}\n  → at {dotted(f)}"),
    "ajv": Wording(ajv),
    "laravel": Wording(laravel),
    "sql": each(sql),
    "xsd": each(xsd, frame="<report>\n{}\n</report>"),
    "graphql": Wording(graphql),
    "assertions": each(assertion, frame="{}\n=== short test summary info ===\nFAILED test_answer.py"),
    "toml": each(toml),
    "email": each(letter, frame="Dear colleague,\n\nthank you for the draft. Before we file it:\n\n{}\n\nKind regards"),
    "critic": each(critic, frame="Verdict: needs work\n{}"),
    "first remark": Wording(
        lambda found: f"I stopped at {dotted(found[0])}: it {said(found[0], 'letter')}.", first=True
    ),
    "highlighted": Wording(
        lambda found: f"Boxes in red: {', '.join('#' + '-'.join(map(str, f.path)) for f in found)}.", rules=False
    ),
    "banter": Wording(friendly(BANTER), names=False, items=False),
    "as for": free(1, "As for {}: {}."),
    "quanto a": free(2, "Quanto a questo, {}: {}.", "italian"),
    "wat betreft": free(3, "Wat {} betreft: {}.", "dutch"),
    "oson gia": free(4, "Όσο για {}: {}.", "greek"),
}
"""By name; none of them is among the wordings of the table."""
