"""Loops that differ in their words alone: correct ones in eight wordings and in a made-up language, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from .apps import Ask, Ticket

Words = Callable[[ValidationError], str]
"""What a loop says of the errors of its validator."""
_GERMAN = {
    "missing": "fehlt",
    "too_short": "zu wenige Einträge",
    "string_too_short": "zu kurz",
    "string_type": "muss Text sein",
    "list_type": "muss eine Liste sein",
    "json_invalid": "kein gültiges JSON",
}
_SPANISH = {
    "missing": "falta",
    "too_short": "tiene pocos elementos",
    "string_too_short": "es demasiado corto",
    "json_invalid": "no es JSON",
}


def place(error: Mapping[str, Any]) -> str:
    """Where an error is, as an app may say it."""
    return ".".join(map(str, error["loc"])) or "the answer"


def listed(errors: ValidationError, form: Callable[[Mapping[str, Any]], str], between: str = "; ") -> str:
    """Each error in the same form."""
    return between.join(form(dict(error)) for error in errors.errors())


def _in(language: Mapping[str, str], error: Mapping[str, Any]) -> str:
    return language.get(error["type"], error["type"])


CORRECT: Mapping[str, Words] = {
    "errors as JSON": lambda e: e.json(include_url=False),
    "errors as a list": lambda e: f"Errors: {[{key: x[key] for key in ('loc', 'msg')} for x in map(dict, e.errors())]}",
    "place and message": lambda e: "Fix these:\n" + listed(e, lambda x: f"- {place(x)}: {x['msg']}", "\n"),
    "English": lambda e: "There is a problem with " + listed(e, lambda x: f"{place(x)} ({x['msg'].lower()})", ", "),
    "German": lambda e: "Bitte korrigieren: " + listed(e, lambda x: f"Feld {place(x)}: {_in(_GERMAN, x)}"),
    "Spanish": lambda e: "No es válido: " + listed(e, lambda x: f"el campo {place(x)}: {_in(_SPANISH, x)}"),
    "places alone": lambda e: "Wrong: " + listed(e, place, ", "),
    "codes": lambda e: "VALIDATION " + listed(e, lambda x: f"{place(x)}={x['type']}", " "),
}
"""All errors of the validator, each in words of its own."""


def made_up(key: str) -> Words:
    """A language that nobody reads: a word of its own for each place and each kind of error."""

    def word(of: object) -> str:
        digest = sha256(f"{key} {of}".encode()).digest()
        return "".join("bdfgklmnprstvz"[byte % 14] + "aeiou"[byte % 5] for byte in digest[:6])

    return lambda e: listed(e, lambda x: f"{word(x['loc'])} {word(x['type'])}", ", ")


def other_field(errors: ValidationError) -> str:
    """Name the field beside the one that is wrong."""
    names = list(Ticket.model_fields)
    beside = {name: names[(at + 1) % len(names)] for at, name in enumerate(names)}
    return listed(
        errors, lambda x: f"{beside.get(str(x['loc'][0]), 'title') if x['loc'] else 'title'}: {x['msg']}", "\n"
    )


WRONG: Mapping[str, Words] = {
    "blind": lambda e: "That is not valid. Please try again.",
    "constant": lambda e: "title: String should have at least 3 characters",
    "all fields always": lambda e: "Please look at title, priority and steps again.",
    "first alone": lambda e: f"{place(dict(e.errors()[0]))}: {e.errors()[0]['msg']}",
    "number of errors": lambda e: f"{len(e.errors())} validation errors",
    "number in words": lambda e: f"Mistakes to mend: {('none', 'single', 'couple', 'trio')[min(len(e.errors()), 3)]}",
    "number in unclear words": lambda e: f"{('', 'gromil', 'brasut', 'vindok')[min(len(e.errors()), 3)]}!",
    "another field": other_field,
}
"""Words that leave out what is wrong, or say something else."""


def loop_in(words: Words) -> Callable[[Ask, str], Ticket]:
    """A loop that validates and feeds back in these words."""

    def loop(ask: Ask, task: str) -> Ticket:
        messages: list[dict[str, Any]] = [{"role": "user", "content": f"Write a ticket as JSON. {task}"}]
        for _ in range(3):
            text = ask(messages)
            try:
                return Ticket.model_validate_json(text)
            except ValidationError as error:
                messages += [{"role": "assistant", "content": text}, {"role": "user", "content": words(error)}]
        raise ValueError("no ticket")

    return loop
