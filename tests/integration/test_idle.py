"""A project that marks nothing pays next to nothing."""

import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from types import ModuleType

import pytest

import pytest_planguard
from pytest_planguard import plugin
from pytest_planguard.testing.example import Example

HEAVY = ("vcr", "pydantic", "yaml", "deepdiff", "hypothesis", "syrupy", "rich", "click", "jinja2", "markdown_it")

SHOW_MODULES = f"""
import sys

def pytest_unconfigure(config):
    ours = sorted(name for name in sys.modules if name.startswith("pytest_planguard"))
    heavy = sorted(name for name in {HEAVY!r} if name in sys.modules)
    rewritten = [name for name in ours if hasattr(sys.modules[name].__loader__, "mark_rewrite")]
    print("\\nOURS", *ours)
    print("REWRITTEN", *rewritten)
    print("HEAVY", *heavy)
"""


def test_loads_three_modules_and_nothing_heavy():
    """An idle run adds three modules of ours, and none of our dependencies."""
    run = Example({"conftest.py": SHOW_MODULES, "test_a.py": "def test_a(): pass"}).run_pytest("-q")
    assert dict(run.outcomes) == {"passed": 1}
    lines = run.stdout.splitlines()
    assert "OURS pytest_planguard pytest_planguard.plugin pytest_planguard.plugin.options" in lines
    assert "HEAVY" in [line.strip() for line in lines]


AS_INSTALLED = """
import pytest

pytest.register_assert_rewrite("pytest_planguard")  # as pytest does for a plugin that is installed from a wheel
"""
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
    "contract.finding",
    "contract.phrasing",
    "contract.severity",
    "contract.checking.full_check",
    "document.problem",
    "plugin.commands",
    "plugin.case_parts",
    "plugin.marker.wrong_markers",
    "plugin.outcome.doubt",
    "plugin.outcome.giving_up",
    "plugin.outcome.samples",
    "plugin.recording.failed_setup",
    "plugin.recording.recording",
    "plugin.recording.rerecord",
    "plugin.rerun.obstacles",
    "plugin.results.failure_repr",
    "plugin.results.stale_section",
    "replay.files",
    "replay.network.callers",
    "replay.network.contacts",
    "replay.network.helper_programs",
    "replay.network.reach",
    "replay.network.stragglers",
    "replay.refresh",
    "replay.session.vcrpy_import",
    "report.answer",
    "report.words",
    "retry",
    "runs.model.first_request",
    "runs.model.next_request",
    "search",
    "strength",
    "wire",
]
"""What a good answer has no use for: it loads with the first finding, conversation, recording or refusal."""
MOST = 93
"""Modules of ours in a session of good answers. Each takes about a thousandth of the time of such a session with one
test, so one more needs a reason."""


def test_a_good_answer_loads_what_its_check_needs():
    """A session in which one good answer is checked: nothing of failures, conversations and recordings."""
    example = Example({"conftest.py": AS_INSTALLED + SHOW_MODULES, "test_a.py": CHECKED})
    run = example.run_pytest("-q", "-W", "ignore::pytest.PytestAssertRewriteWarning")
    assert dict(run.outcomes) == {"passed": 1}
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("OURS ")]
    ours = [name.removeprefix("pytest_planguard.") for name in line.split()[1:]]
    assert [name for name in ours if f"{name}.".startswith(tuple(f"{later}." for later in LATER))] == []
    assert len(ours) <= MOST
    assert "REWRITTEN" in [line.strip() for line in run.stdout.splitlines()]


class _Counting:
    """A finder as tools for mutation tests put one in front: it finds nothing and keeps the names."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Keep a name."""
        self.names.append(name)


def test_finders_of_other_tools_are_asked_for_our_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our modules go around pytest's rewriting of asserts, and around nothing else."""
    counting = _Counting()
    monkeypatch.setattr(sys, "meta_path", [plugin._AsCompiled, counting, *sys.meta_path])
    spec = plugin._AsCompiled.find_spec("pytest_planguard.errors", pytest_planguard.__path__)
    assert spec is not None
    assert isinstance(spec.loader, SourceFileLoader)
    assert counting.names == ["pytest_planguard.errors"]
    assert plugin._AsCompiled.find_spec("pytest_planguard.no_such_module", pytest_planguard.__path__) is None
    assert plugin._AsCompiled.find_spec("json") is None


def test_says_nothing_and_writes_nothing():
    """Without a marked test there is no section at the end and no folder."""
    run = Example({"test_a.py": "def test_a(): pass"}).run_pytest()
    assert "= planguard" not in run.stdout
    assert run.example.paths() == ["test_a.py"]


def test_the_header_says_how_it_would_replay():
    """One line of the header: version, match mode, record mode."""
    run = Example({"test_a.py": "def test_a(): pass"}).run_pytest("--planguard-variant=new")
    assert "planguard: 0.1.0, match gated, record none (replay only), variant new" in run.stdout
