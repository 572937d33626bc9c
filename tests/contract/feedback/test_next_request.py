"""Where feedback goes."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import non_empty
from pytest_planguard.contract.feedback.feedback import STYLES
from pytest_planguard.contract.feedback.next_request import WithFeedback, next_messages, own_parts, own_text
from pytest_planguard.contract.feedback.style import Style, Worded
from pytest_planguard.errors import UsageError

from ...support.one_item import in_one_item

CONTRACT = Contract(None, constraints=[non_empty("a")])
BAD = '{"a": ""}'
VERDICT = CONTRACT.check(BAD)
LINE = '1. /a (line 1): expected some text; got "" [non_empty]'
TASK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Do it."}]


def _next(messages: Any = TASK, answer: Any = BAD, attempt: int = 1, **options: Any) -> list[dict[str, Any]]:
    return next_messages(messages, answer, VERDICT, attempt=attempt, max_attempts=3, **options)


def test_dialogue() -> None:
    """The bad answer as assistant turn, the correction as user turn."""
    messages = _next()
    assert messages[:2] == TASK
    assert messages[2] == {"role": "assistant", "content": BAD}
    assert messages[3]["role"] == "user"
    assert LINE in messages[3]["content"]
    assert len(_next(answer="")) == 3


def test_every_tool_call_gets_a_result() -> None:
    """A rejected tool call is answered as its result; other calls of the answer get one too."""
    calls = [{"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": BAD}} for n in (1, 2)]
    answer = {"role": "assistant", "content": None, "tool_calls": calls}
    messages = _next(answer=answer)
    assert messages[2] == answer
    assert [(m["role"], m["tool_call_id"]) for m in messages[3:]] == [("tool", "c1"), ("tool", "c2")]
    assert LINE in messages[3]["content"]
    assert messages[4]["content"] == "Not run: another call of this answer failed validation."


def test_inject_replaces_a_block_in_a_registered_style() -> None:
    """A style that is added later has an opening that is looked for like those of the built-in ones."""
    remove = STYLES.register("shout", Style("shout", lambda _: Worded("WRONG! Again.", 1), opening="WRONG!"))
    try:
        once = _next(placement="inject", style="shout")
        assert once[-1]["content"] == "Do it.\n\nWRONG! Again."
        assert _next(once, attempt=2, placement="inject", style="shout") == once
    finally:
        remove()
    read_back = json.loads(json.dumps(once))  # what was put in is remembered by the messages themselves, not by files
    assert _next(read_back, attempt=2, placement="inject")[-1]["content"].startswith("Do it.\n\nWRONG! Again.\n\n")
    assert "WRONG!" not in _next(once, attempt=2, placement="inject")[-1]["content"]


def test_inject_replaces_an_earlier_block() -> None:
    """The errors stand at the end of the last user turn, the bad answer nowhere, and blocks do not pile up."""
    once = _next(placement="inject")
    assert [m["role"] for m in once] == ["system", "user"]
    assert once[1]["content"].startswith("Do it.\n\nAttempt 1 of 3 failed validation")
    assert BAD not in once[1]["content"]
    twice = _next(once, attempt=2, placement="inject")
    assert twice[1]["content"] == once[1]["content"].replace("Attempt 1", "Attempt 2")
    assert TASK[1]["content"] == "Do it."


def test_command_keeps_the_task() -> None:
    """Source row 73: header and errors first, the original words after a blank line, also after a slash command."""
    once = _next(placement="command")
    assert once[1]["content"].startswith("RETRY 2/3\n")
    assert once[1]["content"].endswith("keep everything else.\n\nDo it.")
    assert _next(once, attempt=2, placement="command")[1]["content"] == once[1]["content"].replace("2/3", "3/3")
    slash = [{"role": "user", "content": '/autospec.plan "build it"'}]
    for style in ("command", "seed", "autospec"):
        text = _next(slash, placement="command", style=style)[0]["content"]
        assert text.startswith("/autospec.plan RETRY ")
        assert text.endswith('\n\n"build it"')
        again = _next([{"role": "user", "content": text}], attempt=2, placement="command", style=style)
        assert again[0]["content"].count("RETRY") == again[0]["content"].count('"build it"') == 1
    bare = _next([{"role": "user", "content": "/autospec.plan"}], placement="command", style="seed")
    assert bare[0]["content"].startswith("/autospec.plan RETRY 2/3\n\nPrevious attempt failed schema validation:\n  - ")
    assert bare[0]["content"].endswith("\n\nFix these schema errors and regenerate the artifact.")


def test_blind_is_the_control() -> None:
    """The same messages again, as a copy."""
    assert _next(placement="blind") == TASK
    assert _next(placement="blind") is not TASK


def test_content_in_parts() -> None:
    """A user turn of several parts gets a text part, and an earlier block is replaced."""
    parts = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Do it."}]}]
    once = _next(parts, placement="inject")
    assert [part["type"] for part in once[0]["content"]] == ["image", "text", "text"]
    assert len(_next(once, attempt=2, placement="inject")[0]["content"]) == 3
    assert _next(parts, placement="command")[0]["content"][0]["text"].startswith("RETRY 2/3")
    assert len(parts[0]["content"]) == 2


def test_styles_and_templates_reach_the_text() -> None:
    """Every placement takes another wording or an own frame."""
    assert _next(style="compact")[3]["content"].startswith("Your previous answer failed validation:")
    assert _next(template="Wrong:\n{errors}")[3]["content"] == f"Wrong:\n{LINE}"


def test_wrong_uses() -> None:
    """An unknown placement is refused with the nearest; without a user turn there is no place to inject."""
    with pytest.raises(UsageError, match=r"^unknown placement 'injct'. Did you mean 'inject'\? Valid placements: dia"):
        _next(placement="injct")
    with pytest.raises(UsageError, match=r"no user message to put the feedback into; use the placement dialogue$"):
        _next([{"role": "system", "content": "x"}], placement="inject")


def test_tool_calls_in_the_form_of_anthropic_get_their_results() -> None:
    """The correction answers the first call, as a failed result; every other call gets one too."""
    uses = [{"type": "tool_use", "id": name, "name": "ticket", "input": {}} for name in ("a", "b")]
    answer = {"role": "assistant", "content": [{"type": "text", "text": "Well"}, *uses]}
    told = _next(answer=answer, style="tool_result")
    assert told[:-1] == [*TASK, answer]
    first, second = told[-1]["content"]
    assert first["content"].startswith("The call was not run: its arguments failed validation. ")
    assert (first["type"], first["tool_use_id"], first["is_error"]) == ("tool_result", "a", True)
    assert (second["tool_use_id"], second["content"]) == (
        "b",
        "Not run: another call of this answer failed validation.",
    )


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        (
            [{"type": f"{kind}_call", "call_id": kind, "name": "f"} for kind in ("function", "custom_tool")],
            [{"type": f"{k}_call_output", "call_id": k, "output": t} for k, t in (("function", 0), ("custom_tool", 1))],
        ),
        (
            {"role": "model", "parts": [{"functionCall": {"id": n, "name": "f", "args": {}}} for n in "ab"]},
            [{"functionResponse": {"id": n, "name": "f", "response": {"error": t}}} for n, t in (("a", 0), ("b", 1))],
        ),
        (
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": n, "name": "f", "input": {}}} for n in "ab"]},
            [
                {"toolResult": {"toolUseId": n, "content": [{"text": t}], "status": "error"}}
                for n, t in (("a", 0), ("b", 1))
            ],
        ),
        (
            {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": n}} for n in "ab"]},
            [{"role": "tool", "tool_name": n, "content": t} for n, t in (("a", 0), ("b", 1))],
        ),
    ],
    ids=["responses", "gemini", "bedrock", "ollama"],
)
def test_every_call_of_every_form_gets_its_result(answer: Any, result: list[Any]) -> None:
    """The first result is the correction, the others say that their call was not run."""
    told = _next(answer=answer)[len(TASK) + (len(answer) if isinstance(answer, list) else 1) :]
    found = told if len(told) == 2 else told[0].get("content") or told[0]["parts"]
    texts = (_next()[-1]["content"], "Not run: another call of this answer failed validation.")
    assert json.dumps(found) == json.dumps(result).replace(": 0", f": {json.dumps(texts[0])}").replace(
        ": 1", f": {json.dumps(texts[1])}"
    )


@pytest.mark.parametrize(
    ("key", "kind"),
    [("parts", {}), ("content", {}), ("content", {"type": "input_text"}), ("content", {"type": "text"})],
)
@pytest.mark.parametrize("placement", ["inject", "command"])
def test_a_part_is_written_like_the_others(key: str, kind: dict[str, str], placement: str) -> None:
    """Gemini's and Bedrock's parts name no type, those of a response's input another one than chat messages."""
    once = _next([{"role": "user", key: [{**kind, "text": "Do it."}]}], placement=placement)
    assert [{name: part[name] for name in part if name != "text"} for part in once[0][key]] == [kind, kind]
    assert LINE in once[0][key][1 if placement == "inject" else 0]["text"] or placement == "command"
    assert len(_next(once, attempt=2, placement=placement)[0][key]) == 2


