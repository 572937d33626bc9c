"""The checks right below, at and above each bound, and each form of what they look for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.replay.privacy.secrets import find_secrets
from pytest_planguard.retry.judging.checks.request_checks import FEEDBACK_CAP
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.results import Check, Convergence

from ...replay.privacy.test_planted import SHAPES
from ..decisions.spoken import exchanges_of
from ..decisions.turns import (
    BOTH,
    GOOD,
    PRIORITY,
    TICKET,
    TOOLS,
    URGENT,
    WRITE,
    Shape,
    call,
    cut,
    model,
    once,
    result,
    sent,
    talk,
    user,
)


def judged(spoken: tuple[dict[str, Any], ...]) -> Convergence:
    """Return the judgement of the only conversation."""
    (found,) = judge(exchanges_of(Shape(spoken)), [TICKET]).conversations
    return found


def clean(words: str) -> Check:
    """Return what is said of feedback that has these words behind a finding."""
    return judged(talk(URGENT, f"{PRIORITY}\n{words}", GOOD)).check("clean")


LEAKS = {
    "Traceback (most recent call last)": "a traceback",
    '  File "a.py", line 3': "a traceback",
    "RateLimitError": "an API error",
    "APIConnectionError": "an API error",
    "APIStatusError": "an API error",
    "APITimeoutError": "an API error",
    "InternalServerError": "an API error",
    "HTTP 503": "an API error",
    "HTTP/404": "an API error",
    "http://a.bc": "a URL",
    "https://errors.example/enum": "a URL",
}
HARMLESS = (
    "HTTP 200",
    "sk-learn-pipeline-of-ours",
    f"AKIA{'A' * 15}",
    "Bearer of_the_good_news_",
    "api_key: Field required",
    'input_value={"password": "hunter2"}',
    "http://a.b",
    "a file, line 3",
)


@pytest.mark.parametrize("words", LEAKS)
def test_what_feedback_must_not_have(words: str) -> None:
    """Said with its place and its first 24 characters."""
    check = clean(words)
    assert (check.status.value, check.message) == ("warn", "the feedback leaks details of the app")
    assert check.evidence[0] == f"request 2, message 4 has {LEAKS[words]}: {words.strip()[:24]}…"


@pytest.mark.parametrize("name", SHAPES)
def test_feedback_must_not_have_what_a_recording_must_not_have(name: str) -> None:
    """The keys that are taken out of cassettes; their kind is said, and nothing of them shown."""
    (secret,) = find_secrets(SHAPES[name])
    assert clean(f"the key is {SHAPES[name]}").evidence == (f"request 2, message 4 has a secret: {secret.kind}",)


def test_a_key_that_the_task_has_is_no_leak() -> None:
    """Nor one that the model wrote."""
    task = (*WRITE[:-1], user(f"Mask {SHAPES['gitlab']} in the log."))
    found = judged(talk(URGENT, f"{PRIORITY}\nMask {SHAPES['gitlab']}.", GOOD, start=task))
    assert found.check("clean").message == "the feedback is about the answer only"


@pytest.mark.parametrize("words", HARMLESS)
def test_what_feedback_may_have(words: str) -> None:
    """A character less, or another status."""
    assert clean(words).message == "the feedback is about the answer only"


@pytest.mark.parametrize("words", ["shorter", "Be brief.", "at most 5 items", "kürzer", "più breve", "更短", "请精简"])
def test_who_asks_for_less_may_keep_the_token_limit(words: str) -> None:
    """A shorter answer fits into it."""
    assert judged(cut(10, 10, f"It is no JSON. {words}")).check("stops").status.value == "pass"
    assert judged(cut(10, 10, "It is no JSON. Again")).check("stops").evidence == (
        "attempt 2 was requested at the same token limit after attempt 1 was cut off",
    )


def test_what_a_retry_may_add() -> None:
    """The answers so far, the arguments of calls included, and 4,000 characters of feedback for each."""
    asked = sum(len(item.text) for item in WRITE)

    def grown(words: str) -> str:
        first = sent(*WRITE, answer=call(URGENT), **TOOLS)
        again = sent(*WRITE, call(URGENT), result(words), answer=call(GOOD, "c2"), **TOOLS)
        return judged((first, again)).check("bounded").message

    assert FEEDBACK_CAP == 4_000
    assert grown("x" * 4_000) == "no request is too long"
    assert grown("x" * 4_001) == "a retry's request is too long"
    twice = judged(talk(URGENT, "x" * 4_000, BOTH, "y" * 4_001, GOOD)).check("bounded")
    size = asked + len(URGENT) + len(BOTH) + 8_000
    limit = f"the limit is {size:,}: request 1, the answers so far and 4,000 characters of feedback for each"
    assert twice.evidence == (f"request 3 has {size + 1:,} characters; {limit}",)


def test_a_line_of_the_task_that_a_retry_leaves_out_is_clipped() -> None:
    """To 100 characters."""
    line = "Be kind to " + "everyone " * 12
    first, again = once((*WRITE, user(line)), URGENT), once((*WRITE, model(URGENT), user(PRIORITY)), GOOD)
    check = judged((first, again)).check("task_kept")
    assert check.evidence == (f"request 2 no longer says: {line[:100]}",)


@pytest.mark.parametrize("turns", [1, 4, 5])
def test_at_most_four_messages_are_said_to_be_searched(turns: int) -> None:
    """More would fill the line."""
    more = [user(f"Hello {n}") for n in range(turns)]
    check = judged((once(WRITE, URGENT), once((*WRITE, model(URGENT), *more), GOOD))).check("feedback")
    places = ", ".join(f"message {n} of request 2" for n in range(4, 4 + min(turns, 4)))
    assert check.evidence[0].endswith(f" Searched: {places}")


def test_who_sends_only_what_is_new_keeps_the_task() -> None:
    """The server has the rest; a request without a task has none to keep."""
    nothing = "no retry sends the whole conversation"
    first, again = exchanges_of(Shape((once(WRITE, URGENT), once((user(PRIORITY),), GOOD))))
    first, again = replace(first, response_id="r1"), replace(again, previous_id="r1")
    (found,) = judge([first, again], [TICKET]).conversations
    assert len(found.attempts) == 2
    assert (found.check("task_kept").status.value, found.check("task_kept").message) == ("not applicable", nothing)
    alone = judged((once(WRITE, GOOD),)).check("task_kept")
    assert (alone.status.value, alone.message) == ("not applicable", nothing)
    kept = judged(talk(URGENT, PRIORITY, GOOD)).check("task_kept")
    assert (kept.status.value, kept.message) == ("pass", "every retry repeats the task")
