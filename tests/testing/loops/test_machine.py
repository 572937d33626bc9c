"""The machine lets correct loops pass and finds each fault of a loop, with an example that a person can read."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from pytest_planguard import Budget, UsageError, aconverge, converge
from pytest_planguard.testing import AnswerFault, RetryLoopMachine, ScriptedConversation, ScriptedModel

from ...support.nightly import SLOW
from .apps import TICKET, Caching, Remembering, Sharing, Ticket, blind, correct, endless, repairing, short_sighted

pytestmark = pytest.mark.slow

SETTINGS = settings(
    max_examples=60,
    stateful_step_count=12,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[phase for phase in Phase if phase is not Phase.explain],  # as in the tests of a user's machine
)


def machine(run: Callable[[ScriptedModel, str], Any], **options: Any) -> type[RetryLoopMachine]:
    """A machine for a loop that is a function."""
    body = {"contract": TICKET, "run_loop": lambda self, model, task: run(model, task), **options}
    return type("Loop", (RetryLoopMachine,), body)


def sharing(kind: type[Any]) -> Callable[[], RetryLoopMachine]:
    """A machine for a loop that keeps something from task to task."""

    class Loop(RetryLoopMachine):
        contract = TICKET

        def __init__(self) -> None:
            super().__init__()
            self.loop = kind()

        def run_loop(self, model: ScriptedModel, task: str) -> Ticket:
            ticket: Ticket = self.loop.run(model, task)
            return ticket

    return Loop


RIGHT = SLOW.max_examples
"""Examples of a loop that has no fault."""
UNSHRUNKEN = settings(SETTINGS, phases=[Phase.generate])
"""For what is said of a fault: shrinking its example takes most of a test."""


def failure(loop: Callable[[], RetryLoopMachine], how: settings = SETTINGS) -> tuple[str, list[str]]:
    """The fault that is found, and the steps of the example it shrinks to."""
    with pytest.raises(AssertionError) as failed:
        run_state_machine_as_test(loop, settings=how)
    steps = re.findall(r"state\.(\w+\(.*)", "\n".join(failed.value.__notes__))
    return str(failed.value), [re.sub(r"script=ScriptedConversation\(behaviour='(\w+)'.*", r"\1)", s) for s in steps]


def played(test: RetryLoopMachine, script: ScriptedConversation) -> None:
    """Run a machine's loop on one script; raises AssertionError for a fault."""
    test.start(script=script)
    test.teardown()


def passes(run: Callable[[ScriptedModel, str], Any], **options: Any) -> bool:
    """Whether the loop was run on a task in each example at least; raises for a fault."""
    tasks: list[str] = []

    def counted(model: ScriptedModel, task: str) -> Any:
        tasks.append(task)
        return run(model, task)

    run_state_machine_as_test(machine(counted, **options), settings=settings(SETTINGS, max_examples=RIGHT))
    return len(tasks) >= RIGHT


def test_a_correct_loop_passes() -> None:
    """It feeds back what was wrong, stops, and returns what the model answered last."""
    assert passes(correct)


def cutting(ask: Callable[[list[dict[str, str]]], str], task: str) -> Ticket:
    """Say in words of its own what is wrong, and no more than eighteen characters of it."""
    words = {"title": "bagidofugaku", "priority": "lemonopiraso", "steps": "tuvezikanoru"}
    messages = [{"role": "user", "content": f"Write a ticket as JSON. {task}"}]
    for _ in range(3):
        text = ask(messages)
        places = [str(finding.path[0]) if finding.path else "document" for finding in TICKET.check(text).errors]
        if not places:
            return Ticket.model_validate_json(text)
        told = "\n".join(words.get(place, "no document") for place in dict.fromkeys(places))[:18]
        messages += [{"role": "assistant", "content": text}, {"role": "user", "content": told}]
    raise ValueError("no ticket")


def test_a_loop_that_cuts_what_it_says_of_the_last_finding_is_caught() -> None:
    """Its words come and go with the finding, and go on where they are not cut."""
    fault, _ = failure(machine(cutting, behaviours=["right", "fixes"]), UNSHRUNKEN)
    assert 'because the app cuts "' in fault


@pytest.mark.parametrize("placement", ["dialogue", "inject", "command"])
def test_our_own_loop_passes(placement: Any) -> None:
    """In each placement of feedback."""

    def run(model: ScriptedModel, task: str) -> Any:
        return converge(model, f"Write a ticket as JSON. {task}", TICKET, placement=placement).value

    assert passes(run)


def test_our_own_awaited_loop_passes() -> None:
    """With an event loop of its own in each thread."""

    async def ask(model: ScriptedModel, messages: Any) -> str:
        return model(messages)

    def run(model: ScriptedModel, task: str) -> Any:
        return asyncio.run(
            aconverge(lambda m: ask(model, m), f"Ticket, please. {task}", TICKET, budget=Budget(attempts=4))
        ).value

    assert passes(run, max_attempts=4)