@in_one_item
@pytest.mark.parametrize("template", [None, "Check failed:\n{errors}\nagain"], ids=["own", "template"])
@pytest.mark.parametrize("style", [style.name for style in STYLES if style.name != "blind"])
@pytest.mark.parametrize("placement", ["inject", "command"])
@pytest.mark.parametrize("content", ["Do it.", "/plan do it", [{"type": "text", "text": "Do it."}]], ids=type)
def test_only_the_newest_errors_stand_in_the_prompt(
    content: Any, placement: Any, style: str, template: str | None
) -> None:
    """Whatever the placement, style and template: the second retry is the first one with other errors."""
    task = [{"role": "user", "content": content}]
    other = Contract(None, constraints=[non_empty("b")]).check('{"b": ""}')
    options: dict[str, Any] = {"placement": placement, "style": style, "template": template, "max_attempts": 3}
    first = next_messages(task, BAD, VERDICT, attempt=1, **options)
    again = next_messages(copy.deepcopy(first), '{"b": ""}', other, attempt=2, **options)
    assert again == next_messages(task, '{"b": ""}', other, attempt=2, **options)
    assert task == [{"role": "user", "content": content}]


# A prompt that knows what it said before feedback was put into it.


def test_it_is_a_text_like_any_other() -> None:
    """It compares, joins and dumps by what it says now."""
    prompt = WithFeedback("Do it.\n\nWrong.", "Do it.")
    assert prompt == "Do it.\n\nWrong."
    assert json.loads(json.dumps({"content": prompt})) == {"content": "Do it.\n\nWrong."}
    assert type(prompt + "!") is str


