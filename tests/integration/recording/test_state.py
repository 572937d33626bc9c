"""`planguard.state`: each answer is judged by the files that the app had when it asked."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.testing.example import Run

from ...support.lookalike import Lookalike
from ...support.lookalike.model import Answer
from ...support.lookalike.server import _Handler
from ...support.lookalike.spelling import Spelling
from ...support.warm import WarmExample
from ..projects import rows_by_test

BLOCK = "<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"
FIRST = BLOCK.format(old="a = 1", new="a = 2") + BLOCK.format(old="b = 7", new="b = 8")
SECOND = BLOCK.format(old="a = 2", new="a = 3")
"""Applies only after the sound edit of the first answer."""
APP = """
from openai import OpenAI

from pytest_planguard.contract.constraints.text_edits import read_edits


def edit(file, *, reports=True):
    client = OpenAI(max_retries=0)
    messages = [{"role": "user", "content": f"Count on:\\n{file.read_text()}"}]
    for _ in range(3):
        answer = client.chat.completions.create(model="m", messages=messages).choices[0].message.content
        failed = []
        for one in read_edits(answer):
            text = file.read_text()
            file.write_text(text.replace(one.old, one.new))
            failed += [one] if one.old not in text else []
        if not failed:
            return
        told = "".join(one.text for one in failed) if reports else "Please try again."
        messages.append({"role": "assistant", "content": answer})
        messages.append({"role": "user", "content": f"Some edits failed:\\n{told}"})
"""
TESTS = """
import app
import pytest
from pytest_planguard import Contract, edits_apply

EDITS = Contract(None, rules=[edits_apply()], format="markdown", name="edits")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("a = 1\\n")
    return path


@pytest.mark.planguard(EDITS)
@pytest.mark.parametrize("reports", [True, False])
def test_edit(planguard, file, reports):
    planguard.state(lambda: {"a.py": file.read_text()})
    app.edit(file, reports=reports)


@pytest.mark.planguard(EDITS)
def test_without_state(planguard, file):
    app.edit(file)


@pytest.mark.planguard(EDITS)
def test_secret(planguard, file):
    planguard.state(lambda: {"a.py": file.read_text(), "key": "sk-proj-Zk3hV9qLx0TtB7wYp2RnA8cD5eF1gH6j"})
    app.edit(file)


@pytest.mark.planguard(EDITS)
def test_too_large(planguard, file):
    planguard.state(lambda: {"a.py": "x" * 200_001})
    app.edit(file)
"""


class _Editor(_Handler):
    """Answers with one sound and one unsound edit, then with one that follows on the sound one."""

    def _answer(self, lookalike: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        del lookalike, stream
        turns = list(spelling.turns(body))
        self._send(200, spelling.whole(Answer(SECOND if len(turns) > 1 else FIRST), body))


@pytest.fixture(scope="module")
def runs() -> tuple[Run, Run]:
    """Return the run that recorded, and a replay that must not ask for the state."""
    server = Lookalike()
    server._server.RequestHandlerClass = _Editor
    example = WarmExample({"app.py": APP, "test_app.py": TESTS})
    env = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "any"}
    try:
        recorded = example.run_pytest("--planguard-record=missing", "--tb=short", env=env, timeout_s=300)
    finally:
        server.stop()
    blind = recorded.example.replaced("file.read_text()", "1 / 0", suffix="test_app.py")
    return recorded, blind.run_pytest("--tb=short", "-k", "test_edit", env=env, timeout_s=300)


@pytest.mark.slow
def test_each_answer_is_judged_by_its_own_files(runs: tuple[Run, Run]) -> None:
    """The second edit fits the file as the first answer left it, when recorded and replayed."""
    for run in runs:
        rows = rows_by_test(run.example)
        assert rows["test_edit[True]"]["result"] == "passed", run.stdout
        assert rows["test_edit[False]"]["result"] == "failed"
        assert "b = 7" in run.stdout


@pytest.mark.slow
def test_state_is_kept_without_secrets_and_bounded(runs: tuple[Run, Run]) -> None:
    """A key in a state never reaches the disk; a state that is missing or too large is named."""
    recorded = runs[0]
    texts = [recorded.example.read(path) for path in recorded.example.paths() if path.startswith("cassettes")]
    assert any("x-planguard-state" in text for text in texts)
    assert not any("sk-proj-Zk3h" in text for text in texts)
    assert "no files were recorded with this answer" in recorded.stdout
    assert "200,005 characters" in recorded.stdout
