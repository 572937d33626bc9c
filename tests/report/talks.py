"""Two runs of an app that makes tickets, for the tests of pages: long names, a changed prompt, retries with words."""

from __future__ import annotations

from dataclasses import replace

from pytest_planguard import Contract, distinct
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.model.judged_answers import AttemptRow, FedBackRow, Judged, Said
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.runs.store.store import RunPoint
from pytest_planguard.statistics import Rate

from ..support.runs import run

SCHEMA = {
    "type": "object",
    "properties": {"priority": {"enum": ["low", "medium", "high"]}, "steps": {"type": "array", "minItems": 2}},
    "required": ["priority", "steps"],
}
TICKET = Contract(SCHEMA, name="Ticket", constraints=[distinct("steps")])
BAD = '{"priority": "urgent", "steps": ["Cut the power"]}'
GOOD = '{"priority": "high", "steps": ["Cut the power", "Call for help"]}'
FEEDBACK = "Fix this. priority: one of low, medium, high. steps: two or more. Keep the rest."
WORDS = ("priority: one of low, medium, high", "steps: two or more")
"""What of the feedback feeds back the two findings."""
OLD = "Write a ticket as JSON with priority (low, medium, high) and steps."
NEW = "Write a ticket as JSON with priority and steps, and be friendly."
FILE = "tests/tickets/test_tickets_that_are_made_from_the_message_of_a_customer.py"
TASKS = (
    "the printer on floor 3 is on fire and nobody knows where the key of the cupboard is",
    "nobody can log in",
    "<b>markup</b> & 'quotes'",
)
HISTORY = tuple(
    RunPoint(f"run-{n}", f"2026-11-{n + 10}T10:00:00+00:00", Rate(hits, 10)) for n, hits in enumerate((8, 10, 7))
)


def key_of(task: str) -> str:
    """The id of a test."""
    return f"{FILE}::TestTickets::test_create_ticket[{task}]"


def _attempt(answer: str, *, told: bool = False, model: str = "m-1") -> AttemptRow:
    verdict = TICKET.check(answer)
    both = zip(verdict.findings, WORDS, strict=False)
    fed_back = [FedBackRow(finding.code, finding.path, "fed back", "located", words) for finding, words in both]
    kind = verdict.kind.value if verdict.kind else None
    row = AttemptRow(answer, verdict.ok, kind, verdict.findings, model, "stop", 100, 20, latency_s=1.5)
    return replace(row, fed_back=tuple(fed_back), next_request=(Said("user", FEEDBACK),)) if told else row


def talk(task: str, prompt: str, *, ends_well: bool, model: str = "m-1") -> CaseRow:
    """A case of two attempts: the first answer breaks two rules, and the retry says both."""
    key = key_of(task)
    attempts = (_attempt(BAD, told=True, model=model), _attempt(GOOD if ends_well else BAD, model=model))
    judged = Judged(attempts, "converged" if ends_well else "exhausted", ends_well, "1", "Ticket")
    asked = (Said("system", prompt), Said("user", task))
    return CaseRow(key, key, judged=(judged,), model=model, variant=model, asked=asked)


def talks_diff(model: str = "m-1") -> RunDiff:
    """The prompt changed, and the first task fails now; `model` answered all of them."""
    base = [talk(task, OLD, ends_well=True, model=model) for task in TASKS]
    candidate = [talk(task, NEW, ends_well=task != TASKS[0], model=model) for task in TASKS]
    return compare(run("main", base), run("last", candidate))


def talks_report() -> DiffReport:
    """The same with three kept runs."""
    return DiffReport(talks_diff(), history=HISTORY)
