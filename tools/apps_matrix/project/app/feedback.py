"""What an app and each broken version of it say of an answer. A part of the generated project."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .subjects import POSITIONS, SUBJECTS, Fault, faults, other_rule
from .tables import GENERIC
from .wordings import WORDINGS

LOSSY = ("dropping", "swallowed first", "swallowed last", "cut at a budget", "constant", "generic", "blind")
WRONG = ("wrong field", "other rule", "wrong item", "stale")
VERSIONS = ("right", *LOSSY, *WRONG)


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


def following(position: str) -> str:
    """Return the position behind another one, in a circle."""
    return POSITIONS[(POSITIONS.index(position) + 1) % len(POSITIONS)]


def _next_item(fault: Fault) -> Fault:
    """Tell it of the item behind, as who counts wrongly does; of the first one where it is the last."""
    at = max((n for n, step in enumerate(fault.path) if isinstance(step, int)), default=None)
    if at is None:
        return fault
    items: Any = SUBJECTS[fault.subject].good
    for step in fault.path[:at]:
        items = items[step]
    size = len(items)
    return replace(fault, path=(*fault.path[:at], (int(fault.path[at]) + 1) % size, *fault.path[at + 1 :]))


def is_broken(subject: str, position: str, wording: str, version: str) -> bool | None:
    """Return whether a version is at fault; None where it says what the right one says."""
    wrong = SUBJECTS[subject].wrong[position]
    style = WORDINGS[wording]
    if version == "wrong item":
        told = list(wrong)[:1] if style.first else wrong
        shows = any(isinstance(step, int) for path in told for step in path) and style.items
        return True if shows else None
    if version == "cut at a budget" and len(wrong) < 2:
        return None
    if style.first and version in ("swallowed last", "cut at a budget", "dropping") and len(wrong) > 1:
        return None
    if (version == "other rule" and not style.rules) or (version == "wrong field" and not style.fields):
        return None
    if version == "other rule" and ... in wrong.values():
        return None  # what is missing is of no type, as some validators say
    return version != "right"