def test_what_it_said_before_is_known() -> None:
    """Of a prompt that had feedback already, what it said before that."""
    once = WithFeedback("Do it.\n\nWrong.", "Do it.")
    twice = WithFeedback("Do it.\n\nWrong again.", once)
    assert (own_text(once), own_text(twice), own_text("Do it.")) == ("Do it.", "Do it.", "Do it.")
    assert type(twice.own) is str


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_copies_know_it_too(copied: Any) -> None:
    """Also those that went to another process."""
    again = copied(WithFeedback("Do it.\n\nWrong.", "Do it."))
    assert (again, own_text(again), type(again)) == ("Do it.\n\nWrong.", "Do it.", WithFeedback)


PARTS: dict[str, tuple[list[Any], list[Any]]] = {
    "a part with feedback": (
        [{"type": "text", "text": WithFeedback("a\n\nno", "a")}, {"text": "b"}],
        [{"type": "text", "text": "a"}, {"text": "b"}],
    ),
    "a part that is feedback alone": ([{"text": WithFeedback("no", "")}, {"text": "b"}], [{"text": "b"}]),
    "parts of other kinds": (["a", 5, {"image": "x"}, {"text": 5}], ["a", 5, {"image": "x"}, {"text": 5}]),
    "nothing": ([], []),
}


@pytest.mark.parametrize("name", PARTS)
def test_the_parts_of_a_message_without_feedback(name: str) -> None:
    """A part that was nothing else is left out; all others are there."""
    parts, own = PARTS[name]
    assert own_parts(parts) == own


@pytest.mark.parametrize("empty", [{"role": "assistant", "content": None}, {"role": "model", "parts": []}])
def test_an_answer_without_content_is_no_turn(empty: dict[str, Any]) -> None:
    """Such as one of thoughts alone: hosts refuse an empty turn, and the correction speaks for itself."""
    assert [turn["role"] for turn in _next(answer=empty)] == [turn["role"] for turn in _next(answer=None)]
