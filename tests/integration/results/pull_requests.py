"""A repository whose base gates pull requests, and small changes to it: those of an attacker, and honest ones."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.reader import read_cassette

from ...support.cassettes import FEEDBACK, conversation, write

GOOD = '{"title": "Printer", "priority": "high", "steps": ["look", "restart"]}'
BAD = '{"title": "Printer", "priority": "urgent", "steps": ["look"]}'
CASSETTES = "tests/cassettes/test_app/default"


def named(test: str, sample: str = "") -> str:
    """The path of a test's cassette."""
    return f"{CASSETTES}/{test}-{hashlib.sha256(f'::{test}'.encode()).hexdigest()[:8]}{sample}.yaml"


PRINTER, RETRY, SECOND = named("test_printer"), named("test_retry"), named("test_printer", ".2")
BASELINE = "planguard-baseline.json"
WORKFLOW = ".github/workflows/planguard.yml"

CONTRACTS = """
from typing import Literal
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pytest_planguard import Contract, called, distinct, min_length, not_called, similar
from limits import is_free

class Ticket(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=3, max_length=40)
    priority: Literal["low", "high"]
    steps: list[str] = Field(min_length=1)

    @field_validator("title")
    @classmethod
    def free(cls, value):
        if not is_free(value):
            raise ValueError("taken")
        return value

class Search(BaseModel):
    query: str = Field(min_length=2)

TICKET = Contract(Ticket, constraints=[distinct("steps"), min_length("title", 4)], compare={"title": similar(0.9)})
SEARCH = Contract(Search)
BOOKING = Contract(Ticket, name="Booking", calls=[called("search", args=SEARCH), not_called("refund")])
LOOSE = Contract(dict, name="Ticket")
"""
LIMITS = """
def is_free(title):
    return title.casefold() != "test"
"""
TESTS = """
import pytest
from contracts import BOOKING, LOOSE, TICKET

@pytest.mark.planguard(TICKET)
def test_printer():
    pass

@pytest.mark.planguard(TICKET, checks={"clean": "fail"})
def test_retry():
    pass

@pytest.mark.planguard(BOOKING, mode="check", min_pass_rate=0.9, coverage="all")
@pytest.mark.parametrize("place", ["Rome", "Oslo"])
def test_booking(place):
    pass

@pytest.mark.planguard(TICKET, mode="check", cases="cases.jsonl", min_score=0.9)
def test_cases(planguard_case):
    pass
"""
INI = "[pytest]\npythonpath = .\ntestpaths = tests\nplanguard_stale = fail\nplanguard_fail_under = 0.8\n"
CASES = '{"name": "a", "input": 1, "expected": {"title": "A"}}\n{"name": "b", "input": 2, "expected": {"title": "B"}}\n'
BUILD = """
jobs:
  gate:
    steps:
      - run: pytest
      - run: planguard diff --git origin/main -c contracts.py:TICKET --fail-on new,weakened
"""
KNOWN = {"case": "tests/test_app.py::test_old", "rule": "enum", "path": ["priority"], "expires": "2999-01-31"}
Change = str | None | Callable[[str], str]
"""The new text of a file, None to remove it, or what makes it of the old one."""


class PullRequest(NamedTuple):
    """A change, and what the gate says of it."""

    files: Mapping[str, Change]
    said: str
    """Words of the output."""
    fails_on: str = "new,weakened"
    """What has to be asked for so that it fails; "" for an honest one, which passes with the words of the default."""


def recorded(*answers: str) -> str:
    """The text of a cassette as planguard writes it."""
    told = json.dumps(conversation(*answers)).replace(FEEDBACK, "priority: Input should be 'low' or 'high'")
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder, "recorded.yaml"), json.loads(told))
        return render(raw.as_recorded for raw in read_cassette(path).interactions)


def sub(old: str, new: str) -> Change:
    """A replacement of words that are there."""

    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new)

    return change


def after(words: str) -> Change:
    """Further lines at the end."""
    return lambda text: text + words


def baseline(*entries: Mapping[str, object]) -> str:
    """A list of known failures."""
    listed = [{**KNOWN}, *entries]
    return json.dumps({"planguard": "baseline", "format": 1, "failures": listed})


def accepting(what: str, *cases: str) -> str:
    """A list that accepts a weakening, with reason and owner."""
    about = {"rule": f"weakened: {what}", "path": [], "owner": "ann", "reason": "agreed in the review"}
    return baseline(*({"case": case, **about} for case in cases))


