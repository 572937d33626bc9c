"""What a conftest registers counts for one session: pytest may run several times in a process, also inside a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_planguard.testing import Example

from ..support.warm import WarmExample, inner_environment, run_module

CONFTEST = """
import re
from pytest_planguard import Severity
from pytest_planguard.extend import (
    AnswerView, ErrorEntry, Hit, Item, ItemKind, Plan, Profile, RequestView, Role, Rule, Task, each, wrong,
)

GREETING = "hello"

def polite(value, params):
    if GREETING not in str(value):
        yield wrong(f"the word {GREETING}", value)

class Plain:
    name = "plain"

    def matches(self, path, body):
        return path.endswith("/complete") and "said" in body

    def read_request(self, body):
        return RequestView(model=GREETING)

    def read_answer(self, body):
        return None

    def read_stream(self, objects):
        return None

def long_names(plan, index):
    for task in plan.tasks:
        if len(task.key) > 9:
            yield Hit(task.place, f"{GREETING}: {task.key} is long")

def todo(source):
    return Plan("todo", tasks=tuple(Task(name, name) for name in source.data["todo"]))

def pytest_planguard_register(registry):
    registry.constraint("polite", each(polite))
    registry.style("shout", lambda correction: (GREETING.upper(), len(correction.findings)))
    registry.wording("own", lambda text: [ErrorEntry((), None, GREETING, 0, 3)] if "OWN" in text else [])
    registry.dialect(Plain())
    registry.normaliser("ticket", lambda text: re.sub(r"T-[0-9]+", f"T-{GREETING}", text))
    registry.plan_format(Profile("todo", "todo", "Names.", lambda s: 99 * ("todo" in s.data), todo, "data"))
    registry.plan_rule(Rule("long-name", long_names, Severity.RETRY, "Short names.", "`unbelievable`", "Shorten it."))
"""
USES = """
import conftest
import pytest
from pytest_planguard import ContentConstraint, Contract, plan_rules, validation_feedback
from pytest_planguard.replay.matching.normalise import normalise
from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.wire.dialects.dialect_table import matching

GREETING = conftest.GREETING
POLITE = Contract(None, constraints=[ContentConstraint("title", "polite")])
PLAN = Contract(None, rules=plan_rules("todo"))

@pytest.mark.planguard(POLITE)
def test_constraint(planguard):
    assert planguard.check('{"title": "%s you"}' % GREETING)

def test_style_and_plans():
    verdict = PLAN.check('{"todo": ["unbelievable"]}')
    assert [finding.message for finding in verdict.errors] == [f"{GREETING}: unbelievable is long"]
    assert validation_feedback(verdict, style="shout") == GREETING.upper()

def test_wire():
    assert [entry.message for entry in recognise("OWN words") if entry.message == GREETING] == [GREETING]
    assert [d.read_request({}).model for d in matching("/complete", {"said": 1})][:1] == [GREETING]
    assert normalise("T-17") == f"T-{GREETING}"
"""
GONE = """
from pytest_planguard.contract.constraints.constraint_types import CONSTRAINT_TYPES
from pytest_planguard.contract.feedback.feedback import STYLES
from pytest_planguard.plans.profiles.formats import PROFILES
from pytest_planguard.plans.rules.judge_plan import RULES
from pytest_planguard.replay.matching.normalise import NORMALISERS
from pytest_planguard.retry.reading.recognise import WORDINGS
from pytest_planguard.wire.dialects.dialect_table import DIALECTS

TABLES = (CONSTRAINT_TYPES, STYLES, PROFILES, RULES, NORMALISERS, WORDINGS, DIALECTS)
ADDED = [name for table in TABLES for name in table.names if table.lookup(name) not in table.built_in]
"""
TWICE = """
import sys
import pytest

def session(folder):
    for name in ("conftest", "test_uses"):
        sys.modules.pop(name, None)
    return int(pytest.main(["-q", "-p", "planguard", "-p", "no:cacheprovider", f"--rootdir={folder}", folder]))

codes = [session(sys.argv[1]), session(sys.argv[1]), session(sys.argv[2])]
from gone import ADDED
print(codes, ADDED)
"""
NESTED = """
pytest_plugins = ["pytester"]
"""
AROUND = """
import conftest
from pytest_planguard import ContentConstraint, Contract, validation_feedback
from pathlib import Path

def shouted():
    return validation_feedback(Contract({"type": "object"}).check("[]"), style="shout")

def test_around(pytester):
    here = Path(__file__).parent
    assert shouted() == "HELLO"
    inner = (here / "conftest.py").read_text().partition("pytest_plugins")[0].replace('"hello"', '"goodbye"')
    pytester.makeconftest(inner)
    pytester.makepyfile(test_uses=(here / "uses.txt").read_text())
    pytester.runpytest_inprocess("-q", "-p", "planguard", "-p", "no:cacheprovider").assert_outcomes(passed=3)
    assert shouted() == "HELLO"
"""


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    """Two projects whose conftests register the same names with different values, and what is left afterwards."""
    Example({"conftest.py": CONFTEST, "test_uses.py": USES}).write(tmp_path / "one")
    Example({"conftest.py": CONFTEST.replace('"hello"', '"bye"'), "test_uses.py": USES}).write(tmp_path / "two")
    Example({"twice.py": TWICE, "gone.py": GONE}).write(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_sessions_after_each_other_register_the_same_names(projects: Path) -> None:
    """Each of three sessions in one process finds what it registered, of all seven kinds, and leaves nothing."""
    done = run_module(["twice", str(projects / "one"), str(projects / "two")], projects, inner_environment())
    said = done.stdout.decode()
    assert said.splitlines()[-1] == "[0, 0, 0] []", said + done.stderr.decode()
    assert said.count("3 passed") == 3


def test_a_session_inside_a_test_registers_the_same_names() -> None:
    """As the tests of a plugin do: the inner session finds its own, and the outer one keeps what it had."""
    outer = WarmExample({"conftest.py": CONFTEST + NESTED, "test_around.py": AROUND, "uses.txt": USES})
    done = outer.run_pytest("-q", plugins=("planguard", "pytester"))
    assert dict(done.outcomes) == {"passed": 1}, done.output


TAKEN = """
def pytest_planguard_register(registry):
    registry.style("default", lambda correction: ("WRONG!", 1))
"""


def test_a_name_in_use_is_refused() -> None:
    """The message says which."""
    done = WarmExample({"conftest.py": TAKEN, "test_it.py": "def test_it(): pass"}).run_pytest("-q")
    assert done.returncode != 0
    assert "UsageError: a feedback style 'default' exists already; choose another name" in done.output
