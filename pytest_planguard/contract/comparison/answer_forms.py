"""The forms in which an expected value may state what an answer says: as the model wrote it, validated, or dumped.

For `total: Decimal`, an answer `{"total": "1.50"}` says "1.50" and 1.5. A case may expect either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any


class SetItems(list[Any]):
    """The items of a set. Their order says nothing."""


class Forms:
    """A value with several forms as plain data, the written one first."""

    __slots__ = ("forms",)

    def __init__(self, forms: Sequence[object]) -> None:
        self.forms = tuple(plain(form) for form in forms)


def answer_forms(written: object, validated: object, value: object) -> object:
    """Return the plain data of an answer, with `Forms` where validation changed a value.

    Args:
        written: the data as the model wrote it.
        validated: the validated value as plain data, with defaults.
        value: the validated value. If it is a model, its own serializers add a form.
    """
    forms = [written, validated]
    if hasattr(value, "model_dump"):
        with suppress(Exception):  # a user's serializer may raise anything
            forms.append(plain(value))
    return _merged(forms)


def _merged(forms: Sequence[Any]) -> Any:
    first = forms[0]
    if all(isinstance(form, dict) for form in forms):
        if not first and any(forms):  # {} stays a value beside the object of all defaults
            return Forms([first, _merged([form for form in forms if form])])
        keys = dict.fromkeys(key for form in forms for key in form)
        return {key: _merged([form[key] for form in forms if key in form]) for key in keys}
    if any(isinstance(form, SetItems) for form in forms):
        return Forms([_unordered(form, written=form is first) for form in forms])
    if all(isinstance(form, list) and len(form) == len(first) for form in forms):
        return [_merged(items) for items in zip(*forms, strict=True)]
    return plain(first) if all(_same(form, first) for form in forms) else Forms(forms)


def _unordered(form: object, *, written: bool) -> object:
    """Return a list as the items of a set: written ones as they are, others sorted, since a set has any order."""
    if not isinstance(form, list):
        return form
    return SetItems(form if written and not isinstance(form, SetItems) else sorted(form, key=repr))


def _same(one: object, other: object) -> bool:
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def as_written(value: object) -> object:
    """Return a value without its other forms. A field that the model left out has its default."""
    return next(each_form(value))


def each_form(value: object) -> Iterator[object]:
    """Yield a value as written, then as validated, then as dumped."""
    for index in range(3):
        yield _in_form(value, index)


def _in_form(value: object, index: int) -> object:
    if isinstance(value, Forms):
        return _in_form(value.forms[min(index, len(value.forms) - 1)], index)
    if isinstance(value, dict):
        return {key: _in_form(inner, index) for key, inner in value.items()}
    return [_in_form(inner, index) for inner in value] if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """Return a value as plain data.

    Models and dataclasses become dicts, tuples and sets become lists, dates and enums become their JSON form. Other
    objects stay as they are, because their `==` may decide.
    """
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = [plain(inner) for inner in value]
        return SetItems(items) if isinstance(value, SetItems | set | frozenset) else items
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, date):
        return value.isoformat()
    return float(value) if isinstance(value, Decimal) else value