def base_files() -> dict[str, str]:
    """The files of the base."""
    return {
        "contracts.py": CONTRACTS,
        "limits.py": LIMITS,
        "tests/test_app.py": TESTS,
        "tests/cases.jsonl": CASES,
        "pytest.ini": INI,
        WORKFLOW: BUILD,
        BASELINE: baseline(),
        "conftest.py": "",
        "app.py": "PROMPT = 'Write.'\n",
        PRINTER: recorded(GOOD),
        RETRY: recorded(BAD, GOOD),
    }


MARK = "@pytest.mark.planguard(TICKET)"
HIGH = 'Literal["low", "high"]'


def _in_tests(old: str, new: str) -> Mapping[str, Change]:
    return {"tests/test_app.py": sub(old, new)}


def _in_contracts(old: str, new: str) -> Mapping[str, Change]:
    return {"contracts.py": sub(old, new)}


PATCHED = """
from pytest_planguard import Contract
check, anything = Contract.check, Contract(None)
Contract.check = lambda self, answer, **options: check(anything, answer, **options)
"""
DESELECTS = """
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if "printer" not in item.name]
"""
UNMARKS = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item):
    item.own_markers[:] = []
"""
ATTACKS: Mapping[str, PullRequest] = {
    # The contract.
    "a value that nobody recorded": PullRequest(_in_contracts(HIGH, 'Literal["low", "high", "x"]'), '"x" allowed, too'),
    "a bound moved": PullRequest(_in_contracts("max_length=40", "max_length=4000"), "title: maxLength 40 → 4000"),
    "a bad answer and its value": PullRequest(
        {**_in_contracts(HIGH, 'Literal["low", "high", "urgent"]'), PRINTER: recorded(BAD)}, "that the base refuses"
    ),
    "another contract in its place": PullRequest(
        _in_tests(MARK, "@pytest.mark.planguard(LOOSE)"), "that the base refuses"
    ),
    "a constraint less": PullRequest(_in_contracts('distinct("steps"), ', ""), "the constraint distinct at steps"),
    "a validator that accepts": PullRequest(
        _in_contracts("if not is_free(value)", "if False"), "its code changed in contracts.py", "any"
    ),
    "a helper that accepts": PullRequest({"limits.py": "def is_free(title):\n    return True\n"}, "limits.py", "any"),
    "check patched in conftest": PullRequest({"conftest.py": PATCHED}, "that the base refuses"),
    "a call less": PullRequest(_in_contracts(', not_called("refund")', ""), "no refund is gone"),
    "arguments of a tool": PullRequest(
        _in_contracts("query: str = Field(min_length=2)", "query: str"), "search: query"
    ),
    "compared loosely": PullRequest(_in_contracts("similar(0.9)", "similar(0.1)"), "compare title"),
    # Markers.
    "a check turned down": PullRequest(_in_tests('"clean": "fail"', '"clean": "warn"'), "checks.clean fail → warn"),
    "lenient match": PullRequest(
        _in_tests(MARK, '@pytest.mark.planguard(TICKET, match="lenient")'), "match gated → lenient"
    ),
    "rate lower": PullRequest(_in_tests("min_pass_rate=0.9", "min_pass_rate=0.5"), "min_pass_rate 0.9 → 0.5"),
    "score lower": PullRequest(_in_tests("min_score=0.9", "min_score=0.1"), "min_score 0.9 → 0.1"),
    "marker by a variable": PullRequest(
        _in_tests('checks={"clean": "fail"}', '**dict(zip(["coverage"], ["any"]))'), "coverage all → any"
    ),
    # Tests.
    "marker removed": PullRequest(_in_tests(f"{MARK}\n", ""), "test_printer: no longer collected as a marked test"),
    "skip": PullRequest(_in_tests(MARK, f"@pytest.mark.skip\n{MARK}"), "skip() is new"),
    "xfail": PullRequest(_in_tests(MARK, f"@pytest.mark.xfail\n{MARK}"), "xfail() is new"),
    "skip in the body": PullRequest(
        _in_tests("test_printer():\n    pass", "test_printer():\n    pytest.skip()"), "skip()"
    ),
    "skip in a fixture": PullRequest(
        {"conftest.py": "import pytest\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip()\n"},
        "skip() in quiet is new",
    ),
    "import that is not there": PullRequest(
        _in_tests("import pytest\n", "import pytest\npytest.importorskip('nowhere')\n"), "no longer collected"
    ),
    "fewer parameters": PullRequest(
        _in_tests('["Rome", "Oslo"]', '["Rome"]'), "test_booking[Oslo]: no longer collected"
    ),
    "fewer cases": PullRequest(
        {"tests/cases.jsonl": CASES.splitlines()[0] + "\n"}, "test_cases[b]: no longer collected"
    ),
    "another expected value": PullRequest({"tests/cases.jsonl": sub('"A"', '"Z"')}, "expected {'title': 'A'} →", "any"),
    "a test and its cassette": PullRequest(
        {**_in_tests(f"{MARK}\ndef test_printer():\n    pass\n", ""), PRINTER: None}, "its cassette is gone"
    ),
    # Settings, plugins, the build.
    "deselected by -k": PullRequest({"pytest.ini": after("addopts = -k 'not printer'\n")}, "adds -k not printer"),
    "planguard off": PullRequest({"pytest.ini": after("addopts = -p no:planguard\n")}, "adds -p no:planguard"),
    "conftest deselects": PullRequest(
        {"conftest.py": DESELECTS},
        "test_printer: no longer collected",
    ),
    "conftest takes markers away": PullRequest(
        {"conftest.py": UNMARKS},
        "no longer collected as a marked test",
    ),
    "reports turned": PullRequest(
        {"conftest.py": "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"},
        "implements pytest_sessionfinish",
    ),
    "the gate taken out": PullRequest({WORKFLOW: sub(",weakened", "")}, "lacks a line of the gate"),
    "a failure that does not count": PullRequest(
        {WORKFLOW: sub("- run: pytest", "- continue-on-error: true\n        run: pytest")}, "ignores failures"
    ),
    # The baseline and the recordings.
    "listed without an owner": PullRequest(
        {
            BASELINE: baseline({"case": "tests/test_app.py::test_printer", "rule": "enum", "path": ["priority"]}),
            PRINTER: recorded(BAD),
        },
        "which the base does not",
    ),
    "listed for longer": PullRequest({BASELINE: sub("2999-01-31", "2999-12-31")}, "may fail until 2999-12-31"),
    "forged answer": PullRequest({PRINTER: sub("look", "loop")}, "changed by hand after it was recorded"),
    "end mark taken out": PullRequest(
        {PRINTER: lambda text: text.replace("look", "loop").partition("\n")[2].rpartition("\n# planguard")[0] + "\n"},
        "its end mark, which reveals changes by hand, is gone",
    ),
    "a good sample beside a bad one": PullRequest(
        {PRINTER: recorded(BAD), SECOND: recorded(GOOD)}, "samples now: 1 of 2 samples good"
    ),
    "no cassettes at all": PullRequest({PRINTER: None, RETRY: None}, "has no committed cassette"),
    # What keeps the gate from looking.
    "a tree that cannot be imported": PullRequest(
        {"tests/test_app.py": after("\nimport nowhere_at_all\n")}, "cannot be collected"
    ),
}
HONEST: Mapping[str, PullRequest] = {
    "a prompt": PullRequest({"app.py": "PROMPT = 'Please write.'\n"}, "PASS", ""),
    "a new answer": PullRequest({PRINTER: recorded(GOOD.replace("look", "listen"))}, "changed but valid", ""),
    "a bound tightened": PullRequest(
        _in_contracts("max_length=40", "max_length=30"), "maxLength 40 → 30 (breaking)", ""
    ),
    "a constraint more": PullRequest(
        _in_contracts('distinct("steps"),', 'distinct("steps"), min_length("steps[*]", 2),'), "is new (breaking)", ""
    ),
    "a stricter marker": PullRequest(
        _in_tests(MARK, '@pytest.mark.planguard(TICKET, match="strict", coverage="all")'), "PASS", ""
    ),
    "a further test": PullRequest(
        {"tests/test_app.py": after(f"\n{MARK}\ndef test_new():\n    pass\n"), named("test_new"): recorded(GOOD)},
        "1 added",
        "",
    ),
    "a test renamed with its cassette": PullRequest(
        {
            **_in_tests("def test_printer", "def test_office_printer"),
            PRINTER: None,
            named("test_office_printer"): recorded(GOOD),
        },
        "PASS",
        "",
    ),
    "comments and layout": PullRequest(
        {"contracts.py": sub("class Search", "# What is looked for.\n\n\nclass Search")}, "PASS", ""
    ),
    "quieter output": PullRequest({"pytest.ini": after("addopts = -q --tb=short\n")}, "PASS", ""),
    "a case more": PullRequest(
        {"tests/cases.jsonl": after('{"name": "c", "input": 3, "expected": {"title": "C"}}\n')}, "PASS", ""
    ),
    "the build runs more": PullRequest({WORKFLOW: after("      - run: make lint\n")}, "PASS", ""),
    "a relaxation that somebody answers for": PullRequest(
        {
            **_in_contracts("max_length=40", "max_length=50"),
            BASELINE: accepting("title: maxLength 40 → 50", "contract Ticket", "contract Booking"),
        },
        "2 weakened, and accepted",
        "",
    ),
}
