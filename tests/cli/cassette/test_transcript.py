"""What was said, for a person."""

from dataclasses import replace

import pytest

from pytest_planguard.cli.cassette.show_command import clip, headline, render_exchange
from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage


def text(role: Role, words: str) -> Item:
    """A message."""
    return Item(ItemKind.TEXT, role, words)


SYSTEM = text(Role.SYSTEM, "Answer with JSON.\nNothing else.")
TASK = text(Role.USER, "Who?")
FIRST = Exchange(
    1,
    "openai.chat",
    model="m",
    request=(SYSTEM, TASK),
    answer=(text(Role.ASSISTANT, '{\n "name": 1\n}'),),
    finish=Finish.STOP,
    usage=Usage(1200, 7),
)


def test_a_first_request_is_shown_whole_with_line_breaks_as_line_breaks() -> None:
    """Every message has its role in front, and its further lines stand under its first."""
    assert render_exchange(FIRST) == (
        "  system    Answer with JSON.\n"
        "            Nothing else.\n"
        "  user      Who?\n"
        '  answer    {\n             "name": 1\n            }'
    )


def test_a_later_request_shows_what_is_new() -> None:
    """Messages that the request before had are counted, not repeated."""
    retry = replace(FIRST, number=2, request=(SYSTEM, TASK, *FIRST.answer, text(Role.USER, "Wrong.")))
    assert render_exchange(retry, FIRST).splitlines()[:2] == ["            (2 messages as before)", "  assistant {"]


def test_one_message_is_one_message() -> None:
    """The count of what is left out is spelled rightly."""
    one = replace(FIRST, request=FIRST.request[:1])
    assert render_exchange(FIRST, one).startswith("            (1 message as before)")


def test_tools_errors_and_nothing() -> None:
    """Calls, results and provider errors are named for what they are; an empty answer is said to be empty."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, '{"q": 1}', "c1", "look_up")
    result = Item(ItemKind.RESULT, Role.TOOL, "no such thing", "c1", "look_up", is_error=True)
    calling = replace(FIRST, request=(TASK, result), answer=(call,))
    assert render_exchange(calling).splitlines() == [
        "  user      Who?",
        "  tool      error of look_up: no such thing",
        '  answer    calls look_up({"q": 1})',
    ]
    assert render_exchange(replace(FIRST, request=(), answer=())) == "  answer    (nothing)"
    assert render_exchange(replace(FIRST, request=(), answer=(), error="too many")) == "  error     too many"
    assert render_exchange(replace(FIRST, request=(), answer=(), refusal="I will not")) == "  refusal   I will not"


def test_what_no_dialect_reads_is_shown_as_raw_text() -> None:
    """The reason stands first, then both bodies, clipped."""
    raw = Exchange(3, "raw", note="an embedding", raw_request="in", raw_response="o" * 500)
    assert render_exchange(raw).splitlines() == [
        "            kept as raw text: an embedding",
        "  request   in",
        "  answer    " + "o" * 400 + " … (100 more characters)",
    ]


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (Item(ItemKind.CALL, Role.ASSISTANT, "{}", "c1", "look_up"), "  assistant calls look_up({})"),
        (Item(ItemKind.CALL, Role.ASSISTANT, "{}", "c1"), "  assistant calls ?({})"),
        (Item(ItemKind.RESULT, Role.TOOL, "x", "c1", "look_up"), "  tool      result of look_up: x"),
        (Item(ItemKind.RESULT, Role.TOOL, "x", "c1"), "  tool      result of c1: x"),
        (Item(ItemKind.RESULT, Role.TOOL, "x"), "  tool      result of the call: x"),
        (Item(ItemKind.RESULT, Role.TOOL, "x", is_error=True), "  tool      error of the call: x"),
        (Item(ItemKind.TEXT, Role.USER, "a\r\nb  "), "  user      a\n            b"),
    ],
)
def test_calls_and_results_without_names(item: Item, line: str) -> None:
    """A result has the id of its call in the place of a name, and both are said to lack one."""
    assert render_exchange(replace(FIRST, request=(item,), answer=(), error="e")) == f"{line}\n  error     e"


def test_what_is_left_of_an_exchange() -> None:
    """A reason that is not known, a rejected call, and nothing."""
    assert render_exchange(Exchange(3, "raw")).splitlines()[0] == "            kept as raw text: no dialect reads it"
    empty = replace(FIRST, request=(), answer=())
    assert render_exchange(replace(empty, rejected_text="{")) == "  rejected  {\n  answer    (nothing)"
    assert headline(replace(FIRST, model=None, finish=None, usage=Usage(None, 0))) == (
        "exchange 1, openai.chat, 0 + 0 tokens"
    )
    assert headline(replace(FIRST, status=200, latency_s=0.04, usage=Usage(5, None))) == (
        "exchange 1, m, finish stop, 0.0 s"
    )


def test_system_prompts_are_clipped_unless_asked_for() -> None:
    """A long system prompt takes a few lines; `whole` shows all of it."""
    long = replace(FIRST, request=(text(Role.SYSTEM, "s" * 1000),), answer=())
    assert "(800 more characters)" in render_exchange(long)
    assert "s" * 1000 in render_exchange(long, whole=True)


def test_hostile_text_cannot_reach_the_terminal() -> None:
    """Escape sequences, text direction marks and carriage returns of a model are shown, not obeyed."""
    hostile = replace(FIRST, answer=(text(Role.ASSISTANT, "\x1b[2Jgone\r\u202e\ud800"),), model="m\x1b]0;x\x07")
    shown = render_exchange(hostile) + headline(hostile)
    assert not set(shown) & set("\x1b\x07\r\u202e\ud800")


def test_the_headline_says_who_answered_and_how_it_ended() -> None:
    """Number, model, finish, tokens and recorded latency on one line."""
    assert headline(FIRST) == "exchange 1, m, finish stop, 1,200 + 7 tokens"
    assert headline(Exchange(2, "raw", latency_s=1_234.56)) == "exchange 2, raw, 1,234.6 s"
    assert headline(Exchange(2, "openai.chat", status=429)) == "exchange 2, openai.chat, HTTP 429"


def test_clip_says_how_much_is_missing() -> None:
    """Text within the limit is left alone."""
    assert (clip("abc", 3), clip("abcd", 3)) == ("abc", "abc … (1 more character)")
