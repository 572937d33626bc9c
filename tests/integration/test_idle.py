"""planguard costs almost nothing in a project that marks no test."""

from pytest_planguard.testing.example import Example

HEAVY = ("vcr", "pydantic", "yaml", "deepdiff", "hypothesis", "syrupy", "rich", "click", "jinja2", "markdown_it")

SHOW_MODULES = f"""
import sys

def pytest_unconfigure(config):
    ours = sorted(name for name in sys.modules if name.startswith("pytest_planguard"))
    heavy = sorted(name for name in {HEAVY!r} if name in sys.modules)
    print("\\nOURS", *ours)
    print("HEAVY", *heavy)
"""


def test_loads_three_modules_and_nothing_heavy():
    """An idle run adds three modules of ours, and none of our dependencies."""
    run = Example({"conftest.py": SHOW_MODULES, "test_a.py": "def test_a(): pass"}).run_pytest("-q")
    assert dict(run.outcomes) == {"passed": 1}
    lines = run.stdout.splitlines()
    assert "OURS pytest_planguard pytest_planguard.plugin pytest_planguard.plugin.options" in lines
    assert "HEAVY" in [line.strip() for line in lines]


CHECKED = """
import pytest
from pydantic import BaseModel
from pytest_planguard import Contract

class Ticket(BaseModel):
    title: str

@pytest.mark.planguard(Contract(Ticket))
def test_ticket(planguard):
    assert planguard.check('{"title": "a leak"}')
"""
LATER = [
    "document.formats.reading",
    "replay.commands.command_server",
    "plugin.outcome.samples",
    "plugin.recording.recording",
    "plugin.rerun.obstacles",
    "replay.files",
    "replay.network.contacts",
    "replay.network.senders",
    "replay.session.rekey",
    "report.conversation",
    "report.finding_text",
    "report.case_words",
    "report.change_text",
    "report.comparison_words",
    "retry",
    "plan_search",
    "contract.strength",
    "wire.decode",
    "wire.dialects",
]
"""What a good answer has no use for: it loads with the first failure, conversation, recording or refusal. A row can
hold findings and scores, so their classes load with it."""
MOST = 105
"""Modules of ours in a session of good answers. Each takes about a thousandth of the time of such a session with one
test, so one more needs a reason."""


def test_a_good_answer_loads_what_its_check_needs():
    """A session that checks one good answer loads nothing for failures, conversations and cassettes."""
    run = Example({"conftest.py": SHOW_MODULES, "test_a.py": CHECKED}).run_pytest("-q")
    assert dict(run.outcomes) == {"passed": 1}
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("OURS ")]
    ours = [name.removeprefix("pytest_planguard.") for name in line.split()[1:]]
    assert [name for name in ours if f"{name}.".startswith(tuple(f"{later}." for later in LATER))] == []
    assert len(ours) <= MOST


def test_says_nothing_and_writes_nothing():
    """Without a marked test there is no section at the end and no folder."""
    run = Example({"test_a.py": "def test_a(): pass"}).run_pytest()
    assert "= planguard" not in run.stdout
    assert run.example.paths() == ["test_a.py"]


def test_the_header_says_how_it_would_replay():
    """One line of the header: version, match mode, record mode."""
    run = Example({"test_a.py": "def test_a(): pass"}).run_pytest("--planguard-variant=new")
    assert "planguard: 0.1.0, match gated, record none (replay only), variant new" in run.stdout