def test_our_own_blind_loop_fails() -> None:
    """The control: the same loop without its feedback."""

    def run(model: ScriptedModel, task: str) -> Any:
        return converge(model, f"Ticket, please. {task}", TICKET, placement="blind", stop_when_stuck=False).value

    fault, _ = failure(machine(run), UNSHRUNKEN)
    assert re.match(r"the loop drops feedback: request 2 of 'Task \d' says nothing of what was wrong at ", fault), fault


def test_a_loop_that_drops_feedback_is_caught() -> None:
    """By the simplest fault that the contract knows."""
    fault, steps = failure(machine(blind))
    assert fault == (
        "the loop drops feedback: request 2 of 'Task 1' says nothing of what was wrong at title\n"
        "  because planguard changed the answer and ran the app again: another error in its place (steps became null), "
        'and request 2 still contained all of it. It ends with "Try again."\n'
        "  request 1: Write a ticket as JSON. Task 1\n"
        '  answer 1:  {"title": "00", "priority": "low", "steps": ["", ""]}\n'
        '             title: expected at least 3 characters; got "00"\n'
        "  request 2: Try again.\n"
        '  answer 2:  {"title": "000", "priority": "low", "steps": ["", ""]}\n'
        "  returned:  {'title': '000', 'priority': 'low', 'steps': ['', '']}"
    )
    # Some versions of Hypothesis leave the steps out that answer, since the end of a run answers all that is asked.
    assert [step for step in steps if not step.startswith("answer")] == ["start(fixes)", "teardown()"]


def test_a_loop_that_drops_one_of_two_findings_is_caught() -> None:
    """By an answer with two faults, of which the retry names one."""
    right = {"title": "000", "priority": "low", "steps": ["", ""]}
    faults = (
        AnswerFault("too_short", ("title",), "00"),
        AnswerFault("unlisted_value", ("priority",), "planguard_extra"),
    )
    found = machine(short_sighted)()
    with pytest.raises(AssertionError) as failed:
        played(found, ScriptedConversation("fixes", right, faults))
    assert str(failed.value).splitlines() == [
        "the loop drops some of the feedback: request 2 of 'Task 1' says nothing of what was wrong at priority",
        "  because the words are about other places (title), not priority",
        "  request 1: Write a ticket as JSON. Task 1",
        '  answer 1:  {"title": "00", "priority": "planguard_extra", "steps": ["", ""]}',
        '             title: expected at least 3 characters; got "00"',
        '             priority: expected one of "low", "medium", "high"; got "planguard_extra"',
        "  request 2: title: String should have at least 3 characters",
        '  answer 2:  {"title": "000", "priority": "planguard_extra", "steps": ["", ""]}',
        '             priority: expected one of "low", "medium", "high"; got "planguard_extra"',
    ]


def stubborn(model: ScriptedModel, task: str) -> None:
    """Ask over HTTP for ever, whatever goes wrong."""
    body = {"model": "m", "messages": [{"role": "user", "content": f"Write a ticket as JSON. {task}"}]}
    while True:
        with suppress(Exception):
            request = Request(
                f"{model.base_url}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
            )
            try:
                urlopen(request, timeout=10).read()
            except HTTPError as refused:
                refused.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it is ended amid its requests
def test_a_loop_that_swallows_every_error_and_asks_for_ever_is_caught_and_ended() -> None:
    """No thread of it goes on behind the next tests."""
    before = set(threading.enumerate())
    fault, _ = failure(machine(stubborn, behaviours=["right"], at_once=1), UNSHRUNKEN)
    assert fault.startswith("the loop asks again after a valid answer: request 2 of 'Task 1'")
    left = [one for one in threading.enumerate() if one not in before and one.name.startswith("planguard loop")]
    assert left == []


@pytest.mark.parametrize("coverage", ["first", "any"])
def test_a_loop_may_be_meant_to_feed_back_one_finding(coverage: str) -> None:
    """The models fix one fault for each retry, so such a loop may be right."""
    assert passes(short_sighted, behaviours=["right", "fixes"], coverage=coverage)


def test_a_loop_that_never_stops_is_caught() -> None:
    """By a model that is not right within the attempts that the loop may make."""
    fault, steps = failure(machine(endless), UNSHRUNKEN)
    assert re.match(r"the loop never stops: it sent request 4 of 'Task \d'; max_attempts is 3", fault), fault
    assert {"start(ignores)", "start(regresses)", "start(swings)"} & {*steps}


def test_a_loop_that_accepts_a_truncated_answer_is_caught() -> None:
    """By an answer of which enough is left for the schema once its brackets are closed."""
    fault, steps = failure(machine(repairing), UNSHRUNKEN)
    assert fault.startswith("the loop accepts a truncated answer: it returned ")
    assert "start(truncates)" in steps


