"""Call tapes: a function that asks a model without HTTP is recorded at its boundary and replayed."""

from ..support.lookalike import Lookalike
from .projects import project, rows, run

MODEL = """
import os

LIVE = []

def answer(prompt):
    '''A model without HTTP: it gets its answer right once it is given the errors.'''
    if not os.environ.get("MODEL"):
        raise RuntimeError("the model was called in a replay")
    LIVE.append(prompt)
    text = str(prompt)
    return GOOD if "priority" in text and "steps" in text else BAD

GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"]}'
BAD = '{"title": "Printer", "priority": "hi", "steps": []}'
"""
APP = """
import os, model

@pytest.fixture
def create(planguard):
    ask = planguard.recorded(model.answer, name="ask")

    def run(task):
        answer = ask(task)
        verdict = TICKET.check(answer)
        while not verdict.ok:
            errors = "\\n".join(f"{f.path[0]}: {f.message}" for f in verdict.errors)
            said = "Try again." if os.environ.get("BLIND") else errors
            answer = ask(f"{task}\\nYour answer was {answer}. It is wrong:\\n{said}")
            verdict = TICKET.check(answer)
        return verdict.value
    return run

@pytest.mark.planguard(TICKET)
def test_own_loop(create):
    assert create("Make a ticket for the printer.").steps == ["look"]

@pytest.mark.planguard(TICKET)
def test_driven(planguard):
    ticket = planguard.converge(planguard.recorded(model.answer), "Make a ticket for the printer.")
    assert ticket.priority == "high"

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.anyio
@pytest.mark.planguard(TICKET)
async def test_awaited(planguard):
    async def ask(messages):
        return model.answer(messages)

    ticket = await planguard.aconverge(planguard.recorded(ask), "Make a ticket for the printer.")
    assert ticket.priority == "high"
"""


def test_recorded_replayed_and_blind(lookalike: Lookalike) -> None:
    """A loop that drops the errors fails with each of them named; a correct one replays without the model."""
    example = project(APP, model=MODEL)
    live = run(example, lookalike, "--planguard-record=missing", MODEL="1", plugins=("planguard", "anyio"))
    assert dict(live.outcomes) == {"passed": 3}, live.output
    again = run(live.example, lookalike, plugins=("planguard", "anyio"))
    assert dict(again.outcomes) == {"passed": 3}, again.output
    assert [[len(one["attempts"]) for one in row["judged"]] for row in rows(again.example)] == [[2]] * 3
    assert not any(row["untracked"] for row in rows(again.example))
    blind = run(live.example, lookalike, "-k", "own_loop", BLIND="1", plugins=("planguard", "anyio"))
    assert dict(blind.outcomes) == {"failed": 1, "deselected": 2}
    assert "missing feedback: the retry feeds back no finding of the attempt before it" in blind.stdout
    for place in ("priority", "steps"):
        assert f"  missing:   {place}" in blind.stdout
    assert "  sent:      the function ask\n" in blind.stdout


OWN_LOOP = APP.partition("@pytest.mark.planguard(TICKET)\ndef test_driven")[0]
OTHERS = """
import model
from pytest_planguard import tape
from pytest_planguard.errors import UsageError

KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"

@tape
def ask(prompt):
    return model.answer(prompt)

@pytest.mark.planguard(TICKET)
def test_secret(planguard):
    ask(f"priority, steps; the key is {KEY}")

@pytest.mark.planguard(TICKET, mode="check")
def test_only_checks():
    ask("a ticket")

@pytest.fixture(autouse=True)
def early(request):
    if "too_early" in request.node.name:
        ask("a ticket")

@pytest.mark.planguard(TICKET)
def test_too_early():
    pass

def test_unmarked():
    assert ask("priority, steps") == model.GOOD
"""


def test_secrets_and_calls_without_a_recording(lookalike: Lookalike) -> None:
    """No key reaches the disk. A call without an open cassette is refused, except in a test without the marker."""
    example = project(OTHERS, model=MODEL)
    done = run(example, lookalike, "--planguard-record=missing", MODEL="1")
    assert dict(done.outcomes) == {"passed": 1, "failed": 2, "error": 1}, done.output
    assert "a secret was kept out of the cassette: request body arguments.prompt: API key (sk-…)" in done.stdout
    assert "  sent:      a call of the function ask\n" in done.stdout
    assert "planguard: autouse fixture early called the function ask before the test's cassette was open" in done.stdout
    recorded = [str(text) for name, text in done.example.files.items() if ".yaml" in name]
    assert len(recorded) == 1
    assert "the key is " in recorded[0]
    assert "abcdefghijklmnopqrstuvwxyz" not in recorded[0]


def test_an_experiment(lookalike: Lookalike) -> None:
    """The app is run again on changed answers of the tape, as with recorded requests, and every finding is proven."""
    live = run(project(OWN_LOOP, model=MODEL), lookalike, "--planguard-record=missing", MODEL="1")
    assert dict(live.outcomes) == {"passed": 1}, live.output
    proven = run(live.example, lookalike, "--planguard-prove")
    assert dict(proven.outcomes) == {"passed": 1}, proven.output
    (row,) = rows(proven.example)
    assert {graded["how"] or graded["grade"] for a in row["judged"][0]["attempts"] for graded in a["fed_back"]} == {
        "proven"
    }
