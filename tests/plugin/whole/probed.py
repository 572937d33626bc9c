"""What the probe of a tree finds in a project with every kind of contract, rule, hook and way to skip a test."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pytest_planguard.runs.gate.tree_facts import Question, TreeFacts
from pytest_planguard.runs.model.codec import read_row, row_text

from ...support.warm import WarmExample, inner_environment, run_module

FILES = {
    "limits.py": "HIGHEST = 9\n",
    "shared/__init__.py": "",
    "shared/words.py": "LOUD = ('now', 'urgent')\n",
    "contracts.py": """
from typing import Literal

from pydantic import BaseModel, Field
from pytest_planguard import Contract, called, count, distinct, near, not_called

from limits import HIGHEST
from shared import words


class Read(BaseModel):
    path: str


class Ticket(BaseModel):
    priority: Literal["low", "high"]
    level: int = Field(le=HIGHEST)
    steps: list[str]


def loud(answer):
    return [] if answer["priority"] != "high" or words.LOUD else ["be loud"]


TICKET = Contract(
    Ticket,
    constraints=[count("steps", 1, 4), distinct("steps", severity="warn")],
    rules=[loud],
    compare={"level": near(1)},
    calls=[called("read", args=Contract(Read)), not_called("rm")],
    strict=True,
    name="ticket",
)
PLAIN = Contract({"type": "array", "items": {"type": "integer"}})
""",
    "conftest.py": """
import pytest

pytest_plugins = ["plugin_of_ours"]


@pytest.fixture
def maybe():
    pytest.skip("not today")


def pytest_runtest_protocol(item, nextitem):
    pass


def pytest_runtestloop(session):
    pass


def pytest_runtest_setup(item):
    pass


def pytest_runtest_call(item):
    pass


def pytest_pyfunc_call(pyfuncitem):
    pass


def pytest_runtest_makereport(item, call):
    pass


def pytest_report_teststatus(report, config):
    pass


def pytest_unconfigure():
    pass


def pytest_cmdline_main(config):
    pass
""",
    "plugin_of_ours.py": "def pytest_sessionfinish():\n    pass\n",
    "test_app.py": """
import unittest

import pytest
from contracts import PLAIN, TICKET

GOOD = '{"priority": "low", "level": 1, "steps": ["look"]}'


@pytest.mark.planguard(TICKET, max_attempts=2, checks={"clean": "fail"}, match="lenient")
def test_marked(planguard):
    planguard.check(GOOD)


@pytest.mark.planguard(PLAIN)
@pytest.mark.skipif(True, reason="later")
@pytest.mark.parametrize("n", [1, 2])
def test_skipped(planguard, n):
    planguard.check("[1]")


@pytest.mark.planguard(TICKET, mode="check", cases="cases.jsonl")
@pytest.mark.xfail
def test_cases(planguard, planguard_case, maybe):
    if planguard_case is None:
        pytest.importorskip("nothing")
        pytest.xfail("never")
        planguard.skipTest("never")
        raise unittest.SkipTest
    planguard.check(planguard_case.input)


def test_unmarked():
    pass
""",
    "test_broken.py": "import nothing_of_that_name\n",
    "cases.jsonl": '{"name": "a", "input": {"priority": "low"}, "expected": {"priority": "low"}}\n',
    "pytest.ini": "[pytest]\nplanguard_match = strict\naddopts = -ra\nxfail_strict = true\n",
}
LOOSER = {
    "contracts.py": FILES["contracts.py"]
    .replace('Literal["low", "high"]', "str")
    .replace("count(", 'distinct("priority"), count('),
    "limits.py": "HIGHEST = 12\n",
}
ANSWERS = (
    '{"priority": "low", "level": 3, "steps": ["look", "go"]}',
    '{"priority": "hihg", "level": 3, "steps": ["look"]}',
    '{"priority": "high", "level": 11, "steps": []}',
    "[1, 2]",
    "no JSON",
)
# '"contracts.py": "0123456789abcdef"': a digest of code, which Python's version changes
_DIGEST = re.compile(r'(\.py": )"[0-9a-f]{16}"')


def facts() -> str:
    """Return the facts about the project, and about a looser one beside it."""
    question = Question(contracts=("contracts.py:TICKET", "contracts.py:NOTHING"), answers=ANSWERS)
    base = _asked(WarmExample(FILES), question)
    looser = _asked(WarmExample({**FILES, **LOOSER}), replace(question, base=base))
    unseen = _asked(WarmExample(FILES), Question(contracts=("contracts.py:PLAIN",), answers=ANSWERS, collect=False))
    return "".join(_shown(one) for one in (base, looser, unseen))


def _asked(example: WarmExample, question: Question) -> TreeFacts:
    with TemporaryDirectory(prefix="example-") as name, TemporaryDirectory() as beside:
        folder, asked, answered = Path(name).resolve(), Path(beside, "question"), Path(beside, "answer")
        example.write(folder)
        asked.write_text(row_text(question), encoding="utf-8")
        words = ["pytest_planguard.plugin.probe", str(asked), str(answered)]
        done = run_module(words, folder, inner_environment(PYTEST_ADDOPTS="-p planguard"))
        assert done.returncode == 0, done.stderr.decode()
        return read_row(TreeFacts, answered.read_bytes())


def _shown(found: TreeFacts) -> str:
    text = json.dumps(json.loads(row_text(found)), indent=1, ensure_ascii=False)
    return _DIGEST.sub(r'\1"…"', re.sub(r"/\S*/example-\w+", "…", text)) + "\n"
