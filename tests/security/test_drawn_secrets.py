"""Sixty shapes of secrets that a seed drew from the rules of two scanners: none is left in a cassette."""

import json
from urllib.parse import urlencode

import pytest

from pytest_planguard.replay.files.cassette_text import render_interaction
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction

from ..replay.privacy.test_planted import exchange
from ..support.one_item import in_one_item
from .rule_shapes import DRAWN, Shape, drawn, shapes

SHAPES = drawn()


def in_a_prompt(text: str) -> Interaction:
    """The text in the request of a chat."""
    return exchange(request=json.dumps({"messages": [{"role": "user", "content": f"Look:\n{text}\nThanks."}]}))


def in_arguments(text: str) -> Interaction:
    """The text in JSON within JSON: the arguments of a tool call."""
    arguments = json.dumps({"note": text})
    return exchange(response=json.dumps({"tool_calls": [{"function": {"name": "f", "arguments": arguments}}]}))


def in_a_form(text: str) -> Interaction:
    """The text in a field of a form that is named for no secret."""
    return exchange(request=urlencode({"note": text, "a": "b"}))


def in_pieces(text: str) -> Interaction:
    """The text in five events of a stream."""
    size = max(1, len(text) // 5)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    events = ({"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces)
    return exchange(response="".join(f"data: {json.dumps(event)}\n\n" for event in events))


@in_one_item
@pytest.mark.parametrize("place", [in_a_prompt, in_arguments, in_a_form, in_pieces], ids=lambda place: place.__name__)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.rule} {shape.secret[:9]}".replace("\n", " "))
def test_no_drawn_secret_is_in_the_recording(shape: Shape, place) -> None:  # type: ignore[no-untyped-def]
    """Neither the secret nor a third of it."""
    text = render_interaction(redact(place(shape.text), Redaction()).interaction)
    lines = [line for line in shape.secret.replace("\\n", "\n").split("\n") if not line.startswith("-----")]
    for line in lines:
        third = max(8, len(line) // 3)
        left = [line[at : at + third] for at in range(0, len(line) - third + 1, third)]
        assert not [piece for piece in left if piece in text]


def test_the_draw_is_the_committed_one() -> None:
    """Sixty different shapes of both scanners."""
    assert len(set(SHAPES)) == DRAWN == 60
    assert {shape.rule.split()[0] for shape in SHAPES} == {"detect-secrets", "secretlint"}
    assert len({shape.rule for shape in shapes()}) >= 40
