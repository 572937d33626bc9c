"""The forms of turns and of command-style retries, recognized one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import non_empty
from pytest_planguard.contract.feedback import provider_messages
from pytest_planguard.contract.feedback.command_style import AUTOSPEC, COMMAND, SEED, CommandForm
from pytest_planguard.contract.feedback.feedback import STYLES
from pytest_planguard.contract.feedback.next_request import next_messages

from ...support.one_item import in_one_item

USE = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
FORMS: list[tuple[dict[str, Any], provider_messages.Form | None]] = [
    ({"role": "user", "content": "a"}, None),
    ({"role": "user", "content": [{"type": "text", "text": "a"}]}, None),
    ({"role": "assistant", "type": "message", "content": "a"}, None),
    ({"role": "assistant", "type": "message", "content": [USE]}, provider_messages.ANTHROPIC),
    ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}, provider_messages.ANTHROPIC),
    ({"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}, provider_messages.CHAT),
    ({"role": "tool", "content": "a", "tool_call_id": "a"}, provider_messages.CHAT),
    ({"role": "assistant", "content": "a", "tool_calls": []}, None),
    ({"type": "function_call", "call_id": "a"}, provider_messages.RESPONSES),
    ({"role": "user", "parts": [{"text": "a"}]}, provider_messages.GEMINI),
    ({"role": "user", "content": [{"text": "a"}]}, provider_messages.CONVERSE),
    ({"role": "user", "content": [{"toolUse": {}}]}, provider_messages.CONVERSE),
]


@in_one_item
@pytest.mark.parametrize(("message", "form"), FORMS)
def test_the_form_of_a_message(message: dict[str, Any], form: provider_messages.Form | None) -> None:
    """Alone, and behind plain ones."""
    assert provider_messages.form_of([message]) is form
    assert provider_messages.form_of([{"role": "user", "content": "a"}, message]) is form


@in_one_item
@pytest.mark.parametrize("form", [COMMAND, SEED, AUTOSPEC], ids=["command", "seed", "autospec"])
@pytest.mark.parametrize("command", ["", "/plan ", "/speckit.plan "])
@pytest.mark.parametrize("own", ["Do it.", "Do it.\n\nWell.", "- a\n- b"])
def test_what_a_command_style_puts_in_front_is_taken_away_again(form: CommandForm, command: str, own: str) -> None:
    """Whatever the errors, and behind a slash command; a prompt without it has nothing to take away."""
    for errors in (["x"], ["x", "y"], ["x"] * 200):
        assert form.without(f"{command}{form.text(errors, 1, 3).text}\n\n{own}") == command + own
    assert form.without(f"{command}{own}") is None


NAMES = [style.name for style in STYLES if style.name != "blind"]
PARTS = [{"type": "text", "text": "Do it."}]


@in_one_item
@pytest.mark.parametrize(
    ("placement", "content", "style"),
    [
        *(("inject", "Do it.\n\nWell.", name) for name in NAMES),
        *(("command", "Do it.\n\nWell.", name) for name in ("command", "seed", "autospec")),
        *(("command", "/plan do it", name) for name in ("command", "seed", "autospec")),
        *(("inject", PARTS, name) for name in NAMES),
        *(("command", PARTS, name) for name in NAMES),
    ],
)
def test_earlier_errors_are_replaced_in_a_request_that_came_from_a_file(
    placement: Any, content: Any, style: str
) -> None:
    """It remembers nothing of what was put into it: the block is found by its words, in whichever style."""
    first, second = (Contract(None, constraints=[non_empty(name)]).check(f'{{"{name}": ""}}') for name in "ab")
    task = [{"role": "user", "content": content}]
    options: dict[str, Any] = {"placement": placement, "style": style, "max_attempts": 3}
    once = next_messages(task, '{"a": ""}', first, attempt=1, **options)
    read = json.loads(json.dumps(once))
    assert "Do it." in str(read) or "do it" in str(read)
    for name in (style, "default" if placement == "inject" else "command"):
        options["style"] = name
        again = next_messages(read, '{"b": ""}', second, attempt=2, **options)
        assert again == next_messages(task, '{"b": ""}', second, attempt=2, **options)
