"""The experiment in this process: an app is a function that words what is wrong with an answer, or says None."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from pytest_planguard.replay.matching.normalise import normalise
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.proof import Proof
from pytest_planguard.retry.proving.attribution import cross_checked
from pytest_planguard.retry.proving.experiment import Experiment
from pytest_planguard.retry.proving.planning import trials
from pytest_planguard.retry.proving.trial import Change, Request, Trial, seen
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Message

TASK = "Write it as JSON, please."
Say = Callable[[str], str | None]


def messages(answers: Sequence[str], say: Say) -> list[dict[str, str]] | None:
    """Return the turns after some answers; None where the app is content."""
    turns = [{"role": "user", "content": TASK}]
    for answer in answers:
        told = say(answer)
        if told is None:
            return None
        turns += [{"role": "assistant", "content": answer}, {"role": "user", "content": told}]
    return turns


def exchange(number: int, turns: list[dict[str, str]], answer: str) -> Exchange:
    """Return one chat completion."""
    body = json.dumps({"model": "m", "messages": turns}).encode()
    choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
    response = json.dumps({"id": "1", "model": "m", "object": "chat.completion", "choices": [choice]}).encode()
    plain = {"content-type": "application/json"}
    url = "https://api.example.com/v1/chat/completions"
    return decode(number, Message(plain, body, "POST", url), Message(plain, response, url=url))


def experiment(contract: Any, answers: Sequence[str], say: Say, **options: Any) -> list[Proof]:
    """Run the app for every finding of the answers before the last, and return what came of it."""
    asked = [messages(answers[:number], say) for number in range(len(answers))]
    made = [
        exchange(n, turns, answer) for n, (turns, answer) in enumerate(zip(asked, answers, strict=True), 1) if turns
    ]
    judged = judge(made, [contract], options=JudgeOptions(**options))
    planned = trials(judged.conversations, [contract], JudgeOptions(**options))
    return cross_checked([one if isinstance(one, Proof) else tried(one, answers, say) for one in planned])


def tried(one: Experiment, answers: Sequence[str], say: Say) -> Proof:
    """Run one finding's trials until they tell."""
    at, done = one.exchange, list[Change]()
    before = request(messages(answers[:at], say))
    assert before is not None

    def run(change: Change) -> Trial:
        done.append(change)
        now = request(messages([*answers[: at - 1], change.text], say))
        if now is None:
            return Trial(change, {})
        how = seen(before, now, change, one.answer, lambda text: normalise(text), one.places)
        return Trial(change, {at + 1: how})

    proof = one.tried(run)
    assert len(done) <= 3
    return proof


def request(turns: list[dict[str, str]] | None) -> Request | None:
    """Return what is sent; None where the app asks no more."""
    if turns is None:
        return None
    return Request({"model": "m", "messages": turns}, [turn["content"] for turn in turns])


def results(contract: Any, bad: str, good: str, say: Say, **options: Any) -> dict[str, str]:
    """Return what became of each finding of a bad answer, by its place."""
    proofs = experiment(contract, [bad, good], say, **options)
    return {".".join(map(str, proof.finding.path)): proof.result.value for proof in proofs}
