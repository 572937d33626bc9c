"""The value that an answer of a run holds. Runs keep raw answers only: what they hold follows from them."""

from __future__ import annotations

from typing import Any

from ..document.answer import read


def value_of(answer: str) -> Any:
    """The parsed answer; its text where no document is in it."""
    document = read(answer)
    return answer if document.data is None and document.problems else document.data
