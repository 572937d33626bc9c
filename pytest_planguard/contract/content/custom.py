"""A user's own check as a constraint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..wording import as_json
from .scene import Violation, each

_MESSAGE_LIMIT = 300  # characters of a user's message: it goes into feedback that has a bound itself
_LISTED = 20  # messages taken from one call, so that an endless generator ends


def _custom(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """None is fine; a text, or each text of several, is a violation. An exception is a violation that names it."""
    try:
        for message in _messages(params["check"](value)):
            yield Violation((), message, actual=as_json(value))
    except Exception as exc:
        yield Violation((), f"the check itself raised {type(exc).__name__}: {str(exc)[:_MESSAGE_LIMIT]}")


def _messages(answer: Any) -> Iterator[str]:
    if answer is None or answer is True:
        return
    if answer is False:
        yield "the check does not hold"
    elif isinstance(answer, str):
        yield answer[:_MESSAGE_LIMIT]
    elif isinstance(answer, Iterable):
        yield from (str(message)[:_MESSAGE_LIMIT] for message, _ in zip(answer, range(_LISTED), strict=False))
    else:
        raise TypeError(f"it returned {type(answer).__name__}, not None, a text or several texts")


custom = each(_custom)
