"""What the apps ask for, and how they word what is wrong with an answer. A part of the generated project."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from pytest_planguard import Contract


class Ticket(BaseModel):
    """What is asked for."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)
    hours: int = Field(ge=1, le=8)
    owner: str = Field(pattern=r"^[a-z]+$")


TICKET = Contract(Ticket)
SUBMITTED = Contract(Ticket, judged="submit")
"""The same, as the arguments of a tool."""
GOOD = {"title": "Printer", "priority": "high", "steps": ["look", "restart"], "hours": 2, "owner": "anna"}
WRONG: dict[str, Any] = {"title": "P", "priority": "hi", "steps": ["look"], "hours": 12, "owner": "Anna 2"}
POSITIONS = {"first": ["title"], "middle": ["steps"], "last": ["owner"], "several": ["priority", "steps", "hours"]}
TASK = "Write a ticket as JSON: the printer is on fire."
ENGLISH = {
    "title": "Give it a longer headline, please: three letters or more in the title.",
    "priority": "We know three levels of priority only: low, medium and high.",
    "steps": "One step is not enough; write two steps or more.",
    "hours": "Nobody works more than eight hours a day.",
    "owner": "The owner has to be a first name in small letters.",
}
GERMAN = {
    "title": "Der Titel ist zu kurz, er braucht mindestens drei Zeichen.",
    "priority": "Als Dringlichkeit gibt es nur niedrig, mittel und hoch.",
    "steps": "Ein Arbeitsschritt reicht nicht, es müssen zwei sein.",
    "hours": "Mehr als acht Stunden sind nicht erlaubt.",
    "owner": "Der Bearbeiter wird klein geschrieben und ohne Ziffern.",
}
SPANISH = {
    "title": "El título es demasiado corto, faltan letras.",
    "priority": "La prioridad solo puede ser baja, media o alta.",
    "steps": "Un solo paso no basta, hacen falta dos.",
    "hours": "No se admiten más de ocho horas.",
    "owner": "El responsable se escribe en minúsculas y sin cifras.",
}
FRENCH = {
    "title": "Le titre est trop court, il faut trois lettres.",
    "priority": "La priorité est inconnue : basse, moyenne ou haute.",
    "steps": "Une seule étape ne suffit pas, il en faut deux.",
    "hours": "Huit heures au plus, pas davantage.",
    "owner": "Le responsable s'écrit en minuscules, sans chiffres.",
}
CHINESE = {
    "title": "标题太短，至少三个字。",
    "priority": "优先级只能是低、中、高。",
    "steps": "步骤不够，至少要有两步。",
    "hours": "工时不能超过八小时。",
    "owner": "负责人只能用小写字母。",
}
SYNONYMS = {
    "title": "The headline is hardly a word.",
    "priority": "That degree of urgency means nothing to us.",
    "steps": "A to-do list of a single thing is no list.",
    "hours": "Such a long effort is never granted.",
    "owner": "Whoever is in charge goes by a plain nickname here.",
}
SUMMARY = {
    "title": "the headline",
    "priority": "the urgency",
    "steps": "the to-do list",
    "hours": "the effort",
    "owner": "the person in charge",
}
LANGUAGES = {"english": ENGLISH, "german": GERMAN, "spanish": SPANISH, "french": FRENCH, "chinese": CHINESE}
WORDINGS = (*LANGUAGES, "synonyms", "one at a time", "summary")
VARIANTS = ("right", "dropping", "constant")


def bad(position: str) -> str:
    """The answer with the errors of a position."""
    return json.dumps({**GOOD, **{field: WRONG[field] for field in POSITIONS[position]}})


def wrong(text: str) -> list[str]:
    """The fields that are wrong, in their order."""
    try:
        Ticket.model_validate_json(text)
    except ValidationError as error:
        return list(dict.fromkeys(str(e["loc"][0]) if e["loc"] else "" for e in error.errors()))
    return []


class Feedback:
    """How one app words what is wrong; `variant` is what it does with it."""

    def __init__(self, wording: str, variant: str, position: str) -> None:
        self._wording, self._variant, self._position = wording, variant, position

    @property
    def task(self) -> str:
        """What is asked for; it names the case, so that the model knows its answer."""
        return f"{TASK} Case: {self._position}."

    def __call__(self, text: str) -> str | None:
        """The feedback on an answer; None for a good one."""
        fields = wrong(text)
        if not fields:
            return None
        if self._variant == "constant":
            return self._words(POSITIONS[self._position])
        if self._variant == "dropping":
            fields = [field for field in fields if field != POSITIONS[self._position][0]]
        return self._words(fields)

    def _words(self, fields: list[str]) -> str:
        if self._wording == "summary":
            return f"Nearly. Have another look at {' and '.join(SUMMARY.get(f, 'the form') for f in fields)}."
        table = LANGUAGES.get(self._wording, SYNONYMS if self._wording == "synonyms" else ENGLISH)
        shown = fields[:1] if self._wording == "one at a time" else fields
        return f"Hm, {' '.join(table.get(field, 'JSON!') for field in shown)}"
