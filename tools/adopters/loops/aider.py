"""aider: the blocks that failed are quoted in full, and the others are applied at once."""

import pytest
from aider.coders import Coder
from aider.io import InputOutput
from aider.models import Model

from pytest_planguard import Contract, edits_apply


@pytest.fixture
def code(tmp_path, monkeypatch, planguard):
    """Return a function that runs aider on calc.py, and its text afterwards."""
    path = tmp_path / "calc.py"
    path.write_text("def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n")
    monkeypatch.chdir(tmp_path)
    planguard.state(lambda: {"calc.py": path.read_text()})

    def run():
        said = InputOutput(yes=True, pretty=False, fancy_input=False)
        without = {"use_git": False, "auto_commits": False, "auto_lint": False, "map_tokens": 0}
        coder = Coder.create(Model("gpt-4o"), "diff", said, fnames=[str(path)], stream=True, **without)
        coder.run(with_message="use type hints", preproc=False)
        return path.read_text()

    return run


EDITS = Contract(None, rules=[edits_apply()], format="markdown", name="edits")


@pytest.mark.planguard(EDITS)
def test_two_blocks(code):
    assert "-> int" in code()


@pytest.mark.planguard(EDITS)
def test_applied_block(code):
    assert "a + -b" in code()
