"""A project that marks nothing pays next to nothing."""

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


def test_says_nothing_and_writes_nothing():
    """Without a marked test there is no section at the end and no folder."""
    run = Example({"test_a.py": "def test_a(): pass"}).run_pytest()
    assert "= planguard" not in run.stdout
    assert run.example.paths() == ["test_a.py"]


def test_the_header_says_how_it_would_replay():
    """One line of the header: version, match mode, record mode."""
    run = Example({"test_a.py": "def test_a(): pass"}).run_pytest("--planguard-variant=new")
    assert "planguard: 0.1.0, match gated, record none (replay only), variant new" in run.stdout
