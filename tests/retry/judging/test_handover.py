"""Who an app hands a task over to: a declared model, a tool, or somebody whom the answer names."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.conversations import handover

from ...support.one_item import in_one_item
from .test_attempts import answered, call


@in_one_item
@pytest.mark.parametrize(
    ("answer", "model", "declared", "name"),
    [
        (("Over to ADA now.",), "small", ("ada",), "ada"),
        (("over to ada",), "small", ("ADA",), "ADA"),
        (("x",), "big", ("big",), "big"),
        (("x",), "Big", ("big",), None),
        (("x",), "bigger", ("big",), None),
        ((call("{}", "ask_human"),), "small", ("ask_human",), "ask_human"),
        ((call("{}", "ask_human"),), "small", ("human",), None),
        (("x", call("{}", "look"), call("{}", "ask_human")), "small", ("nobody", "ask_human"), "ask_human"),
        (("a and b",), "small", ("b", "a"), "b"),
        (("x",), "small", ("y",), None),
        (("x",), "small", (), None),
    ],
)
def test_a_handover_is_declared_by_name(
    answer: tuple[str, ...], model: str, declared: tuple[str, ...], name: str | None
) -> None:
    """Of a tool or a model exactly, in a text in any case; the first name of the declared ones that fits."""
    assert handover(answered(*answer, model=model), declared) == name
