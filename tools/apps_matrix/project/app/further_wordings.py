"""Wordings of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

from .subjects import Fault
from .wordings import Wording, dotted, friendly

RULES = {
    "turkish": {
        "min_length": "{place} en az {bound} karakter olmalı.",
        "max_length": "{place} en fazla {bound} karakter olabilir.",
        "min_items": "{place} için en az {bound} öğe gerekiyor.",
        "max_items": "{place} en fazla {bound} öğe alabilir.",
        "minimum": "{place} değeri {value}, oysa {bound} veya daha büyük olmalı.",
        "maximum": "{place} değeri {value}, oysa {bound} veya daha küçük olmalı.",
        "enum": "{place} yalnızca şunlardan biri olabilir: {allowed}.",
        "pattern": "{place} beklenen biçimde değil.",
        "type": "{place} bir {type} olmalı.",
        "missing": "{place} alanı eksik.",
    },
    "swedish": {
        "min_length": "{place} måste ha minst {bound} tecken.",
        "max_length": "{place} får ha högst {bound} tecken.",
        "min_items": "{place} måste ha minst {bound} poster.",
        "max_items": "{place} får ha högst {bound} poster.",
        "minimum": "{place} är {value} men får inte vara under {bound}.",
        "maximum": "{place} är {value} men får inte vara över {bound}.",
        "enum": "{place} ska vara någon av {allowed}.",
        "pattern": "{place} har inte rätt form.",
        "type": "{place} ska vara {type}.",
        "missing": "{place} saknas.",
    },
    "korean": {
        "min_length": "{place}은(는) {bound}자 이상이어야 합니다.",
        "max_length": "{place}은(는) {bound}자를 넘을 수 없습니다.",
        "min_items": "{place}에는 항목이 {bound}개 이상 필요합니다.",
        "max_items": "{place}에는 항목을 {bound}개까지만 넣을 수 있습니다.",
        "minimum": "{place}은(는) {bound} 이상이어야 하는데 {value}입니다.",
        "maximum": "{place}은(는) {bound} 이하여야 하는데 {value}입니다.",
        "enum": "{place}은(는) {allowed} 중 하나여야 합니다.",
        "pattern": "{place}의 형식이 맞지 않습니다.",
        "type": "{place}은(는) {type}이어야 합니다.",
        "missing": "{place}이(가) 빠져 있습니다.",
    },
    "czech": {
        "min_length": "Položka {place} musí mít aspoň {bound} znaků.",
        "max_length": "Položka {place} smí mít nejvýš {bound} znaků.",
        "min_items": "Položka {place} potřebuje aspoň {bound} záznamy.",
        "max_items": "Položka {place} snese nejvýš {bound} záznamů.",
        "minimum": "Položka {place} je {value}, nesmí klesnout pod {bound}.",
        "maximum": "Položka {place} je {value}, nesmí přesáhnout {bound}.",
        "enum": "Položka {place} zná jen {allowed}.",
        "pattern": "Položka {place} je zapsaná jinak, než čekáme.",
        "type": "Položka {place} musí být {type}.",
        "missing": "Položka {place} chybí.",
    },
    "log": {
        "min_length": "rule=minlen limit={bound}",
        "max_length": "rule=maxlen limit={bound}",
        "min_items": "rule=minsize limit={bound}",
        "max_items": "rule=maxsize limit={bound}",
        "minimum": "rule=floor limit={bound} got={value}",
        "maximum": "rule=ceiling limit={bound} got={value}",
        "enum": "rule=choice of=[{allowed}]",
        "pattern": "rule=shape",
        "type": "rule=kind want={type}",
        "missing": "rule=absent",
    },
    "wish": {
        "min_length": "make it {bound} characters or longer",
        "max_length": "cut it down to {bound} characters",
        "min_items": "put in {bound} or more",
        "max_items": "keep no more than {bound} of them",
        "minimum": "raise it to {bound} or above",
        "maximum": "bring it down to {bound} or less",
        "enum": "pick from {allowed}",
        "pattern": "write it the way the schema wants it",
        "type": "turn it into {type}",
        "missing": "add it",
    },
    "question": {
        "min_length": "why so short? {bound} characters is the least we take",
        "max_length": "why so long? Everything after {bound} characters is lost",
        "min_items": "is that all? We count on {bound} at least",
        "max_items": "so many? {bound} is where we stop",
        "minimum": "is {value} not too little? We begin at {bound}",
        "maximum": "is {value} not too much? We stop at {bound}",
        "enum": "where does that come from? We only have {allowed}",
        "pattern": "what form is that?",
        "type": "what is that? It should have been {type}",
        "missing": "where is it?",
    },
    "terse": {
        "min_length": "len < {bound}",
        "max_length": "len > {bound}",
        "min_items": "count < {bound}",
        "max_items": "count > {bound}",
        "minimum": "{value} < {bound}",
        "maximum": "{value} > {bound}",
        "enum": "not in {{{allowed}}}",
        "pattern": "no match",
        "type": "not {type}",
        "missing": "absent",
    },
}
TYPES = {
    "turkish": {"integer": "tam sayı", "string": "metin", "array": "liste", "object": "nesne"},
    "swedish": {"integer": "ett heltal", "string": "en text", "array": "en lista", "object": "ett objekt"},
    "korean": {"integer": "정수", "string": "문자열", "array": "목록", "object": "객체"},
    "czech": {"integer": "celé číslo", "string": "text", "array": "seznam", "object": "objekt"},
}
_PLAIN = {"integer": "a whole number", "string": "text", "array": "a list", "object": "an object"}
GENERIC = {
    "turkish": "Bu olmadı, lütfen yeniden dene.",
    "swedish": "Det blev fel, försök igen.",
    "korean": "이번에도 맞지 않습니다. 다시 해 주세요.",
    "czech": "To není ono, zkuste to prosím znovu.",
}
CHATTY = {
    "customer": ("Whom do we bill? That is no company I know.", "An invoice must go to somebody."),
    "lines": ("There is hardly anything on it.", "The printer runs out of paper for that."),
    "sku": ("The warehouse has never heard of such a thing.", "What shall the warehouse fetch?"),
    "quantity": ("Nobody could carry all that.", "Sending nothing at all is no sale."),
    "unit": ("How is that packed? We do not stock it so.", "Loose, or in a package?"),
    "discount": ("We would be giving it away.", "We never charge more than the list says."),
    "due": ("The bank wants to know the day.", "By when shall they pay?"),
    "nickname": ("That is more of a sound than a name.", "Members want to call each other something."),
    "address": ("Where do they live?", "We cannot visit everywhere."),
    "street": ("The postman would look for the house in vain.", "No envelope is that wide."),
    "country": ("Only our northern neighbours can join.", "Which land is it?"),
    "age": ("Minors play in the other club.", "Nobody lives that long."),
    "hobbies": ("Surely there is more to life.", "When do they sleep?"),
    "topic": ("What is it about? One can only guess.", "That is a lecture, not a heading."),
    "level": ("Our pupils know three grades of it.", "For beginners or for experts?"),
    "questions": ("That is over before it begins.", "Nobody will sit through it."),
    "text": ("Is that all you ask?", "By the end one has forgotten the beginning."),
    "options": ("There is little to choose between.", "Too much choice confuses them."),
    "points": ("The winner would be settled by that one alone.", "Nothing to win there."),
    "minutes": ("The lesson ends before that.", "They need a moment to think."),
}
AMISTOSO = {
    "customer": ("¿A quién cobramos? No conozco esa casa.", "Alguien tendrá que pagar."),
    "lines": ("Casi no hay nada que vender.", "No cabe en una hoja."),
    "sku": ("El almacén no sabe qué es eso.", "¿Qué buscamos en el almacén?"),
    "quantity": ("Nadie puede cargar con tanto.", "Así no vendemos."),
    "unit": ("No lo tenemos envuelto de ese modo.", "¿Suelto o empaquetado?"),
    "discount": ("Eso sería regalarlo.", "No cobramos de más."),
    "due": ("El banco quiere saber el día.", "¿Para cuándo?"),
    "nickname": ("Eso más parece un ruido.", "De algún modo habrá que llamarle."),
    "address": ("¿Dónde vive?", "No llegamos a todas partes."),
    "street": ("El cartero no daría con la casa.", "No hay sobre tan ancho."),
    "country": ("Solo entran los vecinos del norte.", "¿De qué tierra es?"),
    "age": ("Los pequeños juegan en el otro club.", "Nadie vive tanto."),
    "hobbies": ("Algo más habrá en la vida.", "¿Cuándo duerme?"),
    "topic": ("¿De qué va? No se entiende.", "Eso es un discurso."),
    "level": ("Nuestros alumnos conocen tres grados.", "¿Para novatos o para expertos?"),
    "questions": ("Se acaba antes de empezar.", "Nadie aguanta hasta el final."),
    "text": ("¿Eso es todo lo que preguntas?", "Al final ya nadie recuerda el principio."),
    "options": ("Hay poco donde elegir.", "Tanto para elegir confunde."),
    "points": ("Con esa sola ya se gana.", "Ahí no se gana nada."),
    "minutes": ("La clase acaba antes.", "Necesitan un momento para pensar."),
}
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def said(fault: Fault, table: str, place: str = "") -> str:
    """Return what a table says of a fault."""
    types = TYPES.get(table, _PLAIN)
    values = {"bound": fault.bound, "value": fault.value, "allowed": fault.allowed, "type": types[fault.type]}
    return RULES[table][fault.rule].format(place=place, **values)


def sentences(table: str) -> Wording:
    """Return sentences of a language, with the place in it."""
    return Wording(lambda found: " ".join(said(f, table, dotted(f)) for f in found), language=table)


def each(form: Callable[[Fault], str], between: str = "\n", frame: str = "{}") -> Wording:
    """Return the same form for each error."""
    return Wording(lambda found: frame.format(between.join(map(form, found))))


def jsonpath(fault: Fault) -> str:
    """Return "$.lines[1].quantity"."""
    return f"$.{dotted(fault)}"


def ordinal(fault: Fault) -> str:
    """Return "the quantity of the second of the lines"."""
    shown = ""
    for step in fault.path:
        if isinstance(step, int):
            shown = f"the {ORDINALS[step]} of {shown}"
        else:
            shown = f"the {step} of {shown}" if shown else f"the {step}"
    return shown


def title(fault: Fault) -> str:
    """Return "Lines 2 / Quantity", as a form labels its fields, counted from 1."""
    shown = ""
    for step in fault.path:
        shown += f" {step + 1}" if isinstance(step, int) else f" / {step.capitalize()}"
    return shown.removeprefix(" / ")


def yaml(fault: Fault) -> str:
    """Return an item of a YAML list."""
    return f"- at: {dotted(fault)}\n  why: {said(fault, 'wish')}"


def logged(fault: Fault) -> str:
    """Return a line of a log."""
    return f"level=error field={dotted(fault)} {said(fault, 'log')}"


def tagged(fault: Fault) -> str:
    """Return an item of an HTML list."""
    return f'<li data-field="{dotted(fault)}">{html.escape(said(fault, "wish"))}</li>'


def called(fault: Fault) -> str:
    """Return "MAX(lines.1.quantity, 99)"."""
    place = ".".join(map(str, fault.path))
    limit = fault.bound if fault.bound is not None else fault.allowed
    return f"{fault.rule.upper()}({', '.join(map(str, filter(lambda one: one not in (None, ''), (place, limit))))})"


def compiler(fault: Fault) -> str:
    """Return an error as a compiler prints it."""
    return f"error: {said(fault, 'terse')}\n  --> answer.json, at {dotted(fault)}"


def review(found: Sequence[Fault]) -> str:
    """Number remarks from 1, each with a place in words."""
    remarks = (f"({n}) {ordinal(f).capitalize()}: {said(f, 'question')}." for n, f in enumerate(found, 1))
    return f"Review comments: {' '.join(remarks)} Please revise."


WORDINGS = {
    **{language: sentences(language) for language in ("turkish", "swedish", "korean", "czech")},
    "jsonpath": each(lambda f: f"{jsonpath(f)} ⇒ {said(f, 'terse')}"),
    "yaml": each(yaml),
    "log": each(logged),
    "html": each(tagged, "", "<p>Not accepted.</p><ul>{}</ul>"),
    "calls": each(called, "; "),
    "compiler": each(compiler, "\n\n"),
    "checklist": each(lambda f: f"- [ ] {dotted(f)}: {said(f, 'wish')}", frame="Before you send it again:\n{}"),
    "labels": each(lambda f: f"{title(f)}: {said(f, 'wish')}"),
    "wishes": each(lambda f: f"For {ordinal(f)}, {said(f, 'wish')}.", " "),
    "review": Wording(review),
    "emoji": each(lambda f: f"❌ {dotted(f)} {said(f, 'terse')}", "  "),
    "only one": Wording(lambda found: f"{dotted(found[0])}? {said(found[0], 'question')}", first=True),
    "chatty": Wording(friendly(CHATTY), names=False, items=False),
    "amistoso": Wording(friendly(AMISTOSO), names=False, items=False, language="spanish"),
}
"""By name; none of them is among the wordings of the table."""