@pytest.mark.parametrize(
    ("kind", "fault", "how"),
    [
        (Sharing, r"the loop mixes up two tasks: request 1 of 'Task 2' has the words of 'Task 1'", SETTINGS),
        # Where both tasks have the same error, it is not new in the second one: older versions of Hypothesis end there.
        (
            Remembering,
            r"the loop (?:mixes up two tasks: request 1 of 'Task \d' has feedback on |drops feedback: request 2 )",
            UNSHRUNKEN,
        ),
        (Caching, r"the loop mixes up two tasks: it returns the answer to 'Task \d' for 'Task \d'", UNSHRUNKEN),
    ],
)
def test_a_loop_that_mixes_up_two_tasks_is_caught(kind: type[Any], fault: str, how: settings) -> None:
    """Whatever it is that the tasks share: the history, the last error, a cache."""
    found, steps = failure(sharing(kind), how)
    assert re.match(fault, found), found
    starts = sum(step.startswith("start") for step in steps)
    assert how is UNSHRUNKEN or starts in (2, 3)  # older versions of Hypothesis shrink less


def asking_on(model: ScriptedModel, task: str) -> Ticket:
    """Ask for a second opinion."""
    ticket = correct(model, task)
    model([{"role": "user", "content": f"Write a ticket as JSON. {task}"}])
    return ticket


def impatient(model: ScriptedModel, task: str) -> Ticket:
    """Make one attempt."""
    return correct(model, task, attempts=1)


def refusing(model: ScriptedModel, task: str) -> None:
    """Return nothing."""
    correct(model, task)


def inventing(model: ScriptedModel, task: str) -> dict[str, Any]:
    """Return another title than the model's."""
    return {**correct(model, task).model_dump(), "title": "Something else"}


def forgetful(model: ScriptedModel, task: str) -> Ticket:
    """Leave the task out of the prompt."""
    return correct(model, "")


def silent(model: ScriptedModel, task: str) -> str:
    """Ask nobody."""
    return "nothing"


@pytest.mark.parametrize(
    ("loop", "fault"),
    [
        (asking_on, r"the loop asks again after a valid answer: request [23] of 'Task \d'"),
        (impatient, r"the loop gives up after 1 of 3 attempts, while the answers get better: it raised ValueError: no"),
        (refusing, r"the loop refuses a valid answer: it returned None for 'Task \d'"),
        (inventing, r"the loop returns something other than the valid answer: \{'title': 'Something else', "),
        (forgetful, r"the loop loses its task: request 1 does not have the words 'Task \d', which run_loop gets"),
        (silent, r"the loop never asks: it returned 'nothing' without a request"),
    ],
)
def test_other_faults_are_named(loop: Callable[[ScriptedModel, str], Any], fault: str) -> None:
    """Each in its own words."""
    found, _ = failure(machine(loop), UNSHRUNKEN)
    assert re.match(fault, found), found


def test_an_unexpected_exception_is_a_fault() -> None:
    """Once the machine knows what the loop raises where it gives up."""

    def crashing(model: ScriptedModel, task: str) -> Ticket:
        raise KeyError(model(f"Ticket, please. {task}"))

    run_state_machine_as_test(machine(crashing, behaviours=["ignores"]), settings=settings(SETTINGS, max_examples=5))
    with pytest.raises(KeyError):
        run_state_machine_as_test(machine(crashing, gives_up_with=(ValueError,)), settings=SETTINGS)


@pytest.mark.parametrize("body", [{"contract": TICKET}, {"run_loop": lambda self, model, task: None}])
def test_a_loop_and_its_contract_must_be_given(body: dict[str, Any]) -> None:
    """The base class proves nothing."""
    with pytest.raises(UsageError, match=r"^Empty: set contract, and override run_loop"):
        run_state_machine_as_test(type("Empty", (RetryLoopMachine,), body), settings=SETTINGS)


def as_tuple(model: ScriptedModel, task: str) -> tuple[str, str, list[str]]:
    """Return the ticket in another form."""
    ticket = correct(model, task)
    return ticket.title, ticket.priority, ticket.steps


def test_what_a_loop_returns_may_be_in_another_form() -> None:
    """The machine asks for `as_data`, and with it compares what is there."""
    wrong, _ = failure(machine(as_tuple), UNSHRUNKEN)
    assert "where it is the same in another form, override as_data" in wrong
    own = machine(as_tuple, as_data=lambda self, result: dict(zip(Ticket.model_fields, result, strict=True)))
    run_state_machine_as_test(own, settings=settings(SETTINGS, max_examples=RIGHT))


def test_models_need_no_hypothesis_and_the_machine_says_that_it_does() -> None:
    """`pytest_planguard.testing` imports without the extra."""
    code = """
import sys
sys.modules["hypothesis"] = None  # as if it were not installed
from pytest_planguard import UsageError
from pytest_planguard.testing import ScriptedConversation, ScriptedModel
try:
    from pytest_planguard.testing import RetryLoopMachine
except UsageError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "RetryLoopMachine needs the optional package hypothesis: pip install 'pytest-planguard[hypothesis]'"
    )
