"""What a call has to be told: by its own channel, by that of later steps, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import BlameRule, Contract, SearchConfig, Step, StepBudget
from pytest_planguard.plan_search.context import StepContext, TapeKey, prefix_name
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.step_judging import StepCall, judged, told
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.outcomes import CheckStatus
from pytest_planguard.retry.results import Convergence
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Message

FIRST = Contract({"type": "object", "required": ["summary"]}, name="First")
LAST = Contract({"type": "object", "required": ["owner", "due"]}, name="Last")
WORDS = ["{}", '{"summary": "a"}', '{"summary": "b"}', '{"owner": "x"}', '{"due": 1}', '{"owner": "x", "due": 1}']
Say = Callable[[StepContext], str]


def whole(context: StepContext) -> str:
    """Both channels, in the words of the search."""
    return str(context.messages(f"STEP {context.step}.")[0]["content"])


def blind(context: StepContext) -> str:
    """Neither channel."""
    return f"STEP {context.step}." + (" Try again." if context.own or context.downstream else "")


def exchange(number: int, said: str, answer: str) -> Exchange:
    """One request of chat completions and its answer."""
    body = {"model": "m", "messages": [{"role": "user", "content": said}]}
    reply = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}]}
    url = "http://127.0.0.1/v1/chat/completions"
    sent, came = (
        Message({"content-type": "application/json"}, json.dumps(one).encode(), url=url) for one in (body, reply)
    )
    return decode(number, sent, came)


def judgements(answers: Sequence[str], say: Say) -> list[Convergence]:
    """The judgement of everything that the calls of a search had to be told."""
    given = iter(answers)
    calls: dict[TapeKey, tuple[StepContext, Exchange]] = {}

    def ask(context: StepContext) -> str:
        answer = next(given)
        calls[context.key] = context, exchange(len(calls) + 1, say(context), answer)
        return answer

    steps = [Step("first", ask, FIRST, StepBudget(3, 3)), Step("last", ask, LAST, StepBudget(2, 0))]
    blame = (BlameRule("missing", 1, "owner"),)
    result = search(steps, SearchConfig(max_total_calls=len(answers), blame=blame))
    nodes = {node.key: node for node in result.tree.nodes}
    made = [StepCall(prefix_name(1, c), c, (e,), nodes.get(key)) for key, (c, e) in calls.items()]
    return [judged(one, JudgeOptions()) for one in told(made, steps, SearchConfig())]


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=9))
def test_a_step_that_says_what_it_is_told_loses_nothing(answers: list[str]) -> None:
    """Whatever the answers are: retries, returns from later steps, answers that repeat others."""
    assert [c for c in judgements(answers, whole) if c.check("feedback").status is not CheckStatus.PASS] == []


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=9))
def test_a_blind_step_loses_all_that_it_is_told(answers: list[str]) -> None:
    """By reading alone."""
    assert {c.check("feedback").status for c in judgements(answers, blind)} <= {CheckStatus.FAIL}


def test_the_channels_and_their_names() -> None:
    """A first answer is told nothing, whatever the step before it answered."""
    names = [c.conversation for c in judgements(["{}", WORDS[1], "{}", WORDS[2], '{"owner": "x"}', WORDS[5]], blind)]
    assert names == [
        "plan search 1: first",
        "plan search 1: first, sent back by last",
        "plan search 1: last after 4",
    ]
