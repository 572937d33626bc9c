"""Loops of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import Request, urlopen

from .feedback import Feedback
from .loops import ORIGIN, Messages, http, plain, user


class Rejected(Exception):
    """An answer that was not accepted, with what is wrong with it."""


def by_urllib(said: Feedback) -> object:
    """The standard library alone."""

    def ask(messages: Messages) -> str:
        body = json.dumps({"model": "m", "messages": messages}).encode()
        asked = Request(f"{ORIGIN}/v1/chat/completions", body, {"content-type": "application/json"})
        with urlopen(asked) as answered:
            return str(json.loads(answered.read())["choices"][0]["message"]["content"])

    messages = [user(said.task)]
    for _ in range(3):
        text = ask(messages)
        told = said(text)
        if told is None:
            return text
        messages += [{"role": "assistant", "content": text}, user(told)]
    raise RuntimeError("no answer")


def retrying(said: Feedback) -> object:
    """A decorator that asks again with the text of the exception."""

    def again(call: Callable[[Messages], str]) -> Callable[[Messages], str]:
        def run(messages: Messages) -> str:
            for _ in range(3):
                try:
                    return call(messages)
                except Rejected as error:
                    text, told = error.args
                    messages = [*messages, {"role": "assistant", "content": text}, user(f"Rejected: {told}")]
            raise RuntimeError("no answer")

        return run

    @again
    def call(messages: Messages) -> str:
        text = plain(messages)
        told = said(text)
        if told is not None:
            raise Rejected(text, told)
        return text

    return call([user(said.task)])


def closing_words(said: Feedback) -> object:
    """What is wrong stands between fixed words, and a fixed turn of its own follows."""
    messages = [{"role": "system", "content": "Answer in JSON only."}, user(said.task)]
    for _ in range(3):
        text = plain(messages)
        told = said(text)
        if told is None:
            return text
        note = f"<validation>\n{told}\n</validation>"
        messages += [{"role": "assistant", "content": text}, user(note), user("Return the whole document once more.")]
    raise RuntimeError("no answer")


def history(said: Feedback) -> object:
    """All that happened is told in one user turn."""
    past = ""
    for number in range(1, 4):
        text = plain([user(said.task + past)])
        told = said(text)
        if told is None:
            return text
        past += f"\n\nAttempt {number} was:\n{text}\nIt was refused:\n{told}"
    raise RuntimeError("no answer")


def all_so_far(said: Feedback) -> object:
    """Only the last answer is kept, with the remarks on all answers so far."""
    remarks: list[str] = []
    messages = [user(said.task)]
    for _ in range(3):
        text = plain(messages)
        told = said(text)
        if told is None:
            return text
        remarks.append(told)
        again = "\n---\n".join(["Remarks so far:", *remarks])
        messages = [user(said.task), {"role": "assistant", "content": text}, user(again)]
    raise RuntimeError("no answer")


def tool_error(said: Feedback) -> object:
    """Another provider's tools, by hand: the feedback is a result that says it is an error."""
    import httpx2

    tool = {"name": "submit", "input_schema": {"type": "object", "properties": {}}}
    messages: Messages = [user(said.task)]
    for _ in range(3):
        body = {"model": "m", "max_tokens": 500, "messages": messages, "tools": [tool]}
        answered = httpx2.post(f"{ORIGIN}/v1/messages", json=body, verify=False)
        answered.raise_for_status()
        content: list[dict[str, Any]] = answered.json()["content"]
        used = next(block for block in content if block["type"] == "tool_use")
        told = said(json.dumps(used["input"]))
        if told is None:
            return used
        result = {"type": "tool_result", "tool_use_id": used["id"], "is_error": True, "content": told}
        messages = [*messages, {"role": "assistant", "content": content}, {"role": "user", "content": [result]}]
    raise RuntimeError("no answer")


def in_a_thread(said: Feedback) -> object:
    """The loop runs in a pool."""

    def run() -> object:
        messages = [user(said.task)]
        for _ in range(3):
            message = http(messages, temperature=0)
            told = said(str(message["content"]))
            if told is None:
                return message
            messages += [message, user(f"Hmm. {told}")]
        raise RuntimeError("no answer")

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def critic(said: Feedback) -> object:
    """A developer turn passes on what the checker has found."""
    messages = [{"role": "developer", "content": "You fill in forms."}, user(said.task)]
    for _ in range(3):
        text = plain(messages)
        told = said(text)
        if told is None:
            return text
        messages += [
            {"role": "assistant", "content": text},
            {"role": "developer", "content": f"The checker says: {told}"},
            user("Go on."),
        ]
    raise RuntimeError("no answer")
