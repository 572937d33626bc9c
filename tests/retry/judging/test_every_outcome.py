"""Every outcome that the documentation promises is given: by the judge, and by `planguard check` over a cassette."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.loop import converge
from pytest_planguard.retry.outcomes import Outcome

from ...support.commands import run
from ...support.conversations import (
    BAD,
    BROKEN,
    ERRORS,
    GOOD,
    PLAN,
    SYSTEM,
    WORDINGS,
    Plan,
    Spoken,
    conversation,
    recorded,
)
from ...support.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "marker.md"
FEEDBACK = WORDINGS["bullets, dotted"](ERRORS)
TASK = ("user", "Plan the release of version two")
BASE = [("system", SYSTEM), TASK]
SHIPPED = GOOD.replace("Ship the release", "Invite all the neighbours of the street")
OPEN = BAD.replace("pending", "open")
EXAMPLE = [("system", SYSTEM), ("user", "Plan the party"), ("assistant", SHIPPED), TASK]
FATAL = Contract(Plan, constraints=[ContentConstraint("goal", "regex", {"pattern": "^X"}, "fail")])
COPIED = Contract(Plan, constraints=[ContentConstraint("goal", "not_copied", {"sources": ["examples"]}, "retry")])


@dataclass(frozen=True)
class Ending:
    """A conversation, and by what it is judged."""

    spoken: tuple[Spoken, ...]
    contract: str = "PLAN"
    """PLAN, FATAL or COPIED."""
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> list[str]:
        """The options as arguments of `planguard check`."""
        words = {"max_attempts": "--max-attempts", "escalates": "--escalates"}
        values = {name: value[0] if isinstance(value, tuple) else value for name, value in self.options.items()}
        return [word for name, value in values.items() for word in (words[name], str(value))]


def loop(*answers: str) -> tuple[Spoken, ...]:
    """A dialogue that keeps its whole history."""
    turns, spoken = list(BASE), []
    for number, answer in enumerate(answers):
        spoken.append(Spoken(list(turns), answer, seed=number))
        turns += [("assistant", answer), ("user", FEEDBACK)]
    return tuple(spoken)


ENDINGS = (
    Ending(loop(GOOD)),
    Ending(loop(BAD)),
    Ending(loop(BAD, BAD)),
    Ending(loop(BAD, OPEN)),
    Ending(loop(BAD, BROKEN)),
    Ending(loop(BAD, BROKEN, OPEN)),
    Ending(loop(BAD), options={"max_attempts": 1}),
    Ending(loop(BAD, "Over to you, Ada."), options={"escalates": ("over to you",)}),
    Ending(loop(GOOD), "FATAL"),
    Ending((Spoken(EXAMPLE, SHIPPED),), "COPIED"),
    Ending((Spoken(BASE, BAD), Spoken(BASE, OPEN), Spoken([BASE[0], ("user", f"{TASK[1]}\n{FEEDBACK}")], GOOD))),
)


def documented(by: str) -> set[str]:
    """The outcomes that the page says are given by one of `test`, `check` and `drive`."""
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    known = {outcome.value for outcome in Outcome}
    return {row[0].strip("| `") for row in rows if by in row[1].split(", ")} & known


def test_the_page_lists_every_outcome() -> None:
    """A marked test can end in each."""
    assert documented("test") == {outcome.value for outcome in Outcome}


def test_the_judge_gives_what_the_page_says_that_check_gives() -> None:
    """Stale is said of a cassette when it is replayed: without an app nothing is sent."""
    found = set()
    for ending in ENDINGS:
        contract = {"PLAN": PLAN, "FATAL": FATAL, "COPIED": COPIED}[ending.contract]
        judged = judge(conversation(*ending.spoken), [contract], options=JudgeOptions(**ending.options))
        found |= {one.outcome.value for one in judged.conversations}
    assert found == documented("check")


def test_the_loop_gives_what_the_page_says_that_it_gives() -> None:
    """Planguard's own loop over the same answers; who drives hands nothing over, and knows what is sent."""
    found = set()
    for ending in ENDINGS:
        contract = {"PLAN": PLAN, "FATAL": FATAL, "COPIED": COPIED}[ending.contract]
        answers = iter([spoken.answer for spoken in ending.spoken])
        attempts = ending.options.get("max_attempts", len(ending.spoken))
        messages = [{"role": role, "content": text} for role, text in ending.spoken[0].turns]
        driven = converge(lambda _messages, left=answers: next(left), messages, contract, max_attempts=attempts)
        found.add(driven.outcome.value)
    message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    refusal = {"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    refused = converge(lambda _messages: refusal, "Plan the party", PLAN)
    assert found | {refused.outcome.value} == documented("drive")


def test_the_command_gives_each_of_them(tmp_path: Path) -> None:
    """`planguard check` over a cassette of each conversation; the lists of the page and of the command are one."""
    contracts = tmp_path / "contracts.py"
    contracts.write_text("from tests.retry.judging.test_every_outcome import COPIED, FATAL, PLAN\n")
    found = set()
    for number, ending in enumerate(ENDINGS):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(recorded(*ending.spoken)))
        named = ["-c", f"{contracts}:{ending.contract}", "--format", "json"]
        result = run("check", str(path), *named, *ending.arguments)
        found |= {one["outcome"] for row in json.loads(result.stdout)["files"][0]["rows"] for one in row["judged"]}
    assert found == documented("check")
