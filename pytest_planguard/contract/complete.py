"""Whether an answer gave every field itself: asked of every good answer, so told without places or words."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Hashable

PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types of values that hold no others."""
VISIT_LIMIT = 100_000
"""Values looked at; what is beyond counts as incomplete."""


def complete(value: Any) -> bool:
    """Whether no model in `value` took a default, found without keeping track of places."""
    visits = [value]
    for here in visits:  # grows on the way
        given = getattr(here, "__pydantic_fields_set__", None)
        if given is not None:
            fields, nested = fields_of(type(here))  # type: ignore[arg-type] # a class is hashable
            if len(given) < len(fields):
                return False
            if not nested:
                continue
            visits += [here.__dict__[name] for name in nested]
        elif isinstance(here, dict):
            visits += [item for item in here.values() if type(item) not in PLAIN]
        elif isinstance(here, (list, tuple)):
            visits += [item for item in here if type(item) not in PLAIN]
        else:
            continue  # nothing in it to visit
        if len(visits) > VISIT_LIMIT:
            return False
    return True


_ROOT = ""
"""Stands for the field of a root model, which has no key in the document."""


@lru_cache(maxsize=1024)
def fields_of(model: Hashable) -> tuple[dict[str, str], tuple[str, ...]]:
    """The fields of a model with their keys in the document, and the names of those that may hold models."""
    root = getattr(model, "__pydantic_root_model__", False)
    fields = getattr(model, "model_fields", {})  # `__pydantic_fields__` came with pydantic 2.10
    keys = {name: _ROOT if root else _key(name, field) for name, field in fields.items()}
    return keys, tuple(name for name, field in fields.items() if _may_hold_models(field.annotation))


def _may_hold_models(annotation: Any) -> bool:
    """False only for texts, numbers and the like, and for lists and dicts of them."""
    if get_origin(annotation) is Literal or annotation in PLAIN:
        return False
    parts = get_args(annotation)
    return not parts or any(map(_may_hold_models, parts))


def _key(name: str, field: Any) -> str:
    alias = field.validation_alias
    return alias if isinstance(alias, str) else name
